// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <carom/core/lanes.hpp>

namespace carom::complementarity {

/// Sparse LU factorization of a matrix of small square blocks, A = L U by blocks. The pattern is
/// symmetric; the values need not be. Rows are ordered by approximate minimum degree [Amestoy,
/// Davis & Duff 1996]. Pivoting is done only within the diagonal blocks, which suits matrices that
/// are nearly positive definite.
class BlockLu {
 public:
  /// Sets the pattern: the off-diagonal columns of each row, ascending. A pattern equal to the
  /// previous one is kept. With a new pattern all rows are active.
  void analyze(std::size_t block, std::span<const std::size_t> begin,
               std::span<const std::uint32_t> column);

  /// Makes only the rows active whose entry here is not zero, and their columns. Entries of other
  /// rows are not read, and x is not changed there. The ordering stays; the fill-in is computed
  /// again.
  void keep(std::span<const std::uint8_t> rows);

  /// Sets all entries to zero before they are added.
  void clear();
  /// The block in row i and column j of the pattern, or on the diagonal, row-major.
  [[nodiscard]] double* diagonal(std::size_t i) {
    return &entries_[diagonal_at_ + i * block_ * block_];
  }
  /// The k-th off-diagonal block, in the order of the pattern.
  [[nodiscard]] double* off_diagonal(std::size_t k) { return &entries_[k * block_ * block_]; }

  /// Returns false if a diagonal block becomes singular.
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
  std::vector<std::size_t> begin_;         // pattern, as given
  std::vector<std::uint32_t> column_;      // pattern, as given
  std::vector<double> entries_;            // off-diagonal blocks as given, then the diagonal
  std::vector<std::uint32_t> least_fill_;  // fill-reducing order of all rows
  std::vector<std::uint8_t> kept_;         // which rows are active

  bool fill_known_ = false;
  std::vector<std::uint32_t> order_;         // of active rows: order_[new] = old
  std::vector<std::uint32_t> place_;         // place_[old] = new
  std::vector<std::uint32_t> parent_;        // first column of each row of U
  std::vector<std::uint32_t> seen_;          // the row from which a row was last reached
  std::vector<std::size_t> upper_begin_;     // rows of U, without the diagonal
  std::vector<std::uint32_t> upper_column_;  // new numbers, ascending
  std::vector<std::size_t> lower_begin_;     // rows of L
  std::vector<std::uint32_t> lower_column_;
  std::vector<std::size_t> next_;  // next place in the row of U or L being filled
  AlignedVector upper_;            // blocks, their rows `wide` apart
  std::vector<double> lower_;
  std::vector<double> inverse_;  // of the diagonal blocks of U
  AlignedVector row_;            // the current row, all columns, blocks stored as in U
  std::vector<double> y_;
};

}  // namespace carom::complementarity
