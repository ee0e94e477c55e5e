// SPDX-License-Identifier: Apache-2.0
#include <carom/study/fit/intervals.hpp>

#include <cmath>

#include <gtest/gtest.h>
#include <boost/math/distributions/students_t.hpp>

#include <carom/core/dense_factors.hpp>
#include <carom/core/random.hpp>
#include <carom/study/fit/estimation_of.hpp>
#include <carom/study/fit/measurement_errors.hpp>
#include <carom/study/fit/order_statistics.hpp>
#include <support/synthetic_impacts.hpp>

namespace carom::study::fit {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// y = a + b x by weighted least squares, in closed form.
struct Line {
  MatrixXd A;
  VectorXd y;

  Line() : A(12, 2), y(12) {
    const RandomStream random(3);
    for (int i = 0; i < 12; ++i) {
      A(i, 0) = 1.;
      A(i, 1) = 0.1 * i;
      y[i] = 0.4 + 0.3 * A(i, 1) + 0.2 * (random.uniform(static_cast<std::uint64_t>(i)) - 0.5);
    }
  }

  [[nodiscard]] Estimation estimation(double low = -10., double high = 10.) const {
    Estimation fit;
    fit.parameters = {{"a", low, high}, {"b", low, high}};
    fit.width = 1;
    for (std::size_t i = 0; i < 12; ++i) fit.group.push_back(i);
    fit.residual = [this](std::size_t i, std::span<const double> p, VectorXd& r, MatrixXd& J) {
      const auto row = static_cast<Eigen::Index>(i);
      J = A.row(row);
      r = J * Eigen::Map<const VectorXd>(p.data(), 2) - y.segment(row, 1);
    };
    fit.slope = [](double) { return 1.; };
    fit.minimise = [this](const Question& q) {
      VectorXd w = VectorXd::Ones(12);
      for (std::size_t i = 0; i < q.weights.size(); ++i) {
        w[static_cast<Eigen::Index>(i)] = std::sqrt(q.weights[i]);
      }
      Estimate e{.p = q.start, .converged = true};
      VectorXd rest = y;
      std::vector<Eigen::Index> free;
      for (Eigen::Index k = 0; k < 2; ++k) {
        const auto at = static_cast<std::size_t>(k);
        if (!q.held.empty() && q.held[at]) {
          rest -= A.col(k) * q.start[at];
        } else {
          free.push_back(k);
        }
      }
      MatrixXd F(12, static_cast<Eigen::Index>(free.size()));
      for (std::size_t k = 0; k < free.size(); ++k) {
        F.col(static_cast<Eigen::Index>(k)) = A.col(free[k]);
      }
      const VectorXd x = least_squares(w.asDiagonal() * F, w.asDiagonal() * rest);
      for (std::size_t k = 0; k < free.size(); ++k) {
        e.p[static_cast<std::size_t>(free[k])] = x[static_cast<Eigen::Index>(k)];
      }
      const VectorXd r = w.asDiagonal() * (F * x - rest);
      e.loss = r.squaredNorm() / 2.;
      return e;
    };
    return fit;
  }
};

// Of a linear model the profile interval is that of Student's t, exactly.
TEST(Profile, OfALineIsStudentsInterval) {
  const Line line;
  const Estimation fit = line.estimation();
  const Estimate best = fit.minimise({.start = {0., 0.}});
  const Covariance c = gauss_newton_covariance(fit, best);
  const MatrixXd exact =
      pseudo_inverse(line.A.transpose() * line.A, 1e-14).matrix * (2. * best.loss / 10.);
  EXPECT_LE((c.matrix - exact).norm(), 1e-12 * exact.norm());
  EXPECT_EQ(c.freedom, 10U);
  EXPECT_NEAR(c.correlation(0, 1), exact(0, 1) / std::sqrt(exact(0, 0) * exact(1, 1)), 1e-12);
  const double t = boost::math::quantile(boost::math::students_t(10.), 0.975);
  for (std::size_t j = 0; j < 2; ++j) {
    const Profile p = profile_interval(fit, best, c, j, {.tolerance = 1e-9});
    const double half = t * c.error[static_cast<Eigen::Index>(j)];
    EXPECT_NEAR(p.interval.low, best.p[j] - half, 1e-7 * half);
    EXPECT_NEAR(p.interval.high, best.p[j] + half, 1e-7 * half);
    EXPECT_FALSE(p.interval.low_at_bound || p.interval.high_at_bound || p.lower.has_value());
  }
}

TEST(Profile, EndsAtABoundAndSaysSo) {
  const Line line;
  Estimation fit = line.estimation();
  const Estimate best = fit.minimise({.start = {0., 0.}});
  const Covariance c = gauss_newton_covariance(fit, best);
  // A range far narrower than the interval.
  fit.parameters[1].low = best.p[1] - 0.3 * c.error[1];
  fit.parameters[1].high = best.p[1] + 0.3 * c.error[1];
  const Profile p = profile_interval(fit, best, c, 1);
  EXPECT_TRUE(p.interval.low_at_bound && p.interval.high_at_bound);
  EXPECT_FALSE(p.determined);
}

// Sandwich of a line, rows independent: White's covariance, A^-1 (sum r^2 x x^T) A^-1 n/(n - 1).
TEST(Sandwich, OfALineIsWhites) {
  const Line line;
  const Estimation fit = line.estimation();
  const Estimate best = fit.minimise({.start = {0., 0.}});
  const Covariance c = sandwich_covariance(fit, best);
  const VectorXd r = line.A * Eigen::Map<const VectorXd>(best.p.data(), 2) - line.y;
  const MatrixXd inverse = pseudo_inverse(line.A.transpose() * line.A, 1e-14).matrix;
  const MatrixXd exact =
      inverse * line.A.transpose() * r.cwiseAbs2().asDiagonal() * line.A * inverse * (12. / 11.);
  EXPECT_LE((c.matrix - exact).norm(), 1e-12 * exact.norm());
}

TEST(Bootstrap, DoesNotDependOnTheNumberOfThreads) {
  const Line line;
  const Estimation fit = line.estimation();
  const Estimate best = fit.minimise({.start = {0., 0.}});
  const Bootstrap one = bootstrap(fit, best, {.replicas = 300, .seed = 5, .threads = 1});
  const Bootstrap four = bootstrap(fit, best, {.replicas = 300, .seed = 5, .threads = 4});
  EXPECT_EQ(one.replicas, four.replicas);
  const Bootstrap other = bootstrap(fit, best, {.replicas = 300, .seed = 6, .threads = 1});
  EXPECT_NE(one.replicas, other.replicas);
  // The deviation of replicas is the sandwich's, to 4 standard errors of a deviation of 300 and the
  // difference of order 1/n that twelve rows leave.
  const Covariance c = sandwich_covariance(fit, best);
  for (Eigen::Index j = 0; j < 2; ++j) {
    const VectorXd x = one.replicas.row(j).transpose().array() - one.replicas.row(j).mean();
    EXPECT_NEAR(x.norm() / std::sqrt(299.) / c.error[j], 1., 4. / std::sqrt(600.) + 2. / 12.);
  }
}

// What the data do not determine is said, and nothing is NaN.
TEST(Covariance, NamesWhatIsNotDetermined) {
  test::Synthetic s{"poisson", {"restitution", "friction", "static_friction"}, {0.6, 0.2, 0.3}};
  MeasuredImpacts data = test::synthetic_impacts(s, 1);
  // A contact below the mass centre that slips to one side never stops: mu_s does not matter.
  for (MeasuredImpact& impact : data.impacts) {
    impact.numbers[0] = 0.;
    impact.before = {5., -1., 0.};
  }
  Parameters parameters = test::parameters_of(s);
  const Objective objective(data, find_law("poisson", "law"), parameters);
  const auto rows = data.fitted();
  const MinimiseOptions options{.loss = Loss::least_squares};
  const Estimation fit = estimation_of(objective, rows, options);
  const Estimate at{.p = s.truth, .loss = 1., .converged = true};
  const Covariance c = gauss_newton_covariance(fit, at);
  ASSERT_EQ(c.undetermined.size(), 1U);
  EXPECT_NE(c.undetermined[0].find("determine static_friction: no residual"), std::string::npos)
      << c.undetermined[0];
  EXPECT_TRUE(std::isinf(c.error[2]));
  EXPECT_TRUE(std::isfinite(c.error[0]) && std::isfinite(c.error[1]));
}

// With errors before, |r| of the true coefficients has the expected square: one a component.
TEST(ErrorsBefore, WhitenResidualsToUnitDeviation) {
  constexpr double error = 0.05;
  double squares = 0.;
  std::size_t components = 0;
  test::Synthetic s{"poisson", {"restitution", "friction"}, {0.6, 0.2}};
  s.noise = 0.;
  s.rows = 400;
  MeasuredImpacts data = test::synthetic_impacts(s, 9);
  const RandomStream random(11);
  std::uint64_t drawn = 0;
  const auto normal = [&] {  // [Box & Muller 1958]
    const double r = std::sqrt(-2. * std::log(random.uniform(drawn)));
    const double x = r * std::cos(2. * M_PI * random.uniform(drawn + 1));
    drawn += 2;
    return x;
  };
  for (MeasuredImpact& impact : data.impacts) {
    impact.error_before = {error, error, error / 0.02};
    impact.error_after = impact.error_before;
    for (std::size_t j = 0; j < 3; ++j) {
      impact.before[j] += impact.error_before[j] * normal();
      impact.after[j] += impact.error_after[j] * normal();
    }
  }
  const Objective objective(data, find_law("poisson", "law"), test::parameters_of(s));
  const auto rows = data.fitted();
  require_errors(data, rows);
  VectorXd r;
  for (const std::size_t i : rows) {
    whitened_residual(objective, i, s.truth, r);
    squares += r.squaredNorm();
    components += 3;
  }
  // Four standard errors of a mean of squares of normal numbers, and the few impacts at the border
  // of two modes, where the law is not linear.
  const auto n = static_cast<double>(components);
  EXPECT_NEAR(squares / n, 1., 4. * std::sqrt(2. / n) + 0.02);
  data.impacts[3].error_before.clear();
  EXPECT_THROW(require_errors(data, rows), InputError);
}

TEST(OrderStatistics, InterpolateBetweenOrderStatistics) {
  EXPECT_DOUBLE_EQ(quantile({3., 1., 2.}, 0.5), 2.);
  EXPECT_DOUBLE_EQ(quantile({4., 1., 2., 3.}, 0.25), 1.75);
  EXPECT_DOUBLE_EQ(quantile({7.}, 0.9), 7.);
  EXPECT_NEAR(robust_deviation({-1., 1., 1., -1., 100.}), 1.4826, 1e-4);
}

}  // namespace
}  // namespace carom::study::fit
