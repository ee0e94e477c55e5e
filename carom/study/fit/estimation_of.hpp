// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include <carom/study/fit/estimation.hpp>
#include <carom/study/fit/measured_impacts.hpp>
#include <carom/study/fit/minimise.hpp>

namespace carom::study::fit {

/// Where residuals of a fit come from.
enum class Residuals : std::uint8_t {
  of_metric,       ///< Objective::residual: errors in the metric of the data, over |y-|
  of_both_errors,  ///< `whitened_residual`: over their deviation, errors before included
};

/// The fit of an objective as estimation sees it. With parameters held, and for residuals of both
/// errors, it minimises by the method of Levenberg and Marquardt with bounds (Ceres); else by
/// `minimise_from`. Refers to the objective, which must outlive it.
/// @param restarts  searches from several starts each time, for laws that jump
[[nodiscard]] Estimation estimation_of(const Objective& objective,
                                       std::span<const std::size_t> impacts,
                                       const MinimiseOptions& options,
                                       Residuals residuals = Residuals::of_metric,
                                       bool restarts = false);

/// A minimum as an estimate: its loss is the sum, not the mean.
[[nodiscard]] Estimate estimate_of(const Minimum& minimum, std::size_t impacts,
                                   const MinimiseOptions& options);

}  // namespace carom::study::fit
