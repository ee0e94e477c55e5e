// SPDX-License-Identifier: Apache-2.0
#include <carom/complementarity/lemke.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <carom/complementarity/friction/multi.hpp>
#include <support/lcp_problems.hpp>
#include <support/many_contacts.hpp>

namespace carom::complementarity {
namespace {

using test::Lcp;
using test::random_lcp;
using test::violation;

TEST(Lemke, SolvesMonotoneProblemsOfAnySize) {
  Lemke lemke;
  for (const std::size_t n : {1U, 2U, 3U, 7U, 30U, 64U, 65U, 150U}) {
    for (std::uint32_t seed = 0; seed < 30; ++seed) {
      const Lcp lcp = random_lcp(seed, n, n + 2, seed % 2 == 0 ? 0. : 0.5);
      ASSERT_EQ(lemke.solve(lcp.M, lcp.q), LemkeStatus::solved) << n << " " << seed;
      EXPECT_LE(violation(lcp, lemke), 1e-9) << n << " " << seed;
    }
  }
}

// M z + q >= 0 has no solution where a row of M is zero and its q negative.
TEST(Lemke, EndsOnARayWhereThereIsNoSolution) {
  Lemke lemke;
  EXPECT_EQ(lemke.solve(std::vector<double>{1., 0., 0., 0.}, std::vector<double>{-1., -1.}),
            LemkeStatus::ray);
}

// The ray y of a symmetric positive semidefinite M proves that there is no solution: M y = 0 and
// q.y < 0.
TEST(Lemke, TheRayProvesThatThereIsNoSolution) {
  Lemke lemke;
  std::size_t rays = 0;
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    const std::size_t n = 2 + seed % 12;
    Lcp lcp = random_lcp(seed, n, 1 + n / 2, 0.);
    std::mt19937 random(seed);
    for (double& q : lcp.q) q = static_cast<double>(random()) / 4294967296. - 0.7;
    if (lemke.solve(lcp.M, lcp.q) != LemkeStatus::ray) continue;
    ++rays;
    const auto y = lemke.ray();
    const double largest = *std::max_element(y.begin(), y.end());
    double q_y = 0.;
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_GE(y[i], 0.) << seed;
      q_y += lcp.q[i] * y[i] / largest;
      double made = 0.;
      for (std::size_t j = 0; j < n; ++j) made += lcp.M[i * n + j] * y[j] / largest;
      EXPECT_NEAR(made, 0., 1e-11) << seed;
    }
    EXPECT_LT(q_y, -1e-6) << seed;
  }
  EXPECT_GT(rays, 50U);
}

TEST(Lemke, HasNothingToDoWhereNothingIsNegative) {
  Lemke lemke;
  const std::vector<double> q{0., 2.};
  EXPECT_EQ(lemke.solve(std::vector<double>{1., 0., 0., 1.}, q), LemkeStatus::solved);
  EXPECT_EQ(lemke.pivots(), 0U);
  EXPECT_EQ(lemke.w()[1], 2.);
}

TEST(Lemke, GivesUpAfterSoManyPivots) {
  Lemke lemke;
  const Lcp lcp = random_lcp(1, 30, 32, 0.);
  EXPECT_EQ(lemke.solve(lcp.M, lcp.q, 2), LemkeStatus::too_many_pivots);
}

// Many equal ratios at once: whole numbers, repeated rows, zeros in q.
TEST(Lemke, DoesNotCycleOnTies) {
  Lemke lemke;
  for (std::uint32_t seed = 0; seed < 2000; ++seed) {
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
    // q so that z solves it.
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) lcp.q[i] -= lcp.M[i * n + j] * z[j];
      if (z[i] == 0.) lcp.q[i] += static_cast<double>(random() % 2);
    }
    ASSERT_EQ(lemke.solve(lcp.M, lcp.q), LemkeStatus::solved) << seed;
    EXPECT_LE(violation(lcp, lemke), 1e-9) << seed;
  }
}

