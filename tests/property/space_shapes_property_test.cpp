// SPDX-License-Identifier: Apache-2.0
// Shapes in space against what defines them: distances by certificates, rates by differences.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <set>
#include <vector>

#include <carom/mechanics/shapes/space/features.hpp>
#include <carom/mechanics/shapes/space/mass.hpp>
#include <carom/mechanics/spatial_model.hpp>

namespace carom::shapes::space {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// Whether no two faces are almost coplanar: such polyhedra are not always rounded, see inset.
bool has_distinct_faces(const Polytope& t) {
  return std::all_of(t.edges.begin(), t.edges.end(), [&](const Edge& e) {
    return norm(cross(t.faces[e.faces[0]].normal, t.faces[e.faces[1]].normal)) > 0.05;
  });
}

/// Random numbers from a drawn seed.
struct Random {
  std::mt19937_64 engine;

  Random() : engine(*rc::gen::arbitrary<std::uint64_t>()) {}
  double in(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine);
  }
  std::size_t below(std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(engine);
  }
  V3 vector(double size) { return {in(-size, size), in(-size, size), in(-size, size)}; }
  V3 direction() {
    V3 v{};
    do {
      v = vector(1.);
    } while (norm(v) < 0.1 || norm(v) > 1.);
    return unit(v);
  }
  Rotation<double> rotation() {
    const V3 v = direction();
    const double w = in(-1., 1.);
    return rotation_of({w, v.x, v.y, v.z});
  }
  Polyhedron polyhedron(std::size_t points) {
    Polyhedron p;
    for (std::size_t i = 0; i < points; ++i) p.vertices.push_back(world(in(0.3, 1.) * direction()));
    return p;
  }
  /// A shape whose distances are exact.
  Solid polytope() {
    switch (below(8)) {
      case 0:
        return Sphere{.radius = in(0.1, 1.)};
      case 1:
        return Capsule{.radius = in(0.1, 0.5), .length = in(0.2, 1.5)};
      case 2:
        return Rod{.length = in(0.3, 2.)};
      case 3:
        return Box{.size = {in(0.3, 1.5), in(0.3, 1.5), in(0.3, 1.5)}, .rounding = in(0.01, 0.14)};
      case 4:
      case 5:
        return Box{.size = {in(0.3, 1.5), in(0.3, 1.5), in(0.3, 1.5)}};
      case 6: {
        Polyhedron p = polyhedron(5 + below(8));
        const MassMoments m = mass_of(p);
        const Shape s = shape_of(p);
        if (!has_distinct_faces(s.core)) return p;
        double depth = infinite;
        for (const Face& f : s.core.faces) {
          depth = std::min(depth, f.offset - dot(f.normal, m.centroid));
        }
        p.rounding = in(0.1, 0.8) * depth;
        return p;
      }
      default:
        return polyhedron(5 + below(8));
    }
  }
  Pose pose(double away) { return {.position = vector(away), .turn = rotation()}; }
};

V3 at(const Placed& X, std::size_t vertex) {
  return X.pose.position + X.pose.turn * X.shape->core.vertices[vertex];
}

/// Separation of the cores along n, which points into A.
double support_gap(const Placed& A, const Placed& B, const V3& n) {
  double low = infinite, high = -infinite;
  for (std::size_t i = 0; i < A.shape->core.vertices.size(); ++i)
    low = std::min(low, dot(n, at(A, i)));
  for (std::size_t i = 0; i < B.shape->core.vertices.size(); ++i) {
    high = std::max(high, dot(n, at(B, i)));
  }
  return low - high;
}

/// How far a point lies outside of a core, along the worst of its faces (or off its segment).
double outside(const Placed& X, const V3& point) {
  const Polytope& t = X.shape->core;
  const V3 p = X.pose.turn.back(point - X.pose.position);
  double most = -infinite;
  for (const Face& f : t.faces) most = std::max(most, dot(f.normal, p) - f.offset);
  if (!t.faces.empty()) return most;
  if (t.edges.empty()) return norm(p - t.vertices[0]);
  const Edge& e = t.edges[0];
  const V3 w = p - t.vertices[0];
  const double s = dot(w, e.direction);
  return std::max({norm(w - s * e.direction), -s, s - e.length});
}

