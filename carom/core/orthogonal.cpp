// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include <carom/core/dense_factors.hpp>

namespace carom {
namespace {

using Eigen::Index;

/// Numbers in a row or column of a matrix.
struct Line {
  double* first;
  Index size, step;

  double& operator[](Index i) const { return first[i * step]; }
  [[nodiscard]] Line from(Index i) const { return {first + i * step, size - i, step}; }
  [[nodiscard]] double squared_norm() const {
    double sum = 0.;
    for (Index i = 0; i < size; ++i) sum += (*this)[i] * (*this)[i];
    return sum;
  }
};

struct Reflection {
  double tau;   ///< H = 1 - tau v v', v = (1, essential)
  double beta;  ///< H x = (beta, 0, ..., 0)
};

/// The reflection of x; its essential part stands in x afterwards, from 1 on.
Reflection reflection_of(Line x) {
  const Line tail = x.from(1);
  const double square = tail.squared_norm();
  if (square <= std::numeric_limits<double>::min()) {
    for (Index i = 0; i < tail.size; ++i) tail[i] = 0.;
    return {.tau = 0., .beta = x[0]};
  }
  const double norm = std::sqrt(x[0] * x[0] + square);
  const double beta = x[0] >= 0. ? -norm : norm;
  const double scale = x[0] - beta;
  for (Index i = 0; i < tail.size; ++i) tail[i] /= scale;
  return {.tau = (beta - x[0]) / beta, .beta = beta};
}

/// x = H x. @param columns  x is a column: in which order Eigen multiplies
void reflect(Line x, Line essential, double tau, bool columns = true) {
  if (x.size == 1) {
    x[0] *= 1. - tau;
    return;
  }
  if (tau == 0.) return;
  const Line tail = x.from(1);
  double product = 0.;
  for (Index i = 0; i < tail.size; ++i) product += essential[i] * tail[i];
  product += x[0];
  x[0] -= tau * product;
  for (Index i = 0; i < tail.size; ++i) {
    tail[i] -= columns ? tau * essential[i] * product : tau * product * essential[i];
  }
}

/// A P = Q [T 0; 0 0] Z by Householder's reflections with column pivoting. The operations are those
/// of Eigen's CompleteOrthogonalDecomposition, to the last bit where it has less than 48
/// reflections: Eigen also reflects by blocks. It compiles each type of matrix anew, which takes
/// longer than the rest of core/; here matrices of all sizes are lines of numbers.
class Orthogonal {
 public:
  /// A P = Q R, and the rank. @param threshold  as for `least_squares`
  template <class Matrix>
  Orthogonal(const Matrix& A, std::optional<double> threshold)
      : rows_(A.rows()),
        cols_(A.cols()),
        numbers_(rows_ * cols_ + 4 * std::max(rows_, cols_)),
        order_(cols_),
        QTZ_(numbers_.data()) {
    const Index longer = std::max(rows_, cols_);
    double* next = QTZ_ + rows_ * cols_;
    for (double** array : {&tau_, &zeta_, &updated_, &direct_}) {
      *array = next;
      next += longer;
    }
    std::copy(A.data(), A.data() + rows_ * cols_, QTZ_);
    for (Index k = 0; k < cols_; ++k) order_.data()[k] = k;
    factorize(threshold);
  }

  /// [R_1 R_2] = [T 0] Z, where the rank is less than the columns.
  void complete() {
    if (rank_ == cols_) return;
    for (Index k = rank_ - 1; k >= 0; --k) {
      double* own = QTZ_ + k * rows_;
      double* last = QTZ_ + (rank_ - 1) * rows_;
      if (k != rank_ - 1) std::swap_ranges(own, own + k + 1, last);
      const Line row = row_of_Z(k);
      const Reflection r = reflection_of(row);
      zeta_[k] = r.tau;
      row[0] = r.beta;
      for (Index i = 0; i < k; ++i) reflect(row_of_Z(i), row.from(1), r.tau, false);
      if (k != rank_ - 1) std::swap_ranges(own, own + k + 1, last);
    }
  }

  [[nodiscard]] Index rank() const { return rank_; }
  /// R, or T left of what tells Z.
  [[nodiscard]] Eigen::Map<const Eigen::MatrixXd> triangle() const { return {QTZ_, rows_, cols_}; }

