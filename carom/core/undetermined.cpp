// SPDX-License-Identifier: Apache-2.0
#include <Eigen/QR>
#include <utility>

#include <carom/core/dense_factors.hpp>

namespace carom {
namespace {

/// The least-squares solution of least norm of A x = b, A P = Q [T 0; 0 0] Z. The reflections are
/// those of Eigen's `solve`, to the last bit, one after the other: Eigen also compiles them by
/// blocks, for many right-hand sides, which takes longer than all the rest of this file.
template <class Matrix>
Eigen::VectorXd solution(const Eigen::CompleteOrthogonalDecomposition<Matrix>& factors,
                         const Eigen::VectorXd& b) {
  const auto& QTZ = factors.matrixQTZ();
  const Eigen::Index rows = factors.rows();
  const Eigen::Index cols = factors.cols();
  const Eigen::Index rank = factors.rank();
  if (rank == 0) return Eigen::VectorXd::Zero(cols);
  double workspace = 0.;
  Eigen::VectorXd c = b;  // Q' b
  for (Eigen::Index k = 0; k < rank; ++k) {
    c.tail(rows - k).applyHouseholderOnTheLeft(QTZ.col(k).tail(rows - k - 1), factors.hCoeffs()(k),
                                               &workspace);
  }
  Eigen::VectorXd x(cols);
  x.head(rank) =
      QTZ.topLeftCorner(rank, rank).template triangularView<Eigen::Upper>().solve(c.head(rank));
  if (rank < cols) {
    x.tail(cols - rank).setZero();
    for (Eigen::Index k = 0; k < rank; ++k) {  // Z', a reflection of x(k) and the last rows each
      std::swap(x(k), x(rank - 1));
      x.tail(cols - rank + 1)
          .applyHouseholderOnTheLeft(QTZ.row(k).tail(cols - rank).transpose(), factors.zCoeffs()(k),
                                     &workspace);
      std::swap(x(k), x(rank - 1));
    }
  }
  return factors.colsPermutation() * x;
}

/// The last rows of Z span the kernel.
template <class Matrix>
Eigen::VectorXd solve(const Eigen::MatrixXd& A, const Eigen::VectorXd& b, double threshold,
                      Eigen::MatrixXd& kernel) {
  Eigen::CompleteOrthogonalDecomposition<Matrix> factors;
  factors.setThreshold(threshold);
  factors.compute(A);
  const Eigen::Index n = A.cols();
  if (factors.rank() == n) {
    kernel.resize(n, 0);
    return solution(factors, b);
  }
  const Matrix Z = factors.matrixZ();
  kernel = factors.colsPermutation() * Z.bottomRows(n - factors.rank()).transpose();
  return solution(factors, b);
}

}  // namespace

// Motion with few hyperstatic contacts asks for it at every rate.
Eigen::VectorXd undetermined_solution(const Eigen::MatrixXd& A, const Eigen::VectorXd& b,
                                      double threshold, Eigen::MatrixXd& kernel) {
  const bool small = A.rows() <= SmallMatrix::MaxRowsAtCompileTime &&
                     A.cols() <= SmallMatrix::MaxColsAtCompileTime;
  return small ? solve<SmallMatrix>(A, b, threshold, kernel)
               : solve<Eigen::MatrixXd>(A, b, threshold, kernel);
}

}  // namespace carom