/// Two shapes placed at random.
struct Two {
  Random random;
  Shape a, b;
  Placed A, B;

  explicit Two(double away = 1.2) : a(made()), b(made()) {
    A = {.shape = &a, .pose = random.pose(away)};
    B = {.shape = &b, .pose = random.pose(away)};
  }
  Shape made() { return shape_of(random.polytope(), {.offset = world(random.vector(0.3))}); }
  Two(const Two&) = delete;
  Two& operator=(const Two&) = delete;
};

/// The valid pair with the least gap.
const NearPair* closest(const std::vector<NearPair>& pairs) {
  const NearPair* best = nullptr;
  for (const NearPair& p : pairs) {
    if (p.margin < -1e-12) continue;
    if (!best || p.geometry.gap < best->geometry.gap) best = &p;
  }
  return best;
}

// Points of both cores at the distance d prove that it is at most d; a direction along which the
// cores are d apart proves that it is at least d.
RC_GTEST_PROP(SpaceShapes, TheLeastGapIsTheDistanceAndACertificateProvesIt, ()) {
  const Two t(1.5);
  const double d = distance(t.A, t.B);
  const double radii = t.a.radius + t.b.radius;
  if (d + radii <= 1e-6) return;
  std::vector<NearPair> pairs;
  near_features(t.A, t.B, d + 0.1, pairs);
  const NearPair* best = closest(pairs);
  RC_ASSERT(static_cast<bool>(best));
  const auto& g = best->geometry;
  RC_ASSERT(std::abs(g.gap - d) <= 2e-14);
  RC_ASSERT(std::abs(support_gap(t.A, t.B, g.normal) - radii - d) <= 5e-14);
  const V3 on_a = t.A.pose.position + g.arm1 + t.a.radius * g.normal;
  const V3 on_b = t.B.pose.position + g.arm2 - t.b.radius * g.normal;
  RC_ASSERT(std::abs(norm(on_a - on_b) - radii - d) <= 2e-14);
  RC_ASSERT(outside(t.A, on_a) <= 2e-14);
  RC_ASSERT(outside(t.B, on_b) <= 2e-14);
}

// The overlap along every face normal and every product of two edges, none left out.
RC_GTEST_PROP(SpaceShapes, OverlapIsTheLeastOverAllAxes, ()) {
  const Two t(0.4);
  if (t.a.core.faces.empty() || t.b.core.faces.empty()) return;
  const double d = distance(t.A, t.B) + t.a.radius + t.b.radius;
  if (d > -1e-6) return;
  double best = -infinite;
  for (const Face& f : t.a.core.faces) {
    best = std::max(best, support_gap(t.A, t.B, -(t.A.pose.turn * f.normal)));
  }
  for (const Face& f : t.b.core.faces) {
    best = std::max(best, support_gap(t.A, t.B, t.B.pose.turn * f.normal));
  }
  for (const Edge& e : t.a.core.edges) {
    for (const Edge& f : t.b.core.edges) {
      const V3 n = cross(t.A.pose.turn * e.direction, t.B.pose.turn * f.direction);
      if (norm(n) < 1e-6) continue;
      best = std::max({best, support_gap(t.A, t.B, unit(n)), support_gap(t.A, t.B, -unit(n))});
    }
  }
  RC_ASSERT(std::abs(best - d) <= 1e-14);
}

RC_GTEST_PROP(SpaceShapes, ListedPairsAreTrueDistances, ()) {
  const Two t(1.);
  const double d = distance(t.A, t.B);
  const double radii = t.a.radius + t.b.radius;
  std::vector<NearPair> pairs;
  near_features(t.A, t.B, 0.5, pairs);
  for (const NearPair& p : pairs) {
    const auto& g = p.geometry;
    RC_ASSERT(g.gap <= 0.5);
    RC_ASSERT(g.gap >= std::min(d, -radii) - 1e-8);
    if (d + radii > 1e-6) RC_ASSERT(g.gap >= d - 2e-9);
    RC_ASSERT(std::abs(norm(g.normal) - 1.) <= 1e-14);
    RC_ASSERT(std::abs(norm(g.tangent1) - 1.) <= 1e-14);
    RC_ASSERT(std::abs(dot(g.normal, g.tangent1)) <= 1e-9);
    RC_ASSERT(norm(cross(g.normal, g.tangent1) - g.tangent2) <= 1e-14);
    const V3 between = (t.A.pose.position + g.arm1) - (t.B.pose.position + g.arm2);
    RC_ASSERT(norm(between - g.gap * g.normal) <= 1e-9);
    RC_ASSERT(p.margin == margin(p.pair, t.a, t.A.pose, t.b, t.B.pose));
  }
}

