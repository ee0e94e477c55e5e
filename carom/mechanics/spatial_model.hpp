// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Core>

#include <carom/core/spatial.hpp>
#include <carom/core/world.hpp>
#include <carom/mechanics/drag.hpp>
#include <carom/mechanics/model.hpp>
#include <carom/mechanics/prescribed_path.hpp>
#include <carom/mechanics/shapes/space/features.hpp>
#include <carom/mechanics/spatial_bodies.hpp>

/// Free bodies in space that move under gravity and strike the ground and each other. SI units,
/// world axes.
namespace carom {

struct SpatialMover {
  std::string name{};
  double mass = 1.;               ///< [kg]
  shapes::space::Solid solid{};   ///< bounded
  World3 offset{};                ///< of the solid's origin from the mass centre, in body axes [m]
  std::optional<Mat3> inertia{};  ///< about the mass centre, in body axes [kg m^2]; none: that of a
                                  ///< uniform solid about its centroid
  World3 position{};              ///< of the mass centre [m]
  Mat3 orientation = identity3;   ///< columns: the body's axes in the world
  World3 velocity{};              ///< of the mass centre [m/s]
  World3 spin{};                  ///< in world axes [rad/s]; of a rod: perpendicular to its axis
  Drag drag{};

  /// Contact points of a cylinder, disc or cone with half spaces. 0: the lowest point of each rim,
  /// which moves along the rim; a rim that lies flat is carried by 8 points fixed to it. Otherwise
  /// this many points fixed to each rim (at least 3) and nothing else.
  std::size_t rim_points = 0;
};

/// A solid that bodies stay outside of. A half space may be turned and moved like any other.
struct SpatialGround {
  std::string name{};
  shapes::space::Solid solid = shapes::space::HalfSpace{};
  World3 position{};  ///< of the solid's origin, of a half space: of a point of its plane [m]
  Mat3 orientation = identity3;  ///< columns: its axes in the world
  PrescribedPath motion{};       ///< without turning
  World3 belt_velocity{};        ///< of the surface alone, of which the part along it counts [m/s]
};

struct SpatialScene {
  std::vector<SpatialMover> bodies{};
  std::vector<SpatialGround> ground{};
  World3 gravity{0., 0., -9.81};  ///< [m/s^2]
  bool bodies_strike = true;      ///< whether bodies strike each other
};

/// q: for each body the position (x, y, z) and the unit quaternion (w, x, y, z) that rotates its
/// axes into the world; u: velocity and spin, both in world axes. A rod without thickness has no
/// inertia about its axis, unless it is given one. Nothing can rotate it about that axis, so it is
/// given the perpendicular moment.
///
/// Numbers in a BodyPair: bodies from 0 on, then pieces of the ground; the first is the lower one.
/// Known from the start, if they are at most 1000, are contacts with half spaces, "ball-floor",
/// "die-floor 3", half space by half space, and then those of two spheres, "a-b". Others are found:
/// "a-b corner 2 on face 3". Two bodies without rounding touch in corners on faces and in crossing
/// edges alone. Sharp round solids count as polytopes against rods.
///
/// A wide list is complete, but a gap below zero in range is a contact only where a list of what
/// touches has it too: beneath a sharp edge (a rod, a disc, a cone, an acute polyhedron) an edge of
/// the other body may be outside. Contacts touch, each point once, in a list with a `reach` of up
/// to 1e-5 of the length scale. In range is what lies beyond the end of a feature by no more than
/// `coincident` of the smaller bounding radius; `margin` is below zero from twice that on.
class SpatialModel final : public Model {
 public:
  /// Throws InputError with the name of the field: "bodies[1].mass", "ground[0].normal".
  explicit SpatialModel(SpatialScene scene);

  [[nodiscard]] const SpatialScene& scene() const { return scene_; }
  [[nodiscard]] State start() const;

  [[nodiscard]] std::size_t positions() const override { return 7 * bodies_.size(); }
  [[nodiscard]] std::size_t velocities() const override { return 6 * bodies_.size(); }
  [[nodiscard]] std::size_t components() const override { return 3; }
  [[nodiscard]] std::string position_name(std::size_t i) const override;
  [[nodiscard]] std::string velocity_name(std::size_t i) const override;
  [[nodiscard]] std::string_view position_unit(std::size_t i) const override {
    return i % 7 < 3 ? "m" : "";
  }
  [[nodiscard]] std::string_view velocity_unit(std::size_t i) const override {
    return i % 6 < 3 ? "m" : "rad";
  }
  [[nodiscard]] std::vector<VelocityRange> blocks() const override;
  void kinematics(const State& state, Vector& rate) const override;
  void dynamics(const State& state, MassMatrix& M, Vector& h) const override;
  void displace(State& state, const Vector& u, double dt) const override;
  void coast(const State& from, double dt, State& to) const override;
  [[nodiscard]] bool keeps_kinetic_energy() const override { return true; }
  void step_dynamics(const State& state, MassMatrix& M, Vector& f) const override;

