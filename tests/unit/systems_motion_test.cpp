// SPDX-License-Identifier: Apache-2.0
// What can be solved can be simulated: the same file with a table [motion] starts with the same
// impact. A system that cannot move is refused with its reason.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include <carom/core/error.hpp>
#include <carom/laws/table.hpp>
#include <carom/motion/simulation.hpp>
#include <carom/scenario/motion/reader.hpp>
#include <carom/scenario/scenario.hpp>
#include <carom/study/law_choice.hpp>

#include "support/motion_log.hpp"

namespace carom::scenario {
namespace {

using Velocities = std::vector<double>;

/// A system that strikes, and its velocities in the axes of motion.
struct System {
  std::string type;
  std::string keys;
  std::string surface = "restitution = 0.6\nfriction = 0.3\n";
  std::function<Velocities(const Velocities&)> in_motion = [](const Velocities& u) { return u; };

  [[nodiscard]] std::string text() const {
    return "[system]\ntype = \"" + type + "\"\n" + keys + "[surface]\n" + surface;
  }
};
std::ostream& operator<<(std::ostream& out, const System& s) {
  return out << s.type << ": " << s.keys.substr(0, s.keys.find('\n'));
}

const std::string box_and_disc = R"(normal_deg = 210
[[system.bodies]]
name = "box"
shape = "box"
mass = 2.0
length = 0.4
width = 0.2
angle_deg = 20
velocity = [1.0, 0.5]
spin = 0.3
[[system.bodies]]
name = "disc"
shape = "disc"
mass = 1.0
radius = 0.3
velocity = [-1.0, 0.2]
spin = -2.0
)";
const std::string bar_on_belt = R"(normal_deg = 100
surface_velocity = [0.3, 0.1]
[[system.bodies]]
shape = "bar"
mass = 1.5
half_length = 0.5
angle_deg = 300
velocity = [0.5, -1.0]
spin = 1.0
)";
const std::string corner_on_side = R"(normal_deg = 90
[[system.bodies]]
shape = "box"
mass = 1.0
length = 0.2
width = 0.1
angle_deg = 30
velocity = [0.4, -1.0]
[[system.bodies]]
shape = "box"
mass = 3.0
length = 1.0
width = 0.5
contact_offset = [0.2, 0.25]
velocity = [0.0, 0.5]
spin = 0.2
)";
const std::string crate = R"(normal = [0.1, 0.2, 0.9]
surface_velocity = [0.1, 0.0, 0.0]
[[system.bodies]]
name = "crate"
shape = "box"
mass = 12.0
size = [0.6, 0.4, 0.3]
orientation = { axis = [1, -1, 0], angle_deg = 40 }
velocity = [0.4, 0.1, -3.0]
spin = [1.0, 0.5, -0.2]
)";
const std::string two_spheres = R"(normal = [0.3, 0.8, 0.2]
[[system.bodies]]
shape = "sphere"
radius = 0.1
mass = 1.0
velocity = [0.4, -1.0, 0.3]
spin = [3.0, 0.0, 1.0]
[[system.bodies]]
shape = "sphere"
radius = 0.3
inertia = 0.1
mass = 2.0
velocity = [0.0, 0.6, 0.1]
)";
const std::string double_pendulum = R"(zero_angle = "down"
[[system.links]]
length = 1.0
mass = 1.0
angle_deg = 20
rate = -0.2
[[system.links]]
length = 0.7
mass = 0.5
angle_deg = -30
rate = -1.0
[system.contact]
normal_deg = 70
line_velocity = [0.1, 0.2]
)";
const std::string fingers = R"([[system.links]]
name = "left"
mass = 0.2
length = 0.2
parent = "ground"
at = [-0.1, 0.0]
angle_deg = 60
rate = -2.0
[[system.links]]
name = "right"
mass = 0.25
length = 0.25
parent = "ground"
at = [0.1, 0.0]
angle_deg = 120
rate = 2.0
[system.contact]
link = "left"
against = "right"
normal_deg = 210
)";
const std::string stack = R"(floor = true
floor_velocity = [0.1, 0.0]
[[system.lines]]
name = "wall"
point = [0.5, 0.0]
angle_deg = 90
[[system.ground]]
name = "step"
shape = "box"
length = 0.2
width = 0.1
position = [-0.6, 0.05]
[[system.bodies]]
name = "a"
shape = "disc"
mass = 1.0
radius = 0.5
position = [0.0, 0.5]
velocity = [0.2, -1.0]
[[system.bodies]]
name = "b"
shape = "disc"
mass = 2.0
radius = 0.25
position = [0.0, 1.25]
velocity = [0.1, -2.0]
[[system.bodies]]
name = "c"
shape = "box"
mass = 1.0
length = 0.1
width = 0.1
position = [-0.6, 0.15]
velocity = [0.3, -0.5]
)";
// Forces in it are determined, so that every solver finds the same.
const std::string spheres_on_plane = R"(floor = true
[[system.planes]]
name = "wall"
normal = [-1, 0, 0]
through = [0.2, 0, 0]
[[system.ground]]
name = "post"
shape = "sphere"
radius = 0.1
position = [0, 0.2, 0.3]
[[system.bodies]]
name = "a"
shape = "sphere"
mass = 1.0
radius = 0.1
position = [0, 0, 0.1]
velocity = [0.2, 0.3, -1.0]
[[system.bodies]]
name = "b"
shape = "sphere"
mass = 1.0
radius = 0.1
position = [0, 0, 0.3]
velocity = [0.1, 0.7, -1.5]
spin = [1.0, 2.0, 0.0]
)";

