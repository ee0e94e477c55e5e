// SPDX-License-Identifier: Apache-2.0
#include <carom/complementarity/friction/uniqueness.hpp>

#include <array>
#include <cmath>

#include <carom/core/dense_factors.hpp>
#include <carom/core/scalar.hpp>

namespace carom::complementarity {
namespace {

/// A pivot of G below this part of its diagonal is zero: what is above keeps six digits of sixteen.
constexpr double singular = 1e-10;
/// By so much the form must be definite: its rows come of a solution with L, whose least pivot is
/// the root of `singular`, 1e-5, and are known to epsilon over that, 2e-11.
constexpr double least_definite = 1e-6;

constexpr std::size_t most_rows = 2 * most_enumerated;
using Row = std::array<double, most_rows>;

/// Cholesky factorization G = L L^T with all normal rows first, and one column of L for each
/// nonzero pivot.
class NormalFirst {
 public:
  NormalFirst(const BlockMatrix& G, std::span<const double> mu) : n_(G.blocks()) {
    for (std::size_t i = 0; i < n_; ++i) index_[size_++] = 2 * i;
    for (std::size_t i = 0; i < n_; ++i) {
      if (mu[i] > 0.) index_[size_++] = 2 * i + 1;
    }
    factorize(G);
  }

  /// Whether x.G x determines all normal impulses.
  [[nodiscard]] bool normals_determined() const { return determined_; }
  [[nodiscard]] std::size_t rank() const { return rank_; }
  /// With y = L^T x: (G x)_t,i = tangential(k).y of the k-th contact with friction.
  [[nodiscard]] const Row& tangential(std::size_t k) const { return L_[n_ + k]; }
  /// And x_n,i = normal(i).y.
  [[nodiscard]] Row normal(std::size_t i) const {
    Row e{};
    e[i] = 1.;
    return solve(e);
  }

 private:
  void factorize(const BlockMatrix& G) {
    for (std::size_t r = 0; r < size_; ++r) {
      Row& row = L_[r];
      row.fill(0.);
      for (std::size_t c = 0; c < rank_; ++c) {
        const std::size_t p = pivot_[c];
        double x = G(index_[r], index_[p]);
        for (std::size_t k = 0; k < c; ++k) x -= row[k] * L_[p][k];
        row[c] = x / L_[p][c];
      }
      const double own = G(index_[r], index_[r]);
      double x = own;
      for (std::size_t k = 0; k < rank_; ++k) x -= row[k] * row[k];
      if (x > singular * own) {
        row[rank_] = std::sqrt(x);
        pivot_[rank_++] = r;
      } else if (r < n_ || !silent(row)) {
        determined_ = false;
        return;
      }
    }
  }

  /// Solves L_1^T x = e, where L_1 consists of the pivot rows.
  [[nodiscard]] Row solve_transposed(Row y) const {
    for (std::size_t c = rank_; c-- > 0;) {
      for (std::size_t k = c + 1; k < rank_; ++k) y[c] -= L_[pivot_[k]][c] * y[k];
      y[c] /= L_[pivot_[c]][c];
    }
    return y;
  }

  /// Solves L_1 y = e.
  [[nodiscard]] Row solve(Row y) const {
    for (std::size_t c = 0; c < rank_; ++c) {
      for (std::size_t k = 0; k < c; ++k) y[c] -= L_[pivot_[c]][k] * y[k];
      y[c] /= L_[pivot_[c]][c];
    }
    return y;
  }

  /// For a tangential row that depends on the pivot rows: whether it depends on tangential rows
  /// only.
  [[nodiscard]] bool silent(const Row& row) const {
    const Row x = solve_transposed(row);
    for (std::size_t i = 0; i < n_; ++i) {
      if (magnitude(x[i]) * L_[i][i] > std::sqrt(singular)) return false;
    }
    return true;
  }

  std::size_t n_;
  std::size_t size_ = 0;
  std::size_t rank_ = 0;
  bool determined_ = true;
  std::array<std::size_t, most_rows> index_{};  // rows of G in order
  std::array<std::size_t, most_rows> pivot_{};  // rows that produced the columns of L
  std::array<Row, most_rows> L_{};
};

double square(const Row& row, std::size_t n) {
  double sum = 0.;
  for (std::size_t k = 0; k < n; ++k) sum += row[k] * row[k];
  return sum;
}

/// From the lower triangle of a.
void subtract(SmallMatrix& a, double f, const Row& v) {
  for (Eigen::Index j = 0; j < a.cols(); ++j) {
    const double g = f * v[static_cast<std::size_t>(j)];
    for (Eigen::Index i = j; i < a.rows(); ++i) a(i, j) -= g * v[static_cast<std::size_t>(i)];
  }
}

}  // namespace

/// In y = L^T x the form is 1 - 1/2 sum of mu (|t|/|n| n n^T + |n|/|t| t t^T), where the rows n and
/// t give x_n and (G x)_t, and alpha = mu |t|/|n|.
bool velocities_are_unique(const BlockMatrix& G, std::span<const double> mu) {
  const std::size_t n = G.blocks();
  if (G.components() != 2 || n > most_enumerated) return false;
  const NormalFirst factor(G, mu);
  if (!factor.normals_determined()) return false;
  const std::size_t rank = factor.rank();
  const auto rows = static_cast<Eigen::Index>(rank);
  SmallMatrix form = SmallMatrix::Identity(rows, rows);
  std::size_t k = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (!(mu[i] > 0.)) continue;
    const Row& t = factor.tangential(k++);
    const Row x = factor.normal(i);
    const double t_square = square(t, rank);
    const double x_square = square(x, rank);
    if (!(t_square > 0.)) continue;  // slip does not occur here
    const double ratio = std::sqrt(t_square / x_square);
    if (!(mu[i] * mu[i] * t_square * x_square < 4.)) return false;
    subtract(form, 0.5 * mu[i] * ratio, x);
    subtract(form, 0.5 * mu[i] / ratio, t);
  }
  return least_pivot(form) > least_definite;
}

}  // namespace carom::complementarity
