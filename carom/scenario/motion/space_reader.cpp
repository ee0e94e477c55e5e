// SPDX-License-Identifier: Apache-2.0
// Bodies in space that move.
#include <algorithm>
#include <utility>

#include <carom/core/error.hpp>
#include <carom/mechanics/spatial_model.hpp>
#include <carom/scenario/motion/reader.hpp>
#include <carom/scenario/multi_reader.hpp>
#include <carom/scenario/spatial_shape_reader.hpp>

namespace carom::scenario {
namespace {

using shapes::space::Solid;

Solid solid_of(const SpatialShape& shape) {
  struct Make {
    Solid operator()(const SphereShape& s) const { return shapes::space::Sphere{s.radius}; }
    Solid operator()(const BoxShape& s) const { return shapes::space::Box{.size = s.size}; }
    Solid operator()(const CylinderShape& s) const {
      return shapes::space::Cylinder{.radius = s.radius, .length = s.length};
    }
    Solid operator()(const CapsuleShape& s) const {
      return shapes::space::Capsule{.radius = s.radius, .length = s.length};
    }
    Solid operator()(const RodShape& s) const { return shapes::space::Rod{s.length}; }
    Solid operator()(const DiscShape& s) const { return shapes::space::Disc{s.radius}; }
  };
  return std::visit(Make{}, shape);
}

SpatialMover read_mover(const Table& t, std::size_t number, std::vector<std::string>& taken,
                        Drawing& drawing) {
  t.only({"name", "mass", "shape", "inertia", "radius", "length", "size", "direction",
          "orientation", "position", "velocity", "spin", "rim_points"});
  SpatialMover b;
  b.name = read_name(t, std::to_string(number + 1), taken);
  b.mass = t.positive("mass");
  t.require("shape", "one of sphere, box, cylinder, capsule, rod, disc");
  const SpatialShape shape = *read_shape(t);
  b.solid = solid_of(shape);
  drawing.bodies.push_back({.body = b.name, .shape = shape, .first = 7 * number});
  b.orientation = read_orientation(t);
  if (t.has("inertia")) b.inertia = read_inertia(t);
  b.position = t.triple("position");
  b.velocity = t.triple("velocity", b.velocity);
  b.spin = t.triple("spin", b.spin);
  if (t.has("rim_points")) {
    constexpr std::size_t most = 1000;
    b.rim_points =
        located(t, [&] { return whole_number(t.number("rim_points"), 3, most, "rim_points"); });
  }
  return b;
}

SpatialGround read_plane(const Table& t, std::size_t number, std::vector<std::string>& taken) {
  t.only({"name", "normal", "through", "velocity"});
  SpatialGround p;
  p.name = read_name(t, "plane" + std::to_string(number + 1), taken);
  p.solid = shapes::space::HalfSpace{located(t, [&] {
    return unit(t.triple("normal", {0., 0., 1.}), "normal");
  })};
  p.position = t.triple("through", p.position);
  p.motion.velocity = t.triple("velocity", p.motion.velocity);
  return p;
}

}  // namespace

void read_space_motion(const Table& t, const Table& motion, MotionScenario& s) {
  t.only({"type", "bodies", "planes", "floor", "floor_velocity", "spheres_strike"});
  SpatialScene scene;
  scene.gravity = spatial_gravity(motion);
  scene.bodies_strike = t.flag("spheres_strike", true);
  std::vector<std::string> taken;
  if (t.flag("floor", false)) {
    SpatialGround floor{.name = "floor"};
    floor.motion.velocity = t.triple("floor_velocity", {0., 0., 0.});
    scene.ground.push_back(std::move(floor));
    taken.emplace_back("floor");
  } else {
    t.refuse("floor_velocity", "means nothing without floor = true");
  }
  if (t.has("planes")) {
    for (const Table& plane : t.tables("planes")) {
      scene.ground.push_back(read_plane(plane, scene.ground.size(), taken));
    }
  }
  for (const Table& body : t.tables("bodies")) {
    scene.bodies.push_back(read_mover(body, scene.bodies.size(), taken, s.drawing));
  }
  for (const SpatialGround& p : scene.ground) {
    s.drawing.planes.push_back({.name = p.name,
                                .through = p.position,
                                .normal = std::get<shapes::space::HalfSpace>(p.solid).normal});
  }
  auto model = std::make_unique<SpatialModel>(std::move(scene));
  s.start = model->start();
  s.model = std::move(model);
}

}  // namespace carom::scenario
