// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <optional>

#include <carom/core/error.hpp>

#include "support/motion_log.hpp"
#include "support/motion_scenes.hpp"
#include "support/random_scenes.hpp"

// Which instants of a motion are reported as samples, and that sampling can be stopped.
namespace carom {
namespace {

using namespace motion;
using test::MotionLog;

const std::vector<Surface> rubber = {{.restitution = 0.8, .friction = 0.3}};

std::vector<double> times(const MotionLog& log) {
  std::vector<double> all;
  for (const auto& s : log.samples) all.push_back(s.time);
  for (const auto& s : log.lasts) all.push_back(s.time);
  return all;
}

// 3 * 0.1 is greater than 0.3, so that the end is no multiple of the interval.
TEST(MotionSamples, HaveTheFirstAndTheLastInstant) {
  const PlanarModel model(test::ball_on_floor());
  MotionLog log;
  const Summary s = test::run(model, test::state({0., 1.1, 0.}, {0.5, 0., 0.}), rubber,
                              {.end_time = 0.3, .sample_interval = 0.1}, log);
  EXPECT_EQ(times(log), (std::vector<double>{0., 0.1, 0.2, 0.3}));
  ASSERT_EQ(log.lasts.size(), 1U);
  EXPECT_TRUE(log.lasts[0].q == s.progress.state.q);
  EXPECT_TRUE(log.lasts[0].u == s.progress.state.u);
}

TEST(MotionSamples, HaveTheLastInstantOnce) {
  const PlanarModel model(test::ball_on_floor());
  MotionLog log;
  const Options options{.end_time = 1., .sample_interval = 0.25};
  const State from = test::state({0., 1.1, 0.}, {0.5, 0., 0.});
  const Summary s = test::run(model, from, rubber, options, log);
  EXPECT_EQ(times(log), (std::vector<double>{0., 0.25, 0.5, 0.75, 1.}));
  // Nor is it repeated by a run that is resumed at its end, or beyond.
  MotionLog again;
  Options longer = options;
  (void)simulate(model, rubber, longer, s.progress, again);
  EXPECT_EQ(times(again), (std::vector<double>{}));
  longer.end_time = 1.25;
  (void)simulate(model, rubber, longer, s.progress, again);
  EXPECT_EQ(times(again), (std::vector<double>{1.25}));
}

// However a run ends, and at the integrator's own steps, too.
TEST(MotionSamples, HaveTheLastInstantOfEveryEnding) {
  const PlanarModel model(test::ball_on_floor());
  const State from = test::state({0., 1.1, 0.}, {0.5, 0., 0.});
  for (const double interval : {0.1, 0.}) {
    MotionLog events;
    const Summary at_event =
        test::run(model, from, rubber,
                  {.end_time = 9., .sample_interval = interval, .most_events = 2}, events);
    ASSERT_EQ(at_event.ending, Ending::events);
    EXPECT_EQ(times(events).back(), at_event.progress.state.time);
    MotionLog stopped;
    stopped.stop_after = 2;
    const Summary s =
        test::run(model, from, rubber, {.end_time = 9., .sample_interval = interval}, stopped);
    ASSERT_EQ(s.ending, Ending::stopped);
    EXPECT_EQ(times(stopped).back(), s.progress.state.time);
  }
}

// Without an interval there are none.
TEST(MotionSamples, NoneWithoutAnEnd) {
  const PlanarModel model(test::ball_on_floor());
  MotionLog log;
  (void)test::run(model, test::state({0., 1.1, 0.}, {0., 0., 0.}), rubber,
                  {.end_time = 1., .sample_interval = HUGE_VAL}, log);
  EXPECT_TRUE(times(log).empty());
}

TEST(MotionSamples, AreBoundedByName) {
  const PlanarModel model(test::ball_on_floor());
  const State from = test::state({0., 1.1, 0.}, {0., 0., 0.});
  const auto complaint = [&](const Options& o) -> std::string {
    try {
      MotionLog log;
      (void)test::run(model, from, rubber, o, log);
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(complaint({.end_time = 1., .sample_interval = 1e-12}),
            "sample_interval: must be >= end_time/most_samples = 1e-07 s, got 1e-12");
  EXPECT_NE(complaint({.end_time = 1., .sample_interval = 0.01, .most_samples = 99}), "");
  EXPECT_EQ(complaint({.end_time = 1., .sample_interval = 0.01, .most_samples = 100}), "");
}

// One flight with many samples can be stopped at each of them, and continued to the same bits.
TEST(MotionSamples, StopWithinAFlight) {
  const PlanarModel model(test::ball_on_floor());
  const State from = test::state({0., 1e4, 0.}, {0.5, 0., 0.1});
  const Options options{.end_time = 40., .sample_interval = 0.5};
  MotionLog whole;
  const Summary w = test::run(model, from, rubber, options, whole);
  ASSERT_EQ(w.progress.impacts, 0U);
  MotionLog log;
  Progress progress = start(model, from, rubber, options);
  std::size_t pieces = 0;
  while (++pieces < 1000) {
    log.asked = 0;
    log.stop_after = 1 + pieces % 3;
    const Summary s = simulate(model, rubber, options, progress, log);
    progress = s.progress;
    if (s.ending != Ending::stopped) break;
  }
  EXPECT_GT(pieces, 20U);
  EXPECT_EQ(test::numbers(progress.next), test::numbers(w.progress.next));
  ASSERT_EQ(log.samples.size(), whole.samples.size());
  for (std::size_t k = 0; k < log.samples.size(); ++k) {
    EXPECT_EQ(log.samples[k].time, whole.samples[k].time);
    EXPECT_TRUE(log.samples[k].q == whole.samples[k].q) << k;
  }
}

// A flight without end that is searched in parts: two bars that turn past each other like gears,
// within the circles around each other.
TEST(MotionSamples, StopWithinASearch) {
  PlanarScene scene;
  for (const char* name : {"a", "b"}) {
    scene.bodies.push_back(
        {.name = name, .mass = 1., .inertia = 1. / 3., .shape = shapes::plane::bar(2.)});
  }
  scene.gravity = {0., 0.};
  scene.acceleration = 1.;
  const PlanarModel model(scene);
  const State from =
      test::state({0., 0., 0., 1.5, 0., std::numbers::pi / 2.}, {0., 0., 1., 0., 0., 1.});
  MotionLog log;
  log.stop_after = 3;
  const Summary s =
      test::run(model, from, rubber, {.end_time = 1e12, .sample_interval = HUGE_VAL}, log);
  EXPECT_EQ(s.ending, Ending::stopped);
  EXPECT_EQ(s.progress.impacts, 0U);
}

/// Samples and events as they were reported, with the status of the only contact.
class Order final : public Recorder {
 public:
  struct Item {
    double time;
    bool accumulates;
    std::optional<Touch> touch;  ///< of samples
  };
  void event(const Event& e) override {
    items.push_back({e.time, e.kind == EventKind::accumulation, {}});
  }
  void sample(const Sample& s) override {
    items.push_back({s.state.time, false, s.contacts[0].touch});
  }
  std::vector<Item> items;
};

// Samples within the time of infinitely many impacts that are skipped come before the event that
// ends them, with the contact still open.
TEST(MotionSamples, WithinSkippedImpactsComeBeforeTheirEnd) {
  const PlanarModel model(test::ball_on_floor());
  Order order;
  const Summary s = test::run(model, test::state({0., 0.1 + 1e-6, 0.}, {0., 0., 0.}), rubber,
                              {.end_time = 5e-3, .sample_interval = 1e-7}, order);
  ASSERT_EQ(s.ending, Ending::time);
  double last = 0.;
  double ended = HUGE_VAL;
  std::size_t within = 0;
  for (const auto& i : order.items) {
    EXPECT_GE(i.time, last);
    last = i.time;
    if (i.accumulates) ended = i.time;
    if (i.touch && i.time < ended) {
      EXPECT_EQ(i.touch, Touch::open) << i.time;
    }
    if (i.touch && i.time > ended) {
      EXPECT_EQ(i.touch, Touch::stick) << i.time;
    }
  }
  for (const auto& i : order.items) within += i.time < ended && i.time > ended - 1e-6 ? 1 : 0;
  EXPECT_LT(ended, 5e-3);
  EXPECT_GE(within, 9U);
}

/// Whether samples and sides follow each other in time.
class TimeLog final : public Recorder {
 public:
  void event(const Event&) override {}
  void sample(const Sample& s) override {
    back = std::max(back, last_ - s.state.time);
    last_ = s.state.time;
  }
  [[nodiscard]] bool wants_sides() const override { return true; }
  void side(const Sample& s, Side) override { sample(s); }
  double back = 0.;  ///< [s]

 private:
  double last_ = 0.;
};

// Slip that is about to vanish does so in a step of its own, which has samples, too. A run that
// ends within it goes on to the same bits.
TEST(MotionSamples, AreInOrderWhereSlipVanishes) {
  for (const std::uint64_t seed : {4U, 6U, 10U, 17U}) {
    SCOPED_TRACE(seed);
    test::RandomMotion m = test::thrown_spheres(seed, 2);
    m.options.tolerance = 1e-4;
    m.options.end_time = 0.6;
    m.options.sample_interval = 1e-5;
    TimeLog log;
    const Summary whole = test::run(*m.model, m.start, m.surfaces, m.options, log);
    EXPECT_EQ(whole.ending, Ending::time) << whole.reason;
    EXPECT_EQ(log.back, 0.);
    m.options.sample_interval = HUGE_VAL;
    Progress p = start(*m.model, m.start, m.surfaces, m.options);
    constexpr int pieces = 600;
    for (int k = 1; k <= pieces; ++k) {
      m.options.end_time = 0.6 * k / pieces;
      p = simulate(*m.model, m.surfaces, m.options, p, log).progress;
    }
    EXPECT_EQ(p.state.q, whole.progress.state.q);
    EXPECT_EQ(p.state.u, whole.progress.state.u);
  }
}

}  // namespace
}  // namespace carom
