// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include <Eigen/Core>

#include <carom/core/scalar.hpp>

/// Factorizations of dense matrices of any size, compiled once: `Ldlt` of definite ones, and
/// orthogonal ones of matrices that may be singular. Regular equations are solved by `LinearSystem`
/// (up to six) or `DenseSystem` (any number).
namespace carom {

/// A = L D L^T of a symmetric positive definite matrix, with ones on the diagonal of L. No square
/// roots: a diagonal A has nothing to round. No pivoting, which definite matrices do not need:
/// scaling rows and columns changes nothing but rounding.
class Ldlt {
 public:
  /// False where a pivot, what is left of a diagonal entry by the rows before it, is at most
  /// `threshold` times that entry: below a few roundings that is nothing, in whatever units.
  /// Reads the lower triangle.
  [[nodiscard]] bool factorize(const Eigen::MatrixXd& A, double threshold = rounding);

  /// The pivots.
  [[nodiscard]] const Eigen::VectorXd& D() const { return D_; }
  /// X = L^-1 X
  void forward(Eigen::Ref<Eigen::MatrixXd> X) const;
  /// X = A^-1 X
  void solve(Eigen::Ref<Eigen::MatrixXd> X) const;

 private:
  Eigen::MatrixXd L_;  // below the diagonal
  Eigen::VectorXd D_;
  std::vector<Eigen::Index> end_;  // of the entries of each column of L that are not zero
};

/// The least pivot of `Ldlt`; zero where A, symmetric, is not positive definite. Overwrites the
/// lower triangle of A, and allocates nothing.
[[nodiscard]] double least_pivot(Eigen::Ref<Eigen::MatrixXd> A);

/// The least-squares solution of least norm of A x = b, by a complete orthogonal decomposition.
/// @param threshold  a pivot below it times the largest counts as zero; none: Eigen's rounding
[[nodiscard]] Eigen::VectorXd least_squares(const Eigen::MatrixXd& A, const Eigen::VectorXd& b,
                                            std::optional<double> threshold = {});

using MatrixByRows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// The same, with orthonormal columns that span the kernel of A in `kernel`: all x + kernel z are
/// least-squares solutions. By elimination with complete pivoting where that leaves no doubt of the
/// rank. NaN where A is not finite.
[[nodiscard]] Eigen::VectorXd undetermined_solution(const Eigen::Ref<const MatrixByRows>& A,
                                                    const Eigen::VectorXd& b, double threshold,
                                                    Eigen::MatrixXd& kernel);

/// The same by Householder's reflections, whatever the rank.
[[nodiscard]] Eigen::VectorXd undetermined_by_reflections(const Eigen::MatrixXd& A,
                                                          const Eigen::VectorXd& b,
                                                          double threshold,
                                                          Eigen::MatrixXd& kernel);

struct PseudoInverse {
  Eigen::MatrixXd matrix;
  Eigen::Index rank = 0;
};

/// @param threshold  as for `least_squares`
[[nodiscard]] PseudoInverse pseudo_inverse(const Eigen::MatrixXd& A, double threshold);

/// At most 16 rows and columns, without allocation.
using SmallMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, 16, 16>;

/// Columns that span the kernel of A, not normalised, by QR with column pivoting.
/// @param threshold  as for `least_squares`
[[nodiscard]] SmallMatrix kernel(const SmallMatrix& A, double threshold);

/// Orthonormal columns that span the same space. @pre the columns of A are independent
[[nodiscard]] SmallMatrix orthonormal(const SmallMatrix& A);

/// Solves A x = b by `Ldlt`; NaN where A, symmetric, is not positive definite.
[[nodiscard]] Eigen::VectorXd solve_definite(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);

/// The eigenvalues of a symmetric matrix, ascending.
[[nodiscard]] Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& A);

struct SymmetricEigen {
  Eigen::VectorXd values;   ///< ascending
  Eigen::MatrixXd vectors;  ///< orthonormal columns
};
[[nodiscard]] SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& A);

}  // namespace carom
