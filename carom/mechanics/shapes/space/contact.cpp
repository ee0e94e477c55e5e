// SPDX-License-Identifier: Apache-2.0
#include <carom/mechanics/shapes/space/contact.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom::shapes::space {
namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();

Vector<Rate> with_rate(const V3& value, const V3& rate) {
  return {{value.x, rate.x}, {value.y, rate.y}, {value.z, rate.z}};
}

BasicPose<Rate> moving(const MovingBody& b) {
  BasicPose<Rate> pose;
  pose.position = with_rate(b.pose.position, b.velocity);
  for (std::size_t k = 0; k < 3; ++k) {
    pose.turn.axes[k] = with_rate(b.pose.turn.axes[k], cross(b.spin, b.pose.turn.axes[k]));
  }
  return pose;
}

Vector<Rate> constant(const V3& v) { return {v.x, v.y, v.z}; }

std::array<double, 6> row(const V3& direction, const V3& arm) {
  const V3 turn = cross(arm, direction);
  return {direction.x, direction.y, direction.z, turn.x, turn.y, turn.z};
}

/// Of a vertex of X, from the edges there: how far before its own ends each is closest to a point
/// at `apart` from the vertex, in world axes.
double before_edges(const Shape& X, const Pose& x, std::size_t vertex, const V3& apart) {
  double least = unlimited;
  const V3 local = x.turn.back(apart);
  for (const Index e : X.core.edges_at(vertex)) {
    least = std::min(least, -dot(X.core.leaving(vertex, X.core.edges[e]), local));
  }
  return least;
}

double inside(double s, double length) { return std::min(s, length - s); }

/// The margin of a point at (out, up) from a rim, in the half plane: how far outside both bands.
double beyond_bands(const Shape& Y, std::size_t rim, double out, double up) {
  double least = unlimited;
  for (const Band& band : Y.bands) {
    if (band.from != rim && band.to != rim) continue;
    const Along g = along(Y, band, rim);
    least = std::min(least, -(g.out * out + g.up * up));
  }
  return least;
}

/// The same of an apex, which capsules touch with its round mantle beside it.
double before_mantle(const Shape& X, const Pose& x, const V3& apart) {
  const V3 local = x.turn.back(apart);
  const double out = std::sqrt(local.x * local.x + local.y * local.y);
  return beyond_bands(X, X.rims.size() - 1, out, local.z);
}

}  // namespace

// With a scalar that carries rates, velocity e.(v1 + w1 x r1 - v2 - w2 x r2) with constant v, w has
// the rate (d/dt W^T) u.
ContactRates contact_rates(const FeaturePair& pair, const Shape& first, const MovingBody& a,
                           const Shape& second, const MovingBody& b) {
  const auto g = contact_geometry(pair, first, moving(a), second, moving(b));
  const Vector<Rate> relative = constant(a.velocity) + cross(constant(a.spin), g.arm1) -
                                (constant(b.velocity) + cross(constant(b.spin), g.arm2));
  ContactRates r;
  r.gap = g.gap.value;
  r.gap_rate = g.gap.rate;
  r.geometry = {.gap = g.gap.value,
                .normal = value_of(g.normal),
                .tangent1 = value_of(g.tangent1),
                .tangent2 = value_of(g.tangent2),
                .arm1 = value_of(g.arm1),
                .arm2 = value_of(g.arm2)};
  const std::array directions{&g.normal, &g.tangent1, &g.tangent2};
  for (std::size_t k = 0; k < 3; ++k) {
    const V3 e = value_of(*directions[k]);
    r.W1[k] = row(e, r.geometry.arm1);
    r.W2[k] = row(-e, r.geometry.arm2);
    const Rate v = dot(*directions[k], relative);
    r.velocity[k] = v.value;
    r.bias[k] = v.rate;
  }
  return r;
}

