// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include <carom/core/bits.hpp>
#include <carom/core/scalar.hpp>

/// Lemke's method for a few rows; part of lemke.cpp.
namespace carom::complementarity::lemke {

/// An entry of the entering column counts as negative beyond this, relative to the column's largest
/// and to one: far above the rounding of a few hundred pivots, sqrt(300) epsilon = 4e-15, and of
/// those that are badly conditioned.
inline constexpr double negligible = 1e-12;
/// Ratios this close, relative, are a tie: of two such entries.
inline constexpr double tie = 10. * negligible;

/// For each row; beyond, the general method decides.
inline constexpr std::size_t most_few_pivots = 4;

/// Lemke's method for a few rows, unrolled. It handles neither ties nor rays nor rows without
/// diagonal: it then returns false, and the general method is used.
template <std::size_t n>
bool solve_few(const double* M, const double* q, double* z, double* w, std::size_t& pivots) {
  std::array<double, n> scale;
  std::array<double, n> value;
  std::array<std::array<double, n + 1>, n> table;
  std::array<std::uint8_t, n> basic;
  std::array<std::uint8_t, n + 1> other;
  double largest = 0.;
  std::size_t r = n;
  for (std::size_t i = 0; i < n; ++i) {
    if (!(M[i * n + i] > 0.)) return false;
    scale[i] = 1. / power_of_two(std::sqrt(M[i * n + i]));
    value[i] = q[i] * scale[i];
    largest = std::max(largest, std::abs(value[i]));
    if (value[i] < 0. && (r == n || value[i] <= value[r])) r = i;
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) table[i][j] = M[i * n + j] * (scale[i] * scale[j]);
    table[i][n] = 1.;
    basic[i] = static_cast<std::uint8_t>(n + i);
    other[i] = static_cast<std::uint8_t>(i);
  }
  other[n] = 2 * n;
  std::size_t s = n;
  const double close = epsilon * largest;
  for (pivots = 0; r < n; ++pivots) {
    if (pivots > most_few_pivots * n) return false;
    const std::uint8_t left = basic[r];
    const double inverse = 1. / table[r][s];
    std::array<double, n + 1> v;
    for (std::size_t j = 0; j <= n; ++j) v[j] = -inverse * table[r][j];
    v[s] = inverse;
    const double step = -value[r] * inverse;
    for (std::size_t i = 0; i < n; ++i) {
      const double f = i == r ? 1. : table[i][s];
      value[i] = i == r ? step : value[i] + f * step;
      for (std::size_t j = 0; j <= n; ++j) {
        const double kept = i == r || j == s ? 0. : table[i][j];
        table[i][j] = kept + f * v[j];
      }
    }
    std::swap(basic[r], other[s]);
    if (left == 2 * n) {
      ++pivots;
      break;
    }
    const auto next = static_cast<std::uint8_t>(left >= n ? left - n : left + n);
    s = 0;
    while (other[s] != next) ++s;
    // The least and the second least ratio.
    double least = std::numeric_limits<double>::infinity();
    double second = least;
    r = n;
    for (std::size_t i = 0; i < n; ++i) {
      if (!(table[i][s] < -negligible)) continue;
      const double ratio = value[i] / -table[i][s];
      if (ratio < least) {
        second = least;
        least = ratio;
        r = i;
      } else {
        second = std::min(second, ratio);
      }
    }
    if (r == n || second - least <= tie * second + close) return false;
  }
  for (std::size_t i = 0; i < n; ++i) z[i] = w[i] = 0.;
  for (std::size_t i = 0; i < n; ++i) {
    const double x = std::max(0., value[i]);
    if (basic[i] < n) {
      z[basic[i]] = x * scale[basic[i]];
    } else {
      w[basic[i] - n] = x / scale[basic[i] - n];
    }
  }
  return true;
}

}  // namespace carom::complementarity::lemke
