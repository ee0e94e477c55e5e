// SPDX-License-Identifier: Apache-2.0
// The way of the impulse that pictures show: from zero to the outcome, doing its work.
#include <support/generators.hpp>

#include <algorithm>
#include <cmath>

#include <carom/impact/one_contact.hpp>
#include <carom/report/impact_path.hpp>

namespace carom::test {
namespace {

/// An impact and what one law says of it.
study::Comparison asked(const Law& law, const PlanarProblem& p) {
  study::Comparison c;
  assign(c.system.problem, p);
  study::Answer a;
  a.law = &law;
  solve(law, c.problem(), {}, a.outcome);
  c.answers.push_back(std::move(a));
  return c;
}

std::vector<report::PathPoint> path(const study::Comparison& c) {
  return report::planar_path(c, c.answers.front());
}

void assert_leads_to_the_outcome(const PlanarProblem& p) {
  for (const Law& law : laws_for(in_the_plane)) {
    const auto c = asked(law, p);
    const PlanarOutcome o = planar_outcome(c.answers.front().outcome);
    const auto way = path(c);
    RC_ASSERT(way.front().impulse == Vec2{});
    RC_ASSERT(way.front().velocity == p.approach);
    RC_ASSERT(way.front().work == 0.);
    RC_ASSERT(way.back().impulse == o.impulse);
    RC_ASSERT(way.back().velocity == o.velocity);
    double size = o.energy.scale();  // of what cancels on the way
    for (const auto& point : way) size = std::max(size, std::abs(point.work));
    const double terms =
        std::abs(o.impulse.n * p.approach.n) + std::abs(o.impulse.t * p.approach.t);
    RC_ASSERT(std::abs(way.back().work - o.energy.change) <= 1e-12 * std::max(size, terms));
    // Velocity goes with impulse, in between as well.
    for (const auto& point : way) {
      // (Written so that nothing over nothing, where nothing moves, passes.)
      RC_ASSERT(!(momentum_residual(p, point.impulse, point.velocity) > 1e-9));
    }
  }
}

RC_GTEST_PROP(Path, LeadsToTheOutcome, ()) { assert_leads_to_the_outcome(*problems()); }

RC_GTEST_PROP(Path, LeadsToTheOutcomeOfRankOne, ()) {
  assert_leads_to_the_outcome(*rank_one_problems());
}

TEST(Path, HasAMarkWhereAPhaseEnds) {
  const auto p = thin_rod();
  const auto c = asked(*find_law("energetic"), p);
  const PlanarOutcome o = planar_outcome(c.answers.front().outcome);
  std::size_t marks = 0;
  for (const auto& point : path(c)) {
    if (!point.ends_phase) continue;
    ASSERT_LT(marks, o.phases.size());
    EXPECT_EQ(point.impulse, o.phases[marks].impulse);
    EXPECT_EQ(point.velocity, o.phases[marks].velocity);
    ++marks;
  }
  EXPECT_EQ(marks, 3U);
}

TEST(Path, OfNoImpulseIsAPoint) {
  auto p = thin_rod();
  p.approach.n = 1.;
  EXPECT_EQ(path(asked(*find_law("energetic"), p)).size(), 1U);
}

// The work of a couple is part of it.
TEST(Path, CountsTheCouple) {
  auto p = thin_rod();
  p.spin = {.nr = 0.3, .tr = -0.2, .rr = 2., .approach = 0.7};
  study::Comparison c = asked(*find_law("brach"), p);
  PlanarOutcome o;
  o.impulse = {.n = 1., .t = 0.2};
  o.couple = -0.4;
  const Vec2 turned{.n = p.spin.nr * o.couple, .t = p.spin.tr * o.couple};
  o.velocity = p.approach + p.G * o.impulse + turned;
  const double after =
      p.spin.approach + p.spin.nr * o.impulse.n + p.spin.tr * o.impulse.t + p.spin.rr * o.couple;
  const double change =
      0.5 * dot(o.impulse, p.approach + o.velocity) + 0.5 * o.couple * (p.spin.approach + after);
  assign(c.answers.front().outcome, c.problem(), o);
  EXPECT_NEAR(path(c).back().work, change, 1e-14);
}

}  // namespace
}  // namespace carom::test
