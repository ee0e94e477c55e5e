// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <carom/core/lanes.hpp>

namespace carom::complementarity {

/// Sparse linear equations of small square blocks, whose pattern is symmetric though their entries
/// need not be: A = L U by blocks, in an order of least fill [Amestoy, Davis & Duff 1996]. Pivots
/// are sought within the diagonal blocks only: for matrices near to positive definite ones.
class BlockLu {
 public:
  /// The pattern: of each row the columns off the diagonal, ascending. One already known is kept;
  /// of a new one all rows take part.
  void analyze(std::size_t block, std::span<const std::size_t> begin,
               std::span<const std::uint32_t> column);

  /// Only the rows that are not zero here take part, and their columns: the others' entries are
  /// not read, nor is x changed there. The order stays; what fills in is found anew.
  void keep(std::span<const std::uint8_t> rows);

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
  void order_rows();
  void find_fill();
  template <std::size_t d>
  void load_row(std::size_t i);
  template <std::size_t d>
  bool factorize_blocks();
  template <std::size_t d>
  void solve_blocks(std::span<double> x);

  std::size_t rows_ = 0;
  std::size_t block_ = 0;
  std::size_t diagonal_at_ = 0;
  std::vector<std::size_t> begin_;         // as given
  std::vector<std::uint32_t> column_;      // as given
  std::vector<double> entries_;            // as given, then the diagonal
  std::vector<std::uint32_t> least_fill_;  // the order of all rows
  std::vector<std::uint8_t> kept_;         // which of them take part

  bool fill_known_ = false;
  std::vector<std::uint32_t> order_;         // of those that take part: order_[new] = old
  std::vector<std::uint32_t> place_;         // place_[old] = new
  std::vector<std::uint32_t> parent_;        // of each row of U its first column
  std::vector<std::uint32_t> seen_;          // from which row a row was last reached
  std::vector<std::size_t> upper_begin_;     // rows of U, without the diagonal
  std::vector<std::uint32_t> upper_column_;  // new numbers, ascending
  std::vector<std::size_t> lower_begin_;     // rows of L
  std::vector<std::uint32_t> lower_column_;
  std::vector<std::size_t> next_;  // in a row of U or L that is being filled
  AlignedVector upper_;            // blocks, their rows `wide` apart
  std::vector<double> lower_;
  std::vector<double> inverse_;  // of the diagonal blocks of U
  AlignedVector row_;            // the row at work, all columns, blocks as those of U
  std::vector<double> y_;
};

}  // namespace carom::complementarity
