// SPDX-License-Identifier: Apache-2.0
// Shapes of the plane: closed forms, what is refused, and which pairs touch.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include <carom/core/error.hpp>
#include <carom/mechanics/planar_model.hpp>
#include <carom/mechanics/shapes/plane/contact_motion.hpp>
#include <carom/mechanics/shapes/plane/features.hpp>

namespace carom::shapes::plane {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double tight = 1e-14;

template <class Make>
std::string refused_field(Make make) {
  try {
    (void)make();
  } catch (const InputError& e) {
    return e.field();
  }
  return "accepted";
}

TEST(PlaneShape, RefusesWhatIsNoShapeByName) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refused_field([] { return disc(0.); }), "radius");
  EXPECT_EQ(refused_field([] { return disc(1., {0., nan}); }), "centre[1]");
  EXPECT_EQ(refused_field([] { return ellipse({1., -1.}); }), "semi_axes[1]");
  EXPECT_EQ(refused_field([] { return capsule(nan, 1.); }), "length");
  EXPECT_EQ(refused_field([] { return capsule(1., 0.); }), "radius");
  EXPECT_EQ(refused_field([] { return bar(0.); }), "length");
  EXPECT_EQ(refused_field([] { return box(1., 0.); }), "width");
  EXPECT_EQ(refused_field([] { return box(1., 0.4, 0.2); }), "rounding");
  EXPECT_EQ(refused_field([] { return box(1., 0.4, nan); }), "rounding");
  EXPECT_EQ(refused_field([] { return box(1., 0.4, -0.1); }), "rounding");
  EXPECT_EQ(refused_field([] { return box(1., 0.4, 0.19); }), "accepted");
  EXPECT_EQ(refused_field([] { return segment({1., 2.}, {1., 2.}); }), "to");
  const auto of = [](std::vector<Point> v, double rounding = 0.) {
    return refused_field([&] { return polygon(v, rounding); });
  };
  EXPECT_EQ(of({{0., 0.}, {1., 0.}}), "vertices");
  EXPECT_EQ(of({{0., 0.}, {1., 0.}, {nan, 1.}}), "vertices[2][0]");
  EXPECT_EQ(of({{0., 0.}, {1., 0.}, {1., 0.}, {0., 1.}}), "vertices[1]");
  EXPECT_EQ(of({{0., 0.}, {0.5, 0.}, {1., 0.}, {0., 1.}}), "vertices[1]");
  EXPECT_EQ(of({{0., 0.}, {2., 0.}, {0.5, 0.5}, {0., 2.}}), "vertices[2]");
  EXPECT_EQ(of({{0., 2.}, {0.5, 0.5}, {2., 0.}, {0., 0.}}), "vertices[1]");  // clockwise
  // A pentagram turns left everywhere, twice around.
  std::vector<Point> star;
  for (int k = 0; k < 5; ++k) star.push_back({std::cos(0.8 * pi * k), std::sin(0.8 * pi * k)});
  EXPECT_EQ(of(star), "vertices");
  // The incircle of a right triangle with legs 3 and 4 has radius 1.
  const std::vector<Point> triangle{{0., 0.}, {4., 0.}, {0., 3.}};
  EXPECT_EQ(of(triangle, 1.), "rounding");
  EXPECT_EQ(of(triangle, 0.999), "accepted");
}

TEST(PlaneShape, ClockwiseVerticesAreReversedFromTheFirst) {
  const std::vector<Point> left{{0., 0.}, {4., 0.}, {0., 3.}};
  const std::vector<Point> right{{0., 0.}, {0., 3.}, {4., 0.}};
  EXPECT_EQ(polygon(left).vertices, left);
  EXPECT_EQ(polygon(right).vertices, left);
}

