// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

#include <carom/core/scalar.hpp>

namespace carom {

/// A square system of a few linear equations, taken apart once by elimination with complete
/// pivoting, for any number of right-hand sides. Allocates nothing. Complete pivoting gives the
/// rank, which laws report; `DenseSystem`, for many equations, seeks pivots in one column only.
/// @pre rows and columns have comparable units: a pivot counts as zero relative to the largest
template <std::size_t n>
class LinearSystem {
 public:
  using Matrix = std::array<std::array<double, n>, n>;
  using Vector = std::array<double, n>;

  explicit constexpr LinearSystem(const Matrix& matrix) : lu_(matrix) {
    for (std::size_t i = 0; i < n; ++i) row_[i] = column_[i] = i;
    double largest = 0.;
    for (std::size_t k = 0; k < n; ++k) {
      std::size_t r = k;
      std::size_t c = k;
      for (std::size_t i = k; i < n; ++i) {
        for (std::size_t j = k; j < n; ++j) {
          if (magnitude(lu_[i][j]) > magnitude(lu_[r][c])) {
            r = i;
            c = j;
          }
        }
      }
      std::swap(lu_[k], lu_[r]);
      std::swap(row_[k], row_[r]);
      for (auto& row : lu_) std::swap(row[k], row[c]);
      std::swap(column_[k], column_[c]);
      const double pivot = lu_[k][k];
      if (k == 0) largest = magnitude(pivot);
      if (!(magnitude(pivot) > rounding * largest)) return;  // singular, or not a number
      for (std::size_t i = k + 1; i < n; ++i) {
        lu_[i][k] /= pivot;
        for (std::size_t j = k + 1; j < n; ++j) lu_[i][j] -= lu_[i][k] * lu_[k][j];
      }
    }
    regular_ = true;
  }

  [[nodiscard]] constexpr bool regular() const { return regular_; }

  /// For any scalar that doubles can be multiplied with. @pre regular()
  template <class S = double>
  [[nodiscard]] constexpr std::array<S, n> solve(const std::array<S, n>& right) const {
    std::array<S, n> y{};
    for (std::size_t i = 0; i < n; ++i) {
      y[i] = right[row_[i]];
      for (std::size_t j = 0; j < i; ++j) y[i] -= lu_[i][j] * y[j];
    }
    std::array<S, n> x{};
    for (std::size_t i = n; i-- > 0;) {
      for (std::size_t j = i + 1; j < n; ++j) y[i] -= lu_[i][j] * y[j];
      y[i] /= lu_[i][i];
      x[column_[i]] = y[i];
    }
    return x;
  }

 private:
  Matrix lu_;
  std::array<std::size_t, n> row_{};
  std::array<std::size_t, n> column_{};
  bool regular_ = false;
};

}  // namespace carom
