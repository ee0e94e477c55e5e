// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "support/motion_log.hpp"
#include "support/motion_scenes.hpp"

// Time-stepping against motion event by event: errors shrink at least as the step does.
namespace carom {
namespace {

using namespace motion;

Surface surface(double mu, double e = 0.) {
  return {.restitution = e, .friction = mu, .static_friction = mu};
}

/// The end of a run.
Vector end_of(const Model& model, const State& start, const Surface& s, double time,
              MotionMethod method, double step) {
  Options options{.method = method, .step = step, .end_time = time, .tolerance = 1e-11};
  options.sample_interval = time;
  options.several = &find_law("moreau", "law");
  test::MotionCounter quiet;
  const Summary summary = test::run(model, start, {s}, options, quiet);
  EXPECT_EQ(summary.ending, Ending::time) << summary.reason;
  return summary.progress.state.q;
}

/// Errors of positions at steps h, h/2, h/4 and h/8, where `time` is a whole number of h.
/// @param most  error at the shortest, relative to the reference length
void expect_first_order(const char* what, const Model& model, const State& start, const Surface& s,
                        double time, double h, double most) {
  SCOPED_TRACE(what);
  const Vector exact = end_of(model, start, s, time, MotionMethod::events, 0.);
  std::vector<double> error;
  for (const double part : {1., 0.5, 0.25, 0.125}) {
    const Vector q = end_of(model, start, s, time, MotionMethod::stepping, part * h);
    error.push_back((q - exact).cwiseAbs().maxCoeff() / model.length_scale());
  }
  // Where in a step something strikes changes errors, so that single ratios vary: four steps halve
  // twice at least in the sense of 3 instead of 4. The longest step is shown for comparison.
  EXPECT_LE(error[3], error[1] / 3.) << error[0] << " " << error[1] << " " << error[2];
  EXPECT_LE(error[3], most);
}

TEST(SteppingConvergence, ABouncingBallWithSpin) {
  const PlanarModel model(test::ball_on_floor());
  // Six bounces; at the end the ball spins by 19 rad/s, in the second scene by the other sense.
  expect_first_order("sticks", model, test::state({0., 0.5, 0.}, {1., 0., -20.}), surface(0.3, 0.6),
                     1., 1e-3, 1e-3);
  expect_first_order("slips", model, test::state({0., 0.5, 0.}, {1., 0., 30.}), surface(0.1, 0.6),
                     1., 1e-3, 5e-3);
}

TEST(SteppingConvergence, ASlidingBlockStops) {
  const PlanarModel model(test::block_on_floor(0.1, 0.05, 1.));
  expect_first_order("block", model, test::state({0., 0.05, 0.}, {1., 0., 0.}), surface(0.3), 0.5,
                     2e-3, 1e-3);
}

// Over its lower right corner, with and without slip.
TEST(SteppingConvergence, ABoxTipsOverAnEdge) {
  const double b = 0.05;
  const double h = 0.2;
  const PlanarModel model(test::block_on_floor(b, h, 1.));
  const double angle = -0.3;  // beyond the corner: tan(angle) > b/h
  const State start =
      test::state({0., b * std::sin(-angle) + h * std::cos(angle), angle}, {0., 0., 0.});
  expect_first_order("tipping, stick", model, start, surface(1.), 0.3, 2e-3, 1e-3);
  expect_first_order("tipping, slip", model, start, surface(0.1), 0.3, 2e-3, 1e-3);
  expect_first_order("tipping, landed", model, start, surface(1.), 0.8, 2e-3, 1e-3);
}

TEST(SteppingConvergence, AStruckStack) {
  PlanarScene scene{.ground = {test::line("floor")}};
  State start;
  start.q.setZero(9);
  start.u.setZero(9);
  for (int i = 0; i < 3; ++i) {
    scene.bodies.push_back({.name = "b" + std::to_string(i),
                            .mass = 1.,
                            .inertia = 0.05 / 12.,
                            .shape = shapes::plane::box(0.2, 0.1)});
    start.q(3 * i + 1) = 0.05 + 0.1 * i;
  }
  start.u(3) = 0.5;
  const PlanarModel model(scene);
  expect_first_order("stack", model, start, surface(0.3), 0.3, 2e-3, 1e-3);
}

TEST(SteppingConvergence, ABallRollsDown) {
  PlanarScene scene = test::ball_on_floor();
  const double slope = 0.3;
  scene.ground = {test::line("slope", {}, -slope)};
  const PlanarModel model(scene);
  const State start = test::state({0.1 * std::sin(slope), 0.1 * std::cos(slope), 0.}, {0., 0., 0.});
  // Both are parabolas, which the scheme follows exactly.
  for (const double mu : {0.5, 0.05}) {
    const Vector exact = end_of(model, start, surface(mu), 1., MotionMethod::events, 0.);
    const Vector q = end_of(model, start, surface(mu), 1., MotionMethod::stepping, 2e-3);
    EXPECT_LE((q - exact).cwiseAbs().maxCoeff(), 1e-6) << mu;
  }
  expect_first_order("rolling after slip", model,
                     test::state({0.1 * std::sin(slope), 0.1 * std::cos(slope), 0.},
                                 {std::cos(slope), -std::sin(slope), 0.}),
                     surface(0.3), 0.7, 2e-3, 1e-3);
}

TEST(SteppingConvergence, ABallAndABoxInSpace) {
  SpatialMover ball;
  ball.name = "ball";
  ball.solid = shapes::space::Sphere{0.1};
  ball.position = {0., 0., 0.4};
  ball.velocity = {1., 0.3, 0.};
  ball.spin = {10., -5., 3.};
  const SpatialModel model({.bodies = {ball}, .ground = {test::plane("floor")}});
  expect_first_order("sphere", model, model.start(), surface(0.3, 0.6), 1., 1e-3, 1e-3);
  SpatialMover box;
  box.name = "box";
  box.solid = shapes::space::Box{.size = {0.1, 0.2, 0.3}};
  box.position = {0., 0., 10.};
  box.spin = {3., 8., 1.};
  const SpatialModel free({.bodies = {box}, .ground = {test::plane("floor")}});
  expect_first_order("tumbling", free, free.start(), surface(0.3), 1., 4e-3, 1e-3);
}

}  // namespace
}  // namespace carom