TEST(PlaneShape, RoundingKeepsTheOuterSize) {
  const Shape b = box(2., 1., 0.1, {0.3, 0.});
  const Pose upright{};
  const Shape ground = half_plane();
  EXPECT_NEAR(distance({b, {{0., 3.}, 0.}}, {ground, upright}), 2.5, tight);
  EXPECT_NEAR(distance({b, {{0., 3.}, pi / 2.}}, {ground, upright}), 2.3, tight);
  const std::vector<Point> square{{-1., -0.5}, {1., -0.5}, {1., 0.5}, {-1., 0.5}};
  const Shape p = moved(polygon(square, 0.1), {0.3, 0.});
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_NEAR(length(p.vertices[k] - b.vertices[k]), 0., tight);
  }
  EXPECT_NEAR(b.bounding_radius, std::hypot(1.2, 0.4) + 0.1, tight);
  EXPECT_EQ(b.smallest_length, 1.);
}

TEST(PlaneShape, UniformBodies) {
  EXPECT_NEAR(uniform(disc(2., {1., 0.})).squared_gyration, 2., tight);
  EXPECT_EQ(uniform(disc(2., {1., 0.})).centroid, (Point{1., 0.}));
  EXPECT_NEAR(uniform(ellipse({2., 1.})).squared_gyration, 1.25, tight);
  EXPECT_NEAR(uniform(bar(2.)).squared_gyration, 1. / 3., tight);
  EXPECT_NEAR(uniform(box(2., 1.)).squared_gyration, 5. / 12., tight);
  EXPECT_NEAR(uniform(box(2., 1.)).area, 2., tight);
  const Uniform triangle = uniform(polygon(std::vector<Point>{{1., 1.}, {4., 1.}, {1., 4.}}));
  EXPECT_NEAR(triangle.area, 4.5, tight);
  EXPECT_NEAR(length(triangle.centroid - Point{2., 2.}), 0., tight);
  EXPECT_NEAR(triangle.squared_gyration, (9. + 9. + 18.) / 36., tight);  // (a^2 + b^2 + c^2)/36
  // A capsule: a box, and half discs whose centroids lie 4 r/(3 pi) from their diameters.
  const double L = 1.5;
  const double r = 0.4;
  const double middle = 2. * L * r;
  const double ends = pi * r * r;
  const double out = 4. * r / (3. * pi);
  const double about_end = r * r / 2. - out * out;
  const double expected =
      (middle * (L * L + 4. * r * r) / 12. + ends * (about_end + (L / 2. + out) * (L / 2. + out))) /
      (middle + ends);
  const Uniform stadium = uniform(capsule(L, r, {-1., 2.}));
  EXPECT_NEAR(stadium.area, middle + ends, tight);
  EXPECT_NEAR(length(stadium.centroid - Point{-1., 2.}), 0., tight);
  EXPECT_NEAR(stadium.squared_gyration, expected, tight);
}

// Against a sum over small squares, whose error is that of the boundary's squares.
TEST(PlaneShape, UniformRoundedPolygon) {
  const Shape s = polygon(std::vector<Point>{{0., 0.}, {3., 0.}, {2.5, 1.5}, {0.5, 1.}}, 0.3);
  const Shape probe = disc(1e-9);
  constexpr int cells = 300;
  const double h = 3. / cells;
  double area = 0.;
  Point first{};
  double second = 0.;
  for (int i = 0; i < cells; ++i) {
    for (int j = 0; j < cells; ++j) {
      const Point p{(i + 0.5) * h, (j + 0.5) * h};
      if (distance({probe, {p, 0.}}, {s, {}}) > 0.) continue;
      area += h * h;
      first = first + (h * h) * p;
      second += h * h * dot(p, p);
    }
  }
  const Uniform u = uniform(s);
  const Point c = (1. / area) * first;
  EXPECT_NEAR(u.area, area, 2e-3);
  EXPECT_NEAR(length(u.centroid - c), 0., 1e-3);
  EXPECT_NEAR(u.squared_gyration, second / area - dot(c, c), 1e-3);
}

