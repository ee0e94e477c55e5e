// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include <carom/core/error.hpp>
#include <carom/mechanics/planar_model.hpp>

#include "support/motion_log.hpp"
#include "support/motion_scenes.hpp"

// Bodies in the plane, against closed forms.
namespace carom {
namespace {

using namespace motion;
using test::MotionLog;

using test::ball_on_floor;
using test::block_on_floor;
using test::g;
using test::run;

// Dropped from rest at height H: T_0 = sqrt(2 H/g), then 2 e^k v0/g each.
TEST(MotionBall, FirstFiftyImpacts) {
  for (const double e : {0.9, 0.95, 0.99, 1.}) {
    const PlanarModel model(ball_on_floor());
    const std::vector<Surface> surfaces{{.restitution = e, .friction = 0.3}};
    MotionLog log;
    Options options{.end_time = 1e3, .most_events = 51, .settling = Settling::none};
    const Summary s = run(model, test::state({0., 1.1, 0.}, {0., 0., 0.}), surfaces, options, log);
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
    const std::vector<Surface> surfaces{{.restitution = e, .friction = 0.2}};
    MotionLog log;
    const Summary s =
        run(model, test::state({0., 1.1, 0.}, {0., 0., 0.}), surfaces, {.end_time = 40.}, log);
    ASSERT_EQ(s.ending, Ending::time);
    const double v0 = std::sqrt(2. * g);
    const double rest = 2. * e * v0 / (g * (1. - e));
    ASSERT_GE(log.events.size(), 3U);
    const Event& last = log.events[log.events.size() - 2];
    EXPECT_EQ(last.kind, EventKind::accumulation);
    EXPECT_GT(last.passed_over, 0.);
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
  const PlanarModel model(block_on_floor(b, h, mass));
  const std::vector<Surface> surfaces(4, {.restitution = 0.5, .friction = mu});
  MotionLog log;
  const double v0 = 1.7;
  const Summary s =
      run(model, test::state({0., h, 0.}, {v0, 0., 0.}), surfaces, {.end_time = 2.}, log);
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

// On an incline a block that holds by static friction stays, one that does not slides with
// g (sin - mu cos).
TEST(MotionBlock, OnAnIncline) {
  const double slope = 0.4;
  const double b = 0.2;
  const double h = 0.1;
  PlanarScene scene = block_on_floor(b, h, 1.);
  scene.ground[0].pose.angle = -slope;
  const PlanarModel model(scene);
  const State rest = test::state({h * std::sin(slope), h * std::cos(slope), -slope}, {0., 0., 0.});
  for (const double mu : {0.2, 0.41, 0.43, 0.6}) {
    const std::vector<Surface> surfaces(4, {.friction = mu});
    MotionLog log;
    const Summary s = run(model, rest, surfaces, {.end_time = 1.}, log);
    ASSERT_EQ(s.ending, Ending::time) << s.reason;
    EXPECT_EQ(log.events.size(), 2U);  // start and end
    const double a = g * std::max(0., std::sin(slope) - mu * std::cos(slope));
    EXPECT_NEAR(std::hypot(s.progress.state.u(0), s.progress.state.u(1)), a, 1e-12);
  }
}

// Static friction above kinetic: a slope steeper than tan^-1 mu, but not than tan^-1 mu_s, holds a
// block at rest and lets a sliding one slide on.
TEST(MotionBlock, StaticFrictionHolds) {
  const double slope = 0.4;  // tan: 0.4228
  const double h = 0.1;
  PlanarScene scene = block_on_floor(0.2, h, 1.);
  scene.ground[0].pose.angle = -slope;
  const PlanarModel model(scene);
  const std::vector<Surface> surfaces(4, {.friction = 0.3, .static_friction = 0.5});
  const double c = std::cos(slope);
  const double s = std::sin(slope);
  MotionLog log;
  const Summary rest = run(model, test::state({h * s, h * c, -slope}, {0., 0., 0.}), surfaces,
                           {.end_time = 1.}, log);
  EXPECT_NEAR(rest.progress.state.u.norm(), 0., 1e-15);
  const Summary slides =
      run(model, test::state({h * s, h * c, -slope}, {c, -s, 0.}), surfaces, {.end_time = 1.}, log);
  EXPECT_NEAR(slides.progress.state.u.head<2>().norm(), 1. + g * (s - 0.3 * c), 1e-12);
  // Uphill it stops, and stays.
  const Summary stops =
      run(model, test::state({h * s, h * c, -slope}, {-c, s, 0.}), surfaces, {.end_time = 1.}, log);
  EXPECT_EQ(log.events[log.events.size() - 2].kind, EventKind::slip_to_stick);
  EXPECT_NEAR(log.events[log.events.size() - 2].time, 1. / (g * (s + 0.3 * c)), 1e-12);
  EXPECT_EQ(stops.progress.contacts[0].touch, Touch::stick);
}

// Backspin: slip v0 + r w0 vanishes at mu g (1 + m r^2/I), then it rolls.
TEST(MotionDiscOnFloor, BackspinRolls) {
  const double r = 0.1;
  const double mu = 0.2;
  const PlanarModel model(ball_on_floor(r));
  const std::vector<Surface> surfaces{{.friction = mu}};
  const double v0 = 1.;
  const double w0 = 30.;
  MotionLog log;
  const Summary s =
      run(model, test::state({0., r, 0.}, {v0, 0., w0}), surfaces, {.end_time = 2.}, log);
  ASSERT_EQ(log.events.size(), 3U);
  const double time = (v0 + r * w0) / (mu * g * (1. + 2.5));
  EXPECT_EQ(log.events[1].kind, EventKind::slip_to_stick);
  EXPECT_NEAR(log.events[1].time, time, 1e-12 * time);
  const double v = v0 - mu * g * time;
  EXPECT_NEAR(s.progress.state.u(0), v, 1e-12);
  EXPECT_NEAR(s.progress.state.u(2), -v / r, 1e-11);
}

// A bar that turns by a radian in 3 ms falls past a disc. Air that hardly resists makes its motion
// one that is integrated, in steps in which it would turn many times: it strikes all the same.
TEST(MotionBar, FastTurnsAreSearched) {
  const auto first_impact = [](double y, double drag) {
    PlanarScene scene;
    scene.ground = {{.name = "disc", .shape = shapes::plane::disc(0.04)}};
    scene.bodies.push_back({.name = "bar",
                            .mass = 1.,
                            .inertia = 1e-4,
                            .shape = shapes::plane::bar(0.02),
                            .drag = {.linear = drag}});
    MotionLog log;
    (void)run(PlanarModel(scene), test::state({0.05, y, 0.}, {0., -3., 340.}),
              {{.restitution = 0.5, .friction = 0.}}, {.end_time = 0.3, .most_events = 2}, log);
    return log.events.size() < 2 ? -1. : log.events[1].time;
  };
  for (int k = 0; k < 10; ++k) {
    const double y = 0.3 + 0.01 * k;
    EXPECT_NEAR(first_impact(y, 1e-9), first_impact(y, 0.), 1e-7) << y;
  }
}

TEST(MotionStart, RefusesWhatCannotBe) {
  const PlanarModel model(ball_on_floor());
  const std::vector<Surface> surfaces{{.restitution = 0.5}};
  try {
    (void)start(model, test::state({0., 0.09, 0.}, {0., 0., 0.}), surfaces, {});
    FAIL() << "an overlap was accepted";
  } catch (const InputError& e) {
    EXPECT_EQ(e.field(), "ball-floor.gap");
  }
  EXPECT_THROW((void)start(model, test::state({0., std::nan(""), 0.}, {0., 0., 0.}), surfaces, {}),
               InputError);
  EXPECT_THROW((void)start(model, test::state({0., 1., 0.}, {0., 0., 0.}), {}, {}), InputError);
  try {
    const PlanarModel massless(ball_on_floor(0.1, 0.));
    FAIL() << "a body without mass was accepted";
  } catch (const InputError& e) {
    EXPECT_EQ(e.field(), "bodies[0].mass");
  }
}

}  // namespace
}  // namespace carom