RC_GTEST_PROP(SpaceShapes, ExchangingTheBodiesExchangesTheRoles, ()) {
  const Two t(1.);
  RC_ASSERT(std::abs(distance(t.A, t.B) - distance(t.B, t.A)) <= 1e-14);
  std::vector<NearPair> there, back;
  near_features(t.A, t.B, 0.4, there);
  near_features(t.B, t.A, 0.4, back);
  RC_ASSERT(there.size() == back.size());
  for (const NearPair& p : there) {
    const auto same = std::find_if(back.begin(), back.end(),
                                   [&](const NearPair& q) { return q.pair == exchange(p.pair); });
    RC_ASSERT(same != back.end());
    RC_ASSERT(std::abs(same->geometry.gap - p.geometry.gap) <= 1e-13);
    RC_ASSERT(norm(same->geometry.normal + p.geometry.normal) <= 1e-9);
    RC_ASSERT(norm(same->geometry.arm1 - p.geometry.arm2) <= 1e-8);
    RC_ASSERT(exchange(exchange(p.pair)) == p.pair);
  }
}

Pose moved(const Pose& p, const Rotation<double>& turn, const V3& by) {
  Pose q;
  q.position = turn * p.position + by;
  for (std::size_t k = 0; k < 3; ++k) q.turn.axes[k] = turn * p.turn.axes[k];
  return q;
}

RC_GTEST_PROP(SpaceShapes, NothingDependsOnWhereThePairIs, ()) {
  Two t(1.);
  const double d = distance(t.A, t.B);
  const Rotation<double> turn = t.random.rotation();
  const V3 by = t.random.vector(1.);
  const Placed A{.shape = &t.a, .pose = moved(t.A.pose, turn, by)};
  const Placed B{.shape = &t.b, .pose = moved(t.B.pose, turn, by)};
  RC_ASSERT(std::abs(distance(A, B) - d) <= 1e-14);
}

Shape scaled(Shape s, double f) {
  for (V3& v : s.core.vertices) v = f * v;
  for (Face& g : s.core.faces) g.offset *= f;
  for (Edge& e : s.core.edges) e.length *= f;
  s.radius *= f;
  s.bounding_radius *= f;
  return s;
}

RC_GTEST_PROP(SpaceShapes, NothingDependsOnUnits, ()) {
  const Two t(1.);
  const double d = distance(t.A, t.B);
  std::vector<NearPair> pairs, others;
  near_features(t.A, t.B, 0.3, pairs);
  for (const double f : {1e-9, 1e9}) {
    const Shape a = scaled(t.a, f), b = scaled(t.b, f);
    Placed A{.shape = &a, .pose = t.A.pose}, B{.shape = &b, .pose = t.B.pose};
    A.pose.position = f * A.pose.position;
    B.pose.position = f * B.pose.position;
    RC_ASSERT(std::abs(distance(A, B) / f - d) <= 1e-14);
    near_features(A, B, 0.3 * f, others);
    RC_ASSERT(others.size() == pairs.size());
    for (std::size_t i = 0; i < pairs.size(); ++i) RC_ASSERT(others[i].pair == pairs[i].pair);
  }
}

