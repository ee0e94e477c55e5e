// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <carom/motion/equations.hpp>
#include <carom/motion/trigger.hpp>

namespace carom::motion {

/// Indicators, positive while the modes hold: three for each closed contact, two for each of those
/// with rolling or drilling friction, and the end condition of the model.
class Indicators {
 public:
  Indicators(const Setting& setting, const Contacts& contacts, const CompliantContacts& compliant,
             const Slip& slip, const Spins& spins, Equations& equations, const Present& now);
  void grow();

  [[nodiscard]] std::size_t size() const {
    return per_contact * contacts_.touching.size() + turnings.size() * contacts_.spinning.size() +
           1;
  }
  /// Their values at the state that is looked at, under the forces just computed.
  void get(std::vector<double>& values) const;
  /// How far below zero one may be.
  [[nodiscard]] double tolerated(std::size_t slot) const;
  /// What happens when one vanishes.
  [[nodiscard]] Trigger trigger_of(std::size_t slot, double time) const;

  /// Force that would lift a contact with the reference acceleration [N].
  [[nodiscard]] double unit_force(std::size_t contact) const { return unit_force_[contact]; }
  void set_unit_forces(Mechanics& mechanics);
  /// The sliding contact with the largest force where forces diverge under those just computed, or
  /// nowhere.
  [[nodiscard]] std::size_t jamming() const;

  /// The least values at all states whose rates were asked for since.
  void watch() { least_.assign(size(), infinite); }
  [[nodiscard]] bool watched_rate(double time, std::span<const double> y, std::span<double> dy);
  [[nodiscard]] const std::vector<double>& least() const { return least_; }

 private:
  static constexpr std::size_t per_contact = 3;
  void get_contact(std::size_t contact, double* out) const;
  void get_spins(double* out) const;
  [[nodiscard]] Trigger spin_trigger(std::size_t slot, double time) const;

  const Setting& setting_;
  const Contacts& contacts_;
  const CompliantContacts& compliant_;
  const Slip& slip_;
  const Spins& spins_;
  Equations& equations_;
  const Present& now_;
  std::vector<double> unit_force_;  ///< by contact
  std::vector<double> least_;
  std::vector<double> values_;
};

}  // namespace carom::motion
