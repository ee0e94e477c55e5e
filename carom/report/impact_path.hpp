// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <carom/study/comparison.hpp>

namespace carom::report {

/// A point on the way of the impulse from zero to its end.
struct PathPoint {
  Vec2 impulse;             ///< so far [N s]
  Vec2 velocity;            ///< there [m/s]
  double work = 0.;         ///< change of energy so far, the integral of v dP [J]
  bool ends_phase = false;  ///< whether a phase ends here
};

/// The way that a law's impulse takes, phases in several points each, because work is quadratic in
/// them. For a law without phases the straight line from zero to its end, which is no process but
/// does the same work. Begins at zero impulse, ends at the outcome.
[[nodiscard]] std::vector<PathPoint> path(const PlanarProblem& problem,
                                          const study::Answer& answer);

}  // namespace carom::report