// Along the normal of the closest pair the distance grows as the first body moves.
RC_GTEST_PROP(SpaceShapes, MovingAwayAlongTheNormalAddsTheWay, ()) {
  Two t(1.4);
  const double d = distance(t.A, t.B);
  if (d + t.a.radius + t.b.radius <= 1e-3) return;
  std::vector<NearPair> pairs;
  near_features(t.A, t.B, d + 0.1, pairs);
  const NearPair* best = closest(pairs);
  RC_ASSERT(static_cast<bool>(best));
  const V3 n = best->geometry.normal;
  const double way = t.random.in(0., 1.);
  Placed A = t.A;
  A.pose.position = A.pose.position + way * n;
  RC_ASSERT(std::abs(distance(A, t.B) - (d + way)) <= 5e-14);
  A.pose.position = t.A.pose.position - (0.5 * (d + t.a.radius + t.b.radius)) * n;
  RC_ASSERT(std::abs(distance(A, t.B) - (d - 0.5 * (d + t.a.radius + t.b.radius))) <= 5e-14);
}

// --- hulls
// -------------------------------------------------------------------------------------------

RC_GTEST_PROP(SpaceShapes, AHullContainsItsPointsAndCloses, ()) {
  Random random;
  if (random.engine() % 8 != 0) return;
  std::vector<V3> points;
  const std::size_t count = 4 + random.below(30);
  const bool on_grid = random.below(2) == 0;  // many coplanar and collinear points
  const Rotation<double> turn = random.rotation();
  for (std::size_t i = 0; i < count; ++i) {
    V3 p = random.vector(1.);
    if (on_grid) p = turn * V3{std::round(2. * p.x), std::round(2. * p.y), std::round(2. * p.z)};
    points.push_back(p);
  }
  const Polytope t = hull_of(points, "points");
  if (t.faces.empty()) return;
  RC_ASSERT(t.vertices.size() + t.faces.size() == t.edges.size() + 2);
  RC_ASSERT(t.ring.size() == 2 * t.edges.size());
  for (const Face& f : t.faces) {
    for (const V3& p : points) RC_ASSERT(dot(f.normal, p) - f.offset <= 1e-8);
    for (const Corner& c : t.corners(f)) {
      RC_ASSERT(std::abs(dot(f.normal, t.vertices[c.vertex]) - f.offset) <= 1e-8);
    }
  }
  for (const Edge& e : t.edges) {  // coplanar faces are one
    const Face &f = t.faces[e.faces[0]], &g = t.faces[e.faces[1]];
    RC_ASSERT(dot(f.normal, g.normal) < 1. - 1e-14);
    RC_ASSERT(std::abs(dot(f.normal, e.into[0])) <= 1e-12);
    RC_ASSERT(dot(e.into[0], t.vertices[e.ends[0]]) <=
              dot(e.into[0], t.vertices[t.corners(f)[0].vertex]) + 1e-8);
  }
}

// The faces of the inset core, moved out by the rounding, are those of the outer polyhedron.
RC_GTEST_PROP(SpaceShapes, RoundingKeepsTheFaces, ()) {
  Random random;
  if (random.engine() % 8 != 0) return;
  Polyhedron p = random.polyhedron(4 + random.below(10));
  const Shape sharp = shape_of(p);
  if (!has_distinct_faces(sharp.core)) return;
  const V3 centre = mass_of(p).centroid;
  double depth = infinite;
  for (const Face& f : sharp.core.faces) depth = std::min(depth, f.offset - dot(f.normal, centre));
  p.rounding = random.in(0.05, 0.9) * depth;
  const Shape round = shape_of(p);
  for (const Face& f : round.core.faces) {
    const auto same = [&](const Face& g) {
      return norm(f.normal - g.normal) <= 1e-7 &&
             std::abs(f.offset + p.rounding - g.offset) <= 1e-9;
    };
    RC_ASSERT(std::any_of(sharp.core.faces.begin(), sharp.core.faces.end(), same));
  }
  for (const V3& v : round.core.vertices) {
    for (const Face& f : sharp.core.faces) {
      RC_ASSERT(dot(f.normal, v) <= f.offset - p.rounding + 1e-9);
    }
  }
}

// --- contact rates
// -----------------------------------------------------------------------------------

MovingBody random_motion(Random& random, const Pose& pose) {
  return {.pose = pose, .velocity = random.vector(1.), .spin = random.vector(1.)};
}

