// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include <carom/core/error.hpp>
#include <carom/impact/one_contact.hpp>
#include <carom/laws/table.hpp>
#include <carom/mechanics/planar_bodies.hpp>
#include <support/reference_cases.hpp>

namespace carom::test {
namespace {

// [Payr & Glocker 2005, eq. 22]
TEST(Mechanics, BarHasThePapersInertia) {
  const double m = 2., s = .7, K = .4, phi = 1.1;
  const auto c = planar_problem(at_impact(Bar{.mass = m,
                                              .half_length = s,
                                              .inertia_factor = K,
                                              .angle = phi,
                                              .velocity = {.3, -1.},
                                              .spin = .6})
                                    .problem);
  EXPECT_NEAR(c.G.nn, 1. / m + std::cos(phi) * std::cos(phi) / (K * m), 1e-15);
  EXPECT_NEAR(c.G.tt, 1. / m + std::sin(phi) * std::sin(phi) / (K * m), 1e-15);
  EXPECT_NEAR(c.G.nt, std::sin(phi) * std::cos(phi) / (K * m), 1e-15);
  EXPECT_NEAR(c.approach.n, -1. - s * .6 * std::cos(phi), 1e-15);
  EXPECT_NEAR(c.approach.t, .3 - s * .6 * std::sin(phi), 1e-15);
}

// Every bar and rod of the reference file: G and v come out, and for the rods u+ too.
TEST(Mechanics, ReferenceSystemsGiveTheirContactSpace) {
  int bars = 0;
  int rods = 0;
  for (const auto& c : reference_cases()) {
    SystemAtImpact at;
    if (c.system_type == "bar") {
      ++bars;
      at = at_impact(
          Bar{.inertia_factor = c.system.at("K"), .angle = c.system.at("phi_deg") * degree});
    } else if (c.system_type == "sun_baruh_rod") {
      ++rods;
      at = at_impact(Rod{.mass = c.system.at("m"),
                         .half_length = c.system.at("L"),
                         .inertia_factor = c.system.at("alpha"),
                         .angle = c.system.at("theta_deg") * degree,
                         .velocity = {c.system.at("vx"), c.system.at("vy")},
                         .spin = c.system.at("omega")});
    } else {
      continue;
    }
    const auto [G, v, surface, spin] = planar_problem(at.problem);
    EXPECT_NEAR(G.nn, c.problem.G.nn, 1e-14) << c.id;
    EXPECT_NEAR(G.nt, c.problem.G.nt, 1e-14) << c.id;
    EXPECT_NEAR(G.tt, c.problem.G.tt, 1e-14) << c.id;
    if (c.system_type == "bar") continue;
    EXPECT_NEAR(v.n, c.problem.approach.n, 1e-14) << c.id;
    EXPECT_NEAR(v.t, c.problem.approach.t, 1e-14) << c.id;
    const auto o = solve(planar_kernel(*find_law(c.law)), c.problem);
    const auto after = at.velocity_after(o.impulse);
    EXPECT_NEAR(after[0], c.extra.at("vx_post"), 1e-12) << c.id;
    EXPECT_NEAR(after[1], c.extra.at("vy_post"), 1e-12) << c.id;
    EXPECT_NEAR(after[2], c.extra.at("omega_post"), 1e-12) << c.id;
    const double T = at.kinetic_energy(at.u);
    EXPECT_NEAR(at.kinetic_energy(after) / T, c.extra.at("energy_ratio"), 1e-12) << c.id;
    EXPECT_NEAR(at.kinetic_energy(after) - T, o.energy.change, 1e-12) << c.id;
  }
  EXPECT_GE(bars, 17);
  EXPECT_GE(rods, 11);
}

// The Kane-Levinson double pendulum by its M, W, u; u+ as in the reference file.
TEST(Mechanics, GeneralizedCoordinatesGiveThePendulum) {
  const double m = 3., l = 2., q1 = 20. * degree, q2 = 30. * degree;
  Eigen::Matrix2d M;
  M << 4. / 3. * m * l * l, .5 * m * l * l * std::cos(q2 - q1), .5 * m * l * l * std::cos(q2 - q1),
      m * l * l / 3.;
  Eigen::Matrix2d W;
  W << l * std::sin(q1), l * std::cos(q1), l * std::sin(q2), l * std::cos(q2);
  const SystemAtImpact c = at_impact(M, W, {-.1, -.2});
  const auto [G, v, surface, spin] = planar_problem(c.problem);
  int seen = 0;
  for (const auto& ref : reference_cases()) {
    if (ref.system_type != "double_pendulum" || ref.law != "poisson") continue;
    ++seen;
    EXPECT_NEAR(G.nn, ref.problem.G.nn, 1e-14);
    EXPECT_NEAR(G.nt, ref.problem.G.nt, 1e-14);
    EXPECT_NEAR(G.tt, ref.problem.G.tt, 1e-14);
    EXPECT_NEAR(v.n, ref.problem.approach.n, 1e-15);
    EXPECT_NEAR(v.t, ref.problem.approach.t, 1e-15);
    const auto after = c.velocity_after(
        Poisson{}({.G = G, .approach = v, .surface = ref.problem.surface}).impulse);
    EXPECT_NEAR(after[0], ref.extra_arrays.at("qd_post")[0], 1e-12) << ref.id;
    EXPECT_NEAR(after[1], ref.extra_arrays.at("qd_post")[1], 1e-12) << ref.id;
  }
  EXPECT_EQ(seen, 7);
}

// Bar and rod are one body in two conventions: phi = 90 deg + theta, y and spin turned over.
TEST(Mechanics, BarAndRodAgree) {
  const double theta = .37;
  const auto rod =
      planar_problem(at_impact(Rod{.angle = theta, .velocity = {.4, 1.1}, .spin = -.8}).problem);
  const auto bar = planar_problem(
      at_impact(Bar{.angle = theta + std::numbers::pi / 2., .velocity = {.4, -1.1}, .spin = -.8})
          .problem);
  EXPECT_NEAR(rod.G.nn, bar.G.nn, 1e-15);
  EXPECT_NEAR(rod.G.nt, bar.G.nt, 1e-15);
  EXPECT_NEAR(rod.G.tt, bar.G.tt, 1e-15);
  EXPECT_NEAR(rod.approach.n, bar.approach.n, 1e-15);
  EXPECT_NEAR(rod.approach.t, bar.approach.t, 1e-15);
}

// A ball with backspin: the contact point moves at u_x + r spin, spin counter-clockwise.
TEST(Mechanics, RoundBodyWithSpin) {
  const Round ball{
      .mass = 2., .radius = .5, .inertia_factor = .4, .velocity = {1., -3.}, .spin = 6.};
  const auto at = at_impact(ball);
  const auto [G, v, surface, spin] = planar_problem(at.problem);
  EXPECT_DOUBLE_EQ(G.nn, .5);
  EXPECT_DOUBLE_EQ(G.nt, 0.);
  EXPECT_NEAR(G.tt, .5 * 3.5, 1e-15);
  EXPECT_DOUBLE_EQ(v.n, -3.);
  EXPECT_DOUBLE_EQ(v.t, 4.);
  // Friction against +x slip: it slows, and the spin falls.
  const auto o =
      Energetic{}({.G = G, .approach = v, .surface = {.restitution = .5, .friction = .1}});
  const auto after = at.velocity_after(o.impulse);
  EXPECT_LT(after[0], 1.);
  EXPECT_LT(after[2], 6.);
  EXPECT_NEAR(at.kinetic_energy(after) - at.kinetic_energy(at.u), o.energy.change, 1e-12);
}

// One degree of freedom behind an ill-conditioned M: G has rank one to rounding all the same.
TEST(Mechanics, ParallelDirectionsGiveRankOne) {
  for (int k = 0; k < 2000; ++k) {
    const double a = std::sin(1.7 * k + .3);
    const double b = std::cos(2.9 * k);
    const double off = 1. - 1e-6 * (1. + std::sin(static_cast<double>(k)) * .5);
    Eigen::Matrix2d M;
    M << 1., off, off, 1.;
    Eigen::Matrix2d W;
    W << a, .7 * a, b, .7 * b;
    const SystemAtImpact c = at_impact(M, W, {-a, -b});
    const auto [G, v, surface, spin] = planar_problem(c.problem);
    EXPECT_TRUE(is_rank_one(G)) << k;
    EXPECT_NO_THROW(validate({.G = G, .approach = v, .surface = {}})) << k;
    EXPECT_TRUE(in_range_of_rank_one(G, v)) << k;
  }
}

template <class System>
std::string refusal_of(const System& system) {
  try {
    (void)at_impact(system);
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

TEST(Mechanics, BadBodiesAreRefused) {
  EXPECT_EQ(refusal_of(Bar{.mass = -1., .angle = 1.}), "mass: must be a finite number > 0, got -1");
  EXPECT_EQ(refusal_of(Bar{.half_length = 0., .angle = 1.}),
            "half_length: must be a finite number > 0, got 0");
  EXPECT_EQ(refusal_of(Bar{.angle = 0.}), "angle_deg: must be in (0, 180), got 0");
  EXPECT_EQ(refusal_of(Rod{.angle = 1.6}).substr(0, 9), "angle_deg");
  EXPECT_EQ(refusal_of(Round{.inertia_factor = -.4}),
            "inertia_factor: must be a finite number > 0, got -0.4");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refusal_of(Round{.velocity = {nan, 0.}}),
            "velocity[0]: must be a finite number, got nan");
}

std::string refusal(const Eigen::MatrixXd& M) {
  try {
    (void)at_impact(M, Eigen::Matrix2d::Identity(), {-1., 0.});
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

TEST(Mechanics, BadMatricesAreRefused) {
  Eigen::Matrix2d M = Eigen::Matrix2d::Identity();
  EXPECT_EQ(refusal(M), "");
  M(0, 1) = .5;
  EXPECT_EQ(refusal(M), "mass: must be symmetric, got 0.5 at [0][1] and 0 across");
  M(1, 0) = .5;
  EXPECT_EQ(refusal(M), "");
  M(0, 1) = M(1, 0) = 2.;
  EXPECT_EQ(refusal(M), "mass: must be positive definite, got an indefinite or singular matrix");
  EXPECT_EQ(refusal(-Eigen::Matrix2d::Identity()), "mass[0][0]: must be > 0, got -1");
  EXPECT_EQ(refusal(Eigen::Matrix3d::Identity()),
            "mass: must be 2 x 2 as velocity has 2 entries, got 3 x 3");
}

}  // namespace
}  // namespace carom::test
