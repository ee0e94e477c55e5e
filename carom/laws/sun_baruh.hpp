// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>

#include <carom/impact/hypothesis.hpp>
#include <carom/impact/spatial_outcome.hpp>
#include <carom/impact/spatial_problem.hpp>
#include <carom/laws/law.hpp>
#include <carom/laws/spatial_kernel.hpp>

namespace carom {

/// `sun-baruh`: the algebraic procedure of [Sun & Baruh 2022, Sec. 4] in space, as corrected
/// (ERRATA, "The reading that works in space").
///
/// A stage slides straight, against the slip that it would leave without friction; whether slip
/// ends within it is decided with the direction of friction free (`slip_end`). Slip that has ended
/// sticks if |r| <= mu_s, r = G_TT^-1 G_Tn, to the end of the impact; else it slips again along
/// G_Tn. In the plane that is the exact process. In space the direction is an approximation:
/// energy may be gained, the contact may end still approaching, and where neither direction lets
/// compression end (normal velocity falls along both) there is no solution.
/// @param hypothesis  poisson or energetic. @pre the problem was validated
[[nodiscard]] SpatialOutcome sun_baruh(const SpatialProblem& problem, Hypothesis hypothesis);

/// The law as a value.
struct SunBaruh {
  Hypothesis hypothesis = Hypothesis::poisson;  ///< or energetic

  static constexpr std::array parameters{
      LawParameter{.key = "restitution",
                   .symbol = "e",
                   .meaning = "as the hypothesis says: ratio of impulses, or root of that of works",
                   .allowed = "[0, 1]",
                   .fallback = ""},
      parameter::friction, parameter::static_friction,
      LawParameter{.key = "hypothesis",
                   .symbol = "",
                   .meaning = "poisson, or energetic. In a scenario the law sun-baruh:energetic",
                   .allowed = "poisson, energetic",
                   .fallback = "poisson"}};
  static constexpr LawInfo info{
      .id = "sun-baruh",
      .summary = "algebraic approximation of the friction process: one slip direction a stage",
      .assumptions =
          "Rigid bodies; in each stage friction points against the slip that the stage would leave "
          "without friction, and where slip ends within the stage, against whatever ends it. Exact "
          "in the plane and on spheres, and where slip ends in compression and sticks (poisson). "
          "Elsewhere an approximation, which may gain energy or end still approaching.",
      .source = "[sun2022]",
      .parameters = parameters};

  [[nodiscard]] SpatialOutcome operator()(const SpatialProblem& problem,
                                          const SpatialOptions& /*options*/) const {
    return sun_baruh(problem, hypothesis);
  }
  /// See sun_baruh_process.hpp.
  template <class S>
  [[nodiscard]] std::optional<SpatialTotals<S>> totals(const SpatialInputs<S>& in,
                                                       const SpatialOutcome& outcome) const;
  bool operator==(const SunBaruh&) const = default;
};

}  // namespace carom
