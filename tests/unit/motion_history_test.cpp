// SPDX-License-Identifier: Apache-2.0
// A motion thinned for pictures: what is kept of a long run.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <carom/report/motion/history.hpp>

namespace carom::report {
namespace {

using motion::Side;

/// Samples of one ball; `speed` is its velocity at its contact.
class Script {
 public:
  explicit Script(MotionHistory& history) : history_(history) {
    energy_.impacts = {0.};
    energy_.friction = {0.};
  }

  void sample(double time, double speed) { history_.sample(at(time, speed)); }
  void impact(double time, double from, double to) {
    history_.side(at(time, from), Side::before);
    motion::Event e;
    e.time = time;
    e.kind = motion::EventKind::impact;
    e.contacts = {0};
    e.from = e.to = {{}};
    e.impulse = {1., 0.};
    history_.event(e);
    history_.side(at(time, to), Side::after);
  }
  void now(const motion::ContactStatus& status) { status_[0] = status; }
  void nothing(double time) {
    history_.side(at(time, 0.), Side::before);
    history_.side(at(time, 0.), Side::after);
  }

 private:
  motion::Sample at(double time, double speed) {
    state_.time = time;
    state_.q = Vector::Constant(1, time);
    state_.u = Vector::Constant(1, speed);
    velocity_ = {speed, 0.};
    return {.state = state_,
            .contacts = status_,
            .force = force_,
            .velocity = velocity_,
            .gap = gap_,
            .energy = energy_};
  }

  MotionHistory& history_;
  State state_;
  std::vector<motion::ContactStatus> status_{{}};
  std::vector<double> force_{0., 0.};
  std::vector<double> velocity_{0., 0.};
  std::vector<double> gap_{0.};
  motion::EnergyAccount energy_;
};

TEST(MotionHistory, KeepsBothSidesInOrderAndNothingWhereNothingHappened) {
  MotionHistory history;
  Script script(history);
  script.sample(0., -1.);
  script.nothing(0.3);
  script.impact(0.5, -2., 1.);
  script.sample(1., 0.5);
  const auto points = history.points();
  ASSERT_EQ(points.size(), 4U);
  const std::vector<double> times = {0., 0.5, 0.5, 1.};
  const std::vector<double> speeds = {-1., -2., 1., 0.5};
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(points[k]->time, times[k]);
    EXPECT_EQ(points[k]->velocity[0], speeds[k]);
  }
  ASSERT_EQ(history.moments().size(), 1U);
  EXPECT_EQ(history.moments()[0].jump, 3.);
  EXPECT_EQ(history.moments()[0].events.size(), 1U);
  EXPECT_EQ(history.impacts()[0], std::vector<double>{0.5});
}

// Where steps take over nothing changes, so that there are no sides.
TEST(MotionHistory, KeepsEventsWithoutSides) {
  MotionHistory history;
  Script script(history);
  script.sample(0., -1.);
  motion::Event e;
  e.time = 0.;
  e.kind = motion::EventKind::stepping_begins;
  history.event(e);
  script.sample(1., 0.5);
  ASSERT_EQ(history.moments().size(), 1U);
  EXPECT_EQ(history.moments()[0].events.size(), 1U);
  EXPECT_EQ(history.moments()[0].before.order, history.moments()[0].after.order);
  EXPECT_EQ(history.points().size(), 2U);  // that of the event is a sample
}

// Of many contacts few touch: the others take no room.
TEST(MotionHistory, StoresNumbersThatAreNotUsual) {
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> values(1000, unknown);
  values[7] = 0.;
  values[500] = -2.;
  const ContactNumbers numbers(values, unknown);
  EXPECT_EQ(numbers.stored().size(), 2U);
  EXPECT_EQ(numbers[7], 0.);
  EXPECT_EQ(numbers[500], -2.);
  EXPECT_TRUE(std::isnan(numbers[8]));
  EXPECT_EQ(numbers.at(1000, 3.), 3.);
  EXPECT_EQ(numbers.sum(), -2.);
}

// Steps of a given length tell of impacts only: other changes are seen at samples. A slip that
// turns goes on, one that reverses does not.
TEST(MotionHistory, SeesPhasesThatNoEventTold) {
  MotionHistory history;
  Script script(history);
  const auto slip = [](double x, double y) {
    return motion::ContactStatus{.touch = motion::Touch::slip, .direction = {x, y}};
  };
  script.sample(0., 0.);
  script.now(slip(1., 0.));
  script.sample(1., 0.);
  script.now(slip(0.6, 0.8));
  script.sample(2., 0.);
  script.now(slip(-1., 0.));
  script.sample(3., 0.);
  script.now({.touch = motion::Touch::stick});
  script.sample(4., 0.);
  script.sample(5., 0.);
  script.now({});
  script.sample(6., 0.);
  script.sample(7., 0.);
  const auto& phases = history.phases().at(0);
  ASSERT_EQ(phases.size(), 3U);
  const std::vector<double> from = {1., 3., 4.};
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(phases[k].from, from[k]);
    EXPECT_EQ(phases[k].to, k < 2 ? from[k + 1] : 6.);
  }
  EXPECT_EQ(phases[0].status, slip(1., 0.));
  EXPECT_EQ(phases[1].status, slip(-1., 0.));
  EXPECT_EQ(phases[2].status.touch, motion::Touch::stick);
}

