// SPDX-License-Identifier: Apache-2.0
#include <Eigen/QR>

#include <carom/core/dense_factors.hpp>

namespace carom {
namespace {

/// A P = Q [T 0; 0 0] Z: the last rows of Z span the kernel.
template <class Matrix>
Eigen::VectorXd solve(const Eigen::MatrixXd& A, const Eigen::VectorXd& b, double threshold,
                      Eigen::MatrixXd& kernel) {
  Eigen::CompleteOrthogonalDecomposition<Matrix> factors;
  factors.setThreshold(threshold);
  factors.compute(A);
  const Eigen::Index n = A.cols();
  if (factors.rank() == n) {
    kernel.resize(n, 0);
    return factors.solve(b);
  }
  const Matrix Z = factors.matrixZ();
  kernel = factors.colsPermutation() * Z.bottomRows(n - factors.rank()).transpose();
  return factors.solve(b);
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
