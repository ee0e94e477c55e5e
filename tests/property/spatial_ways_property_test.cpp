// SPDX-License-Identifier: Apache-2.0
// The ways of all laws through impacts in space that pictures show, and the view that holds them.
#include <support/spatial_generators.hpp>

#include <algorithm>
#include <cmath>

#include <carom/report/hodograph_view.hpp>
#include <carom/report/palette.hpp>
#include <carom/report/spatial_impact_path.hpp>

namespace carom::test {
namespace {

study::SpatialAnswer answer(const NamedSpatialLaw& law, const SpatialProblem& p) {
  study::SpatialAnswer a;
  a.law = &law;
  a.outcome = law.solve(p, {});
  return a;
}

void assert_leads_to_the_outcome(const SpatialProblem& p, const NamedSpatialLaw& law) {
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
  for (const NamedSpatialLaw& law : spatial_catalogue()) assert_leads_to_the_outcome(p, law);
}

TEST(SpatialWays, HaveTheWorkOfACouple) {
  SpatialProblem p = random_bodies(7);
  p.spin.known = true;
  p.spin.G = {.nn = 2., .t11 = 3., .t22 = 4.};
  p.spin.approach = {.n = 1., .t1 = -2., .t2 = 0.5};
  p.surface.moment_ratio = {{0.1, 0.05, -0.02}};
  const auto a = answer(*find_spatial_law("brach"), p);
  ASSERT_NE(a.outcome.couple, Vec3{});
  const auto way = report::path(p, a);
  EXPECT_NEAR(way.back().work(), a.outcome.energy.change,
              1e-12 * std::abs(a.outcome.energy.change));
  EXPECT_NEAR(way.back().couple_work, a.outcome.energy.couple, 1e-12);
}

RC_GTEST_PROP(SpatialWays, AreInTheView, (const SpatialProblem& p)) {
  report::SpatialPaths paths;
  for (const NamedSpatialLaw& law : spatial_catalogue()) {
    paths.push_back(report::path(p, answer(law, p)));
  }
  const double aspect = 1.2;
  const auto view = report::slip_view(paths, std::abs(p.approach.n), aspect);
  for (const auto& path : paths) {
    for (const auto& x : path) RC_ASSERT(view.holds(tangential(x.velocity)));
  }
  RC_ASSERT(std::abs(view.t1.size() - aspect * view.t2.size()) <= 1e-9 * view.t1.size());
  for (const auto& seen : report::seen_rays(invariant_rays(p), view)) {
    const report::SlipView wider{.t1 = view.t1.widened(1e-9), .t2 = view.t2.widened(1e-9)};
    RC_ASSERT(wider.holds(seen.from) && wider.holds(seen.to));
  }
}

// No two laws look the same, and those that share a way have different widths.
TEST(SpatialWays, LookDifferent) {
  for (const NamedSpatialLaw& a : spatial_catalogue()) {
    for (const NamedSpatialLaw& b : spatial_catalogue()) {
      if (a.name == b.name || a.is_alias || b.is_alias) continue;
      EXPECT_NE(report::style_of(a).colour, report::style_of(b).colour);
      EXPECT_NE(report::style_of(a).point, report::style_of(b).point);
      EXPECT_NE(report::style_of(a).width, report::style_of(b).width);
    }
  }
}

}  // namespace
}  // namespace carom::test
