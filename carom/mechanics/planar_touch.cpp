// SPDX-License-Identifier: Apache-2.0
#include <carom/mechanics/planar_touch.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <carom/mechanics/two_bodies.hpp>

namespace carom {
namespace {

using Pair = std::array<double, 2>;

double dot(const Pair& a, const Pair& b) { return a[0] * b[0] + a[1] * b[1]; }
Pair minus(const Pair& a, const Pair& b) { return {a[0] - b[0], a[1] - b[1]}; }
Pair along(const Pair& from, const Pair& d, double s) {
  return {from[0] + s * d[0], from[1] + s * d[1]};
}

/// A rectangle in the world.
struct Rectangle {
  Pair centre{};
  std::array<Pair, 2> axes{};
  Pair half{};  ///< half its lengths along the axes

  [[nodiscard]] Pair local(const Pair& p) const {
    const Pair d = minus(p, centre);
    return {dot(d, axes[0]), dot(d, axes[1])};
  }
  [[nodiscard]] Pair world(const Pair& q) const {
    return along(along(centre, axes[0], q[0]), axes[1], q[1]);
  }
  [[nodiscard]] std::array<Pair, 4> corners() const {
    return {world({-half[0], -half[1]}), world({half[0], -half[1]}), world({half[0], half[1]}),
            world({-half[0], half[1]})};
  }
};

Rectangle rectangle(const PlacedOutline& p) {
  const auto& box = std::get<BoxOutline>(p.outline);
  return {.centre = p.position,
          .axes = {p.direction, Pair{-p.direction[1], p.direction[0]}},
          .half = {0.5 * box.length, 0.5 * box.width}};
}

PlanarTouch flipped(PlanarTouch t) {
  for (PlanarTouchPoint& p : t.points) p.normal = {-p.normal[0], -p.normal[1]};
  return t;
}

PlanarTouch disc_disc(const PlacedOutline& a, const PlacedOutline& b, double tolerance) {
  const double ra = std::get<DiscOutline>(a.outline).radius;
  const double rb = std::get<DiscOutline>(b.outline).radius;
  const Pair d = minus(a.position, b.position);
  const double distance = std::hypot(d[0], d[1]);
  PlanarTouch t{.gap = distance - (ra + rb), .points = {}};
  if (std::abs(t.gap) > tolerance || !(distance > 0.)) return t;
  const Pair normal{d[0] / distance, d[1] / distance};
  t.points.push_back({.point = along(b.position, normal, rb + 0.5 * t.gap), .normal = normal});
  return t;
}

PlanarTouch disc_box(const PlacedOutline& disc, const PlacedOutline& box, double tolerance) {
  const double radius = std::get<DiscOutline>(disc.outline).radius;
  const Rectangle r = rectangle(box);
  const Pair q = r.local(disc.position);
  const Pair nearest{std::clamp(q[0], -r.half[0], r.half[0]),
                     std::clamp(q[1], -r.half[1], r.half[1])};
  const Pair d = minus(q, nearest);
  const double distance = std::hypot(d[0], d[1]);
  if (!(distance > 0.)) {  // the disc's centre is inside
    const double depth = std::min(r.half[0] - std::abs(q[0]), r.half[1] - std::abs(q[1]));
    return {.gap = -depth - radius, .points = {}};
  }
  PlanarTouch t{.gap = distance - radius, .points = {}};
  if (std::abs(t.gap) > tolerance) return t;
  const Pair n{d[0] / distance, d[1] / distance};
  const Pair origin{};
  const Pair normal = along(along(origin, r.axes[0], n[0]), r.axes[1], n[1]);
  t.points.push_back({.point = r.world(nearest), .normal = normal});
  return t;
}

/// The greatest distance of `b` beyond a side of `a`, and the outward normal of that side.
struct Separation {
  double distance = -std::numeric_limits<double>::infinity();
  Pair normal{};
};

Separation separation(const Rectangle& a, const Rectangle& b) {
  Separation best;
  for (std::size_t k = 0; k < 2; ++k) {
    for (const double side : {-1., 1.}) {
      double least = std::numeric_limits<double>::infinity();
      for (const Pair& corner : b.corners()) {
        least = std::min(least, side * a.local(corner)[k] - a.half[k]);
      }
      if (least > best.distance) {
        best = {.distance = least, .normal = {side * a.axes[k][0], side * a.axes[k][1]}};
      }
    }
  }
  return best;
}

/// The corners of `a` that lie on `b`.
void add_corners(const Rectangle& a, const Rectangle& b, double tolerance,
                 std::vector<Pair>& points) {
  for (const Pair& corner : a.corners()) {
    const Pair q = b.local(corner);
    if (std::abs(q[0]) <= b.half[0] + tolerance && std::abs(q[1]) <= b.half[1] + tolerance) {
      points.push_back(corner);
    }
  }
}

/// The first and the last of the points along the tangent of `normal`, or the only one.
std::vector<PlanarTouchPoint> ends(const std::vector<Pair>& points, const Pair& normal,
                                   double tolerance) {
  if (points.empty()) return {};
  const Pair t = tangent_of(normal);
  const auto [first, last] =
      std::minmax_element(points.begin(), points.end(),
                          [&](const Pair& a, const Pair& b) { return dot(a, t) < dot(b, t); });
  std::vector<PlanarTouchPoint> all = {{.point = *first, .normal = normal}};
  if (dot(*last, t) - dot(*first, t) > 2. * tolerance) {
    all.push_back({.point = *last, .normal = normal});
  }
  return all;
}

PlanarTouch box_box(const PlacedOutline& first, const PlacedOutline& second, double tolerance) {
  const Rectangle a = rectangle(first);
  const Rectangle b = rectangle(second);
  const Separation of_a = separation(a, b);
  const Separation of_b = separation(b, a);
  const bool by_b = of_b.distance > of_a.distance;
  PlanarTouch t{.gap = by_b ? of_b.distance : of_a.distance, .points = {}};
  if (std::abs(t.gap) > tolerance) return t;
  const Pair normal = by_b ? of_b.normal : Pair{-of_a.normal[0], -of_a.normal[1]};
  std::vector<Pair> points;
  add_corners(a, b, tolerance, points);
  add_corners(b, a, tolerance, points);
  t.points = ends(points, normal, tolerance);
  return t;
}

}  // namespace

double inertia_of(const Outline& outline, double mass) {
  if (const auto* disc = std::get_if<DiscOutline>(&outline)) {
    return 0.5 * mass * disc->radius * disc->radius;
  }
  const auto& box = std::get<BoxOutline>(outline);
  return mass * (box.length * box.length + box.width * box.width) / 12.;
}

double smallest_length(const Outline& outline) {
  if (const auto* disc = std::get_if<DiscOutline>(&outline)) return 2. * disc->radius;
  const auto& box = std::get<BoxOutline>(outline);
  return box.width > 0. ? std::min(box.length, box.width) : box.length;
}

double reach(const Outline& outline) {
  if (const auto* disc = std::get_if<DiscOutline>(&outline)) return disc->radius;
  const auto& box = std::get<BoxOutline>(outline);
  return 0.5 * std::hypot(box.length, box.width);
}

PlanarTouch touch(const PlacedOutline& first, const PlacedOutline& second, double tolerance) {
  const bool disc1 = std::holds_alternative<DiscOutline>(first.outline);
  const bool disc2 = std::holds_alternative<DiscOutline>(second.outline);
  if (disc1 && disc2) return disc_disc(first, second, tolerance);
  if (disc1) return disc_box(first, second, tolerance);
  if (disc2) return flipped(disc_box(second, first, tolerance));
  return box_box(first, second, tolerance);
}

PlanarTouch touch_floor(const PlacedOutline& body, double tolerance) {
  constexpr Pair up{0., 1.};
  if (const auto* disc = std::get_if<DiscOutline>(&body.outline)) {
    PlanarTouch t{.gap = body.position[1] - disc->radius, .points = {}};
    if (std::abs(t.gap) <= tolerance) {
      t.points.push_back({.point = {body.position[0], 0.}, .normal = up});
    }
    return t;
  }
  PlanarTouch t{.gap = std::numeric_limits<double>::infinity(), .points = {}};
  std::vector<Pair> points;
  for (const Pair& corner : rectangle(body).corners()) {
    t.gap = std::min(t.gap, corner[1]);
    if (std::abs(corner[1]) <= tolerance) points.push_back(corner);
  }
  t.points = ends(points, up, tolerance);
  return t;
}

}  // namespace carom
