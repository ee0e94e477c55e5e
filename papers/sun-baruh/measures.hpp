// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include <papers/engine/largest.hpp>
#include <papers/sun-baruh/rod.hpp>

/// What is measured of the points of a grid, in the plane and in space.
namespace carom::papers::sb {

/// Of values that are added one by one.
struct Extent {
  double least = std::numeric_limits<double>::infinity();
  double most = -std::numeric_limits<double>::infinity();
  double sum = 0.;
  std::vector<double> values{};

  void add(double x) {
    least = std::min(least, x);
    most = largest(most, x);
    sum += x;
    values.push_back(x);
  }
  [[nodiscard]] std::size_t count() const { return values.size(); }
  [[nodiscard]] double mean() const { return sum / static_cast<double>(count()); }
  [[nodiscard]] double width() const { return most - least; }
  /// How far from one at most.
  [[nodiscard]] double from_one() const { return largest(most - 1., 1. - least); }
  [[nodiscard]] double median() const {
    std::vector<double> sorted = values;
    std::sort(sorted.begin(), sorted.end());
    return sorted[sorted.size() / 2];
  }
};

inline constexpr auto that_stick = [](const auto& p) { return sticks(p.poisson.mode); };
inline constexpr auto that_reverse = [](const auto& p) { return reverses(p.poisson.mode); };
/// A case as Table 1 counts them.
constexpr auto of_case(int n) {
  return [n](const auto& p) { return number(p.poisson.mode) == n; };
}
inline constexpr auto that_slide = of_case(0);
/// The others of a choice.
constexpr auto unless(auto picks) {
  return [picks](const auto& p) { return !picks(p); };
}

/// Of the points that all of `picks` pick.
template <class Point, class Value, class... Picks>
[[nodiscard]] Extent extent(const std::vector<Point>& points, const Value& value,
                            const Picks&... picks) {
  Extent r;
  for (const Point& p : points) {
    if ((picks(p) && ...)) r.add(value(p));
  }
  return r;
}

template <class Point, class... Picks>
[[nodiscard]] std::size_t count(const std::vector<Point>& points, const Picks&... picks) {
  return static_cast<std::size_t>(std::count_if(points.begin(), points.end(),
                                                [&](const Point& p) { return (picks(p) && ...); }));
}

[[nodiscard]] inline double per_cent(std::size_t part, std::size_t whole) {
  return 100. * static_cast<double>(part) / static_cast<double>(whole);
}

/// The points that all of `picks` pick [%].
template <class Point, class... Picks>
[[nodiscard]] double share(const std::vector<Point>& points, const Picks&... picks) {
  return per_cent(count(points, picks...), points.size());
}

/// Falls of Fig. 3 in which a law gives another case than `poisson`.
[[nodiscard]] inline std::size_t other_cases(PlanarOutcome PlanarPoint::*law) {
  return count(fig_3().points,
               [&](const PlanarPoint& p) { return (p.*law).mode != p.poisson.mode; });
}

/// How far two laws, or two falls, are apart.
struct Apart {
  Extent velocity{};      ///< [m/s]
  Extent energy{};        ///< of the energy ratios
  std::size_t cases = 0;  ///< that differ

  void add(const After& a, const After& b) {
    velocity.add(distance(a, b));
    energy.add(std::abs(a.energy - b.energy));
    if (a.mode != b.mode) ++cases;
  }
};

[[nodiscard]] inline Apart apart(const SpatialGrid& grid, After SpatialPoint::*law,
                                 After SpatialPoint::*other) {
  Apart r;
  for (const SpatialPoint& p : grid.points) r.add(p.*law, p.*other);
  return r;
}

/// The energy ratio in each column of a grid, its mean over the rows.
[[nodiscard]] inline std::vector<double> mean_energies(const SpatialGrid& grid) {
  std::vector<double> mean(grid.x.size());
  for (std::size_t i = 0; i < grid.x.size(); ++i) {
    Extent column;
    for (std::size_t j = 0; j < grid.y.size(); ++j) column.add(grid.at(i, j).poisson.energy);
    mean[i] = column.mean();
  }
  return mean;
}

}  // namespace carom::papers::sb
