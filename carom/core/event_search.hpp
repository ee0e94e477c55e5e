// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <utility>

namespace carom {

/// The time at which a gap first closes between t0 and t1, searched in this many parts: decreasing,
/// to less than -sunk. Infinity if it does not close.
[[nodiscard]] double first_closing(const std::function<double(double)>& gap,
                                   const std::function<double(double)>& slope, double t0, double t1,
                                   int pieces, double sunk);

/// The doubles around the root of f between a < b, where it has different signs: at most two apart
/// [Alefeld, Potra & Shi 1995, TOMS 748].
[[nodiscard]] std::pair<double, double> enclose_root(const std::function<double(double)>& f,
                                                     double a, double b, double fa, double fb);

/// The later one of them.
[[nodiscard]] inline double find_root(const std::function<double(double)>& f, double a, double b,
                                      double fa, double fb) {
  return enclose_root(f, a, b, fa, fb).second;
}

}  // namespace carom
