// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include <papers/engine/largest.hpp>
#include <papers/sun-baruh/rod.hpp>

/// What is measured of the grids in space.
namespace carom::papers::sb {

/// Falls of each case under `sun-baruh`.
[[nodiscard]] std::array<std::size_t, 7> counts(const SpatialGrid& grid);

/// [%]
[[nodiscard]] inline double share(std::size_t part, const SpatialGrid& grid) {
  return 100. * static_cast<double>(part) / static_cast<double>(grid.points.size());
}

/// The greatest value over a grid.
template <class Value>
[[nodiscard]] double greatest(const SpatialGrid& grid, const Value& value) {
  double most = 0.;
  for (const SpatialPoint& p : grid.points) most = largest(most, value(p));
  return most;
}

/// Of a grid over mu and e: the energy ratio at each mu, its mean over e.
[[nodiscard]] std::vector<double> mean_energy_over_friction(const SpatialGrid& grid);

/// Falls of which `sun-baruh` and `sun-baruh:energetic` give different cases.
[[nodiscard]] std::size_t modes_that_differ(const SpatialGrid& grid);

/// How far these two are apart, in words; and whether velocities and energies are within a part of
/// what there was before.
[[nodiscard]] std::string hypotheses_apart(const SpatialGrid& grid);
[[nodiscard]] bool hypotheses_within(const SpatialGrid& grid, double part);

}  // namespace carom::papers::sb
