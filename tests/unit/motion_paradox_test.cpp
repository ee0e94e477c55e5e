// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include <carom/laws/energetic.hpp>

#include "support/motion_log.hpp"
#include "support/motion_scenes.hpp"

// Painleve's rod, and compliant contacts.
namespace carom {
namespace {

using namespace motion;
using test::MotionLog;
using test::rod_on_floor;

using test::g;
constexpr double l = 0.5;
constexpr double mass = 1.;

/// A rod that touches the floor with its right end, tilted by `angle` from the floor, which moves
/// with `slip` and turns with `spin`.
State rod(double angle, double slip, double spin) {
  // At angle -a the right end is below; arm (l cos a, -l sin a); spin x arm = spin (l sin a, l cos
  // a).
  const double s = l * std::sin(angle);
  const double c = l * std::cos(angle);
  return test::state({0., s, -angle}, {slip - spin * s, -spin * c, spin});
}

/// gap'' = A F + B of a rod whose tip slips to the right.
double A_of(double angle, double mu) {
  const double c = std::cos(angle);
  return (1. + 3. * c * (c - mu * std::sin(angle))) / mass;
}

TEST(MotionPainleve, InconsistentIsAnImpact) {
  const double angle = 0.9;
  const double mu = 2.5;
  ASSERT_LT(A_of(angle, mu), 0.);
  const PlanarModel model(rod_on_floor(l, mass));
  const std::vector<Surface> surfaces(2, {.restitution = 0.5, .friction = mu});
  MotionLog log;
  const Summary s = test::run(model, rod(angle, 1., 0.), surfaces, {.end_time = 0.01}, log);
  ASSERT_EQ(s.ending, Ending::time) << s.reason;
  ASSERT_GE(log.events.size(), 2U);
  const Event& e = log.events[1];
  EXPECT_EQ(e.kind, EventKind::painleve);
  EXPECT_EQ(e.paradox, Paradox::inconsistent);
  EXPECT_EQ(e.time, 0.);
  EXPECT_NEAR(e.A, A_of(angle, mu), 1e-12);
  EXPECT_NEAR(e.B, -g, 1e-12);
  // The limit of the law as the approach vanishes.
  const double c = std::cos(angle);
  const double sn = std::sin(angle);
  const PlanarProblem limit{
      .G = {.nn = 1. + 3. * c * c, .nt = 3. * c * sn, .tt = 1. + 3. * sn * sn},
      .approach = {.n = -1e-9, .t = 1.},
      .surface = {.restitution = 0.5, .friction = mu}};
  const PlanarOutcome want = Energetic{}(limit);
  ASSERT_EQ(e.impulse.size(), 2U);
  EXPECT_NEAR(e.impulse[0], want.impulse.n, 1e-7);
  EXPECT_NEAR(e.impulse[1], want.impulse.t, 1e-7);
  EXPECT_GT(e.impulse[0], 0.1);
  EXPECT_LT(e.energy_change, 0.);
}

TEST(MotionPainleve, IndeterminateLiftsOffOrStrikes) {
  const double angle = 0.9;
  const double mu = 2.5;
  const double spin = std::sqrt(2. * g / (l * std::sin(angle)));  // B = g
  const PlanarModel model(rod_on_floor(l, mass));
  const std::vector<Surface> surfaces(2, {.restitution = 0.5, .friction = mu});
  MotionLog log;
  Options options{.end_time = 0.01};
  const Summary s = test::run(model, rod(angle, 1., spin), surfaces, options, log);
  ASSERT_EQ(s.ending, Ending::time) << s.reason;
  const Event& lifts = log.events[1];
  EXPECT_EQ(lifts.kind, EventKind::painleve);
  EXPECT_EQ(lifts.paradox, Paradox::indeterminate);
  EXPECT_NEAR(lifts.B, g, 1e-12);
  EXPECT_TRUE(lifts.impulse.empty());
  EXPECT_EQ(s.progress.contacts[1].touch, Touch::open);

  MotionLog struck;
  options.indeterminate = Indeterminate::impact;
  (void)test::run(model, rod(angle, 1., spin), surfaces, options, struck);
  const Event& strikes = struck.events[1];
  EXPECT_EQ(strikes.paradox, Paradox::indeterminate);
  ASSERT_EQ(strikes.impulse.size(), 2U);
  EXPECT_GT(strikes.impulse[0], 0.);
}

// Below the region where A < 0 the force drives a sliding rod into it and grows beyond bounds
// [Genot & Brogliato 1999]; above it the force drives it away.
TEST(MotionPainleve, TheForceDiverges) {
  const PlanarModel model(rod_on_floor(l, mass));
  for (const double mu : {1.8, 3., 5.}) {
    // A = 0: tan^2 - 3 mu tan + 4 = 0.
    const double critical = std::atan(0.5 * (3. * mu - std::sqrt(9. * mu * mu - 16.)));
    const std::vector<Surface> surfaces(2, {.restitution = 0.5, .friction = mu});
    for (const double before : {0.001, 0.01, 0.03}) {
      MotionLog log;
      const Summary s =
          test::run(model, rod(critical - before, 60., -1.), surfaces, {.end_time = 0.1}, log);
      ASSERT_EQ(s.ending, Ending::time) << s.reason;
      const Event& e = log.events.at(1);
      EXPECT_EQ(e.kind, EventKind::painleve);
      EXPECT_EQ(e.paradox, Paradox::diverging);
      EXPECT_GT(e.A, 0.);
      EXPECT_LT(e.A, 1e-5);
      EXPECT_LT(e.B, 0.);
      EXPECT_GT(e.impulse.at(0), 1.);
      EXPECT_NEAR(s.progress.energy.gap(), 0., 1e-6 * s.progress.energy.kinetic_start);
    }
  }
}

TEST(MotionPainleve, TheForceDrivesAway) {
  const double mu = 2.;
  const PlanarModel model(rod_on_floor(l, mass));
  const std::vector<Surface> surfaces(2, {.restitution = 0.5, .friction = mu});
  for (const double angle : {1.45, 1.42, 1.4}) {
    ASSERT_GT(A_of(angle, mu), 0.);
    for (const double spin : {0.5, 1., 2., 3., 4.}) {
      MotionLog log;
      const Summary s = test::run(model, rod(angle, 20., spin), surfaces, {.end_time = 0.5}, log);
      EXPECT_EQ(s.ending, Ending::time) << angle << ' ' << spin << ' ' << s.reason;
      for (const Event& e : log.events) EXPECT_EQ(e.paradox, Paradox::none);
      const EnergyAccount& e = s.progress.energy;
      EXPECT_NEAR(e.gap(), 0., 1e-8 * e.kinetic_start) << angle << ' ' << spin;
    }
  }
}

// A compliant ball leaves with e times its speed, and its contact lasts as Hertz says.
TEST(MotionCompliant, BallBounces) {
  const PlanarModel model(test::ball_on_floor());
  for (const double e : {0.3, 0.7, 1.}) {
    const std::vector<Surface> surfaces{
        {.restitution = e, .friction = 0., .stiffness = 1e9, .exponent = 1.5}};
    MotionLog log;
    Options options{.end_time = 0.01, .sample_interval = HUGE_VAL};
    options.compliant = {true};
    const double v = 3.;
    const Summary s =
        test::run(model, test::state({0., 0.101, 0.}, {0., -v, 0.}), surfaces, options, log);
    ASSERT_EQ(s.ending, Ending::time) << s.reason;
    ASSERT_EQ(log.events.size(), 4U);
    EXPECT_EQ(log.events[1].kind, EventKind::touch_down);
    EXPECT_EQ(log.events[2].kind, EventKind::lift_off);
    const double touch = std::sqrt(v * v + 2. * g * 0.001);
    EXPECT_NEAR(s.progress.state.u(1) + g * (0.01 - log.events[2].time), e * touch, 1e-4 * v);
    EXPECT_NEAR(s.progress.energy.gap(), 0., 1e-8);
    const double deepest = std::pow(1.25 * 0.5 * v * v / 1e9, 0.4);
    const double half = 0.5 * 0.8 * std::tgamma(0.4) * std::tgamma(0.5) / std::tgamma(0.9);
    EXPECT_NEAR(log.events[2].time - log.events[1].time, half * deepest / v * (1. + e),
                1e-3 * deepest / v);
  }
}

// An oblique blow of a rod: the stiffer, the nearer to the rigid one.
TEST(MotionCompliant, ConvergesToRigid) {
  const PlanarModel model(rod_on_floor(l, mass));
  const State from = [] {
    State s = rod(0.8, 0.6, 1.);
    s.u(1) -= 1.5;
    return s;
  }();
  std::vector<Surface> surfaces(2, {.restitution = 0.6, .friction = 0.35});
  const double end = 2e-3;
  Options options{.end_time = end, .sample_interval = HUGE_VAL};
  MotionLog log;
  const Vector rigid = test::run(model, from, surfaces, options, log).progress.state.u;
  options.compliant = {true, true};
  double last = 1.;
  for (const double k : {1e9, 1e11, 1e13}) {
    for (Surface& s : surfaces) s.stiffness = k;
    const Summary s = test::run(model, from, surfaces, options, log);
    ASSERT_EQ(s.ending, Ending::time) << s.reason;
    const double error = (s.progress.state.u - rigid).norm();
    EXPECT_LT(error, 0.4 * last) << k;
    EXPECT_NEAR(s.progress.energy.gap(), 0., 1e-7) << k;
    last = error;
  }
  EXPECT_LT(last, 1e-3);
}

}  // namespace
}  // namespace carom
