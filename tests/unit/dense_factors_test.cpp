// SPDX-License-Identifier: Apache-2.0
#include <carom/core/dense_factors.hpp>

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

}  // namespace
}  // namespace carom
