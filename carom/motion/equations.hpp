// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <carom/motion/force_distribution.hpp>
#include <carom/motion/present.hpp>
#include <carom/motion/slip.hpp>
#include <carom/motion/spin.hpp>

namespace carom::motion {

/// The equations of motion for fixed contact modes: one row and one force for each constraint
/// (gap'' = 0 at closed contacts, v_T' = 0 at sticking contacts).
class Equations {
 public:
  Equations(const Setting& setting, Contacts& contacts, const CompliantContacts& compliant,
            const Slip& slip, Spins& spins, Present& now);
  void grow();

  /// dy of a state, which is looked at. False if it has none.
  [[nodiscard]] bool rate(double time, std::span<const double> y, std::span<double> dy);
  /// The same within a step, where hyperstatic forces may be outside of their cones though others
  /// are inside.
  [[nodiscard]] bool stage_rate(double time, std::span<const double> y, std::span<double> dy);
  /// Forces and accelerations at the state that is looked at. @pre contacts that touch are loaded
  [[nodiscard]] bool solve();

  /// Whether the motion at present depends on how hyperstatic forces are distributed. Changes
  /// nothing else than the results, which are of no use.
  [[nodiscard]] bool depend_on_distribution();

  // Results, by contact.
  std::vector<double> force;        ///< all components [N]
  std::vector<double> held_force;   ///< the same, which decides whether the modes hold
  std::vector<double> couple;       ///< over the reference length, three for each contact [N]
  std::vector<double> held_couple;  ///< the same, which decides
  std::vector<double> slip_A;       ///< gap'' = A F + B of what slips [1/kg]
  Vector acceleration;
  ForceDistribution distribution;

 private:
  void pose();
  void pose(std::size_t contact);
  void collect();

  const Setting& setting_;
  Contacts& contacts_;
  const CompliantContacts& compliant_;
  const Slip& slip_;
  Spins& spins_;
  Present& now_;
  ContactSystem system_;
  Vector q_rate_;
};

}  // namespace carom::motion
