// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include <carom/core/lanes.hpp>

namespace carom {

/// Linear equations with a full matrix, by Gaussian elimination with the largest pivot of each
/// column, eight columns at a time. The object is a workspace.
class DenseSystem {
 public:
  /// So many equations, all of them still to be written.
  void resize(std::size_t n);

  /// Equation i: its coefficients, then its right-hand side. `solve` destroys it.
  [[nodiscard]] double* equation(std::size_t i) { return &m_[i * stride_]; }

  /// False where a pivot is not above `least`.
  bool solve(double least);
  [[nodiscard]] std::span<const double> solution() const { return {x_.data(), n_}; }

 private:
  bool eliminate_panel(std::size_t first, std::size_t last, double least);

  std::size_t n_ = 0;
  std::size_t stride_ = 0;  // whole vectors; what is behind the right-hand side is zero
  AlignedVector m_;         // by rows
  AlignedVector columns_;   // the panel at work by columns, each as long as it was at first
  AlignedVector x_;
};

}  // namespace carom
