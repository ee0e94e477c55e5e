// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include <boost/math/quadrature/gauss.hpp>

#include "support/motion_log.hpp"
#include "support/motion_scenes.hpp"

// Blocks and polygons: rocking, and bouncing for ever.
namespace carom {
namespace {

using namespace motion;
using test::block_on_floor;
using test::MotionCounter;
using test::MotionLog;

using test::g;

/// A block that rocks on its corners.
struct Rocking {
  double b = 0.1;
  double h = 0.3;
  [[nodiscard]] double alpha() const { return std::atan2(b, h); }
  [[nodiscard]] double R() const { return std::hypot(b, h); }

  /// Tilted by theta about its right corner, which stays at x = b.
  [[nodiscard]] State tilted(double theta) const {
    const double a = alpha() - theta;
    return test::state({b - R() * std::sin(a), R() * std::cos(a), -theta}, {0., 0., 0.});
  }
  /// Angular speed at theta = 0 when let go at theta0.
  [[nodiscard]] double speed(double theta0) const {
    return std::sqrt(1.5 * g / R() * (std::cos(alpha() - theta0) - std::cos(alpha())));
  }
  /// Where it turns when it leaves theta = 0 with angular speed w.
  [[nodiscard]] double turns(double w) const {
    return alpha() - std::acos(std::cos(alpha()) + w * w * R() / (1.5 * g));
  }
  /// Time from rest at theta0 to theta = 0, by theta = theta0 - s^2.
  [[nodiscard]] double fall(double theta0) const {
    const auto f = [&](double s) {
      // (cos(alpha - theta0) - cos(alpha - theta0 + s^2))/s^2 without cancellation.
      const double half = 0.5 * s * s;
      const double sine = half > 0. ? std::sin(half) / half : 1.;
      const double drop = sine * std::sin(alpha() - theta0 + half);
      return 2. / std::sqrt(1.5 * g / R() * drop);
    };
    return boost::math::quadrature::gauss<double, 60>::integrate(f, 0., std::sqrt(theta0));
  }
};

class RockingBlock : public testing::TestWithParam<const char*> {};

// Without restitution and slip the angular speed falls by 1 - 3/2 sin^2 alpha at each impact
// [Housner 1963]; between impacts the block turns about a corner.
TEST_P(RockingBlock, RatioAndPeriod) {
  const Rocking rocking;
  const PlanarModel model(block_on_floor(rocking.b, rocking.h, 3.));
  const std::vector<Surface> surfaces(4, {.restitution = 0., .friction = 3.});
  Options options{.end_time = 10., .tolerance = 1e-12, .settling = Settling::accumulation};
  options.several = &find_law(GetParam(), "law");
  options.several_options.tolerance = 1e-13;
  MotionLog log;
  const double theta0 = 0.15;
  const Summary s = test::run(model, rocking.tilted(theta0), surfaces, options, log);
  ASSERT_EQ(s.ending, Ending::time) << s.reason;

  const double ratio = 1. - 1.5 * std::pow(std::sin(rocking.alpha()), 2);
  double theta = theta0;
  double time = rocking.fall(theta0);
  std::size_t impacts = 0;
  for (const Event& e : log.events) {
    if (e.kind != EventKind::impact || impacts == 6) continue;
    ++impacts;
    EXPECT_EQ(e.contacts.size(), 2U);
    EXPECT_NEAR(e.time, time, 1e-10);
    const double w = rocking.speed(theta);
    const double inertia = 3. * 4. / 3. * rocking.R() * rocking.R();
    const double kept = e.energy_change / (0.5 * inertia * w * w) + 1.;
    EXPECT_NEAR(std::sqrt(kept), ratio, 1e-9) << "impact " << impacts;
    theta = rocking.turns(ratio * w);
    time += 2. * rocking.fall(theta);
  }
  EXPECT_EQ(impacts, 6U);
  const Event& last = log.events[log.events.size() - 2];
  EXPECT_EQ(last.kind, EventKind::accumulation);
  EXPECT_EQ(last.contacts.size(), 2U);
  EXPECT_NEAR(s.progress.state.u.cwiseAbs().maxCoeff(), 0., 1e-14);
  EXPECT_NEAR(s.progress.state.q(2), 0., 1e-14);
  EXPECT_NEAR(s.progress.energy.gap(), 0., 1e-10 * s.progress.energy.potential_start);
}

INSTANTIATE_TEST_SUITE_P(Laws, RockingBlock, testing::Values("moreau", "lzb"));

// The first impact alone, to rounding.
TEST(MotionBlock, RateRatioAtImpact) {
  const Rocking rocking;
  const PlanarModel model(block_on_floor(rocking.b, rocking.h, 3.));
  const std::vector<Surface> surfaces(4, {.restitution = 0., .friction = 3.});
  Options options{.end_time = 1.};
  options.several = &find_law("moreau", "law");
  const double w = 1.3;
  // Flat, turning about the left corner: the right one strikes.
  State flat = test::state({0., rocking.h, 0.}, {-rocking.h * -w, rocking.b * -w, -w});
  MotionLog log;
  options.most_events = 2;
  const Summary s = test::run(model, flat, surfaces, options, log);
  ASSERT_EQ(s.ending, Ending::events) << s.reason;
  ASSERT_EQ(log.events[1].kind, EventKind::impact);
  const double ratio = 1. - 1.5 * std::pow(std::sin(rocking.alpha()), 2);
  EXPECT_NEAR(s.progress.state.u(2) / -w, ratio, 1e-12);
  EXPECT_EQ(log.events[1].to[0].touch, Touch::open);
  EXPECT_EQ(log.events[1].to[1].touch, Touch::stick);
}

// Without friction and with e = 1 nothing is lost, however often a square bounces.
TEST(MotionBlock, EnergyOverTenThousandImpacts) {
  const PlanarModel model(block_on_floor(0.1, 0.1, 0.7));
  const std::vector<Surface> surfaces(4, {.restitution = 1., .friction = 0.});
  Options options{.end_time = 1e9, .sample_interval = HUGE_VAL, .most_events = 10'001};
  options.settling = Settling::none;
  MotionCounter counter;
  const Summary s =
      test::run(model, test::state({0., 0.8, 0.3}, {0.5, 0., 2.}), surfaces, options, counter);
  ASSERT_EQ(s.ending, Ending::events) << s.reason;
  EXPECT_EQ(s.progress.impacts, 10'000U);
  const EnergyAccount& e = s.progress.energy;
  const double before = e.kinetic_start + e.potential_start;
  EXPECT_NEAR(e.kinetic + e.potential, before, 1e-9 * before);
  EXPECT_NEAR(e.gap(), 0., 1e-9 * before);
}

// A block dropped askew tumbles, slides and comes to rest, and the account closes.
TEST(MotionBlock, TumblesToRest) {
  const PlanarModel model(block_on_floor(0.1, 0.05, 0.7));
  for (const double tilt : {0.1, 0.7, 1.3, 2.2}) {
    const std::vector<Surface> surfaces(4, {.restitution = 0.4, .friction = 0.3, .stiffness = 1e8});
    MotionLog log;
    Options options{.end_time = 10.};
    const Summary s =
        test::run(model, test::state({0., 0.4, tilt}, {0.7, 0., 1.5}), surfaces, options, log);
    ASSERT_EQ(s.ending, Ending::time) << s.reason << " from " << tilt;
    EXPECT_LT(s.progress.state.u.cwiseAbs().maxCoeff(), 1e-9) << "from " << tilt;
    const EnergyAccount& e = s.progress.energy;
    EXPECT_NEAR(e.gap(), 0., 1e-8 * (e.kinetic_start + e.potential_start)) << "from " << tilt;
  }
}

// Slip of both corners comes to zero together; no corner of a block at rest is said to slip on.
TEST(Block, SlidesToRestOnBothCorners) {
  const double b = 0.2, h = 0.1, mu = 0.3, v = 0.8;
  const PlanarModel model(block_on_floor(b, h, 1.5));
  const std::vector<Surface> surfaces(4, {.restitution = 0., .friction = mu});
  for (const double direction : {1., -1.}) {
    MotionLog log;
    const Summary s = test::run(model, test::state({0., h, 0.}, {direction * v, 0., 0.}), surfaces,
                                {.end_time = 1.}, log);
    ASSERT_EQ(s.ending, Ending::time) << s.reason;
    for (const std::size_t i : {0U, 1U}) {
      EXPECT_EQ(s.progress.contacts[i].touch, Touch::stick) << i;
    }
    ASSERT_EQ(log.events.size(), 3U);  // start, stop, end
    EXPECT_EQ(log.events[1].kind, EventKind::slip_to_stick);
    EXPECT_NEAR(log.events[1].time, v / (mu * g), 1e-12);
    EXPECT_EQ(log.events[1].contacts.size(), 2U);
    EXPECT_NEAR(log.events[1].ratio, 0., 1e-12);
    EXPECT_NEAR(s.progress.state.q(0), direction * v * v / (2. * mu * g), 1e-12);
  }
}

// One corner slips when the other comes down without bouncing: what is at rest then sticks.
TEST(Block, CornersAtRestAfterAnImpactStick) {
  const PlanarModel model(test::rod_on_floor(0.5, 1.));
  const std::vector<Surface> surfaces(2, {.restitution = 0., .friction = 0.4});
  Options options{.end_time = 2.};
  options.several = find_law("moreau");
  MotionLog log;
  const Summary s = test::run(model, test::state({0., 0.5 * std::sin(0.6), 0.6}, {0., 0., 0.}),
                              surfaces, options, log);
  ASSERT_EQ(s.ending, Ending::time) << s.reason;
  EXPECT_NEAR(s.progress.state.u.norm(), 0., 1e-9);
  for (const ContactStatus& c : s.progress.contacts) EXPECT_EQ(c.touch, Touch::stick);
}

}  // namespace
}  // namespace carom
