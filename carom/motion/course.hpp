// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <carom/core/runge_kutta.hpp>
#include <carom/motion/creep.hpp>
#include <carom/motion/error_scales.hpp>
#include <carom/motion/indicators.hpp>

namespace carom::motion {

/// One smooth step from the present, and the course of the motion within it: by the explicit
/// Runge-Kutta method, or by Radau's where slip creeps.
class Course {
 public:
  Course(const Setting& setting, Contacts& contacts, const CompliantContacts& compliant, Slip& slip,
         Spins& spins, Equations& equations, Indicators& indicators, Present& now,
         Trouble& trouble);

  /// Notes slip at the start.
  void note_slip();
  /// Finds the rate there. False, and why, if there is none.
  [[nodiscard]] bool start();
  /// Steps as far as errors allow, after start().
  /// @param longest  step that is tried [s]
  /// @param least    below which it fails [s]
  [[nodiscard]] bool advance(double longest, double least);
  /// Takes a step that is so short that its error does not matter, after start(). False if a rate
  /// is missing.
  [[nodiscard]] bool advance_by(double h);

  // --- the step
  [[nodiscard]] double h() const { return h_; }                  ///< [s]
  [[nodiscard]] double next() const { return next_; }            ///< size of the step after it [s]
  [[nodiscard]] bool was_rejected() const { return rejected_; }  ///< a longer one
  [[nodiscard]] const std::vector<double>& end() const { return end_; }
  /// Indicators at both ends.
  [[nodiscard]] const std::vector<double>& at_start() const { return at_start_; }
  [[nodiscard]] const std::vector<double>& at_end() const { return at_end_; }
  /// Prepares at(). False, and why, if a rate is missing.
  [[nodiscard]] bool know();
  /// The first entries of y at a time within the step.
  void at(double time, std::vector<double>& y, std::size_t entries);
  /// The status keeps the directions of slip that were reached, at the end or by the last at().
  void keep_directions(bool at_end);

 private:
  [[nodiscard]] bool start_as(bool creep);
  [[nodiscard]] bool try_step(double h);

  const Setting& setting_;
  Contacts& contacts_;
  Slip& slip_;
  Spins& spins_;
  Equations& equations_;
  Indicators& indicators_;
  Present& now_;
  Trouble& trouble_;
  ErrorScales scales_;
  Creep creep_;
  RungeKutta<MeanError> ode_;
  std::vector<double> end_;
  std::vector<double> at_start_;
  std::vector<double> at_end_;
  double h_ = 0.;
  double next_ = 0.;
  bool rejected_ = false;
};

}  // namespace carom::motion