double apart(const Shape& a, const Pose& pa, const Shape& b, const Pose& pb) {
  return distance({a, pa}, {b, pb});
}

TEST(PlaneDistance, ClosedForms) {
  const Shape square = box(2., 2.);
  EXPECT_NEAR(apart(disc(1.), {{3., 4.}, 0.}, disc(2.), {}), 2., tight);
  EXPECT_NEAR(apart(disc(1.), {{3., 0.}, 0.}, square, {}), 1., tight);
  EXPECT_NEAR(apart(disc(1.), {{4., 5.}, 0.}, square, {}), 4., tight);
  EXPECT_NEAR(apart(disc(1.), {{0.75, 0.}, 0.}, square, {}), -1.25, tight);
  EXPECT_NEAR(apart(square, {{2.5, 0.3}, 0.}, square, {}), 0.5, tight);
  EXPECT_NEAR(apart(square, {{5., 6.}, 0.}, square, {}), 5., tight);
  EXPECT_NEAR(apart(square, {{1.9, 1.8}, 0.}, square, {}), -0.1, tight);
  EXPECT_NEAR(apart(square, {{1. + std::sqrt(2.), 0.}, pi / 4.}, square, {}), 0., tight);
  // Bars: parallel, in line, crossing; the sides of bars in line do not separate them.
  EXPECT_NEAR(apart(bar(2.), {{0.5, 0.3}, 0.}, bar(2.), {}), 0.3, tight);
  EXPECT_NEAR(apart(bar(2.), {{3., 0.}, 0.}, bar(2.), {}), 1., tight);
  EXPECT_NEAR(apart(bar(2.), {{0.2, 0.9}, pi / 2.}, bar(2.), {}), -0.1, tight);
  EXPECT_NEAR(apart(capsule(2., 0.5), {{0., 3.}, pi / 2.}, bar(2.), {}), 1.5, tight);
  // Ellipses.
  EXPECT_NEAR(apart(ellipse({2., 1.}), {{0., 3.}, 0.}, half_plane(), {}), 2., tight);
  EXPECT_NEAR(apart(ellipse({2., 1.}), {{0., 3.}, pi / 2.}, half_plane(), {}), 1., tight);
  EXPECT_NEAR(apart(ellipse({2., 1.}), {{4., 0.}, 0.}, ellipse({0.5, 1.}), {}), 1.5, tight);
  EXPECT_NEAR(apart(ellipse({3., 3.}), {{3., 4.}, 1.}, ellipse({1., 1.}), {}), 1., tight);
  EXPECT_NEAR(apart(disc(0.5), {{0., 0.25}, 0.}, ellipse({2., 1.}), {}), -1.25, tight);
  // Needles side by side: the line of centres does not separate them. Along n = (-w, 1), w small,
  // the separation is 0.5 w + 0.01 - 2 sqrt(w^2 + 1e-6), at most 0.01 - 1e-3 sqrt(4 - 0.25).
  EXPECT_NEAR(apart(ellipse({1., 1e-3}), {{-0.5, 0.01}, 0.}, ellipse({1., 1e-3}), {}),
              0.01 - 1e-3 * std::sqrt(3.75), 1e-9);
}

// The distance of a point from an ellipse: p = x + s n(x) for a known foot x and distance s.
TEST(PlaneDistance, DiscFromAnEllipseByItsFoot) {
  for (const double b : {1., 0.9, 0.1, 1e-3}) {
    for (int k = 0; k < 40; ++k) {
      const double phi = 2. * pi * k / 40.;
      const Point foot{std::cos(phi), b * std::sin(phi)};
      const Point n = normalised(Point{b * std::cos(phi), std::sin(phi)});
      for (const double s : {-0.2 * b * b, 0., 1e-8, 0.5, 7.}) {
        const double d = apart(disc(1e-3), {foot + s * n, 0.}, ellipse({1., b}), {});
        EXPECT_NEAR(d, s - 1e-3, 1e-14 * (1. + std::abs(s))) << b << " " << phi << " " << s;
      }
    }
  }
}

