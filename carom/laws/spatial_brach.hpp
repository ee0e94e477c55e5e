// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <carom/impact/spatial_outcome.hpp>
#include <carom/impact/spatial_problem.hpp>

namespace carom {

/// Brach's linear system in space, couples included [Brach 1998]. @pre the problem was validated
[[nodiscard]] SpatialOutcome brach(const SpatialProblem& problem);

}  // namespace carom
