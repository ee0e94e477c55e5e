// SPDX-License-Identifier: Apache-2.0
// Bodies in the plane that move.
#include <algorithm>
#include <cmath>
#include <utility>

#include <carom/core/error.hpp>
#include <carom/core/nearest.hpp>
#include <carom/mechanics/planar_bodies.hpp>
#include <carom/motion/planar_model.hpp>
#include <carom/scenario/motion/reader.hpp>
#include <carom/scenario/system_reader.hpp>

namespace carom::scenario {
namespace {

using Pair = std::array<double, 2>;

constexpr std::array<std::string_view, 5> shapes = {"disc", "sphere", "bar", "box", "polygon"};

/// A uniform plate of unit mass: its mass centre, and its inertia about that.
struct Plate {
  double area = 0.;  ///< > 0 where the corners run counter-clockwise
  Pair centre{};
  double inertia = 0.;
};

// Over the triangles from the first corner, by Steiner's rule.
Plate plate_of(const std::vector<Pair>& corners) {
  Plate p;
  double second = 0.;  // integral of the distance from the first corner, squared
  for (std::size_t i = 1; i + 1 < corners.size(); ++i) {
    const Pair a{corners[i][0] - corners[0][0], corners[i][1] - corners[0][1]};
    const Pair b{corners[i + 1][0] - corners[0][0], corners[i + 1][1] - corners[0][1]};
    const double area = 0.5 * (a[0] * b[1] - a[1] * b[0]);
    p.area += area;
    for (std::size_t k = 0; k < 2; ++k) {
      p.centre[k] += area * (a[k] + b[k]) / 3.;
      second += area * (a[k] * a[k] + a[k] * b[k] + b[k] * b[k]) / 6.;
    }
  }
  if (p.area == 0.) return p;
  for (double& x : p.centre) x /= p.area;
  p.inertia = second / p.area - p.centre[0] * p.centre[0] - p.centre[1] * p.centre[1];
  for (std::size_t k = 0; k < 2; ++k) p.centre[k] += corners[0][k];
  return p;
}

std::vector<Pair> read_corners(const Table& t) {
  const Eigen::MatrixXd m = t.matrix("corners");
  if (m.cols() != 2 || m.rows() < 3) {
    t.fail("corners", "must be at least three pairs [x, y], got " + std::to_string(m.rows()) +
                          " x " + std::to_string(m.cols()));
  }
  std::vector<Pair> corners;
  for (Eigen::Index i = 0; i < m.rows(); ++i) corners.push_back({m(i, 0), m(i, 1)});
  return corners;
}

/// Corners about the mass centre: that of a uniform plate, or as given.
void read_polygon(const Table& t, PlanarBody& b) {
  std::vector<Pair> corners = read_corners(t);
  const Plate plate = plate_of(corners);
  if (!(plate.area > 0.) || !std::isfinite(plate.area)) {
    t.fail("corners", "must run counter-clockwise round an area");
  }
  Pair centre = plate.centre;
  if (t.has("mass_centre")) {
    t.require("inertia", "the inertia about the mass centre, which is not that of a uniform plate");
    centre = t.pair("mass_centre");
  }
  for (Pair& c : corners) c = {c[0] - centre[0], c[1] - centre[1]};
  b.corners = std::move(corners);
  b.inertia = b.mass * plate.inertia;
}

void read_outline(const Table& t, PlanarBody& b) {
  t.require("shape", "one of disc, sphere, bar, box, polygon");
  const std::string shape = t.text("shape", "");
  if (std::find(shapes.begin(), shapes.end(), shape) == shapes.end()) {
    t.fail("shape", "unknown shape '" + shape + "'" + did_you_mean(shape, shapes));
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
    b.radius = t.positive("radius");
    b.inertia = (shape == "disc" ? disc_inertia_factor : sphere_inertia_factor) * b.mass *
                b.radius * b.radius;
  } else if (shape == "bar") {
    const double half = t.positive("half_length");
    b.corners = {{-half, 0.}, {half, 0.}};
    b.inertia = b.mass * half * half / 3.;
  } else if (shape == "box") {
    const double l = t.positive("length"), w = t.positive("width");
    b.corners = {{-l / 2., -w / 2.}, {l / 2., -w / 2.}, {l / 2., w / 2.}, {-l / 2., w / 2.}};
    b.inertia = b.mass * (l * l + w * w) / 12.;
  } else {
    read_polygon(t, b);
  }
  if (t.has("inertia")) b.inertia = t.positive("inertia");
}

/// The largest distance of a point of a body from its mass centre [m].
double reach_of(const PlanarBody& b) {
  double reach = b.radius;
  for (const Pair& c : b.corners) reach = std::max(reach, std::hypot(c[0], c[1]));
  return reach;
}

void draw(const PlanarBody& b, std::size_t first, Drawing& drawing) {
  const auto k = static_cast<Eigen::Index>(first);
  drawing.outlines.push_back(
      {.body = b.name,
       .corners = b.corners,
       .radius = b.radius,
       .pose = [k](const State& s) {
         return PlanarPose{.origin = {s.q(k), s.q(k + 1)}, .angle = s.q(k + 2)};
       }});
}

}  // namespace

void read_planar_motion(const Table& t, const Table& motion, MotionScenario& s) {
  t.only({"type", "bodies", "lines", "floor"});
  PlanarScene scene;
  scene.gravity = planar_gravity(motion);
  std::vector<std::string> taken;
  if (t.flag("floor", false)) {
    scene.lines.push_back({.name = "floor"});
    taken.emplace_back("floor");
    s.drawing.lines.push_back({.name = "floor"});
  }
  if (t.has("lines")) {
    for (const Table& line : t.tables("lines")) {
      line.only({"name", "point", "angle_deg"});
      PlanarLine l;
      l.name = read_name(line, "line" + std::to_string(scene.lines.size() + 1), taken);
      l.point = line.pair("point", l.point);
      const double angle = finite(line, "angle_deg", 0.);
      l.angle = angle * degree;
      const Pair along = direction(angle);
      s.drawing.lines.push_back(
          {.name = l.name, .through = l.point, .normal = {-along[1], along[0]}});
      scene.lines.push_back(std::move(l));
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
      const double reach = reach_of(scene.bodies[i]);
      speed = std::max(
          {speed, std::hypot(s.start.u(k), s.start.u(k + 1)), reach * std::abs(s.start.u(k + 2))});
      length = std::max(length, reach);
    }
    scene.acceleration = speed * speed / length;
  }
  s.model = std::make_unique<PlanarModel>(std::move(scene));
}

}  // namespace carom::scenario
