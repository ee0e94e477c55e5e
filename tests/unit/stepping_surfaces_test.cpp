// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include <carom/mechanics/linkage_model.hpp>

#include "support/motion_log.hpp"
#include "support/motion_scenes.hpp"

// Time-stepping with static friction, couples, moving supports and joints, against closed forms.
namespace carom {
namespace {

using namespace motion;

constexpr double g = test::gravity;

Options stepping(double end_time, double step) {
  return {.method = MotionMethod::stepping,
          .step = step,
          .end_time = end_time,
          .sample_interval = end_time};
}

/// Keeps what the last sample leaves unaccounted for [J].
class LastGap final : public Recorder {
 public:
  void event(const Event& /*event*/) override {}
  void sample(const Sample& s) override { gap = std::abs(s.energy.gap()); }
  double gap = 0.;
};

/// Of the last run [J].
double last_gap = 0.;

Summary run(const Model& model, const State& start, const Surface& surface,
            const Options& options) {
  LastGap log;
  Summary s = test::run(model, start, {surface}, options, log);
  EXPECT_EQ(s.ending, Ending::time) << s.reason;
  last_gap = log.gap;
  return s;
}

// --- static friction above the kinetic one

/// A block on a slope whose tangent lies between both coefficients, with a velocity down it.
double slid(double velocity, double time) {
  const double slope = std::atan(0.5);
  const Surface surface{.friction = 0.4, .static_friction = 0.6};
  PlanarScene scene = test::block_on_floor(0.1, 0.05, 1.);
  scene.ground = {test::line("slope", {}, -slope)};
  const double c = std::cos(slope);
  const double s = std::sin(slope);
  const State start = test::state({0.05 * s, 0.05 * c, -slope}, {velocity * c, -velocity * s, 0.});
  const Summary end = run(PlanarModel(scene), start, surface, stepping(time, 1e-3));
  const Vector by = end.progress.state.q - start.q;
  EXPECT_NEAR(by(0) * s + by(1) * c, 0., 1e-6);
  return by(0) * c - by(1) * s;
}

TEST(SteppingFriction, ABlockAtRestIsHeldByStaticFriction) { EXPECT_NEAR(slid(0., 1.), 0., 1e-7); }

TEST(SteppingFriction, ABlockThatSlidesIsNotHeld) {
  const double slope = std::atan(0.5);
  const double a = g * (std::sin(slope) - 0.4 * std::cos(slope));
  EXPECT_NEAR(slid(0.5, 1.), 0.5 + 0.5 * a, 1e-6);
}

// Up the slope it stops after v/a', and static friction holds it there.
TEST(SteppingFriction, SlipThatComesToZeroSticks) {
  const double slope = std::atan(0.5);
  const double a = g * (std::sin(slope) + 0.4 * std::cos(slope));
  EXPECT_NEAR(slid(-1., 1.), -0.5 / a, 1e-5);
}

// --- couples

SpatialModel ball_on_floor(World3 velocity, World3 spin) {
  SpatialMover b;
  b.name = "ball";
  b.solid = shapes::space::Sphere{0.1};
  b.position = {0., 0., 0.1};
  b.velocity = velocity;
  b.spin = spin;
  return SpatialModel({.bodies = {b}, .ground = {test::plane("floor")}});
}

// It loses 7/10 m v^2 over s/R radians with the couple d m g: s = 7 v^2 R/(10 d g).
TEST(SteppingFriction, RollingFrictionStopsABall) {
  constexpr double v = 1.;
  constexpr double d = 0.005;
  constexpr double R = 0.1;
  Surface surface{.friction = 0.5, .static_friction = 0.5};
  surface.set_rolling_friction(d);
  const double distance = 7. * v * v * R / (10. * d * g);
  const double duration = 2. * distance / v;
  const double c = 0.6;
  const double s = 0.8;
  for (const double h : {4e-3, 2e-3, 1e-3}) {
    const SpatialModel model = ball_on_floor({v * c, v * s, 0.}, {-v * s / R, v * c / R, 0.});
    const Summary end = run(model, model.start(), surface, stepping(std::ceil(duration + 0.5), h));
    const Vector& q = end.progress.state.q;
    EXPECT_NEAR(std::hypot(q(0), q(1)), distance, v * h);
    EXPECT_NEAR(q(0) * s - q(1) * c, 0., 1e-6);
    EXPECT_LE(end.progress.state.u.cwiseAbs().maxCoeff(), 1e-6);
  }
}

// The spin about the normal decreases by d m g/I.
TEST(SteppingFriction, DrillingFrictionStopsASpin) {
  constexpr double d = 0.002;
  constexpr double spin = 5.;
  Surface surface{.friction = 0.5, .static_friction = 0.5};
  surface.set_rolling_friction(0., d);
  const double rate = d * g / (0.4 * 0.1 * 0.1);
  const SpatialModel model = ball_on_floor({}, {0., 0., spin});
  const double time = spin / rate;
  for (const double part : {0.5, 1.5}) {
    const Summary end = run(model, model.start(), surface, stepping(part * time, 1e-3));
    EXPECT_NEAR(end.progress.state.u(5), spin * std::max(0., 1. - part), 1e-5) << part;
    EXPECT_LE(end.progress.state.u.head<5>().cwiseAbs().maxCoeff(), 1e-7);
  }
}

// --- moving supports

// It follows the table while that accelerates by less than g, and the drive's work accounts for it.
TEST(SteppingFriction, ABlockRidesAVibratingTable) {
  PlanarScene scene = test::block_on_floor(0.1, 0.05, 1.);
  scene.ground[0].motion = {.amplitude = {0., 0.005, 0.}, .frequency = 5.};  // 0.5 g
  const PlanarModel model(scene);
  const double w = 2. * std::numbers::pi * 5.;
  const State start = test::state({0., 0.05, 0.}, {0., 0.005 * w, 0.});
  for (const double h : {4e-3, 2e-3, 1e-3}) {
    const Summary s =
        run(model, start, {.friction = 0.5, .static_friction = 0.5}, stepping(0.73, h));
    EXPECT_NEAR(s.progress.state.q(1), 0.05 + 0.005 * std::sin(w * 0.73), 1e-9) << h;
    EXPECT_LE(last_gap, 1e-12) << h;
  }
}

// Friction brings it to the belt's speed: v^2/(2 mu g) behind the belt.
TEST(SteppingFriction, ABeltTakesABlockAlong) {
  PlanarScene scene = test::block_on_floor(0.1, 0.05, 1.);
  scene.ground[0].belt_speed = 1.;
  const PlanarModel model(scene);
  const State start = test::state({0., 0.05, 0.}, {0., 0., 0.});
  for (const double h : {4e-3, 2e-3, 1e-3}) {
    const Summary s = run(model, start, {.friction = 0.4, .static_friction = 0.4}, stepping(1., h));
    EXPECT_NEAR(s.progress.state.q(0), 1. - 1. / (2. * 0.4 * g), h);
    EXPECT_NEAR(s.progress.state.u(0), 1., 1e-6);
    EXPECT_LE(last_gap, 1e-12) << h;
  }
}

/// A light disc with drag that falls on a floor.
/// @param rate  at which drag decelerates it [1/s]
Summary fall_with_drag(double rate, double quadratic, double step) {
  PlanarScene scene{.ground = {test::line("floor")}};
  scene.bodies.push_back({.name = "disc",
                          .mass = 0.01,
                          .inertia = 0.5 * 0.01 * 1e-4,
                          .shape = shapes::plane::disc(0.01),
                          .drag = {.linear = rate * 0.01,
                                   .quadratic = quadratic * 0.01,
                                   .spin_linear = rate * 0.5 * 0.01 * 1e-4}});
  return run(PlanarModel(scene), test::state({0., 0.02, 0.}, {1., -2., 50.}),
             {.restitution = 0.8, .friction = 0.3, .static_friction = 0.3}, stepping(0.1, step));
}

// Steps that are many times as long as drag takes: drag is that of the velocity at their end, so
// that nothing grows, and the account closes, also where the disc strikes.
TEST(SteppingFriction, DragMayBeStrong) {
  for (const double rate : {1., 1e2, 1e4, 1e6}) {
    for (const double quadratic : {0., 100. * rate}) {
      const Summary s = fall_with_drag(rate, quadratic, 1e-3);
      const EnergyAccount& e = s.progress.energy;
      EXPECT_LE(e.kinetic + e.potential, e.kinetic_start + e.potential_start) << rate;
      EXPECT_LE(e.dampers, 0.) << rate;
      const double stiff = 1. + 1e-3 * (rate + 2. * quadratic);  // rounding is relative to M + h C
      EXPECT_LE(last_gap, 1e-13 * stiff * e.kinetic_start) << rate;
      if (rate >= 1e4) {
        EXPECT_LE(std::abs(s.progress.state.u(0)), 1e-6) << rate;
      }
    }
  }
}

// The error of the step's length: v = v_0 exp(-rate t).
TEST(SteppingFriction, DragConvergesWithTheStep) {
  PlanarScene scene;
  scene.gravity = {0., 0.};
  scene.acceleration = g;
  scene.bodies.push_back({.name = "disc",
                          .mass = 1.,
                          .inertia = 1.,
                          .shape = shapes::plane::disc(0.1),
                          .drag = {.linear = 3.}});
  double last = 0.;
  for (const double h : {4e-3, 2e-3, 1e-3}) {
    const Summary s = run(PlanarModel(scene), test::state({0., 0., 0.}, {1., 0., 0.}),
                          {.friction = 0.}, stepping(1., h));
    const double error = std::abs(s.progress.state.u(0) - std::exp(-3.));
    EXPECT_LE(error, 9. * h * std::exp(-3.));
    if (last > 0.) {
      EXPECT_NEAR(error, 0.5 * last, 0.05 * last);
    }
    last = error;
  }
}

// --- joints

/// A double pendulum whose tip strikes a floor at 0.396 s.
LinkageModel pendulum() {
  MovingLinkage d;
  const Link link{.mass = 1., .inertia = 1. / 12., .mass_centre = {0.5, 0.}};
  d.linkage.links.assign(2, link);
  d.linkage.links[0].name = "upper";
  d.linkage.links[0].position = -0.2;
  d.linkage.links[1].name = "lower";
  d.linkage.links[1].position = -0.4;
  d.linkage.links[1].parent = 0;
  d.linkage.links[1].at = {1., 0.};
  d.contacts = {{.name = "tip",
                 .point = {.link = 1, .point = {1., 0.}},
                 .target = LineTarget{.through = {.link = ground, .point = {0., -1.2}}}}};
  return LinkageModel(d);
}

// Where M depends on positions the account closes to second order.
TEST(SteppingFriction, TheAccountOfADoublePendulum) {
  const LinkageModel model = pendulum();
  std::vector<double> gap;
  for (const double h : {2e-3, 1e-3, 5e-4}) {
    (void)run(model, model.start(), {}, stepping(0.25, h));
    gap.push_back(last_gap);
  }
  EXPECT_LE(gap[0], 1e-4);
  EXPECT_LE(gap[1], gap[0] / 3.5);
  EXPECT_LE(gap[2], gap[1] / 3.5);
}

TEST(SteppingFriction, ADoublePendulumStrikesTheGround) {
  const LinkageModel model = pendulum();
  const Surface surface{.restitution = 0.5, .friction = 0.3, .static_friction = 0.3};
  constexpr double time = 0.4;
  Options events{.end_time = time, .tolerance = 1e-11, .sample_interval = time};
  const Summary exact = run(model, model.start(), surface, events);
  ASSERT_EQ(exact.progress.impacts, 1U);
  // Odd numbers of steps, so that the impact is at other places of a step.
  for (const double steps : {101., 405., 1623., 6497.}) {
    const double h = time / steps;
    const Summary s = run(model, model.start(), surface, stepping(time, h));
    EXPECT_EQ(s.progress.impacts, 1U);
    const Vector off = s.progress.state.q - exact.progress.state.q;
    EXPECT_LE(off.cwiseAbs().maxCoeff(), 0.2 * h) << h;  // angles; rates are up to 5 rad/s
  }
}

/// A slider above the floor that a spring presses down with about ten times its weight.
LinkageModel pressed_slider() {
  MovingLinkage d;
  d.linkage.links = {{.name = "slider",
                      .mass = 1.,
                      .joint = JointKind::prismatic,
                      .axis = 0.5 * std::numbers::pi,
                      .position = 0.05}};
  d.contacts = {{.name = "foot",
                 .point = {.link = 0, .point = {0., 0.}},
                 .target = LineTarget{.through = {.link = ground, .point = {0., 0.}}}}};
  d.joint_springs = {{.link = 0, .stiffness = 100., .rest = -1.}};
  return LinkageModel(d);
}

// At rest it approaches by more than what falls, in each step.
TEST(SteppingFriction, WhatASpringPressesComesToRest) {
  const LinkageModel model = pressed_slider();
  const Surface surface{.restitution = 0.5, .friction = 0.3, .static_friction = 0.3};
  for (const double h : {1e-3, 3e-4}) {
    const Summary s = run(model, model.start(), surface, stepping(0.5, h));
    EXPECT_LE(s.progress.impacts, 12U);
    EXPECT_EQ(s.progress.state.time, 0.5);
    EXPECT_NEAR(s.progress.state.q(0), 0., 1e-7);
    EXPECT_EQ(s.progress.state.u(0), 0.);
  }
}

}  // namespace
}  // namespace carom
