// SPDX-License-Identifier: Apache-2.0
#include <carom/core/dense_factors.hpp>

#include <Eigen/Eigenvalues>

namespace carom {

Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& A) {
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(A, Eigen::EigenvaluesOnly).eigenvalues();
}

SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& A) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(A);
  return {.values = eigen.eigenvalues(), .vectors = eigen.eigenvectors()};
}

}  // namespace carom
