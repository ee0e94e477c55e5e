// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

/// Minimisation without derivatives, for objectives that are not smooth.
namespace carom::study::fit {

struct SimplexOptions {
  std::vector<double> low;   ///< bounds
  std::vector<double> high;
  double size = 0.1;         ///< of the first simplex, in parts of high - low
  double tolerance = 1e-3;   ///< ends where the simplex is smaller, in parts of high - low
  std::size_t evaluations = 200;  ///< limit
};

struct Minimum {
  std::vector<double> at;
  double value = 0.;
  std::size_t evaluations = 0;
  bool converged = false;  ///< the simplex became smaller than the tolerance
};

/// The simplex method of Nelder and Mead; points beyond a bound are moved onto it.
/// [Nelder & Mead 1965]
/// @pre low <= start <= high, low < high
[[nodiscard]] Minimum nelder_mead(const std::function<double(const std::vector<double>&)>& f,
                                  const std::vector<double>& start, const SimplexOptions& options);

}  // namespace carom::study::fit
