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

SpatialMover read_mover(const Table& t, std::size_t number,
                                std::vector<std::string>& taken) {
  t.only({"name", "mass", "shape", "inertia", "radius", "length", "size", "direction",
          "orientation", "position", "velocity", "spin", "rim_points"});
  SpatialMover b;
  b.name = read_name(t, std::to_string(number + 1), taken);
  b.mass = t.positive("mass");
  t.require("shape", "one of sphere, box, cylinder, capsule, rod, disc");
  b.shape = *read_shape(t);
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

SpatialPlane read_plane(const Table& t, std::size_t number,
                                std::vector<std::string>& taken) {
  t.only({"name", "normal", "through", "velocity"});
  SpatialPlane p;
  p.name = read_name(t, "plane" + std::to_string(number + 1), taken);
  p.normal = located(t, [&] { return unit(t.triple("normal", p.normal), "normal"); });
  p.through = t.triple("through", p.through);
  p.velocity = t.triple("velocity", p.velocity);
  return p;
}

/// A rim that lies flat has no lowest point to touch with: fixed points on it must be given.
void refuse_flat_rim(const Table& t, const SpatialMover& body,
                     const std::vector<SpatialPlane>& planes) {
  constexpr double flat = 1e-6;  // a sine
  const bool has_rim = std::holds_alternative<CylinderShape>(body.shape) ||
                       std::holds_alternative<DiscShape>(body.shape);
  if (!has_rim || body.rim_points > 0) return;
  const World3 axis{body.orientation[0][2], body.orientation[1][2], body.orientation[2][2]};
  for (const SpatialPlane& p : planes) {
    if (length(cross(axis, unit(p.normal, "normal"))) > flat) continue;
    t.fail("rim_points", "must be given, such as 8: the rim of '" + body.name +
                             "' lies parallel to '" + p.name + "' and has no lowest point");
  }
}

}  // namespace

void read_space_motion(const Table& t, const Table& motion, MotionScenario& s) {
  t.only({"type", "bodies", "planes", "floor", "floor_velocity", "spheres_strike"});
  SpatialScene scene;
  scene.gravity = spatial_gravity(motion);
  scene.spheres_strike = t.flag("spheres_strike", true);
  std::vector<std::string> taken;
  if (t.flag("floor", false)) {
    scene.planes.push_back({.name = "floor", .velocity = t.triple("floor_velocity", {0., 0., 0.})});
    taken.emplace_back("floor");
  } else {
    t.refuse("floor_velocity", "means nothing without floor = true");
  }
  if (t.has("planes")) {
    for (const Table& plane : t.tables("planes")) {
      scene.planes.push_back(read_plane(plane, scene.planes.size(), taken));
    }
  }
  for (const Table& body : t.tables("bodies")) {
    scene.bodies.push_back(read_mover(body, scene.bodies.size(), taken));
    refuse_flat_rim(body, scene.bodies.back(), scene.planes);
  }
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    s.drawing.bodies.push_back(
        {.body = scene.bodies[i].name, .shape = scene.bodies[i].shape, .first = 7 * i});
  }
  for (const SpatialPlane& p : scene.planes) {
    s.drawing.planes.push_back({.name = p.name, .through = p.through, .normal = p.normal});
  }
  auto model = std::make_unique<SpatialModel>(std::move(scene));
  s.start = model->start();
  s.model = std::move(model);
}

}  // namespace carom::scenario
