// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace carom::study::fit {

/// Quantile of numbers by linear interpolation between order statistics, (n - 1) q from 0
/// [Hyndman & Fan 1996, type 7]. @pre there are any, 0 <= q <= 1
[[nodiscard]] inline double quantile(std::vector<double> x, double q) {
  const double at = q * static_cast<double>(x.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const auto middle = x.begin() + static_cast<std::ptrdiff_t>(below);
  std::nth_element(x.begin(), middle, x.end());
  const double first = *middle;
  if (below + 1 >= x.size()) return first;
  const double second = *std::min_element(middle + 1, x.end());
  return first + (at - static_cast<double>(below)) * (second - first);
}

/// Root of the mean square; 0 of nothing.
[[nodiscard]] inline double root_mean_square(std::span<const double> x) {
  if (x.empty()) return 0.;
  double sum = 0.;
  for (const double value : x) sum += value * value;
  return std::sqrt(sum / static_cast<double>(x.size()));
}

/// The median of |x| over that of |z|, z normal with deviation 1 (its upper quartile): estimates
/// the deviation of normal errors about zero, and hardly notices outliers [Iglewicz & Hoaglin
/// 1993]. @pre there are any
[[nodiscard]] inline double robust_deviation(std::vector<double> x) {
  constexpr double upper_quartile = 0.67448975019608171;
  for (double& value : x) value = std::abs(value);
  return quantile(std::move(x), 0.5) / upper_quartile;
}

}  // namespace carom::study::fit
