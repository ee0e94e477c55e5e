// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include <carom/core/error.hpp>
#include <carom/motion/planar_model.hpp>

#include "support/motion_log.hpp"

// Bodies in the plane, against closed forms.
namespace carom {
namespace {

using namespace motion;
using test::MotionLog;

constexpr double g = 9.81;

PlanarScene ball_on_floor(double radius = 0.1, double mass = 0.5) {
  return {.bodies = {{.name = "ball",
                      .mass = mass,
                      .inertia = 0.4 * mass * radius * radius,
                      .radius = radius}},
          .lines = {{.name = "floor"}}};
}

State at(std::initializer_list<double> q, std::initializer_list<double> u) {
  State s;
  s.q = Eigen::Map<const Eigen::VectorXd>(q.begin(), static_cast<Eigen::Index>(q.size()));
  s.u = Eigen::Map<const Eigen::VectorXd>(u.begin(), static_cast<Eigen::Index>(u.size()));
  return s;
}

Summary run(const Model& model, const State& state, const std::vector<MultiSurface>& surfaces,
            const Options& options, Recorder& recorder) {
  return simulate(model, surfaces, options, start(model, state, surfaces, options), recorder);
}

// Dropped from rest at height H: T_0 = sqrt(2 H/g), then 2 e^k v0/g each.
TEST(MotionBall, FirstFiftyImpacts) {
  for (const double e : {0.9, 0.95, 0.99, 1.}) {
    const PlanarModel model(ball_on_floor());
    const std::vector<MultiSurface> surfaces{{.restitution = e, .friction = 0.3}};
    MotionLog log;
    Options options{.end_time = 1e3, .most_events = 51, .settling = Settling::none};
    const Summary s = run(model, at({0., 1.1, 0.}, {0., 0., 0.}), surfaces, options, log);
    ASSERT_EQ(s.ending, Ending::events);
    ASSERT_EQ(log.events.size(), 51U);
    const double v0 = std::sqrt(2. * g);
    double time = v0 / g;
    double v = v0;
    for (std::size_t k = 1; k <= 50; ++k) {
      EXPECT_EQ(log.events[k].kind, EventKind::impact);
      EXPECT_NEAR(log.events[k].time, time, 1e-12 * time) << e << " impact " << k;
      v *= e;
      time += 2. * v / g;
    }
  }
}

TEST(MotionBall, ComesToRest) {
  for (const double e : {0.5, 0.9, 0.97}) {
    const PlanarModel model(ball_on_floor());
    const std::vector<MultiSurface> surfaces{{.restitution = e}};
    MotionLog log;
    const Summary s = run(model, at({0., 1.1, 0.}, {0., 0., 0.}), surfaces, {.end_time = 40.}, log);
    ASSERT_EQ(s.ending, Ending::time);
    const double v0 = std::sqrt(2. * g);
    const double rest = 2. * e * v0 / (g * (1. - e));
    ASSERT_GE(log.events.size(), 3U);
    const Event& last = log.events[log.events.size() - 2];
    EXPECT_EQ(last.kind, EventKind::accumulation);
    EXPECT_FALSE(last.note.empty());
    EXPECT_NEAR(last.time - log.events[1].time, rest, 1e-9 * rest);
    EXPECT_EQ(last.to.at(0).touch, Touch::stick);
    EXPECT_NEAR(s.progress.state.q(1), 0.1, 1e-14);
    EXPECT_NEAR(s.progress.energy.gap(), 0., 1e-12 * s.progress.energy.potential_start);
    EXPECT_LT(s.progress.energy.dropped, 0.);
  }
}

// A block with two corners below slides on a floor: v0/(mu g), v0^2/(2 mu g).
TEST(MotionBlock, SlidesToRest) {
  const double b = 0.2;
  const double h = 0.1;
  const double mu = 0.3;
  const double mass = 2.;
  const PlanarModel model({.bodies = {{.name = "block",
                                       .mass = mass,
                                       .inertia = mass * (b * b + h * h) / 3.,
                                       .corners = {{-b, -h}, {b, -h}, {b, h}, {-b, h}}}},
                           .lines = {{.name = "floor"}}});
  const std::vector<MultiSurface> surfaces(4, {.restitution = 0.5, .friction = mu});
  MotionLog log;
  const double v0 = 1.7;
  const Summary s = run(model, at({0., h, 0.}, {v0, 0., 0.}), surfaces, {.end_time = 2.}, log);
  ASSERT_EQ(s.ending, Ending::time) << s.reason;
  ASSERT_EQ(log.events.size(), 3U);
  EXPECT_EQ(log.events[0].contacts.size(), 2U);
  EXPECT_EQ(log.events[1].kind, EventKind::slip_to_stick);
  EXPECT_NEAR(log.events[1].time, v0 / (mu * g), 1e-12);
  EXPECT_NEAR(s.progress.state.q(0), v0 * v0 / (2. * mu * g), 1e-12);
  EXPECT_NEAR(s.progress.energy.friction[0] + s.progress.energy.friction[1], -0.5 * mass * v0 * v0,
              1e-12);
  EXPECT_NEAR(s.progress.energy.gap(), 0., 1e-12);
}

// Backspin: slip v0 + r w0 vanishes at mu g (1 + m r^2/I), then it rolls.
TEST(MotionDiscOnFloor, BackspinRolls) {
  const double r = 0.1;
  const double mu = 0.2;
  const PlanarModel model(ball_on_floor(r));
  const std::vector<MultiSurface> surfaces{{.friction = mu}};
  const double v0 = 1.;
  const double w0 = 30.;
  MotionLog log;
  const Summary s = run(model, at({0., r, 0.}, {v0, 0., w0}), surfaces, {.end_time = 2.}, log);
  ASSERT_EQ(log.events.size(), 3U);
  const double time = (v0 + r * w0) / (mu * g * (1. + 2.5));
  EXPECT_EQ(log.events[1].kind, EventKind::slip_to_stick);
  EXPECT_NEAR(log.events[1].time, time, 1e-12 * time);
  const double v = v0 - mu * g * time;
  EXPECT_NEAR(s.progress.state.u(0), v, 1e-12);
  EXPECT_NEAR(s.progress.state.u(2), -v / r, 1e-11);
}

TEST(MotionStart, RefusesWhatCannotBe) {
  const PlanarModel model(ball_on_floor());
  const std::vector<MultiSurface> surfaces{{.restitution = 0.5}};
  try {
    (void)start(model, at({0., 0.09, 0.}, {0., 0., 0.}), surfaces, {});
    FAIL() << "an overlap was accepted";
  } catch (const InputError& e) {
    EXPECT_EQ(e.field(), "ball-floor.gap");
  }
  EXPECT_THROW((void)start(model, at({0., std::nan(""), 0.}, {0., 0., 0.}), surfaces, {}),
               InputError);
  EXPECT_THROW((void)start(model, at({0., 1., 0.}, {0., 0., 0.}), {}, {}), InputError);
  try {
    const PlanarModel massless(ball_on_floor(0.1, 0.));
    FAIL() << "a body without mass was accepted";
  } catch (const InputError& e) {
    EXPECT_EQ(e.field(), "bodies[0].mass");
  }
}

}  // namespace
}  // namespace carom
