// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <Eigen/Core>

namespace carom {

/// A symmetric matrix of n x n square blocks, of which only those that are not zero are kept: row
/// by row, columns ascending, each block by rows. Every diagonal block is there. Dense matrices are
/// the case in which none is zero.
class BlockMatrix {
 public:
  /// One entry of the matrix, counted from zero.
  struct Triplet {
    std::size_t row = 0;
    std::size_t column = 0;
    double value = 0.;
  };

  BlockMatrix() = default;

  /// From all its entries. Throws InputError under `inverse_inertia` where it is not square, its
  /// size no multiple of `components`, an entry not finite, or not symmetric but for rounding; what
  /// rounding left is averaged.
  [[nodiscard]] static BlockMatrix from_dense(const Eigen::MatrixXd& matrix,
                                              std::size_t components);

  /// From entries in any order; those given twice add up. An entry whose mirror image is not given
  /// stands for both. Throws InputError as above, and where an index is out of range.
  [[nodiscard]] static BlockMatrix from_triplets(std::size_t blocks, std::size_t components,
                                                 std::span<const Triplet> triplets);

  /// Makes it a single block, given by rows, in memory that is reused. @pre it is symmetric
  void assign_block(std::size_t components, std::span<const double> block);

  [[nodiscard]] std::size_t blocks() const { return begin_.empty() ? 0 : begin_.size() - 1; }
  [[nodiscard]] std::size_t components() const { return components_; }
  [[nodiscard]] std::size_t size() const { return blocks() * components_; }
  [[nodiscard]] std::size_t stored_blocks() const { return column_.size(); }
  [[nodiscard]] bool is_dense() const { return stored_blocks() == blocks() * blocks(); }

  /// The columns that row i of blocks has.
  [[nodiscard]] std::span<const std::uint32_t> columns(std::size_t i) const {
    return {column_.data() + begin_[i], begin_[i + 1] - begin_[i]};
  }
  /// The k-th block of row i, components() x components() numbers by rows.
  [[nodiscard]] const double* block(std::size_t i, std::size_t k) const {
    return value_.data() + (begin_[i] + k) * components_ * components_;
  }
  [[nodiscard]] const double* diagonal(std::size_t i) const {
    return value_.data() + diagonal_[i] * components_ * components_;
  }
  /// The block of row i and column j, or null where it is zero.
  [[nodiscard]] const double* find(std::size_t i, std::size_t j) const;

  /// The entry at row r and column c.
  [[nodiscard]] double operator()(std::size_t r, std::size_t c) const;

  /// y = this x. @pre both have size() entries
  void multiply(std::span<const double> x, std::span<double> y) const;

  [[nodiscard]] Eigen::MatrixXd dense() const;

  bool operator==(const BlockMatrix&) const = default;

 private:
  std::size_t components_ = 1;
  std::vector<std::size_t> begin_;     ///< of each row, in blocks; one more than rows
  std::vector<std::uint32_t> column_;  ///< of each block
  std::vector<std::size_t> diagonal_;  ///< which block of all is the diagonal one of row i
  std::vector<double> value_;
};

}  // namespace carom
