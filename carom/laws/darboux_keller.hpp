// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <carom/impact/hypothesis.hpp>
#include <carom/impact/spatial_outcome.hpp>
#include <carom/impact/spatial_problem.hpp>

namespace carom {

/// The exact friction process of one contact in space [Darboux 1880; Keller 1986]: slip turns and
/// changes its speed as normal impulse grows; ended by the hypothesis. To the tolerance asked for.
/// Allocates nothing. @pre the problem was validated
[[nodiscard]] SpatialOutcome darboux_keller(const SpatialProblem& problem, Hypothesis hypothesis,
                                            const SpatialOptions& options = {});

}  // namespace carom
