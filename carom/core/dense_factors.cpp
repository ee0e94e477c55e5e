// SPDX-License-Identifier: Apache-2.0
#include <carom/core/dense_factors.hpp>

#include <limits>

namespace carom {
namespace {

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
  const Eigen::Index n = D_.size();
  end_.resize(static_cast<std::size_t>(n));
  for (Eigen::Index k = 0; k < n; ++k) {
    Eigen::Index end = n;
    while (end > k + 1 && L_(end - 1, k) == 0.) --end;
    end_[static_cast<std::size_t>(k)] = end;
  }
  return true;
}

void Ldlt::forward(Eigen::Ref<Eigen::MatrixXd> X) const {
  const Eigen::Index n = D_.size();
  for (Eigen::Index c = 0; c < X.cols(); ++c) {
    double* const x = X.col(c).data();
    for (Eigen::Index k = 0; k < n; ++k) {
      if (x[k] == 0.) continue;  // the columns of an identity begin with zeros
      const double* const column = L_.col(k).data();
      const Eigen::Index end = end_[static_cast<std::size_t>(k)];
      for (Eigen::Index i = k + 1; i < end; ++i) x[i] -= column[i] * x[k];
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
      const Eigen::Index end = end_[static_cast<std::size_t>(i)];
      for (Eigen::Index k = i + 1; k < end; ++k) sum -= column[k] * x[k];
      x[i] = sum;
    }
  }
}

double least_pivot(Eigen::Ref<Eigen::MatrixXd> A) {
  return eliminate(A, [](Eigen::Index) { return 0.; }) ? A.diagonal().minCoeff() : 0.;
}

Eigen::VectorXd solve_definite(const Eigen::MatrixXd& A, const Eigen::VectorXd& b) {
  Ldlt factors;
  Eigen::VectorXd x = b;
  if (factors.factorize(A, 0.)) {
    factors.solve(x);
  } else {
    x.setConstant(std::numeric_limits<double>::quiet_NaN());
  }
  return x;
}

}  // namespace carom
