// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <carom/motion/contacts.hpp>

namespace carom::motion {

/// Compliant contacts: F = k x^a, with the deformation x as a state variable,
///
///     x' = -v_n (loading),    x' = -v_n/e^2 (unloading, and reloading up to the largest x so far),
///
/// so that e^2 of the work done on the contact is returned [Liu, Zhang, Zhao & Brogliato 2013, eqs
/// 2.22 and 2.31], whatever e in (0, 1]. A residual deformation (1 - e^2) x remains. At e = 0 the
/// unloading is rigid: the contact holds v_n = 0 with any force between 0 and the largest so far.
class CompliantContacts {
 public:
  enum class Stage : std::uint8_t { loading, unloading, held };

  CompliantContacts(const Setting& setting, const Contacts& contacts)
      : setting_(setting), contacts_(contacts) {}
  void grow();

  [[nodiscard]] std::size_t size() const { return deformation.size(); }
  [[nodiscard]] bool has(std::size_t contact) const { return place_[contact] != nowhere; }
  /// Its place among the compliant contacts.
  [[nodiscard]] std::size_t place(std::size_t contact) const { return place_[contact]; }

  [[nodiscard]] Stage stage_of(std::size_t contact) const {
    return static_cast<Stage>(static_cast<int>(stage[place_[contact]]));
  }
  /// Whether the force is known from the deformation.
  [[nodiscard]] bool is_spring(std::size_t contact) const {
    return has(contact) && stage_of(contact) != Stage::held;
  }
  [[nodiscard]] bool is_held(std::size_t contact) const {
    return has(contact) && stage_of(contact) == Stage::held;
  }
  /// Gap below which a contact touches: below zero by a residual deformation [m].
  [[nodiscard]] double level_of(std::size_t contact) const {
    return has(contact) ? level[place_[contact]] : 0.;
  }
  [[nodiscard]] double force(std::size_t contact) const;  ///< [N]
  /// x' [m/s]
  [[nodiscard]] double rate(std::size_t contact, double normal_velocity) const;

  /// A residual deformation lasts until the bodies have separated.
  void recover(const State& state);

  // By place.
  std::vector<double> level;        ///< gap below which it has a force [m]
  std::vector<double> stage;        ///< a Stage
  std::vector<double> peak;         ///< largest deformation so far [m]
  std::vector<double> deformation;  ///< x at the state that is looked at [m]

 private:
  const Setting& setting_;
  const Contacts& contacts_;
  std::vector<std::size_t> place_;  ///< by contact; nowhere if it is rigid
};

}  // namespace carom::motion
