// SPDX-License-Identifier: Apache-2.0
// The ways of all laws through impacts in space that pictures show.
#include <support/spatial_generators.hpp>

#include <algorithm>
#include <cmath>

#include <carom/report/spatial_impact_path.hpp>

namespace carom::test {
namespace {

study::SpatialAnswer answer(const Law& law, const SpatialProblem& p) {
  study::SpatialAnswer a;
  a.law = &law;
  a.outcome = law.spatial(p, {});
  return a;
}

void assert_leads_to_the_outcome(const SpatialProblem& p, const Law& law) {
  const auto a = answer(law, p);
  const SpatialOutcome& o = a.outcome;
  const auto way = report::path(p, a);
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
  p.surface.moment_ratio = {{0.1, 0.05, -0.02}};
  const auto a = answer(*find_law("brach"), p);
  ASSERT_NE(a.outcome.couple, Vec3{});
  const auto way = report::path(p, a);
  EXPECT_NEAR(way.back().work(), a.outcome.energy.change,
              1e-12 * std::abs(a.outcome.energy.change));
  EXPECT_NEAR(way.back().couple_work, a.outcome.energy.couple, 1e-12);
}

}  // namespace
}  // namespace carom::test
