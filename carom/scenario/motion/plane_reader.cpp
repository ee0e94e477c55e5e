// SPDX-License-Identifier: Apache-2.0
// Bodies in the plane that move.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include <carom/core/error.hpp>
#include <carom/mechanics/planar_bodies.hpp>
#include <carom/mechanics/planar_model.hpp>
#include <carom/scenario/motion/grid_reader.hpp>
#include <carom/scenario/motion/path_reader.hpp>
#include <carom/scenario/motion/plane_shape_reader.hpp>
#include <carom/scenario/motion/reader.hpp>
#include <carom/scenario/motion/scene_reader.hpp>
#include <carom/scenario/multi_reader.hpp>
#include <carom/scenario/system_reader.hpp>

namespace carom::scenario {
namespace {

using Pair = std::array<double, 2>;
using shapes::plane::Point;

constexpr Pair zero_pair{0., 0.};

/// `own` and the keys of shapes.
void only_with_shapes(const Table& t, std::initializer_list<std::string_view> own) {
  std::vector<std::string_view> known(own);
  known.insert(known.end(), shape_keys.begin(), shape_keys.end());
  t.only(known);
}

/// Two finite numbers; `fallback` where they are not given.
Pair finite_pair(const Table& t, std::string_view key, const Pair* fallback) {
  const Pair x = fallback != nullptr ? t.pair(key, *fallback) : t.pair(key);
  for (const double each : x) {
    if (!std::isfinite(each)) t.fail(key, "must be finite numbers, got " + shortest(each));
  }
  return x;
}

// --- drawing

Figure figure_of(const shapes::plane::Shape& s) {
  Figure f{.radius = s.radius, .semi_axes = s.semi_axes};
  if (s.vertices.size() == 1) {
    f.centre = {s.vertices[0].x, s.vertices[0].y};
  } else {
    for (const Point& c : s.vertices) f.corners.push_back({c.x, c.y});
  }
  return f;
}

Displacement displacement_of(const PrescribedPath& path) {
  if (!path.moves()) return {};
  return [path](double time) {
    const World3 d = path.at(time).displacement;
    return Pair{d[0], d[1]};
  };
}

void draw_body(const PlanarBody& b, std::size_t first, Drawing& drawing) {
  const auto k = static_cast<Eigen::Index>(first);
  drawing.outlines.push_back(
      {.body = b.name, .figure = figure_of(b.shape), .pose = [k](const State& s) {
         return PlanarPose{.origin = {s.q(k), s.q(k + 1)}, .angle = s.q(k + 2)};
       }});
}

void draw_ground(const PlanarGround& g, Drawing& drawing) {
  const Pair at{g.pose.position.x, g.pose.position.y};
  if (g.shape.vertices.empty()) {
    const Pair along = direction(g.pose.angle / degree);
    drawing.lines.push_back({.name = g.name,
                             .through = at,
                             .normal = {-along[1], along[0]},
                             .displacement = displacement_of(g.motion),
                             .belt_speed = g.belt_speed});
  } else {
    drawing.pieces.push_back({.name = g.name,
                              .figure = figure_of(g.shape),
                              .pose = {.origin = at, .angle = g.pose.angle},
                              .displacement = displacement_of(g.motion),
                              .belt_speed = g.belt_speed});
  }
}

// --- ground

/// `floor`, `floor_motion` and `floor_belt_speed`.
void read_floor(const Table& t, std::vector<std::string>& taken, PlanarScene& scene) {
  if (!t.flag("floor", false)) {
    for (const char* key : {"floor_velocity", "floor_motion", "floor_belt_speed"}) {
      t.refuse(key, "means nothing without floor = true");
    }
    return;
  }
  PrescribedPath path = read_path(t, "floor_motion", 2);
  if (t.has("floor_velocity")) {
    t.refuse("floor_motion",
             "must not stand beside floor_velocity; give the velocity in floor_motion");
    const Pair v = finite_pair(t, "floor_velocity", nullptr);
    path.velocity = {v[0], v[1], 0.};
  }
  scene.ground.push_back({.name = "floor",
                          .shape = shapes::plane::half_plane(),
                          .motion = std::move(path),
                          .belt_speed = finite(t, "floor_belt_speed", 0.)});
  taken.emplace_back("floor");
}

/// Where a line or a piece of the ground is, and how it moves.
void read_place(const Table& t, std::string_view position, PlanarGround& g) {
  const Pair x = finite_pair(t, position, &zero_pair);
  g.pose = {.position = {x[0], x[1]}, .angle = finite(t, "angle_deg", 0.) * degree};
  g.motion = read_path(t, "motion", 2);
  g.belt_speed = finite(t, "belt_speed", 0.);
}

PlanarGround read_line(const Table& t, std::size_t number, std::vector<std::string>& taken) {
  t.only({"name", "point", "angle_deg", "motion", "belt_speed"});
  PlanarGround g{.name = read_name(t, "line" + std::to_string(number), taken),
                 .shape = shapes::plane::half_plane()};
  read_place(t, "point", g);
  return g;
}

/// A piece, or those of its grid.
void read_pieces(const Table& t, std::size_t number, std::vector<std::string>& taken,
                 PlanarScene& scene) {
  only_with_shapes(t, {"name", "position", "angle_deg", "motion", "belt_speed", "grid"});
  PlanarGround g{.shape = read_ground_shape(t)};
  read_place(t, "position", g);
  for (const Placement& p : read_grid(t, 2, number, "ground" + std::to_string(number), taken)) {
    PlanarGround one = g;
    one.name = p.name;
    one.pose.position = {g.pose.position.x + p.shift[0], g.pose.position.y + p.shift[1]};
    one.pose.angle = g.pose.angle + p.turn_deg * degree;
    scene.ground.push_back(std::move(one));
  }
}

// --- bodies

/// A body, or those of its grid.
void read_bodies(const Table& t, std::size_t number, std::vector<std::string>& taken,
                 PlanarScene& scene, std::vector<double>& q, std::vector<double>& u) {
  only_with_shapes(t, {"name", "mass", "inertia", "mass_centre", "position", "angle_deg",
                       "velocity", "spin", "drag", "grid"});
  const std::vector<Placement> placements = read_grid(t, 2, number, std::to_string(number), taken);
  PlanarBody b;
  b.mass = t.positive("mass");
  read_body_shape(t, b);
  b.drag = read_drag(t);
  const Pair x = finite_pair(t, "position", nullptr);
  const double angle = finite(t, "angle_deg", 0.) * degree;
  const Pair v = finite_pair(t, "velocity", &zero_pair);
  const double spin = finite(t, "spin", 0.);
  for (const Placement& p : placements) {
    b.name = p.name;
    scene.bodies.push_back(b);
    q.insert(q.end(), {x[0] + p.shift[0], x[1] + p.shift[1], angle + p.turn_deg * degree});
    u.insert(u.end(), {v[0], v[1], spin});
  }
}

/// The largest speed of a piece of the ground, about [m/s].
double speed_of(const PlanarGround& g) {
  const auto size = [](const World3& v) { return std::hypot(v[0], v[1]); };
  const PrescribedPath& p = g.motion;
  double speed = std::abs(g.belt_speed) + size(p.velocity) +
                 2. * std::numbers::pi * std::abs(p.frequency) * size(p.amplitude);
  for (const World3& v : p.velocities) speed = std::max(speed, size(v));
  return speed;
}

/// Without gravity the largest speed at the start gives the reference acceleration, v^2/L.
double acceleration_of(const PlanarScene& scene, const State& start) {
  double speed = 0.;
  double length = 0.;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(3 * i);
    const double reach = scene.bodies[i].shape.bounding_radius;
    speed =
        std::max({speed, std::hypot(start.u(k), start.u(k + 1)), reach * std::abs(start.u(k + 2))});
    length = std::max(length, reach);
  }
  for (const PlanarGround& g : scene.ground) speed = std::max(speed, speed_of(g));
  return speed * speed / length;
}

/// Model, start and drawing. Without gravity a reference acceleration takes its place.
void use(PlacedScene placed, MotionScenario& s) {
  PlanarScene& scene = placed.scene;
  for (const PlanarGround& g : scene.ground) draw_ground(g, s.drawing);
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    draw_body(scene.bodies[i], 3 * i, s.drawing);
  }
  s.start = std::move(placed.state);
  if (scene.gravity == Pair{}) scene.acceleration = acceleration_of(scene, s.start);
  s.model = std::make_unique<PlanarModel>(std::move(scene));
}

}  // namespace