// z in one unit and w in another for each pair, the product of both the same: as many pivots, and
// the same numbers.
TEST(Lemke, UnitsDoNotMatter) {
  Lemke lemke;
  Lemke other;
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    const std::size_t n = 12;
    const Lcp lcp = random_lcp(seed, n, n + 1, 0.3);
    std::mt19937 random(seed);
    std::vector<double> unit(n);
    for (double& u : unit) u = std::ldexp(1., static_cast<int>(random() % 60) - 30);
    Lcp scaled = lcp;
    for (std::size_t i = 0; i < n; ++i) {
      scaled.q[i] *= unit[i] * 1e9;
      for (std::size_t j = 0; j < n; ++j) scaled.M[i * n + j] *= unit[i] * unit[j];
    }
    ASSERT_EQ(lemke.solve(lcp.M, lcp.q), LemkeStatus::solved);
    ASSERT_EQ(other.solve(scaled.M, scaled.q), LemkeStatus::solved);
    EXPECT_EQ(lemke.pivots(), other.pivots());
    const double largest = *std::max_element(lemke.z().begin(), lemke.z().end());
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_NEAR(other.z()[i] / (unit[i] * 1e9), lemke.z()[i] / unit[i] / unit[i],
                  1e-9 * largest / unit[i] / unit[i])
          << seed;
    }
  }
}

/// The three rows a contact of [Payr & Glocker 2005, eq. 27], contacts one after the other:
/// (xi_n, xi_R, P_L) = M (P_n, P_R, xi_L) + q with P_t = P_R - mu P_n and P_L = mu P_n - P_t.
Lcp three_rows(const ContactProblem& p, const std::vector<double>& b) {
  const std::size_t contacts = p.contacts();
  const std::size_t n = 3 * contacts;
  Lcp lcp{.M = std::vector<double>(n * n, 0.), .q = std::vector<double>(n, 0.)};
  for (std::size_t i = 0; i < contacts; ++i) {
    for (std::size_t j = 0; j < contacts; ++j) {
      const double mu = p.surfaces[j].friction;
      for (std::size_t r = 0; r < 2; ++r) {
        const double g_n = p.G(2 * i + r, 2 * j);
        const double g_t = p.G(2 * i + r, 2 * j + 1);
        lcp.M[(3 * i + r) * n + 3 * j] = g_n - mu * g_t;
        lcp.M[(3 * i + r) * n + 3 * j + 1] = g_t;
      }
    }
    lcp.M[(3 * i + 1) * n + 3 * i + 2] = 1.;
    lcp.M[(3 * i + 2) * n + 3 * i] = 2. * p.surfaces[i].friction;
    lcp.M[(3 * i + 2) * n + 3 * i + 1] = -1.;
    lcp.q[3 * i] = b[2 * i];
    lcp.q[3 * i + 1] = b[2 * i + 1];
  }
  return lcp;
}

// On the three-row form Lemke's method can end on a ray although there is a solution (ERRATA); on
// the copositive form it does not.
TEST(Lemke, TheCopositiveFormHasNoRayWhereTheThreeRowFormHas) {
  Lemke lemke;
  MultiFriction friction;
  std::size_t rays = 0;
  for (std::uint32_t seed = 0; seed < 4000; ++seed) {
    const ContactProblem p = test::random_contacts(
        seed, {.contacts = 2 + seed % 3, .components = 2, .most_friction = 3.});
    std::vector<double> mu;
    for (const Surface& s : p.surfaces) mu.push_back(s.friction);
    const Lcp lcp = three_rows(p, p.approach);
    rays += lemke.solve(lcp.M, lcp.q) == LemkeStatus::ray ? 1U : 0U;
    const FrictionResult& r =
        friction.solve({.G = p.G, .b = p.approach, .mu = mu}, {.solver = FrictionSolver::lemke});
    EXPECT_EQ(r.status, FrictionStatus::solved) << seed;
    EXPECT_LE(r.residual, 1e-10) << seed;
  }
  EXPECT_GT(rays, 0U);
}

}  // namespace
}  // namespace carom::complementarity
