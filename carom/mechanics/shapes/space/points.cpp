// SPDX-License-Identifier: Apache-2.0
#include <carom/mechanics/shapes/space/points.hpp>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>

#include <carom/core/error.hpp>
#include <carom/mechanics/shapes/space/features.hpp>

namespace carom::shapes::space {
namespace {

/// Angle from an edge or a face below which the edge or face is in contact.
constexpr double lies_flat = 1e-9;

[[noreturn]] void ambiguous(const char* what) {
  throw InputError("contact_offset",
                   std::string("is needed: ") + what + " touches along this normal, not one point");
}

// In body axes, `d` of length 1.

World3 furthest(const Sphere& s, const World3& d) {
  return {s.radius * d[0], s.radius * d[1], s.radius * d[2]};
}

World3 furthest(const Box& s, const World3& d) {
  int across = 0;
  for (const double x : d) across += std::abs(x) <= lies_flat ? 1 : 0;
  if (across == 2) ambiguous("a face of the box");
  if (across == 1) ambiguous("an edge of the box");
  World3 p{};
  for (std::size_t k = 0; k < 3; ++k) {
    p[k] = std::copysign(s.size[k] / 2. - s.rounding, d[k]) + s.rounding * d[k];
  }
  return p;
}

World3 furthest(const Cylinder& s, const World3& d) {
  const double across = std::hypot(d[0], d[1]);
  if (across <= lies_flat) ambiguous("an end face of the cylinder");
  if (std::abs(d[2]) <= lies_flat) ambiguous("a line on the side of the cylinder");
  const double r = s.rounding, R = s.radius - r;
  return {R * d[0] / across + r * d[0], R * d[1] / across + r * d[1],
          std::copysign(s.length / 2. - r, d[2]) + r * d[2]};
}

World3 furthest(const Capsule& s, const World3& d) {
  if (std::abs(d[2]) <= lies_flat) ambiguous("a line on the side of the capsule");
  return {s.radius * d[0], s.radius * d[1], s.radius * d[2] + std::copysign(s.length / 2., d[2])};
}

World3 furthest(const Rod& s, const World3& d) {
  if (std::abs(d[2]) <= lies_flat) ambiguous("the whole rod");
  return {0., 0., std::copysign(s.length / 2., d[2])};
}

World3 furthest(const Disc& s, const World3& d) {
  const double across = std::hypot(d[0], d[1]);
  if (across <= lies_flat) ambiguous("a face of the disc");
  return {s.radius * d[0] / across, s.radius * d[1] / across, 0.};
}

// The mantle has the normal (h, r) / slant in (out, up).
World3 furthest(const Cone& s, const World3& d) {
  const double across = std::hypot(d[0], d[1]);
  if (across <= lies_flat && d[2] < 0.) ambiguous("the base of the cone");
  const double above = (s.height * d[2] - s.radius * across) / std::hypot(s.height, s.radius);
  if (std::abs(above) <= lies_flat) ambiguous("a line on the mantle of the cone");
  if (above > 0.) return {0., 0., 0.75 * s.height};
  return {s.radius * d[0] / across, s.radius * d[1] / across, -0.25 * s.height};
}

World3 furthest(const Polyhedron& s, const World3& d) {
  const Shape shape = shape_of(s);
  const V3 n = vector(d);
  std::size_t best = 0;
  const auto& all = shape.core.vertices;
  for (std::size_t k = 1; k < all.size(); ++k) {
    if (dot(n, all[k]) > dot(n, all[best])) best = k;
  }
  for (const Index e : shape.core.edges_at(best)) {
    if (std::abs(dot(n, shape.core.edges[e].direction)) <= lies_flat) {
      ambiguous("an edge or a face of the polyhedron");
    }
  }
  return world(all[best] + shape.radius * n);
}

World3 furthest(const HalfSpace&, const World3&) {
  throw InputError("contact_offset", "is needed: a half space has no farthest point");
}

constexpr double reach_slack = 1.01;

bool inside(const Sphere& s, const World3& p) { return length(p) <= reach_slack * s.radius; }

/// Whether a point beyond a core by this much lies within a rounding about it.
bool within(double rounding, double x, double y, double z = 0.) {
  const auto beyond = [](double a) { return std::max(a, 0.); };
  return rounding == 0. || std::hypot(beyond(x), beyond(y), beyond(z)) <= reach_slack * rounding;
}

bool inside(const Box& s, const World3& p) {
  World3 beyond{};
  for (std::size_t k = 0; k < 3; ++k) {
    if (!(std::abs(p[k]) <= reach_slack * s.size[k] / 2.)) return false;
    beyond[k] = std::abs(p[k]) - (s.size[k] / 2. - s.rounding);
  }
  return within(s.rounding, beyond[0], beyond[1], beyond[2]);
}

bool inside(const Cylinder& s, const World3& p) {
  const double out = std::hypot(p[0], p[1]), up = std::abs(p[2]);
  return out <= reach_slack * s.radius && up <= reach_slack * s.length / 2. &&
         within(s.rounding, out - (s.radius - s.rounding), up - (s.length / 2. - s.rounding));
}

bool inside(const Capsule& s, const World3& p) {
  const double beyond = std::max(std::abs(p[2]) - s.length / 2., 0.);
  return std::hypot(p[0], p[1], beyond) <= reach_slack * s.radius;
}

bool inside(const Rod& s, const World3& p) {
  return length(p) <= reach_slack * s.length / 2.;  // that it lies on the axis is checked elsewhere
}

bool inside(const Disc& s, const World3& p) {
  return std::hypot(p[0], p[1]) <= reach_slack * s.radius &&
         std::abs(p[2]) <= (reach_slack - 1.) * s.radius;
}

bool inside(const Cone& s, const World3& p) {
  const double spare = reach_slack - 1.;
  const double up = p[2] / s.height;  // from -1/4 to 3/4
  return up >= -0.25 - spare && std::hypot(p[0], p[1]) <= s.radius * (0.75 + spare - up);
}

bool inside(const Polyhedron& s, const World3& p) {
  const Shape shape = shape_of(s);
  const V3 origin{};
  const Shape point{.core = hull_of(std::span(&origin, 1), "point")};
  return distance({.shape = &point, .pose = {.position = vector(p)}}, {.shape = &shape}) <=
         (reach_slack - 1.) * shape.smallest_length;
}

bool inside(const HalfSpace& s, const World3& p) { return dot(s.normal, p) <= 0.; }

World3 in_body(const Mat3& R, const World3& v) {
  World3 local{};
  for (std::size_t k = 0; k < 3; ++k) local[k] = R[0][k] * v[0] + R[1][k] * v[1] + R[2][k] * v[2];
  return local;
}

}  // namespace

World3 furthest_point(const Solid& solid, const Mat3& R, const World3& towards) {
  const World3 local = in_body(R, towards);
  const World3 p = std::visit([&](const auto& s) { return furthest(s, local); }, solid);
  World3 at{};
  for (std::size_t i = 0; i < 3; ++i) {
    at[i] = R[i][0] * p[0] + R[i][1] * p[1] + R[i][2] * p[2];
  }
  return at;
}

bool holds(const Solid& solid, const Mat3& orientation, const World3& point) {
  const World3 local = in_body(orientation, point);
  return std::visit([&](const auto& s) { return inside(s, local); }, solid);
}

}  // namespace carom::shapes::space
