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
  ray,  ///< terminated on a secondary ray: if M is positive semidefinite, there is no solution
  too_many_pivots,  ///< iteration limit reached
};

/// Lemke's complementary pivoting method with the lexicographic ratio test, which prevents cycling
/// [Cottle, Pang & Stone 1992, Sec. 4.4 and 4.9]. Dense: an n x n table is pivoted in place.
///
/// Rows and columns are scaled by powers of two so that the diagonal is about one. The covering
/// vector is scaled with them, so that the result does not depend on units. The object is a
/// workspace: problems no larger than an earlier one allocate nothing.
class Lemke {
 public:
  /// @param M  n x n, row-major
  /// @param most_pivots  0: proportional to n
  LemkeStatus solve(std::span<const double> M, std::span<const double> q,
                    std::size_t most_pivots = 0);

  /// Of the last call, if it was solved. z >= 0 and w >= 0, and one of each pair is zero.
  [[nodiscard]] std::span<const double> z() const { return {z_.data(), n_}; }
  [[nodiscard]] std::span<const double> w() const { return {w_.data(), n_}; }
  /// Of the last call, if it ended on a ray: y >= 0 with z + t y on the ray for all t >= 0. If M is
  /// copositive, y.M y = 0 and q.y < 0 [Cottle, Pang & Stone 1992, Sec. 4.4]. If M is positive
  /// semidefinite and symmetric, too, M y = 0, so that y.(M z + q) < 0 for all z: no z has w >= 0.
  /// Other copositive M, those of friction among them, may have solutions that the ray misses.
  [[nodiscard]] std::span<const double> ray() const { return {ray_.data(), n_}; }
  [[nodiscard]] std::size_t pivots() const { return pivots_; }

 private:
  void resize(std::size_t n);
  void read(std::span<const double> M, std::span<const double> q);
  void column(std::size_t s);
  void row(std::size_t r, double* out) const;
  void apply_deferred();
  void pivot(std::size_t r, std::size_t s);
  void record_ray(std::size_t s);
  void refresh(std::span<const double> M, std::span<const double> q);
  [[nodiscard]] std::size_t leaving_row();
  [[nodiscard]] std::size_t first_of_ties();
  [[nodiscard]] double inverse_entry(std::size_t row, std::size_t j, const double* table_row) const;

  // Basic variables as an affine function of the nonbasic ones: x_basic = table x_other + value.
  // Variables are numbered z_0 .. z_n-1, w_0 .. w_n-1, and 2n for the artificial one. With n >
  // direct_size the last few pivots are stored separately, as products up * across, and added to
  // the table together.
  std::size_t n_ = 0;
  std::size_t stride_ = 0;         // distance between rows of the table, at least n + 1
  std::vector<double> table_;      // n rows
  std::vector<double> up_;         // n rows of `most_deferred`
  std::vector<double> across_;     // `most_deferred` rows of n + 1
  std::size_t deferred_ = 0;       // number of deferred pivots
  std::vector<double> value_;      // values of the basic variables
  std::vector<double> entering_;   // the entering column
  std::vector<double> pivot_row_;  // the row of the leaving variable
  std::vector<double> scratch_;
  std::vector<std::uint32_t> basic_;  // basic variable of each row
  std::vector<std::uint32_t> other_;  // nonbasic variable of each column
  std::vector<std::uint32_t> place_;  // place of each variable: its row, or n + its column
  std::vector<std::uint32_t> ties_;
  std::vector<double> scale_;  // w_i = scaled w_i / scale_i * unit, z_i = .. * scale_i
  std::vector<double> z_;
  std::vector<double> w_;
  std::vector<double> ray_;
  double unit_ = 1.;  // scale of q
  std::size_t pivots_ = 0;
};

}  // namespace carom::complementarity
