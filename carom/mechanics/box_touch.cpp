// SPDX-License-Identifier: Apache-2.0
// Contact of two boxes: the direction of greatest separation by the separating-axis test, and the
// shared region perpendicular to it by clipping.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <carom/mechanics/spatial_touch.hpp>

namespace carom {
namespace {

World3 minus(const World3& a, const World3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
World3 times(const World3& a, double s) { return {s * a[0], s * a[1], s * a[2]}; }
World3 along(const World3& from, const World3& d, double s) {
  return {from[0] + s * d[0], from[1] + s * d[1], from[2] + s * d[2]};
}

struct Cuboid {
  World3 centre{};
  std::array<World3, 3> axes{};  ///< unit vectors in the world
  World3 half{};                 ///< half its lengths along them

  /// Its extent from the centre along a unit vector.
  [[nodiscard]] double extent(const World3& d) const {
    double e = 0.;
    for (std::size_t k = 0; k < 3; ++k) e += half[k] * std::abs(dot(axes[k], d));
    return e;
  }
};

Cuboid cuboid(const PlacedShape& s) {
  Cuboid c;
  c.centre = s.position;
  for (std::size_t k = 0; k < 3; ++k) {
    c.axes[k] = {s.orientation[0][k], s.orientation[1][k], s.orientation[2][k]};
    c.half[k] = 0.5 * std::get<shapes::space::Box>(s.shape).size[k];
  }
  return c;
}

/// A direction from the first box to the second, and the gap between them along it.
struct Axis {
  double gap = -std::numeric_limits<double>::infinity();
  World3 direction{};
  std::size_t first = 0;   ///< axis of the first box that it belongs to
  std::size_t second = 0;  ///< of the second
};

Axis axis_along(const Cuboid& a, const Cuboid& b, const World3& d) {
  const World3 between = minus(b.centre, a.centre);
  const double projected = dot(between, d);
  return {.gap = std::abs(projected) - (a.extent(d) + b.extent(d)),
          .direction = projected < 0. ? times(d, -1.) : d};
}

/// Of the faces of `owner`, the one with the greatest separation.
Axis best_face(const Cuboid& owner, const Cuboid& a, const Cuboid& b) {
  Axis best;
  for (std::size_t k = 0; k < 3; ++k) {
    Axis axis = axis_along(a, b, owner.axes[k]);
    axis.first = k;
    if (axis.gap > best.gap) best = axis;
  }
  return best;
}

/// The same for the cross products of edges.
Axis best_edges(const Cuboid& a, const Cuboid& b) {
  constexpr double parallel = 1e-6;  // parallel edges are covered by face normals
  Axis best;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      const World3 d = cross(a.axes[i], b.axes[j]);
      const double size = length(d);
      if (size <= parallel) continue;
      Axis axis = axis_along(a, b, times(d, 1. / size));
      axis.first = i;
      axis.second = j;
      if (axis.gap > best.gap) best = axis;
    }
  }
  return best;
}

/// The corners, in order, of the face of a box that points most along `d`.
std::vector<World3> face_towards(const Cuboid& c, const World3& d) {
  std::size_t k = 0;
  for (std::size_t i = 1; i < 3; ++i) {
    if (std::abs(dot(c.axes[i], d)) > std::abs(dot(c.axes[k], d))) k = i;
  }
  const World3 middle = along(c.centre, c.axes[k], std::copysign(c.half[k], dot(c.axes[k], d)));
  const std::size_t u = (k + 1) % 3;
  const std::size_t v = (k + 2) % 3;
  std::vector<World3> corners;
  for (const auto& [su, sv] : {std::pair{-1., -1.}, {1., -1.}, {1., 1.}, {-1., 1.}}) {
    corners.push_back(along(along(middle, c.axes[u], su * c.half[u]), c.axes[v], sv * c.half[v]));
  }
  return corners;
}

/// The part of a polygon where n.x <= most.
std::vector<World3> clipped(const std::vector<World3>& polygon, const World3& n, double most) {
  std::vector<World3> kept;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const World3& p = polygon[i];
    const World3& q = polygon[(i + 1) % polygon.size()];
    const double beyond_p = dot(n, p) - most;
    const double beyond_q = dot(n, q) - most;
    if (beyond_p <= 0.) kept.push_back(p);
    if ((beyond_p < 0. && beyond_q > 0.) || (beyond_p > 0. && beyond_q < 0.)) {
      kept.push_back(along(p, minus(q, p), beyond_p / (beyond_p - beyond_q)));
    }
  }
  return kept;
}

