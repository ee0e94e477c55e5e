// SPDX-License-Identifier: Apache-2.0
// Scenario files in space: solids, ground that moves, drag; what moves as closed forms say.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include <carom/core/error.hpp>
#include <carom/mechanics/planar_model.hpp>
#include <carom/mechanics/shapes/space/mass.hpp>
#include <carom/mechanics/spatial_model.hpp>
#include <carom/motion/simulation.hpp>
#include <carom/report/motion/mesh.hpp>
#include <carom/scenario/motion/reader.hpp>
#include <carom/scenario/scenario.hpp>
#include <support/motion_log.hpp>

namespace carom::scenario {
namespace {

namespace space = shapes::space;
using motion::EventKind;
using std::numbers::pi;

constexpr double g = 9.81;

/// A scenario with `system` in its table [system] and `body` in its body's.
std::string scene(const std::string& body, const std::string& system = "floor = true",
                  const std::string& motion = "end_time = 1.0") {
  return "[system]\ntype = \"space-assembly\"\n" + system +
         "\n[[system.bodies]]\nname = \"it\"\nmass = 2.0\nposition = [0, 0, 5]\n" + body +
         "\n[surface]\nrestitution = 0.5\nfriction = 0.2\n[motion]\n" + motion + "\n";
}

std::string complaint(const std::string& text) {
  try {
    const MotionScenario s = parse_motion(text, "m.toml");
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

/// Scene of a scenario that was read.
const SpatialScene& scene_of(const MotionScenario& s) {
  return dynamic_cast<const SpatialModel&>(*s.model).scene();
}

SpatialMover mover(const std::string& body) {
  return scene_of(parse_motion(scene(body), "m.toml")).bodies.front();
}

const std::string tetrahedron =
    "shape = \"polyhedron\"\nvertices = [[0, 0, 0], [0.4, 0, 0], [0, 0.4, 0], [0, 0, 0.8]]\n";

// --- reading

TEST(SpaceMotionReader, ReadsEverySolid) {
  const auto solid = [](const std::string& body) { return mover(body).solid; };
  EXPECT_EQ(std::get<space::Sphere>(solid("shape = \"sphere\"\nradius = 0.3")).radius, 0.3);
  const auto box = std::get<space::Box>(solid("shape = \"box\"\nsize = [1, 2, 3]\nrounding = 0.1"));
  EXPECT_EQ(box.size, (World3{1., 2., 3.}));
  EXPECT_EQ(box.rounding, 0.1);
  const auto can = std::get<space::Cylinder>(
      solid("shape = \"cylinder\"\nradius = 0.3\nlength = 0.7\nrounding = 0.05"));
  EXPECT_EQ(can.radius, 0.3);
  EXPECT_EQ(can.length, 0.7);
  EXPECT_EQ(can.rounding, 0.05);
  const auto pill =
      std::get<space::Capsule>(solid("shape = \"capsule\"\nradius = 0.3\nlength = 0.7"));
  EXPECT_EQ(pill.radius, 0.3);
  EXPECT_EQ(pill.length, 0.7);
  EXPECT_EQ(std::get<space::Rod>(solid("shape = \"rod\"\nlength = 0.7")).length, 0.7);
  EXPECT_EQ(std::get<space::Disc>(solid("shape = \"disc\"\nradius = 0.3")).radius, 0.3);
  const auto cone = std::get<space::Cone>(
      solid("shape = \"cone\"\nradius = 0.3\nheight = 0.9\ndirection = [1, 0, 0]"));
  EXPECT_EQ(cone.radius, 0.3);
  EXPECT_EQ(cone.height, 0.9);
  const auto rock = std::get<space::Polyhedron>(solid(tetrahedron + "rounding = 0.02"));
  ASSERT_EQ(rock.vertices.size(), 4U);
  EXPECT_EQ(rock.vertices[3], (World3{0., 0., 0.8}));
  EXPECT_EQ(rock.rounding, 0.02);
}

// A tetrahedron has its centroid at the mean of its corners.
TEST(SpaceMotionReader, MassCentreIsTheCentroidOrAsGiven) {
  const SpatialMover uniform = mover(tetrahedron);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(uniform.offset[k], k == 2 ? -0.2 : -0.1, 1e-15);
  }
  EXPECT_FALSE(uniform.inertia);
  const SpatialMover given =
      mover(tetrahedron + "mass_centre = [0.05, 0, 0.3]\ninertia = [0.1, 0.1, 0.05]");
  EXPECT_EQ(given.offset, (World3{-0.05, 0., -0.3}));
  EXPECT_EQ((*given.inertia)[2][2], 0.05);
  EXPECT_EQ(mover("shape = \"cone\"\nradius = 0.3\nheight = 0.9").offset, World3{});
}

TEST(SpaceMotionReader, ReadsDragAndRimPoints) {
  const SpatialMover b = mover(
      "shape = \"cylinder\"\nradius = 0.3\nlength = 0.7\nrim_points = 12\n"
      "drag = { linear = 0.1, quadratic = 0.2, spin_linear = 0.3, spin_quadratic = 0.4 }");
  EXPECT_EQ(b.rim_points, 12U);
  EXPECT_EQ(b.drag.linear, 0.1);
  EXPECT_EQ(b.drag.quadratic, 0.2);
  EXPECT_EQ(b.drag.spin_linear, 0.3);
  EXPECT_EQ(b.drag.spin_quadratic, 0.4);
}

TEST(SpaceMotionReader, ReadsGroundThatMoves) {
  const MotionScenario s = parse_motion(scene("shape = \"sphere\"\nradius = 0.3", R"(floor = true
floor_motion = { amplitude = [0, 0, 0.01], frequency = 3.0, phase_deg = 90 }
floor_belt_velocity = [0.5, 0, 0]
bodies_strike = false
[[system.planes]]
name = "wall"
normal = [2, 0, 0]
through = [-3, 0, 0]
motion = { velocity = [0.1, 0, 0] }
[[system.planes]]
normal = [-1, 0, 0]
through = [3, 0, 0]
velocity = [0, 0.2, 0]
[[system.ground]]
name = "table"
shape = "box"
size = [1, 1, 0.1]
position = [0, 0, 2]
orientation = { axis = [0, 0, 1], angle_deg = 90 }
motion = { times = [0, 1], positions = [[0, 0, 0], [0, 0, 1]], velocities = [[0, 0, 0], [0, 0, 0]] }
belt_velocity = [0, 0.3, 0]
[[system.ground]]
shape = "cone"
radius = 0.1
height = 0.3
direction = [0, 0, -1])"),
                                        "m.toml");
  const SpatialScene& all = scene_of(s);
  EXPECT_FALSE(all.bodies_strike);
  ASSERT_EQ(all.ground.size(), 5U);
  EXPECT_EQ(all.ground[0].name, "floor");
  EXPECT_EQ(all.ground[0].motion.amplitude, (World3{0., 0., 0.01}));
  EXPECT_EQ(all.ground[0].motion.frequency, 3.);
  EXPECT_NEAR(all.ground[0].motion.phase, pi / 2., 1e-15);
  EXPECT_EQ(all.ground[0].belt_velocity, (World3{0.5, 0., 0.}));
  EXPECT_EQ(std::get<space::HalfSpace>(all.ground[1].solid).normal, (World3{1., 0., 0.}));
  EXPECT_EQ(all.ground[1].motion.velocity, (World3{0.1, 0., 0.}));
  EXPECT_EQ(all.ground[2].name, "plane3");
  EXPECT_EQ(all.ground[2].motion.velocity, (World3{0., 0.2, 0.}));
  EXPECT_EQ(all.ground[3].position, (World3{0., 0., 2.}));
  EXPECT_NEAR(all.ground[3].orientation[1][0], 1., 1e-15);
  EXPECT_NEAR(all.ground[3].motion.at(0.5).displacement[2], 0.5, 1e-15);
  EXPECT_EQ(all.ground[3].belt_velocity, (World3{0., 0.3, 0.}));
  EXPECT_EQ(all.ground[4].name, "ground2");
  EXPECT_NEAR(all.ground[4].orientation[2][2], -1., 1e-15);
  ASSERT_EQ(s.drawing.ground.size(), 5U);
  EXPECT_EQ(s.drawing.ground[3].name, "table");
}

TEST(SpaceMotionReader, ErrorsNamePlaceKeyAndWhatIsAllowed) {
  const std::string b = "m.toml:8:";  // of the first line of `body`
  const std::string box = "shape = \"box\"\nsize = [1, 1, 1]\n";
  const std::string ball = "shape = \"sphere\"\nradius = 1\n";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {scene("shape = \"cube\""),
       b + "9: system.bodies[0].shape: unknown shape 'cube'; known: sphere, box, cylinder, "
           "capsule, rod, disc, cone, polyhedron"},
      {scene("radius = 1"),
       "m.toml:4:1: system.bodies[0].shape: is missing; give one of sphere, box, cylinder, "
       "capsule, rod, disc, cone, polyhedron"},
      {scene(box + "rounding = 0.5"),
       "m.toml:10:12: system.bodies[0].rounding: must be in [0, 0.5), got 0.5"},
      {scene(ball + "rounding = 0.1"),
       "m.toml:10:12: system.bodies[0].rounding: means nothing for the shape 'sphere'"},
      {scene("shape = \"cone\"\nradius = 1\nheight = 0"),
       "m.toml:10:10: system.bodies[0].height: must be a finite number > 0, got 0"},
      {scene("shape = \"polyhedron\"\nvertices = [[0, 0], [1, 0], [0, 1], [1, 1]]"),
       "m.toml:9:12: system.bodies[0].vertices: must be at least four vectors [x, y, z], got 4 x "
       "2"},
      {scene("shape = \"polyhedron\"\nvertices = [[0, 0, 1], [1, 0, 1], [0, 1, 1], [1, 1, 1]]"),
       "m.toml:9:12: system.bodies[0].vertices: must not all lie in one plane"},
      {scene(box + "mass_centre = [0, 0, 0.1]"),
       "m.toml:4:1: system.bodies[0].inertia: is missing; give the inertia about the mass centre, "
       "which is not that of a uniform body"},
      {scene("shape = \"rod\"\nlength = 1\nmass_centre = [0, 0, 0.1]"),
       "m.toml:10:15: system.bodies[0].mass_centre: means nothing for the shape 'rod', which has "
       "its own"},
      {scene(ball + "drag = { linear = -1 }"),
       "m.toml:10:19: system.bodies[0].drag.linear: must be a finite number >= 0, got -1"},
      {scene(ball, "spheres_strike = false"),
       "m.toml:3:18: system.spheres_strike: is now bodies_strike, which is about bodies of every "
       "shape"},
      {scene(ball, "floor_motion = { velocity = [1, 0, 0] }"),
       "m.toml:3:16: system.floor_motion: means nothing without floor = true"},
      {scene(ball,
             "floor = true\nfloor_velocity = [1, 0, 0]\nfloor_motion = { velocity = [1, 0, "
             "0] }"),
       "m.toml:5:16: system.floor_motion: must not stand beside floor_velocity; give the velocity "
       "in floor_motion"},
      {scene(ball, "[[system.ground]]\nshape = \"box\"\nsize = [1, 0, 1]"),
       "m.toml:5:12: system.ground[0].size[1]: must be a finite number > 0, got 0"},
      {scene(ball, "[[system.ground]]\nshape = \"sphere\"\nradius = 1\nmass = 2"),
       "m.toml:6:1: system.ground[0].mass: unknown key"},
      {scene(ball, "[[system.ground]]\nshape = \"sphere\"\nradius = 1\nposition = [0, 0, 4]"),
       "m.toml:1:1: system: bodies overlap at the start"},
  };
  for (const auto& [text, expected] : cases) {
    EXPECT_EQ(complaint(text).substr(0, expected.size()), expected) << complaint(text);
  }
}

// What one impact cannot use is refused there.
TEST(SpaceMotionReader, OneImpactRefusesSolidsThatOnlyMove) {
  const auto refused = [](const std::string& type, const std::string& body) -> std::string {
    try {
      (void)parse("[system]\ntype = \"" + type +
                      "\"\n[[system.bodies]]\nmass = 1\nvelocity = [0, 0, -1]\n" + body +
                      "\n[surface]\nrestitution = 0.5\nfriction = 0.2\n",
                  "m.toml");
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(refused("space", "shape = \"cone\"\nradius = 1\nheight = 1"),
            "m.toml:6:9: system.bodies[0].shape: 'cone' is for systems that move, with a table "
            "[motion]; here: sphere, box, cylinder, capsule, rod, disc");
  EXPECT_EQ(refused("space", "shape = \"box\"\nsize = [1, 1, 1]\nrounding = 0.1"),
            "m.toml:8:12: system.bodies[0].rounding: is for systems that move, with a table "
            "[motion]");
  // An assembly finds its contacts for every solid.
  EXPECT_EQ(
      refused("space-assembly", "shape = \"cone\"\nradius = 1\nheight = 1\nposition = [0, 0, 1]"),
      "m.toml:3:1: system.bodies: touch nowhere, so that there is no contact: see positions, "
      "sizes, floor and tolerance, or give [[system.contacts]]");
}

// --- surfaces that are drawn

World3 minus(const World3& a, const World3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }

double triple(const World3& a, const World3& b, const World3& c) { return dot(a, cross(b, c)); }

// Each edge belongs to two faces, in opposite directions, and the volume is that of the solid, to
// what its facets cut off.
TEST(SpaceMotionReader, SurfacesAreClosedAndLookOutwards) {
  // Its core has 28 corners.
  const space::Polyhedron rock{.vertices = {{0.30, 0.00, 0.05},
                                            {0.10, 0.27, -0.05},
                                            {-0.20, 0.22, 0.08},
                                            {-0.32, -0.04, -0.03},
                                            {-0.12, -0.26, 0.06},
                                            {0.20, -0.22, -0.04},
                                            {0.08, 0.05, 0.25},
                                            {-0.10, -0.08, 0.24},
                                            {0.05, -0.06, -0.26},
                                            {-0.08, 0.10, -0.24}},
                               .rounding = 0.01};
  const std::vector<space::Solid> solids = {
      space::Sphere{0.3},
      space::Box{.size = {0.3, 0.4, 0.5}},
      space::Box{.size = {0.3, 0.4, 0.5}, .rounding = 0.1},
      space::Cylinder{.radius = 0.3, .length = 0.4},
      space::Cylinder{.radius = 0.3, .length = 0.4, .rounding = 0.1},
      space::Capsule{.radius = 0.3, .length = 0.4},
      space::Cone{.radius = 0.3, .height = 0.5},
      space::Polyhedron{.vertices = {{0., 0., 0.}, {1., 0., 0.}, {0., 1., 0.}, {0., 0., 1.}}},
      space::Polyhedron{.vertices = {{0., 0., 0.}, {1., 0., 0.}, {0., 1., 0.}, {0., 0., 1.}},
                        .rounding = 0.02},
      rock,
      space::Rod{0.5},
      space::Disc{0.3}};
  for (const space::Solid& solid : solids) {
    SCOPED_TRACE(name(solid));
    const report::Mesh mesh = report::mesh_of(solid);
    std::map<std::pair<std::size_t, std::size_t>, int> sides;
    double volume = 0.;
    const World3 inside = world(space::mass_of(solid).centroid);
    for (const auto& face : mesh.faces) {
      World3 outward{};
      for (std::size_t k = 1; k + 1 < face.size(); ++k) {
        const World3& p = mesh.points[face[0]];
        const World3 part =
            cross(minus(mesh.points[face[k]], p), minus(mesh.points[face[k + 1]], p));
        for (std::size_t i = 0; i < 3; ++i) outward[i] += part[i];
      }
      EXPECT_GT(dot(outward, minus(mesh.points[face[0]], inside)), 0.);
      for (std::size_t k = 0; k < face.size(); ++k) {
        ++sides[{face[k], face[(k + 1) % face.size()]}];
        if (k < 1 || k + 1 >= face.size()) continue;
        volume += triple(mesh.points[face[0]], mesh.points[face[k]], mesh.points[face[k + 1]]) / 6.;
      }
    }
    for (const auto& [side, count] : sides) {
      EXPECT_EQ(count, 1);
      EXPECT_EQ(sides.count({side.second, side.first}), 1U);
    }
    // Corners minus edges plus faces.
    EXPECT_EQ(mesh.points.size() + mesh.faces.size() - sides.size() / 2, 2U);
    const double exact = space::mass_of(solid).volume;
    if (exact > 0.) {
      EXPECT_NEAR(volume / exact, 1., 0.03);  // 32 sides cut off 0.6 per cent, and 16 bands 2
      const bool flat =
          std::holds_alternative<space::Box>(solid) && std::get<space::Box>(solid).rounding == 0.;
      if (flat) {
        EXPECT_NEAR(volume, exact, 1e-15);
      }
    } else {
      EXPECT_GT(volume, 0.);
    }
  }
  EXPECT_TRUE(report::mesh_of(space::HalfSpace{}).faces.empty());
}

// --- motion

struct Followed {
  motion::Summary summary;
  test::MotionLog log;
};

void run(const Model& model, const State& state, const std::vector<Surface>& surfaces,
         const motion::Options& options, Followed& out) {
  out.summary = motion::simulate(model, surfaces, options,
                                 motion::start(model, state, surfaces, options), out.log);
}

void run(const std::string& text, Followed& out) {
  const MotionScenario s = parse_motion(text, "m.toml");
  run(*s.model, s.start, s.surfaces, s.options, out);
}

// A sphere laid on a belt: friction mu g until slip v - (7/2) mu g t vanishes; then it rolls with
// 2 v/7.
TEST(SpaceMotion, SphereOnABeltRolls) {
  const double v = 0.7, mu = 0.2;
  for (const std::string ground :
       {"floor = true\nfloor_belt_velocity = [0.42, 0.56, 3]",
        "floor = true\nfloor_velocity = [0.42, 0.56, 0]",
        "[[system.ground]]\nname = \"floor\"\nshape = \"box\"\nsize = [9, 9, 1]\nposition = "
        "[0, 0, -0.5]\nbelt_velocity = [0.42, 0.56, 0]"}) {
    SCOPED_TRACE(ground);
    std::string text =
        scene("shape = \"sphere\"\nradius = 0.1", ground, "end_time = 0.5\ntolerance = 1e-12");
    text.replace(text.find("[0, 0, 5]"), 9, "[0, 0, 0.1]");
    Followed r;
    run(text, r);
    ASSERT_EQ(r.summary.ending, motion::Ending::time) << r.summary.reason;
    const double rolls = 2. * v / (7. * mu * g);
    const auto sticks =
        std::find_if(r.log.events.begin(), r.log.events.end(),
                     [](const motion::Event& e) { return e.kind == EventKind::slip_to_stick; });
    ASSERT_NE(sticks, r.log.events.end());
    EXPECT_NEAR(sticks->time, rolls, 1e-12);
    const State& end = r.summary.progress.state;
    const double speed = 2. * v / 7.;
    const double path = 0.5 * speed * rolls + speed * (0.5 - rolls);
    EXPECT_NEAR(end.u(0), 0.6 * speed, 1e-12);
    EXPECT_NEAR(end.u(1), 0.8 * speed, 1e-12);
    EXPECT_NEAR(end.q(0), 0.6 * path, 1e-12);
    EXPECT_NEAR(end.q(1), 0.8 * path, 1e-12);
    EXPECT_NEAR(end.q(2), 0.1, 1e-12);
    EXPECT_NEAR(r.summary.progress.energy.gap(), 0., 1e-12);
    // The belt gives mu m g v per second of slip, 2 m v^2/7 in all; half of it is lost.
    const motion::EnergyAccount& energy = r.summary.progress.energy;
    EXPECT_NEAR(energy.kinetic, 2. * v * v / 7., 1e-12);
    EXPECT_NEAR(energy.drives + energy.friction[0], 2. * v * v / 7., 1e-12);
  }
}

// As long as A w^2 < g a ball stays on a floor that moves like A sin w t, pressed with
// m (g - A w^2 sin w t).
TEST(SpaceMotion, BallRestsOnASineFloor) {
  const double A = 0.004, f = 7.5, w = 2. * pi * f, m = 2.;  // A w^2 = 0.905 g
  std::string text =
      scene("shape = \"sphere\"\nradius = 0.1\nvelocity = [0, 0, " + shortest(A * w) + "]",
            "floor = true\nfloor_motion = { amplitude = [0, 0, 0.004], frequency = "
            "7.5 }",
            "end_time = 0.4\ntolerance = 1e-12\nsample_interval = 0.01");
  text.replace(text.find("[0, 0, 5]"), 9, "[0, 0, 0.1]");
  Followed r;
  run(text, r);
  ASSERT_EQ(r.summary.ending, motion::Ending::time) << r.summary.reason;
  EXPECT_EQ(r.summary.progress.impacts, 0U);
  ASSERT_GT(r.log.samples.size(), 40U);
  for (const auto& s : r.log.samples) {
    const double sine = std::sin(w * s.time);
    EXPECT_NEAR(s.q(2), 0.1 + A * sine, 1e-12) << s.time;
    EXPECT_NEAR(s.u(2), A * w * std::cos(w * s.time), 1e-10) << s.time;
    EXPECT_NEAR(s.force[0], m * (g - A * w * w * sine), 1e-9) << s.time;
  }
  EXPECT_NEAR(r.summary.progress.energy.gap(), 0., 1e-12);
}

// Beyond, it leaves where A w^2 sin w t = g.
TEST(SpaceMotion, BallLeavesASineFloor) {
  const double A = 0.004, f = 12., w = 2. * pi * f;
  std::string text =
      scene("shape = \"sphere\"\nradius = 0.1\nvelocity = [0, 0, " + shortest(A * w) + "]",
            "floor = true\nfloor_motion = { amplitude = [0, 0, 0.004], frequency = "
            "12 }",
            "end_time = 0.02\ntolerance = 1e-12");
  text.replace(text.find("[0, 0, 5]"), 9, "[0, 0, 0.1]");
  Followed r;
  run(text, r);
  const auto leaves =
      std::find_if(r.log.events.begin(), r.log.events.end(),
                   [](const motion::Event& e) { return e.kind == EventKind::lift_off; });
  ASSERT_NE(leaves, r.log.events.end());
  EXPECT_NEAR(leaves->time, std::asin(g / (A * w * w)) / w, 1e-12);
}

// A ball slides off a table without friction. The contact with the table is found, carries m g, and
// has no force any more when it is open.
TEST(SpaceMotion, AFoundContactThatOpensHasNoForce) {
  std::string text = scene("shape = \"sphere\"\nradius = 0.1\nvelocity = [1, 0, 0]",
                           "[[system.ground]]\nname = \"table\"\nshape = \"box\"\nsize = [0.2, 1, "
                           "0.2]\nposition = [0, 0, -0.1]",
                           "end_time = 0.3\ntolerance = 1e-12\nsample_interval = 0.01");
  text.replace(text.find("[0, 0, 5]"), 9, "[0, 0, 0.1]");
  text.replace(text.find("friction = 0.2"), 14, "friction = 0.0");
  Followed r;
  run(text, r);
  ASSERT_EQ(r.summary.ending, motion::Ending::time) << r.summary.reason;
  ASSERT_GT(r.log.samples.size(), 30U);
  ASSERT_GE(r.log.samples[5].force.size(), 3U);
  EXPECT_NEAR(r.log.samples[5].force[0], 2. * g, 1e-9);
  for (const double f : r.log.samples.back().force) EXPECT_EQ(f, 0.);
  EXPECT_LT(r.log.samples.back().q(2), 0.);
}

// --- twins: x, y of the plane are x, z of space, angles turn about -y

struct TwinBox {
  double length, width, depth, mass;
  std::array<double, 2> position;
  double angle;
  std::array<double, 2> velocity;
  double spin;
};

void expect_twins(const std::vector<TwinBox>& boxes, const Surface& surface, double end) {
  PlanarScene plane{.ground = {{.name = "floor", .shape = shapes::plane::half_plane()}}};
  SpatialScene solid{.ground = {{.name = "floor"}}};
  State flat;
  flat.q.resize(static_cast<Eigen::Index>(3 * boxes.size()));
  flat.u.resize(flat.q.size());
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const TwinBox& b = boxes[i];
    const std::string name = "b" + std::to_string(i);
    plane.bodies.push_back({.name = name,
                            .mass = b.mass,
                            .inertia = b.mass * (b.length * b.length + b.width * b.width) / 12.,
                            .shape = shapes::plane::box(b.length, b.width)});
    flat.q.segment<3>(static_cast<Eigen::Index>(3 * i)) << b.position[0], b.position[1], b.angle;
    flat.u.segment<3>(static_cast<Eigen::Index>(3 * i)) << b.velocity[0], b.velocity[1], b.spin;
    SpatialMover m{.name = name, .mass = b.mass};
    m.solid = space::Box{.size = {b.length, b.depth, b.width}};
    m.position = {b.position[0], 0., b.position[1]};
    m.orientation = rotation({0., -1., 0.}, b.angle, "angle");
    m.velocity = {b.velocity[0], 0., b.velocity[1]};
    m.spin = {0., -b.spin, 0.};
    solid.bodies.push_back(m);
  }
  const PlanarModel planar(plane);
  const SpatialModel spatial(solid);
  // One contact of the plane is two in space, which one law must treat alike.
  const motion::Options options{.end_time = end,
                                .tolerance = 1e-12,
                                .law = find_law("moreau"),
                                .several = find_law("moreau")};
  Followed a, b;
  run(planar, flat, {surface}, options, a);
  run(spatial, spatial.start(), {surface}, options, b);
  const std::size_t events = 10;
  ASSERT_GT(a.log.events.size(), events) << a.summary.reason;
  ASSERT_GT(b.log.events.size(), events) << b.summary.reason;
  for (std::size_t k = 0; k < events; ++k) {
    EXPECT_EQ(name(a.log.events[k].kind), name(b.log.events[k].kind)) << k;
    EXPECT_NEAR(a.log.events[k].time, b.log.events[k].time, 1e-9) << k;
    EXPECT_NEAR(a.log.events[k].energy_change, b.log.events[k].energy_change, 1e-9) << k;
  }
}

TEST(SpaceMotion, BoxOnTheFloorIsItsPlanarTwin) {
  expect_twins({{0.3, 0.2, 0.15, 1.2, {0., 0.5}, 0.4, {0.8, -0.3}, 2.}},
               {.restitution = 0.4, .friction = 0.3, .static_friction = 0.3}, 3.);
}

TEST(SpaceMotion, TwoBoxesThatCollideAreTheirPlanarTwins) {
  expect_twins({{0.3, 0.2, 0.15, 1.2, {0., 0.6}, 0.4, {0.8, 0.5}, 2.},
                {0.2, 0.2, 0.25, 0.7, {0.6, 0.65}, 0.2, {-0.9, 0.4}, -1.}},
               {.restitution = 0.4, .friction = 0.3, .static_friction = 0.3}, 3.);
}

// --- grids

TEST(SpaceMotionReader, AGridIsLayersOfBodies) {
  const auto read = [](const std::string& more) {
    return scene_of(
        parse_motion("[system]\ntype = \"space-assembly\"\nfloor = true\n"
                     "[[system.bodies]]\nname = \"b\"\nmass = 2\nshape = \"box\"\n"
                     "size = [0.1, 0.2, 0.3]\nposition = [1, 2, 3]\n"
                     "orientation = { axis = [0, 0, 1], angle_deg = 30 }\n"
                     "grid = { count = [2, 3, 4], spacing = [0.4, 0.5, 0.6]" +
                         more +
                         " }\n[surface]\nrestitution = 0.0\nfriction = 0.5\n"
                         "[motion]\nend_time = 1.0\n",
                     "m.toml"));
  };
  const SpatialScene plain = read("");
  ASSERT_EQ(plain.bodies.size(), 24U);
  for (std::size_t k = 0; k < 24; ++k) {
    const SpatialMover& b = plain.bodies[k];
    EXPECT_EQ(b.name, "b " + std::to_string(k + 1));
    EXPECT_DOUBLE_EQ(b.position[0], 1. + 0.4 * static_cast<double>(k % 2));
    EXPECT_DOUBLE_EQ(b.position[1], 2. + 0.5 * static_cast<double>(k / 2 % 3));
    EXPECT_DOUBLE_EQ(b.position[2], 3. + 0.6 * static_cast<double>(k / 6));
    EXPECT_EQ(b.orientation, plain.bodies[0].orientation);
  }
  const double cosine = std::cos(25. * std::numbers::pi / 180.);
  const SpatialScene shaken = read(", jitter = 0.1, jitter_deg = 25");
  for (std::size_t k = 0; k < 24; ++k) {
    const SpatialMover& a = plain.bodies[k];
    const SpatialMover& b = shaken.bodies[k];
    for (std::size_t c = 0; c < 3; ++c) EXPECT_LE(std::abs(b.position[c] - a.position[c]), 0.1);
    // Axes stay orthonormal, and the turn between both, trace(R) = 1 + 2 cos(angle), is bounded.
    double trace = 0.;
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) {
        double dot = 0.;
        for (std::size_t c = 0; c < 3; ++c) dot += b.orientation[c][i] * b.orientation[c][j];
        EXPECT_NEAR(dot, i == j ? 1. : 0., 1e-14);
        trace += a.orientation[i][j] * b.orientation[i][j];
      }
    }
    EXPECT_GE(trace, 1. + 2. * cosine - 1e-12);
    EXPECT_LT(trace, 3. - 1e-9);
  }
}

}  // namespace
}  // namespace carom::scenario