// --- pairs

std::vector<Near> touching(const Shape& a, const Pose& pa, const Shape& b, const Pose& pb,
                           double reach = 1e-9) {
  std::vector<Near> out;
  near_features({a, pa}, {b, pb}, reach, out);
  std::erase_if(out, [](const Near& n) { return !n.in_range; });
  return out;
}

// Equal boxes on each other: the vertices of the upper on the edge of the lower (features 5: from
// vertex 2 at the upper right to vertex 3), whatever the order.
TEST(PlaneFeatures, EqualBoxesOnEachOtherHaveTwoPairs) {
  for (const double rounding : {0., 0.1}) {
    const Shape b = box(1., 1., rounding);
    const auto above = touching(b, {{0., 1.}, 0.}, b, {});
    ASSERT_EQ(above.size(), 2U);
    EXPECT_EQ(above[0].pair, (FeaturePair{0, 5}));
    EXPECT_EQ(above[1].pair, (FeaturePair{2, 5}));
    const auto below = touching(b, {}, b, {{0., 1.}, 0.});
    ASSERT_EQ(below.size(), 2U);
    EXPECT_EQ(below[0].pair, (FeaturePair{5, 0}));
    EXPECT_EQ(below[1].pair, (FeaturePair{5, 2}));
  }
}

TEST(PlaneFeatures, ABoxOnAHalfPlaneRestsOnTwoVertices) {
  const auto rest = touching(box(1., 1.), {{3., 0.5}, 0.}, half_plane(), {});
  ASSERT_EQ(rest.size(), 2U);
  EXPECT_EQ(rest[0].pair, (FeaturePair{0, 1}));
  EXPECT_EQ(rest[1].pair, (FeaturePair{2, 1}));
  EXPECT_EQ(rest[0].margin, std::numeric_limits<double>::infinity());
}

// A vertex a little inside a bar keeps its side, although the other side is nearer.
TEST(PlaneFeatures, ABoxOnABarStaysOnItsSide) {
  for (const double sunk : {0., 1e-15, 1e-9}) {
    const auto rest = touching(box(1., 1.), {{0., 0.5 - sunk}, 0.}, bar(3.), {});
    ASSERT_EQ(rest.size(), 2U) << sunk;
    EXPECT_EQ(rest[0].pair, (FeaturePair{0, 3}));
    EXPECT_EQ(rest[1].pair, (FeaturePair{2, 3}));
    EXPECT_NEAR(rest[0].gap, -sunk, 1e-16);
  }
}

// Corner on corner: one pair, with the normal of the face of least overlap.
TEST(PlaneFeatures, CornerOnCornerTakesTheFaceOfLeastOverlap) {
  const Shape b = box(1., 1.);
  const auto flat = touching(b, {{1. - 1e-7, 1. - 1e-8}, 0.}, b, {});
  ASSERT_EQ(flat.size(), 2U);  // faces that lie on each other by 1e-7
  EXPECT_NEAR(flat[0].gap, -1e-8, 1e-15);
  // Sides that lie on each other by 2e-8, 1e-9 deep; upper and lower faces overlap by 2e-8.
  const auto beside = touching(b, {{1. - 1e-9, 1. - 2e-8}, 0.}, b, {});
  ASSERT_EQ(beside.size(), 2U);
  EXPECT_NEAR(beside[0].gap, -1e-9, 1e-15);
  EXPECT_NEAR(beside[1].gap, -1e-9, 1e-15);
  const auto corner = touching(b, {{1., 1.}, 0.}, b, {});
  ASSERT_EQ(corner.size(), 1U);
  EXPECT_EQ(touching(b, {}, b, {{1., 1.}, 0.})[0].pair, exchanged(corner[0].pair));
  // The lower corner of a turned square, over the right end of the edge below by 2e-8, 1e-9 deep.
  const double half = std::sqrt(0.5);
  const auto turned_square = touching(b, {{0.5 - 2e-8, 0.5 + half - 1e-9}, pi / 4.}, b, {});
  ASSERT_EQ(turned_square.size(), 1U);
  EXPECT_EQ(turned_square[0].pair, (FeaturePair{0, 5}));
  const auto sideways = touching(b, {{0.5 + half - 1e-9, 0.5 - 2e-8}, pi / 4.}, b, {});
  ASSERT_EQ(sideways.size(), 1U);
  EXPECT_EQ(sideways[0].pair, (FeaturePair{6, 3}));
}

