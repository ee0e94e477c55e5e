// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include <papers/engine/largest.hpp>
#include <papers/sun-baruh/rod.hpp>

/// What is measured of the grids in the plane.
namespace carom::papers::sb {

inline constexpr double rounding_of_sums = 1e-12;

/// Of values that are added one by one.
struct Extent {
  double least = std::numeric_limits<double>::infinity();
  double most = -std::numeric_limits<double>::infinity();
  double sum = 0.;
  std::size_t count = 0;

  void add(double x) {
    least = std::min(least, x);
    most = largest(most, x);
    sum += x;
    ++count;
  }
  [[nodiscard]] double mean() const { return sum / static_cast<double>(count); }
};

/// Over the points that `picks` picks.
template <class Picks, class Value>
[[nodiscard]] Extent range_of(const PlanarGrid& grid, const Picks& picks, const Value& value) {
  Extent r;
  for (const PlanarPoint& p : grid.points) {
    if (picks(p)) r.add(value(p));
  }
  return r;
}

inline constexpr auto any_point = [](const PlanarPoint&) { return true; };
inline constexpr auto slip_stops = [](const PlanarPoint& p) {
  return p.fall.ratio > 0. && p.poisson.mode != Mode::slides;
};
inline constexpr auto rebound_of = [](const PlanarPoint& p) { return rebound(p.fall, p.poisson); };
inline constexpr auto energy_of = [](const PlanarPoint& p) {
  return energy_ratio(p.fall, p.poisson);
};
inline constexpr auto velocity_quotient = [](const PlanarPoint& p) {
  return p.poisson.velocity.n / p.energetic.velocity.n;
};
inline constexpr auto energy_quotient = [](const PlanarPoint& p) {
  return energy_ratio(p.fall, p.poisson) / energy_ratio(p.fall, p.energetic);
};

/// [%]
[[nodiscard]] inline double share(std::size_t part, std::size_t whole) {
  return 100. * static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace carom::papers::sb
