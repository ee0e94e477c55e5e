// SPDX-License-Identifier: Apache-2.0
// Edges of `moreau` that tests/reference does not hold.
#include <gtest/gtest.h>

#include <cmath>

#include <carom/core/scalar.hpp>
#include <carom/laws/moreau/moreau.hpp>
#include <carom/laws/table.hpp>
#include <support/problems.hpp>

namespace carom {
namespace {

const Sym2 steep{.nn = 1.6, .nt = 1.2, .tt = 3.4};  // bar at 63.435 deg

// ERRATA, PG4: without approach there are two answers, and stick is the limit.
TEST(Moreau, ImpactWithoutCollisionHasTwoSolutions) {
  const PlanarProblem p{.G = steep,
                        .approach = {.n = 0., .t = 1.},
                        .surface = {.restitution = 0., .friction = 5. / 3.}};
  const auto o = moreau(p, Hypothesis::newton);
  EXPECT_EQ(o.verdict(), Verdict::several_solutions);
  EXPECT_EQ(o.mode, Mode::stick);
  EXPECT_NEAR(o.impulse.n, .3, 1e-15);
  EXPECT_NEAR(o.impulse.t, -.4, 1e-15);
  const auto solutions = moreau_solutions(p, Hypothesis::newton);
  ASSERT_EQ(solutions.size, 2U);
  EXPECT_EQ(solutions.solution[0].mode, Mode::no_impulse);
  EXPECT_EQ(solutions.solution[1].mode, Mode::stick);
  EXPECT_NEAR(solutions.solution[1].impulse.n, .3, 1e-15);
}

TEST(Moreau, GrazingWithLittleFrictionIsNoImpact) {
  const PlanarProblem p{
      .G = steep, .approach = {.n = 0., .t = 1.}, .surface = {.restitution = .5, .friction = .5}};
  EXPECT_EQ(moreau(p, Hypothesis::newton).verdict(), Verdict::no_impulse);
  EXPECT_EQ(moreau(p, Hypothesis::poisson).verdict(), Verdict::no_impulse);
  EXPECT_EQ(moreau_solutions(p, Hypothesis::newton).size, 1U);
}

// A closed contact that separates takes eps = 0: with eps_N it would be pushed into approach.
TEST(Moreau, SeparatingContactIsLeftAlone) {
  const PlanarProblem p{
      .G = steep, .approach = {.n = .1, .t = -1.}, .surface = {.restitution = 1., .friction = .5}};
  const auto o = moreau(p, Hypothesis::newton);
  EXPECT_EQ(o.verdict(), Verdict::no_impulse);
  EXPECT_EQ(o.velocity, p.approach);
  const auto solutions = moreau_solutions(p, Hypothesis::newton);
  ASSERT_EQ(solutions.size, 1U);
  EXPECT_EQ(solutions.solution[0].velocity, p.approach);
}

// A thin rod 30 deg from the vertical; tip velocity after and share of the energy.
TEST(Moreau, ThinRodInBothHypotheses) {
  const PlanarProblem p = test::thin_rod();
  const double T = test::thin_rod_energy;
  const auto one = moreau(p, Hypothesis::newton);
  EXPECT_NEAR(one.velocity.t, 0., 1e-15);
  EXPECT_NEAR(one.velocity.n, .5, 1e-15);
  EXPECT_NEAR(one.energy.change / T, -.3617, 5e-5);
  const auto two = moreau(p, Hypothesis::poisson);
  EXPECT_NEAR(two.velocity.t, -.1106, 5e-5);
  EXPECT_NEAR(two.velocity.n, .4643, 5e-5);
  EXPECT_NEAR(two.energy.change / T, -.4100, 5e-5);
}

TEST(Moreau, RankOne) {
  const double n = .5;
  const double t = std::sqrt(.75);
  PlanarProblem p{.G = {.nn = 3. * n * n, .nt = 3. * n * t, .tt = 3. * t * t},
                  .approach = {.n = -n, .t = -t},
                  .surface = {.restitution = .5, .friction = .7}};
  // eps_N > eps_T and friction above tan(theta): no impulse in the cone gives v_n+ = -eps_N v_n-.
  EXPECT_EQ(moreau(p, Hypothesis::newton).verdict(), Verdict::no_solution);
  // Equal coefficients: the velocity is the pendulum's, turned round.
  p.surface.tangential_restitution = .5;
  const auto o = moreau(p, Hypothesis::newton);
  EXPECT_EQ(o.verdict(), Verdict::ordinary);
  EXPECT_NEAR(o.velocity.n, .5 * n, 1e-15);
  EXPECT_NEAR(o.velocity.t, .5 * t, 1e-15);
  EXPECT_NEAR(o.energy.change, -.75 / 6., 1e-15);
  // Below the threshold it slips, and the target is reached.
  p.surface.tangential_restitution = 0.;
  p.surface.friction = p.surface.static_friction = .5;
  EXPECT_EQ(moreau(p, Hypothesis::newton).mode, Mode::forward_slip);
  EXPECT_NEAR(moreau(p, Hypothesis::newton).velocity.n, .5 * n, 1e-15);
  // A contact that cannot move.
  p.G = {};
  EXPECT_EQ(moreau(p, Hypothesis::newton).verdict(), Verdict::no_solution);
  EXPECT_EQ(moreau(p, Hypothesis::poisson).verdict(), Verdict::no_solution);
  // Slip that cannot change.
  p.G = {.nn = 1., .nt = 0., .tt = 0.};
  for (const auto h : {Hypothesis::newton, Hypothesis::poisson}) {
    const auto rigid = moreau(p, h);
    EXPECT_EQ(rigid.mode, Mode::backward_slip);
    EXPECT_NEAR(rigid.velocity.n, .5 * n, 1e-15);
    EXPECT_NEAR(rigid.velocity.t, -t, 1e-15);
    EXPECT_NEAR(rigid.impulse.t, .5 * rigid.impulse.n, 1e-15);
  }
}

// G of nearly rank one and an approach nearly in its range, as of a mechanism with one stiff and
// one loose joint: momentum balances to rounding all the same.
TEST(Moreau, MomentumBalancesNearSingularG) {
  for (double gap = 1e-3; gap > 1e-13; gap /= 10.) {
    const double nt = std::sqrt(1. - gap);
    const PlanarProblem p{.G = {.nn = 1., .nt = nt, .tt = 1.},
                          .approach = {.n = -1., .t = -nt * (1. + .3 * gap)},
                          .surface = {.restitution = .5,
                                      .friction = 3.,
                                      .static_friction = 3.,
                                      .tangential_restitution = .5}};
    const auto o = moreau(p, Hypothesis::newton);
    ASSERT_EQ(o.mode, Mode::stick) << gap;
    const Vec2 r = p.approach + p.G * o.impulse - o.velocity;
    EXPECT_NEAR(r.n, 0., 1e-3 * epsilon / gap + 1e-14) << gap;
    EXPECT_NEAR(r.t, 0., 1e-14) << gap;
  }
}

// mu = G_nn/|G_nt| to rounding on a rank-one G: the slip branches vanish, rounding must not decide.
TEST(Moreau, VanishingSlipBranchOfRankOneIsNoSolution) {
  const PlanarProblem p{
      .G = {.nn = .24838254242940927, .nt = -.36477762984080619, .tt = .53571687418447644},
      .approach = {.n = -1., .t = 1.},
      .surface = {.restitution = .5, .friction = .68091495231713273}};
  EXPECT_EQ(moreau(p, Hypothesis::newton).verdict(), Verdict::no_solution);
  EXPECT_EQ(moreau(p, Hypothesis::poisson).verdict(), Verdict::no_solution);
}

// An approaching contact is never left alone as if nothing were to be done.
TEST(Moreau, ApproachIsAnsweredOrSaidToHaveNoSolution) {
  const PlanarProblem p{.G = {.nn = 1.7955040229285972e-09, .nt = -1.3399641871813388, .tt = 1e9},
                        .approach = {.n = -0.4905188312988078, .t = 366068612.87138665},
                        .surface = {.restitution = 0., .friction = .5}};
  for (const auto h : {Hypothesis::newton, Hypothesis::poisson}) {
    EXPECT_NE(moreau(p, h).verdict(), Verdict::no_impulse);
  }
}

TEST(Moreau, TwoStagesTellReversedSlip) {
  const PlanarProblem p = test::thin_rod();
  const auto o = moreau(p, Hypothesis::poisson);
  ASSERT_EQ(o.phases.size(), 2U);
  EXPECT_EQ(o.phases[0].motion, Motion::stick);
  EXPECT_EQ(o.phases[1].motion, Motion::reverse_slip);
}

TEST(Catalogue, KnowsWhatALawCannotHonour) {
  const Surface two{.restitution = .5, .friction = .3, .static_friction = .4};
  EXPECT_TRUE(cannot_honour(Moreau::info, two, 1).has_value());
  EXPECT_FALSE(cannot_honour(Poisson::info, two, 1).has_value());
  const Surface tangential{
      .restitution = .5, .friction = .3, .static_friction = .3, .tangential_restitution = .2};
  EXPECT_FALSE(cannot_honour(Moreau::info, tangential, 1).has_value());
  EXPECT_TRUE(cannot_honour(Moreau::two_stages, tangential, 1).has_value());
  EXPECT_TRUE(cannot_honour(Energetic::info, tangential, 1).has_value());
}

TEST(Catalogue, AliasesAreWhatTheySay) {
  EXPECT_EQ(planar_kernel(*find_law("shen-townsend")), PlanarLaw(Poisson{}));
  EXPECT_EQ(planar_kernel(*find_law("walton")), PlanarLaw(Moreau{}));
  EXPECT_EQ(find_law("enregetic"), nullptr);
}

}  // namespace
}  // namespace carom
