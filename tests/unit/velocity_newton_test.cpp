// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include <carom/complementarity/friction/velocity_newton.hpp>

namespace carom::complementarity {
namespace {

constexpr double mu = 0.4;

/// A body of mass one and radius of gyration one with contacts on the ground below it, at the given
/// places: rows (normal, tangential), velocities x, y, spin.
struct OnGround {
  OnGround(const std::vector<std::array<double, 2>>& places, const std::array<double, 3>& u_0)
      : u(u_0.begin(), u_0.end()) {
    newton.clear(1, 3);
    for (const auto& [x, y] : places) {
      const std::array<double, 3> normal{0., 1., x};
      const std::array<double, 3> tangent{1., 0., -y};
      newton.add(0, VelocityNewton::ground);
      for (const auto& w : {normal, tangent}) {
        newton.add_component({w.data(), nullptr}, {w.data(), nullptr}, 1., 0., 0.);
        rows.push_back(w);
      }
      newton.bound(1, mu);
    }
    newton.begin();
  }
  [[nodiscard]] double along(std::size_t row) const {
    return rows[row][0] * u[0] + rows[row][1] * u[1] + rows[row][2] * u[2];
  }

  VelocityNewton newton;
  std::vector<std::array<double, 3>> rows;
  std::vector<double> u;
};

// Interior-point steps lead into the neighbourhood of a solution: impulses within the cone, no
// approach, no impulse where the contact separates, and friction against slip.
TEST(VelocityNewton, ThePathLeadsToCoulombsLaw) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-1., 1.);
  for (int n = 0; n < 300; ++n) {
    const std::array<double, 3> u_0{2. * uniform(random), -1. + 0.5 * uniform(random),
                                    uniform(random)};
    OnGround body({{-1. + 0.2 * uniform(random), -0.3}, {1. + 0.2 * uniform(random), -0.3}}, u_0);
    body.newton.follow_path(body.u, 1.);
    // Velocities from impulses alone, as callers make them: near the boundary of the cone those of
    // the steps have rounding errors.
    body.u.assign(u_0.begin(), u_0.end());
    for (std::size_t row = 0; row < body.rows.size(); ++row) {
      const double P = body.newton.impulses()[row];
      for (std::size_t j = 0; j < 3; ++j) body.u[j] += body.rows[row][j] * P;
    }
    for (std::size_t i = 0; i < 2; ++i) {
      const double* const P = body.newton.impulse(i);
      const double v_n = body.along(2 * i);
      const double v_t = body.along(2 * i + 1);
      constexpr double near = 1e-4;
      EXPECT_GT(P[0], 0.);
      EXPECT_LT(std::abs(P[1]), mu * P[0]);
      EXPECT_GT(v_n, -near);
      EXPECT_LT(P[0] * v_n, near);
      // Of friction mu P_n and |v_t| the power is the most that the cone allows.
      EXPECT_NEAR(P[1] * v_t, -mu * P[0] * std::abs(v_t), near) << n;
    }
  }
}

}  // namespace
}  // namespace carom::complementarity
