// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace carom::complementarity {

/// Sparse linear equations of small square blocks, whose pattern is symmetric though their entries
/// need not be: A = L U by blocks, in an order of least fill [Amestoy, Davis & Duff 1996]. Pivots
/// are sought within the diagonal blocks only: for matrices near to positive definite ones.
class BlockLu {
 public:
  /// The pattern: of each row the columns off the diagonal, ascending. One already known is kept.
  void analyze(std::size_t block, std::span<const std::size_t> begin,
               std::span<const std::uint32_t> column);

  /// All entries zero, before they are added.
  void clear();
  /// The block of row i and column j of the pattern, or of the diagonal, by rows.
  [[nodiscard]] double* diagonal(std::size_t i) {
    return &entries_[diagonal_at_ + i * block_ * block_];
  }
  /// The k-th block off the diagonal, in the order in which the pattern was given.
  [[nodiscard]] double* off_diagonal(std::size_t k) { return &entries_[k * block_ * block_]; }

  /// False where a diagonal block has become singular.
  bool factorize();
  /// x = A^-1 x
  void solve(std::span<double> x);

 private:
  template <std::size_t d>
  bool factorize_blocks();
  template <std::size_t d>
  void solve_blocks(std::span<double> x);

  std::size_t rows_ = 0;
  std::size_t block_ = 0;
  std::size_t diagonal_at_ = 0;
  std::vector<std::size_t> begin_;     // as given
  std::vector<std::uint32_t> column_;  // as given
  std::vector<double> entries_;        // as given, then the diagonal

  std::vector<std::uint32_t> order_;         // order_[new] = old
  std::vector<std::uint32_t> place_;         // place_[old] = new
  std::vector<std::size_t> upper_begin_;     // rows of U, without the diagonal
  std::vector<std::uint32_t> upper_column_;  // new numbers, ascending
  std::vector<std::size_t> lower_begin_;     // rows of L
  std::vector<std::uint32_t> lower_column_;
  std::vector<double> upper_;
  std::vector<double> lower_;
  std::vector<double> inverse_;  // of the diagonal blocks of U
  std::vector<double> row_;      // the row at work, all columns
  std::vector<double> y_;
};

}  // namespace carom::complementarity