/// The body after a time with constant velocity and spin.
MovingBody after(const MovingBody& b, double time) {
  MovingBody m = b;
  m.pose.position = b.pose.position + time * b.velocity;
  const double rate = norm(b.spin);
  if (rate > 0.) {
    const V3 e = (1. / rate) * b.spin;
    const double half = 0.5 * rate * time;
    const auto turn = rotation_of(
        {std::cos(half), std::sin(half) * e.x, std::sin(half) * e.y, std::sin(half) * e.z});
    for (std::size_t k = 0; k < 3; ++k) m.pose.turn.axes[k] = turn * b.pose.turn.axes[k];
  }
  return m;
}

double product(const ContactRates& r, std::size_t k, const MovingBody& a, const MovingBody& b) {
  const std::array<double, 6> u{a.velocity.x, a.velocity.y, a.velocity.z,
                                a.spin.x,     a.spin.y,     a.spin.z};
  const std::array<double, 6> w{b.velocity.x, b.velocity.y, b.velocity.z,
                                b.spin.x,     b.spin.y,     b.spin.z};
  double sum = 0.;
  for (std::size_t i = 0; i < 6; ++i) sum += r.W1[k][i] * u[i] + r.W2[k][i] * w[i];
  return sum;
}

/// Central differences of fourth order: the error is below 1e-8 where nothing varies faster than in
/// a tenth of a unit of time.
template <class F>
double slope(const F& f) {
  constexpr double h = 1e-4;
  return (8. * (f(h) - f(-h)) - (f(2. * h) - f(-2. * h))) / (12. * h);
}

void check_rates(const FeaturePair& pair, const Shape& a, const MovingBody& A, const Shape& b,
                 const MovingBody& B) {
  const auto rates = [&](double t) { return contact_rates(pair, a, after(A, t), b, after(B, t)); };
  const ContactRates r = rates(0.);
  RC_ASSERT(std::abs(r.velocity[0] - r.gap_rate) <= 1e-12 * (1. + std::abs(r.gap_rate)));
  const double gap_slope = slope([&](double t) { return rates(t).gap; });
  RC_ASSERT(std::abs(gap_slope - r.gap_rate) <= 1e-7 * (1. + std::abs(r.gap_rate)));
  for (std::size_t k = 0; k < 3; ++k) {
    RC_ASSERT(std::abs(product(r, k, A, B) - r.velocity[k]) <= 1e-13);
    const double v_slope = slope([&](double t) { return product(rates(t), k, A, B); });
    RC_ASSERT(std::abs(v_slope - r.bias[k]) <= 1e-7 * (1. + std::abs(r.bias[k])));
  }
  const double second = slope([&](double t) { return rates(t).gap_rate; });
  RC_ASSERT(std::abs(second - r.bias[0]) <= 1e-7 * (1. + std::abs(r.bias[0])));
}

RC_GTEST_PROP(SpaceShapes, RatesAreTheDerivatives, ()) {
  Two t(1.3);
  if (t.random.engine() % 4 != 0) return;
  std::vector<NearPair> pairs;
  near_features(t.A, t.B, 0.6, pairs);
  const MovingBody A = random_motion(t.random, t.A.pose), B = random_motion(t.random, t.B.pose);
  for (const NearPair& p : pairs) {
    if (p.geometry.gap + t.a.radius + t.b.radius < 0.2) continue;
    if (p.pair.kind == PairKind::edge_edge) {
      const V3 x = t.A.pose.turn * t.a.core.edges[p.pair.one].direction;
      const V3 y = t.B.pose.turn * t.b.core.edges[p.pair.two].direction;
      if (norm(cross(x, y)) < 0.3) continue;
    }
    if (p.pair.kind == PairKind::vertex_vertex &&
        dot(p.geometry.normal, V3{0.48, 0.6, 0.64}) < -0.9) {
      continue;  // where the tangents are singular
    }
    check_rates(p.pair, t.a, A, t.b, B);
  }
}

// --- against the closed forms of the model of free bodies
// --------------------------------------------

Mat3 matrix(const Rotation<double>& r) {
  Mat3 m{};
  for (std::size_t k = 0; k < 3; ++k) {
    m[0][k] = r.axes[k].x;
    m[1][k] = r.axes[k].y;
    m[2][k] = r.axes[k].z;
  }
  return m;
}

SpatialMover mover(const Solid& solid, const MovingBody& b) {
  return {.solid = solid,
          .position = world(b.pose.position),
          .orientation = matrix(b.pose.turn),
          .velocity = world(b.velocity),
          .spin = world(b.spin)};
}