  [[nodiscard]] std::size_t contacts() const override { return known_.size(); }
  [[nodiscard]] ContactId contact_id(std::size_t i) const override { return known_[i]; }
  [[nodiscard]] std::string contact_name(const ContactId& id) const override;
  [[nodiscard]] std::size_t surfaces() const override { return surfaces_; }
  [[nodiscard]] std::string surface_name(std::size_t k) const override;
  [[nodiscard]] std::size_t surface_of(const ContactId& id) const override;
  [[nodiscard]] double gap(const ContactId& id, const State& state) const override;
  void contact(const ContactId& id, const State& state, ContactMotion& motion) const override;
  void relative_spin(const ContactId& id, const State& state, ContactMotion& motion) const override;
  [[nodiscard]] bool has_spins() const override { return true; }
  [[nodiscard]] double margin(const ContactId& id, const State& state) const override;
  void near_pairs(const State& state, double reach, std::vector<BodyPair>& out) const override;
  void near_contacts(const BodyPair& pair, const State& state, double reach,
                     std::vector<NearContact>& out) const override;
  void touching_contacts(const BodyPair& pair, const State& state, double slack,
                         std::vector<NearContact>& out) const override;
  /// Where the bounding spheres are apart: their distance, which is not greater.
  void overlapping_contacts(const BodyPair& pair, const State& state, double reach,
                            std::vector<NearContact>& out) const override;
  [[nodiscard]] double distance(const BodyPair& pair, const State& state) const override;
  [[nodiscard]] PairDescription describe(const BodyPair& pair) const override;
  [[nodiscard]] double moved(const State& from, const State& to) const override;
  [[nodiscard]] double moved_apart(const BodyPair& pair, const State& from,
                                   const State& to) const override;
  [[nodiscard]] double approached(const BodyPair& pair, const State& from,
                                  const State& to) const override;
  [[nodiscard]] double next_jump(double time) const override;

  [[nodiscard]] double potential_energy(const State& state) const override;
  [[nodiscard]] OtherPower other_power(const State& state) const override;
  void add_drag(const State& state, double h, MassMatrix& M) const override;
  [[nodiscard]] OtherPower step_power(State& middle, const Vector& start,
                                      const Vector& end) const override;
  [[nodiscard]] double length_scale() const override { return length_; }
  [[nodiscard]] double acceleration_scale() const override { return acceleration_; }
  void normalise(State& state) const override;

  /// Closed form if every body's inertia is the same about two of its axes, without drag, and with
  /// ground at rest or in uniform motion. The time to a contact is in closed form between spheres
  /// about their mass centre and half spaces or other such spheres.
  [[nodiscard]] bool flies() const override { return flies_; }
  void fly(const State& from, double dt, State& to) const override;
  [[nodiscard]] std::optional<double> flight_time(const BodyPair& pair, const State& from,
                                                  double longest) const override;
  [[nodiscard]] double free_time(const BodyPair& pair, const State& from) const override;
  [[nodiscard]] double flight_step(const State& from) const override;

  /// The shape of a body, about its mass centre and in its axes, or of a piece of the ground, whose
  /// number follows those of the bodies.
  [[nodiscard]] const shapes::space::Shape& shape(std::size_t number) const;

  /// Contact features in 64 bits.
  [[nodiscard]] static std::uint64_t packed(const shapes::space::FeaturePair& pair);
  [[nodiscard]] static shapes::space::FeaturePair unpacked(std::uint64_t features);

 private:
  [[nodiscard]] OtherPower drag_power(const Vector& before, const Vector& start,
                                      const Vector& end) const;
  using V3 = shapes::space::V3;
  using Shape = shapes::space::Shape;
  using FeaturePair = shapes::space::FeaturePair;

