// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>
#include <Eigen/Geometry>

#include <carom/core/world.hpp>
#include <carom/mechanics/spatial_bodies.hpp>
#include <carom/mechanics/spatial_shapes.hpp>
#include <carom/mechanics/model.hpp>

/// Free bodies in space that move under gravity and strike planes, and spheres that strike each
/// other. SI units, world axes.
namespace carom::motion {

struct SpatialMover {
  std::string name{};
  SpatialShape shape{};           ///< about the mass centre
  double mass = 1.;               ///< [kg]
  std::optional<Mat3> inertia{};  ///< in body axes [kg m^2]; none: of a uniform solid
  World3 position{};              ///< of the mass centre [m]
  Mat3 orientation = identity3;   ///< columns: the body's axes in the world
  World3 velocity{};              ///< of the mass centre [m/s]
  World3 spin{};                  ///< in world axes [rad/s]; of a rod: perpendicular to its axis

  /// Contact points of a cylinder or disc. 0: the lowest point of each rim, which moves along the
  /// rim. Otherwise this many points fixed to the rim (at least 3). The lowest point of a rim that
  /// lies flat is undefined, so that bodies that come to lie flat need fixed points.
  std::size_t rim_points = 0;
};

/// A plane that bodies stay above.
struct SpatialPlane {
  std::string name{};
  World3 normal{0., 0., 1.};  ///< of any length
  World3 through{};           ///< a point of it [m]
  World3 velocity{};          ///< prescribed velocity of its surface [m/s]
};

struct SpatialScene {
  std::vector<SpatialMover> bodies{};
  std::vector<SpatialPlane> planes{};
  World3 gravity{0., 0., -9.81};  ///< [m/s^2]
  bool spheres_strike = true;     ///< whether spheres strike each other
};

/// q: for each body the position (x, y, z) and the unit quaternion (w, x, y, z) that rotates its
/// axes into the world; u: velocity and spin, both in world axes. Candidates are named
/// "ball-floor", "die-floor 3", "a-b", planes first. A rod without thickness has no inertia about
/// its axis. Nothing can rotate it about that axis, so it is given the perpendicular moment.
class SpatialModel final : public Model {
 public:
  /// Throws InputError with the name of the field: "bodies[1].mass", "planes[0].normal".
  explicit SpatialModel(SpatialScene scene);

  [[nodiscard]] const SpatialScene& scene() const { return scene_; }
  [[nodiscard]] State start() const;

  [[nodiscard]] std::size_t positions() const override { return 7 * bodies_.size(); }
  [[nodiscard]] std::size_t velocities() const override { return 6 * bodies_.size(); }
  [[nodiscard]] std::size_t contacts() const override { return candidates_.size(); }
  [[nodiscard]] std::size_t components() const override { return 3; }
  [[nodiscard]] std::string position_name(std::size_t i) const override;
  [[nodiscard]] std::string velocity_name(std::size_t i) const override;
  [[nodiscard]] std::string contact_name(std::size_t i) const override;
  [[nodiscard]] std::string_view position_unit(std::size_t i) const override {
    return i % 7 < 3 ? "m" : "";
  }
  [[nodiscard]] std::string_view velocity_unit(std::size_t i) const override {
    return i % 6 < 3 ? "m" : "rad";
  }

  void kinematics(const State& state, Vector& rate) const override;
  void dynamics(const State& state, Matrix& M, Vector& h) const override;
  [[nodiscard]] double gap(std::size_t contact, const State& state) const override;
  void contact(std::size_t contact, const State& state, ContactMotion& motion) const override;
  [[nodiscard]] double potential_energy(const State& state) const override;
  [[nodiscard]] double length_scale() const override { return length_; }
  [[nodiscard]] double acceleration_scale() const override { return acceleration_; }
  void normalise(State& state) const override;

  /// Closed form if every body's inertia is the same about two of its axes. The time to a contact
  /// is in closed form between spheres and planes or other spheres.
  [[nodiscard]] bool flies() const override { return flies_; }
  void fly(const State& from, double dt, State& to) const override;
  [[nodiscard]] std::optional<double> flight_time(std::size_t contact, const State& from,
                                                  double longest) const override;
  [[nodiscard]] double flight_step(const State& from) const override;

 private:
  struct Body {
    double mass = 1.;
    Eigen::Matrix<double, 3, 3, Eigen::DontAlign> inertia;  ///< body axes
    int axis = -1;                                          ///< of symmetry; -1: none
    double across = 0.;  ///< moment about the other two, if there is one
    double along = 0.;   ///< moment about the axis
    bool round = false;  ///< all moments are the same
    double reach = 0.;   ///< distance of the farthest point
  };
  enum class Kind : std::uint8_t { point, rim, pair };
  struct Candidate {
    Kind kind = Kind::point;
    std::size_t first = 0;
    std::size_t second = 0;      ///< the plane, or the other sphere
    std::array<double, 3> at{};  ///< point: in body axes, with a ball of `radius` about it
    double height = 0.;          ///< rim: of its centre along the body's z
    double radius = 0.;
    std::string name{};
  };
  struct Plane {
    ContactFrame frame{};
    double offset = 0.;  ///< n.x of its points at time 0
    World3 velocity{};
  };

  [[nodiscard]] Body ready(const SpatialMover& mover, const std::string& field) const;
  void add_candidates(std::size_t body, std::size_t plane);
  void plane_contact(const Candidate& c, const State& state, ContactMotion& motion) const;
  void pair_contact(const Candidate& c, const State& state, ContactMotion& motion) const;

  SpatialScene scene_;
  std::vector<Body> bodies_;
  std::vector<Plane> planes_;
  std::vector<Candidate> candidates_;
  bool flies_ = true;
  double length_ = 1.;
  double acceleration_ = 1.;
};

}  // namespace carom::motion
