// SPDX-License-Identifier: Apache-2.0
// Round solids against half spaces, spheres, capsules and rods.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <carom/mechanics/shapes/space/search.hpp>

namespace carom::shapes::space {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr std::array<std::uint8_t, 2> both_sides{0, 1};

V3 vertex_from(const Placed& X, const Placed& Y, std::size_t i) {
  return (Y.pose.position - X.pose.position) + Y.pose.turn * Y.shape->core.vertices[i];
}

/// Above a band: its height over the band's plane or mantle.
double height_over(const Shape& X, const Band& band, const Meridian<double>& m) {
  const Rim& rim = X.rims[band.from];
  const double out = band.out > 0. ? band.out * (m.rho - rim.radius) : 0.;
  return out + band.up * (m.z - rim.height);
}

/// The signed distance of a point: outside that of the closest point of the profile, inside minus
/// the least depth.
double point_distance(const Shape& X, const Meridian<double>& m) {
  double deepest = -infinite, nearest = infinite;
  for (const Band& band : X.bands) {
    const double h = height_over(X, band, m);
    deepest = std::max(deepest, h);
    const Rim& rim = X.rims[band.from];
    const Along g = along(X, band, band.from);
    const double u =
        std::clamp(g.out * (m.rho - rim.radius) + g.up * (m.z - rim.height), 0., g.length);
    const double out = m.rho - rim.radius - u * g.out, up = m.z - rim.height - u * g.up;
    // A flat end reaches over the axis: rho is never negative, so the clamp is right there too.
    nearest = std::min(nearest, std::sqrt(out * out + up * up));
  }
  return deepest < 0. ? deepest : nearest;
}

/// Whether a segment passes through the inside of the solid: what is left of it between the flat
/// ends and within the mantles, k s^2 + 2 b s + c < 0.
bool pierces(const Shape& X, const Pose& x, const V3& start, const V3& direction, double length) {
  const V3 a = x.turn.axes[2];
  const V3 w = start - x.turn * X.axis_point;
  double from = 0., to = length;
  const double z = dot(w, a), dz = dot(direction, a);
  const V3 aside = w - z * a, d_aside = direction - dz * a;
  for (const Band& band : X.bands) {
    const Rim& rim = X.rims[band.from];
    // Under the plane or mantle: out rho < out R - up (z - h), with the right-hand side e + f s.
    const double e = band.out * rim.radius - band.up * (z - rim.height), f = -band.up * dz;
    const double o2 = band.out * band.out;
    if (band.out > 0.) {
      const double k = o2 * dot(d_aside, d_aside) - f * f;
      const double b = o2 * dot(aside, d_aside) - e * f;
      const double c = o2 * dot(aside, aside) - e * e;
      const double root = b * b - k * c;
      // The quadratic has a mirrored mantle too, above an apex: there e + f s < 0.
      if (k > 0.) {
        if (!(root > 0. && e - f * b / k > 0.)) return false;
        from = std::max(from, (-b - std::sqrt(root)) / k);
        to = std::min(to, (-b + std::sqrt(root)) / k);
      } else if (k < 0.) {  // steeper than the mantle: inside beyond one of the roots
        const double width = std::sqrt(std::max(root, 0.));
        if (f > 0.) {
          from = std::max(from, (-b - width) / k);
        } else {
          to = std::min(to, (-b + width) / k);
        }
      } else if (!(c + 2. * b * from < 0. && e + f * from > 0.) &&
                 !(c + 2. * b * to < 0. && e + f * to > 0.)) {
        return false;
      }
    }
    if (f != 0. && band.out == 0.) {
      (f > 0. ? from : to) = f > 0. ? std::max(from, -e / f) : std::min(to, -e / f);
    } else if (band.out == 0. && !(e > 0.)) {
      return false;
    }
  }
  if (X.rims.size() > 1) return from < to;
  const V3 where = aside + from * d_aside;  // a disc: where its plane is crossed
  return from <= to && dot(where, where) < X.rims[0].radius * X.rims[0].radius;
}

}  // namespace

