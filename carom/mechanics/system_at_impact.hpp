// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include <carom/impact/contact_problem.hpp>
#include <carom/mechanics/configuration.hpp>
#include <carom/mechanics/linkage.hpp>
#include <carom/mechanics/multi_system.hpp>
#include <carom/mechanics/planar_system.hpp>
#include <carom/mechanics/spatial_system.hpp>

namespace carom {

/// A body whose velocities are among the coordinates: those of the mass centre, then the spins.
struct BodyCoordinates {
  std::string name;
  std::size_t first = 0;         ///< the first of its coordinates
  std::size_t translations = 2;  ///< 2 in the plane, 3 in space
  std::size_t rotations = 1;     ///< 1 in the plane, 3 in space
};

/// A joint of a linkage, for reports.
struct Joint {
  std::string name;  ///< of the link that it carries
  JointKind kind = JointKind::revolute;
};

/// A system at the instant of impact, whatever it is made of: the problem that laws solve, and the
/// way back from impulses to the system's own velocities.
class SystemAtImpact {
 public:
  SystemAtImpact() = default;
  /// Contact space alone. @param names  of the contacts
  explicit SystemAtImpact(ContactProblem problem, std::vector<std::string> names = {""});
  // One contact. Throw InputError with the name of the system's key that is wrong.
  explicit SystemAtImpact(const PlanarSystem& system);
  explicit SystemAtImpact(const SpatialSystem& system);
  explicit SystemAtImpact(Configuration configuration);
  /// @param left_handed  the tangent is the normal turned by +90 degrees, not by -90
  explicit SystemAtImpact(const TwoBodies& bodies, bool left_handed = false);
  explicit SystemAtImpact(const BodiesAtImpact& bodies);
  // Any number of contacts.
  explicit SystemAtImpact(MultiAtImpact system);
  /// M, W and u. @param components  of each contact
  SystemAtImpact(Eigen::MatrixXd M, Eigen::MatrixXd W, std::vector<double> u,
                 std::size_t components);

  ContactProblem problem;            ///< its surfaces are filled in by whoever knows them
  std::vector<std::string> names{};  ///< of the contacts; the only one may have none

  /// The generalized velocities u, or nothing where contact space alone is known.
  [[nodiscard]] const std::vector<Coordinate>& coordinates() const { return coordinates_; }
  [[nodiscard]] const std::vector<double>& velocity() const { return velocity_; }  ///< u-
  [[nodiscard]] bool has_velocities() const { return !velocity_.empty(); }

  /// Forgets all but the problem, whose memory is reused.
  void forget_system();

  /// u+ = u- + M^-1 W P. @param impulse  as in an Outcome
  [[nodiscard]] std::vector<double> velocity_after(std::span<const double> impulse) const;

  /// Is 1/2 u.M.u the kinetic energy? Not where supports move: what drives them works, too.
  [[nodiscard]] bool knows_kinetic_energy() const { return kinetic_; }

  /// Before the impact [J]: kinetic energy, or where it is not known that of the contacts, which
  /// is the most that impulses there could take away.
  [[nodiscard]] double energy_before() const;

  /// The bodies that the coordinates belong to; none for other systems.
  [[nodiscard]] const std::vector<BodyCoordinates>& bodies() const { return bodies_; }
  /// The kinetic energy of one of them at velocities u.
  [[nodiscard]] KineticParts energy(std::size_t body, std::span<const double> u) const;

  /// The joints of a linkage, and the impulses in them. @param after  u+
  [[nodiscard]] const std::vector<Joint>& joints() const { return joints_; }
  [[nodiscard]] std::vector<JointImpulse> joint_impulses(std::span<const double> impulse,
                                                         const std::vector<double>& after) const;

 private:
  void set_configuration(Configuration configuration);
  void add_bodies(const TwoBodies& bodies);

  std::vector<Coordinate> coordinates_;
  std::vector<double> velocity_;
  std::vector<BodyCoordinates> bodies_;
  std::vector<Joint> joints_;
  bool kinetic_ = false;
  double kinetic_energy_ = 0.;
  std::optional<Linkage> linkage_;
  std::variant<std::monostate, Configuration, BodiesAtImpact, MultiConfiguration> system_;
};

}  // namespace carom
