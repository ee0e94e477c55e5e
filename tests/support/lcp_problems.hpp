// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

/// Random linear complementarity problems w = M z + q, 0 <= z complementary to w >= 0.
namespace carom::test {

struct Lcp {
  std::vector<double> M;
  std::vector<double> q;
};

/// M = A^T A/m + skew, with A of m rows: positive semidefinite, of rank m at most but for the skew
/// part.
inline Lcp random_lcp(std::uint32_t seed, std::size_t n, std::size_t m, double skew) {
  std::mt19937 random(seed);
  const auto draw = [&] { return static_cast<double>(random()) / 2147483648. - 1.; };
  std::vector<double> A(n * m);
  for (double& a : A) a = draw();
  Lcp lcp{.M = std::vector<double>(n * n, 0.), .q = std::vector<double>(n)};
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t k = 0; k < m; ++k) {
        lcp.M[i * n + j] += A[k * n + i] * A[k * n + j] / static_cast<double>(m);
      }
    }
    for (std::size_t j = 0; j < i; ++j) {
      const double s = skew * draw();
      lcp.M[i * n + j] += s;
      lcp.M[j * n + i] -= s;
    }
    lcp.q[i] = draw();
  }
  return lcp;
}

/// The largest violation of w = M z + q and of the signs; infinite where z and w are not
/// complementary.
template <class Solver>
double violation(const Lcp& lcp, const Solver& solver) {
  const std::size_t n = lcp.q.size();
  double worst = 0.;
  for (std::size_t i = 0; i < n; ++i) {
    double w = lcp.q[i];
    for (std::size_t j = 0; j < n; ++j) w += lcp.M[i * n + j] * solver.z()[j];
    worst = std::max({worst, std::abs(w - solver.w()[i]), -solver.z()[i], -solver.w()[i]});
    if (solver.z()[i] > 0. && solver.w()[i] > 0.) worst = HUGE_VAL;
  }
  return worst;
}

}  // namespace carom::test
