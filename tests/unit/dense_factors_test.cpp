// SPDX-License-Identifier: Apache-2.0
#include <carom/core/dense_factors.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace carom {
namespace {

TEST(Ldlt, SolvesDefiniteEquationsInWhateverUnits) {
  // B B^T with B regular, rows and columns scaled over 18 orders of magnitude.
  Eigen::MatrixXd B(4, 4);
  B << 2., 0., 1., 0.5, 1., 3., 0., -1., 0., -2., 4., 1., 1., 1., 1., 5.;
  const Eigen::VectorXd units = Eigen::Vector4d(1e-9, 1., 1e9, 1e3);
  const Eigen::MatrixXd A = units.asDiagonal() * (B * B.transpose()) * units.asDiagonal();
  const Eigen::VectorXd x = units.cwiseInverse().cwiseProduct(Eigen::Vector4d(1., -2., 3., 4.));
  Ldlt factors;
  ASSERT_TRUE(factors.factorize(A));
  Eigen::MatrixXd both(4, 2);
  both << A * x, A.col(1);
  factors.solve(both);
  EXPECT_LT((both.col(0).cwiseQuotient(x) - Eigen::Vector4d::Ones()).cwiseAbs().maxCoeff(), 1e-13);
  EXPECT_LT((both.col(1) - Eigen::Vector4d::Unit(1)).cwiseProduct(units).cwiseAbs().maxCoeff(),
            1e-13);
  // L^-1 leaves A = L D L^T with D on the diagonal.
  Eigen::MatrixXd left = A;
  factors.forward(left);
  EXPECT_NEAR(left(3, 3) / factors.D()(3), 1., 1e-13);
}

TEST(Ldlt, RoundsNothingOfADiagonalMatrix) {
  const Eigen::VectorXd D = Eigen::Vector3d(0.1, 0.7, 3.);
  Ldlt factors;
  ASSERT_TRUE(factors.factorize(D.asDiagonal().toDenseMatrix()));
  EXPECT_EQ(factors.D(), D);
}

TEST(Ldlt, RefusesWhatIsNotDefinite) {
  Ldlt factors;
  const Eigen::MatrixXd singular = Eigen::MatrixXd::Ones(2, 2);
  EXPECT_FALSE(factors.factorize(singular));
  EXPECT_FALSE(factors.factorize(1e-9 * singular));
  EXPECT_FALSE(factors.factorize(-Eigen::MatrixXd::Identity(2, 2)));
  Eigen::MatrixXd near = singular;
  near(1, 1) += 1e-12;
  EXPECT_TRUE(factors.factorize(near));
  near(1, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(factors.factorize(near));
}

// Matrices of rank r, more or less rows than columns, few and many (beyond what needs no
// allocation).
struct Ranked {
  Eigen::Index rows, cols, rank;
};
class Orthogonal : public testing::TestWithParam<Ranked> {
 protected:
  static constexpr double threshold = 1e-9;  // of the pivots, which are 0.01 or more, or rounding

  static double number(Eigen::Index i, Eigen::Index j) {
    return std::sin(1. + 3.7 * static_cast<double>(i * i) + 1.3 * static_cast<double>(j)) +
           (i == j ? 2. : 0.);
  }
  static Eigen::MatrixXd matrix(Eigen::Index rows, Eigen::Index cols) {
    Eigen::MatrixXd A(rows, cols);
    for (Eigen::Index j = 0; j < cols; ++j) {
      for (Eigen::Index i = 0; i < rows; ++i) A(i, j) = number(i, j);
    }
    return A;
  }
  static double largest(const Eigen::MatrixXd& A) {
    return A.size() > 0 ? A.cwiseAbs().maxCoeff() : 0.;
  }

  const Eigen::Index rows = GetParam().rows, cols = GetParam().cols, rank = GetParam().rank;
  const Eigen::MatrixXd A = matrix(rows, rank) * matrix(cols, rank).transpose();
  const double rounding = 1e-12 * std::max(1., largest(A));
};

TEST_P(Orthogonal, PseudoInverseSatisfiesPenrosesEquations) {
  const PseudoInverse inverse = pseudo_inverse(A, threshold);
  ASSERT_EQ(inverse.rank, rank);
  const Eigen::MatrixXd& B = inverse.matrix;
  EXPECT_LT(largest(A * B * A - A), rounding);
  EXPECT_LT(largest(B * A * B - B), rounding);
  EXPECT_LT(largest(A * B - (A * B).transpose()), rounding);
  EXPECT_LT(largest(B * A - (B * A).transpose()), rounding);
}

TEST_P(Orthogonal, SolutionsAreTheLeastOfTheBest) {
  const Eigen::VectorXd b = matrix(rows, 1);
  const Eigen::VectorXd x = least_squares(A, b, threshold);
  EXPECT_LT(largest(A.transpose() * (A * x - b)), rounding * (1. + largest(b)));
  Eigen::MatrixXd N;
  EXPECT_LT(largest(undetermined_solution(A, b, threshold, N) - x), rounding * (1. + x.norm()));
  ASSERT_EQ(N.cols(), cols - rank);
  EXPECT_LT(largest(A * N), rounding);
  EXPECT_LT(largest(N.transpose() * N - Eigen::MatrixXd::Identity(cols - rank, cols - rank)),
            1e-13);
  EXPECT_LT(largest(N.transpose() * x), 1e-12 * (1. + x.norm()));
}

// Elimination alone would count other pivots where the last one is near the threshold.
TEST(OrthogonalRank, IsThatOfReflectionsWhereItIsInDoubt) {
  const Eigen::Index n = 9;
  const double threshold = 1e-11;
  for (const double least : {1e-8, 1e-10, 3e-11, 1e-11, 3e-12, 1e-12}) {
    Eigen::MatrixXd A(n, n);
    for (Eigen::Index i = 0; i < n; ++i) {
      for (Eigen::Index j = 0; j < n; ++j) {
        A(i, j) = std::sin((1.3 + static_cast<double>(i)) * (0.7 + static_cast<double>(j)));
      }
    }
    // The last column nearly depends on the others.
    const Eigen::VectorXd apart = A.col(n - 1);
    A.col(n - 1) = A.leftCols(n - 1).rowwise().sum() + least * apart;
    const Eigen::VectorXd b = A * Eigen::VectorXd::Ones(n);
    Eigen::MatrixXd N, M;
    const Eigen::VectorXd x = undetermined_solution(A, b, threshold, N);
    EXPECT_EQ(x, undetermined_by_reflections(A, b, threshold, M));
    EXPECT_EQ(N, M);
  }
}

TEST_P(Orthogonal, KernelAndItsOrthonormalBasisOfFewRows) {
  if (std::max(rows, cols) > SmallMatrix::MaxRowsAtCompileTime) return;
  const SmallMatrix N = kernel(A, threshold);
  ASSERT_EQ(N.cols(), cols - rank);
  EXPECT_LT(largest(A * N), rounding * (1. + largest(N)));
  if (N.cols() == 0) return;
  const SmallMatrix Q = orthonormal(N);
  EXPECT_LT(largest(Q.transpose() * Q - SmallMatrix::Identity(N.cols(), N.cols())), 1e-13);
  EXPECT_LT(largest(N - Q * (Q.transpose() * N)), 1e-12 * (1. + largest(N)));
}

INSTANTIATE_TEST_SUITE_P(Ranks, Orthogonal,
                         testing::Values(Ranked{1, 1, 0}, Ranked{3, 3, 3}, Ranked{5, 3, 2},
                                         Ranked{3, 5, 2}, Ranked{6, 2, 2}, Ranked{2, 6, 2},
                                         Ranked{12, 16, 7}, Ranked{17, 9, 4}, Ranked{20, 40, 11},
                                         Ranked{60, 55, 52}));

}  // namespace
}  // namespace carom
