// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <carom/complementarity/lemke.hpp>
#include <carom/core/dense_system.hpp>
#include <carom/core/lanes.hpp>

namespace carom::complementarity {

/// Linear complementarity problems w = M z + q,  0 <= w  _|_  z >= 0. Tries the fastest method
/// first.
///
/// - Three rows: checks the signs of all eight candidates.
/// - More rows: a few projected Gauss-Seidel sweeps, then a primal-dual active-set (semismooth
///   Newton) method, M_AA z_A = -q_A, until the active set repeats. Then all signs hold, for any M.
/// - If the diagonal is not positive, or the active set does not repeat: Lemke's method.
///
/// The object is a workspace.
class LcpSolver {
 public:
  /// @param M  n x n, row-major
  LemkeStatus solve(std::span<const double> M, std::span<const double> q);

  /// Of the last call, if it was solved. z >= 0 and w >= 0, and one of each pair is zero.
  [[nodiscard]] std::span<const double> z() const { return {z_.data(), n_}; }
  [[nodiscard]] std::span<const double> w() const { return {w_.data(), n_}; }

 private:
  void sweep(std::span<const double> M, std::span<const double> q);
  [[nodiscard]] bool step(std::span<const double> M, std::span<const double> q);
  [[nodiscard]] bool vanishes_on_set(std::span<const double> M, std::span<const double> q) const;
  [[nodiscard]] bool solve_by_sets(std::span<const double> M, std::span<const double> q);

  std::size_t n_ = 0;
  AlignedVector z_;
  AlignedVector w_;
  std::vector<std::size_t> set_;  // indices of positive z
  std::vector<char> in_set_;
  DenseSystem system_;
  Lemke lemke_;
};

}  // namespace carom::complementarity
