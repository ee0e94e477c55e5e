// SPDX-License-Identifier: Apache-2.0
// Linear complementarity problems by the quickest way, and the dense methods beneath.
#include <carom/complementarity/lcp.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <Eigen/LU>

#include <carom/complementarity/dense_solve.hpp>
#include <carom/complementarity/lanes.hpp>
#include <support/lcp_problems.hpp>

namespace carom::complementarity {
namespace {

using test::Lcp;
using test::random_lcp;
using test::violation;

// With M definite there is one solution, and Lemke's method finds it, too.
TEST(LcpSolver, AgreesWithLemkesMethod) {
  LcpSolver solver;
  Lemke lemke;
  for (const std::size_t n : {1U, 2U, 3U, 4U, 7U, 24U, 30U, 65U, 150U}) {
    for (std::uint32_t seed = 0; seed < (n == 3 ? 2000U : 30U); ++seed) {
      const Lcp lcp = random_lcp(seed, n, 2 * n + 2, seed % 2 == 0 ? 0. : 0.5);
      ASSERT_EQ(solver.solve(lcp.M, lcp.q), LemkeStatus::solved) << n << " " << seed;
      ASSERT_EQ(lemke.solve(lcp.M, lcp.q), LemkeStatus::solved) << n << " " << seed;
      EXPECT_LE(violation(lcp, solver), 1e-12 * static_cast<double>(n)) << n << " " << seed;
      for (std::size_t i = 0; i < n; ++i) {
        EXPECT_NEAR(solver.z()[i], lemke.z()[i], 1e-7) << n << " " << seed;
      }
    }
  }
}

// Whole numbers, repeated rows, zeros in q, M singular or zero.
TEST(LcpSolver, SolvesDegenerateProblems) {
  LcpSolver solver;
  for (std::uint32_t seed = 0; seed < 4000; ++seed) {
    std::mt19937 random(seed);
    const std::size_t n = 2 + random() % 7;
    const std::size_t m = 1 + random() % 4;
    std::vector<double> A(n * m);
    for (double& a : A) a = static_cast<double>(random() % 3) - 1.;
    Lcp lcp{.M = std::vector<double>(n * n, 0.), .q = std::vector<double>(n, 0.)};
    std::vector<double> z(n);
    for (double& x : z) x = static_cast<double>(random() % 2);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        for (std::size_t k = 0; k < m; ++k) lcp.M[i * n + j] += A[k * n + i] * A[k * n + j];
      }
    }
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) lcp.q[i] -= lcp.M[i * n + j] * z[j];
      if (z[i] == 0.) lcp.q[i] += static_cast<double>(random() % 2);
    }
    ASSERT_EQ(solver.solve(lcp.M, lcp.q), LemkeStatus::solved) << seed;
    EXPECT_LE(violation(lcp, solver), 1e-9) << seed;
  }
}

TEST(LcpSolver, SaysWhereThereIsNoSolution) {
  LcpSolver solver;
  for (const std::size_t n : {2U, 3U, 5U}) {
    std::vector<double> M(n * n, 0.);
    M[0] = 1.;
    EXPECT_EQ(solver.solve(M, std::vector<double>(n, -1.)), LemkeStatus::ray);
  }
}

TEST(LcpSolver, UnitsDoNotMatter) {
  LcpSolver solver;
  LcpSolver other;
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    const std::size_t n = seed % 2 == 0 ? 3 : 12;
    const Lcp lcp = random_lcp(seed, n, n + 1, 0.3);
    std::mt19937 random(seed);
    Lcp scaled = lcp;
    std::vector<double> unit(n);
    for (double& u : unit) u = std::ldexp(1., static_cast<int>(random() % 60) - 30);
    for (std::size_t i = 0; i < n; ++i) {
      scaled.q[i] *= unit[i];
      for (std::size_t j = 0; j < n; ++j) scaled.M[i * n + j] *= unit[i] * unit[j];
    }
    ASSERT_EQ(solver.solve(lcp.M, lcp.q), LemkeStatus::solved);
    ASSERT_EQ(other.solve(scaled.M, scaled.q), LemkeStatus::solved);
    const double largest = *std::max_element(solver.z().begin(), solver.z().end());
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_NEAR(other.z()[i] * unit[i], solver.z()[i], 1e-9 * largest) << seed;
    }
  }
}

