// SPDX-License-Identifier: Apache-2.0
#include <carom/core/event_search.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include <boost/math/tools/toms748_solve.hpp>

#include <carom/core/scalar.hpp>

namespace carom {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

/// When a condition begins to hold, as the ends of these many parts show it.
double first_true(const std::function<bool(double)>& holds, double from, double until, int pieces) {
  double low = from;
  for (int k = 1; k <= pieces; ++k) {
    double high = k == pieces ? until : from + (until - from) * k / pieces;
    if (!holds(high)) {
      low = high;
      continue;
    }
    for (double middle = 0.5 * (low + high); low < middle && middle < high;
         middle = 0.5 * (low + high)) {
      (holds(middle) ? high : low) = middle;
    }
    return high;
  }
  return never;
}

}  // namespace

std::pair<double, double> enclose_root(const std::function<double(double)>& f, double a, double b,
                                       double fa, double fb) {
  if (fa == 0.) return {a, a};
  if (fb == 0. || !(a < b)) return {b, b};  // an interval of rounding size has one end
  // TOMS 748 at least halves the bracket in every four evaluations: these are 50 halvings, to
  // rounding where the bracket is no longer than its distance from zero. Most roots need ten.
  std::uintmax_t most = 200;
  constexpr double neighbours = 2. * epsilon;  // at most two doubles apart
  const auto close = [](double x, double y) {
    return std::abs(y - x) <= neighbours * std::max(std::abs(x), std::abs(y));
  };
  return boost::math::tools::toms748_solve(f, a, b, fa, fb, close, most);
}

namespace {

/// Where f falls between a and b, with f(b) < f(a) though it rises at both: its slope is negative
/// there.
double falling(const std::function<double(double)>& f, const std::function<double(double)>& slope,
               double a, double b, double f_a) {
  double low = a;
  double high = b;
  for (double middle = 0.5 * (low + high); low < middle && middle < high;
       middle = 0.5 * (low + high)) {
    if (slope(middle) < 0.) return middle;
    (f(middle) < f_a ? high : low) = middle;
  }
  return low;
}

}  // namespace

double first_closing(const std::function<double(double)>& gap,
                     const std::function<double(double)>& slope, double t0, double t1, int pieces,
                     double sunk) {
  // A gap that starts at zero, to rounding, may rise a little, dip and rise for good in a small
  // part of the first piece, which is halved so often.
  constexpr int most_early = 6;
  double a = t0;
  double gap_a = gap(a);
  double slope_a = slope(a);
  for (int j = gap_a > sunk ? 1 : 1 - most_early; j <= pieces; ++j) {
    const double part = j > 0 ? j : std::ldexp(1., j - 1);
    const double b = j == pieces ? t1 : t0 + (t1 - t0) * part / pieces;
    const double gap_b = gap(b);
    const double slope_b = slope(b);
    double low = b;  // where the gap is lowest in this piece, as far as it falls
    double gap_low = gap_b;
    double turns = b;  // where it rises, if it falls before
    double slope_turns = slope_b;
    if (slope_a < 0. && !(slope_b > 0.) && gap_b > gap_a) {
      turns = falling([&](double t) { return -gap(t); }, [&](double t) { return -slope(t); }, a, b,
                      -gap_a);
      slope_turns = slope(turns);
    }
    if (slope_a < 0. && slope_turns > 0.) {
      low = find_root(slope, a, turns, slope_a, slope_turns);
      gap_low = gap(low);
    }
    if (gap_low < -sunk) {
      double top = a;
      double gap_top = gap_a;
      double rises = a;
      double slope_rises = slope_a;
      // From zero and at rest it may rise so little that only a closer look shows it: down to a
      // millionth of the piece.
      constexpr int most_halvings = 20;
      for (int k = 1; k <= most_halvings && gap_a <= 0. && slope_rises <= 0.; ++k) {
        const double closer = a + std::ldexp(low - a, -k);
        const double s = slope(closer);
        if (!(s > 0. && gap(closer) > gap_a)) continue;
        rises = closer;
        slope_rises = s;
      }
      double falls = b;
      double slope_falls = slope_b;
      if (slope_rises > 0. && !(slope_b < 0.) && low == b) {
        falls = falling(gap, slope, rises, b, gap_a);
        slope_falls = slope(falls);
      }
      if (slope_rises > 0. && slope_falls < 0.) {
        top = find_root(slope, rises, falls, slope_rises, slope_falls);
        gap_top = gap(top);
      }
      if (gap_top > 0.) return find_root(gap, top, low, gap_top, gap_low);
      if (slope_a <= 0. || slope_falls < 0.) return top;
    }
    a = b;
    gap_a = gap_b;
    slope_a = slope_b;
  }
  return never;
}

double first_closing_in_range(const GapInRange& of, bool starts_in_range, double t0, double t1,
                              int pieces, double sunk, double most_overlap) {
  constexpr int parts_of_range = 8;  // points rarely enter and leave the range in one of them
  const double start = of.gap(t0);
  const double zero = starts_in_range ? std::min(0., start) : 0.;
  double at = t0;
  if (starts_in_range || start > 0.) {
    at = first_closing([&](double t) { return of.gap(t) - zero; }, of.slope, t0, t1, pieces, sunk);
  }
  if (at == never || of.in_range(at)) return at;
  const double enters = first_true(of.in_range, at, t1, parts_of_range);
  if (enters == never) return never;
  const double overlap = -of.gap(enters);
  if (overlap < 0.) return first_closing(of.gap, of.slope, enters, t1, pieces, sunk);
  return overlap < most_overlap ? enters : never;
}

}  // namespace carom
