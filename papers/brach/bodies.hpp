// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include <carom/impact/spatial_outcome.hpp>
#include <carom/impact/spatial_problem.hpp>
#include <carom/laws/spatial_brach.hpp>
#include <carom/mechanics/spatial_bodies.hpp>
#include <papers/engine/fixed_random.hpp>

/// Random pairs of bodies, to hold what [Brach 1998] says of any bodies against.
namespace carom::papers::br {

/// Two bodies that approach each other and what `brach` says of them. Their principal axes are
/// along n, t, t', which are the world's z, x, y.
struct Pair {
  SpatialBodies given;
  BodiesAtImpact bodies;
  SpatialProblem problem;
  SpatialOutcome outcome;

  [[nodiscard]] double energy_before() const;
  [[nodiscard]] double energy_after() const;
};

/// Couples in a random pair's surface.
enum class Couples : std::uint8_t {
  none,     ///< e_m = -1
  some,     ///< random e_m in [-1, -0.2]
  stopped,  ///< e_m = 0 about n and t', -1 about t
};

/// None where they part, or the equations have no solution.
[[nodiscard]] std::optional<Pair> random_pair(FixedRandom& random, Couples couples);

inline constexpr int pairs = 500;

/// Calls `see` with that many random pairs, impulse ratios within 0.5.
template <class See>
void on_random_pairs(std::uint64_t seed, Couples couples, const See& see) {
  FixedRandom random(seed);
  for (int count = 0; count < pairs;) {
    const std::optional<Pair> pair = random_pair(random, couples);
    if (!pair) continue;
    see(*pair);
    ++count;
  }
}

}  // namespace carom::papers::br
