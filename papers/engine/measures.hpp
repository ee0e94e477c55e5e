// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <random>
#include <ranges>
#include <utility>
#include <vector>

#include <papers/engine/computations.hpp>

/// What publications share: one question asked of many cases.
namespace carom::papers {

// --- Cases ---------------------------------------------------------------------------------------

/// Numbers that look random and are the same on every machine and in every run: the standard fixes
/// the generator, but not its distributions.
class FixedRandom {
 public:
  explicit FixedRandom(std::uint64_t seed) : bits_(seed) {}

  /// In [from, to).
  double operator()(double from, double to) {
    return from + (to - from) * (static_cast<double>(bits_() >> 11U) * 0x1p-53);
  }

 private:
  std::mt19937_64 bits_;
};

/// So many of what `make` makes of random numbers.
template <class Make>
[[nodiscard]] auto many(int cases, std::uint64_t seed, const Make& make) {
  FixedRandom random(seed);
  std::vector<decltype(make(random))> all;
  for (int k = 0; k < cases; ++k) all.push_back(make(random));
  return all;
}

/// From `first` on, below `end`.
[[nodiscard]] inline std::vector<double> steps(double first, double end, double step) {
  std::vector<double> all;
  double x = first;
  while (x < end) {
    all.push_back(x);
    x += step;
  }
  return all;
}

/// From one end to the other, both included.
[[nodiscard]] inline std::vector<double> spread(double from, double to, std::size_t count) {
  std::vector<double> all(count);
  for (std::size_t i = 0; i < count; ++i) {
    all[i] = from + (to - from) * (static_cast<double>(i) / static_cast<double>(count - 1));
  }
  return all;
}

/// Those that all of `picks` pick.
template <std::ranges::range Range, class... Picks>
[[nodiscard]] auto those(const Range& all, const Picks&... picks) {
  std::vector<std::ranges::range_value_t<Range>> some;
  std::ranges::copy_if(all, std::back_inserter(some),
                       [&](const auto& x) { return (std::invoke(picks, x) && ...); });
  return some;
}

template <std::ranges::range Range, class... Picks>
[[nodiscard]] std::size_t count(const Range& all, const Picks&... picks) {
  return static_cast<std::size_t>(
      std::ranges::count_if(all, [&](const auto& x) { return (std::invoke(picks, x) && ...); }));
}

// --- Measures ------------------------------------------------------------------------------------

/// The larger, and not a number where either is none: std::max passes over a NaN that comes second,
/// so that "differs by at most" would hold of what was not computed.
[[nodiscard]] inline double largest(double a, double b) { return std::isnan(a) || a >= b ? a : b; }

/// The largest of a measure over a range.
template <std::ranges::range Range, class Measure = std::identity>
[[nodiscard]] double greatest(const Range& all, const Measure& measure = {}) {
  double most = -std::numeric_limits<double>::infinity();
  for (const auto& x : all) most = largest(most, std::invoke(measure, x));
  return most;
}

template <std::ranges::range Range, class Measure = std::identity>
[[nodiscard]] double smallest(const Range& all, const Measure& measure = {}) {
  return -greatest(all, [&](const auto& x) { return -std::invoke(measure, x); });
}

[[nodiscard]] inline double largest(std::initializer_list<double> all) { return greatest(all); }

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

/// Of a measure over those that all of `picks` pick.
template <std::ranges::range Range, class Measure, class... Picks>
[[nodiscard]] Extent extent(const Range& all, const Measure& measure, const Picks&... picks) {
  Extent r;
  for (const auto& x : all) {
    if ((std::invoke(picks, x) && ...)) r.add(std::invoke(measure, x));
  }
  return r;
}

/// The smallest power of ten, from 1e-12 upwards, that an error does not exceed. Reports show it
/// in place of a rounding error, which differs from machine to machine.
[[nodiscard]] constexpr double decade(double error) {
  double bound = 1e-12;
  while (bound < error && bound < 1e12) bound *= 10.;
  return bound;
}

/// By how much a differs from b, relative.
[[nodiscard]] inline double off(double a, double b) { return std::abs(a / b - 1.); }

/// df/dx by a central difference.
template <class F>
[[nodiscard]] double slope(const F& f, double x, double step) {
  return (f(x + step) - f(x - step)) / (2. * step);
}

/// The first number from which on a condition is no longer what it is at `from`, by bisection.
template <class Condition>
[[nodiscard]] double threshold(double from, double to, const Condition& holds) {
  const bool first = holds(from);
  for (int k = 0; k < 200; ++k) {
    const double middle = 0.5 * (from + to);
    if (middle == from || middle == to) break;
    (holds(middle) == first ? from : to) = middle;
  }
  return to;
}

/// Words of each, but those without, with something between them.
template <std::ranges::range Range, class Words>
[[nodiscard]] std::string joined(const Range& all, std::string_view between, const Words& words) {
  std::string text;
  for (const auto& x : all) {
    const std::string one = words(x);
    if (!one.empty() && !text.empty()) text += between;
    text += one;
  }
  return text;
}

// --- Findings ------------------------------------------------------------------------------------

/// Whether {worst} is below a bound. @param more  values for the text
[[nodiscard]] inline Found below(double bound, double worst, Values more = {}) {
  more.emplace("worst", worst);
  return {worst < bound, std::move(more)};
}

/// Whether something is so in all cases, {count} of {of}. @param also  what else must hold
template <std::ranges::range Range, class Which>
[[nodiscard]] Found in_all(const Range& all, const Which& which, Values more = {},
                           bool also = true) {
  const std::size_t so = count(all, which);
  more.insert({{"count", so}, {"of", all.size()}});
  return {!all.empty() && so == all.size() && also, std::move(more)};
}

/// Whether it is so in none.
template <std::ranges::range Range, class Which>
[[nodiscard]] Found in_none(const Range& all, const Which& which, Values more = {}) {
  return {!all.empty() && count(all, which) == 0, in_all(all, which, std::move(more)).values};
}

/// Two computations of the same: both hold. Values of the second are named with _2.
[[nodiscard]] inline Found both(Found first, const Found& second) {
  first.holds = first.holds && second.holds;
  for (const auto& [name, value] : second.values) first.values.emplace(name + "_2", value);
  return first;
}

/// A series through (x, y) of each of a range, in the style given.
template <std::ranges::range Range, class Y, class X = std::identity>
[[nodiscard]] Series through(Series s, const Range& range, const Y& y, const X& x = {}) {
  for (const auto& at : range) {
    s.x.push_back(std::invoke(x, at));
    s.y.push_back(std::invoke(y, at));
  }
  return s;
}

}  // namespace carom::papers
