// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <carom/laws/spatial_path.hpp>
#include <carom/study/spatial_comparison.hpp>

namespace carom::report {

/// The way of a law through an impact in space: of the exact process sampled, of a law with phases
/// straight from the end of one to that of the next, of one that knows only totals the straight
/// line from before to after, which is no process but does the same work.
[[nodiscard]] std::vector<SpatialPathPoint> path(const SpatialProblem& problem,
                                                 const study::SpatialAnswer& answer);

}  // namespace carom::report
