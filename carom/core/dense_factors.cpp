// SPDX-License-Identifier: Apache-2.0
#include <carom/core/dense_factors.hpp>

#include <limits>

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

/// A = L D L^T in place of the lower triangle of A: D on the diagonal, L below it. False where a
/// pivot is not above `least` of its row.
template <class Matrix, class Least>
bool eliminate(Matrix& A, const Least& least) {
  const Eigen::Index n = A.cols();
  for (Eigen::Index k = 0; k < n; ++k) {
    double* const done = A.col(k).data();
    const double pivot = done[k];
    if (!(pivot > least(k))) return false;
    for (Eigen::Index j = k + 1; j < n; ++j) {
      if (done[j] == 0.) continue;  // contacts far from each other
      const double factor = done[j] / pivot;
      double* const column = A.col(j).data();
      for (Eigen::Index i = j; i < n; ++i) column[i] -= done[i] * factor;
    }
    for (Eigen::Index i = k + 1; i < n; ++i) done[i] /= pivot;
  }
  return true;
}

}  // namespace

bool Ldlt::factorize(const Eigen::MatrixXd& A, double threshold) {
  L_ = A;
  D_ = L_.diagonal();
  if (!eliminate(L_, [&](Eigen::Index k) { return threshold * D_(k); })) return false;
  D_ = L_.diagonal();
  return true;
}

void Ldlt::forward(Eigen::Ref<Eigen::MatrixXd> X) const {
  const Eigen::Index n = D_.size();
  for (Eigen::Index c = 0; c < X.cols(); ++c) {
    double* const x = X.col(c).data();
    for (Eigen::Index k = 0; k < n; ++k) {
      if (x[k] == 0.) continue;  // the columns of an identity begin with zeros
      const double* const column = L_.col(k).data();
      for (Eigen::Index i = k + 1; i < n; ++i) x[i] -= column[i] * x[k];
    }
  }
}

void Ldlt::solve(Eigen::Ref<Eigen::MatrixXd> X) const {
  forward(X);
  const Eigen::Index n = D_.size();
  for (Eigen::Index c = 0; c < X.cols(); ++c) {
    double* const x = X.col(c).data();
    for (Eigen::Index i = n; i-- > 0;) {
      const double* const column = L_.col(i).data();
      double sum = x[i] / D_(i);
      for (Eigen::Index k = i + 1; k < n; ++k) sum -= column[k] * x[k];
      x[i] = sum;
    }
  }
}

double least_pivot(Eigen::Ref<Eigen::MatrixXd> A) {
  return eliminate(A, [](Eigen::Index) { return 0.; }) ? A.diagonal().minCoeff() : 0.;
}

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

Eigen::VectorXd solve_definite(const Eigen::MatrixXd& A, const Eigen::VectorXd& b) {
  Ldlt factors;
  Eigen::VectorXd x = b;
  if (!factors.factorize(A, 0.)) x.setConstant(std::numeric_limits<double>::quiet_NaN());
  factors.solve(x);
  return x;
}

Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& A) {
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(A, Eigen::EigenvaluesOnly).eigenvalues();
}

SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& A) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(A);
  return {.values = eigen.eigenvalues(), .vectors = eigen.eigenvectors()};
}

}  // namespace carom
