// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// Linear complementarity problems: w = M z + q,  0 <= w  _|_  z >= 0.
namespace carom::complementarity {

enum class LemkeStatus : std::uint8_t {
  solved,
  ray,              ///< ended on a secondary ray: where M is copositive, there is no solution
  too_many_pivots,  ///< gave up
};

/// Lemke's complementary pivoting with the lexicographic ratio test, which cannot cycle [Cottle,
/// Pang & Stone 1992, Sec. 4.4 and 4.9]. Dense: an n x n table is pivoted in place.
///
/// Rows and columns are scaled by powers of two so that the diagonal is about one, and with it the
/// covering vector: units do not matter. The object is a workspace: problems of the size of an
/// earlier one allocate nothing.
class Lemke {
 public:
  /// @param M  n x n by rows
  /// @param most_pivots  0: in proportion to n
  LemkeStatus solve(std::span<const double> M, std::span<const double> q,
                    std::size_t most_pivots = 0);

  /// Of the last call, where it was solved. z >= 0 and w >= 0, and of each pair one is zero.
  [[nodiscard]] std::span<const double> z() const { return {z_.data(), n_}; }
  [[nodiscard]] std::span<const double> w() const { return {w_.data(), n_}; }
  [[nodiscard]] std::size_t pivots() const { return pivots_; }

 private:
  void resize(std::size_t n);
  void read(std::span<const double> M, std::span<const double> q);
  void column(std::size_t s);
  void row(std::size_t r, double* out) const;
  void apply_deferred();
  void pivot(std::size_t r, std::size_t s);
  void refresh(std::span<const double> M, std::span<const double> q);
  [[nodiscard]] std::size_t leaving_row();
  [[nodiscard]] std::size_t first_of_ties();
  [[nodiscard]] double inverse_entry(std::size_t row, std::size_t j, const double* table_row) const;

  // Basic variables as an affine function of the others: x_basic = table x_other + value. Variables
  // are numbered z_0 .. z_n-1, w_0 .. w_n-1, and 2n for the artificial one. With n > direct_size
  // the last few pivots are kept apart, as products up * across, and added to the table together.
  std::size_t n_ = 0;
  std::size_t stride_ = 0;         // of a row of the table, n + 1 columns
  std::vector<double> table_;      // n rows
  std::vector<double> up_;         // n rows of `most_deferred`
  std::vector<double> across_;     // `most_deferred` rows of n + 1
  std::size_t deferred_ = 0;       // how many
  std::vector<double> value_;      // of the basic variables
  std::vector<double> entering_;   // the entering column
  std::vector<double> pivot_row_;  // and the leaving row
  std::vector<double> scratch_;
  std::vector<std::uint32_t> basic_;  // variable in each row
  std::vector<std::uint32_t> other_;  // variable in each column
  std::vector<std::uint32_t> place_;  // of each variable: its row, or n + its column
  std::vector<std::uint32_t> ties_;
  std::vector<double> scale_;  // w_i = scaled w_i / scale_i * unit, z_i = .. * scale_i
  std::vector<double> z_;
  std::vector<double> w_;
  double unit_ = 1.;  // of q
  std::size_t pivots_ = 0;
};

}  // namespace carom::complementarity
