// SPDX-License-Identifier: Apache-2.0
// Scenario files with bodies in the plane: shapes, ground that moves, belts and drag, against
// closed forms.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <numbers>
#include <string>
#include <vector>

#include <carom/core/error.hpp>
#include <carom/mechanics/model_at_impact.hpp>
#include <carom/mechanics/planar_model.hpp>
#include <carom/motion/simulation.hpp>
#include <carom/scenario/motion/reader.hpp>
#include <carom/scenario/scenario.hpp>

#include "support/motion_log.hpp"

namespace carom::scenario {
namespace {

using motion::EventKind;
using test::MotionLog;

constexpr double g = 9.81;
constexpr double pi = std::numbers::pi;
/// Of closed forms, at the tolerance 1e-12 of the runs; errors grow with their steps.
constexpr double near = 1e-9;

/// A body, the rest of [system], the surface and the options, with tolerance 1e-12.
struct Text {
  std::string system{};  ///< keys before the bodies
  std::string ground{};  ///< tables
  std::string body{};    ///< keys of the body "b" of 2 kg
  std::string surface = "restitution = 0.0\nfriction = 0.5\n";
  std::string motion = "end_time = 1.0\n";

  [[nodiscard]] std::string all() const {
    return "[system]\ntype = \"assembly\"\n" + system + ground +
           "[[system.bodies]]\nname = \"b\"\nmass = 2.0\n" + body + "[surface]\n" + surface +
           "[motion]\ntolerance = 1e-12\n" + motion;
  }
};

struct Ran {
  MotionScenario scenario;
  motion::Summary summary;
  [[nodiscard]] const State& end() const { return summary.progress.state; }
};

Ran run(const Text& text, MotionLog& log) {
  Ran r{.scenario = parse_motion(text.all(), "m.toml"), .summary = {}};
  const MotionScenario& s = r.scenario;
  r.summary = motion::simulate(*s.model, s.surfaces, s.options,
                               motion::start(*s.model, s.start, s.surfaces, s.options), log);
  EXPECT_EQ(r.summary.ending, motion::Ending::time) << r.summary.reason;
  const motion::EnergyAccount& e = r.summary.progress.energy;
  EXPECT_NEAR(e.gap(), 0., near * (1. + std::abs(e.potential_start) + std::abs(e.drives)));
  return r;
}

const PlanarScene& scene_of(const MotionScenario& s) {
  return dynamic_cast<const PlanarModel&>(*s.model).scene();
}

/// What reading complains of, in one line.
std::string complaint(const std::string& text) {
  try {
    (void)parse_motion(text, "m.toml");
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

// --- drag

// m v' = -m g - c v: v = -v_t (1 - exp(-t/T)), T = m/c, v_t = g T.
TEST(PlaneMotionReader, FallsWithLinearDrag) {
  MotionLog log;
  const Ran r = run({.body = "shape = \"disc\"\nradius = 0.1\nposition = [0, 100]\n"
                             "velocity = [3, 0]\ndrag = { linear = 5.0 }\n",
                     .motion = "end_time = 2.0\nsample_interval = 0.1\n"},
                    log);
  const double T = 2. / 5.;
  ASSERT_EQ(log.samples.size(), 21U);
  for (const test::KeptSample& s : log.samples) {
    const double decay = std::exp(-s.time / T);
    EXPECT_NEAR(s.u(0), 3. * decay, near);
    EXPECT_NEAR(s.q(0), 3. * T * (1. - decay), near);
    EXPECT_NEAR(s.u(1), -g * T * (1. - decay), near);
    EXPECT_NEAR(s.q(1), 100. - g * T * (s.time - T * (1. - decay)), near * 100.);
  }
  // Its work is what the balance of energy lacks.
  EXPECT_NEAR(r.summary.progress.energy.dampers,
              log.samples.back().energy - log.samples.front().energy, near * 2000.);
}

// v = -v_t tanh(g t/v_t), y = y_0 - v_t^2/g ln cosh(g t/v_t), v_t = sqrt(m g/c).
TEST(PlaneMotionReader, FallsWithQuadraticDrag) {
  MotionLog log;
  (void)run({.body = "shape = \"disc\"\nradius = 0.1\nposition = [0, 100]\n"
                     "drag = { quadratic = 0.8 }\n",
             .motion = "end_time = 2.0\nsample_interval = 0.1\n"},
            log);
  const double terminal = std::sqrt(2. * g / 0.8);
  ASSERT_EQ(log.samples.size(), 21U);
  for (const test::KeptSample& s : log.samples) {
    const double x = g * s.time / terminal;
    EXPECT_NEAR(s.u(1), -terminal * std::tanh(x), near);
    EXPECT_NEAR(s.q(1), 100. - terminal * terminal / g * std::log(std::cosh(x)), near * 100.);
  }
}

// I w' = -c w, and I w' = -c |w| w: w = w_0/(1 + c w_0 t/I).
TEST(PlaneMotionReader, SpinDecaysByDrag) {
  const double inertia = 0.5 * 2. * 0.1 * 0.1;
  const std::string body = "shape = \"disc\"\nradius = 0.1\nposition = [0, 100]\nspin = -20.0\n";
  MotionLog log;
  const Ran linear = run({.body = body + "drag = { spin_linear = 0.03 }\n"}, log);
  EXPECT_NEAR(linear.end().u(2), -20. * std::exp(-0.03 / inertia), near * 20.);
  const Ran quadratic = run({.body = body + "drag = { spin_quadratic = 0.003 }\n"}, log);
  EXPECT_NEAR(quadratic.end().u(2), -20. / (1. + 0.003 * 20. / inertia), near * 20.);
}

// --- ground that moves

const std::string ball = "shape = \"sphere\"\nradius = 0.1\n";

/// The three ways to say that a table with its surface at y = 0 moves.
std::vector<Text> tables(const std::string& motion) {
  return {
      {.system = "floor = true\nfloor_motion = " + motion + "\n"},
      {.ground = "[[system.lines]]\nmotion = " + motion + "\n"},
      {.ground = "[[system.ground]]\nshape = \"segment\"\nfrom = [-5, 0]\nto = [5, 0]\nmotion = " +
                 motion + "\n"},
      {.ground = "[[system.ground]]\nshape = \"box\"\nlength = 10\nwidth = 0.5\nrounding = 0.1\n"
                 "position = [0, -0.25]\nmotion = " +
                 motion + "\n"},
      {.ground = "[[system.ground]]\nshape = \"capsule\"\nlength = 10\nradius = 0.5\n"
                 "position = [0.2, 0.5]\nangle_deg = 180\nmotion = " +
                 motion + "\n",
       .body = "above"}};
}

// While A (2 pi f)^2 < g a ball stays on a table that moves by A sin(2 pi f t), and its force is
// m (g + a).
TEST(PlaneMotionReader, BallStaysOnAVibratingTable) {
  const double amplitude = 0.01, omega = 2. * pi * 4.;
  ASSERT_LT(amplitude * omega * omega, g);
  for (Text t : tables("{ amplitude = [0, 0.01], frequency = 4.0, phase_deg = 90 }")) {
    SCOPED_TRACE(t.all());
    const double level = t.body.empty() ? 0. : 1.;
    t.body = ball + "position = [0, " + std::to_string(level + 0.11) + "]\n";
    t.motion = "end_time = 1.0\nsample_interval = 0.05\n";
    MotionLog log;
    const Ran r = run(t, log);
    EXPECT_EQ(log.events.size(), 2U);  // start and end
    ASSERT_EQ(log.samples.size(), 21U);
    for (const test::KeptSample& s : log.samples) {
      const double at = omega * s.time + pi / 2.;
      EXPECT_NEAR(s.q(1), level + 0.1 + amplitude * std::sin(at), near);
      EXPECT_NEAR(s.u(1), amplitude * omega * std::cos(at), near);
      ASSERT_EQ(s.force.size(), 2U);
      EXPECT_NEAR(s.force[0], 2. * (g - amplitude * omega * omega * std::sin(at)), near * 20.);
      EXPECT_NEAR(s.force[1], 0., near);
    }
  }
}

// Beyond that it lifts off where the table falls faster: sin = g/(A omega^2).
TEST(PlaneMotionReader, BallLeavesATableThatFallsFaster) {
  const double omega = 2. * pi * 10.;
  for (Text t : tables("{ amplitude = [0, 0.005], frequency = 10.0, phase_deg = -90 }")) {
    SCOPED_TRACE(t.all());
    const double level = t.body.empty() ? 0. : 1.;
    t.body = ball + "position = [0, " + std::to_string(level + 0.095) + "]\n";
    t.motion = "end_time = 0.05\n";
    MotionLog log;
    const Ran r = run(t, log);
    ASSERT_EQ(log.events.size(), 3U);
    EXPECT_EQ(log.events[1].kind, EventKind::lift_off);
    const double x = std::asin(g / (0.005 * omega * omega));
    const double off = (pi / 2. + x) / omega;
    EXPECT_NEAR(log.events[1].time, off, near);
    const double left = 0.05 - off;
    EXPECT_NEAR(r.end().q(1),
                level + 0.1 + 0.005 * std::sin(x) + 0.005 * omega * std::cos(x) * left -
                    0.5 * g * left * left,
                near);
  }
}

// A cubic between times, with its velocities given or as differences; then at constant velocity.
TEST(PlaneMotionReader, TableLiftsABall) {
  struct Case {
    std::string velocities;
    std::array<double, 2> v;  ///< at both times
  };
  for (const Case& c : {Case{.velocities = ", velocities = [[0, 0.1], [0, 0.3]]", .v = {0.1, 0.3}},
                        Case{.velocities = "", .v = {0.2, 0.2}}}) {
    for (Text t :
         tables("{ times = [0.0, 1.0], positions = [[0, 0], [0, 0.2]]" + c.velocities + " }")) {
      SCOPED_TRACE(t.all());
      const double level = t.body.empty() ? 0. : 1.;
      // It starts with the table.
      t.body = ball + "position = [0, " + std::to_string(level + 0.1) + "]\nvelocity = [0, " +
               std::to_string(c.v[0]) + "]\n";
      t.motion = "end_time = 1.5\nsample_interval = 0.125\n";
      MotionLog log;
      (void)run(t, log);
      for (const test::KeptSample& s : log.samples) {
        const double x = s.time;
        double y = 0.2 + c.v[1] * (x - 1.);
        if (x < 1.) {
          const double c2 = 0.6 - 2. * c.v[0] - c.v[1];
          const double c3 = c.v[0] + c.v[1] - 0.4;
          y = x * (c.v[0] + x * (c2 + x * c3));
        }
        EXPECT_NEAR(s.q(1), level + 0.1 + y, near) << x;
      }
    }
  }
}

// Stick carries a box with a table that moves sideways while A omega^2 < mu g.
TEST(PlaneMotionReader, TableCarriesABoxSideways) {
  const double omega = 2. * pi * 2.;
  const std::string motion = "{ amplitude = [0.02, 0], frequency = 2.0, phase_deg = 90 }";
  ASSERT_LT(0.02 * omega * omega, 0.5 * g);
  for (Text t : tables(motion)) {
    SCOPED_TRACE(t.all());
    const double level = t.body.empty() ? 0. : 1.;
    t.body = "shape = \"box\"\nlength = 0.4\nwidth = 0.2\nrounding = 0.05\nposition = [1, " +
             std::to_string(level + 0.1) + "]\n";
    t.motion = "end_time = 1.0\nsample_interval = 0.05\n";
    MotionLog log;
    (void)run(t, log);
    EXPECT_EQ(log.events.size(), 2U);
    for (const test::KeptSample& s : log.samples) {
      EXPECT_NEAR(s.q(0), 1. + 0.02 * std::sin(omega * s.time + pi / 2.) - 0.02, near);
      EXPECT_NEAR(s.q(2), 0., near);
    }
  }
}

// --- belts

// A box put on a belt slips for v/(mu g) and v^2/(2 mu g), then goes with it. Clockwise: the upper
// side of a piece runs to the right.
TEST(PlaneMotionReader, BoxOnABelt) {
  const double v = 1.5, mu = 0.5;
  const std::vector<std::string> belts = {
      "",
      "[[system.lines]]\nbelt_speed = 1.5\n",
      "[[system.ground]]\nshape = \"segment\"\nfrom = [-5, 0]\nto = [5, 0]\nbelt_speed = 1.5\n",
      "[[system.ground]]\nshape = \"segment\"\nfrom = [5, 0]\nto = [-5, 0]\nbelt_speed = 1.5\n",
      "[[system.ground]]\nshape = \"capsule\"\nlength = 8\nradius = 0.3\nposition = [0, -0.3]\n"
      "belt_speed = 1.5\n",
      "[[system.ground]]\nshape = \"polygon\"\ncorners = [[-5, -1], [5, -1], [5, 0], [-5, 0]]\n"
      "rounding = 0.1\nbelt_speed = 1.5\n"};
  for (const std::string& belt : belts) {
    SCOPED_TRACE(belt);
    MotionLog log;
    const Ran r = run({.system = belt.empty() ? "floor = true\nfloor_belt_speed = 1.5\n" : "",
                       .ground = belt,
                       .body = "shape = \"box\"\nlength = 0.4\nwidth = 0.2\nrounding = 0.05\n"
                               "position = [0, 0.1]\n"},
                      log);
    ASSERT_EQ(log.events.size(), 3U);
    EXPECT_EQ(log.events[1].kind, EventKind::slip_to_stick);
    EXPECT_NEAR(log.events[1].time, v / (mu * g), near);
    EXPECT_NEAR(r.end().q(0), v * (1. - v / (mu * g)) + v * v / (2. * mu * g), near);
    EXPECT_NEAR(r.end().u(0), v, near);
    // The belt does twice the work that the box takes: the other half is lost by slip.
    EXPECT_NEAR(r.summary.progress.energy.drives, 2. * v * v, near * 10.);
  }
}

// --- edges

// A box slides over the edge of a table and slows down by mu g. The pressure of the table acts mu h
// before its centre, at the height h, and balances friction; where that passes the edge the box
// tips.
TEST(PlaneMotionReader, BoxTipsOverTheEdgeOfATable) {
  const double v = 2., h = 0.1;
  for (const double mu : {0., 0.2, 0.35}) {
    for (const std::string table :
         {"shape = \"box\"\nlength = 2\nwidth = 0.2\nposition = [-1, -0.1]\n",
          "shape = \"segment\"\nfrom = [-3, 0]\nto = [0, 0]\n",
          "shape = \"polygon\"\ncorners = [[-3, -1], [-1, -1], [0, 0], [-3, 0]]\n"}) {
      SCOPED_TRACE(table + shortest(mu));
      // 0.5 - mu h = v t - mu g t^2/2.
      const double way = 0.5 - mu * h;
      const double passes = 2. * way / (v + std::sqrt(v * v - 2. * mu * g * way));
      MotionLog log;
      const Ran r =
          run({.ground = "[[system.ground]]\n" + table,
               .body = "shape = \"box\"\nlength = 0.4\nwidth = 0.2\n"
                       "position = [-0.5, 0.1]\nvelocity = [2, 0]\n",
               .surface = "restitution = 0.0\nfriction = " + shortest(mu) + "\n",
               .motion = "end_time = " + shortest(passes + 0.01) + "\nsample_interval = 0.01\n"},
              log);
      ASSERT_GT(log.samples.size(), 25U);
      for (const test::KeptSample& s : log.samples) {
        if (s.time > passes) continue;
        EXPECT_NEAR(s.q(0), -0.5 + v * s.time - 0.5 * mu * g * s.time * s.time, near);
        EXPECT_NEAR(s.q(1), h, near);
        EXPECT_NEAR(s.q(2), 0., near);
      }
      // The last event but the end: the corner behind leaves the table.
      ASSERT_GE(log.events.size(), 3U);
      const motion::Event& tips = log.events[log.events.size() - 2];
      EXPECT_EQ(tips.kind, EventKind::lift_off);
      EXPECT_NEAR(tips.time, passes, near);
      EXPECT_LT(r.end().q(2), 0.);
      EXPECT_LT(r.end().u(2), 0.);
    }
  }
}

// A contact that has opened has no force: in all, the forces carry the weight or nothing.
TEST(PlaneMotionReader, OpenContactsHaveNoForce) {
  MotionLog log;
  (void)run({.ground = "[[system.ground]]\nshape = \"segment\"\nfrom = [-3, 0]\nto = [0, 0]\n",
             .body = "shape = \"box\"\nlength = 0.4\nwidth = 0.2\n"
                     "position = [-0.5, 0.1]\nvelocity = [2, 0]\n",
             .surface = "restitution = 0.0\nfriction = 0.0\n",
             .motion = "end_time = 0.8\nsample_interval = 0.05\n"},
            log);
  std::size_t rest = 0, falls = 0;
  for (const test::KeptSample& s : log.samples) {
    double sum = 0.;
    for (std::size_t i = 0; i < s.gap.size(); ++i) {
      sum += s.force[2 * i];
      if (!std::isnan(s.gap[i])) continue;
      EXPECT_EQ(s.force[2 * i], 0.) << s.time;
    }
    if (s.time < 0.24) {
      EXPECT_NEAR(sum, 2. * g, near) << s.time;
      ++rest;
    }
    if (s.time > 0.6) {
      EXPECT_EQ(sum, 0.) << s.time;
      ++falls;
    }
  }
  EXPECT_GT(rest, 3U);
  EXPECT_GT(falls, 2U);
}

// --- an ellipse that rocks

// Rolling, with h = sqrt(a^2 sin^2 + b^2 cos^2) the height of the centre at the angle w, and h' the
// distance of the point of contact along the floor: w'^2 (k^2 + h^2 + h'^2)/2 + g h is constant.
TEST(PlaneMotionReader, EllipseRocksWithoutSlip) {
  const double a = 0.1, b = 0.06;
  const auto h = [&](double w) { return std::hypot(a * std::sin(w), b * std::cos(w)); };
  const auto dh = [&](double w) { return (a * a - b * b) * std::sin(w) * std::cos(w) / h(w); };
  const double k2 = (a * a + b * b) / 4.;
  const double start = pi / 9.;
  Text t{.system = "floor = true\n", .surface = "restitution = 0.0\nfriction = 5.0\n"};
  t.body = "shape = \"ellipse\"\nsemi_axes = [0.1, 0.06]\nangle_deg = 20\nposition = [0, " +
           shortest(h(start)) + "]\n";
  t.motion = "end_time = 2.0\nsample_interval = 0.01\n";
  MotionLog log;
  (void)run(t, log);
  EXPECT_EQ(log.events.size(), 2U);
  double fastest = 0.;
  for (const test::KeptSample& s : log.samples) {
    const double w = s.q(2), rate = s.u(2);
    fastest = std::max(fastest, std::abs(rate));
    EXPECT_NEAR(s.q(1), h(w), near);
    EXPECT_NEAR(s.u(0), -h(w) * rate, near);
    EXPECT_NEAR(0.5 * rate * rate * (k2 + h(w) * h(w) + dh(w) * dh(w)) + g * h(w), g * h(start),
                near);
  }
  EXPECT_GT(fastest, 3.);
}

// For small angles the period is 2 pi sqrt((k^2 + b^2)/(g (a^2/b - b))), up to terms of the square
// of the angle, 1e-8 here.
TEST(PlaneMotionReader, EllipseHasThePeriodOfSmallAngles) {
  const double a = 0.1, b = 0.06, start = 1e-4;
  const double k2 = (a * a + b * b) / 4.;
  const double period = 2. * pi * std::sqrt((k2 + b * b) / (g * (a * a / b - b)));
  Text t{.system = "floor = true\n"};
  t.body =
      "shape = \"ellipse\"\nsemi_axes = [0.1, 0.06]\nangle_deg = " + shortest(start * 180. / pi) +
      "\nposition = [0, " + shortest(std::hypot(a * std::sin(start), b * std::cos(start))) + "]\n";
  t.motion = "end_time = " + shortest(period / 4.) + "\n";
  MotionLog log;
  const Ran r = run(t, log);
  EXPECT_NEAR(r.end().q(2) / start, 0., 1e-7);
  EXPECT_NEAR(r.end().u(2) / start, -2. * pi / period, 1e-6);
}

// --- what is read

TEST(PlaneMotionReader, ReadsShapes) {
  const auto body = [](const std::string& keys) {
    const MotionScenario s = parse_motion(
        Text{.system = "floor = true\n", .body = keys + "position = [0, 9]\n"}.all(), "m");
    EXPECT_EQ(s.drawing.outlines.size(), 1U);
    return std::pair(scene_of(s).bodies.at(0), s.drawing.outlines.at(0).figure);
  };
  const double m = 2.;
  {
    const auto [b, drawn] = body("shape = \"ellipse\"\nsemi_axes = [0.3, 0.1]\n");
    EXPECT_NEAR(b.inertia, m * (0.09 + 0.01) / 4., 1e-15);
    EXPECT_EQ(drawn.semi_axes, (std::array{0.3, 0.1}));
    EXPECT_TRUE(drawn.corners.empty());
  }
  {  // A rectangle, and half discs with their centroids at 4 r/(3 pi) from their sides.
    const double l = 0.4, r = 0.1;
    const auto [b, drawn] = body("shape = \"capsule\"\nlength = 0.4\nradius = 0.1\n");
    const double middle = l * 2. * r, ends = pi * r * r;
    const double out = 4. * r / (3. * pi);
    const double about = ends * (r * r / 2. - out * out + (l / 2. + out) * (l / 2. + out)) +
                         middle * (l * l + 4. * r * r) / 12.;
    EXPECT_NEAR(b.inertia, m * about / (middle + ends), 1e-14);
    EXPECT_EQ(drawn.corners.size(), 2U);
    EXPECT_EQ(drawn.radius, 0.1);
  }
  {
    const auto [b, drawn] = body("shape = \"box\"\nlength = 0.4\nwidth = 0.2\n");
    EXPECT_NEAR(b.inertia, m * (0.16 + 0.04) / 12., 1e-15);
    EXPECT_EQ(drawn.corners.size(), 4U);
    EXPECT_EQ(drawn.radius, 0.);
    const auto [c, round] = body("shape = \"box\"\nlength = 0.4\nwidth = 0.2\nrounding = 0.05\n");
    EXPECT_LT(c.inertia, b.inertia);
    EXPECT_EQ(round.radius, 0.05);
    EXPECT_NEAR(round.corners[0][0], -0.15, 1e-15);
  }
  {  // Drawn, as it moves, about its mass centre.
    const auto [b, drawn] =
        body("shape = \"disc\"\nradius = 0.1\nmass_centre = [0.03, -0.02]\ninertia = 0.5\n");
    EXPECT_EQ(b.inertia, 0.5);
    EXPECT_EQ(drawn.centre, (std::array{-0.03, 0.02}));
    EXPECT_EQ(drawn.radius, 0.1);
  }
  {  // Clockwise or not, about the centroid: a right triangle.
    for (const char* corners : {"[[0, 0], [3, 0], [0, 3]]", "[[0, 3], [3, 0], [0, 0]]"}) {
      const auto [b, drawn] = body("shape = \"polygon\"\ncorners = " + std::string(corners) + "\n");
      EXPECT_NEAR(b.inertia, m * (9. + 9.) / 18., 1e-13);
      double x = 0.;
      for (const auto& c : drawn.corners) x += c[0];
      EXPECT_NEAR(x, 0., 1e-14);
    }
  }
}

TEST(PlaneMotionReader, ReadsGround) {
  const Text t{.ground =
                   "[[system.ground]]\nshape = \"ellipse\"\nsemi_axes = [0.3, 0.1]\n"
                   "position = [1, 2]\nangle_deg = 90\n"
                   "motion = { velocity = [0.5, -1] }\nbelt_speed = 0.25\n"
                   "[[system.ground]]\nname = \"wedge\"\nshape = \"polygon\"\n"
                   "corners = [[5, 0], [6, 0], [5, 1]]\n",
               .body = ball + "position = [0, 9]\n"};
  const MotionScenario s = parse_motion(t.all(), "m");
  ASSERT_EQ(s.drawing.pieces.size(), 2U);
  const GroundPiece& first = s.drawing.pieces[0];
  EXPECT_EQ(first.name, "ground1");
  EXPECT_EQ(first.pose.origin, (std::array{1., 2.}));
  EXPECT_EQ(first.pose.angle, pi / 2.);
  EXPECT_EQ(first.figure.semi_axes, (std::array{0.3, 0.1}));
  EXPECT_EQ(first.displacement(2.), (std::array{1., -2.}));
  EXPECT_EQ(first.belt_speed, 0.25);
  EXPECT_FALSE(s.drawing.pieces[1].displacement);
  EXPECT_EQ(s.model->surface_name(0), "b-ground1");
  EXPECT_EQ(s.model->surface_name(1), "b-wedge");
}

// The surface of a pair of bodies has their names.
TEST(PlaneMotionReader, SurfacesOfPairs) {
  Text t{.system = "floor = true\n", .body = ball + "position = [0, 9]\n"};
  t.body +=
      "[[system.bodies]]\nname = \"box\"\nmass = 1\nshape = \"box\"\nlength = 1\nwidth = 1\n"
      "position = [3, 1]\n";
  t.motion += "[surfaces.\"b-box\"]\nfriction = 0.125\n";
  const MotionScenario s = parse_motion(t.all(), "m");
  std::size_t found = 0;
  for (std::size_t k = 0; k < s.model->surfaces(); ++k) {
    const bool own = s.model->surface_name(k) == "b-box";
    found += own ? 1 : 0;
    EXPECT_EQ(s.surfaces[k].friction, own ? 0.125 : 0.5) << s.model->surface_name(k);
  }
  EXPECT_EQ(found, 1U);
}

// Without gravity, what moves gives the reference acceleration.
TEST(PlaneMotionReader, NeedsNoGravity) {
  MotionLog log;
  const Ran r = run({.ground = "[[system.lines]]\nmotion = { velocity = [0, 2] }\n",
                     .body = ball + "position = [0, 1.1]\n",
                     .surface = "restitution = 1.0\nfriction = 0\n",
                     .motion = "end_time = 1.0\ngravity = 0\n"},
                    log);
  ASSERT_EQ(log.events.size(), 3U);
  EXPECT_NEAR(log.events[1].time, 0.5, near);
  EXPECT_NEAR(r.end().u(1), 4., near);
}

TEST(PlaneMotionReader, RefusesWhatMeansNothing) {
  struct Case {
    Text text;
    std::string says;
  };
  const std::string at = "position = [0, 9]\n";
  const std::vector<Case> cases = {
      {{.body = "shape = \"elipse\"\n" + at},
       "m.toml:6:9: system.bodies[0].shape: unknown shape 'elipse'; did you mean 'ellipse'?"},
      {{.body = at},
       "m.toml:3:1: system.bodies[0].shape: is missing; give one of disc, sphere, ellipse, "
       "capsule, "
       "bar, box, polygon"},
      {{.body = "shape = \"ellipse\"\nradius = 1.0\n" + at},
       "m.toml:7:10: system.bodies[0].radius: means nothing for the shape 'ellipse'"},
      {{.body = "shape = \"ellipse\"\nsemi_axes = [1, -2]\n" + at},
       "m.toml:7:17: system.bodies[0].semi_axes[1]: must be a finite number > 0, got -2"},
      {{.body = "shape = \"box\"\nlength = 2\nwidth = 1\nrounding = 0.5\n" + at},
       "m.toml:9:12: system.bodies[0].rounding: must be >= 0 and < half the shorter side, 0.5 m, "
       "got "
       "0.5"},
      {{.body = "shape = \"capsule\"\nradius = 1\n" + at},
       "m.toml:3:1: system.bodies[0].length: is missing; give a number"},
      {{.body =
            "shape = \"polygon\"\ncorners = [[0, 0], [2, 0], [1, 0.5], [0, 2], [0.5, 1]]\n" + at},
       "m.toml:7:28: system.bodies[0].corners[2]: must be a corner of a convex polygon; it lies on "
       "or "
       "inside the line through its neighbours"},
      {{.body = "shape = \"disc\"\nradius = 1\nmass_centre = [0.5, 0]\n" + at},
       "m.toml:3:1: system.bodies[0].inertia: is missing; give the inertia about the mass centre, "
       "which is not that of a uniform body"},
      {{.body = "shape = \"disc\"\nradius = 1\ndrag = { linear = -1 }\n" + at},
       "m.toml:8:19: system.bodies[0].drag.linear: must be a finite number >= 0, got -1"},
      {{.body = "shape = \"disc\"\nradius = 1\ndrag = { cubic = 1 }\n" + at},
       "m.toml:8:10: system.bodies[0].drag.cubic: unknown key"},
      {{.body = "shape = \"disc\"\nradius = 1\nfrom = [0, 0]\n" + at},
       "m.toml:8:8: system.bodies[0].from: means nothing for the shape 'disc'"},
      {{.ground = "[[system.ground]]\nshape = \"sphere\"\n"},
       "m.toml:4:9: system.ground[0].shape: unknown shape 'sphere'"},
      {{.ground = "[[system.ground]]\nshape = \"segment\"\nfrom = [1, 2]\nto = [1, 2]\n"},
       "m.toml:6:6: system.ground[0].to: must not coincide with from"},
      {{.ground = "[[system.ground]]\nshape = \"disc\"\nradius = 1\nmass = 3\n"},
       "m.toml:6:1: system.ground[0].mass: unknown key"},
      {{.system = "floor_belt_speed = 1.0\n"},
       "m.toml:3:20: system.floor_belt_speed: means nothing without floor = true"},
      {{.system = "floor = true\nfloor_motion = { amplitude = [0, 1] }\n"},
       "m.toml:4:16: system.floor_motion.frequency: is missing; give a number"},
      {{.system = "floor = true\nfloor_motion = { frequency = 3 }\n"},
       "m.toml:4:30: system.floor_motion.frequency: means nothing without amplitude"},
      {{.system = "floor = true\nfloor_motion = { velocity = [1, 2, 3] }\n"},
       "m.toml:4:29: system.floor_motion.velocity: must have 2 numbers, got 3"},
      {{.ground =
            "[[system.lines]]\nmotion = { times = [0, 2, 1], positions = [[0, 0], [1, 0], [2, "
            "0]] }\n"},
       "m.toml:4:27: system.lines[0].motion.times[2]: must be greater than the one before, got 1"},
      {{.ground = "[[system.lines]]\nmotion = { times = [0, 2], positions = [[0, 0]] }\n"},
       "m.toml:4:40: system.lines[0].motion.positions: must be one for each of 2 times, got 1"},
      {{.ground = "[[system.lines]]\nmotion = { times = [0, 2] }\n"},
       "m.toml:4:10: system.lines[0].motion.positions: is missing; give a displacement for each of "
       "the times"},
      {{.ground = "[[system.lines]]\nmotion = { times = [0, 2], positions = [[0], [1]] }\n"},
       "m.toml:4:40: system.lines[0].motion.positions: must be vectors [x, y], got rows of 1"},
      {{.ground = "[[system.lines]]\nmotion = { velocities = [[0, 0]] }\n"},
       "m.toml:4:25: system.lines[0].motion.velocities: means nothing without times"},
      {{.ground = "[[system.lines]]\nmotion = { amplitdue = [0, 1] }\n"},
       "m.toml:4:12: system.lines[0].motion.amplitdue: unknown key; did you mean 'amplitude'?"},
      {{.ground = "[[system.lines]]\nmotion = 3\n"},
       "m.toml:4:10: system.lines[0].motion: must be a table, got 3"},
      {{.body = ball + "position = [nan, 9]\n"},
       "m.toml:8:12: system.bodies[0].position: must be finite numbers, got nan"},
      {{.body = ball + at + "velocity = [0, inf]\n"},
       "m.toml:9:12: system.bodies[0].velocity: must be finite numbers, got inf"},
      {{.ground = "[[system.ground]]\nshape = \"disc\"\nradius = 1\nposition = [0, nan]\n"},
       "m.toml:6:12: system.ground[0].position: must be finite numbers, got nan"},
      {{.ground = "[[system.lines]]\nname = \"b\"\n"}, "system.bodies[0].name"},
  };
  for (Case c : cases) {
    if (c.text.body.empty()) c.text.body = ball + at;
    const std::string says = complaint(c.text.all());
    EXPECT_NE(says.find(c.says), std::string::npos) << says << "\nnot\n" << c.says;
  }
}

// Bodies that overlap a piece of the ground, or another body with corners, are refused.
TEST(PlaneMotionReader, RefusesOverlap) {
  EXPECT_NE(complaint(Text{.ground = "[[system.ground]]\nname = \"peg\"\nshape = \"disc\"\n"
                                     "radius = 1\nposition = [0, 1]\n",
                           .body = ball + "position = [0, 2.05]\n"}
                          .all())
                .find("bodies overlap at the start, at the contact 'b-peg' by 0.05"),
            std::string::npos);
}

// What is solved as one impact is simulated from the same instant: G and v are those of the model.
TEST(PlaneMotionReader, SystemsOfOneImpactMove) {
  struct Case {
    std::string system;
    std::vector<std::string> touching;
  };
  const std::vector<Case> cases = {
      {"type='bar'\nmass=2\nangle_deg=60\nvelocity=[0.5,-1]\nspin=0.2\n", {"bar-floor"}},
      {"type='rod'\nangle_deg=-30\ninertia_factor=0.4\nvelocity=[0.5,1]\nspin=0.2\n",
       {"rod-floor"}},
      {"type='disc'\nradius=0.3\nvelocity=[1,-1]\nspin=2\n", {"disc-floor"}},
      {"type='sphere'\nradius=0.3\nvelocity=[1,-1]\nspin=2\n", {"sphere-floor"}},
      {"type='block'\nhalf_width=0.25\nhalf_height=1\npivot='right'\nspin=1\n",
       {"block-floor 1", "block-floor 2"}},
      {"type='rod-ends'\nhalf_length=0.5\nvelocity=[0.6,-1]\nspin=0.4\n",
       {"rod-floor 1", "rod-floor 2"}},
      {"type='rod-ends'\nhalf_length=0.5\nangle_deg=130\nvelocity=[0.6,-1]\nspin=0.4\n",
       {"rod-floor", "rod-wall"}}};
  for (const Case& c : cases) {
    SCOPED_TRACE(c.system);
    const std::string text = "[system]\n" + c.system + "[surface]\nrestitution=0.5\nfriction=0.3\n";
    const Scenario impact = parse(text, "f.toml");
    const MotionScenario moving = parse_motion(text + "[motion]\nend_time=1\n", "f.toml");
    const SystemAtImpact at = at_impact(*moving.model, moving.start);
    EXPECT_EQ(at.names, c.touching);
    ASSERT_EQ(at.names.size(), impact.problem().contacts());  // one of them has a row of spin, too
    for (std::size_t i = 0; i < at.problem.approach.size(); ++i) {
      EXPECT_NEAR(at.problem.approach[i], impact.problem().approach[i], 1e-14) << i;
      for (std::size_t j = 0; j < at.problem.approach.size(); ++j) {
        EXPECT_NEAR(at.problem.G(i, j), impact.problem().G(i, j), 1e-13) << i << ' ' << j;
      }
    }
    EXPECT_EQ(moving.drawing.outlines.size(), 1U);
    EXPECT_EQ(moving.drawing.lines.size(), scene_of(moving).ground.size());
  }
}

// --- grids

const std::string many =
    "[system]\ntype = \"assembly\"\nfloor = true\n"
    "[[system.ground]]\nname = \"peg\"\nshape = \"disc\"\nradius = 0.01\nposition = [1, 2]\n"
    "grid = { count = [3, 1], spacing = [0.1, 0] }\n"
    "[[system.bodies]]\nname = \"b\"\nmass = 2.0\nshape = \"box\"\nlength = 0.1\nwidth = 0.2\n"
    "position = [0, 5]\nangle_deg = 10\nvelocity = [1, 2]\nspin = 3\n"
    "grid = { count = [2, 3], spacing = [0.5, 1.0]GRID }\n"
    "[surface]\nrestitution = 0.0\nfriction = 0.5\n[motion]\nend_time = 1.0\n";

std::string many_with(const std::string& more) {
  std::string text = many;
  return text.replace(text.find("GRID"), 4, more);
}

TEST(PlaneMotionReader, AGridIsRowsOfBodiesAndOfPieces) {
  const MotionScenario s = parse_motion(many_with(""), "m.toml");
  const PlanarScene& scene = scene_of(s);
  ASSERT_EQ(scene.bodies.size(), 6U);
  ASSERT_EQ(scene.ground.size(), 4U);  // and the floor
  for (std::size_t k = 0; k < 6; ++k) {
    SCOPED_TRACE(k);
    EXPECT_EQ(scene.bodies[k].name, "b " + std::to_string(k + 1));
    EXPECT_EQ(scene.bodies[k].mass, 2.);
    EXPECT_EQ(scene.bodies[k].inertia, scene.bodies[0].inertia);
    const auto q = s.start.q.segment<3>(static_cast<Eigen::Index>(3 * k));
    const auto u = s.start.u.segment<3>(static_cast<Eigen::Index>(3 * k));
    EXPECT_DOUBLE_EQ(q(0), 0.5 * static_cast<double>(k % 2));
    EXPECT_DOUBLE_EQ(q(1), 5. + static_cast<double>(k / 2));
    EXPECT_DOUBLE_EQ(q(2), 10. * pi / 180.);
    EXPECT_EQ(u, Eigen::Vector3d(1., 2., 3.));
  }
  for (std::size_t k = 1; k < 4; ++k) {
    EXPECT_EQ(scene.ground[k].name, "peg " + std::to_string(k));
    EXPECT_DOUBLE_EQ(scene.ground[k].pose.position.x, 1. + 0.1 * static_cast<double>(k - 1));
    EXPECT_DOUBLE_EQ(scene.ground[k].pose.position.y, 2.);
  }
}

// One impact is read from the same file: a column of boxes that lands on the floor.
TEST(PlaneMotionReader, AGridStrikesInOneImpact) {
  const Scenario impact = parse(
      "[system]\ntype='assembly'\nfloor=true\n[[system.bodies]]\nname='box'\nshape='box'\n"
      "length=0.2\nwidth=0.1\nmass=1\nposition=[0,0.05]\nvelocity=[0,-1]\n"
      "grid={count=[1,3],spacing=[0,0.1]}\n[surface]\nrestitution=0.5\nfriction=0.3\n",
      "f.toml");
  EXPECT_EQ(impact.problem().contacts(), 6U);
}

// Random shifts and turns are within their bounds, differ, and depend on the seed alone.
TEST(PlaneMotionReader, AGridMayBeShaken) {
  const auto placed = [](const std::string& more) {
    return parse_motion(many_with(more), "m.toml").start.q;
  };
  const Vector plain = placed("");
  const Vector one = placed(", jitter = 0.1, jitter_deg = 20, seed = 7");
  EXPECT_EQ(one, placed(", jitter = 0.1, jitter_deg = 20, seed = 7"));
  const Vector by = one - plain;
  for (Eigen::Index k = 0; k < 6; ++k) {
    const Eigen::Vector3d shake = by.segment<3>(3 * k);
    EXPECT_LE(shake.head<2>().cwiseAbs().maxCoeff(), 0.1 + 1e-12);
    EXPECT_LE(std::abs(shake(2)), 20. * pi / 180. + 1e-12);
    EXPECT_GT(shake.cwiseAbs().minCoeff(), 0.);
    for (Eigen::Index j = 0; j < k; ++j) EXPECT_NE(shake, by.segment<3>(3 * j));
  }
  EXPECT_NE(one, placed(", jitter = 0.1, jitter_deg = 20, seed = 8"));
  // The first numbers of the generator of the seed 7, by which files are the same everywhere.
  EXPECT_NEAR(by(0), 0.1 * 0.508770608305716, 1e-15);
  EXPECT_NEAR(by(2), 20. * pi / 180. * -0.765171437930964, 1e-15);
}

TEST(PlaneMotionReader, GridsThatMakeNoSenseAreRefused) {
  const auto says = [](const std::string& from, const std::string& to) {
    std::string text = many_with("");
    text.replace(text.find(from), from.size(), to);
    return complaint(text);
  };
  EXPECT_EQ(says("count = [2, 3]", "count = [2]"),
            "m.toml:20:18: system.bodies[0].grid.count: must have 2 numbers, got 1");
  EXPECT_NE(says("count = [2, 3]", "count = [2, 0]").find("grid.count: must be"),
            std::string::npos);
  EXPECT_NE(says("count = [2, 3]", "count = [2, 1.5]").find("grid.count: must be"),
            std::string::npos);
  EXPECT_NE(says("count = [2, 3]", "count = [1000, 1000]")
                .find("grid.count: must be 100000 bodies at most, got 1000000"),
            std::string::npos);
  EXPECT_NE(says(", spacing = [0.5, 1.0]", "").find("grid.spacing: is missing"), std::string::npos);
  EXPECT_NE(says("spacing = [0.5", "jiter = 1, spacing = [0.5")
                .find("grid.jiter: unknown key; did you mean 'jitter'?"),
            std::string::npos);
  EXPECT_NE(says("spacing = [0.5", "jitter = -1, spacing = [0.5")
                .find("grid.jitter: must be a finite number >= 0, got -1"),
            std::string::npos);
  EXPECT_NE(says("name = \"b\"\n", "").find("system.bodies[0].name: is missing"),
            std::string::npos);
  EXPECT_NE(says("name = \"peg\"", "name = \"b\"")
                .find("name: must be a name of its own, not empty, got 'b 1'"),
            std::string::npos);
}

}  // namespace
}  // namespace carom::scenario