/// Compares with candidate `c` of the model; the second body is `second` or does not move.
void check_model(const SpatialModel& model, std::size_t c, const ContactRates& r, bool two) {
  const State s = model.start();
  ContactMotion m;
  model.contact(model.contact_id(c), s, m);
  constexpr double tight = 1e-13;
  RC_ASSERT(std::abs(m.gap - r.gap) <= tight);
  for (std::size_t k = 0; k < 3; ++k) {
    const auto column = static_cast<Eigen::Index>(k);
    RC_ASSERT(std::abs(m.velocity(column) - r.velocity[k]) <= tight);
    RC_ASSERT(std::abs(m.bias(column) - r.bias[k]) <= 1e-12 * (1. + std::abs(r.bias[k])));
    for (std::size_t i = 0; i < 6; ++i) {
      const auto row = static_cast<Eigen::Index>(i);
      RC_ASSERT(std::abs(m.W(row, column) - r.W1[k][i]) <= tight);
      if (two) RC_ASSERT(std::abs(m.W(row + 6, column) - r.W2[k][i]) <= tight);
    }
  }
}

RC_GTEST_PROP(SpaceShapes, AgreeWithTheModelOnAPlane, ()) {
  Random random;
  if (random.engine() % 4 != 0) return;
  const V3 normal = random.direction(), through = random.vector(1.);
  const Shape floor = shape_of(HalfSpace{.normal = world(normal)});
  const Placed F{.shape = &floor, .pose = {.position = through, .turn = {}}};
  MovingBody body = random_motion(random, random.pose(1.));
  const World3 size{random.in(0.2, 1.), random.in(0.2, 1.), random.in(0.2, 1.)};
  const std::array<Solid, 6> solids{Sphere{.radius = size[0]},
                                    Box{.size = size},
                                    Cylinder{.radius = size[0], .length = size[1]},
                                    Capsule{.radius = size[0], .length = size[1]},
                                    Rod{.length = size[0]},
                                    Disc{.radius = size[0]}};
  const std::size_t which = random.below(solids.size());
  if (which == 4) {  // no spin about the rod
    const V3 a = body.pose.turn.axes[2];
    body.spin = body.spin - dot(a, body.spin) * a;
  }
  const Shape shape = shape_of(solids[which]);
  // The model subtracts almost equal vectors where a circle lies almost flat.
  if (shape.round() && norm(cross(normal, body.pose.turn.axes[2])) < 0.05) return;
  const SpatialModel model(
      {.bodies = {mover(solids[which], body)},
       .ground = {{.solid = HalfSpace{world(normal)}, .position = world(through)}}});
  std::vector<NearPair> pairs;
  const Placed X{.shape = &shape, .pose = body.pose};
  near_features(X, F, 10., pairs);
  RC_ASSERT(pairs.size() == model.contacts());
  double least = infinite;
  for (std::size_t c = 0; c < pairs.size(); ++c) {
    RC_ASSERT(pairs[c].pair.one == c);  // the same order
    check_model(model, c, contact_rates(pairs[c].pair, shape, body, floor, {.pose = F.pose}),
                false);
    least = std::min(least, pairs[c].geometry.gap);
  }
  RC_ASSERT(std::abs(distance(X, F) - least) <= 1e-14);
  RC_ASSERT(std::abs(distance(F, X) - least) <= 1e-14);
}

RC_GTEST_PROP(SpaceShapes, AgreeWithTheModelOfTwoSpheres, ()) {
  Random random;
  if (random.engine() % 4 != 0) return;
  const double r1 = random.in(0.1, 1.), r2 = random.in(0.1, 1.);
  const Shape a = shape_of(Sphere{.radius = r1}), b = shape_of(Sphere{.radius = r2});
  const MovingBody A = random_motion(random, random.pose(1.));
  const MovingBody B = random_motion(random, random.pose(1.));
  if (norm(A.pose.position - B.pose.position) < 0.1) return;
  const V3 n = unit(A.pose.position - B.pose.position);
  if (norm(n + V3{0.48, 0.6, 0.64}) < 0.1) return;
  const SpatialModel model(
      {.bodies = {mover(Sphere{.radius = r1}, A), mover(Sphere{.radius = r2}, B)}});
  std::vector<NearPair> pairs;
  near_features({.shape = &a, .pose = A.pose}, {.shape = &b, .pose = B.pose}, 10., pairs);
  RC_ASSERT(pairs.size() == 1u);
  const ContactRates r = contact_rates(pairs[0].pair, a, A, b, B);
  check_model(model, 0, r, true);
}

