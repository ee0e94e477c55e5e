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

/// A gap that counts only while the closest points lie within the features of its contact.
struct GapInRange {
  std::function<double(double)> gap;
  std::function<double(double)> slope;
  std::function<bool(double)> in_range;
};

/// As first_closing, but in range. A gap that is in range and below zero at t0, by rounding, closes
/// where it sinks deeper. One that has closed out of range closes where its points enter the range,
/// if it overlaps by less than `most_overlap` there: corner on corner, or a rim that ceases to lie
/// flat. Deeper, other features touch. One that is open there may close later.
/// @param starts_in_range  whether it is in range at t0
[[nodiscard]] double first_closing_in_range(const GapInRange& of, bool starts_in_range, double t0,
                                            double t1, int pieces, double sunk,
                                            double most_overlap);

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
