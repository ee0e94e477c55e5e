// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <carom/impact/hypothesis.hpp>
#include <carom/impact/spatial_outcome.hpp>
#include <carom/impact/spatial_problem.hpp>

namespace carom {

/// The algebraic procedure of [Sun & Baruh 2022] in space, as corrected (ERRATA, "The reading that
/// works in space"). @param hypothesis  poisson or energetic. @pre the problem was validated
[[nodiscard]] SpatialOutcome sun_baruh(const SpatialProblem& problem, Hypothesis hypothesis);

}  // namespace carom
