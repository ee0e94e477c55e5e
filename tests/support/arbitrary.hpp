// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <ostream>

#include <carom/impact/planar_problem.hpp>

namespace carom {
/// For messages of failed tests.
std::ostream& operator<<(std::ostream& out, const PlanarProblem& problem);
}  // namespace carom

namespace carom::test {

/// What a random problem may hold.
struct Arbitrary {
  bool static_friction = true;          ///< mu_s >= mu, else mu_s = mu
  bool tangential_restitution = false;  ///< eps_T in [0, 1], else 0
  bool edges = true;                    ///< now and then e = 0 or 1, mu = 0, v_t = 0, G_nt = 0
};

/// A random approach of a random body: G = g1 g1^T + g2 g2^T over several orders of magnitude,
/// never closer to rank one than 1e-6, drawn from `seed` alone.
[[nodiscard]] PlanarProblem arbitrary_problem(std::uint64_t seed, const Arbitrary& what = {});

/// Largest of |v-|, |v+|, |G P|: what an error in velocity is small against.
[[nodiscard]] double velocity_scale(const PlanarProblem& p, const Vec2& impulse,
                                    const Vec2& velocity);

/// |v- + G P - v+| over that scale.
[[nodiscard]] double momentum_residual(const PlanarProblem& p, const Vec2& impulse,
                                       const Vec2& velocity);

/// How many problems a property is tried on: 100,000; CAROM_PROPERTY_RUNS says otherwise.
[[nodiscard]] int property_runs();

}  // namespace carom::test