// However long the run: samples all over it, whole ones, never fewer than half the limit.
TEST(MotionHistory, ThinsSamplesEvenly) {
  MotionHistory history(100);
  Script script(history);
  for (int k = 0; k <= 10000; ++k) script.sample(0.01 * k, 1.);
  const auto points = history.points();
  EXPECT_LT(points.size(), 100U);
  EXPECT_GE(points.size(), 50U);
  double widest = 0.;
  for (std::size_t k = 0; k < points.size(); ++k) {
    ASSERT_EQ(points[k]->q.size(), 1U) << k;
    EXPECT_EQ(points[k]->q[0], points[k]->time);
    if (k > 0) widest = std::max(widest, points[k]->time - points[k - 1]->time);
  }
  EXPECT_EQ(points.front()->time, 0.);
  EXPECT_NEAR(widest, 1.28, 1e-9);
}

// What was kept whole can be thinned afterwards, as for the record of an interrupted run.
TEST(MotionHistory, ThinsACompleteHistory) {
  MotionHistory history = MotionHistory::complete();
  Script script(history);
  for (int k = 0; k < 1000; ++k) {
    script.sample(0.01 * k, 1.);
    script.impact(0.01 * k, -1. - k, 0.);
  }
  EXPECT_EQ(history.samples_left_out(), 0U);
  history.thin(100);
  const std::size_t moments = history.moments().size();
  EXPECT_LE(history.points().size(), 100U);
  EXPECT_EQ(moments + history.moments_left_out(), 1000U);
  EXPECT_EQ(history.points().size() - 2 * moments + history.samples_left_out(), 1000U);
  EXPECT_EQ(history.points().front()->time, 0.);
  // Samples evenly, instants with the largest jumps, in order.
  const auto points = history.points();
  EXPECT_TRUE(std::is_sorted(points.begin(), points.end(),
                             [](const auto* a, const auto* b) { return a->time < b->time; }));
  std::vector<double> times;
  for (const auto* point : points) {
    if (point->side == RowSide::sample) times.push_back(point->time);
  }
  ASSERT_GT(times.size(), 25U);
  for (std::size_t k = 0; k < times.size(); ++k) {
    EXPECT_NEAR(times[k], static_cast<double>(k) * times[1], 1e-12);
  }
  for (const auto& m : history.moments()) {
    EXPECT_GT(m.jump, 1000. - static_cast<double>(moments));
  }
  // What comes later goes on at the same distance.
  script.sample(10., 1.);
  EXPECT_EQ(history.last_point()->time == 10., std::fmod(10., times[1]) < 1e-9);
}

// Of many instants those with the largest jumps stay, on both sides.
TEST(MotionHistory, KeepsTheLargestJumps) {
  MotionHistory history(100);
  Script script(history);
  double largest = 0.;
  for (int k = 0; k < 1000; ++k) {
    const double jump = (k * 7919) % 1000;  // each of 0 ... 999 once
    script.impact(0.001 * k, -jump, 0.);
    largest = std::max(largest, jump);
  }
  const auto& moments = history.moments();
  EXPECT_LT(moments.size(), 50U);
  EXPECT_GE(moments.size(), 25U);
  EXPECT_EQ(moments.size() + history.moments_left_out(), 1000U);
  EXPECT_EQ(history.points().size(), 2 * moments.size());
  EXPECT_TRUE(std::is_sorted(moments.begin(), moments.end(), [](const auto& a, const auto& b) {
    return a.before.time < b.before.time;
  }));
  const auto has = [&](double jump) {
    return std::any_of(moments.begin(), moments.end(),
                       [&](const auto& m) { return m.jump == jump; });
  };
  for (double jump = largest; jump > largest - 10.; jump -= 1.) EXPECT_TRUE(has(jump)) << jump;
  EXPECT_EQ(history.impacts()[0].size(), 1000U);
}

TEST(MotionHistory, EqualJumpsAreThinnedToo) {
  MotionHistory history(100);
  Script script(history);
  for (int k = 0; k < 1000; ++k) script.impact(0.001 * k, -1., 1.);
  EXPECT_LT(history.moments().size(), 50U);
  EXPECT_GE(history.moments().size(), 25U);
}

}  // namespace
}  // namespace carom::report
