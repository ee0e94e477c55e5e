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

// Reflection by reflection, as Eigen's HouseholderQR does for so few columns, to the last bit: it
// also compiles them by blocks.
SmallMatrix orthonormal(const SmallMatrix& A) {
  const Eigen::Index rows = A.rows();
  const Eigen::Index cols = A.cols();
  SmallMatrix QR = A;
  Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, 16, 1> tau(cols), workspace(cols);
  for (Eigen::Index k = 0; k < cols; ++k) {
    QR.col(k).tail(rows - k).makeHouseholderInPlace(tau(k), QR(k, k));
    QR.bottomRightCorner(rows - k, cols - k - 1)
        .applyHouseholderOnTheLeft(QR.col(k).tail(rows - k - 1), tau(k), workspace.data());
  }
  SmallMatrix Q = SmallMatrix::Identity(rows, cols);
  for (Eigen::Index k = cols - 1; k >= 0; --k) {
    Q.bottomRightCorner(rows - k, cols - k)
        .applyHouseholderOnTheLeft(QR.col(k).tail(rows - k - 1), tau(k), workspace.data());
  }
  return Q;
}

Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& A) {
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(A, Eigen::EigenvaluesOnly).eigenvalues();
}

SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& A) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(A);
  return {.values = eigen.eigenvalues(), .vectors = eigen.eigenvectors()};
}

}  // namespace carom