  struct Body {
    double mass = 1.;
    Eigen::Matrix<double, 3, 3, Eigen::DontAlign> inertia;  ///< body axes
    Eigen::Matrix<double, 3, 3, Eigen::DontAlign> inertia_inverse;
    int axis = -1;            ///< of symmetry; -1: none
    double across = 0.;       ///< moment about the other two, if there is one
    double along = 0.;        ///< moment about the axis
    bool round = false;       ///< all moments are the same
    bool sphere = false;      ///< has this shape
    bool centred = false;     ///< a sphere about its mass centre
    bool moving_rim = false;  ///< round, with the lowest points of its rims on half spaces
    Shape shape{};
    Shape faceted{};                  ///< of a round solid: the polytope of its rim points
    std::size_t features = 0;         ///< known contacts with each half space
    std::size_t features_before = 0;  ///< of the bodies before
    std::size_t spheres_before = 0;
    std::size_t pairs_before = 0;  ///< known pairs of spheres whose first is a body before
  };
  struct Ground {
    Shape shape{};
    Shape faceted{};             ///< of a round solid: the polytope of its rim points
    shapes::space::Pose pose{};  ///< without displacement
    bool plane = false;          ///< a half space
    std::array<V3, 3> axes{};    ///< half space: n, t1, t2
    double offset = 0.;          ///< half space: n.x of its points without displacement
    std::size_t planes_before = 0;
    V3 belt{};
  };
  /// Where a piece of the ground is and how it moves.
  struct Support {
    V3 displacement{};
    V3 velocity{};
    V3 acceleration{};
  };
  /// What the features of a contact with a half space are.
  struct PlanePoint {
    bool rim = false;
    V3 at{};             ///< of the point, or of the circle's centre, in body axes
    double radius = 0.;  ///< of the circle
  };

  // Scene: see spatial_scene.cpp.
  /// How far a body or a piece of the ground has moved, and its points by turning at most [m].
  struct Way {
    shapes::space::V3 shift{};
    double turning = 0.;
  };
  [[nodiscard]] Way way_of(std::size_t i, const State& from, const State& to) const;
  [[nodiscard]] Body ready(const SpatialMover& mover, const std::string& field) const;
  [[nodiscard]] Ground ready(SpatialGround& piece, const std::string& field) const;
  void number_contacts();

  // Numbers and names: see spatial_names.cpp.
  [[nodiscard]] bool on_plane(const BodyPair& pair) const {
    return pair.second >= bodies_.size() && ground_[pair.second - bodies_.size()].plane;
  }
  [[nodiscard]] bool of_spheres(const BodyPair& pair) const {
    return pair.second < bodies_.size() && bodies_[pair.first].centred &&
           bodies_[pair.second].centred;
  }
  [[nodiscard]] bool is_known(const BodyPair& pair) const;
  [[nodiscard]] const std::string& name_of(std::size_t number) const;
  [[nodiscard]] FeaturePair plane_feature(const Body& body, std::size_t k) const;
  [[nodiscard]] std::size_t plane_number(const Body& body, const FeaturePair& feature) const;
  [[nodiscard]] std::size_t row_length(std::size_t body) const;
  [[nodiscard]] std::size_t row_begin(std::size_t body) const;
  [[nodiscard]] std::size_t row_known(std::size_t body) const;
  [[nodiscard]] std::size_t known_before(const BodyPair& pair) const;
  [[nodiscard]] std::size_t rank(const BodyPair& pair) const;
  [[nodiscard]] std::string feature_words(const BodyPair& pair, const FeaturePair& feature) const;

  // Contacts: see spatial_contacts.cpp.
  [[nodiscard]] Support support(std::size_t ground, double time) const;
  [[nodiscard]] PlanePoint plane_point(const Body& body, const FeaturePair& feature) const;
  [[nodiscard]] double plane_height(const Ground& ground, std::size_t g, const V3& x,
                                    double time) const;
  [[nodiscard]] double plane_gap(const ContactId& id, const State& state) const;
  void plane_contact(const ContactId& id, const State& state, ContactMotion& motion) const;
  void sphere_contact(const BodyPair& pair, const State& state, ContactMotion& motion) const;
  void shape_contact(const ContactId& id, const State& state, ContactMotion& motion) const;
  void near_plane(const BodyPair& pair, const State& state, double reach, bool wide,
                  std::vector<NearContact>& out) const;
  /// What touches, what may touch when something moves, or what overlaps.
  enum class Search : std::uint8_t { touching, wide, overlapping };
  void list(const BodyPair& pair, const State& state, double reach, Search search,
            std::vector<NearContact>& out) const;
  [[nodiscard]] const Shape& shape_against(std::size_t number, std::size_t other) const;
  [[nodiscard]] shapes::space::Placed placed(std::size_t number, std::size_t other,
                                             const State& state) const;
  [[nodiscard]] double coincidence(const BodyPair& pair) const;
  [[nodiscard]] double bounds_gap(const BodyPair& pair, const State& state) const;
  void set_ranges(const BodyPair& pair, ContactMotion& motion) const;

  SpatialScene scene_;
  std::vector<Body> bodies_;
  std::vector<Ground> ground_;
  std::vector<ContactId> known_;
  std::size_t planes_ = 0;  ///< half spaces
  std::size_t spheres_ = 0;
  std::size_t plane_features_ = 0;  ///< known contacts with one half space
  std::size_t surfaces_ = 0;
  bool flies_ = true;
  bool moves_ = false;  ///< whether a piece of the ground does
  double length_ = 1.;
  double acceleration_ = 1.;
};

}  // namespace carom
