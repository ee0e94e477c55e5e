// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include <carom/mechanics/disc_model.hpp>

#include "support/motion_log.hpp"
#include "support/motion_scenes.hpp"

// The states on both sides of each event, for those who want them.
namespace carom {
namespace {

using namespace motion;

/// Keeps both sides of what leads to events, and how many events lie between.
class Sides final : public Recorder {
 public:
  struct Instant {
    double before = 0.;  ///< times
    double after = 0.;
    std::vector<double> velocity_before;
    std::vector<double> velocity_after;
    std::vector<EventKind> events;
  };

  void event(const Event& e) override {
    ASSERT_FALSE(instants.empty());
    instants.back().events.push_back(e.kind);
  }
  void sample(const Sample& s) override { check(s); }
  [[nodiscard]] bool wants_sides() const override { return true; }
  void side(const Sample& s, Side side) override {
    check(s);
    if (side == Side::before) {
      instants.push_back({s.state.time, s.state.time, s.velocity, s.velocity, {}});
      return;
    }
    instants.back().after = s.state.time;
    instants.back().velocity_after = s.velocity;
  }

  std::vector<Instant> instants;
  double largest_gap = 0.;  ///< of the energy account, anywhere

 private:
  void check(const Sample& s) {
    EXPECT_EQ(s.energy.kinetic, s.kinetic);
    EXPECT_EQ(s.energy.potential, s.potential);
    largest_gap = std::max(largest_gap, std::abs(s.energy.gap()));
  }
};

const std::vector<Surface> rubber = {{.restitution = 0.8, .friction = 0.3}};

// v_n jumps from -v to e v at each impact, and nothing else moves.
TEST(MotionSides, AnImpactLiesBetweenItsSides) {
  const PlanarModel model(test::ball_on_floor());
  Sides sides;
  const Summary s = test::run(model, test::state({0., 1.1, 0.}, {0.5, 0., 0.}), rubber,
                              {.end_time = 2., .sample_interval = 0.01}, sides);
  ASSERT_EQ(s.ending, Ending::time);
  std::size_t impacts = 0;
  for (const auto& i : sides.instants) {
    if (i.events != std::vector{EventKind::impact}) continue;
    ++impacts;
    EXPECT_EQ(i.before, i.after);
    EXPECT_LT(i.velocity_before[0], 0.);
    EXPECT_NEAR(i.velocity_after[0], -0.8 * i.velocity_before[0], 1e-12);
  }
  EXPECT_EQ(impacts, s.progress.impacts);
  EXPECT_EQ(sides.instants.front().events.front(), EventKind::start);
  EXPECT_EQ(sides.instants.back().events.back(), EventKind::end);
  EXPECT_EQ(sides.instants.back().before, 2.);
}

// The account closes at every sample and on both sides, not only at the end.
TEST(MotionSides, EverySampleHasItsEnergyAccount) {
  const PlanarModel model(test::block_on_floor(0.25, 0.5, 1.));
  Sides sides;
  const std::vector<Surface> surfaces(4, {.restitution = 0., .friction = 0.3});
  const Summary s = test::run(model, test::state({-0.1, 0.57, 0.3}, {0.4, 0., 0.}), surfaces,
                              {.end_time = 1., .sample_interval = 0.01}, sides);
  ASSERT_EQ(s.ending, Ending::time);
  const auto& friction = s.progress.energy.friction;
  EXPECT_LT(std::accumulate(friction.begin(), friction.end(), 0.), -1e-3);
  EXPECT_LT(sides.largest_gap, 1e-8);
}

// Whoever looks does not change what happens.
TEST(MotionSides, SidesDoNotChangeTheRun) {
  const DiscModel model(
      {.mass = 0.20969, .radius = 0.0375, .half_thickness = 0.003, .gravity = 9.81});
  const std::vector<Surface> surfaces(
      3,
      {.restitution = 0.9064, .friction = 0.14, .static_friction = 0.15, .stiffness = 2.9217e10});
  const State from =
      test::state({0., 0.0375, 1.5707963267948966}, {0.117, 0.01712452074880882, 1.7274});
  const Options options{
      .end_time = 0.24, .sample_interval = 0.001, .settling = Settling::contact_time};
  Sides sides;
  test::MotionCounter counter;
  const Summary with = test::run(model, from, surfaces, options, sides);
  const Summary without = test::run(model, from, surfaces, options, counter);
  EXPECT_EQ(test::numbers(with.progress.next), test::numbers(without.progress.next));
  EXPECT_TRUE(with.progress.state.q == without.progress.state.q);
  EXPECT_TRUE(with.progress.state.u == without.progress.state.u);
  EXPECT_EQ(with.progress.events, without.progress.events);
  EXPECT_GT(with.progress.events, 5U);
}

}  // namespace
}  // namespace carom