Velocities clockwise(Velocities u) {
  u[2] = -u[2];
  return u;
}
Velocities mirrored(Velocities u) { return {u[0], -u[1], -u[2]}; }
/// z up, y = z of the publication.
Velocities upright(const Velocities& u) { return {u[0], u[2], -u[1], u[3], u[5], -u[4]}; }

const std::vector<System> systems = {
    {"bar", "angle_deg = 120\nvelocity = [0.4, -1.0]\nspin = 0.5\n",
     "restitution = 0.6\nfriction = 0.3\n", clockwise},
    {"rod", "angle_deg = 40\nvelocity = [0.4, 1.0]\nspin = 0.5\n",
     "restitution = 0.6\nfriction = 0.3\n", mirrored},
    {"disc", "radius = 0.1\nvelocity = [0.4, -1.0]\nspin = 3.0\n"},
    {"sphere", "radius = 0.1\nvelocity = [0.4, -1.0]\nspin = 3.0\n"},
    {"bodies", box_and_disc},
    {"bodies", bar_on_belt},
    {"bodies", corner_on_side},
    {"linkage", double_pendulum},
    {"linkage", fingers},
    {"space", crate},
    {"space", two_spheres},
    {"space-rod",
     "half_length = 2.3\nradius = 0.5\nangle1_deg = 22\nangle2_deg = 10\nvelocity = [0.4, 1.0, "
     "0.1]\nspin = [0.1, 0.2, 0.3]\n",
     "restitution = 0.8\nfriction = 0.2\n", upright},
    {"space-rod",
     "half_length = 0.5\nangle1_deg = -30\nangle2_deg = 5\nvelocity = [0.4, 1.0, 0.1]\n",
     "restitution = 0.8\nfriction = 0.2\n", upright},
    {"space-sphere",
     "inertia_factor = 0.5\nradius = 0.1\nvelocity = [0.4, 0.1, -1.0]\nspin = [1.0, 2.0, 3.0]\n"},
    {"chain", "masses = [1.0, 2.0, 3.0, 0.5]\nvelocities = [1.0, 0.1, 0.0, -0.2]\n",
     "restitution = [0.9, 0.5, 0.7]\nstiffness = [1e9, 2e9, 3e9]\n"},
    {"chain",
     "mass = 1.0\ncount = 3\nradius = 0.1\nstriker_velocity = 2.0\nstrikers = 2\nwall = true\n",
     "restitution = 0.8\nstiffness = 1e9\n"},
    {"block", "half_width = 0.2\nhalf_height = 0.5\npivot = \"left\"\nspin = -1.0\n",
     "restitution = 0.4\nfriction = 0.6\nstiffness = 1e9\n"},
    {"rod-ends", "half_length = 0.5\nangle_deg = 60\nvelocity = [0.5, -1.0]\nspin = 0.1\n",
     "restitution = 0.4\nfriction = 0.2\nstiffness = 1e9\n"},
    {"assembly", stack, "restitution = 0.5\nfriction = 0.3\nstiffness = 1e9\n"},
    {"assembly", "frictionless = true\n" + stack, "restitution = 0.5\nstiffness = 1e9\n"},
    {"space-assembly", spheres_on_plane, "restitution = 0.5\nfriction = 0.3\nstiffness = 1e9\n"},
};

