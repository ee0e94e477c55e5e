// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include <carom/mechanics/shapes/space/touch.hpp>

/// Where a round solid touches: a rim on a half space, and the cores of spheres and capsules on
/// rims, sides and flat ends. With the axis a and, of a point, the height z along it and the
/// distance rho from it, everything but an edge is a problem in the half plane (rho, z).
namespace carom::shapes::space {

/// A circle whose plane includes less than this with a half space lies flat on it [rad]: the lowest
/// point is then undetermined, and the points fixed to the rim carry it. The lowest of n such
/// points is then at most (1 - cos(pi/n)) flat_tilt radii higher than the circle.
inline constexpr double flat_tilt = 1e-8;

/// A point in the half plane of a round solid.
template <class S>
struct Meridian {
  Vector<S> axis{};
  Vector<S> origin{};  ///< the point of the axis at height 0, from the mass centre
  Vector<S> out{};     ///< unit vector away from the axis; any where the point lies on it
  S rho{};
  S z{};
};

/// @param p  from the mass centre of the round solid, in world axes
template <class S>
[[nodiscard]] Meridian<S> meridian(const Shape& Y, const BasicPose<S>& y, const Vector<S>& p) {
  Meridian<S> m;
  m.axis = y.turn.axes[2];
  m.origin = y.turn * Y.axis_point;
  const Vector<S> w = p - m.origin;
  m.z = dot(w, m.axis);
  const Vector<S> aside = w - m.z * m.axis;
  m.rho = norm(aside);
  m.out = value_of(m.rho) > 0. ? (S(1.) / m.rho) * aside : y.turn.axes[0];
  return m;
}

/// The unit vector in the half plane along a band, away from a rim of it.
struct Along {
  double out = 0.;
  double up = 0.;
  double length = 0.;
};
[[nodiscard]] inline Along along(const Shape& Y, const Band& band, std::size_t from) {
  const Rim& r = Y.rims[from];
  if (band.from == band.to) return {.out = -1., .up = 0., .length = r.radius};
  const Rim& to = Y.rims[band.from == from ? band.to : band.from];
  const double dr = to.radius - r.radius, dz = to.height - r.height;
  const double length = std::sqrt(dr * dr + dz * dz);
  return {.out = dr / length, .up = dz / length, .length = length};
}

// The lowest point of a circle with axis a: in the direction a x (a x n), computed as this product
// so that it is across the axis to rounding even where the circle almost lies flat.
template <class S>
[[nodiscard]] Touch<S> touch_rim_face(const FeaturePair& pair, const Shape& X,
                                      const BasicPose<S>& x, const Shape& Y,
                                      const BasicPose<S>& y) {
  const Rim& rim = X.rims[pair.one];
  const Face& face = Y.core.faces[pair.two];
  Touch<S> t;
  t.normal = y.turn * face.normal;
  t.tangent = y.turn * face.tangent;
  const Vector<S>& a = x.turn.axes[2];
  const Vector<S> level = cross(a, t.normal);
  const S tilt = norm(level);
  const Vector<S> direction =
      value_of(tilt) > 0. ? (S(1.) / tilt) * cross(a, level) : x.turn.axes[0];
  const Vector<S> p = x.turn * X.axis_point + S(rim.height) * a + S(rim.radius) * direction;
  const Vector<S> from_y = (x.position - y.position) + p;
  const S height = dot(t.normal, from_y) - S(face.offset);
  t.gap = height - S(X.radius + Y.radius);
  t.arm_one = p - S(X.radius) * t.normal;
  t.arm_two = from_y - (height - S(Y.radius)) * t.normal;
  return t;
}

template <class S>
[[nodiscard]] Touch<S> touch_vertex_round(const FeaturePair& pair, const Shape& X,
                                          const BasicPose<S>& x, const Shape& Y,
                                          const BasicPose<S>& y) {
  const Vector<S> v = x.turn * X.core.vertices[pair.one];
  const Vector<S> from_y = (x.position - y.position) + v;
  const Meridian<S> m = meridian(Y, y, from_y);
  const Vector<S> around = cross(m.axis, m.out);
  Touch<S> t;
  if (pair.kind == PairKind::vertex_rim) {
    const Rim& rim = Y.rims[pair.two];
    const Vector<S> q = m.origin + S(rim.height) * m.axis + S(rim.radius) * m.out;
    t = between_points(v, q, from_y - q, X.radius, Y.radius);
    t.tangent = rim.radius > 0. ? around : moving_tangent(t.normal);
    return t;
  }
  const Band& band = Y.bands[pair.two];
  const Rim& rim = Y.rims[band.from];
  S height = S(band.up) * (m.z - S(rim.height));
  t.normal = S(band.up) * m.axis;
  t.tangent = y.turn.axes[0];
  if (band.out > 0.) {
    height = height + S(band.out) * (m.rho - S(rim.radius));
    t.normal = t.normal + S(band.out) * m.out;
    t.tangent = around;
  }
  t.gap = height - S(X.radius + Y.radius);
  t.arm_one = v - S(X.radius) * t.normal;
  t.arm_two = from_y - (height - S(Y.radius)) * t.normal;
  return t;
}

/// An edge seen from a round solid.
template <class S>
struct Line {
  Vector<S> p{};  ///< its start, from the mass centre of its own body
  Vector<S> w{};  ///< its start, from `Meridian::origin`
  Vector<S> d{};
};

template <class S>
[[nodiscard]] Line<S> line_of(Index edge, const Shape& X, const BasicPose<S>& x, const Shape& Y,
                              const BasicPose<S>& y) {
  const Edge& e = X.core.edges[edge];
  const Vector<S> p = x.turn * X.core.vertices[e.ends[0]];
  return {.p = p,
          .w = (x.position - y.position) + p - y.turn * Y.axis_point,
          .d = x.turn * e.direction};
}

// The normal n of the side has n.a = up, and is across the edge, n.d = 0. With c = a.d and s2 = 1 -
// c^2: n = up/s2 (a - c d) +- sqrt((1 - up^2/s2)/s2) a x d. There is none where the edge is steeper
// than the side: `steep`.
template <class S>
struct SideTouch {
  Touch<S> touch{};
  S s{};  ///< along the edge
  S u{};  ///< along the side, from the rim `from`
  bool steep = false;
};

template <class S>
[[nodiscard]] SideTouch<S> touch_edge_band(const FeaturePair& pair, const Shape& X,
                                           const BasicPose<S>& x, const Shape& Y,
                                           const BasicPose<S>& y) {
  using std::sqrt;
  const Line<S> line = line_of(pair.one, X, x, Y, y);
  const Band& band = Y.bands[pair.two];
  const Rim& rim = Y.rims[band.from];
  const Along g = along(Y, band, band.from);
  const Vector<S>& a = y.turn.axes[2];
  const S c = dot(a, line.d);
  const Vector<S> across = cross(a, line.d);
  const S s2 = dot(across, across);
  SideTouch<S> t;
  const S rest = S(1.) - S(band.up * band.up) / s2;
  t.steep = !(value_of(s2) > 0. && value_of(rest) > 0.);
  if (t.steep) return t;
  const S turn = sqrt(rest / s2);
  t.touch.normal = (S(band.up) / s2) * (a - c * line.d) + (pair.side & 1 ? -turn : turn) * across;
  const Vector<S>& n = t.touch.normal;
  const Vector<S> out = S(1. / band.out) * (n - S(band.up) * a);
  const Vector<S> start = S(rim.radius) * out + S(rim.height) * a;
  const Vector<S> direction = S(g.out) * out + S(g.up) * a;
  const Crossing<S> at = crossing(line.w - start, line.d, direction, n);
  t.s = at.s;
  t.u = at.u;
  t.touch.gap = dot(n, line.w - start) - S(X.radius + Y.radius);
  t.touch.tangent = line.d;
  t.touch.arm_one = line.p + t.s * line.d - S(X.radius) * n;
  t.touch.arm_two = y.turn * Y.axis_point + start + t.u * direction + S(Y.radius) * n;
  return t;
}

// The point of the edge closest to a circle: g(s) = ((rho - R)^2 + (z - h)^2)/2 is least. On either
// side of the point closest to the axis, where rho = m, g has at most one minimum: with k = 1 -
// (a.d)^2, g'' = 1 - k R m^2/rho^3 grows with the distance from there. If that is positive
// everywhere (m >= k R) there is one minimum in all, which belongs to the side where it lies.
// Otherwise a side where g' is not negative at g'' = 0 has none, and the point is that one.
// Newton's method from beyond the minimum decreases monotonically. One more step on the scalar S
// brings the derivatives.
template <class S>
struct RimTouch {
  Touch<S> touch{};
  S s{};
  S out{};  ///< rho - R and z - h of the closest point
  S up{};
  double own = std::numeric_limits<double>::infinity();  ///< below zero: the other side's minimum
};

template <class S>
struct RimSlope {
  S first{};
  S second{};
};

template <class S>
[[nodiscard]] RimSlope<S> rim_slope(const Vector<S>& w, const Vector<S>& d, const Vector<S>& a,
                                    const Rim& rim, double s) {
  const Vector<S> p = w + S(s) * d;
  const S z = dot(p, a), dz = dot(d, a);
  const Vector<S> aside = p - z * a;
  const S rho = norm(aside);
  const S drho = dot(aside, d) / rho;
  const S ddrho = (S(1.) - dz * dz - drho * drho) / rho;
  return {.first = (rho - S(rim.radius)) * drho + (z - S(rim.height)) * dz,
          .second = drho * drho + (rho - S(rim.radius)) * ddrho + dz * dz};
}

/// The minimum on a side of `middle`, or of all if `side` is 0.
[[nodiscard]] inline double rim_minimum(const V3& w, const V3& d, const V3& a, const Rim& rim,
                                        double middle, double c, double side) {
  // With t = s - middle, g' = t - k R t/rho + c: at |t| = R + |c| it has the sign of t.
  if (side == 0.) side = c > 0. ? -1. : 1.;
  double s = middle + side * (rim.radius + std::abs(c));
  constexpr int most = 50;  // converges quadratically
  for (int i = 0; i < most; ++i) {
    const RimSlope<double> g = rim_slope(w, d, a, rim, s);
    if (!(g.second > 0.)) break;
    const double step = g.first / g.second;
    s -= step;
    if (!(side * step > epsilon * (std::abs(s) + rim.radius))) break;
  }
  return s;
}

template <class S>
[[nodiscard]] RimTouch<S> touch_edge_rim(const FeaturePair& pair, const Shape& X,
                                         const BasicPose<S>& x, const Shape& Y,
                                         const BasicPose<S>& y) {
  const Line<S> line = line_of(pair.one, X, x, Y, y);
  const Rim& rim = Y.rims[pair.two];
  const Vector<S>& a = y.turn.axes[2];
  const V3 w = value_of(line.w), d = value_of(line.d), axis = value_of(a);
  const V3 w_aside = w - dot(w, axis) * axis, d_aside = d - dot(d, axis) * axis;
  const double k = dot(d_aside, d_aside);
  RimTouch<S> t;
  double s = -dot(w, d);  // an edge along the axis: anywhere, its ends touch
  if (k > 0.) {
    const double middle = -dot(w_aside, d_aside) / k;
    const V3 closest = w_aside + middle * d_aside;
    const double m2 = dot(closest, closest);
    const bool two = m2 < k * k * rim.radius * rim.radius;
    const double sign = pair.side & 1 ? -1. : 1.;
    const double c = dot(d, axis) * (dot(w + middle * d, axis) - rim.height);
    if (two) {
      const double rho2 = std::cbrt(k * rim.radius * m2 * (k * rim.radius * m2));
      const double least = std::sqrt(std::max(rho2 - m2, 0.) / k);
      const double along = m2 > 0. ? least / std::sqrt(rho2) : 1. / std::sqrt(k);
      s = middle + sign * least;
      if (!(least - k * rim.radius * along + sign * c < 0.)) t.own = -t.own;
    }
    if (t.own > 0.) s = rim_minimum(w, d, axis, rim, middle, c, two ? sign : 0.);
    if (!two) t.own = sign * (s - middle);
  }
  t.s = S(s);
  if (std::isfinite(t.own) || t.own > 0.) {
    const RimSlope<S> g = rim_slope(line.w, line.d, a, rim, s);
    if (value_of(g.second) > 0.) t.s = S(s) - g.first / g.second;
  }
  const Vector<S> p = line.w + t.s * line.d;
  const S z = dot(p, a);
  const Vector<S> aside = p - z * a;
  const S rho = norm(aside);
  const Vector<S> out = value_of(rho) > 0. ? (S(1.) / rho) * aside : y.turn.axes[0];
  t.out = rho - S(rim.radius);
  t.up = z - S(rim.height);
  const Vector<S> q = S(rim.radius) * out + S(rim.height) * a;
  t.touch =
      between_points(line.p + t.s * line.d, y.turn * Y.axis_point + q, p - q, X.radius, Y.radius);
  t.touch.tangent = line.d;
  return t;
}

/// Where any two features touch.
template <class S>
[[nodiscard]] Touch<S> touch(const FeaturePair& pair, const Shape& X, const BasicPose<S>& x,
                             const Shape& Y, const BasicPose<S>& y) {
  switch (pair.kind) {
    case PairKind::rim_face:
      return touch_rim_face(pair, X, x, Y, y);
    case PairKind::vertex_band:
    case PairKind::vertex_rim:
      return touch_vertex_round(pair, X, x, Y, y);
    case PairKind::edge_band:
      return touch_edge_band(pair, X, x, Y, y).touch;
    case PairKind::edge_rim:
      return touch_edge_rim(pair, X, x, Y, y).touch;
    default:
      return touch_cores(pair, X, x, Y, y);
  }
}

/// How far inside the features' ranges, see contact.hpp.
[[nodiscard]] double margin_of_round(const FeaturePair& pair, const Shape& X, const Pose& x,
                                     const Shape& Y, const Pose& y);

}  // namespace carom::shapes::space
