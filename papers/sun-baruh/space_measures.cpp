// SPDX-License-Identifier: Apache-2.0
#include <papers/sun-baruh/space_measures.hpp>

#include <cmath>

#include <fmt/format.h>

namespace carom::papers::sb {
namespace {

double energy_distance(const Told& a, const Told& b) { return std::abs(a.energy - b.energy); }

}  // namespace

std::array<std::size_t, 7> counts(const SpatialGrid& grid) {
  std::array<std::size_t, 7> count{};
  for (const SpatialPoint& p : grid.points) ++count.at(static_cast<std::size_t>(p.poisson.mode));
  return count;
}

std::vector<double> mean_energy_over_friction(const SpatialGrid& grid) {
  std::vector<double> mean(grid.x.size(), 0.);
  for (std::size_t i = 0; i < grid.x.size(); ++i) {
    for (std::size_t j = 0; j < grid.y.size(); ++j) mean[i] += grid.at(i, j).poisson.energy;
    mean[i] /= static_cast<double>(grid.y.size());
  }
  return mean;
}

std::size_t modes_that_differ(const SpatialGrid& grid) {
  return static_cast<std::size_t>(
      std::count_if(grid.points.begin(), grid.points.end(),
                    [](const SpatialPoint& p) { return p.poisson.mode != p.energetic.mode; }));
}

std::string hypotheses_apart(const SpatialGrid& grid) {
  return fmt::format(
      "the case differs in {} of {} falls, the velocity after by at most {:.1f} % of that before, "
      "the energy ratio by at most {:.3f}",
      modes_that_differ(grid), grid.points.size(),
      100. *
          greatest(grid, [](const SpatialPoint& p) { return distance(p.poisson, p.energetic); }) /
          approach_speed,
      greatest(grid,
               [](const SpatialPoint& p) { return energy_distance(p.poisson, p.energetic); }));
}

bool hypotheses_within(const SpatialGrid& grid, double part) {
  return greatest(grid, [&](const SpatialPoint& p) {
           return std::max(distance(p.poisson, p.energetic) / approach_speed,
                           energy_distance(p.poisson, p.energetic));
         }) < part;
}

}  // namespace carom::papers::sb
