// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include <carom/core/lanes.hpp>

namespace carom {

/// Dense linear equations: Gaussian elimination with partial pivoting, eight columns at a time. The
/// object is a workspace.
class DenseSystem {
 public:
  /// Sets the number of equations. Their entries are undefined until written.
  void resize(std::size_t n);

  /// Equation i: its coefficients, then its right-hand side. `solve` overwrites it.
  [[nodiscard]] double* equation(std::size_t i) { return &m_[i * stride_]; }

  /// Returns false if a pivot is not above `least`.
  bool solve(double least);
  [[nodiscard]] std::span<const double> solution() const { return {x_.data(), n_}; }

 private:
  bool eliminate_panel(std::size_t first, std::size_t last, double least);

  std::size_t n_ = 0;
  std::size_t stride_ =
      0;             // a multiple of the vector width; entries after the right-hand side are zero
  AlignedVector m_;  // row-major
  AlignedVector columns_;  // the current panel by columns, each with its original length
  AlignedVector x_;
};

}  // namespace carom