double round_distance(const Placed& X, const Placed& Y) {
  const Shape& solid = *X.shape;
  const double slack = rounding * size_of(X, Y);  // an edge along a side touches both rims
  double best = infinite;
  if (Y.shape->unbounded()) {
    const auto count = static_cast<Index>(solid.rims.size());
    for (Index k = 0; k < count; ++k) {
      const FeaturePair pair{.kind = PairKind::rim_face, .one = k};
      best = std::min(best, touch(pair, solid, X.pose, *Y.shape, Y.pose).gap);
    }
    return best + solid.radius + Y.shape->radius;
  }
  const Polytope& core = Y.shape->core;
  for (std::size_t i = 0; i < core.vertices.size(); ++i) {
    best = std::min(best, point_distance(solid, meridian(solid, X.pose, vertex_from(X, Y, i))));
  }
  if (core.edges.empty()) return best;
  const double radii = solid.radius + Y.shape->radius;
  const V3 start = vertex_from(X, Y, core.edges[0].ends[0]);
  const bool through =
      pierces(solid, X.pose, start, Y.pose.turn * core.edges[0].direction, core.edges[0].length);
  // Apart: the least of what is in range. Through: the most, over flat ends and sides.
  double most = -infinite;
  for (std::size_t k = 0; k < solid.bands.size(); ++k) {
    FeaturePair pair{.kind = PairKind::edge_band, .two = static_cast<Index>(k)};
    if (!(solid.bands[k].out > 0.)) {
      double low = infinite;
      for (std::size_t i = 0; i < 2; ++i) {
        const auto m = meridian(solid, X.pose, vertex_from(X, Y, i));
        low = std::min(low, height_over(solid, solid.bands[k], m));
      }
      most = std::max(most, low);
      continue;
    }
    for (pair.side = 0; pair.side < 2; ++pair.side) {
      const auto t = touch_edge_band(pair, *Y.shape, Y.pose, solid, X.pose);
      if (t.steep) continue;
      most = std::max(most, t.touch.gap + radii);
      if (margin_of_round(pair, *Y.shape, Y.pose, solid, X.pose) < -slack) continue;
      if (t.touch.gap + radii >= 0.) best = std::min(best, t.touch.gap + radii);
    }
  }
  for (std::size_t k = 0; k < solid.rims.size(); ++k) {
    if (solid.rims[k].radius == 0.) {  // an apex
      const V3 tip = X.pose.turn * (solid.axis_point + V3{0., 0., solid.rims[k].height});
      const V3 d = Y.pose.turn * core.edges[0].direction;
      const V3 w = tip - start;
      const V3 aside = w - std::clamp(dot(w, d), 0., core.edges[0].length) * d;
      best = std::min(best, norm(aside));
      continue;
    }
    FeaturePair pair{.kind = PairKind::edge_rim, .two = static_cast<Index>(k)};
    for (pair.side = 0; pair.side < 2; ++pair.side) {
      if (margin_of_round(pair, *Y.shape, Y.pose, solid, X.pose) < -slack) continue;
      best = std::min(best, touch(pair, *Y.shape, Y.pose, solid, X.pose).gap + radii);
    }
  }
  return through ? std::min(most, 0.) : best;
}

void collect_round(const Placed& X, const Placed& Y, bool exchanged, const Collector& c) {
  const Shape& solid = *X.shape;
  if (Y.shape->unbounded()) {
    const V3 n = Y.pose.turn * Y.shape->core.faces[0].normal;
    const bool flat = norm(cross(n, X.pose.turn.axes[2])) <= flat_tilt;
    const auto fixed = [&](std::size_t v) {
      c.add({.kind = PairKind::vertex_face, .one = static_cast<Index>(v)}, exchanged);
    };
    for (std::size_t k = 0; k < solid.rims.size() && !flat; ++k) {
      if (solid.rims[k].radius == 0.) {
        fixed(solid.core.vertices.size() - 1);
        continue;
      }
      c.add({.kind = PairKind::rim_face, .one = static_cast<Index>(k)}, exchanged);
    }
    for (std::size_t v = 0; v < solid.core.vertices.size() && flat; ++v) fixed(v);
    return;
  }
  const Polytope& core = Y.shape->core;
  const double least = solid.radius + Y.shape->radius > 0. ? 0. : c.slack;
  // What is in range; a vertex or edge beneath a band is nearer to another part, up to that.
  const double distance = round_distance(X, Y);
  const double lowest = std::min(distance, 0.) - c.beyond;
  const double radii = solid.radius + Y.shape->radius;
  const bool near = c.beyond > c.slack && distance <= c.reach + radii;
  const auto add = [&](FeaturePair pair) {
    if (near && (pair.kind == PairKind::edge_band || pair.kind == PairKind::edge_rim)) {
      pair.exchanged = !exchanged;  // an edge almost along a side may soon touch it anywhere
      c.add_anyway(pair);
      return;
    }
    if (margin_of_round(pair, *Y.shape, Y.pose, solid, X.pose) < -c.beyond) return;
    const double height = touch(pair, *Y.shape, Y.pose, solid, X.pose).gap + radii;
    const bool needs_distance =
        pair.kind == PairKind::vertex_rim || pair.kind == PairKind::edge_rim;
    if (height < lowest || (needs_distance && height <= least)) return;
    c.add(pair, !exchanged);
  };
  const auto vertices = static_cast<Index>(core.vertices.size());
  const auto bands = static_cast<Index>(solid.bands.size());
  const auto rims = static_cast<Index>(solid.rims.size());
  for (Index k = 0; k < bands; ++k) {
    for (Index i = 0; i < vertices; ++i) {
      add({.kind = PairKind::vertex_band, .one = i, .two = k});
    }
    if (core.edges.empty() || !(solid.bands[k].out > 0.)) continue;
    for (const std::uint8_t side : both_sides) {
      add({.kind = PairKind::edge_band, .side = side, .two = k});
    }
  }
  for (Index k = 0; k < rims; ++k) {
    for (Index i = 0; i < vertices; ++i) add({.kind = PairKind::vertex_rim, .one = i, .two = k});
    if (core.edges.empty() || solid.rims[k].radius == 0.) continue;
    for (const std::uint8_t side : both_sides) {
      add({.kind = PairKind::edge_rim, .side = side, .two = k});
    }
  }
  // The axis of a capsule over an apex: a vertex of the polytope, and of the solid.
  if (!core.edges.empty() && solid.rims.back().radius == 0.) {
    const FeaturePair pair{.kind = PairKind::vertex_edge,
                           .one = static_cast<Index>(solid.core.vertices.size() - 1)};
    const double height = touch_cores(pair, solid, X.pose, *Y.shape, Y.pose).gap + radii;
    if (height > least && margin_of_cores(pair, solid, X.pose, *Y.shape, Y.pose, {}) >= -c.beyond) {
      c.add(pair, exchanged);
    }
  }
}

}  // namespace carom::shapes::space