// --- round solids
// ------------------------------------------------------------------------------------

Solid random_round(Random& random) {
  switch (random.below(4)) {
    case 0:
      return Cylinder{.radius = random.in(0.3, 1.), .length = random.in(0.3, 2.)};
    case 1:
      return Cylinder{.radius = random.in(0.3, 1.),
                      .length = random.in(0.3, 2.),
                      .rounding = random.in(0.01, 0.14)};
    case 2:
      return Disc{.radius = random.in(0.3, 1.)};
    default:
      return Cone{.radius = random.in(0.3, 1.), .height = random.in(0.3, 2.)};
  }
}

Solid random_ball(Random& random) {
  if (random.below(2) == 0) return Sphere{.radius = random.in(0.05, 0.5)};
  return Capsule{.radius = random.in(0.05, 0.5), .length = random.in(0.2, 2.)};
}

/// The farthest extent of a round core along n.
double round_support(const Placed& X, const V3& n) {
  double most = -infinite;
  const V3 local = X.pose.turn.back(n);
  for (const Rim& r : X.shape->rims) {
    most = std::max(most, r.radius * std::hypot(local.x, local.y) + r.height * local.z);
  }
  return most + dot(local, X.shape->axis_point) + dot(n, X.pose.position);
}

/// How far a point lies outside of a round core.
double outside_round(const Placed& X, const V3& point) {
  const V3 p = X.pose.turn.back(point - X.pose.position) - X.shape->axis_point;
  double most = -infinite;
  for (const Band& band : X.shape->bands) {
    const Rim& r = X.shape->rims[band.from];
    most =
        std::max(most, band.out * (std::hypot(p.x, p.y) - r.radius) + band.up * (p.z - r.height));
  }
  return most;
}

RC_GTEST_PROP(SpaceShapes, RoundSolidsMeetSpheresAndCapsulesExactly, ()) {
  Random random;
  const Shape a = shape_of(random_round(random), {.offset = world(random.vector(0.3))});
  const Shape b = shape_of(random_ball(random));
  const Placed A{.shape = &a, .pose = random.pose(1.2)}, B{.shape = &b, .pose = random.pose(1.2)};
  const double radii = a.radius + b.radius;
  const double d = distance(A, B);
  RC_ASSERT(std::abs(d - distance(B, A)) <= 1e-13);
  if (d + radii <= 1e-3) return;
  std::vector<NearPair> pairs, back;
  near_features(A, B, d + 0.1, pairs);
  const NearPair* best = closest(pairs);
  RC_ASSERT(static_cast<bool>(best));
  const auto& g = best->geometry;
  RC_ASSERT(std::abs(g.gap - d) <= 1e-13);
  const V3 on_a = A.pose.position + g.arm1 + a.radius * g.normal;
  const V3 on_b = B.pose.position + g.arm2 - b.radius * g.normal;
  RC_ASSERT(std::abs(norm(on_a - on_b) - radii - d) <= 1e-13);
  RC_ASSERT(outside_round(A, on_a) <= 1e-13);
  RC_ASSERT(outside(B, on_b) <= 1e-13);
  double high = -infinite;
  for (std::size_t i = 0; i < b.core.vertices.size(); ++i) {
    high = std::max(high, dot(g.normal, at(B, i)));
  }
  RC_ASSERT(std::abs(-round_support(A, -g.normal) - high - radii - d) <= 1e-12);
  near_features(B, A, d + 0.1, back);
  RC_ASSERT(back.size() == pairs.size());
  for (const NearPair& p : pairs) {
    RC_ASSERT(std::any_of(back.begin(), back.end(),
                          [&](const NearPair& q) { return q.pair == exchange(p.pair); }));
  }
}

