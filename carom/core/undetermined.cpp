// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include <carom/core/dense_factors.hpp>
#include <carom/core/lanes.hpp>

namespace carom {
namespace {

using Eigen::Index;

/// P A Q = L U by Gaussian elimination with complete pivoting, which ends at the rank: of a third
/// of the operations of an orthogonal decomposition, most by whole rows. A workspace.
class CompletePivoting {
 public:
  void factorize(const Eigen::MatrixXd& A, double threshold) {
    rows_ = static_cast<std::size_t>(A.rows());
    cols_ = static_cast<std::size_t>(A.cols());
    stride_ = whole_vectors(cols_);
    m_.assign(rows_ * stride_, 0.);
    for (std::size_t j = 0; j < cols_; ++j) {
      for (std::size_t i = 0; i < rows_; ++i) row(i)[j] = A.data()[j * rows_ + i];
    }
    row_order_.resize(rows_);
    col_order_.resize(cols_);
    for (std::size_t i = 0; i < rows_; ++i) row_order_[i] = static_cast<Index>(i);
    for (std::size_t j = 0; j < cols_; ++j) col_order_[j] = static_cast<Index>(j);
    rank_ = 0;
    double least = 0.;
    while (rank_ < std::min(rows_, cols_)) {
      if (!exchange(least)) return;
      const std::size_t k = rank_++;
      const double* const above = row(k);
      if (k == 0) least = threshold * std::abs(above[0]);
      const std::size_t from = k + 1 < cols_ ? (k + 1) / 8 * 8 : stride_;
      for (std::size_t i = rank_; i < rows_; ++i) {
        double* const own = row(i);
        if (own[k] == 0.) continue;  // contacts far from each other
        const double factor = own[k] / above[k];
        // Whole vectors: what stands left of the rest is kept.
        for (std::size_t j = from; j < rank_; ++j) kept_[j - from] = own[j];
        if (from < stride_) add_multiple(own + from, stride_ - from, -factor, above + from);
        for (std::size_t j = from; j < rank_; ++j) own[j] = kept_[j - from];
        own[k] = factor;
      }
    }
  }

  /// Orthonormal columns N with A N = 0.
  void right_kernel(Eigen::MatrixXd& N) const {
    const std::size_t silent = cols_ - rank_;
    N.setZero(static_cast<Index>(cols_), static_cast<Index>(silent));
    for (std::size_t s = 0; s < silent; ++s) {
      double* const x = N.col(static_cast<Index>(s)).data();
      x[col_order_[rank_ + s]] = 1.;
      for (std::size_t i = rank_; i-- > 0;) {
        const double* const own = row(i);
        double sum = own[rank_ + s];
        for (std::size_t j = i + 1; j < rank_; ++j) sum += own[j] * x[col_order_[j]];
        x[col_order_[i]] = -sum / own[i];
      }
    }
    orthonormalise(N);
  }

  /// The same with A^T N = 0.
  void left_kernel(Eigen::MatrixXd& N) const {
    const std::size_t silent = rows_ - rank_;
    N.setZero(static_cast<Index>(rows_), static_cast<Index>(silent));
    for (std::size_t s = 0; s < silent; ++s) {
      double* const x = N.col(static_cast<Index>(s)).data();
      x[row_order_[rank_ + s]] = 1.;
      for (std::size_t j = rank_; j-- > 0;) {
        double sum = row(rank_ + s)[j];
        for (std::size_t i = j + 1; i < rank_; ++i) sum += row(i)[j] * x[row_order_[i]];
        x[row_order_[j]] = -sum;
      }
    }
    orthonormalise(N);
  }

  /// A solution of A x = b. @pre it has one
  [[nodiscard]] Eigen::VectorXd solve(const Eigen::VectorXd& b) const {
    Eigen::VectorXd x = Eigen::VectorXd::Zero(static_cast<Index>(cols_));
    y_.resize(rank_);
    for (std::size_t i = 0; i < rank_; ++i) {
      double sum = b(row_order_[i]);
      for (std::size_t j = 0; j < i; ++j) sum -= row(i)[j] * y_[j];
      y_[i] = sum;
    }
    for (std::size_t i = rank_; i-- > 0;) {
      double sum = y_[i];
      for (std::size_t j = i + 1; j < rank_; ++j) sum -= row(i)[j] * y_[j];
      y_[i] = sum / row(i)[i];
      x(col_order_[i]) = y_[i];
    }
    return x;
  }

 private:
  /// The largest entry of the rest becomes the next pivot. False if it is not above `least`.
  bool exchange(double least) {
    std::size_t at_row = rank_;
    std::size_t at_col = rank_;
    double largest = least;
    bool found = false;
    for (std::size_t i = rank_; i < rows_; ++i) {
      const double* const own = row(i);
      for (std::size_t j = rank_; j < cols_; ++j) {
        if (!(std::abs(own[j]) > largest)) continue;
        largest = std::abs(own[j]);
        at_row = i;
        at_col = j;
        found = true;
      }
    }
    if (!found) return false;
    if (at_row != rank_) {
      std::swap_ranges(row(at_row), row(at_row) + cols_, row(rank_));
      std::swap(row_order_[at_row], row_order_[rank_]);
    }
    if (at_col != rank_) {
      for (std::size_t i = 0; i < rows_; ++i) std::swap(row(i)[at_col], row(i)[rank_]);
      std::swap(col_order_[at_col], col_order_[rank_]);
    }
    return true;
  }

  /// By Gram and Schmidt, twice, which is enough [Giraud, Langou & Rozloznik 2005].
  static void orthonormalise(Eigen::MatrixXd& N) {
    for (Index k = 0; k < N.cols(); ++k) {
      for (int round = 0; round < 2; ++round) {
        for (Index j = 0; j < k; ++j) N.col(k) -= N.col(j).dot(N.col(k)) * N.col(j);
        N.col(k) /= N.col(k).norm();
      }
    }
  }

  [[nodiscard]] double* row(std::size_t i) { return m_.data() + i * stride_; }
  [[nodiscard]] const double* row(std::size_t i) const { return m_.data() + i * stride_; }

  std::size_t rows_ = 0, cols_ = 0, stride_ = 0, rank_ = 0;
  AlignedVector m_;  ///< L below the diagonal, U
  std::array<double, 8> kept_{};
  std::vector<Index> row_order_, col_order_;
  mutable std::vector<double> y_;
};

}  // namespace

// Motion with hyperstatic contacts asks for it at every rate. The least-squares solutions are those
// for the part of b that A can make, b - L L^T b with L the kernel of A^T; the least of them is
// perpendicular to the kernel.
Eigen::VectorXd undetermined_solution(const Eigen::MatrixXd& A, const Eigen::VectorXd& b,
                                      double threshold, Eigen::MatrixXd& kernel) {
  thread_local CompletePivoting factors;  // a workspace
  thread_local Eigen::MatrixXd left;
  if (!A.allFinite()) {
    kernel.resize(A.cols(), 0);
    return Eigen::VectorXd::Constant(A.cols(), std::numeric_limits<double>::quiet_NaN());
  }
  factors.factorize(A, threshold);
  factors.left_kernel(left);
  factors.right_kernel(kernel);
  Eigen::VectorXd made = b;
  for (Index k = 0; k < left.cols(); ++k) made -= left.col(k).dot(made) * left.col(k);
  Eigen::VectorXd x = factors.solve(made);
  for (Index k = 0; k < kernel.cols(); ++k) x -= kernel.col(k).dot(x) * kernel.col(k);
  return x;
}

}  // namespace carom
