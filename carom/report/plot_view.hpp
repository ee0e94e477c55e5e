// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

/// What a picture shows of a plane: ranges, their units and ticks.
namespace carom::report {

/// From least to most.
struct Range {
  double least = 0.;
  double most = 0.;

  void include(double x) {
    least = std::min(least, x);
    most = std::max(most, x);
  }
  [[nodiscard]] double size() const { return most - least; }
  [[nodiscard]] Range widened(double share) const {
    return {.least = least - share * size(), .most = most + share * size()};
  }
};

/// A point of the plane.
using Point = std::array<double, 2>;

/// The power of ten in which an axis counts: 1 unless its numbers were long.
[[nodiscard]] double unit_of(const Range& r);

/// "N s", or "10^{-9} N s".
[[nodiscard]] std::string with_unit(double unit, std::string_view si);

/// A round distance of ticks, so that there are no more than `most`.
[[nodiscard]] double tick_distance(const Range& r, double unit, int most);

}  // namespace carom::report
