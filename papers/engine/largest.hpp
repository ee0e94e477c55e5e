// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <initializer_list>

namespace carom::papers {

/// The larger, and not a number where either is none: std::max passes over a NaN that comes second,
/// so that "differs by at most" would hold of what was not computed.
[[nodiscard]] inline double largest(double a, double b) { return std::isnan(a) || a >= b ? a : b; }

[[nodiscard]] inline double largest(std::initializer_list<double> all) {
  double most = *all.begin();
  for (const double x : all) most = largest(most, x);
  return most;
}

}  // namespace carom::papers
