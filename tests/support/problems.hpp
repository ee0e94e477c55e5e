// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>

#include <carom/impact/planar/problem.hpp>

namespace carom {
/// For messages of failed tests.
std::ostream& operator<<(std::ostream& out, const PlanarProblem& problem);
}  // namespace carom

namespace carom::test {

/// A thin rod, 1 kg and 2 m, 30 deg from the vertical with its tip on the -x side, coming down at
/// (0.4, -1) m/s; e = 0.5, mu = 0.3. Its slip reverses.
[[nodiscard]] PlanarProblem thin_rod();

/// Its kinetic energy before [J].
inline constexpr double thin_rod_energy = 0.5 * (0.4 * 0.4 + 1.);

/// Largest of |v-|, |v+|, |G P|: what an error in velocity is small against.
[[nodiscard]] double velocity_scale(const PlanarProblem& p, const Vec2& impulse,
                                    const Vec2& velocity);

/// |v- + G P - v+| over that scale.
[[nodiscard]] double momentum_residual(const PlanarProblem& p, const Vec2& impulse,
                                       const Vec2& velocity);

}  // namespace carom::test
