// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace carom {

/// The time at which a gap first closes between t0 and t1, searched in this many parts: decreasing,
/// to less than -sunk. Infinity if it does not close.
[[nodiscard]] double first_closing(const std::function<double(double)>& gap,
                                   const std::function<double(double)>& slope, double t0, double t1,
                                   int pieces, double sunk);

/// The root of f between a and b, where it has different signs, to rounding; of the doubles around
/// it the one nearer to b [Alefeld, Potra & Shi 1995, TOMS 748].
[[nodiscard]] double find_root(const std::function<double(double)>& f, double a, double b,
                               double fa, double fb);

}  // namespace carom
