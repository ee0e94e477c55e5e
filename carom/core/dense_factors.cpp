// SPDX-License-Identifier: Apache-2.0
#include <carom/core/dense_factors.hpp>

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
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

Eigen::MatrixXd kernel(const Eigen::MatrixXd& A, double threshold) {
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr;
  qr.setThreshold(threshold);
  qr.compute(A);
  const Eigen::Index rank = qr.rank();
  const Eigen::Index silent = A.cols() - rank;
  if (silent == 0) return {A.cols(), 0};
  Eigen::MatrixXd columns = Eigen::MatrixXd::Zero(A.cols(), silent);
  columns.topRows(rank) = -qr.matrixR()
                               .topLeftCorner(rank, rank)
                               .triangularView<Eigen::Upper>()
                               .solve(qr.matrixR().topRightCorner(rank, silent));
  columns.bottomRows(silent).setIdentity();
  return qr.colsPermutation() * columns;
}

Eigen::MatrixXd orthonormal(const Eigen::MatrixXd& A) {
  return Eigen::HouseholderQR<Eigen::MatrixXd>(A).householderQ() *
         Eigen::MatrixXd::Identity(A.rows(), A.cols());
}

std::optional<Eigen::VectorXd> solve_regular(const Eigen::MatrixXd& A, const Eigen::VectorXd& b,
                                             double threshold) {
  const double largest = A.cwiseAbs().maxCoeff();
  const Eigen::PartialPivLU<Eigen::MatrixXd> lu(A);
  double least = largest;
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    least = std::min(least, std::abs(lu.matrixLU()(i, i)));
  }
  if (!(least > threshold * largest)) return std::nullopt;
  return lu.solve(b);
}

Eigen::VectorXd solve_semidefinite(const Eigen::MatrixXd& A, const Eigen::VectorXd& b) {
  return A.ldlt().solve(b);
}

Eigen::VectorXd solve_definite(const Eigen::MatrixXd& A, const Eigen::VectorXd& b) {
  return A.llt().solve(b);
}

std::optional<Eigen::MatrixXd> definite_inverse(const Eigen::MatrixXd& A, double threshold) {
  const Eigen::LLT<Eigen::MatrixXd> factors(A);
  if (factors.info() != Eigen::Success) return std::nullopt;
  const double least = factors.matrixLLT().diagonal().cwiseAbs2().minCoeff();
  if (!(least > threshold * A.diagonal().maxCoeff())) return std::nullopt;
  return factors.solve(Eigen::MatrixXd::Identity(A.rows(), A.cols()));
}

Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& A) {
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(A, Eigen::EigenvaluesOnly).eigenvalues();
}

SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& A) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(A);
  return {.values = eigen.eigenvalues(), .vectors = eigen.eigenvectors()};
}

}  // namespace carom