TEST(PlaneFeatures, NothingBeyondReach) {
  std::vector<Near> out;
  near_features({disc(1.), {{0., 3.}, 0.}}, {disc(1.), {}}, 0.99, out);
  EXPECT_TRUE(out.empty());
  near_features({disc(1.), {{0., 3.}, 0.}}, {disc(1.), {}}, 1.01, out);
  EXPECT_EQ(out.size(), 1U);
}

// A box slides off the right end of another: its leading vertex (2) hands over to that end (4),
// on its own lower edge (1). Out of range pairs are listed where they may come in range.
TEST(PlaneFeatures, ASlidingBoxHandsOver) {
  const Shape upper = box(1., 1.);
  const Shape lower = box(3., 1.);
  const double eps = 1e-3;
  for (const double rounding : {0., 0.2}) {
    const Shape block = box(1., 1., rounding);
    const double end = 1.5 - (0.5 - rounding);
    const Placed before(block, {{end - eps, 1.}, 0.});
    const Placed after(block, {{end + eps, 1.}, 0.});
    const Placed ground(lower, {});
    const Handover h = handover(before, ground, {2, 5});
    EXPECT_NEAR(h.margin, eps, 1e-15);
    ASSERT_EQ(h.count, rounding > 0. ? 2U : 1U);
    EXPECT_EQ(h.next[h.count - 1], (FeaturePair{1, 4}));
    if (rounding > 0.) {
      EXPECT_EQ(h.next[0], (FeaturePair{2, 4}));
    }
    EXPECT_NEAR(handover(after, ground, {2, 5}).margin, -eps, 1e-15);
    EXPECT_NEAR(handover(after, ground, {1, 4}).margin, eps, 1e-15);
    const auto then = touching(block, {{end + eps, 1.}, 0.}, lower, {});
    ASSERT_EQ(then.size(), 2U);
    EXPECT_EQ(then[0].pair, (FeaturePair{0, 5}));
    EXPECT_EQ(then[1].pair, (FeaturePair{1, 4}));
  }
  std::vector<Near> out;
  near_features({upper, {{1. + eps, 1.}, 0.}}, {lower, {}}, 2. * eps, out);
  EXPECT_EQ(std::count_if(out.begin(), out.end(),
                          [](const Near& n) {
                            return n.pair == FeaturePair{2, 5} && !n.in_range;
                          }),
            1);
}

// A disc rolls over a box's corner: edge, vertex, edge.
TEST(PlaneFeatures, ADiscRollsOverACorner) {
  const Shape ball = disc(0.5);
  const Shape b = box(2., 2.);
  const auto one = [&](const Point& at) {
    const auto t = touching(ball, {at, 0.}, b, {});
    EXPECT_EQ(t.size(), 1U);
    return t.empty() ? FeaturePair{9, 9} : t[0].pair;
  };
  EXPECT_EQ(one({0.9, 1.5}), (FeaturePair{0, 5}));
  EXPECT_EQ(one({1. + 0.3, 1. + 0.4}), (FeaturePair{0, 4}));
  EXPECT_EQ(one({1.5, 0.9}), (FeaturePair{0, 3}));
  const Placed box_there(b, {});
  EXPECT_EQ(handover({ball, {{0.9, 1.5}, 0.}}, box_there, {0, 5}).next[0], (FeaturePair{0, 4}));
  EXPECT_EQ(handover({ball, {{1.3, 1.4}, 0.}}, box_there, {0, 4}).next[0], (FeaturePair{0, 5}));
  EXPECT_EQ(handover({ball, {{1.4, 1.3}, 0.}}, box_there, {0, 4}).next[0], (FeaturePair{0, 3}));
  EXPECT_EQ(handover(box_there, {ball, {{1.4, 1.3}, 0.}}, {4, 0}).next[0], (FeaturePair{3, 0}));
}