// A capsule of any direction is brought to touch a round solid: with what is special about them
// aligned, or turned from there by any angle down to rounding. Each pair in range is nearest at its
// points: neighbours of these along the capsule are not nearer, unless they lie over a flat end. So
// a contact is over where that ceases to hold, before the capsule overlaps beside it.
RC_GTEST_PROP(SpaceShapes, PairsInRangeOfARoundSolidAreNearestThere, ()) {
  Random random;
  const Shape a = shape_of(random_round(random));
  const Capsule capsule{.radius = random.in(0.05, 0.5), .length = random.in(0.2, 2.)};
  const Shape b = shape_of(capsule);
  const Band& band = a.bands[random.below(a.bands.size())];
  const double angle = random.in(0., 6.);
  const V3 out{std::cos(angle), std::sin(angle), 0.};
  const V3 n = band.out * out + band.up * V3{0., 0., 1.};
  // Across n, and turned by so much.
  const V3 level =
      unit(cross(n, random.below(2) == 0 ? V3{-out.y, out.x, 0.} : random.direction()));
  const double turn = std::pow(10., random.in(-12., 0.)) * (random.below(2) == 0 ? 1. : -1.);
  const V3 z = unit(level + turn * random.direction());
  const V3 x = unit(cross(z, V3{0.6, 0.5, -0.4}));
  const Placed A{.shape = &a};
  Placed B{.shape = &b, .pose = {.position = 4. * n, .turn = {{x, cross(z, x), z}}}};
  B.pose.position = B.pose.position + random.in(-1., 1.) * level + 0.5 * random.vector(1.);
  for (int k = 0; k < 200; ++k) {
    const double d = distance(A, B);
    if (d < 1e-12 || d > 10.) break;
    B.pose.position = B.pose.position - d * n;
  }
  std::vector<NearPair> pairs;
  near_features(A, B, 0.2, pairs);
  const Shape ball = shape_of(Sphere{.radius = capsule.radius});
  for (const NearPair& p : pairs) {
    if (p.margin < 0.) continue;
    const auto& g = p.geometry;
    const bool on_end = p.pair.kind == PairKind::vertex_band && a.bands[p.pair.two].out == 0.;
    const V3 touching = B.pose.position + g.arm2 - capsule.radius * g.normal;
    const double along = dot(z, touching - B.pose.position);
    for (const double step : {-1e-3, 1e-3}) {
      if (on_end || std::abs(along + step) > 0.5 * capsule.length) continue;
      const Placed moved{.shape = &ball, .pose = {.position = touching + step * z}};
      RC_ASSERT(distance(A, moved) >= g.gap - 1e-8);
    }
  }
}

RC_GTEST_PROP(SpaceShapes, RatesOfRoundSolidsAreTheDerivatives, ()) {
  Random random;
  if (random.engine() % 4 != 0) return;
  const Shape a = shape_of(random_round(random), {.offset = world(random.vector(0.3))});
  const bool floor = random.below(4) == 0;
  const Shape b = floor ? shape_of(HalfSpace{.normal = world(random.direction())})
                        : shape_of(random_ball(random));
  const MovingBody A = random_motion(random, random.pose(1.2));
  const MovingBody B = random_motion(random, random.pose(1.2));
  std::vector<NearPair> pairs;
  near_features({.shape = &a, .pose = A.pose}, {.shape = &b, .pose = B.pose}, 2., pairs);
  for (const NearPair& p : pairs) {
    if (p.geometry.gap + a.radius + b.radius < 0.3 && !floor) continue;
    if (p.margin < 0.1) continue;  // near the axis or a change of features it varies quickly
    if (floor && norm(cross(A.pose.turn.axes[2], p.geometry.normal)) < 0.3) continue;
    if (p.pair.kind == PairKind::edge_band &&
        norm(cross(A.pose.turn.axes[2], B.pose.turn.axes[2])) < 0.6) {
      continue;
    }
    if (dot(p.geometry.normal, V3{0.48, 0.6, 0.64}) < -0.9) continue;
    if (dot(p.geometry.normal, V3{0.48, 0.6, 0.64}) > 0.9) continue;
    check_rates(p.pair, a, A, b, B);
  }
}

}  // namespace
}  // namespace carom::shapes::space
