// SPDX-License-Identifier: Apache-2.0
#include <carom/complementarity/dense_solve.hpp>

#include <algorithm>

#include <carom/complementarity/lanes.hpp>
#include <carom/core/scalar.hpp>

namespace carom::complementarity {
namespace {

/// Up to so many rows columns are eliminated one by one.
constexpr std::size_t few_rows = 24;

/// Columns first .. last - 1, in all rows from `first` on; the factors stay in their place. Other
/// columns are changed up to `end`.
bool eliminate_columns(double* m, std::size_t n, std::size_t stride, std::size_t first,
                       std::size_t last, std::size_t end, double least) {
  for (std::size_t k = first; k < last; ++k) {
    std::size_t best = k;
    double largest = magnitude(m[k * stride + k]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const double x = magnitude(m[i * stride + k]);
      if (x > largest) {
        largest = x;
        best = i;
      }
    }
    if (!(largest > least)) return false;
    double* __restrict const above = m + k * stride;
    if (best != k) std::swap_ranges(above + first, above + n + 1, m + best * stride + first);
    const double inverse = 1. / above[k];
    for (std::size_t i = k + 1; i < n; ++i) {
      double* __restrict const row = m + i * stride;
      const double f = row[k] * inverse;
      row[k] = f;
      for (std::size_t j = k + 1; j < end; ++j) row[j] -= f * above[j];
    }
  }
  return true;
}

}  // namespace

bool solve_dense(double* m, std::size_t n, std::size_t stride, double least) {
  const bool few = n <= few_rows;
  if (few && !eliminate_columns(m, n, stride, 0, n, n + 1, least)) return false;
  for (std::size_t first = few ? n : 0; first < n; first += panel) {
    const std::size_t last = std::min(first + panel, n);
    if (!eliminate_columns(m, n, stride, first, last, last, least)) return false;
    const std::size_t rest = n + 1 - last;
    for (std::size_t k = first + 1; k < last; ++k) {
      double* const row = m + k * stride;
      for (std::size_t p = first; p < k; ++p) {
        add_multiple(row + last, rest, -row[p], m + p * stride + last);
      }
    }
    if (last == n) break;
    double* const below = m + last * stride;
    subtract_panel(below + last, n - last, rest, stride, below + first, m + first * stride + last);
  }
  double* const x = m + n;  // in steps of the stride
  for (std::size_t j = n; j-- > 0;) {
    const double y = x[j * stride] / m[j * stride + j];
    x[j * stride] = y;
    for (std::size_t i = 0; i < j; ++i) x[i * stride] -= m[i * stride + j] * y;
  }
  return true;
}

}  // namespace carom::complementarity
