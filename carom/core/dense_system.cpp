// SPDX-License-Identifier: Apache-2.0
#include <carom/core/dense_system.hpp>

#include <algorithm>
#include <array>

namespace carom {
namespace {

/// Up to so many rows columns are eliminated one by one: all of it, less than 6 KiB, fits the
/// nearest cache, and panels of eight would leave little to be done at once.
constexpr std::size_t few_rows = 24;

}  // namespace

void DenseSystem::resize(std::size_t n) {
  n_ = n;
  stride_ = whole_vectors(n + 1);
  if (m_.size() < n * stride_) m_.resize(n * stride_);
  if (columns_.size() < n * panel) columns_.resize(n * panel);
  if (x_.size() < n) x_.resize(n);
  for (std::size_t i = 0; i < n; ++i) std::fill(equation(i) + n + 1, equation(i) + stride_, 0.);
}

/// Factorizes the columns first .. last - 1 and updates the other columns.
bool DenseSystem::eliminate_panel(std::size_t first, std::size_t last, double least) {
  const std::size_t width = last - first;
  const std::size_t rows = n_ - first;
  double* const columns = columns_.data();  // n_ apart
  for (std::size_t i = 0; i < rows; ++i) {
    const double* const from = equation(first + i) + first;
    for (std::size_t c = 0; c < width; ++c) columns[c * n_ + i] = from[c];
  }
  std::array<std::size_t, panel> partner{};
  if (!factorize_columns(columns, rows, n_, width, least, partner.data())) return false;
  for (std::size_t k = 0; k < width; ++k) {
    double* const row = equation(first + k);
    if (partner[k] != k) {
      std::swap_ranges(row + last, row + stride_, equation(first + partner[k]) + last);
    }
  }
  for (std::size_t k = 0; k < width; ++k) {
    for (std::size_t c = k; c < width; ++c) equation(first + k)[first + c] = columns[c * n_ + k];
  }
  if (last == n_) {  // only the right-hand side is left
    for (std::size_t k = 1; k < width; ++k) {
      for (std::size_t p = 0; p < k; ++p) {
        equation(first + k)[n_] -= columns[p * n_ + k] * equation(first + p)[n_];
      }
    }
    return true;
  }
  const std::size_t rest = stride_ - last;
  double* const above = equation(first) + last;
  solve_panel(above, rest, stride_, columns, n_);
  subtract_panel(equation(last) + last, n_ - last, rest, stride_, columns + panel, n_, above);
  return true;
}

bool DenseSystem::solve(double least) {
  if (n_ <= few_rows) return solve_few(m_.data(), n_, stride_, least, x_.data());
  for (std::size_t first = 0; first < n_; first += panel) {
    if (!eliminate_panel(first, std::min(first + panel, n_), least)) return false;
  }
  for (std::size_t j = n_; j-- > 0;) {
    const double* const row = equation(j);
    x_[j] = (row[n_] - product(row + j + 1, x_.data() + j + 1, n_ - j - 1)) / row[j];
  }
  return true;
}

}  // namespace carom
