// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include <carom/complementarity/friction/factored.hpp>

// Packed discs that are struck at once: many contacts change between open, stick and slip together,
// and impulses are not unique. Sweeps alone do not solve these problems.
namespace carom::complementarity {
namespace {

constexpr double tolerance = 1e-6;

/// Discs of mass and radius one on a triangular lattice between two walls and a floor, with holes,
/// and with contacts that do not touch.
struct PackedDiscs {
  static constexpr std::size_t none = ~std::size_t{0};
  struct Contact {
    std::size_t first = none;
    std::size_t second = none;  ///< none: a wall
    std::array<double, 2> n{};  ///< into the first
  };

  PackedDiscs(std::size_t across, std::size_t rows, std::uint32_t seed) : random_(seed) {
    std::vector<std::optional<std::size_t>> disc(across * rows);
    for (auto& d : disc) {
      if (chance(0.1)) continue;
      d = bodies++;
    }
    mu = 0.2 + 0.6 * uniform();
    const double height = std::sqrt(0.75);
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t i = 0; i < across; ++i) {
        const auto here = disc[r * across + i];
        if (!here) continue;
        const auto touch = [&](std::optional<std::size_t> other, double x, double y) {
          if (other && !chance(0.1)) contacts.push_back({*here, *other, {-x, -y}});
        };
        if (i + 1 < across) touch(disc[r * across + i + 1], 1., 0.);
        if (r + 1 < rows) {
          const std::size_t above = (r + 1) * across;
          const std::size_t odd = r % 2;  // shifted to the right by half a disc
          if (i + odd >= 1) touch(disc[above + i + odd - 1], -0.5, height);
          if (i + odd < across) touch(disc[above + i + odd], 0.5, height);
        }
        if (r == 0) contacts.push_back({*here, none, {0., 1.}});
        if (i == 0 && r % 2 == 0) contacts.push_back({*here, none, {1., 0.}});
        if (i + 1 == across && r % 2 == 1) contacts.push_back({*here, none, {-1., 0.}});
      }
    }
    u_0.resize(3 * bodies);
    for (std::size_t b = 0; b < bodies; ++b) {
      u_0[3 * b] = uniform() - 0.5;
      u_0[3 * b + 1] = -uniform();
      u_0[3 * b + 2] = uniform() - 0.5;
    }
  }

  /// Rows (normal, tangential) of both sides.
  [[nodiscard]] static std::vector<double> W(const Contact& c) {
    const auto [x, y] = c.n;
    if (c.second == none) return {x, y, 0., y, -x, 1.};
    return {x, y, 0., -x, -y, 0., y, -x, 1., -y, x, 1.};
  }
  [[nodiscard]] static double inverse_mass(std::size_t row) { return row % 3 == 2 ? 2. : 1.; }
  [[nodiscard]] static std::size_t rows(const Contact& c) { return c.second == none ? 3 : 6; }

  void pose(FactoredFriction& f) const {
    f.clear(2);
    for (const Contact& c : contacts) {
      FactoredFriction::Contact contact{.mu = mu};
      contact.sides[0] = {.begin = 3 * c.first, .size = 3};
      if (c.second != none) contact.sides[1] = {.begin = 3 * c.second, .size = 3};
      const std::vector<double> w = W(c);
      std::vector<double> y = w;
      for (std::size_t j = 0; j < y.size(); ++j) y[j] *= inverse_mass(j);
      f.add(contact, w.data(), y.data());
    }
  }

  /// The largest violation of the laws by some impulses, with velocities that these make.
  [[nodiscard]] double violation(FactoredFriction& f) const {
    std::vector<double> u = u_0;
    const auto each = [&](std::size_t i, const auto& visit) {
      const Contact& c = contacts[i];
      const std::vector<double> w = W(c);
      for (std::size_t j = 0; j < w.size(); ++j) {
        const std::size_t row = j % rows(c);
        visit(w[j], j / rows(c), u[3 * (row < 3 ? c.first : c.second) + row % 3], row);
      }
    };
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      each(i, [&](double w, std::size_t component, double& x, std::size_t row) {
        x += inverse_mass(row) * w * f.impulse(i)[component];
      });
    }
    double worst = 0.;
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      std::array<double, 2> xi{};
      each(i,
           [&](double w, std::size_t component, double x, std::size_t) { xi[component] += w * x; });
      const double* const P = f.impulse(i);
      const double bound = mu * std::max(0., P[0]);
      worst = std::max({worst, std::abs(std::min(P[0], xi[0])),
                        std::abs(P[1] - std::clamp(P[1] - xi[1], -bound, bound))});
    }
    return worst;
  }

  std::size_t bodies = 0;
  std::vector<Contact> contacts;
  std::vector<double> u_0;
  double mu = 0.;

 private:
  double uniform() {
    return static_cast<double>(random_()) / static_cast<double>(std::mt19937::max());
  }
  bool chance(double part) { return uniform() < part; }

  std::mt19937 random_;
};

/// All contacts.
std::vector<std::size_t> island_of(const PackedDiscs& discs) {
  std::vector<std::size_t> island(discs.contacts.size());
  std::iota(island.begin(), island.end(), std::size_t{0});
  return island;
}

/// Newton steps for a problem, on average. All must converge.
double steps_of_all(std::size_t across, std::size_t rows, std::uint32_t seeds) {
  std::size_t steps = 0;
  for (std::uint32_t seed = 1; seed <= seeds; ++seed) {
    const PackedDiscs discs(across, rows, seed);
    FactoredFriction f;
    discs.pose(f);
    std::vector<double> u = discs.u_0;
    const auto result =
        f.solve(island_of(discs), u, {.tolerance = tolerance, .acceptable = tolerance});
    steps += result.steps;
    EXPECT_TRUE(result.converged) << "seed " << seed << ": residual " << result.residual;
    // The residual is relative to the largest impulse, up to 16, and to sqrt(G_nn) up to 2.
    EXPECT_LT(discs.violation(f), 32. * tolerance) << "seed " << seed;
  }
  return static_cast<double>(steps) / seeds;
}

// Limits are about twice what was measured: 19 and 58.
TEST(PackedFriction, FewDiscs) { EXPECT_LT(steps_of_all(6, 6, 100), 40.); }
TEST(PackedFriction, ManyDiscs) { EXPECT_LT(steps_of_all(20, 20, 10), 120.); }

// A guess that is nearly right is improved, so that the next step starts from balance.
TEST(PackedFriction, AGoodGuessIsImproved) {
  PackedDiscs discs(8, 8, 1);
  for (std::size_t j = 0; j < discs.u_0.size(); ++j) discs.u_0[j] = j % 3 == 1 ? -1. : 0.;
  FactoredFriction f;
  discs.pose(f);
  const std::vector<std::size_t> island = island_of(discs);
  std::vector<double> u = discs.u_0;
  ASSERT_TRUE(
      f.solve(island, u, {.tolerance = 1e-3 * tolerance, .acceptable = tolerance}).converged);
  for (std::size_t i = 0; i < f.size(); ++i) f.impulse(i)[0] *= 1. + 1e-7;
  u = discs.u_0;
  const auto resting = f.solve(island, u, {.tolerance = tolerance});
  EXPECT_TRUE(resting.converged);
  EXPECT_GT(resting.sweeps, 0U);
  EXPECT_LT(resting.residual, 0.02 * tolerance);
}

}  // namespace
}  // namespace carom::complementarity
