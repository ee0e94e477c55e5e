// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>

#include <carom/motion/contacts.hpp>
#include <carom/motion/present.hpp>
#include <carom/motion/setting.hpp>

namespace carom::motion {

/// Directions of slip at closed contacts, and slip that vanishes.
class Slip {
 public:
  Slip(const Setting& setting, Contacts& contacts, Present& now)
      : setting_(setting), contacts_(contacts), now_(now) {}

  /// The direction of slip, opposite to friction, at the state that is looked at.
  [[nodiscard]] std::array<double, 2> direction(std::size_t contact) const;
  /// d.a_T under these accelerations.
  [[nodiscard]] double acceleration_in(std::size_t contact, const std::array<double, 2>& d,
                                       const Vector& acceleration) const;
  /// Notes slip at the start of a step.
  void note_at_start();
  /// Friction follows slip that has a direction of its own, which crept in the last step.
  void follow_clear_slip();
  /// Whether slip decreases more in a step than is allowed.
  [[nodiscard]] bool falls_too_fast() const;
  /// The longest step, up to h, in which slip that turns probably does not, by its rates at the
  /// start, which is looked at. Slip that creeps may fall further, but not beyond zero: what turns
  /// there has no course.
  [[nodiscard]] double longest_fall(double h, const Vector& acceleration, bool creeps) const;
  /// Slip so slow that its direction is determined by errors, and decreasing: it vanishes after
  /// `left`. Otherwise nowhere.
  [[nodiscard]] std::size_t vanishing(const Vector& acceleration, double& left) const;
  /// The contact sticks.
  /// @param others  whether so do others that are about to stop
  void stop(std::size_t contact, bool others);

 private:
  const Setting& setting_;
  Contacts& contacts_;
  Present& now_;
};

}  // namespace carom::motion