/// The velocities after the first impact, or all at the first instant.
Velocities after_first(const System& system, const Law& law, bool one,
                       const SolveOptions& options) {
  MotionScenario s =
      parse_motion(system.text() + "[motion]\nend_time = 1e-9\n" +
                       (one ? "law = \"" : "several = \"") + std::string(law.name) + "\"\n",
                   "m.toml");
  s.options.law_options = s.options.several_options = options;
  s.options.most_events = 2;
  test::MotionLog log;
  const motion::Summary end =
      motion::simulate(*s.model, s.surfaces, s.options,
                       motion::start(*s.model, s.start, s.surfaces, s.options), log);
  EXPECT_EQ(end.ending, motion::Ending::events) << end.reason;
  EXPECT_EQ(log.events.back().kind, motion::EventKind::impact);
  const Vector& u = end.progress.state.u;
  return {u.begin(), u.end()};
}

class SystemsMotion : public testing::TestWithParam<System> {};

TEST_P(SystemsMotion, StartsWithTheSameImpact) {
  const System& system = GetParam();
  const Scenario scenario = parse(system.text(), "s.toml");
  const bool one = scenario.kind().contacts == 1;
  SolveOptions options;
  options.tolerance = 1e-14;  // of processes without a closed form
  options.most_steps = 100000;
  std::size_t asked = 0;
  for (const study::ChosenLaw& chosen : study::choose_laws(scenario, {}).chosen) {
    Workspace workspace;
    Outcome outcome;
    solve(*chosen.law, scenario.problem(), options, workspace, outcome);
    ASSERT_GT(*std::max_element(outcome.impulse.begin(), outcome.impulse.end()), 0.);
    const Velocities expected = system.in_motion(scenario.impact.velocity_after(outcome.impulse));
    const Velocities u = after_first(system, *chosen.law, one, options);
    ASSERT_EQ(u.size(), expected.size());
    double scale = 0.;
    for (const double x : expected) scale = std::max(scale, std::abs(x));
    for (std::size_t i = 0; i < u.size(); ++i) {
      EXPECT_NEAR(u[i], expected[i], 1e-12 * scale) << chosen.law->name << ", velocity " << i;
    }
    ++asked;
  }
  EXPECT_GE(asked, one ? 5U : 2U);
}

INSTANTIATE_TEST_SUITE_P(All, SystemsMotion, testing::ValuesIn(systems));

