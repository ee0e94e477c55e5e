// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include <carom/core/dense_system.hpp>
#include <carom/motion/equations.hpp>
#include <carom/motion/indicators.hpp>

namespace carom::motion {

/// Slip so slow that its direction follows the forces: steps in which the directions of slip are
/// unknowns. The equations are in creep.cpp. Allocates only when it grows.
class Creep {
 public:
  Creep(const Setting& setting, Contacts& contacts, const CompliantContacts& compliant,
        const Slip& slip, Equations& equations, Indicators& indicators, Present& now);

  /// Finds whether any slip may be too slow for explicit steps, and if so how fast directions turn.
  /// @param start_rate  at the present, just computed
  void prepare(double h, std::span<const double> start_rate);
  /// Whether a step is too long for an explicit method.
  [[nodiscard]] bool is_stiff(double h) const;
  /// Whether the next steps are such steps. Directions are those of the start then.
  void activate(bool active);
  /// No step is such a step until the next activate().
  void leave() { active_ = false; }
  [[nodiscard]] bool is_active() const { return active_; }

  /// A step from the present. False where it does not converge.
  /// @param allowed  error of each entry
  [[nodiscard]] bool step(double h, std::span<const double> start_rate,
                          const std::vector<double>& allowed, std::vector<double>& end);
  /// The estimated error of the step, relative to what is allowed: as MeanError.
  [[nodiscard]] double error(const std::vector<double>& allowed) const;
  /// The state at a time within the step, and the directions of friction there.
  void at(double time, std::vector<double>& y, std::size_t entries);
  /// The status keeps the directions that were reached: those of the end, or of the last at().
  void keep_directions(bool at_end);

 private:
  using Direction = std::array<double, 2>;
  /// A contact that slips with friction.
  struct Slipping {
    std::size_t contact = 0;
    double slip = 0.;       ///< |v_T| at the start [m/s]
    double horizon = 0.;    ///< time until it would vanish, or infinity [s]
    bool is_start = false;  ///< slip is zero or negligible and grows
    Direction first{};      ///< direction at the start
    Direction middle{};     ///< of differences
  };
  /// Slip in a stage: d.v_T, e.v_T and the rounding of v_T [m/s].
  struct StageSlip {
    double along = 0.;
    double aside = 0.;
    double noise = 0.;
  };

  void find_turning();
  void settle_directions();
  [[nodiscard]] bool turn_stages(double& turn);
  [[nodiscard]] bool correct_first_directions();
  [[nodiscard]] Direction& direction_of(std::size_t k) {
    return contacts_.direction[slipping_[k].contact];
  }
  [[nodiscard]] double acceleration_in(std::size_t k, const Direction& d) const {
    return slip_.acceleration_in(slipping_[k].contact, d, equations_.acceleration);
  }

  const Setting& setting_;
  Contacts& contacts_;
  const CompliantContacts& compliant_;
  const Slip& slip_;
  Equations& equations_;
  Indicators& indicators_;
  Present& now_;
  bool active_ = false;
  double stiff_ = 0.;  ///< h Lambda/s of steps that are too long for an explicit method
  double start_ = 0.;  ///< of the step [s]
  double h_ = 0.;      ///< [s]
  std::vector<Slipping> slipping_;
  std::vector<double> turning_;        ///< Lambda, by rows [m/s^2]
  std::vector<Direction> directions_;  ///< by stage, that at the start first
  std::vector<double> rates_;          ///< by stage, that at the start first
  std::vector<double> values_;         ///< by stage
  std::vector<StageSlip> stage_slip_;  ///< by stage
  DenseSystem system_;
  // Directions at the start.
  std::vector<std::size_t> starts_;  ///< places of those whose slip starts
  std::vector<double> turns_;
  std::vector<double> turn_matrix_;
  Vector rate_;
};

}  // namespace carom::motion
