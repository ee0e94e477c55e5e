// SPDX-License-Identifier: Apache-2.0
// Edges of the exact family that tests/reference does not hold.
#include <gtest/gtest.h>

#include <cmath>

#include <carom/impact/labels.hpp>
#include <carom/laws/routh.hpp>
#include <support/problems.hpp>

namespace carom {
namespace {

constexpr Hypothesis all[] = {Hypothesis::newton, Hypothesis::poisson, Hypothesis::energetic};

// The single pendulum of the reference cases: G = g g^T, approach in its range.
PlanarProblem pendulum(double theta_deg, double mu, double e) {
  const double theta = theta_deg * std::acos(-1.) / 180.;
  const double n = std::sin(theta);
  const double t = std::cos(theta);
  return {.G = {.nn = 3. * n * n, .nt = 3. * n * t, .tt = 3. * t * t},
          .approach = {.n = -n, .t = -t},
          .surface = {.restitution = e, .friction = mu}};
}

TEST(Routh, KaneLevinsonParadox) {
  const PlanarProblem p{.G = {.nn = 1., .nt = .9, .tt = 1.},
                        .approach = {.n = -1., .t = -.5},
                        .surface = {.restitution = 1., .friction = 1.}};
  EXPECT_NEAR(routh(p, Hypothesis::newton).energy.change, 1.7105263157894737, 1e-12);
  EXPECT_EQ(routh(p, Hypothesis::newton).verdict(), Verdict::energy_gained);
  EXPECT_NEAR(routh(p, Hypothesis::energetic).energy.change, -0.0657894736842105, 1e-12);
  EXPECT_EQ(routh(p, Hypothesis::energetic).verdict(), Verdict::ordinary);
}

TEST(Routh, SeparatingContactIsLeftAlone) {
  const PlanarProblem p{.G = {.nn = 1.2, .nt = .5, .tt = 1.},
                        .approach = {.n = .2, .t = .6},
                        .surface = {.restitution = .5, .friction = .3}};
  for (const auto h : all) {
    const auto o = routh(p, h);
    EXPECT_EQ(o.verdict(), Verdict::no_impulse);
    EXPECT_EQ(o.impulse, Vec2{});
    EXPECT_EQ(o.velocity, p.approach);
    EXPECT_EQ(o.mode, Mode::no_impulse);
    EXPECT_TRUE(o.phases.empty());
    EXPECT_EQ(o.energy.stages, StageWork{});
  }
}

// ERRATA, "Grazing and Painleve": bar at 63.435 deg, mu = 5/3, v = (0, 1), e = 0.5.
TEST(Routh, JamsWithoutCollision) {
  PlanarProblem p{.G = {.nn = 1.6, .nt = 1.2, .tt = 3.4},
                  .approach = {.n = 0., .t = 1.},
                  .surface = {.restitution = .5, .friction = 5. / 3.}};
  EXPECT_NEAR(routh(p, Hypothesis::newton).velocity.n, 0., 1e-15);
  EXPECT_NEAR(routh(p, Hypothesis::poisson).velocity.n, 3. / 17., 1e-14);
  EXPECT_NEAR(routh(p, Hypothesis::energetic).velocity.n, 3. / std::sqrt(1139.), 1e-14);
  for (const auto h : all) EXPECT_EQ(routh(p, h).verdict(), Verdict::jam);
  p.approach.t = -1.;  // the other way it slides off
  for (const auto h : all) EXPECT_EQ(routh(p, h).verdict(), Verdict::no_impulse);
}

TEST(Routh, SlopeOfZeroAtRestIsNoImpact) {
  // G_nn = mu G_nt exactly: v_n stays 0 while slipping.
  const PlanarProblem p{.G = {.nn = 1., .nt = .5, .tt = 1.},
                        .approach = {.n = 0., .t = 1.},
                        .surface = {.restitution = .5, .friction = 2.}};
  for (const auto h : all) EXPECT_EQ(routh(p, h).verdict(), Verdict::no_impulse);
}

TEST(Routh, RankOneThatLocksCannotReachEveryTarget) {
  const auto p = pendulum(30., .7, .5);
  for (const auto h : {Hypothesis::newton, Hypothesis::energetic}) {
    const auto o = routh(p, h);
    EXPECT_EQ(o.verdict(), Verdict::target_unreachable);
    EXPECT_EQ(o.velocity.n, 0.);
    EXPECT_EQ(o.velocity.t, 0.);
    EXPECT_NEAR(o.energy.change, -1. / 6., 1e-15);  // all of it
  }
  EXPECT_EQ(routh(p, Hypothesis::poisson).verdict(), Verdict::ordinary);
  EXPECT_NEAR(routh(p, Hypothesis::poisson).impulse.n, 0.4519905644642854, 1e-13);
  // With e = 0 there is nothing to reach.
  for (const auto h : all) {
    EXPECT_EQ(routh(pendulum(30., .7, 0.), h).verdict(), Verdict::ordinary);
  }
}

TEST(Routh, RankOneThatReboundsEndsSlipAndCompressionTogether) {
  for (const double theta : {35., 50., 60., 80.}) {
    for (const auto h : all) {
      const auto o = routh(pendulum(theta, .5, .5), h);
      EXPECT_EQ(o.verdict(), Verdict::ordinary) << theta;
      EXPECT_EQ(o.mode, Mode::stops_in_compression_slips) << theta;
      ASSERT_TRUE(shen_townsend_case(o).has_value());
      EXPECT_EQ(*shen_townsend_case(o), ShenTownsendCase::ii) << theta;
    }
  }
  // The threshold is tan(theta) [Shen & Townsend 1998, Sec. 6.1].
  EXPECT_EQ(routh(pendulum(45., 1.001, .5), Hypothesis::poisson).mode,
            Mode::stops_in_compression_sticks);
  EXPECT_EQ(routh(pendulum(45., 0.999, .5), Hypothesis::poisson).mode,
            Mode::stops_in_compression_slips);
}

TEST(Routh, SingularWithoutSolutionIsSaidSo) {
  // ERRATA: G all ones, v = (-1, 0), mu = 1.5 never ends.
  const PlanarProblem p{.G = {.nn = 1., .nt = 1., .tt = 1.},
                        .approach = {.n = -1., .t = 0.},
                        .surface = {.restitution = .5, .friction = 1.5}};
  // Nor does a contact that cannot move at all.
  const PlanarProblem wall{.G = {}, .approach = {.n = -1., .t = .3}, .surface = p.surface};
  for (const auto h : all) {
    for (const auto& problem : {p, wall}) {
      const auto o = routh(problem, h);
      EXPECT_EQ(o.verdict(), Verdict::no_solution);
      EXPECT_EQ(o.impulse, Vec2{});
      EXPECT_EQ(o.velocity, problem.approach);
    }
  }
}

TEST(Routh, SingularOutsideItsRangeMayStillEnd) {
  // G all ones: slip (v_t = 5) cannot stop before the normal velocity has turned.
  const PlanarProblem p{.G = {.nn = 1., .nt = 1., .tt = 1.},
                        .approach = {.n = -1., .t = 5.},
                        .surface = {.restitution = .5, .friction = .5}};
  for (const auto h : all) {
    const auto o = routh(p, h);
    EXPECT_EQ(o.verdict(), Verdict::ordinary);
    EXPECT_NEAR(o.velocity.n, .5, 1e-15);
    EXPECT_EQ(o.mode, Mode::slides);
  }
}

TEST(Routh, TieOfStopAndCompressionIsCaseTwo) {
  PlanarProblem p{.G = {.nn = 1., .nt = 0., .tt = 3.5},
                  .approach = {.n = -1., .t = 1.75},
                  .surface = {.restitution = .5, .friction = .5}};
  for (const auto h : all) {
    const auto o = routh(p, h);
    EXPECT_EQ(*shen_townsend_case(o), ShenTownsendCase::ii);
    EXPECT_EQ(o.phases.size(), 2U);
  }
  p.approach.t = 1.75 * (1. + 1e-15);
  EXPECT_EQ(*shen_townsend_case(routh(p, Hypothesis::poisson)), ShenTownsendCase::iii);
}

TEST(Routh, NoFrictionStillMarksWhereSlipTurns) {
  const PlanarProblem p{.G = {.nn = 1.2, .nt = .7, .tt = .9},
                        .approach = {.n = -1., .t = -.5},
                        .surface = {.restitution = .6, .friction = 0.}};
  for (const auto h : all) {
    const auto o = routh(p, h);
    EXPECT_NEAR(o.velocity.n, .6, 1e-15);
    EXPECT_EQ(o.impulse.t, 0.);
    EXPECT_EQ(o.energy.friction, 0.);
    EXPECT_EQ(o.mode, Mode::stops_in_compression_slips);
  }
}

// A thin rod 30 deg from the vertical, whose slip reverses; shares of the kinetic energy.
TEST(Routh, ThinRodWhoseSlipReverses) {
  const PlanarProblem p = test::thin_rod();
  const double T = test::thin_rod_energy;
  const auto newton = routh(p, Hypothesis::newton);
  const auto poisson = routh(p, Hypothesis::poisson);
  const auto energetic = routh(p, Hypothesis::energetic);
  EXPECT_NEAR(newton.velocity.t, -.2677, 5e-5);
  EXPECT_NEAR(newton.energy.change / T, -.4096, 5e-5);
  EXPECT_NEAR(poisson.velocity.t, -.2513, 5e-5);
  EXPECT_NEAR(poisson.velocity.n, .4315, 5e-5);
  EXPECT_NEAR(poisson.energy.change / T, -.4433, 5e-5);
  EXPECT_NEAR(energetic.velocity.t, -.2536, 5e-5);
  EXPECT_NEAR(energetic.velocity.n, .4409, 5e-5);
  EXPECT_NEAR(energetic.energy.change / T, -.4390, 5e-5);
}

}  // namespace
}  // namespace carom