void read_moving_body(const Table& t, const Table& motion, MotionScenario& s) {
  PlacedScene placed = s.system_type == "block"      ? scene_of(read_block(t))
                       : s.system_type == "rod-ends" ? scene_of(read_rod_ends(t))
                                                     : read_scene(t);
  std::string& name = placed.scene.bodies.front().name;
  if (name.empty()) name = s.system_type == "rod-ends" ? "rod" : s.system_type;
  placed.scene.gravity = planar_gravity(motion);
  use(std::move(placed), s);
}

PlacedScene read_planar_scene(const Table& t) {
  t.only({"type", "bodies", "lines", "ground", "floor", "floor_velocity", "floor_motion",
          "floor_belt_speed", "contacts", "tolerance", "frictionless"});
  PlacedScene placed;
  PlanarScene& scene = placed.scene;
  std::vector<std::string> taken;
  read_floor(t, taken, scene);
  if (t.has("lines")) {
    for (const Table& line : t.tables("lines")) {
      scene.ground.push_back(read_line(line, scene.ground.size() + 1, taken));
    }
  }
  if (t.has("ground")) {
    std::size_t number = 0;
    for (const Table& piece : t.tables("ground")) {
      read_pieces(piece, ++number, taken, scene);
    }
  }
  const std::vector<Table> bodies = t.tables("bodies");
  if (bodies.empty()) t.fail("bodies", "must be at least one, got none");
  std::vector<double> q;
  std::vector<double> u;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    read_bodies(bodies[i], i + 1, taken, scene, q, u);
  }
  const auto size = static_cast<Eigen::Index>(q.size());
  placed.state.q = Eigen::Map<const Vector>(q.data(), size);
  placed.state.u = Eigen::Map<const Vector>(u.data(), size);
  return placed;
}

void read_planar_motion(const Table& t, const Table& motion, MotionScenario& s) {
  refuse_of_one_impact(t);
  PlacedScene placed = read_planar_scene(t);
  placed.scene.gravity = planar_gravity(motion);
  use(std::move(placed), s);
}

}  // namespace carom::scenario
