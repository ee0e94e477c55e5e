// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>
#include <utility>
#include <vector>

#include <papers/engine/computations.hpp>
#include <papers/engine/fixed_random.hpp>
#include <papers/engine/largest.hpp>

/// One question asked of many cases.
namespace carom::papers::pg {

/// From `first` on, below `end`.
[[nodiscard]] inline std::vector<double> steps(double first, double end, double step) {
  std::vector<double> all;
  for (double x = first; x < end; x += step) all.push_back(x);
  return all;
}

/// So many of what `make` makes of random numbers.
template <class Make>
[[nodiscard]] auto many(int cases, unsigned seed, const Make& make) {
  FixedRandom random(seed);
  std::vector<decltype(make(random))> all;
  for (int k = 0; k < cases; ++k) all.push_back(make(random));
  return all;
}

template <class T, class Which>
[[nodiscard]] std::vector<T> those(const std::vector<T>& all, const Which& which) {
  std::vector<T> some;
  std::copy_if(all.begin(), all.end(), std::back_inserter(some), which);
  return some;
}

template <class T, class Measure = std::identity>
[[nodiscard]] double greatest(const std::vector<T>& all, const Measure& measure = {}) {
  double most = -std::numeric_limits<double>::infinity();
  for (const T& one : all) most = largest(most, std::invoke(measure, one));
  return most;
}

/// Whether {worst} is below a bound. @param more  values for the text
[[nodiscard]] inline Found below(double bound, double worst, Values more = {}) {
  more.emplace("worst", worst);
  return {worst < bound, std::move(more)};
}

/// Whether something is so in all cases, {count} of {of}. @param also  what else must hold
template <class T, class Which>
[[nodiscard]] Found in_all(const std::vector<T>& all, const Which& which, Values more = {},
                           bool also = true) {
  const std::size_t count = those(all, which).size();
  more.insert({{"count", count}, {"of", all.size()}});
  return {!all.empty() && count == all.size() && also, std::move(more)};
}

/// Whether it is so in none.
template <class T, class Which>
[[nodiscard]] Found in_none(const std::vector<T>& all, const Which& which, Values more = {}) {
  return {!all.empty() && those(all, which).empty(), in_all(all, which, std::move(more)).values};
}

}  // namespace carom::papers::pg
