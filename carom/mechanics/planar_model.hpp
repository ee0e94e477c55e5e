// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <vector>

#include <carom/mechanics/drag.hpp>
#include <carom/mechanics/model.hpp>
#include <carom/mechanics/prescribed_path.hpp>
#include <carom/mechanics/shapes/plane/features.hpp>

/// Rigid bodies in the plane under gravity, on pieces of ground and against each other. x right, y
/// up, angles and spins counter-clockwise.
namespace carom {

/// A free body. Its coordinates are x, y of its mass centre, the origin of its shape, and its
/// angle.
struct PlanarBody {
  std::string name{};            ///< empty: the only one
  double mass = 0.;              ///< [kg]
  double inertia = 0.;           ///< about the mass centre [kg m^2]
  shapes::plane::Shape shape{};  ///< not a half plane
  Drag drag{};
};

/// A piece of the ground: any shape, at rest or moved without turning.
struct PlanarGround {
  std::string name{};
  shapes::plane::Shape shape{};
  shapes::plane::Pose pose{};  ///< at no displacement
  PrescribedPath motion{};     ///< z zero
  /// Speed of the surface alone, as of a belt, along the tangent of contacts: clockwise round the
  /// shape. The upper side runs along +x, and so does a half plane at angle 0 [m/s].
  double belt_speed = 0.;
};

/// Contacts known from the start: each vertex of each body (a disc and an ellipse have one) against
/// each half plane, then each pair of discs.
struct PlanarScene {
  std::vector<PlanarBody> bodies{};
  std::vector<PlanarGround> ground{};
  std::array<double, 2> gravity{0., -9.81};  ///< [m/s^2]
  double length = 0.;                        ///< reference length [m]; 0: that of the largest body
  double acceleration = 0.;                  ///< reference acceleration [m/s^2]; 0: gravity
};

/// Bodies and ground, and the state in which they are.
struct PlacedScene {
  PlanarScene scene{};
  State state{};
};

/// Things are numbered: bodies from 0, then pieces of the ground. The first of a pair is a body,
/// and the second comes after it. Features of a contact: that of the first in the upper 32 bits,
/// that of the second in the lower ones, numbered as in shapes/plane.
class PlanarModel final : public Model {
 public:
  /// Above this number no contact is listed from the start: tables would be too wide to read.
  static constexpr std::size_t most_known_contacts = 1000;

  /// Throws InputError: "bodies[0].mass".
  explicit PlanarModel(PlanarScene scene);

  [[nodiscard]] const PlanarScene& scene() const { return scene_; }

  [[nodiscard]] std::size_t positions() const override { return 3 * bodies_.size(); }
  [[nodiscard]] std::size_t velocities() const override { return 3 * bodies_.size(); }
  [[nodiscard]] std::size_t components() const override { return 2; }
  [[nodiscard]] std::string position_name(std::size_t i) const override;
  [[nodiscard]] std::string velocity_name(std::size_t i) const override;
  [[nodiscard]] std::string_view position_unit(std::size_t i) const override {
    return i % 3 == 2 ? "rad" : "m";
  }
  [[nodiscard]] std::string_view velocity_unit(std::size_t i) const override {
    return position_unit(i);
  }
  [[nodiscard]] std::vector<VelocityRange> blocks() const override;
  void kinematics(const State& state, Vector& rate) const override;
  void dynamics(const State& state, MassMatrix& M, Vector& h) const override;
  void displace(State& state, const Vector& u, double dt) const override { state.q += dt * u; }
  [[nodiscard]] bool keeps_kinetic_energy() const override { return true; }
  [[nodiscard]] double potential_energy(const State& state) const override;
  [[nodiscard]] OtherPower other_power(const State& state) const override;
  void add_drag(const State& state, double h, MassMatrix& M) const override;
  [[nodiscard]] OtherPower step_power(State& middle, const Vector& start,
                                      const Vector& end) const override;
  [[nodiscard]] double next_jump(double time) const override;
  [[nodiscard]] double length_scale() const override { return length_; }
  [[nodiscard]] double acceleration_scale() const override { return acceleration_; }

  [[nodiscard]] std::size_t contacts() const override { return known_.size(); }
  [[nodiscard]] ContactId contact_id(std::size_t i) const override { return known_[i]; }
  [[nodiscard]] std::string contact_name(const ContactId& id) const override;
  /// After the known contacts: each body with each other piece of ground, then each pair of bodies
  /// that are not both discs; all of them where no contact is known.
  [[nodiscard]] std::size_t surfaces() const override;
  [[nodiscard]] std::string surface_name(std::size_t k) const override;
  [[nodiscard]] std::size_t surface_of(const ContactId& id) const override;

