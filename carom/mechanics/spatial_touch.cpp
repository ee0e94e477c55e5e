// SPDX-License-Identifier: Apache-2.0
#include <carom/mechanics/spatial_touch.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom {
namespace {

using shapes::space::Box;
using shapes::space::Solid;
using shapes::space::Sphere;

World3 minus(const World3& a, const World3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
World3 along(const World3& from, const World3& d, double s) {
  return {from[0] + s * d[0], from[1] + s * d[1], from[2] + s * d[2]};
}

World3 in_world(const Mat3& R, const World3& v) {
  return {dot(R[0], v), dot(R[1], v), dot(R[2], v)};
}

World3 in_body(const Mat3& R, const World3& v) {
  World3 local{};
  for (std::size_t k = 0; k < 3; ++k) local[k] = R[0][k] * v[0] + R[1][k] * v[1] + R[2][k] * v[2];
  return local;
}

const Sphere* sphere(const PlacedShape& s) { return std::get_if<Sphere>(&s.shape); }

SpatialTouch flipped(SpatialTouch t) {
  for (SpatialTouchPoint& p : t.points) {
    p.normal = {-p.normal[0], -p.normal[1], -p.normal[2]};
  }
  return t;
}

SpatialTouch spheres(const PlacedShape& a, const PlacedShape& b, double tolerance) {
  const double ra = sphere(a)->radius;
  const double rb = sphere(b)->radius;
  const World3 d = minus(a.position, b.position);
  const double distance = length(d);
  SpatialTouch t{.gap = distance - (ra + rb), .points = {}};
  if (std::abs(t.gap) > tolerance || !(distance > 0.)) return t;
  const World3 normal{d[0] / distance, d[1] / distance, d[2] / distance};
  t.points.push_back({.point = along(b.position, normal, rb + 0.5 * t.gap), .normal = normal});
  return t;
}

SpatialTouch sphere_and_box(const PlacedShape& ball, const PlacedShape& box, double tolerance) {
  const double radius = sphere(ball)->radius;
  const World3& size = std::get<Box>(box.shape).size;
  const World3 q = in_body(box.orientation, minus(ball.position, box.position));
  World3 nearest{};
  double depth =
      std::numeric_limits<double>::infinity();  // of the centre below the surface, if it is inside
  for (std::size_t k = 0; k < 3; ++k) {
    nearest[k] = std::clamp(q[k], -0.5 * size[k], 0.5 * size[k]);
    depth = std::min(depth, 0.5 * size[k] - std::abs(q[k]));
  }
  const World3 d = minus(q, nearest);
  const double distance = length(d);
  if (!(distance > 0.)) return {.gap = -depth - radius, .points = {}};
  SpatialTouch t{.gap = distance - radius, .points = {}};
  if (std::abs(t.gap) > tolerance) return t;
  const World3 n{d[0] / distance, d[1] / distance, d[2] / distance};
  t.points.push_back({.point = along(box.position, in_world(box.orientation, nearest), 1.),
                      .normal = in_world(box.orientation, n)});
  return t;
}

}  // namespace

bool can_be_found(const Solid& shape) {
  const auto* box = std::get_if<Box>(&shape);
  return std::holds_alternative<Sphere>(shape) || (box != nullptr && box->rounding == 0.);
}

double smallest_length(const Solid& shape) {
  if (const auto* s = std::get_if<Sphere>(&shape)) return 2. * s->radius;
  const World3& size = std::get<Box>(shape).size;
  return *std::min_element(size.begin(), size.end());
}

double reach(const Solid& shape) {
  if (const auto* s = std::get_if<Sphere>(&shape)) return s->radius;
  return 0.5 * length(std::get<Box>(shape).size);
}

SpatialTouch touch(const PlacedShape& first, const PlacedShape& second, double tolerance) {
  const bool sphere1 = sphere(first) != nullptr;
  const bool sphere2 = sphere(second) != nullptr;
  if (sphere1 && sphere2) return spheres(first, second, tolerance);
  if (sphere1) return sphere_and_box(first, second, tolerance);
  if (sphere2) return flipped(sphere_and_box(second, first, tolerance));
  return touch_boxes(first, second, tolerance);
}

SpatialTouch touch_floor(const PlacedShape& body, double tolerance) {
  constexpr World3 up{0., 0., 1.};
  if (const Sphere* s = sphere(body)) {
    SpatialTouch t{.gap = body.position[2] - s->radius, .points = {}};
    if (std::abs(t.gap) <= tolerance) {
      t.points.push_back({.point = {body.position[0], body.position[1], 0.}, .normal = up});
    }
    return t;
  }
  const World3& size = std::get<Box>(body.shape).size;
  SpatialTouch t{.gap = std::numeric_limits<double>::infinity(), .points = {}};
  // The corners of the lower face of the body, then of the upper.
  constexpr double x[4] = {-0.5, 0.5, 0.5, -0.5};
  constexpr double y[4] = {-0.5, -0.5, 0.5, 0.5};
  for (const double z : {-0.5, 0.5}) {
    for (std::size_t k = 0; k < 4; ++k) {
      const World3 local{x[k] * size[0], y[k] * size[1], z * size[2]};
      World3 corner = along(body.position, in_world(body.orientation, local), 1.);
      t.gap = std::min(t.gap, corner[2]);
      if (std::abs(corner[2]) > tolerance) continue;
      t.points.push_back({.point = corner, .normal = up});
    }
  }
  return t;
}

}  // namespace carom
