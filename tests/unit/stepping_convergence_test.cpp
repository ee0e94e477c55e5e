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

/// Errors of positions at steps h, h/2, h/4 and h/8, where `time` is a whole number of h, relative
/// to the reference length.
std::vector<double> errors(const Model& model, const State& start, const Surface& s, double time,
                           double h) {
  const Vector exact = end_of(model, start, s, time, MotionMethod::events, 0.);
  std::vector<double> error;
  for (const double part : {1., 0.5, 0.25, 0.125}) {
    const Vector q = end_of(model, start, s, time, MotionMethod::stepping, part * h);
    error.push_back((q - exact).cwiseAbs().maxCoeff() / model.length_scale());
  }
  return error;
}

/// @param most  error at the shortest step
void expect_first_order(const std::vector<double>& error, double most) {
  // Where in a step something strikes changes errors, so that single ratios vary: four steps halve
  // twice at least in the sense of 3 instead of 4. The longest step is shown for comparison.
  EXPECT_LE(error[3], error[1] / 3.) << error[0] << " " << error[1] << " " << error[2];
  EXPECT_LE(error[3], most);
}

void expect_first_order(const char* what, const Model& model, const State& start, const Surface& s,
                        double time, double h, double most) {
  SCOPED_TRACE(what);
  expect_first_order(errors(model, start, s, time, h), most);
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

/// Boxes on each other, of which one was struck: it has the velocity `speed` to the right.
struct StruckStack {
  StruckStack(int count, int struck, double speed) {
    start.q.setZero(3 * count);
    start.u.setZero(3 * count);
    for (int i = 0; i < count; ++i) {
      scene.bodies.push_back({.name = "b" + std::to_string(i),
                              .mass = 1.,
                              .inertia = 0.05 / 12.,
                              .shape = shapes::plane::box(0.2, 0.1)});
      start.q(3 * i + 1) = 0.05 + 0.1 * i;
    }
    start.u(3 * struck) = speed;
  }
  PlanarScene scene{.ground = {test::line("floor")}};
  State start;
};

TEST(SteppingConvergence, AStruckStack) {
  const StruckStack stack(3, 1, 0.5);
  expect_first_order("stack", PlanarModel(stack.scene), stack.start, surface(0.3), 0.3, 2e-3, 1e-3);
}

/// Where in a step the stack begins to rock, and falls back, decides errors, so that those of
/// several speeds are added.
std::vector<double> errors_of_ten(double first_speed, double time, double h) {
  std::vector<double> sum(4, 0.);
  for (int k = 0; k < 5; ++k) {
    const StruckStack stack(10, 5, first_speed + 0.01 * k);
    const auto error = errors(PlanarModel(stack.scene), stack.start, surface(0.3), time, h);
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += error[i];
  }
  return sum;
}

// The sixth box is stopped by friction within 20 ms. Then the whole stack rocks on its right edge,
// by about 2e-4 rad, and begins to fall back.
TEST(SteppingConvergence, AStruckStackOfTen) {
  expect_first_order(errors_of_ten(0.5, 0.04, 2e-3), 1e-3);
}

// After a harder blow it rocks higher, falls back at 0.10 s with an impact at all contacts, and
// again at 0.15 s.
TEST(SteppingConvergence, AStruckStackOfTenFallsBack) {
  expect_first_order(errors_of_ten(1., 0.2, 1e-3), 5e-3);
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

/// A row of dominoes, of which the first was pushed: it turns about its lower right corner.
struct DominoRow {
  static constexpr double spacing = 0.025;  // m, from one to the next
  explicit DominoRow(int count) {
    constexpr double thickness = 0.008;
    constexpr double height = 0.05;
    constexpr double mass = 0.01;
    const auto shape = shapes::plane::box(thickness, height, 0.0005);
    start.q.setZero(3 * count);
    start.u.setZero(3 * count);
    for (int i = 0; i < count; ++i) {
      scene.bodies.push_back({.name = std::to_string(i),
                              .mass = mass,
                              .inertia = mass * shapes::plane::uniform(shape).squared_gyration,
                              .shape = shape});
      start.q(3 * i) = spacing * i;
      start.q(3 * i + 1) = 0.5 * height;
    }
    const double spin = -8.;  // rad/s
    start.u.head<3>() << -0.5 * height * spin, -0.5 * thickness * spin, spin;
  }
  PlanarScene scene{.ground = {test::line("floor")}};
  State start;
};

/// When each domino first leans by `angle`, by linear interpolation between samples [s].
class LeanTimes final : public motion::Recorder {
 public:
  explicit LeanTimes(double angle) : angle_(angle) {}
  void event(const Event& /*event*/) override {}
  void sample(const Sample& sample) override {
    const Vector& q = sample.state.q;
    const double t = sample.state.time;
    time.resize(static_cast<std::size_t>(q.size()) / 3, -1.);
    for (std::size_t i = 0; i < time.size(); ++i) {
      const auto k = static_cast<Eigen::Index>(3 * i + 2);
      if (time[i] >= 0. || -q(k) < angle_) continue;
      time[i] = last_time_ + (angle_ + last_(k)) / (last_(k) - q(k)) * (t - last_time_);
    }
    last_ = q;
    last_time_ = t;
  }
  std::vector<double> time;

 private:
  double angle_;
  Vector last_;
  double last_time_ = 0.;
};

/// The speed of the wave that runs along a row, between two dominoes far from both ends: their
/// distance over the difference of the times at which they first lean by 0.2 rad. A domino strikes
/// the next one at 0.35 rad. Angles are interpolated, so that the times are not those of steps.
/// @param h  the step; 0: by events
double wave_speed(const DominoRow& row, double h) {
  constexpr double lean = 0.2;
  constexpr std::size_t from = 4;
  constexpr std::size_t to = 11;
  Options options{.method = h > 0. ? MotionMethod::stepping : MotionMethod::events,
                  .step = h,
                  .end_time = 0.5,
                  .sample_interval = h > 0. ? h : 2e-4};
  options.several = &find_law("moreau", "law");
  LeanTimes times(lean);
  const Summary s = test::run(PlanarModel(row.scene), row.start, {surface(0.3)}, options, times);
  EXPECT_EQ(s.ending, Ending::time) << s.reason;
  return DominoRow::spacing * static_cast<double>(to - from) / (times.time[to] - times.time[from]);
}

TEST(SteppingConvergence, TheWaveOfDominoesHasTheSpeedOfEvents) {
  const DominoRow row(14);
  const double h = 5e-4;
  const double exact = wave_speed(row, 0.);
  const double whole = wave_speed(row, h);
  const double half = wave_speed(row, 0.5 * h);
  const double quarter = wave_speed(row, 0.25 * h);
  SCOPED_TRACE(testing::Message() << exact << " by events; " << whole << ", " << half << ", "
                                  << quarter << " m/s by steps");
  // First order: differences and errors halve from step to step, with room for where in a step the
  // strikes happen.
  EXPECT_LE(std::abs(quarter - half), 0.75 * std::abs(half - whole));
  EXPECT_LE(std::abs(quarter - exact), std::abs(whole - exact) / 3.);
  EXPECT_NEAR(2. * quarter - half, exact, 1e-3 * exact);  // Richardson's extrapolation
}

}  // namespace
}  // namespace carom
