// SPDX-License-Identifier: Apache-2.0
// Bodies in space that move.
#include <algorithm>
#include <utility>

#include <carom/core/error.hpp>
#include <carom/mechanics/shapes/space/mass.hpp>
#include <carom/mechanics/spatial_model.hpp>
#include <carom/scenario/motion/grid_reader.hpp>
#include <carom/scenario/motion/path_reader.hpp>
#include <carom/scenario/motion/reader.hpp>
#include <carom/scenario/motion/scene_reader.hpp>
#include <carom/scenario/multi_reader.hpp>
#include <carom/scenario/spatial_reader.hpp>
#include <carom/scenario/spatial_shape_reader.hpp>
#include <carom/scenario/system_reader.hpp>

namespace carom::scenario {
namespace {

using shapes::space::HalfSpace;
using shapes::space::Polyhedron;
using shapes::space::Rod;

/// A vector whose entries are finite.
World3 finite_triple(const Table& t, std::string_view key, const World3& fallback) {
  const World3 v = t.triple(key, fallback);
  located(t, [&] { require_finite(v, std::string(key)); });
  return v;
}

/// From the mass centre to the solid's origin: the centroid of a polyhedron, and the origin of any
/// other solid, unless `mass_centre` is given.
World3 read_offset(const Table& t, const shapes::space::Solid& solid) {
  World3 centre{};
  if (t.has("mass_centre")) {
    if (std::holds_alternative<Rod>(solid)) {
      t.refuse("mass_centre", "means nothing for the shape 'rod', which has its own");
    }
    t.require("inertia", "the inertia about the mass centre, which is not that of a uniform body");
    centre = finite_triple(t, "mass_centre", centre);
  } else if (std::holds_alternative<Polyhedron>(solid)) {
    centre = world(shapes::space::mass_of(solid).centroid);
  } else {
    return {};
  }
  return {-centre[0], -centre[1], -centre[2]};
}

World3 sum(const World3& a, const World3& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }

/// The axes of what a placement turns.
Mat3 turned(const Mat3& orientation, const Placement& p) {
  if (p.turn_deg == 0.) return orientation;
  const auto [cosine, sine] = direction(p.turn_deg);
  const Mat3 turn = rotation(p.axis, cosine, sine, "axis");
  Mat3 product{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t k = 0; k < 3; ++k) product[i][j] += turn[i][k] * orientation[k][j];
    }
  }
  return product;
}

/// A body, or those of its grid.
void read_movers(const Table& t, std::size_t number, std::vector<std::string>& taken,
                 SpatialScene& scene) {
  t.only({"name", "mass", "shape", "inertia", "radius", "length", "size", "height", "vertices",
          "rounding", "mass_centre", "direction", "orientation", "position", "velocity", "spin",
          "drag", "rim_points", "grid"});
  const std::vector<Placement> placements = read_grid(t, 3, number, std::to_string(number), taken);
  SpatialMover b;
  b.mass = t.positive("mass");
  b.solid = read_solid(t);
  b.offset = read_offset(t, b.solid);
  b.orientation = read_orientation(t);
  if (t.has("inertia")) b.inertia = read_inertia(t);
  b.position = t.triple("position");
  b.velocity = t.triple("velocity", b.velocity);
  b.spin = t.triple("spin", b.spin);
  b.drag = read_drag(t);
  if (t.has("rim_points")) {
    constexpr std::size_t most = 1000;
    b.rim_points =
        located(t, [&] { return whole_number(t.number("rim_points"), 3, most, "rim_points"); });
  }
  for (const Placement& p : placements) {
    SpatialMover one = b;
    one.name = p.name;
    one.position = sum(b.position, p.shift);
    one.orientation = turned(b.orientation, p);
    scene.bodies.push_back(std::move(one));
  }
}

/// How ground moves: `velocity_key` alone, for a uniform motion, or `motion_key`.
PrescribedPath read_ground_motion(const Table& t, const char* velocity_key,
                                  const char* motion_key) {
  if (!t.has(velocity_key)) return read_path(t, motion_key, 3);
  t.refuse(motion_key, "must not stand beside " + std::string(velocity_key) +
                           "; give the velocity in " + motion_key);
  return {.velocity = finite_triple(t, velocity_key, {})};
}

