// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>

#include <carom/impact/planar_problem.hpp>

namespace carom {
/// For messages of failed tests.
std::ostream& operator<<(std::ostream& out, const PlanarProblem& problem);
}  // namespace carom

namespace carom::test {

/// Largest of |v-|, |v+|, |G P|: what an error in velocity is small against.
[[nodiscard]] double velocity_scale(const PlanarProblem& p, const Vec2& impulse,
                                    const Vec2& velocity);

/// |v- + G P - v+| over that scale.
[[nodiscard]] double momentum_residual(const PlanarProblem& p, const Vec2& impulse,
                                       const Vec2& velocity);

}  // namespace carom::test