  /// P x
  template <class Matrix>
  [[nodiscard]] Matrix permuted(const Matrix& x) const {
    Matrix y(x.rows(), x.cols());
    for (Index j = 0; j < x.cols(); ++j) {
      for (Index k = 0; k < cols_; ++k) y(order_.data()[k], j) = x(k, j);
    }
    return y;
  }

  /// The least-squares solution of least norm of A x = b, column by column. @pre complete
  template <class Right>
  [[nodiscard]] Right solve(Right b) const {
    Right x = Right::Zero(cols_, b.cols());
    if (rank_ == 0) return x;
    for (Index j = 0; j < b.cols(); ++j) {  // Q' b
      const Line column{b.data() + j * rows_, rows_, 1};
      for (Index k = 0; k < rank_; ++k) reflect(column.from(k), essential(k), tau_[k]);
    }
    x.topRows(rank_) = triangle()
                           .topLeftCorner(rank_, rank_)
                           .template triangularView<Eigen::Upper>()
                           .solve(b.topRows(rank_));
    if (rank_ == cols_) return permuted(x);
    for (Index j = 0; j < x.cols(); ++j) {
      for (Index k = 0; k < rank_; ++k) apply_Z(k, x.data() + j * cols_);  // Z'
    }
    return permuted(x);
  }

  /// Orthonormal columns that span the kernel of A: the last rows of Z. @pre complete
  [[nodiscard]] Eigen::MatrixXd kernel() const {
    Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(cols_, cols_ - rank_);
    for (Index i = 0; i < rows.cols(); ++i) {
      rows(rank_ + i, i) = 1.;
      for (Index k = 0; k < rank_; ++k) apply_Z(k, rows.data() + i * cols_);  // Z'
    }
    return permuted(rows);
  }

 private:
  /// Numbers that need no allocation where they are few.
  template <class Number, std::size_t few>
  class Few {
   public:
    explicit Few(Index size) {
      if (static_cast<std::size_t>(size) > few) many_.resize(static_cast<std::size_t>(size));
    }
    Few(const Few&) = delete;
    Few& operator=(const Few&) = delete;
    [[nodiscard]] Number* data() { return many_.empty() ? few_.data() : many_.data(); }
    [[nodiscard]] const Number* data() const { return many_.empty() ? few_.data() : many_.data(); }

   private:
    std::array<Number, few> few_;
    std::vector<Number> many_;
  };

  void factorize(std::optional<double> threshold) {
    constexpr double epsilon = std::numeric_limits<double>::epsilon();
    // Below it an updated norm of a column has lost too many digits [LAPACK working note 176].
    const double inaccurate = std::sqrt(epsilon);
    const Index size = std::min(rows_, cols_);
    double largest = 0.;
    for (Index k = 0; k < cols_; ++k) {
      direct_[k] = updated_[k] = std::sqrt(column(k).squared_norm());
      largest = std::max(largest, updated_[k]);
    }
    const double silent = largest * epsilon * (largest * epsilon) / static_cast<double>(rows_);
    Index pivots = size;
    double largest_pivot = 0.;
    for (Index k = 0; k < size; ++k) {
      const Index biggest = std::max_element(updated_ + k, updated_ + cols_) - updated_;
      if (pivots == size &&
          updated_[biggest] * updated_[biggest] < silent * static_cast<double>(rows_ - k)) {
        pivots = k;
      }
      if (biggest != k) {
        std::swap_ranges(column(k).first, column(k).first + rows_, column(biggest).first);
        std::swap(updated_[k], updated_[biggest]);
        std::swap(direct_[k], direct_[biggest]);
        std::swap(order_.data()[k], order_.data()[biggest]);
      }
      const Reflection r = reflection_of(column(k).from(k));
      tau_[k] = r.tau;
      column(k)[k] = r.beta;
      largest_pivot = std::max(largest_pivot, std::abs(r.beta));
      for (Index j = k + 1; j < cols_; ++j) {
        reflect(column(j).from(k), essential(k), r.tau);
        if (updated_[j] == 0.) continue;
        const double part = std::abs(column(j)[k]) / updated_[j];
        const double left = std::max(0., (1. + part) * (1. - part));
        const double ratio = updated_[j] / direct_[j];
        if (left * (ratio * ratio) <= inaccurate) {
          direct_[j] = updated_[j] = std::sqrt(column(j).from(k + 1).squared_norm());
        } else {
          updated_[j] *= std::sqrt(left);
        }
      }
    }
    const double least =
        largest_pivot * (threshold ? *threshold : epsilon * static_cast<double>(size));
    for (Index k = 0; k < pivots; ++k) rank_ += std::abs(column(k)[k]) > least ? 1 : 0;
  }