  [[nodiscard]] double gap(const ContactId& id, const State& state) const override;
  void contact(const ContactId& id, const State& state, ContactMotion& motion) const override;
  void relative_spin(const ContactId& id, const State& state, ContactMotion& motion) const override;
  [[nodiscard]] bool has_spins() const override { return true; }
  /// The margin of the shapes plus twice their coincidence: a vertex on an edge is listed down to
  /// minus one coincidence. Also below zero where the edge does not face the other body, such as
  /// the far side of a plate, and where another pair stands for the same touching point: corners on
  /// corners.
  [[nodiscard]] double margin(const ContactId& id, const State& state) const override;
  void near_pairs(const State& state, double reach, std::vector<BodyPair>& out) const override;
  void near_contacts(const BodyPair& pair, const State& state, double reach,
                     std::vector<NearContact>& out) const override;
  void overlapping_contacts(const BodyPair& pair, const State& state, double reach,
                            std::vector<NearContact>& out) const override;
  [[nodiscard]] double distance(const BodyPair& pair, const State& state) const override;
  [[nodiscard]] PairDescription describe(const BodyPair& pair) const override;
  [[nodiscard]] double moved(const State& from, const State& to) const override;
  [[nodiscard]] double moved_apart(const BodyPair& pair, const State& from,
                                   const State& to) const override;
  [[nodiscard]] double approached(const BodyPair& pair, const State& from,
                                  const State& to) const override;

  [[nodiscard]] bool flies() const override { return flies_; }
  void fly(const State& from, double dt, State& to) const override;
  [[nodiscard]] std::optional<double> flight_time(const BodyPair& pair, const State& from,
                                                  double longest) const override;
  [[nodiscard]] double free_time(const BodyPair& pair, const State& from) const override;
  [[nodiscard]] double flight_step(const State& from) const override;

 private:
  [[nodiscard]] OtherPower drag_power(const Vector& before, const Vector& start,
                                      const Vector& end) const;
  using Point = shapes::plane::Point;

  /// What is often asked about a body.
  struct Body {
    const shapes::plane::Shape* shape;
    double radius;           ///< of the shape
    double bounding_radius;  ///< about the mass centre
    double turning_radius;   ///< no point of contact moves more by turning [m/rad]
    bool is_disc;
    bool is_centred;                ///< a disc about its mass centre
    std::size_t discs_before;       ///< discs among earlier bodies
    std::size_t disc_pairs_before;  ///< pairs of discs of which the first is an earlier body
    std::size_t vertices_before;    ///< of earlier bodies
  };
  /// And about a piece of the ground.
  struct Piece {
    shapes::plane::Placed placed;  ///< at no displacement
    bool is_half_plane;
    bool moves;
    Point normal;      ///< of a half plane
    Point start;       ///< a point of its edge
    Point centre;      ///< of a box around the others along their axes
    Point half_size;   ///< of that box
    std::size_t rank;  ///< among half planes, or among the others
  };
  /// Motion of a piece of the ground at a time.
  struct Support {
    Point displacement{};
    Point velocity{};
    Point acceleration{};
  };

  void add_bodies();
  void add_ground();
  void list_contacts();

  [[nodiscard]] bool is_ground(std::uint32_t i) const { return i >= bodies_.size(); }
  [[nodiscard]] const Piece& piece(std::uint32_t i) const { return ground_[i - bodies_.size()]; }
  [[nodiscard]] Support support_at(std::uint32_t i, double time) const;
  [[nodiscard]] shapes::plane::Placed placed(std::uint32_t i, const State& state) const;
  [[nodiscard]] const shapes::plane::Shape& shape(std::uint32_t i) const {
    return is_ground(i) ? *piece(i).placed.shape : *bodies_[i].shape;
  }
  [[nodiscard]] const std::string& name(std::uint32_t i) const;
  [[nodiscard]] std::string prefix(std::size_t body) const;  ///< of its coordinates' names
  /// Whether the pair has one contact at most for each vertex, which is always in range.
  [[nodiscard]] bool is_simple(const BodyPair& pair) const;
  [[nodiscard]] bool is_known(const BodyPair& pair) const;
  [[nodiscard]] std::size_t disc_pair(const BodyPair& pair) const;

  /// Of a body's mass centre over a half plane [m].
  [[nodiscard]] double height(std::uint32_t body, std::uint32_t plane, const State& state) const {
    const Piece& p = piece(plane);
    const auto at = ix(3 * std::size_t{body});
    const Point x = Point{state.q(at), state.q(at + 1)} - p.start;
    if (!p.moves) return dot(p.normal, x);
    return dot(p.normal, x - support_at(plane, state.time).displacement);
  }
  void on_half_plane(const ContactId& id, const State& state, ContactMotion& motion) const;
  void of_discs(const BodyPair& pair, const State& state, ContactMotion& motion) const;
  void of_features(const ContactId& id, const State& state, ContactMotion& motion) const;
  /// How far a body or a piece of the ground has moved, and its points by turning at most [m].
  struct Way {
    Point shift{};
    double turning = 0.;
  };
  [[nodiscard]] Way way_of(std::uint32_t i, const State& from, const State& to) const;
  [[nodiscard]] bool may_reach(std::uint32_t body, const Piece& piece, const Point& displacement,
                               const State& state, double reach) const;

  PlanarScene scene_;
  std::vector<Body> bodies_;
  std::vector<Piece> ground_;
  std::vector<ContactId> known_;
  std::size_t half_planes_ = 0;
  std::size_t others_ = 0;  ///< pieces of the ground that are no half planes
  std::size_t discs_ = 0;
  std::size_t vertices_ = 0;
  double length_ = 0.;
  double acceleration_ = 0.;
  double smallest_ = 0.;    ///< bounding radius of bodies and pieces [m]
  bool is_curved_ = false;  ///< whether gaps curve with speed: features pass each other
  bool lists_ = true;       ///< whether known contacts are listed
  bool flies_ = true;
};

}  // namespace carom
