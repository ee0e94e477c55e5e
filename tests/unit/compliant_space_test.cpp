// SPDX-License-Identifier: Apache-2.0
// `compliant` in space: every case of tests/reference/compliant_space.json, and limiting cases.
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>

#include <carom/core/tangent.hpp>
#include <carom/impact/labels.hpp>
#include <carom/impact/one_contact.hpp>
#include <carom/laws/compliant_space/compliant_space.hpp>
#include <carom/laws/table.hpp>
#include <support/spatial_cases.hpp>
#include <support/spatial_problems.hpp>

namespace carom::test {
namespace {

class CompliantSpaceReference : public testing::TestWithParam<SpatialReferenceCase> {};

TEST_P(CompliantSpaceReference, OutcomeIsAsComputedIndependently) {
  SpatialReferenceCase c = GetParam();
  validate(c.problem);
  const SpatialOutcome o = compliant(c.problem);
  EXPECT_EQ(compare(c, o), "");
  EXPECT_EQ(slider_text(o.slider), c.slider);
  EXPECT_EQ(o.flags.has(Verdict::recompressed), c.extra.at("recompressed").front() > 0.);
  // The method is much more accurate than the cases ask.
  c.tolerance = 2e-12;
  EXPECT_EQ(compare(c, o), "");
}

// The error follows the tolerance that is asked for.
TEST_P(CompliantSpaceReference, ToleranceIsKept) {
  for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10}) {
    SpatialReferenceCase c = GetParam();
    c.tolerance = 10. * tolerance;
    const SpatialOutcome o = compliant(c.problem, {.tolerance = tolerance});
    EXPECT_EQ(compare(c, o), "") << tolerance;
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, CompliantSpaceReference, testing::ValuesIn(compliant_space_cases()),
                         [](const auto& tested) {
                           std::string name = tested.param.id;
                           for (char& ch : name) {
                             if (std::isalnum(static_cast<unsigned char>(ch)) == 0) ch = '_';
                           }
                           return name;
                         });

// Fails if the file is truncated or misread.
TEST(CompliantSpace, ReferenceFileIsWhole) { EXPECT_EQ(compliant_space_cases().size(), 24U); }

SpatialProblem oblique() {
  SpatialProblem p;
  p.G = {.nn = 2., .n1 = 0.4, .n2 = -0.3, .t11 = 3., .t12 = 0.5, .t22 = 4.};
  p.approach = {.n = -1., .t1 = 0.7, .t2 = -0.4};
  p.surface.restitution = 0.6;
  p.surface.friction = p.surface.static_friction = 0.5;
  p.surface.compliance_ratio = 1.2;
  return p;
}

TEST(CompliantSpace, WhatSeparatesOrRestsHasNoImpulse) {
  SpatialProblem p = oblique();
  for (const double v_n : {0., 1e-300, 1.}) {
    p.approach.n = v_n;
    const SpatialOutcome o = compliant(p);
    EXPECT_EQ(o.verdict(), Verdict::no_impulse);
    EXPECT_EQ(o.impulse, Vec3{});
    EXPECT_EQ(o.velocity, p.approach);
    EXPECT_EQ(compliant_path(p).size(), 1U);
  }
}

// Slip that pulls the contact in starts an impact from v_n = 0.
TEST(CompliantSpace, GrazingContactThatJams) {
  SpatialProblem p = oblique();
  p.G = {.nn = 1., .n1 = 1.2, .n2 = 0.1, .t11 = 2., .t12 = 0.1, .t22 = 2.5};
  p.surface.friction = p.surface.static_friction = 1.5;
  p.approach = {.n = 0., .t1 = 1., .t2 = 0.05};
  const SpatialOutcome o = compliant(p);
  EXPECT_TRUE(o.flags.has(Verdict::jam));
  EXPECT_GT(o.impulse.n, 0.1);
  EXPECT_GT(o.velocity.n, 0.);
  p.approach.n = -1e-9;  // the limit
  const SpatialOutcome limit = compliant(p);
  EXPECT_LT(largest(limit.velocity - o.velocity), 1e-7);
}

TEST(CompliantSpace, WithoutFrictionSlipOnlyFollowsTheCoupling) {
  SpatialProblem p = oblique();
  p.surface.friction = p.surface.static_friction = 0.;
  const SpatialOutcome o = compliant(p);
  EXPECT_DOUBLE_EQ(o.impulse.n, 0.8);
  EXPECT_EQ(o.impulse.t1, 0.);
  EXPECT_EQ(o.impulse.t2, 0.);
  EXPECT_DOUBLE_EQ(o.velocity.n, 0.6);
  EXPECT_EQ(o.tolerance, 0.);
  EXPECT_EQ(slider_text(o.slider), "slip");
  ASSERT_EQ(o.phases.size(), 2U);
  // A little friction changes little.
  p.surface.friction = p.surface.static_friction = 1e-12;
  EXPECT_LT(largest(compliant(p).velocity - o.velocity), 1e-11);
}

TEST(CompliantSpace, WithoutRestitutionTheImpactEndsWithCompression) {
  SpatialProblem p = oblique();
  p.surface.restitution = 0.;
  const SpatialOutcome o = compliant(p);
  EXPECT_EQ(o.velocity.n, 0.);
  EXPECT_EQ(o.energy.stages->restitution, 0.);
  for (const SpatialPhase& phase : o.phases) EXPECT_EQ(phase.stage, Stage::compression);
  // The limit of small restitution.
  for (const double e : {1e-6, 1e-9, 1e-12, 1e-14, 1e-16, 1e-200}) {
    p.surface.restitution = e;
    const SpatialOutcome small = compliant(p);
    EXPECT_EQ(small.verdict(), Verdict::ordinary) << e;
    EXPECT_LT(largest(small.velocity - o.velocity), 10. * e + 1e-12) << e;
    EXPECT_NEAR(small.energy.stages->restitution, -e * e * o.energy.stages->compression,
                1e-11 * e * e);
  }
}

// The slider never slips but in the last instant, and the tangential springs oscillate freely.
TEST(CompliantSpace, HugeFrictionSticks) {
  SpatialProblem p = oblique();
  p.surface.friction = p.surface.static_friction = 1e9;
  const SpatialOutcome o = compliant(p);
  EXPECT_EQ(o.verdict(), Verdict::ordinary);
  for (const double mu : {1e11, 1e13, 1e60}) {
    p.surface.friction = p.surface.static_friction = mu;
    EXPECT_LT(largest(compliant(p).velocity - o.velocity), 1e-8) << mu;
  }
  EXPECT_LT(momentum_residual(p, o.impulse, o.velocity), 1e-14);
}

// A sphere that falls straight: no tangential force, so that |F_T| = mu F_n = 0 at separation.
TEST(CompliantSpace, NormalImpactOfASphere) {
  SpatialProblem p = oblique();
  p.G = {.nn = 1., .n1 = 0., .n2 = 0., .t11 = 3.5, .t12 = 0., .t22 = 3.5};
  p.approach = {.n = -1., .t1 = 0., .t2 = 0.};
  for (const double e : {0., 0.3, 1.}) {
    p.surface.restitution = e;
    const SpatialOutcome o = compliant(p);
    EXPECT_NEAR(o.velocity.n, e, 1e-14);
    EXPECT_NEAR(o.impulse.n, 1. + e, 1e-14);
    EXPECT_LT(tangential_size(o.impulse), 1e-14);
  }
}

// G = g g^T moves along g only. With an approach along g the contact does too; another one cannot
// be stopped.
TEST(CompliantSpace, RankOneContact) {
  SpatialProblem p = oblique();
  const Vec3 g{.n = 1., .t1 = 2., .t2 = -1.};
  p.G = {.nn = g.n * g.n,
         .n1 = g.n * g.t1,
         .n2 = g.n * g.t2,
         .t11 = g.t1 * g.t1,
         .t12 = g.t1 * g.t2,
         .t22 = g.t2 * g.t2};
  p.approach = -1. * g;
  p.surface.compliance_ratio = 0.7;
  SpatialOutcome o = compliant(p);
  EXPECT_EQ(o.verdict(), Verdict::ordinary);
  EXPECT_LT(momentum_residual(p, o.impulse, o.velocity), 1e-13);
  EXPECT_NEAR(o.velocity.t1, 2. * o.velocity.n, 1e-13);
  EXPECT_NEAR(o.velocity.t2, -o.velocity.n, 1e-13);
  for (const double mu : {0.1, 5., 1e6}) {
    p.approach = {.n = -1., .t1 = 1., .t2 = 1.};
    p.surface.friction = p.surface.static_friction = mu;
    o = compliant(p);
    EXPECT_TRUE(o.flags.has(Verdict::no_solution) || o.velocity.n >= 0.) << mu;
    EXPECT_TRUE(std::isfinite(o.velocity.n + o.velocity.t1 + o.velocity.t2 + o.energy.change));
  }
}

// |v_T| = mu eta^2 |v_n|, and its neighbours.
TEST(CompliantSpace, StartsAtTheTieOfStickAndSlip) {
  SpatialProblem p = oblique();
  p.surface.compliance_ratio = 1.;
  for (const double v_n : {-1., -0.5}) {
    SpatialOutcome tie;
    for (const int ulps : {0, -3, -1, 1, 3}) {
      p.approach = {.n = v_n, .t1 = -0.3 * v_n * (1. + ulps * 2.2e-16), .t2 = -0.4 * v_n};
      const SpatialOutcome o = compliant(p);
      EXPECT_EQ(o.verdict(), Verdict::ordinary) << ulps;
      if (ulps == 0) tie = o;
      EXPECT_LT(largest(o.velocity - tie.velocity), 1e-12) << ulps;
    }
  }
}

// Extreme coefficients: an outcome, or a verdict that says that there is none.
TEST(CompliantSpace, NeverLeavesTheNumbers) {
  for (const double eta2 : {1e-9, 1e-4, 1., 1e4, 1e9}) {
    for (const double mu : {1e-150, 1e-9, 1e-3, 1., 1e3, 1e9}) {
      for (const double e : {0., 1e-9, 1e-3, 1.}) {
        for (std::uint64_t seed = 0; seed < 4; ++seed) {
          SpatialProblem p = random_bodies(seed);
          p.surface.restitution = e;
          p.surface.friction = p.surface.static_friction = mu;
          p.surface.compliance_ratio = eta2;
          const SpatialOutcome o = compliant(p, {.tolerance = 1e-9});
          ASSERT_TRUE(std::isfinite(o.velocity.n + o.velocity.t1 + o.velocity.t2));
          ASSERT_TRUE(std::isfinite(o.impulse.n + o.impulse.t1 + o.impulse.t2));
          ASSERT_TRUE(std::isfinite(o.energy.change + o.energy.friction));
          if (o.impulse == Vec3{}) {
            EXPECT_TRUE(o.flags.has(Verdict::not_converged)) << eta2 << " " << mu << " " << e;
            continue;
          }
          EXPECT_GE(o.velocity.n, 0.);
          EXPECT_LE(momentum_residual(p, o.impulse, o.velocity), 1e-12);
        }
      }
    }
  }
}

// The table, where it is one law in the plane and in space.
TEST(CompliantSpace, IsALawOfTheTable) {
  const SpatialProblem p = oblique();
  ContactProblem problem;
  assign(problem, p);
  Outcome o;
  const Law& law = find_law("compliant", "law", in_space);
  EXPECT_TRUE(works_itself(law, in_space));
  EXPECT_TRUE(works_itself(law, in_the_plane));
  solve(law, problem, {}, o);
  const SpatialOutcome one = compliant(p);
  EXPECT_EQ(o.impulse[2], one.impulse.t2);
  EXPECT_EQ(o.phases.size(), one.phases.size());
  EXPECT_EQ(mode_label(law, problem, o, 0), slider_text(one.slider));
  EXPECT_NO_THROW(require_option(law, in_space, "tolerance", "options.tolerance"));
}

}  // namespace
}  // namespace carom::test
