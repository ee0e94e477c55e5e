// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include <carom/impact/labels.hpp>
#include <carom/laws/table.hpp>

namespace carom {
namespace {

const PlanarProblem sticking{.G = {.nn = 1., .nt = .9, .tt = 1.},
                             .approach = {.n = -1., .t = -.5},
                             .surface = {.restitution = 1., .friction = 1.}};

TEST(Labels, EquivalentRestitutionOfEachHypothesis) {
  const auto newton = equivalent_restitution(sticking, Newton{}(sticking));
  EXPECT_DOUBLE_EQ(*newton.newton, 1.);
  // From the reference case: p_c = 2.894737, P = 8.157895; W_c = -.855263, W_r = 2.631579.
  EXPECT_NEAR(*newton.poisson, 8.157894736842106 / 2.8947368421052637 - 1., 1e-12);
  EXPECT_NEAR(*newton.energetic, std::sqrt(2.631578947368421 / 0.855263157894737), 1e-12);
}

TEST(Labels, AlgebraicLawHasOnlyAVelocityRatio) {
  const auto e = equivalent_restitution(sticking, Moreau{}(sticking));
  EXPECT_DOUBLE_EQ(*e.newton, 1.);
  EXPECT_FALSE(e.poisson.has_value());
  EXPECT_FALSE(e.energetic.has_value());
  EXPECT_FALSE(shen_townsend_case(Moreau{}(sticking)).has_value());
  EXPECT_FALSE(sun_baruh_mode(Moreau{}(sticking)).has_value());
}

TEST(Labels, NothingHappenedHasNone) {
  PlanarProblem p = sticking;
  p.approach.n = 1.;
  const auto o = Poisson{}(p);
  const auto e = equivalent_restitution(p, o);
  EXPECT_FALSE(e.newton || e.poisson || e.energetic);
  EXPECT_FALSE(shen_townsend_case(o).has_value());
  EXPECT_EQ(payr_glocker_regime(p, o), Mode::no_impulse);
}

// Backward slip is P_t = +mu P_n: slip along -t.
TEST(Labels, PayrGlockerRegimeOfAnyOutcome) {
  PlanarProblem p{.G = {.nn = 1., .nt = 0., .tt = 3.5},
                  .approach = {.n = -1., .t = -9.},
                  .surface = {.restitution = .5, .friction = .3}};
  for (const Law& law : laws_for(in_the_plane)) {
    EXPECT_EQ(payr_glocker_regime(p, solve(planar_kernel(law), p)), Mode::backward_slip)
        << law.name;
  }
  p.approach.t = 9.;
  for (const Law& law : laws_for(in_the_plane)) {
    EXPECT_EQ(payr_glocker_regime(p, solve(planar_kernel(law), p)), Mode::forward_slip) << law.name;
  }
  p.approach.t = .1;
  for (const Law& law : laws_for(in_the_plane)) {
    EXPECT_EQ(payr_glocker_regime(p, solve(planar_kernel(law), p)), Mode::stick) << law.name;
  }
  // With eps_T > 0 the paper's stick turns slip round.
  p.surface.tangential_restitution = .5;
  EXPECT_NEAR(Moreau{}(p).velocity.t, -.05, 1e-15);
}

// Without friction nothing can stick; what slip is left decides, for every law alike.
TEST(Labels, PayrGlockerRegimeWithoutFriction) {
  const PlanarProblem p{.G = {.nn = 1.2, .nt = .7, .tt = .9},
                        .approach = {.n = -1., .t = -.5},
                        .surface = {.restitution = .6, .friction = 0.}};
  for (const Law& law : laws_for(in_the_plane)) {
    EXPECT_EQ(payr_glocker_regime(p, solve(planar_kernel(law), p)), Mode::forward_slip) << law.name;
  }
}

TEST(Verdicts, GravestIsTheVerdictAndAllAreFlags) {
  Verdicts v;
  EXPECT_EQ(v.gravest(), Verdict::ordinary);
  EXPECT_TRUE(v.empty());
  v.add(Verdict::jam);
  v.add(Verdict::energy_gained);
  v.add_if(false, Verdict::no_solution);
  EXPECT_EQ(v.gravest(), Verdict::energy_gained);
  EXPECT_TRUE(v.has(Verdict::jam));
  EXPECT_EQ(name(v.gravest()), "energy-gained");
}

}  // namespace
}  // namespace carom