std::string complaint(const std::string& text) {
  try {
    static_cast<void>(parse_motion(text, "m.toml"));
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

/// A [system] with a surface and a table [motion].
std::string moving(const std::string& system, const std::string& motion = "") {
  return "[system]\n" + system +
         "[surface]\nrestitution = 0.5\nfriction = 0.3\n[motion]\nend_time = 1.0\n" + motion;
}

TEST(SystemsThatDoNotMove, SayWhy) {
  const std::string at = "m.toml:2:8: system.type: ";
  for (const char* type : {"contact", "space-contact", "contacts"}) {
    EXPECT_EQ(complaint(moving("type = \"" + std::string(type) + "\"\n")),
              at + "'" + type +
                  "' gives contact space alone, without bodies that could move: give bodies, or "
                  "carom solve it");
  }
  for (const char* type : {"generalized", "generalized-contacts"}) {
    EXPECT_EQ(complaint(moving("type = \"" + std::string(type) + "\"\n")),
              at + "'" + type +
                  "' gives M, W and u at one instant, not how they change with position: give "
                  "bodies or a linkage, or carom solve it");
  }
}

TEST(SystemsThatDoNotMove, NeedAShapeThatTouchesWhereTheImpactIs) {
  const std::string body = "[[system.bodies]]\nmass = 1.0\nvelocity = [0.0, -1.0]\n";
  EXPECT_NE(complaint(moving("type = \"bodies\"\n" + body +
                             "inertia = 1.0\ncontact_offset = [0.1, -0.2]\n"))
                .find("system.bodies[0].shape: is missing"),
            std::string::npos);
  // A box that lies flat touches with two corners.
  EXPECT_NE(
      complaint(
          moving("type = \"bodies\"\n" + body +
                 "shape = \"box\"\nlength = 0.4\nwidth = 0.2\ncontact_offset = [0.1, -0.1]\n"))
          .find("must touch in one point to move on from this impact, got 2"),
      std::string::npos);
  // The offset is in the middle of the side, the box is turned, and its corner is lower.
  EXPECT_NE(complaint(moving("type = \"bodies\"\n" + body +
                             "shape = \"box\"\nlength = 0.4\nwidth = 0.2\nangle_deg = 10\n"
                             "contact_offset = [0.0, -0.1]\n"))
                .find("overlaps the surface by"),
            std::string::npos);
  // Two discs touch along the line of their centres, which is not the normal that is given.
  EXPECT_NE(
      complaint(moving("type = \"bodies\"\nnormal_deg = 80\n" + body +
                       "shape = \"bar\"\nhalf_length = 0.5\nangle_deg = 270\n" + body +
                       "shape = \"box\"\nlength = 2.0\nwidth = 0.2\ncontact_offset = [0.0, 0.1]\n"))
          .find("normal [0, 1, 0], but this impact is at"),
      std::string::npos);
}

TEST(SystemsThatMove, RefuseWhatIsOfOneImpact) {
  const std::string disc =
      "[[system.bodies]]\nshape = \"disc\"\nradius = 1.0\nmass = 1.0\nposition = [0.0, 1.0]\n";
  EXPECT_EQ(complaint(moving("type = \"assembly\"\ntolerance = 1e-3\n" + disc)),
            "m.toml:3:13: system.tolerance: is of one impact: a motion closes gaps up to 1e-6 of a "
            "length");
  EXPECT_EQ(
      complaint(moving("type = \"assembly\"\n" + disc + "[[system.contacts]]\nfirst = \"1\"\n")),
      "m.toml:8:1: system.contacts: is of one impact: a motion finds its contacts from the "
      "shapes");
  EXPECT_EQ(
      complaint(
          "[system]\ntype = \"chain\"\nmass = 1.0\ncount = 2\nstriker_velocity = 1.0\n[surface]\n"
          "restitution = 0.5\nfriction = 0.3\n[motion]\nend_time = 1.0\n"),
      "m.toml:8:12: surface.friction: must be 0 where contacts are frictionless (a normal alone), "
      "got 0.3");
  EXPECT_EQ(
      complaint(
          "[system]\ntype = \"chain\"\nmass = 1.0\ncount = 2\nstriker_velocity = 1.0\n[surface]\n"
          "restitution = 0.5\n[motion]\nend_time = 1.0\ngravity = 9.81\n"),
      "m.toml:10:11: motion.gravity: must be along the row of balls, [g, 0]: across it they are "
      "carried");
}

// Two balls and a wall, all elastic: a striker of mass m hits a ball at rest of the same mass that
// touches the wall. moreau reverses both contacts; then the balls fly apart for good.
TEST(ChainMotion, EndsWhereBallsNoLongerMeet) {
  const MotionScenario s = parse_motion(
      "[system]\ntype = \"chain\"\nmasses = [1.0, 3.0]\nvelocities = [2.0, 0.0]\nradius = 0.1\n"
      "wall = true\n[surface]\nrestitution = 1.0\n[motion]\nend_time = 1.0\n",
      "m.toml");
  test::MotionLog log;
  const motion::Summary end =
      motion::simulate(*s.model, s.surfaces, s.options,
                       motion::start(*s.model, s.start, s.surfaces, s.options), log);
  EXPECT_EQ(end.ending, motion::Ending::time) << end.reason;
  const State& state = end.progress.state;
  EXPECT_NEAR(state.u(0) * state.u(0) + 3. * state.u(1) * state.u(1), 4., 1e-12);
  EXPECT_LE(state.u(0), state.u(1) + 1e-12);
  EXPECT_LE(state.u(1), 1e-12);
  EXPECT_GE(state.q(1) - state.q(0), 0.2 - 1e-9);
}

// A column of two balls on a wall, under gravity along the row: they rest.
TEST(ChainMotion, RestsUnderGravityAlongTheRow) {
  const MotionScenario s = parse_motion(
      "[system]\ntype = \"chain\"\nmasses = [1.0, 3.0]\nvelocities = [0.0, 0.0]\nradius = 0.1\n"
      "wall = true\n[surface]\nrestitution = 0.5\n[motion]\nend_time = 1.0\ngravity = [9.81, "
      "0.0]\n",
      "m.toml");
  test::MotionLog log;
  const motion::Summary end =
      motion::simulate(*s.model, s.surfaces, s.options,
                       motion::start(*s.model, s.start, s.surfaces, s.options), log);
  EXPECT_EQ(end.ending, motion::Ending::time) << end.reason;
  ASSERT_FALSE(log.samples.empty());
  const auto& force = log.samples.back().force;  // (normal, tangential) by contact
  EXPECT_NEAR(force[0], 9.81, 1e-9);
  EXPECT_NEAR(force[2], 4. * 9.81, 1e-9);
}

}  // namespace
}  // namespace carom::scenario