// --- motion, against the closed forms of PlanarModel

struct Compared {
  carom::ContactMotion model;
  Matrix W;  ///< of the model
  ContactMotion here;
};

/// @param contact  of the model
Compared compare(const PlanarScene& scene, std::size_t contact, const BodyMotion& a,
                 const Shape& first, const BodyMotion& b, const Shape& second,
                 const FeaturePair& pair) {
  const PlanarModel model(scene);
  State state;
  state.q.resize(static_cast<Eigen::Index>(model.positions()));
  state.u.resize(state.q.size());
  const std::array bodies{&a, &b};
  for (std::size_t k = 0; k < scene.bodies.size(); ++k) {
    const BodyMotion& m = *bodies[k];
    const auto at = static_cast<Eigen::Index>(3 * k);
    state.q.segment<3>(at) << m.pose.position.x, m.pose.position.y, m.pose.angle;
    state.u.segment<3>(at) << m.velocity.x, m.velocity.y, m.spin;
  }
  Compared c;
  model.contact(model.contact_id(contact), state, c.model);
  c.W = dense(c.model, model.velocities());
  c.here = contact_motion(first, a, second, b, pair);
  return c;
}

void expect_same(const Compared& c, std::size_t bodies) {
  EXPECT_NEAR(c.here.gap, c.model.gap, 1e-14);
  EXPECT_NEAR(c.here.gap_rate, c.model.velocity[0], 1e-13);
  EXPECT_NEAR(c.here.velocity.n, c.model.velocity[0], 1e-13);
  EXPECT_NEAR(c.here.velocity.t, c.model.velocity[1], 1e-13);
  EXPECT_NEAR(c.here.bias.n, c.model.bias[0], 1e-13);
  EXPECT_NEAR(c.here.bias.t, c.model.bias[1], 1e-13);
  for (std::size_t k = 0; k < bodies; ++k) {
    for (std::size_t j = 0; j < 3; ++j) {
      const auto row = static_cast<Eigen::Index>(3 * k + j);
      EXPECT_NEAR(c.here.normal[k][j], c.W(row, 0), 1e-14);
      EXPECT_NEAR(c.here.tangent[k][j], c.W(row, 1), 1e-14);
    }
  }
}

const BodyMotion moving{{{0.4, 1.7}, 0.6}, {0.3, -1.1}, 2.3};
const BodyMotion other_moving{{{-0.5, 0.2}, -1.1}, {-0.7, 0.4}, -1.9};

TEST(PlaneContactMotion, ADiscOnALineIsThatOfTheModel) {
  const PlanarScene scene{
      .bodies = {{.name = "disc", .mass = 1., .inertia = 1., .shape = disc(0.5)}},
      .ground = {{.name = "line", .shape = half_plane(), .pose = {{0.1, 0.2}, 0.3}}}};
  const BodyMotion line{{{0.1, 0.2}, 0.3}, {}, 0.};
  const Compared c = compare(scene, 0, moving, disc(0.5), line, half_plane(), {0, 1});
  expect_same(c, 1);
  // Rolling: the lever is exact, and the material points in contact have no bias.
  EXPECT_EQ(c.here.normal[0][2], 0.);
  EXPECT_EQ(c.here.tangent[0][2], 0.5);
  EXPECT_EQ(c.here.bias, (Vec2{}));
}

