// SPDX-License-Identifier: Apache-2.0
// Bodies in the plane that move.
#include <algorithm>
#include <cmath>
#include <utility>

#include <carom/core/error.hpp>
#include <carom/core/nearest.hpp>
#include <carom/mechanics/planar_bodies.hpp>
#include <carom/mechanics/planar_model.hpp>
#include <carom/scenario/motion/reader.hpp>
#include <carom/scenario/system_reader.hpp>

namespace carom::scenario {
namespace {

using Pair = std::array<double, 2>;

constexpr std::array<std::string_view, 5> shape_names = {"disc", "sphere", "bar", "box", "polygon"};

using shapes::plane::Point;

std::vector<Point> read_corners(const Table& t) {
  const Eigen::MatrixXd m = t.matrix("corners");
  if (m.cols() != 2 || m.rows() < 3) {
    t.fail("corners", "must be at least three pairs [x, y], got " + std::to_string(m.rows()) +
                          " x " + std::to_string(m.cols()));
  }
  std::vector<Point> corners;
  for (Eigen::Index i = 0; i < m.rows(); ++i) corners.push_back({m(i, 0), m(i, 1)});
  return corners;
}

/// Corners about the mass centre: that of a uniform plate, or as given.
void read_polygon(const Table& t, PlanarBody& b) {
  b.shape = shapes::plane::polygon(read_corners(t));
  const shapes::plane::Uniform plate = shapes::plane::uniform(b.shape);
  Point centre = plate.centroid;
  if (t.has("mass_centre")) {
    t.require("inertia", "the inertia about the mass centre, which is not that of a uniform plate");
    const Pair given = t.pair("mass_centre");
    centre = {given[0], given[1]};
  }
  b.shape = shapes::plane::moved(b.shape, -centre);
  b.inertia = b.mass * plate.squared_gyration;
}

void read_outline(const Table& t, PlanarBody& b) {
  t.require("shape", "one of disc, sphere, bar, box, polygon");
  const std::string shape = t.text("shape", "");
  if (std::find(shape_names.begin(), shape_names.end(), shape) == shape_names.end()) {
    t.fail("shape", "unknown shape '" + shape + "'" + did_you_mean(shape, shape_names));
  }
  const bool round = shape == "disc" || shape == "sphere";
  const auto belongs = [&](bool so, std::string_view key) {
    if (!so) t.refuse(key, "means nothing for the shape '" + shape + "'");
  };
  belongs(round, "radius");
  belongs(shape == "bar", "half_length");
  belongs(shape == "box", "length");
  belongs(shape == "box", "width");
  belongs(shape == "polygon", "corners");
  belongs(shape == "polygon", "mass_centre");
  if (round) {
    const double radius = t.positive("radius");
    b.shape = shapes::plane::disc(radius);
    b.inertia =
        (shape == "disc" ? disc_inertia_factor : sphere_inertia_factor) * b.mass * radius * radius;
  } else if (shape == "bar") {
    const double half = t.positive("half_length");
    b.shape = shapes::plane::bar(2. * half);
    b.inertia = b.mass * half * half / 3.;
  } else if (shape == "box") {
    const double l = t.positive("length"), w = t.positive("width");
    b.shape = shapes::plane::box(l, w);
    b.inertia = b.mass * (l * l + w * w) / 12.;
  } else {
    read_polygon(t, b);
  }
  if (t.has("inertia")) b.inertia = t.positive("inertia");
}

void draw(const PlanarBody& b, std::size_t first, Drawing& drawing) {
  const auto k = static_cast<Eigen::Index>(first);
  PlanarOutline outline{.body = b.name, .pose = [k](const State& s) {
                          return PlanarPose{.origin = {s.q(k), s.q(k + 1)}, .angle = s.q(k + 2)};
                        }};
  if (b.shape.vertices.size() > 1) {
    for (const Point& c : b.shape.vertices) outline.corners.push_back({c.x, c.y});
  }
  outline.radius = b.shape.radius;
  drawing.outlines.push_back(std::move(outline));
}

}  // namespace

void read_planar_motion(const Table& t, const Table& motion, MotionScenario& s) {
  t.only({"type", "bodies", "lines", "floor"});
  PlanarScene scene;
  scene.gravity = planar_gravity(motion);
  std::vector<std::string> taken;
  if (t.flag("floor", false)) {
    scene.ground.push_back({.name = "floor", .shape = shapes::plane::half_plane()});
    taken.emplace_back("floor");
    s.drawing.lines.push_back({.name = "floor"});
  }
  if (t.has("lines")) {
    for (const Table& line : t.tables("lines")) {
      line.only({"name", "point", "angle_deg"});
      PlanarGround l{.shape = shapes::plane::half_plane()};
      l.name = read_name(line, "line" + std::to_string(scene.ground.size() + 1), taken);
      const Pair point = line.pair("point", {0., 0.});
      const double angle = finite(line, "angle_deg", 0.);
      l.pose = {.position = {point[0], point[1]}, .angle = angle * degree};
      const Pair along = direction(angle);
      s.drawing.lines.push_back(
          {.name = l.name, .through = point, .normal = {-along[1], along[0]}});
      scene.ground.push_back(std::move(l));
    }
  }
  const std::vector<Table> bodies = t.tables("bodies");
  if (bodies.empty()) t.fail("bodies", "must be at least one, got none");
  const auto size = static_cast<Eigen::Index>(3 * bodies.size());
  s.start.q.resize(size);
  s.start.u.resize(size);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Table& body = bodies[i];
    body.only({"name", "mass", "shape", "inertia", "radius", "half_length", "length", "width",
               "corners", "mass_centre", "position", "angle_deg", "velocity", "spin"});
    PlanarBody b;
    b.name = read_name(body, std::to_string(i + 1), taken);
    b.mass = body.positive("mass");
    read_outline(body, b);
    const Pair x = body.pair("position"), v = body.pair("velocity", {0., 0.});
    const auto k = static_cast<Eigen::Index>(3 * i);
    s.start.q.segment<3>(k) << x[0], x[1], finite(body, "angle_deg", 0.) * degree;
    s.start.u.segment<3>(k) << v[0], v[1], finite(body, "spin", 0.);
    draw(b, 3 * i, s.drawing);
    scene.bodies.push_back(std::move(b));
  }
  // Without gravity the velocities at the start give the reference acceleration, v^2/L.
  if (scene.gravity == Pair{}) {
    double speed = 0.;
    double length = 0.;
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
      const auto k = static_cast<Eigen::Index>(3 * i);
      const double reach = scene.bodies[i].shape.bounding_radius;
      speed = std::max(
          {speed, std::hypot(s.start.u(k), s.start.u(k + 1)), reach * std::abs(s.start.u(k + 2))});
      length = std::max(length, reach);
    }
    scene.acceleration = speed * speed / length;
  }
  s.model = std::make_unique<PlanarModel>(std::move(scene));
}

}  // namespace carom::scenario