/// The plane z = 0.
SpatialGround read_floor(const Table& t) {
  SpatialGround floor{.name = "floor"};
  floor.motion = read_ground_motion(t, "floor_velocity", "floor_motion");
  floor.belt_velocity = finite_triple(t, "floor_belt_velocity", floor.belt_velocity);
  return floor;
}

SpatialGround read_plane(const Table& t, std::size_t number, std::vector<std::string>& taken) {
  t.only({"name", "normal", "through", "velocity", "motion", "belt_velocity"});
  SpatialGround p;
  p.name = read_name(t, "plane" + std::to_string(number + 1), taken);
  p.solid = HalfSpace{located(t, [&] { return unit(t.triple("normal", {0., 0., 1.}), "normal"); })};
  p.position = finite_triple(t, "through", p.position);
  p.motion = read_ground_motion(t, "velocity", "motion");
  p.belt_velocity = finite_triple(t, "belt_velocity", p.belt_velocity);
  return p;
}

/// A solid fixed in place, or that moves as prescribed, or those of its grid.
void read_solid_pieces(const Table& t, std::size_t number, std::vector<std::string>& taken,
                       SpatialScene& scene) {
  t.only({"name", "shape", "radius", "length", "size", "height", "vertices", "rounding",
          "direction", "orientation", "position", "motion", "belt_velocity", "grid"});
  const std::vector<Placement> placements =
      read_grid(t, 3, number, "ground" + std::to_string(number), taken);
  SpatialGround p;
  p.solid = read_solid(t);
  p.orientation = read_orientation(t);
  p.position = finite_triple(t, "position", p.position);
  p.motion = read_path(t, "motion", 3);
  p.belt_velocity = finite_triple(t, "belt_velocity", p.belt_velocity);
  for (const Placement& at : placements) {
    SpatialGround one = p;
    one.name = at.name;
    one.position = sum(p.position, at.shift);
    one.orientation = turned(p.orientation, at);
    scene.ground.push_back(std::move(one));
  }
}

void read_ground(const Table& t, std::vector<std::string>& taken, SpatialScene& scene) {
  if (t.flag("floor", false)) {
    scene.ground.push_back(read_floor(t));
    taken.emplace_back("floor");
  } else {
    for (const char* key : {"floor_velocity", "floor_motion", "floor_belt_velocity"}) {
      t.refuse(key, "means nothing without floor = true");
    }
  }
  if (t.has("planes")) {
    for (const Table& plane : t.tables("planes")) {
      scene.ground.push_back(read_plane(plane, scene.ground.size(), taken));
    }
  }
  if (t.has("ground")) {
    std::size_t number = 0;
    for (const Table& piece : t.tables("ground")) {
      read_solid_pieces(piece, ++number, taken, scene);
    }
  }
}

/// Model, start and drawing.
void use(SpatialScene scene, MotionScenario& s) {
  for (const SpatialMover& b : scene.bodies) {
    s.drawing.bodies.push_back({.body = b.name,
                                .solid = b.solid,
                                .offset = b.offset,
                                .first = 7 * s.drawing.bodies.size()});
  }
  s.drawing.ground = scene.ground;
  auto model = std::make_unique<SpatialModel>(std::move(scene));
  s.start = model->start();
  s.model = std::move(model);
}

}  // namespace

SpatialScene read_spatial_scene(const Table& t) {
  t.only({"type", "bodies", "planes", "ground", "floor", "floor_velocity", "floor_motion",
          "floor_belt_velocity", "bodies_strike", "spheres_strike", "contacts", "tolerance",
          "frictionless"});
  t.refuse("spheres_strike", "is now bodies_strike, which is about bodies of every shape");
  SpatialScene scene;
  scene.bodies_strike = t.flag("bodies_strike", true);
  std::vector<std::string> taken;
  read_ground(t, taken, scene);
  std::size_t number = 0;
  for (const Table& body : t.tables("bodies")) read_movers(body, ++number, taken, scene);
  return scene;
}

void read_space_motion(const Table& t, const Table& motion, MotionScenario& s) {
  refuse_of_one_impact(t);
  SpatialScene scene = read_spatial_scene(t);
  scene.gravity = spatial_gravity(motion);
  use(std::move(scene), s);
}

void read_moving_space_body(const Table& t, const Table& motion, MotionScenario& s) {
  SpatialScene scene = read_spatial_striker(t);
  scene.gravity = spatial_gravity(motion);
  use(std::move(scene), s);
}

}  // namespace carom::scenario
