// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <carom/impact/hypothesis.hpp>
#include <carom/impact/spatial_outcome.hpp>
#include <carom/impact/spatial_problem.hpp>

namespace carom {

/// The set-valued law of one contact in space, with Coulomb's cone [Moreau 1988; Glocker 2001].
/// @param hypothesis  newton (one stage) or poisson (two). @pre the problem was validated
[[nodiscard]] SpatialOutcome moreau(const SpatialProblem& problem, Hypothesis hypothesis);

}  // namespace carom
