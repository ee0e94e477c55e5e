// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>

#include <carom/impact/hypothesis.hpp>
#include <carom/impact/spatial/outcome.hpp>
#include <carom/impact/spatial/problem.hpp>
#include <carom/laws/law.hpp>
#include <carom/laws/spatial_kernel.hpp>

namespace carom {

/// `sun-baruh`: the algebraic procedure of [Sun & Baruh 2022, Sec. 4] in space, as corrected
/// (ERRATA, "The reading that works in space").
///
/// Each stage slips along one direction, against the slip that the stage would leave without
/// friction. Whether slip ends within the stage is decided with the direction of friction free
/// (`slip_end`). After slip has ended, the contact sticks to the end of the impact if |r| <= mu_s,
/// r = G_TT^-1 G_Tn; otherwise it slips again along G_Tn. In the plane this is the exact process.
/// In space the direction is an approximation: energy may be created, and the contact may end still
/// approaching. If the normal velocity decreases along both directions, compression does not end
/// and there is no solution.
/// @param hypothesis  poisson or energetic. @pre the problem was validated
[[nodiscard]] SpatialOutcome sun_baruh(const SpatialProblem& problem, Hypothesis hypothesis);

/// The law as a value.
struct SunBaruh {
  Hypothesis hypothesis = Hypothesis::poisson;  ///< or energetic

  static constexpr std::array parameters{
      LawParameter{
          .key = "restitution",
          .symbol = "e",
          .meaning =
              "ratio of impulses (poisson), or square root of the ratio of works (energetic)",
          .allowed = "[0, 1]",
          .fallback = ""},
      parameter::friction, parameter::static_friction,
      LawParameter{
          .key = "hypothesis",
          .symbol = "",
          .meaning = "poisson, or energetic. In a scenario use the law sun-baruh:energetic",
          .allowed = "poisson, energetic",
          .fallback = "poisson"}};
  static constexpr LawInfo info{
      .id = "sun-baruh",
      .summary = "algebraic approximation of the friction process: one slip direction per stage",
      .assumptions =
          "Rigid bodies. In each stage friction opposes the slip that the stage would leave "
          "without friction; if slip ends within the stage, friction has the direction that ends "
          "it. Equal to the exact process in the plane, for spheres, and if slip ends in "
          "compression and then sticks (poisson). Otherwise an approximation, which may create "
          "energy or end still approaching.",
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
