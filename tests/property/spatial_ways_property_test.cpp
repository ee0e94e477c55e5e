// SPDX-License-Identifier: Apache-2.0
// The ways of all laws through impacts in space that pictures show.
#include <support/spatial_generators.hpp>

#include <algorithm>
#include <cmath>

#include <carom/impact/one_contact.hpp>
#include <carom/report/impact_path.hpp>

namespace carom::test {
namespace {

/// An impact and what one law says of it.
study::Comparison asked(const Law& law, const SpatialProblem& p) {
  study::Comparison c;
  assign(c.system.problem, p);
  study::Answer a;
  a.law = &law;
  solve(law, c.problem(), {}, a.outcome);
  c.answers.push_back(std::move(a));
  return c;
}

void assert_leads_to_the_outcome(const SpatialProblem& p, const Law& law) {
  const auto c = asked(law, p);
  const SpatialOutcome o = spatial_outcome(c.answers.front().outcome);
  const auto way = report::spatial_path(c, c.answers.front());
  RC_ASSERT(way.front().impulse == Vec3{});
  RC_ASSERT(way.front().velocity == p.approach);
  RC_ASSERT(way.front().work() == 0.);
  RC_ASSERT(way.back().impulse == o.impulse);
  RC_ASSERT(way.back().velocity == o.velocity);
  const double scale = largest(o.impulse) * velocity_scale(p, o.impulse, o.velocity);
  RC_ASSERT(std::abs(way.back().work() - o.energy.change) <=
            1e-11 * (scale + std::abs(o.energy.couple)));
  // Where nothing else turns the bodies, velocity goes with impulse on the way.
  if (o.couple != Vec3{}) return;
  for (const SpatialPathPoint& x : way) {
    RC_ASSERT(!(largest(p.approach + p.G * x.impulse - x.velocity) >
                1e-9 * velocity_scale(p, o.impulse, o.velocity)));
  }
}

RC_GTEST_PROP(SpatialWays, LeadToTheOutcomeOfEachLaw, (const SpatialProblem& p)) {
  for (const Law& law : laws_for(carom::in_space)) assert_leads_to_the_outcome(p, law);
}

TEST(SpatialWays, HaveTheWorkOfACouple) {
  SpatialProblem p = random_bodies(7);
  p.spin.known = true;
  p.spin.G = {.nn = 2., .t11 = 3., .t22 = 4.};
  p.spin.approach = {.n = 1., .t1 = -2., .t2 = 0.5};
  p.surface.set_moment_ratio({{0.1, 0.05, -0.02}});
  const auto c = asked(*find_law("brach"), p);
  const SpatialOutcome o = spatial_outcome(c.answers.front().outcome);
  ASSERT_NE(o.couple, Vec3{});
  const auto way = report::spatial_path(c, c.answers.front());
  EXPECT_NEAR(way.back().work(), o.energy.change, 1e-12 * std::abs(o.energy.change));
  EXPECT_NEAR(way.back().couple_work, o.energy.couple, 1e-12);
}

}  // namespace
}  // namespace carom::test
