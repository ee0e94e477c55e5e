// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include <carom/mechanics/disc_model.hpp>

#include "support/motion_log.hpp"
#include "support/motion_scenes.hpp"

// A run in pieces, and how errors follow the tolerance.
namespace carom {
namespace {

using namespace motion;
using test::MotionLog;

const Disc disc{.mass = 0.20969, .radius = 0.0375, .half_thickness = 0.003, .gravity = 9.81};
const std::vector<Surface> surfaces(
    3, {.restitution = 0.9064, .friction = 0.14, .static_friction = 0.15, .stiffness = 2.9217e10});

/// The disc's case 9: bounces, slides, a line impact, bounces, slides and sticks.
State case_9() {
  return test::state({0., 0.0375, 1.5707963267948966}, {0.117, 0.01712452074880882, 1.7274});
}

Options options_9() {
  Options o{.end_time = 0.24, .sample_interval = 0.001};
  o.settling = Settling::contact_time;
  o.contact_time = ContactTime::given;
  o.given_contact_time = 4.7531e-4 * std::pow(0.293, -0.2);
  return o;
}

void expect_same(const Progress& a, const Progress& b) {
  EXPECT_EQ(a.state.time, b.state.time);
  EXPECT_TRUE(a.state.q == b.state.q);
  EXPECT_TRUE(a.state.u == b.state.u);
  EXPECT_EQ(test::numbers(a.next), test::numbers(b.next));
  EXPECT_EQ(a.found, b.found);
  EXPECT_EQ(a.energy.impacts, b.energy.impacts);
  EXPECT_EQ(a.energy.friction, b.energy.friction);
  EXPECT_EQ(a.energy.dropped, b.energy.dropped);
  EXPECT_EQ(a.events, b.events);
  EXPECT_EQ(a.contacts, b.contacts);
}

struct Whole {
  MotionLog log;
  Summary summary;
};

Whole& whole() {
  static Whole w;
  if (w.log.events.empty()) {
    const DiscModel model(disc);
    w.summary = test::run(model, case_9(), surfaces, options_9(), w.log);
  }
  return w;
}

TEST(MotionPieces, EventByEvent) {
  const DiscModel model(disc);
  Options options = options_9();
  Progress progress = start(model, case_9(), surfaces, options);
  MotionLog log;
  Summary s;
  for (std::size_t most = 1; most < 100; ++most) {
    options.most_events = most;
    s = simulate(model, surfaces, options, progress, log);
    progress = s.progress;
    if (s.ending != Ending::events) break;
  }
  ASSERT_EQ(s.ending, Ending::time);
  expect_same(progress, whole().summary.progress);
  EXPECT_EQ(log.samples.size(), whole().log.samples.size());
  EXPECT_EQ(log.events.size(), whole().log.events.size());
}

TEST(MotionPieces, StepByStep) {
  const DiscModel model(disc);
  const Options options = options_9();
  Progress progress = start(model, case_9(), surfaces, options);
  MotionLog log;
  Summary s;
  for (int piece = 0; piece < 1000; ++piece) {
    log.asked = 0;
    log.stop_after = 1;
    s = simulate(model, surfaces, options, progress, log);
    progress = s.progress;
    if (s.ending != Ending::stopped) break;
  }
  ASSERT_EQ(s.ending, Ending::time);
  expect_same(progress, whole().summary.progress);
  ASSERT_EQ(log.samples.size(), whole().log.samples.size());
  for (std::size_t k = 0; k < log.samples.size(); ++k) {
    EXPECT_TRUE(log.samples[k].u == whole().log.samples[k].u) << k;
  }
}

TEST(MotionPieces, TimeByTime) {
  const DiscModel model(disc);
  Options options = options_9();
  Progress progress = start(model, case_9(), surfaces, options);
  MotionLog log;
  for (const double until : {0.0011, 0.01, 0.0166, 0.05, 0.0500001, 0.13, 0.2, 0.24}) {
    options.end_time = until;
    const Summary s = simulate(model, surfaces, options, progress, log);
    EXPECT_EQ(s.ending, Ending::time);
    EXPECT_EQ(s.progress.state.time, until);
    progress = s.progress;
  }
  expect_same(progress, whole().summary.progress);
  EXPECT_EQ(log.samples.size(), whole().log.samples.size());
}

TEST(MotionPieces, TwiceTheSame) {
  const DiscModel model(disc);
  MotionLog log;
  const Summary s = test::run(model, case_9(), surfaces, options_9(), log);
  expect_same(s.progress, whole().summary.progress);
}

// The error follows the tolerance, and the steps its eighth root.
TEST(MotionTolerance, Converges) {
  const DiscModel model(disc);
  const State from = test::state({0., 0.0375, 1.5707963267948966}, {0.116, 0.0021624, -0.7208});
  Options options{.end_time = 0.2, .sample_interval = HUGE_VAL};
  const auto at = [&](double tolerance) {
    options.tolerance = tolerance;
    MotionLog log;
    return test::run(model, from, surfaces, options, log).progress;
  };
  const Progress exact = at(1e-14);
  const auto error = [&](const Progress& p) {
    return (p.state.u - exact.state.u).norm() / exact.state.u.norm();
  };
  for (const double tolerance : {1e-6, 1e-8, 1e-10, 1e-12}) {
    EXPECT_LT(error(at(tolerance)), 10. * tolerance) << tolerance;
  }
  const Progress coarse = at(1e-7);
  const Progress fine = at(1e-12);
  const double order =
      std::log(error(coarse) / error(fine)) /
      std::log(static_cast<double>(fine.steps) / static_cast<double>(coarse.steps));
  RecordProperty("order", std::to_string(order));
  EXPECT_GT(order, 6.);
}

}  // namespace
}  // namespace carom