/// The region that a face of `owner`, seen along its outward normal, shares with `other`.
/// @param k  axis of the face
std::vector<World3> shared_region(const Cuboid& owner, std::size_t k, const World3& outward,
                                  const Cuboid& other, double tolerance) {
  std::vector<World3> polygon = face_towards(other, times(outward, -1.));
  for (std::size_t i = 1; i < 3; ++i) {
    const World3& side = owner.axes[(k + i) % 3];
    const double half = owner.half[(k + i) % 3] + tolerance;
    const double middle = dot(side, owner.centre);
    polygon = clipped(polygon, side, middle + half);
    polygon = clipped(polygon, times(side, -1.), half - middle);
  }
  const double plane = dot(outward, owner.centre) + owner.half[k];
  std::vector<World3> points;
  for (const World3& p : polygon) {
    const double height = dot(outward, p) - plane;
    if (std::abs(height) > tolerance) continue;
    const World3 point = along(p, outward, -0.5 * height);
    const bool known = std::any_of(points.begin(), points.end(), [&](const World3& q) {
      return length(minus(point, q)) <= 3. * tolerance;
    });
    if (!known) points.push_back(point);
  }
  return points;
}

/// The middle of the edge along axis k that is farthest along `d`.
World3 edge_towards(const Cuboid& c, std::size_t k, const World3& d) {
  World3 p = c.centre;
  for (std::size_t i = 0; i < 3; ++i) {
    if (i != k) p = along(p, c.axes[i], std::copysign(c.half[i], dot(c.axes[i], d)));
  }
  return p;
}

/// The point where two crossed edges are nearest.
World3 crossing(const Cuboid& a, const Cuboid& b, const Axis& axis) {
  const World3 p = edge_towards(a, axis.first, axis.direction);
  const World3 q = edge_towards(b, axis.second, times(axis.direction, -1.));
  const World3& u = a.axes[axis.first];
  const World3& v = b.axes[axis.second];
  const World3 between = minus(q, p);
  const double uv = dot(u, v);
  const double sine2 = 1. - uv * uv;
  const double s = (dot(between, u) - uv * dot(between, v)) / sine2;
  const double t = (uv * dot(between, u) - dot(between, v)) / sine2;
  const World3 on_a = along(p, u, s);
  return along(on_a, minus(along(q, v, t), on_a), 0.5);
}

}  // namespace

SpatialTouch touch_boxes(const PlacedShape& first, const PlacedShape& second, double tolerance) {
  const Cuboid a = cuboid(first);
  const Cuboid b = cuboid(second);
  const Axis of_a = best_face(a, a, b);
  const Axis of_b = best_face(b, a, b);
  const bool by_b = of_b.gap > of_a.gap;
  const Axis& face = by_b ? of_b : of_a;
  const Axis edges = best_edges(a, b);
  const bool by_edges = edges.gap > face.gap + tolerance;
  const Axis& best = by_edges ? edges : face;
  SpatialTouch t{.gap = best.gap, .points = {}};
  if (std::abs(t.gap) > tolerance) return t;
  const World3 normal = times(best.direction, -1.);
  if (by_edges) {
    t.points.push_back({.point = crossing(a, b, best), .normal = normal});
    return t;
  }
  const auto region = by_b ? shared_region(b, face.first, normal, a, tolerance)
                           : shared_region(a, face.first, best.direction, b, tolerance);
  for (const World3& point : region) t.points.push_back({.point = point, .normal = normal});
  return t;
}

}  // namespace carom
