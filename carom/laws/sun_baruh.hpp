// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <carom/impact/hypothesis.hpp>
#include <carom/impact/spatial_outcome.hpp>
#include <carom/impact/spatial_problem.hpp>

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

}  // namespace carom
