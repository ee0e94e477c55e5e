// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <carom/motion/compliant_contact.hpp>
#include <carom/motion/contacts.hpp>
#include <carom/motion/mechanics.hpp>

namespace carom::motion {

/// The motion where it stands, at the start of the next smooth step, as numbers y that are
/// integrated: positions, velocities, work of drives and of dampers; deformation and normal work of
/// each compliant contact; then friction work of some contacts. What is shown may be later, within
/// that step, so that a run in pieces takes the same steps.
class Present {
 public:
  Present(const Setting& setting, const Contacts& contacts, CompliantContacts& compliant);

  /// Looks at a state, which becomes `state`.
  void take(std::span<const double> of, double at);
  void take() { take(y, time); }
  /// The state that is looked at into y.
  void store_positions();
  void store_velocity();

  void show(double at, const std::vector<double>& of);
  void show() { show(time, y); }

  // --- layout of y
  [[nodiscard]] std::size_t size() const { return size_; }
  /// Entries on which gaps depend, the first ones.
  [[nodiscard]] std::size_t moving() const { return moving_; }
  [[nodiscard]] std::size_t drives_at() const { return drives_at_; }
  [[nodiscard]] std::size_t dampers_at() const { return drives_at_ + 1; }
  [[nodiscard]] std::size_t deformation_at(std::size_t k) const { return drives_at_ + 2 + 2 * k; }
  [[nodiscard]] std::size_t normal_work_at(std::size_t k) const { return deformation_at(k) + 1; }
  /// The friction work of a contact, or nowhere.
  [[nodiscard]] std::size_t work_at(std::size_t contact) const { return work_at_[contact]; }
  void grow();
  /// Makes room in y for compliant contacts that were found.
  void make_room();
  /// Lays y out for the contacts that touch.
  void lay_out();

  /// All works up to y. `state` and `mechanics` are at that state.
  void account_at(const std::vector<double>& of, EnergyAccount& to) const;

  void save(Progress& progress);
  /// @return false if it belongs to another model
  [[nodiscard]] bool load(const Progress& progress);

  double time = 0.;  ///< [s]
  std::vector<double> y;
  double shown_time = 0.;  ///< [s]
  std::vector<double> shown;
  double latest = infinite;  ///< the last instant before a jump of accelerations [s]
  EnergyAccount account;     ///< without what is in y
  State state;               ///< that is looked at
  Mechanics mechanics;       ///< there, after Mechanics::at

 private:
  void set_layout();

  const Setting& setting_;
  const Contacts& contacts_;
  CompliantContacts& compliant_;
  std::vector<std::size_t> works_;    ///< contacts whose friction work is in y
  std::vector<std::size_t> work_at_;  ///< its place there, by contact, or nowhere
  const std::size_t drives_at_;
  std::size_t laid_ = 0;  ///< compliant contacts in y
  std::size_t size_ = 0;
  std::size_t moving_ = 0;
};

}  // namespace carom::motion