  [[nodiscard]] Line column(Index k) const { return {QTZ_ + k * rows_, rows_, 1}; }
  [[nodiscard]] Line essential(Index k) const { return column(k).from(k + 1); }
  /// Of [T R_2]: its entries from the last column of T on.
  [[nodiscard]] Line row_of_Z(Index k) const {
    return {QTZ_ + (rank_ - 1) * rows_ + k, cols_ - rank_ + 1, rows_};
  }

  /// Reflects entry k and the last ones of a column x.
  void apply_Z(Index k, double* x) const {
    std::swap(x[k], x[rank_ - 1]);
    reflect({x + rank_ - 1, cols_ - rank_ + 1, 1}, row_of_Z(k).from(1), zeta_[k]);
    std::swap(x[k], x[rank_ - 1]);
  }

  static constexpr std::size_t few = SmallMatrix::MaxRowsAtCompileTime;

  Index rows_, cols_, rank_ = 0;
  Few<double, few * few + 4 * few> numbers_;
  Few<Index, few> order_;
  double *QTZ_, *tau_, *zeta_, *updated_, *direct_;
};

}  // namespace

Eigen::VectorXd least_squares(const Eigen::MatrixXd& A, const Eigen::VectorXd& b,
                              std::optional<double> threshold) {
  Orthogonal factors(A, threshold);
  factors.complete();
  return factors.solve(b);
}

Eigen::VectorXd undetermined_by_reflections(const Eigen::MatrixXd& A, const Eigen::VectorXd& b,
                                            double threshold, Eigen::MatrixXd& kernel) {
  Orthogonal factors(A, threshold);
  factors.complete();
  kernel = factors.kernel();
  return factors.solve(b);
}

PseudoInverse pseudo_inverse(const Eigen::MatrixXd& A, double threshold) {
  Orthogonal factors(A, threshold);
  factors.complete();
  return {.matrix = factors.solve<Eigen::MatrixXd>(Eigen::MatrixXd::Identity(A.rows(), A.rows())),
          .rank = factors.rank()};
}

SmallMatrix kernel(const SmallMatrix& A, double threshold) {
  const Orthogonal factors(A, threshold);
  const Index rank = factors.rank();
  const Index silent = A.cols() - rank;
  if (silent == 0) return SmallMatrix(A.cols(), 0);
  SmallMatrix columns(A.cols(), silent);
  auto top = columns.topRows(rank);
  top = factors.triangle().topRightCorner(rank, silent);
  factors.triangle().topLeftCorner(rank, rank).triangularView<Eigen::Upper>().solveInPlace(top);
  top = -top;
  columns.bottomRows(silent).setIdentity();
  return factors.permuted(columns);
}

// As Eigen's HouseholderQR does for so few columns, to the last bit.
SmallMatrix orthonormal(const SmallMatrix& A) {
  const Index rows = A.rows();
  const Index cols = A.cols();
  SmallMatrix QR = A;
  SmallMatrix Q = SmallMatrix::Identity(rows, cols);
  std::array<double, SmallMatrix::MaxColsAtCompileTime> tau;
  const auto column = [&](SmallMatrix& matrix, Index j, Index from) {
    return Line{matrix.data() + j * rows, rows, 1}.from(from);
  };
  for (Index k = 0; k < cols; ++k) {
    const Reflection r = reflection_of(column(QR, k, k));
    tau[static_cast<std::size_t>(k)] = r.tau;
    QR(k, k) = r.beta;
    for (Index j = k + 1; j < cols; ++j) reflect(column(QR, j, k), column(QR, k, k + 1), r.tau);
  }
  for (Index k = cols - 1; k >= 0; --k) {
    for (Index j = k; j < cols; ++j) {
      reflect(column(Q, j, k), column(QR, k, k + 1), tau[static_cast<std::size_t>(k)]);
    }
  }
  return Q;
}

}  // namespace carom
