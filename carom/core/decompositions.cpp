// SPDX-License-Identifier: Apache-2.0
#include <carom/core/dense_factors.hpp>

#include <Eigen/Eigenvalues>
#include <Eigen/QR>

namespace carom {
namespace {

Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> orthogonal(
    const Eigen::MatrixXd& A, std::optional<double> threshold) {
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> factors;
  if (threshold) factors.setThreshold(*threshold);
  factors.compute(A);
  return factors;
}

}  // namespace

Eigen::VectorXd least_squares(const Eigen::MatrixXd& A, const Eigen::VectorXd& b,
                              std::optional<double> threshold) {
  return orthogonal(A, threshold).solve(b);
}

PseudoInverse pseudo_inverse(const Eigen::MatrixXd& A, double threshold) {
  const auto factors = orthogonal(A, threshold);
  return {.matrix = factors.pseudoInverse(), .rank = factors.rank()};
}

SmallMatrix kernel(const SmallMatrix& A, double threshold) {
  Eigen::ColPivHouseholderQR<SmallMatrix> qr;
  qr.setThreshold(threshold);
  qr.compute(A);
  const Eigen::Index rank = qr.rank();
  const Eigen::Index silent = A.cols() - rank;
  if (silent == 0) return SmallMatrix(A.cols(), 0);
  SmallMatrix columns = SmallMatrix::Zero(A.cols(), silent);
  columns.topRows(rank) = -qr.matrixR()
                               .topLeftCorner(rank, rank)
                               .triangularView<Eigen::Upper>()
                               .solve(qr.matrixR().topRightCorner(rank, silent));
  columns.bottomRows(silent).setIdentity();
  return qr.colsPermutation() * columns;
}

SmallMatrix orthonormal(const SmallMatrix& A) {
  return Eigen::HouseholderQR<SmallMatrix>(A).householderQ() *
         SmallMatrix::Identity(A.rows(), A.cols());
}

Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& A) {
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(A, Eigen::EigenvaluesOnly).eigenvalues();
}

SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& A) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(A);
  return {.values = eigen.eigenvalues(), .vectors = eigen.eigenvectors()};
}

}  // namespace carom
