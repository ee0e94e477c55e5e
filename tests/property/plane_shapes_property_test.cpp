// SPDX-License-Identifier: Apache-2.0
// Shapes of the plane against brute force, and the invariances of their distance and contacts, on
// random shapes and places.
#include <gtest/gtest.h>  // before rapidcheck/gtest.h

#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include <carom/mechanics/shapes/plane/contact_motion.hpp>
#include <carom/mechanics/shapes/plane/features.hpp>
#include <support/random_plane_shapes.hpp>

namespace carom::shapes::plane {

void showValue(const FeaturePair& p, std::ostream& out) {
  out << "(" << p.first << ", " << p.second << ")";
}

namespace {

constexpr double pi = std::numbers::pi;
/// Shapes are of size 1 and at most a few lengths apart: a distance to rounding.
constexpr double tight = 1e-13;

using test::Draw;
using test::Kind;
using test::random_shape;

struct Scene {
  Shape first;
  Shape second;
  Pose a{};
  Pose b{};

  [[nodiscard]] Placed one() const { return {first, a}; }
  [[nodiscard]] Placed two() const { return {second, b}; }
  [[nodiscard]] double apart() const { return distance(one(), two()); }
  [[nodiscard]] bool has_ellipse() const { return first.is_ellipse() || second.is_ellipse(); }
  /// The least radius of curvature of ellipses; deeper inside each other normals are not unique.
  [[nodiscard]] double curvature_radius() const {
    double least = 1.;
    for (const Shape* s : {&first, &second}) {
      if (!s->is_ellipse()) continue;
      const auto [small, large] = std::minmax(s->semi_axes[0], s->semi_axes[1]);
      least = std::min(least, small * small / large);
    }
    return least;
  }
  [[nodiscard]] bool is_deep() const { return has_ellipse() && apart() < -curvature_radius(); }
};

Scene random_scene(unsigned seed) {
  Draw draw(seed);
  const auto kind = [&](std::size_t kinds) { return static_cast<Kind>(draw.below(kinds)); };
  Scene s{.first = random_shape(kind(8), draw), .second = random_shape(kind(9), draw)};
  s.b = {draw.point(1.), draw(-pi, pi)};
  s.a = {s.b.position + draw.point(2.2), draw(-pi, pi)};
  // Sides parallel, or corners above each other, in a part of the scenes.
  if (draw.below(4) == 0) s.a.angle = s.b.angle + pi / 2. * static_cast<double>(draw.below(4));
  return s;
}

Scene arbitrary_scene() {
  return random_scene(static_cast<unsigned>(*rc::gen::inRange(0, 1 << 30)));
}

std::vector<Near> all_pairs(const Placed& a, const Placed& b, double reach = 1e3) {
  std::vector<Near> out;
  near_features(a, b, reach, out);
  return out;
}

const Near* nearest(const std::vector<Near>& pairs) {
  const Near* least = nullptr;
  for (const Near& n : pairs) {
    if (n.in_range && (least == nullptr || n.gap < least->gap)) least = &n;
  }
  return least;
}

/// Least distance of two sharp vertices, which are no pair.
double between_sharp_vertices(const Scene& s) {
  double least = std::numeric_limits<double>::infinity();
  if (s.first.radius + s.second.radius > 0. || s.first.is_ellipse() || s.second.is_ellipse()) {
    return least;
  }
  for (const Point& v : s.first.vertices) {
    for (const Point& w : s.second.vertices) {
      least = std::min(least, length(s.a.position + turned(axis_of(s.a), v) -
                                     (s.b.position + turned(axis_of(s.b), w))));
    }
  }
  return least;
}

/// max of n . x over a placed shape, by its definition.
double reach_along(const Shape& s, const Pose& p, const Point& n) {
  const Point m = turned_back(axis_of(p), n);
  if (s.vertices.empty()) return m.y > 1. - 1e-15 ? dot(n, p.position) : 1e9;
  double most = -1e9;
  for (const Point& v : s.vertices) most = std::max(most, dot(m, v));
  return dot(n, p.position) + most + s.radius +
         std::hypot(s.semi_axes[0] * m.x, s.semi_axes[1] * m.y);
}

/// The greatest separation along sampled directions, refined by ternary search about the best, and
/// along the normals of all edges.
double brute_force(const Scene& s) {
  double most = -1e9;
  double best = 0.;
  const auto along = [&](const Point& n) {
    return -reach_along(s.first, s.a, -n) - reach_along(s.second, s.b, n);
  };
  const auto at = [&](double angle) { return along({std::cos(angle), std::sin(angle)}); };
  if (s.second.vertices.empty()) return along(turned(axis_of(s.b), Point{0., 1.}));
  constexpr int directions = 360;
  const double step = 2. * pi / directions;
  for (int k = 0; k < directions; ++k) {
    const double f = at(k * step);
    if (f > most) best = k * step;
    most = std::max(most, f);
  }
  double lo = best - step;
  double hi = best + step;
  while (hi - lo > 1e-8) {  // f is flat at its greatest, to the square of it
    const double third = (hi - lo) / 3.;
    (at(lo + third) < at(hi - third) ? lo : hi) =
        at(lo + third) < at(hi - third) ? lo + third : hi - third;
  }
  most = std::max(most, at(0.5 * (lo + hi)));
  for (const Edge& e : s.second.edges) most = std::max(most, along(turned(axis_of(s.b), e.normal)));
  for (const Edge& e : s.first.edges) most = std::max(most, along(-turned(axis_of(s.a), e.normal)));
  return most;
}

/// Points of the boundary, in the world.
std::vector<Point> boundary(const Shape& s, const Pose& p, int points) {
  std::vector<Point> out;
  const auto add = [&](const Point& x) { out.push_back(p.position + turned(axis_of(p), x)); };
  const auto count = static_cast<double>(points);
  for (int k = 0; k < points; ++k) {
    const Point round{std::cos(2. * pi * k / count), std::sin(2. * pi * k / count)};
    for (std::size_t v = 0; v < s.vertices.size() && (v == 0 || s.radius > 0.); ++v) {
      add(s.vertices[v] +
          Point{(s.radius + s.semi_axes[0]) * round.x, (s.radius + s.semi_axes[1]) * round.y});
    }
    for (const Edge& e : s.edges) {
      const double along =
          std::isfinite(e.length) ? k / (count - 1.) * e.length : (k / (count - 1.) - 0.5) * 12.;
      add(e.start + s.radius * e.normal + along * quarter_turn(e.normal));
    }
  }
  return out;
}

RC_GTEST_PROP(PlaneShapes, DistanceIsTheLeastGapOfThePairsInRange, ()) {
  const Scene s = arbitrary_scene();
  const double d = s.apart();
  RC_PRE(d > tolerances(s.one(), s.two()).slack);
  const std::vector<Near> pairs = all_pairs(s.one(), s.two());
  const Near* least = nearest(pairs);
  const double sharp = between_sharp_vertices(s);
  const double gap = least == nullptr ? std::numeric_limits<double>::infinity() : least->gap;
  RC_ASSERT(gap >= d - tight);
  RC_ASSERT(std::abs(std::min(sharp, gap) - d) <= tight);
  for (const Near& n : pairs) {
    const ContactGeometry<double> g = contact_geometry(s.one(), s.two(), n.pair);
    RC_ASSERT(std::abs(g.gap - n.gap) <= tight);
    RC_ASSERT(std::abs(length(g.normal) - 1.) <= tight);
    const Handover h = handover(s.one(), s.two(), n.pair);
    RC_ASSERT(h.margin == n.margin || std::abs(h.margin - n.margin) <= tight);
  }
}

// Also of bodies that overlap: there it is minus the least overlap.
RC_GTEST_PROP(PlaneShapes, DistanceIsTheGreatestSeparation, ()) {
  const Scene s = arbitrary_scene();
  RC_PRE(!s.is_deep());
  RC_ASSERT(std::abs(brute_force(s) - s.apart()) <= 1e-12);
}

/// The greatest distance of neighbours among these points.
double spacing(const Shape& s, int points) {
  const auto [x, y] = s.semi_axes;
  double most = 2. * pi * (s.radius + std::max(x, y)) / points;
  for (const Edge& e : s.edges) {
    most = std::max(most, (std::isfinite(e.length) ? e.length : 12.) / (points - 1));
  }
  return most;
}

RC_GTEST_PROP(PlaneShapes, DistanceIsThatOfSampledBoundaries, ()) {
  const Scene s = arbitrary_scene();
  const double d = s.apart();
  RC_PRE(d > 0.);
  constexpr int points = 16;
  double least = 1e9;
  const std::vector<Point> first = boundary(s.first, s.a, points);
  const std::vector<Point> second = boundary(s.second, s.b, points);
  for (const Point& p : first) {
    for (const Point& q : second) least = std::min(least, length(p - q));
  }
  RC_ASSERT(least >= d - tight);
  RC_ASSERT(least <= d + 0.5 * (spacing(s.first, points) + spacing(s.second, points)));
}

/// Pairs in range, as a set.
std::set<FeaturePair> in_range(const std::vector<Near>& pairs, bool exchange = false) {
  std::set<FeaturePair> out;
  for (const Near& n : pairs) {
    if (n.in_range) out.insert(exchange ? exchanged(n.pair) : n.pair);
  }
  return out;
}

/// No pair is within rounding of the end of its range or of facing: those may differ.
bool is_clear(const std::vector<Near>& pairs, double d) {
  return d > 1e-3 && std::all_of(pairs.begin(), pairs.end(), [](const Near& n) {
           return std::abs(n.margin) > 1e-6 && std::abs(n.gap) > 1e-6;
         });
}

RC_GTEST_PROP(PlaneShapes, BothOrdersAgree, ()) {
  const Scene s = arbitrary_scene();
  const double d = s.apart();
  RC_PRE(!s.is_deep());
  RC_ASSERT(std::abs(distance(s.two(), s.one()) - d) <= tight);
  const std::vector<Near> pairs = all_pairs(s.one(), s.two());
  const std::vector<Near> back = all_pairs(s.two(), s.one());
  if (is_clear(pairs, d)) RC_ASSERT(in_range(back, true) == in_range(pairs));
  for (const Near& n : pairs) {
    const ContactGeometry<double> g = contact_geometry(s.one(), s.two(), n.pair);
    const ContactGeometry<double> h = contact_geometry(s.two(), s.one(), exchanged(n.pair));
    if (n.gap < -s.curvature_radius() && s.has_ellipse()) continue;
    RC_ASSERT(std::abs(g.gap - h.gap) <= tight);
    if (!n.in_range) continue;
    // The normal at the tip of an ellipse: rounding over its radius of curvature, > 1e-4.
    RC_ASSERT(length(g.normal + h.normal) <= 1e-10);
    RC_ASSERT(length(g.arm_first - h.arm_second) <= 1e-10);
    RC_ASSERT(length(g.arm_second - h.arm_first) <= 1e-10);
  }
}

RC_GTEST_PROP(PlaneShapes, ACommonMotionChangesNothing, ()) {
  Scene s = arbitrary_scene();
  const double d = s.apart();
  RC_PRE(!s.is_deep());
  const std::vector<Near> pairs = all_pairs(s.one(), s.two());
  const double turn = 0.01 * *rc::gen::inRange(-300, 300);
  const Point axis{std::cos(turn), std::sin(turn)};
  for (Pose* p : {&s.a, &s.b}) {
    p->position = turned(axis, p->position) + Point{3., -2.};
    p->angle += turn;
  }
  RC_ASSERT(std::abs(s.apart() - d) <= tight);
  if (is_clear(pairs, d)) RC_ASSERT(in_range(all_pairs(s.one(), s.two())) == in_range(pairs));
}

Shape scaled(Shape s, double k) {
  for (Point& p : s.vertices) p = k * p;
  for (Edge& e : s.edges) {
    e.start = k * e.start;
    e.length *= k;
  }
  s.radius *= k;
  s.semi_axes = {k * s.semi_axes[0], k * s.semi_axes[1]};
  s.smallest_length *= k;
  s.bounding_radius *= k;
  return s;
}

RC_GTEST_PROP(PlaneShapes, UnitsDoNotMatter, ()) {
  const Scene s = arbitrary_scene();
  const double d = s.apart();
  RC_PRE(!s.is_deep());
  const std::vector<Near> pairs = all_pairs(s.one(), s.two());
  for (const double k : {1e-9, 1e9}) {
    Scene other{scaled(s.first, k), scaled(s.second, k), s.a, s.b};
    other.a.position = k * s.a.position;
    other.b.position = k * s.b.position;
    RC_ASSERT(std::abs(other.apart() - k * d) <= tight * k);
    const std::vector<Near> same = all_pairs(other.one(), other.two(), 1e3 * k);
    RC_ASSERT(same.size() == pairs.size());
    if (is_clear(pairs, d)) RC_ASSERT(in_range(same) == in_range(pairs));
  }
}

RC_GTEST_PROP(PlaneShapes, ATranslationAlongTheNormalIsTheChangeOfDistance, ()) {
  Scene s = arbitrary_scene();
  const double d = s.apart();
  RC_PRE(d > 1e-3);
  const std::vector<Near> pairs = all_pairs(s.one(), s.two());
  const Near* least = nearest(pairs);
  RC_PRE((least != nullptr && least->gap <= d + tight));
  const Point n = contact_geometry(s.one(), s.two(), least->pair).normal;
  const Point from = s.a.position;
  // The normal at an ellipse's tip is known to rounding over the radius of curvature (> 1e-4): its
  // error counts by its square.
  for (const double move : {0.7, -0.5 * d, -d}) {
    s.a.position = from + move * n;
    RC_ASSERT(std::abs(s.apart() - (d + move)) <= tight);
  }
}

// Rates by central differences with step h have errors of order h^2 times the third derivative,
// which grows as the inverse square of a distance or radius of curvature.
RC_GTEST_PROP(PlaneShapes, RatesAreThoseOfDifferences, ()) {
  Scene s = arbitrary_scene();
  const double d = s.apart();
  RC_PRE(d > 0.05);
  const unsigned seed = static_cast<unsigned>(*rc::gen::inRange(0, 1 << 30));
  Draw draw(seed);
  const BodyMotion a{s.a, draw.point(1.), draw(-1., 1.)};
  const BodyMotion b{s.b, draw.point(1.), draw(-1., 1.)};
  const auto at = [](const BodyMotion& m, double t) {
    return BodyMotion{
        {m.pose.position + t * m.velocity, m.pose.angle + t * m.spin}, m.velocity, m.spin};
  };
  for (const Near& near : all_pairs(s.one(), s.two())) {
    if (!near.in_range) continue;
    // Third derivatives are of order 1/size^2 of what is least.
    const double size = std::min(s.curvature_radius(), near.gap + s.first.radius + s.second.radius);
    const double h = 1e-4 * size;
    const auto motion = [&](double t) {
      return contact_motion(s.first, at(a, t), s.second, at(b, t), near.pair);
    };
    const ContactMotion m = motion(0.);
    const ContactMotion before = motion(-h);
    const ContactMotion after = motion(h);
    const double speed = 10.;  // of any point, at most
    RC_ASSERT(std::abs(m.gap_rate - m.velocity.n) <= 1e-11 * speed);
    RC_ASSERT(std::abs((after.gap - before.gap) / (2. * h) - m.gap_rate) <= 1e-6 * speed);
    const double bias_n = (after.velocity.n - before.velocity.n) / (2. * h);
    const double bias_t = (after.velocity.t - before.velocity.t) / (2. * h);
    const double rate = speed * speed / size;
    RC_ASSERT(std::abs(bias_n - m.bias.n) <= 1e-6 * rate);
    RC_ASSERT(std::abs(bias_t - m.bias.t) <= 1e-6 * rate);
    // d^2 gap/dt^2, whose rounding is 1e-16/h^2 < 1e-8/size^2.
    const double second = (after.gap - 2. * m.gap + before.gap) / (h * h);
    RC_ASSERT(std::abs(second - m.bias.n) <= 1e-5 * rate / size);
  }
}

// Along a path over the end of a pair's range the pair that takes over has the same gap there, and
// the same normal; both are continuous.
RC_GTEST_PROP(PlaneShapes, HandoverIsContinuous, ()) {
  Scene s = arbitrary_scene();
  const double d = s.apart();
  RC_PRE(d > 1e-3);
  const bool sharp =
      s.first.radius + s.second.radius == 0. && !s.first.is_ellipse() && !s.second.is_ellipse();
  RC_PRE(!sharp);
  const std::vector<Near> pairs = all_pairs(s.one(), s.two());
  const Near* least = nearest(pairs);
  RC_PRE((least != nullptr && std::isfinite(least->margin)));
  const Point along = contact_geometry(s.one(), s.two(), least->pair).tangent;
  const Point from = s.a.position;
  const auto margin = [&](double x) {
    s.a.position = from + x * along;
    return handover(s.one(), s.two(), least->pair).margin;
  };
  double in = 0.;
  double out = *rc::gen::element(-4., 4.);
  RC_PRE(margin(0.) > 0. && margin(out) < 0.);
  for (int k = 0; k < 80; ++k) {
    const double middle = 0.5 * (in + out);
    (margin(middle) > 0. ? in : out) = middle;
  }
  const Handover h = handover(s.one(), s.two(), least->pair);
  RC_ASSERT(h.count >= 1);
  const ContactGeometry<double> g = contact_geometry(s.one(), s.two(), least->pair);
  RC_PRE(g.gap > 1e-3);  // moving along the tangent, vertices may have come nearer
  const ContactGeometry<double> next = contact_geometry(s.one(), s.two(), h.next[0]);
  RC_ASSERT(std::abs(next.gap - g.gap) <= 1e-12);
  // The angle is the error in position (1e-15) over gap and radii or the radius of curvature.
  RC_ASSERT(length(next.normal - g.normal) <= 1e-9);
  RC_ASSERT(std::abs(handover(s.one(), s.two(), h.next[0]).margin) <= 1e-9);
}

// Faces on each other: their common segment has two ends, and each is one pair.
RC_GTEST_PROP(PlaneShapes, FacesOnEachOtherHaveTwoPairs, ()) {
  const unsigned seed = static_cast<unsigned>(*rc::gen::inRange(0, 1 << 30));
  Draw draw(seed);
  const double rounding = draw.below(2) == 0 ? 0. : draw(0.01, 0.1);
  const double other_rounding = draw.below(2) == 0 ? 0. : draw(0.01, 0.1);
  // Sides of few lengths and offsets on a lattice, so that corners coincide often.
  const auto side = [&] { return 0.5 * static_cast<double>(1 + draw.below(4)); };
  const double length_1 = side() + 2. * rounding;
  const double length_2 = side() + 2. * other_rounding;
  Scene s{.first = box(length_1, 0.7, rounding), .second = box(length_2, 0.9, other_rounding)};
  const double flat = 0.5 * (length_1 + length_2) - rounding - other_rounding;  // half the sum
  const double offset = 0.25 * (static_cast<double>(draw.below(17)) - 8.);
  RC_PRE(std::abs(offset) < flat - 1e-3);
  // Noise as integration leaves it.
  const double noise = *rc::gen::element(0., 1e-16, 1e-14, 1e-12);
  const double turn = *rc::gen::element(0., 0.3, pi / 2., 2.);
  const double gap = *rc::gen::element(0., 0.01);
  const Point axis{std::cos(turn), std::sin(turn)};
  s.b = {draw.point(1.), turn};
  s.a = {s.b.position +
             turned(axis, Point{offset + noise * draw(-1., 1.), 0.8 + gap + noise * draw(-1., 1.)}),
         turn + noise * draw(-1., 1.)};
  const auto pairs = all_pairs(s.one(), s.two(), 0.02);
  const auto found = in_range(pairs);
  RC_ASSERT(found.size() == 2U);
  RC_ASSERT(in_range(all_pairs(s.two(), s.one(), 0.02), true) == found);
  double sum = 0.;
  for (const Near& n : pairs) {
    if (!n.in_range) continue;
    const ContactGeometry<double> g = contact_geometry(s.one(), s.two(), n.pair);
    RC_ASSERT(std::abs(g.gap - gap) <= 1e-11);
    RC_ASSERT(length(g.normal - turned(axis, Point{0., 1.})) <= 1e-11);
    RC_ASSERT(n.margin >= -tolerances(s.one(), s.two()).coincidence);
    sum += dot(turned(axis, Point{1., 0.}), g.arm_first + s.a.position - s.b.position);
  }
  // The ends of the common segment.
  const double half_1 = length_1 / 2. - rounding;
  const double half_2 = length_2 / 2. - other_rounding;
  const double ends = std::max(-half_2, offset - half_1) + std::min(half_2, offset + half_1);
  RC_ASSERT(std::abs(sum - ends) <= 1e-11);
  // Small motions change no identity.
  s.a.position = s.a.position + 1e-12 * draw.point(1.);
  RC_ASSERT(in_range(all_pairs(s.one(), s.two(), 0.02)) == found);
}

// One corner, pushed along a random direction until it touches, or over it by rounding: one pair.
RC_GTEST_PROP(PlaneShapes, OneCornerInContactIsOnePair, ()) {
  Scene s = arbitrary_scene();
  const double d = s.apart();
  RC_PRE(d > 1e-3);
  const std::vector<Near> pairs = all_pairs(s.one(), s.two());
  const Near* least = nearest(pairs);
  RC_PRE((least != nullptr && least->gap <= d + tight && least->margin > 1e-6));
  // Not faces on each other.
  RC_PRE(std::all_of(pairs.begin(), pairs.end(), [&](const Near& n) {
    return n.pair == least->pair || !n.in_range || n.gap > d + 1e-5;
  }));
  const FeaturePair pair = least->pair;
  const Point n = contact_geometry(s.one(), s.two(), pair).normal;
  s.a.position = s.a.position - (d + *rc::gen::element(-1e-10, 0., 1e-10)) * n;
  std::vector<Near> touching;
  near_features(s.one(), s.two(), 1e-9, touching);
  std::erase_if(touching, [](const Near& t) { return !t.in_range; });
  RC_ASSERT(touching.size() == 1U);
  RC_ASSERT(touching[0].pair == pair);
  RC_ASSERT(in_range(all_pairs(s.two(), s.one(), 1e-9), true) == in_range(touching));
}

// A sharp vertex on a sharp vertex, no two edges on each other: one pair, the same in both orders
// and whatever rounding and integration do to the positions.
RC_GTEST_PROP(PlaneShapes, CornerOnCornerIsOnePair, ()) {
  const unsigned seed = static_cast<unsigned>(*rc::gen::inRange(0, 1 << 30));
  Draw draw(seed);
  const auto sharp = [&] {
    const Kind kinds[] = {Kind::polygon, Kind::box, Kind::bar};
    return random_shape(kinds[draw.below(3)], draw);
  };
  Scene s{.first = sharp(), .second = sharp()};
  /// Direction of the middle of a corner outward [rad], and half the angle between its edges.
  const auto corner = [](const Shape& shape, std::size_t k) {
    const std::size_t n = shape.edges.size();
    const Point before = shape.edges[(k + n - 1) % n].normal;
    const Point after = shape.edges[k].normal;
    const double turn = std::abs(std::atan2(cross(before, after), dot(before, after)));
    return std::pair{std::atan2(before.y, before.x) + turn / 2., (pi - turn) / 2.};
  };
  const std::size_t i = draw.below(s.first.vertices.size());
  const std::size_t j = draw.below(s.second.vertices.size());
  const auto [out_1, half_1] = corner(s.first, i);
  const auto [out_2, half_2] = corner(s.second, j);
  s.b = {draw.point(1.), draw(-pi, pi)};
  // Outward directions are opposite but for less than what is free between the edges.
  s.a.angle = s.b.angle + out_2 - out_1 + pi + draw(-0.9, 0.9) * (pi - half_1 - half_2);
  const Point meeting = s.b.position + turned(axis_of(s.b), s.second.vertices[j]) -
                        turned(axis_of(s.a), s.first.vertices[i]);
  std::set<FeaturePair> found;
  for (const double noise : {0., 1e-15, 1e-13, -1e-12}) {
    s.a.position = meeting + noise * draw.point(1.);
    const auto pairs = in_range(all_pairs(s.one(), s.two(), 1e-9));
    RC_ASSERT(pairs.size() == 1U);
    RC_ASSERT(in_range(all_pairs(s.two(), s.one(), 1e-9), true) == pairs);
    if (found.empty()) found = pairs;
    RC_ASSERT(pairs == found);
  }
}

}  // namespace
}  // namespace carom::shapes::plane
