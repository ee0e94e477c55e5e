// SPDX-License-Identifier: Apache-2.0
// Linear complementarity problems by the quickest way, and the dense methods beneath.
#include <carom/complementarity/lcp.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include <Eigen/LU>

#include <carom/core/dense_system.hpp>
#include <carom/core/lanes.hpp>
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
    std::vector<double> x(3 * n);
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
  }
}

/// a - b c, each rounded, whatever the compiler would like.
double less_product(double a, double b, double c) {
  const volatile double p = b * c;
  return a - p;
}

std::vector<double> random_numbers(std::mt19937& random, std::size_t n) {
  std::vector<double> x(n);
  for (double& v : x) v = static_cast<double>(random()) / 2147483648. - 1.;
  return x;
}

// Rows and columns further apart than they are long, so that a wrong step is seen; what lies
// between them stays.
TEST(Lanes, OfPanelsAreAsGoodAsOne) {
  std::mt19937 random(8);
  for (const std::size_t n : {8U, 16U, 40U}) {
    for (const std::size_t rows : {1U, 2U, 7U, 19U}) {
      const std::size_t stride = n + 8;
      const std::size_t apart = rows + 3;
      const std::vector<double> x = random_numbers(random, panel * stride);
      const std::vector<double> f = random_numbers(random, panel * apart);
      const std::vector<double> y = random_numbers(random, rows * stride);
      std::vector<double> made = y;
      subtract_panel(made.data(), rows, n, stride, f.data(), apart, x.data());
      std::vector<double> expected = y;
      for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t k = 0; k < n; ++k) {
          double& e = expected[i * stride + k];
          for (std::size_t l = 0; l < panel; ++l) {
            e = less_product(e, f[i + l * apart], x[l * stride + k]);
          }
        }
      }
      EXPECT_EQ(made, expected) << rows << " rows of " << n;
    }
    const std::size_t stride = n + 8;
    const std::size_t apart = panel + 5;
    const std::vector<double> L = random_numbers(random, panel * apart);
    std::vector<double> made = random_numbers(random, panel * stride);
    std::vector<double> expected = made;
    solve_panel(made.data(), n, stride, L.data(), apart);
    for (std::size_t k = 1; k < panel; ++k) {
      for (std::size_t p = 0; p < k; ++p) {
        for (std::size_t c = 0; c < n; ++c) {
          double& e = expected[k * stride + c];
          e = less_product(e, L[p * apart + k], expected[p * stride + c]);
        }
      }
    }
    EXPECT_EQ(made, expected) << n;
  }
}

TEST(Lanes, OfColumnsAreAsGoodAsOne) {
  std::mt19937 random(9);
  for (const std::size_t rows : {8U, 9U, 23U, 64U, 101U}) {
    for (const std::size_t width : {1U, 3U, 8U}) {
      const std::size_t apart = rows + 3;
      std::vector<double> made = random_numbers(random, width * apart);
      std::vector<double> expected = made;
      std::vector<std::size_t> partner(width);
      ASSERT_TRUE(factorize_columns(made.data(), rows, apart, width, 0., partner.data()));
      for (std::size_t k = 0; k < width; ++k) {
        double* const own = &expected[k * apart];
        std::size_t best = k;
        for (std::size_t r = k; r < rows; ++r) {
          if (std::abs(own[r]) > std::abs(own[best])) best = r;
        }
        EXPECT_EQ(partner[k], best);
        for (std::size_t j = 0; j < width; ++j) {
          std::swap(expected[j * apart + k], expected[j * apart + best]);
        }
        const volatile double inverse = 1. / own[k];
        for (std::size_t r = k + 1; r < rows; ++r) own[r] *= inverse;
        for (std::size_t j = k + 1; j < width; ++j) {
          double* const column = &expected[j * apart];
          for (std::size_t r = k + 1; r < rows; ++r) {
            column[r] = less_product(column[r], own[r], column[k]);
          }
        }
      }
      EXPECT_EQ(made, expected) << rows << " rows of " << width;
    }
  }
  std::vector<double> zeros(2 * 12);
  std::size_t partner[2] = {};
  EXPECT_FALSE(factorize_columns(zeros.data(), 12, 12, 2, 0., partner));
}

TEST(Lanes, OfFewEquationsAreAsGoodAsOne) {
  std::mt19937 random(10);
  for (const std::size_t n : {1U, 2U, 5U, 8U, 13U, 24U}) {
    const std::size_t stride = whole_vectors(n + 1) + 8;
    std::vector<double> m = random_numbers(random, n * stride);
    std::vector<double> rest = m;
    std::vector<double> x(n);
    ASSERT_TRUE(solve_few(m.data(), n, stride, 0., x.data()));
    const auto at = [&](std::size_t r, std::size_t c) -> double& { return rest[r * stride + c]; };
    std::vector<double> inverse(n);
    for (std::size_t k = 0; k < n; ++k) {
      std::size_t best = k;
      for (std::size_t i = k; i < n; ++i) {
        if (std::abs(at(i, k)) > std::abs(at(best, k))) best = i;
      }
      for (std::size_t c = 0; c <= n; ++c) std::swap(at(k, c), at(best, c));
      inverse[k] = 1. / at(k, k);
      for (std::size_t i = k + 1; i < n; ++i) {
        const volatile double f = at(i, k) * inverse[k];
        for (std::size_t c = k; c <= n; ++c) at(i, c) = less_product(at(i, c), f, at(k, c));
      }
    }
    std::vector<double> expected(n);
    for (std::size_t i = n; i-- > 0;) {
      double sum = at(i, n);
      for (std::size_t j = n; j-- > i + 1;) sum = less_product(sum, at(i, j), expected[j]);
      expected[i] = sum * inverse[i];
    }
    EXPECT_EQ(x, expected) << n;
  }
}

TEST(Lanes, OfBlocksAreAsGoodAsOne) {
  std::mt19937 random(12);
  const std::vector<std::uint32_t> places{5, 0, 3, 8};
  const std::vector<double> f = random_numbers(random, 9);
  const std::vector<double> x = random_numbers(random, places.size() * 12);
  std::vector<double> made = random_numbers(random, 10 * 12);
  std::vector<double> expected = made;
  subtract_blocks(f.data(), x.data(), places.data(), places.size(), made.data());
  for (std::size_t k = 0; k < places.size(); ++k) {
    for (std::size_t r = 0; r < 3; ++r) {
      for (std::size_t c = 0; c < 4; ++c) {
        const double* const from = &x[k * 12 + c];
        const volatile double p0 = f[r * 3] * from[0];
        const volatile double p1 = f[r * 3 + 1] * from[4];
        const volatile double p2 = f[r * 3 + 2] * from[8];
        expected[places[k] * 12 + r * 4 + c] -= (p0 + p1) + p2;
      }
    }
  }
  EXPECT_EQ(made, expected);
}

}  // namespace
}  // namespace carom::complementarity
