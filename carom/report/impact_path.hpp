// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <carom/impact/planar/outcome.hpp>
#include <carom/impact/planar/problem.hpp>
#include <carom/laws/darboux_keller/path.hpp>
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
/// @pre one contact in the plane
[[nodiscard]] std::vector<PathPoint> planar_path(const study::Comparison& comparison,
                                                 const study::Answer& answer);

/// The same in space: of the exact process sampled, of a law with phases straight from the end of
/// one to that of the next. @pre one contact in space
[[nodiscard]] std::vector<SpatialPathPoint> spatial_path(const study::Comparison& comparison,
                                                         const study::Answer& answer);

}  // namespace carom::report