double margin_of_cores(const FeaturePair& pair, const Shape& X, const Pose& x, const Shape& Y,
                       const Pose& y, const Allowance& allowance) {
  if (pair.kind == PairKind::edge_edge || pair.kind == PairKind::flat_edges) {
    const Edge& a = X.core.edges[pair.one];
    const Edge& b = Y.core.edges[pair.two];
    const V3 da = x.turn * a.direction, db = y.turn * b.direction;
    const V3 w = (x.position - y.position) +
                 (x.turn * X.core.vertices[a.ends[0]] - y.turn * Y.core.vertices[b.ends[0]]);
    V3 n = cross(da, db);
    const double sine = norm(n);
    double rest = unlimited;
    if (pair.kind == PairKind::edge_edge) {
      if (!(sine > parallel)) return -unlimited;
      n = ((pair.side & 1) != 0 ? -1. / sine : 1. / sine) * n;
      // Where the edges turn through parallel n changes sign, and with it the side.
      const V3 nx = x.turn.back(n), ny = y.turn.back(n);
      const double least = std::min(
          {dot(nx, a.into[0]), dot(nx, a.into[1]), -dot(ny, b.into[0]), -dot(ny, b.into[1])});
      rest = (flat_angle / sine + allowance.turn + least) * std::min(a.length, b.length);
      if (X.radius + Y.radius > 0.) rest = std::min(rest, dot(n, w));
    } else {
      const V3 of_x = x.turn * X.core.faces[a.faces[(pair.side >> 1) & 1]].normal;
      const V3 of_y = y.turn * Y.core.faces[b.faces[(pair.side >> 2) & 1]].normal;
      n = of_y - of_x;
      rest = (flat_angle - norm(cross(of_x, of_y))) * std::min(a.length, b.length);
    }
    const Crossing<double> at = crossing(w, da, db, n);
    return std::min({inside(at.s, a.length), inside(at.u, b.length), rest});
  }
  const V3 p = (x.position - y.position) + x.turn * X.core.vertices[pair.one];
  const V3 local = y.turn.back(p);  // the vertex in the axes of Y
  double least = unlimited;
  if (pair.kind == PairKind::vertex_face) {
    const Face& face = Y.core.faces[pair.two];
    for (const Corner& c : Y.core.corners(face)) {
      least = std::min(least, dot(c.inward, local - Y.core.vertices[c.vertex]));
    }
    if (dot(face.normal, local) < face.offset) {  // beneath, perhaps beyond another face
      for (const Face& other : Y.core.faces) {
        if (&other == &face) continue;
        least = std::min(least, allowance.sunk + other.offset - dot(other.normal, local));
      }
    }
    return least;
  }
  if (pair.kind == PairKind::vertex_edge) {
    const Edge& e = Y.core.edges[pair.two];
    const V3 w = local - Y.core.vertices[e.ends[0]];
    const double s = dot(w, e.direction);
    least = inside(s, e.length);
    if (!Y.core.faces.empty()) {
      for (const V3& into : e.into) least = std::min(least, -dot(into, w));
    }
    const V3 apart = -(y.turn * (w - s * e.direction));
    const bool is_apex = X.round() && Y.core.faces.empty();
    return std::min(least,
                    is_apex ? before_mantle(X, x, apart) : before_edges(X, x, pair.one, apart));
  }
  const V3 w = local - Y.core.vertices[pair.two];
  for (const Index e : Y.core.edges_at(pair.two)) {
    least = std::min(least, -dot(Y.core.leaving(pair.two, Y.core.edges[e]), w));
  }
  return std::min(least, before_edges(X, x, pair.one, -(y.turn * w)));
}

double margin_of_round(const FeaturePair& pair, const Shape& X, const Pose& x, const Shape& Y,
                       const Pose& y) {
  if (pair.kind == PairKind::rim_face) {
    const V3 n = y.turn * Y.core.faces[pair.two].normal;
    return (norm(cross(n, x.turn.axes[2])) - flat_tilt) * X.rims[pair.one].radius;
  }
  if (pair.kind == PairKind::edge_band) {
    const SideTouch<double> t = touch_edge_band(pair, X, x, Y, y);
    if (t.steep) return -unlimited;
    const Band& band = Y.bands[pair.two];
    // With radii the cores are apart; along the opposite side of the solid they are not.
    const double radii = X.radius + Y.radius;
    return std::min({inside(t.s, X.core.edges[pair.one].length),
                     inside(t.u, along(Y, band, band.from).length),
                     radii > 0. ? t.touch.gap + radii : unlimited});
  }
  if (pair.kind == PairKind::edge_rim) {
    const RimTouch<double> t = touch_edge_rim(pair, X, x, Y, y);
    return std::min({inside(t.s, X.core.edges[pair.one].length),
                     beyond_bands(Y, pair.two, t.out, t.up), t.own});
  }
  const V3 p = (x.position - y.position) + x.turn * X.core.vertices[pair.one];
  const Meridian<double> m = meridian(Y, y, p);
  if (pair.kind == PairKind::vertex_rim) {
    const Rim& rim = Y.rims[pair.two];
    const double out = m.rho - rim.radius, up = m.z - rim.height;
    return std::min(beyond_bands(Y, pair.two, out, up),
                    before_edges(X, x, pair.one, -(out * m.out + up * m.axis)));
  }
  const Band& band = Y.bands[pair.two];
  const Rim& rim = Y.rims[band.from];
  const Along g = along(Y, band, band.from);
  const double u = g.out * (m.rho - rim.radius) + g.up * (m.z - rim.height);
  // A flat end has no edge at the axis. On a curved side a vertex is closest only where its edges
  // rise from it; on a flat one the other end of such an edge sinks as well.
  double least = band.from == band.to ? u : inside(u, g.length);
  if (band.out > 0.) {
    const double height = band.out * (m.rho - rim.radius) + band.up * (m.z - rim.height);
    const V3 normal = band.out * m.out + band.up * m.axis;
    least = std::min(least, before_edges(X, x, pair.one, -std::abs(height) * normal));
  }
  const auto height = [&](const Band& over) {
    const Rim& r = Y.rims[over.from];
    return (over.out > 0. ? over.out * (m.rho - r.radius) : 0.) + over.up * (m.z - r.height);
  };
  if (height(band) < 0.) {  // beneath, perhaps beyond another band
    for (const Band& other : Y.bands) {
      if (&other != &band) least = std::min(least, -height(other));
    }
  }
  return least;
}

double margin(const FeaturePair& pair, const Shape& first, const Pose& first_pose,
              const Shape& second, const Pose& second_pose, const Allowance& allowance) {
  const Shape& X = pair.exchanged ? second : first;
  const Shape& Y = pair.exchanged ? first : second;
  const Pose& x = pair.exchanged ? second_pose : first_pose;
  const Pose& y = pair.exchanged ? first_pose : second_pose;
  return pair.kind >= PairKind::rim_face ? margin_of_round(pair, X, x, Y, y)
                                         : margin_of_cores(pair, X, x, Y, y, allowance);
}

}  // namespace carom::shapes::space
