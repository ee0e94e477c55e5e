// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <carom/impact/hypothesis.hpp>
#include <carom/impact/multi_outcome.hpp>
#include <carom/impact/multi_problem.hpp>

namespace carom {

/// `moreau` where the several contacts are one: the law of one contact, in the plane or in space,
/// with all its solutions, told as an outcome of several.
/// @pre the problem has one contact and two or three components
[[nodiscard]] MultiOutcome moreau_of_one(const MultiProblem& problem, Hypothesis hypothesis);

}  // namespace carom
