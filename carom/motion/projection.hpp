// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include <carom/motion/present.hpp>
#include <carom/motion/spin.hpp>

namespace carom::motion {

/// Corrects the drift of integration by the smallest changes in the mass metric: gaps of closed
/// contacts, normal velocities, slip of sticking contacts.
class Projection {
 public:
  Projection(const Setting& setting, Contacts& contacts, const CompliantContacts& compliant,
             const Spins& spins, Present& now);

  /// The present state.
  /// @param landing  a contact whose gap has just closed, too
  void project(std::size_t landing = nowhere);
  /// Whether it has left velocities that the modes exclude: they contradict each other.
  [[nodiscard]] bool leaves_any();
  /// Closes the gaps of touching contacts at the state that is looked at, which integration has
  /// left. False where M is not positive definite.
  /// @param left  gaps up to this stay where all are
  [[nodiscard]] bool close_touching(std::size_t landing = nowhere, double left = 0.);
  /// Closes gaps at the state that is looked at, to first order. False if they have no solution.
  bool close_gaps(const std::vector<std::size_t>& contacts);
  /// Closes those of rigid contacts.
  void close_rigid_gaps(const std::vector<std::size_t>& contacts);
  /// Removes velocities that modes exclude, from the state that is looked at into the present one.
  /// @return the work of supports that move [J]
  double stop(const std::vector<std::size_t>& contacts);

 private:
  /// @param aligns  whether slip that creeps gets the direction of its friction
  [[nodiscard]] bool find_stopped(const std::vector<std::size_t>& contacts, bool aligns);
  [[nodiscard]] double work_of_supports() const;
  [[nodiscard]] bool any_left(const std::vector<std::size_t>& contacts) const;

  const Setting& setting_;
  Contacts& contacts_;
  const CompliantContacts& compliant_;
  const Spins& spins_;
  Present& now_;
  ContactSystem system_;
  State shift_;
  Vector q_rate_;
  std::vector<std::size_t> rigid_;
  std::vector<std::size_t> drifting_;  ///< contacts whose velocities are those of errors
};

}  // namespace carom::motion