TEST(DenseSystem, IsSolvedByElimination) {
  DenseSystem system;
  for (const std::size_t n : {1U, 2U, 7U, 8U, 9U, 24U, 25U, 32U, 33U, 70U}) {
    const Lcp lcp = random_lcp(static_cast<std::uint32_t>(n), n, n + 3, 2.);
    const auto size = static_cast<Eigen::Index>(n);
    system.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      std::copy_n(&lcp.M[i * n], n, system.equation(i));
      system.equation(i)[n] = lcp.q[i];
    }
    ASSERT_TRUE(system.solve(0.));
    const Eigen::Map<const Eigen::MatrixXd> transposed(lcp.M.data(), size, size);
    const Eigen::Map<const Eigen::VectorXd> q(lcp.q.data(), size);
    const Eigen::VectorXd x = transposed.transpose().fullPivLu().solve(q);
    for (Eigen::Index i = 0; i < size; ++i) {
      EXPECT_NEAR(system.solution()[static_cast<std::size_t>(i)], x(i), 1e-11 * x.norm()) << n;
    }
  }
}

// Rows that must change places, and equations that are no more than one.
TEST(DenseSystem, SeeksPivots) {
  for (const std::size_t n : {2U, 20U, 30U, 50U}) {
    DenseSystem system;
    system.resize(n);
    const auto write = [&](double last) {
      for (std::size_t i = 0; i < n; ++i) {
        std::fill_n(system.equation(i), n, 0.);
        system.equation(i)[(i + 1) % n] = i + 1 == n ? last : 2.;
        system.equation(i)[n] = static_cast<double>(i);
      }
    };
    write(2.);
    ASSERT_TRUE(system.solve(0.));
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_EQ(system.solution()[(i + 1) % n], 0.5 * static_cast<double>(i));
    }
    write(1e-13);
    EXPECT_FALSE(system.solve(1e-12));
  }
}

// To the last bit what a plain loop gives, however many entries this machine computes at once.
TEST(Lanes, AreAsGoodAsOne) {
  std::mt19937 random(7);
  const auto draw = [&] { return static_cast<double>(random()) / 2147483648. - 1.; };
  for (const std::size_t n : {1U, 5U, 8U, 20U, 61U, 200U}) {
    std::vector<double> x(8 * n);
    for (double& v : x) v = draw();
    std::vector<double> y(n);
    for (double& v : y) v = draw();
    const double a[3] = {draw(), draw(), draw()};
    std::vector<double> one = y;
    std::vector<double> two = y;
    std::vector<double> three = y;
    add_multiple(one.data(), n, a[0], x.data());
    add_two(two.data(), n, a, x.data(), n);
    add_three(three.data(), n, a, x.data(), n);
    double sums[8] = {};
    for (std::size_t k = 0; k < n; ++k) {
      const volatile double p0 = a[0] * x[k];  // rounded, whatever the compiler would like
      const volatile double p1 = a[1] * x[n + k];
      const volatile double p2 = a[2] * x[2 * n + k];
      EXPECT_EQ(one[k], y[k] + p0);
      EXPECT_EQ(two[k], y[k] + (p0 + p1));
      EXPECT_EQ(three[k], y[k] + ((p0 + p1) + p2));
      const volatile double p = x[k] * y[k];
      sums[k % 8] += p;
    }
    EXPECT_EQ(product(x.data(), y.data(), n), ((sums[0] + sums[4]) + (sums[2] + sums[6])) +
                                                  ((sums[1] + sums[5]) + (sums[3] + sums[7])));
    if (n % 8 != 0) continue;
    std::vector<double> f(8);
    for (double& v : f) v = draw();
    std::vector<double> row = y;
    subtract_panel(row.data(), 1, n, n, f.data(), 1, x.data());
    for (std::size_t k = 0; k < n; ++k) {
      double expected = y[k];
      for (std::size_t l = 0; l < 8; ++l) {
        const volatile double p = f[l] * x[l * n + k];
        expected -= p;
      }
      EXPECT_EQ(row[k], expected);
    }
  }
}

}  // namespace
}  // namespace carom::complementarity
