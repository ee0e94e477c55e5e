// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include <carom/impact/planar/problem.hpp>
#include <carom/laws/table.hpp>
#include <carom/study/map/map.hpp>
#include <carom/study/varied_point.hpp>

/// The lines of a map that are known in closed form.
namespace carom::study {

/// Where a law's outcome changes its kind.
struct Boundary {
  BoundaryKind kind = BoundaryKind::mode;
  std::string_view name;     ///< to stand beside the line
  std::string_view meaning;  ///< one sentence
  /// Zero on the boundary, of different sign on its sides; in the problem's own units. It may
  /// vanish elsewhere, too: there nothing changes.
  double (*value)(const PlanarProblem& problem) = nullptr;
};

/// Those of a law; none where none are known.
[[nodiscard]] std::span<const Boundary> boundaries(const PlanarLaw& law);

/// Follows the boundaries of laws across a map: on the lines of the axes' grid, thinned to at most
/// `most_lines` each way, their places are found to 1e-9 of a step, and kept where the outcome
/// differs on their two sides.
/// @param point  made for the same axes
[[nodiscard]] std::vector<BoundaryCurve> trace_boundaries(std::span<const Law* const> laws,
                                                          VariedPoint& point, const Axis& x,
                                                          const Axis& y,
                                                          std::size_t most_lines = 201);

}  // namespace carom::study
