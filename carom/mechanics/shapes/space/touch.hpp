// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>

#include <carom/mechanics/shapes/space/shape.hpp>
#include <carom/mechanics/shapes/space/vector.hpp>

/// Pairs of features of two polytopes, and where they touch.
namespace carom::shapes::space {

enum class PairKind : std::uint8_t {
  vertex_face,
  edge_edge,
  flat_edges,  ///< edges of two faces that lie flat on each other
  vertex_edge,
  vertex_vertex,
  rim_face,     ///< rim of a round solid, half space
  vertex_band,  ///< vertex of a sphere or capsule, side or flat end of a round solid
  vertex_rim,
  edge_band,  ///< axis of a capsule, side of a round solid
  edge_rim,
};

/// Two features that may touch. `one` belongs to the first body unless `exchanged`.
struct FeaturePair {
  PairKind kind = PairKind::vertex_face;
  bool exchanged = false;
  /// edge_edge, flat_edges, edge_band: bit 0 is set if the normal is the opposite of one x two.
  /// flat_edges: bits 1 and 2 say which face of either edge.
  std::uint8_t side = 0;
  Index one = 0;
  Index two = 0;

  auto operator<=>(const FeaturePair&) const = default;  // NOLINT: not a null pointer
};

/// The same pair with both bodies exchanged.
[[nodiscard]] constexpr FeaturePair exchange(FeaturePair pair) {
  if (pair.kind == PairKind::edge_edge || pair.kind == PairKind::flat_edges ||
      pair.kind == PairKind::vertex_vertex) {  // alike: `one` stays with the first body
    std::swap(pair.one, pair.two);
    const int side = pair.side;  // one x two and the normal both change sign
    pair.side = static_cast<std::uint8_t>((side & 1) | ((side & 2) << 1) | ((side & 4) >> 1));
  } else {
    pair.exchanged = !pair.exchanged;
  }
  return pair;
}

/// Where features touch: bodies are those of `one` and `two`, the normal points into that of `one`.
template <class S>
struct Touch {
  S gap{};
  Vector<S> normal{};
  Vector<S> tangent{};
  Vector<S> arm_one{};  ///< from the mass centre to the surface
  Vector<S> arm_two{};
};

/// A unit vector across n: the image of e1 under the shortest rotation from k to n, e1 - 2 (e1.m) m
/// with m the unit vector halfway between k and n.
template <class S>
[[nodiscard]] Vector<S> moving_tangent(const Vector<S>& n) {
  const Vector<S> k{0.48, 0.6, 0.64}, e1{0.8, 0., -0.6};
  const Vector<S> sum = k + n;
  const S square = dot(sum, sum);
  if (!(value_of(square) > 0.)) return e1;
  return e1 - (S(2.) * dot(e1, sum) / square) * sum;
}

/// What two cores have in common: the position of the one from the other and both radii.
template <class S>
[[nodiscard]] Touch<S> between_points(const Vector<S>& p, const Vector<S>& q,
                                      const Vector<S>& apart, double radius_one,
                                      double radius_two) {
  const S distance = norm(apart);
  Touch<S> t;
  t.normal = value_of(distance) > 0. ? (S(1.) / distance) * apart : Vector<S>{0., 0., 1.};
  t.gap = distance - S(radius_one + radius_two);
  t.arm_one = p - S(radius_one) * t.normal;
  t.arm_two = q + S(radius_two) * t.normal;
  return t;
}

/// Edges at a smaller angle do not cross [rad]; their ends are closest.
inline constexpr double parallel = 1e-9;

/// Two lines a + s da and b + u db, `w` from b to a, crossed along a direction n: w + s da - u db =
/// g n. Along n = da x db they are closest.
template <class S>
struct Crossing {
  S s{};
  S u{};
};

template <class S>
[[nodiscard]] Crossing<S> crossing(const Vector<S>& w, const Vector<S>& da, const Vector<S>& db,
                                   const Vector<S>& n) {
  const S area = dot(cross(da, db), n);
  return {.s = -(dot(cross(w, db), n) / area), .u = -(dot(cross(w, da), n) / area)};
}

template <class S>
[[nodiscard]] Touch<S> touch_edges(const FeaturePair& pair, const Shape& X, const BasicPose<S>& x,
                                   const Shape& Y, const BasicPose<S>& y) {
  const Edge& a = X.core.edges[pair.one];
  const Edge& b = Y.core.edges[pair.two];
  const Vector<S> p = x.turn * X.core.vertices[a.ends[0]];
  const Vector<S> q = y.turn * Y.core.vertices[b.ends[0]];
  const Vector<S> da = x.turn * a.direction;
  const Vector<S> db = y.turn * b.direction;
  const Vector<S> w = (x.position - y.position) + (p - q);
  const bool flat = pair.kind == PairKind::flat_edges;
  Vector<S> n = cross(da, db);
  if (flat) {
    n = y.turn * Y.core.faces[b.faces[(pair.side >> 2) & 1]].normal -
        x.turn * X.core.faces[a.faces[(pair.side >> 1) & 1]].normal;
  } else if (pair.side & 1) {
    n = -n;
  }
  if (!flat && !(norm(value_of(n)) > parallel)) {  // out of range: anything that is finite
    const Vector<S> middle = S(0.5 * a.length) * da;
    const Vector<S> beside = dot(w + middle, db) * db;
    Touch<S> t = between_points(p + middle, q + beside, w + (middle - beside), X.radius, Y.radius);
    t.tangent = da;
    return t;
  }
  const Crossing<S> at = crossing(w, da, db, n);
  const Vector<S> on_a = at.s * da;
  const Vector<S> on_b = at.u * db;
  const Vector<S> apart = w + (on_a - on_b);
  // Two ways to the normal. Their relative errors are those of a unit vector over the sine of the
  // angle between the edges, and of a point over its distance from the other.
  const double sine = norm(value_of(n));
  const double distance = norm(value_of(apart));
  Touch<S> t;
  if (!flat && distance > sine * std::min(a.length, b.length)) {
    const bool behind = dot(value_of(apart), value_of(n)) < 0.;
    t.normal = unit(behind ? -apart : apart);
  } else {
    t.normal = unit(n);
  }
  t.gap = dot(t.normal, apart) - S(X.radius + Y.radius);
  t.tangent = da;
  if (flat) t.tangent = unit(da - dot(da, t.normal) * t.normal);
  t.arm_one = p + on_a - S(X.radius) * t.normal;
  t.arm_two = q + on_b + S(Y.radius) * t.normal;
  return t;
}

/// Where the polytopes' features touch. X is the body of `one`.
template <class S>
[[nodiscard]] Touch<S> touch_cores(const FeaturePair& pair, const Shape& X, const BasicPose<S>& x,
                                   const Shape& Y, const BasicPose<S>& y) {
  if (pair.kind == PairKind::edge_edge || pair.kind == PairKind::flat_edges) {
    return touch_edges(pair, X, x, Y, y);
  }
  const Vector<S> v = x.turn * X.core.vertices[pair.one];
  const Vector<S> from_y = (x.position - y.position) + v;  // the vertex from the other mass centre
  Touch<S> t;
  if (pair.kind == PairKind::vertex_face) {
    const Face& face = Y.core.faces[pair.two];
    t.normal = y.turn * face.normal;
    t.tangent = y.turn * face.tangent;
    const S height = dot(t.normal, from_y) - S(face.offset);
    t.gap = height - S(X.radius + Y.radius);
    t.arm_one = v - S(X.radius) * t.normal;
    t.arm_two = from_y - (height - S(Y.radius)) * t.normal;
  } else if (pair.kind == PairKind::vertex_edge) {
    const Edge& e = Y.core.edges[pair.two];
    const Vector<S> q = y.turn * Y.core.vertices[e.ends[0]];
    const Vector<S> d = y.turn * e.direction;
    const Vector<S> w = from_y - q;
    const S s = dot(w, d);
    t = between_points(v, q + s * d, w - s * d, X.radius, Y.radius);
    t.tangent = d;
  } else {
    const Vector<S> q = y.turn * Y.core.vertices[pair.two];
    t = between_points(v, q, from_y - q, X.radius, Y.radius);
    t.tangent = moving_tangent(t.normal);
  }
  return t;
}

/// What is allowed where cores overlap by more than rounding.
struct Allowance {
  double turn = 0.;  ///< of a normal of crossing edges out of their range [rad]
  double sunk = 0.;  ///< of a vertex beneath a face: beyond another one, at an acute edge [m]
};

/// How far inside the features' ranges, see contact.hpp.
[[nodiscard]] double margin_of_cores(const FeaturePair& pair, const Shape& X, const Pose& x,
                                     const Shape& Y, const Pose& y, const Allowance& allowance);

/// `flat_edges` end where the faces include more than this [rad]: the gap across a face then
/// changes by as much of its length, which is below what closes a gap at the start of a run.
inline constexpr double flat_angle = 1e-8;

}  // namespace carom::shapes::space
