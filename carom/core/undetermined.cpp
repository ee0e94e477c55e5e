// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <carom/core/dense_factors.hpp>
#include <carom/core/lanes.hpp>

namespace carom {
namespace {

using Eigen::Index;

/// Pivots above the first, relative to the largest, are no rounding; what is left below the second
/// is nothing else.
constexpr double clear = 1e-7;
constexpr double rounding_of_elimination = 1e-13;

/// P A Q = L U with complete pivoting, which reveals the rank: for a third of the operations of an
/// orthogonal decomposition, most of them by whole rows. A workspace.
class CompletePivoting {
 public:
  void factorize(const Eigen::Ref<const MatrixByRows>& A, double threshold) {
    rows_ = static_cast<std::size_t>(A.rows());
    cols_ = static_cast<std::size_t>(A.cols());
    stride_ = whole_vectors(cols_);
    U_.assign(rows_ * stride_, 0.);
    L_.resize(rows_ * stride_);
    for (std::size_t i = 0; i < rows_; ++i) {
      const double* const row = A.data() + static_cast<Index>(i) * A.outerStride();
      std::copy(row, row + cols_, U_.data() + i * stride_);
    }
    rows_of_.resize(rows_);
    cols_of_.resize(cols_);
    sizes_.resize(rows_);
    rank_ = eliminate_completely(U_.data(), rows_, cols_, stride_, threshold, L_.data(),
                                 rows_of_.data(), cols_of_.data(), sizes_.data());
  }

  /// Whether a pivot that counts is so small, or one that does not so large, that another method
  /// might decide otherwise.
  [[nodiscard]] bool is_doubtful() const {
    if (rank_ == 0) return false;
    const double first = std::abs(U_[0]);
    const double last = std::abs(U_[(rank_ - 1) * (stride_ + 1)]);
    double left = 0.;
    for (std::size_t i = rank_; i < rows_; ++i) left = std::max(left, sizes_[i]);
    return !(last > clear * first) || left > rounding_of_elimination * first;
  }

  /// Orthonormal columns N with A N = 0.
  void right_kernel(Eigen::MatrixXd& N) {
    const std::size_t silent = cols_ - rank_;
    N.setZero(static_cast<Index>(cols_), static_cast<Index>(silent));
    if (silent == 0) return;
    y_.resize(rank_ * silent);  // by rows: all columns at once
    for (std::size_t i = rank_; i-- > 0;) {
      const double* const u = &U_[i * stride_];
      double* const own = &y_[i * silent];
      for (std::size_t s = 0; s < silent; ++s) own[s] = u[rank_ + s];
      for (std::size_t j = i + 1; j < rank_; ++j) {
        const double* const below = &y_[j * silent];
        for (std::size_t s = 0; s < silent; ++s) own[s] += u[j] * below[s];
      }
      for (std::size_t s = 0; s < silent; ++s) {
        own[s] /= -u[i];
        N(static_cast<Index>(cols_of_[i]), static_cast<Index>(s)) = own[s];
      }
    }
    for (std::size_t s = 0; s < silent; ++s) {
      N(static_cast<Index>(cols_of_[rank_ + s]), static_cast<Index>(s)) = 1.;
    }
    orthonormalise(N);
  }

  /// The same with A^T N = 0.
  void left_kernel(Eigen::MatrixXd& N) const {
    const std::size_t silent = rows_ - rank_;
    N.setZero(static_cast<Index>(rows_), static_cast<Index>(silent));
    for (std::size_t s = 0; s < silent; ++s) {
      double* const x = N.col(static_cast<Index>(s)).data();
      x[rows_of_[rank_ + s]] = 1.;
      for (std::size_t j = rank_; j-- > 0;) {
        double sum = L_[(rank_ + s) * stride_ + j];
        for (std::size_t i = j + 1; i < rank_; ++i) sum += L_[i * stride_ + j] * x[rows_of_[i]];
        x[rows_of_[j]] = -sum;
      }
    }
    orthonormalise(N);
  }

  /// A solution of A x = b in its first rows; `left` is what it leaves of the others.
  [[nodiscard]] Eigen::VectorXd solve(const Eigen::VectorXd& b, double& left) {
    Eigen::VectorXd x = Eigen::VectorXd::Zero(static_cast<Index>(cols_));
    y_.resize(rank_);
    left = 0.;
    for (std::size_t i = 0; i < rank_; ++i) {
      y_[i] = b(static_cast<Index>(rows_of_[i])) - product(&L_[i * stride_], y_.data(), i);
    }
    for (std::size_t i = rank_; i < rows_; ++i) {
      const double made = product(&L_[i * stride_], y_.data(), rank_);
      left = std::max(left, std::abs(b(static_cast<Index>(rows_of_[i])) - made));
    }
    for (std::size_t i = rank_; i-- > 0;) {
      const double* const u = &U_[i * stride_];
      y_[i] = (y_[i] - product(u + i + 1, y_.data() + i + 1, rank_ - i - 1)) / u[i];
      x(static_cast<Index>(cols_of_[i])) = y_[i];
    }
    return x;
  }

 private:
  /// By Gram and Schmidt, twice, which is enough [Giraud, Langou & Rozloznik 2005].
  static void orthonormalise(Eigen::MatrixXd& N) {
    for (Index k = 0; k < N.cols(); ++k) {
      for (int round = 0; round < 2; ++round) {
        for (Index j = 0; j < k; ++j) N.col(k) -= N.col(j).dot(N.col(k)) * N.col(j);
        N.col(k) /= N.col(k).norm();
      }
    }
  }

  std::size_t rows_ = 0, cols_ = 0, stride_ = 0, rank_ = 0;
  AlignedVector U_, L_;
  std::vector<std::size_t> rows_of_, cols_of_;  ///< in the order of U
  std::vector<double> sizes_, y_;
};

}  // namespace

// Motion with hyperstatic contacts asks for it at every rate. The least-squares solutions are those
// for the part of b that A can make, b - L L^T b with L the kernel of A^T, where that is not all;
// the least of them is perpendicular to the kernel.
Eigen::VectorXd undetermined_solution(const Eigen::Ref<const MatrixByRows>& A,
                                      const Eigen::VectorXd& b, double threshold,
                                      Eigen::MatrixXd& kernel) {
  thread_local CompletePivoting factors;  // a workspace
  thread_local Eigen::MatrixXd left;
  if (!A.allFinite()) {
    kernel.resize(A.cols(), 0);
    return Eigen::VectorXd::Constant(A.cols(), std::numeric_limits<double>::quiet_NaN());
  }
  factors.factorize(A, threshold);
  if (factors.is_doubtful()) return undetermined_by_reflections(A, b, threshold, kernel);
  double rest = 0.;
  Eigen::VectorXd x = factors.solve(b, rest);
  if (rest > rounding_of_elimination * b.lpNorm<Eigen::Infinity>()) {
    factors.left_kernel(left);
    Eigen::VectorXd made = b;
    for (Index k = 0; k < left.cols(); ++k) made -= left.col(k).dot(made) * left.col(k);
    x = factors.solve(made, rest);
  }
  factors.right_kernel(kernel);
  for (Index k = 0; k < kernel.cols(); ++k) x -= kernel.col(k).dot(x) * kernel.col(k);
  return x;
}

}  // namespace carom