TEST(PlaneContactMotion, ACornerOnALineIsThatOfTheModel) {
  const std::vector<Point> corners{{-0.4, -0.3}, {0.7, -0.2}, {0.1, 0.9}};
  const PlanarScene scene{
      .bodies = {{.name = "p", .mass = 1., .inertia = 1., .shape = polygon(corners)}},
      .ground = {{.name = "line", .shape = half_plane(), .pose = {{0.1, 0.2}, 0.3}}}};
  const BodyMotion line{{{0.1, 0.2}, 0.3}, {}, 0.};
  for (std::size_t k = 0; k < 3; ++k) {
    const FeaturePair pair{static_cast<Feature>(2 * k), 1};
    const Compared c = compare(scene, k, moving, polygon(corners), line, half_plane(), pair);
    expect_same(c, 1);
    EXPECT_GT(std::abs(c.here.bias.n), 0.05);
    EXPECT_NEAR(c.here.t.x, std::cos(0.3), tight);
    EXPECT_NEAR(c.here.t.y, std::sin(0.3), tight);
  }
}

TEST(PlaneContactMotion, TwoDiscsAreThoseOfTheModel) {
  const PlanarScene scene{.bodies = {{.name = "a", .mass = 1., .inertia = 1., .shape = disc(0.5)},
                                     {.name = "b", .mass = 1., .inertia = 1., .shape = disc(0.7)}}};
  const Compared c = compare(scene, 0, moving, disc(0.5), other_moving, disc(0.7), {0, 0});
  expect_same(c, 2);
  EXPECT_GT(std::abs(c.here.bias.t), 0.1);
}

// A disc rolls on a moving disc, once as vertices, once as ellipses with equal axes.
TEST(PlaneContactMotion, RoundEllipsesAreDiscs) {
  const ContactMotion a = contact_motion(disc(0.5), moving, disc(0.7), other_moving, {0, 0});
  for (const bool both : {false, true}) {
    const Shape first = both ? ellipse({0.5, 0.5}) : disc(0.5);
    const ContactMotion b =
        contact_motion(first, moving, ellipse({0.7, 0.7}), other_moving, {0, 0});
    EXPECT_NEAR(b.gap, a.gap, tight);
    EXPECT_NEAR(length(b.point - a.point), 0., tight);
    EXPECT_NEAR(b.velocity.n, a.velocity.n, 1e-13);
    EXPECT_NEAR(b.velocity.t, a.velocity.t, 1e-13);
    EXPECT_NEAR(b.bias.n, a.bias.n, 1e-13);
    EXPECT_NEAR(b.bias.t, a.bias.t, 1e-13);
  }
}

// An ellipse spinning in place above a line: gap = y - h(angle), h^2 = a^2 sin^2 + b^2 cos^2.
TEST(PlaneContactMotion, ASpinningEllipseOverALine) {
  const double a = 2.;
  const double b = 0.5;
  const double angle = 0.7;
  const double spin = 1.3;
  const BodyMotion m{{{0., 3.}, angle}, {}, spin};
  const ContactMotion c = contact_motion(ellipse({a, b}), m, half_plane(), {}, {0, 1});
  const double s = std::sin(angle);
  const double co = std::cos(angle);
  const double h = std::sqrt(a * a * s * s + b * b * co * co);
  const double h1 = (a * a - b * b) * s * co / h;
  const double h2 = a * a * b * b / (h * h * h) - h;
  EXPECT_NEAR(c.gap, 3. - h, tight);
  EXPECT_NEAR(c.velocity.n, -h1 * spin, 1e-14);
  EXPECT_NEAR(c.velocity.t, h * spin, 1e-14);
  EXPECT_NEAR(c.bias.n, -h2 * spin * spin, 1e-13);
  EXPECT_NEAR(c.bias.t, h1 * spin * spin, 1e-13);
}

}  // namespace
}  // namespace carom::shapes::plane
