// SPDX-License-Identifier: Apache-2.0
// Shapes in space: hulls, inertia, and the contacts of scenes whose answer is known.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include <carom/core/error.hpp>
#include <carom/mechanics/contact_frame.hpp>
#include <carom/mechanics/shapes/space/features.hpp>
#include <carom/mechanics/shapes/space/mass.hpp>

namespace carom::shapes::space {
namespace {

constexpr double tight = 1e-14;
const V3 up{0., 0., 1.};

Rotation<double> about(const V3& axis, double angle) {
  const double s = std::sin(0.5 * angle);
  return rotation_of({std::cos(0.5 * angle), s * axis.x, s * axis.y, s * axis.z});
}

std::string field_of(const Solid& solid, const ShapeOptions& options = {}) {
  try {
    static_cast<void>(shape_of(solid, options, "shape."));
  } catch (const InputError& e) {
    return e.field();
  }
  return "";
}

TEST(SpaceShapesUnit, WrongLengthsAreRefusedByName) {
  EXPECT_EQ(field_of(Sphere{.radius = -1.}), "shape.radius");
  EXPECT_EQ(field_of(Capsule{.radius = 1., .length = 0.}), "shape.length");
  EXPECT_EQ(field_of(Box{.size = {1., std::nan(""), 1.}}), "shape.size[1]");
  EXPECT_EQ(field_of(Box{.size = {1., 2., 3.}, .rounding = 0.5}), "shape.rounding");
  EXPECT_EQ(field_of(Cylinder{.radius = 1., .length = 1., .rounding = -0.1}), "shape.rounding");
  EXPECT_EQ(field_of(Cone{.radius = 1., .height = -2.}), "shape.height");
  EXPECT_EQ(field_of(Disc{.radius = 1.}, {.rim_points = 2}), "shape.rim_points");
  EXPECT_EQ(field_of(Sphere{}, {.offset = {0., std::nan(""), 0.}}), "shape.offset[1]");
  EXPECT_EQ(field_of(HalfSpace{.normal = {0., 0., 0.}}), "shape.normal");
  EXPECT_EQ(field_of(Polyhedron{}), "shape.vertices");
  EXPECT_EQ(field_of(Polyhedron{.vertices = {{0., 0., 0.}, {1., 0., 0.}, {0., 1., 0.}}}),
            "shape.vertices");
  const std::vector<World3> tetrahedron{{0., 0., 0.}, {1., 0., 0.}, {0., 1., 0.}, {0., 0., 1.}};
  EXPECT_EQ(field_of(Polyhedron{.vertices = tetrahedron}), "");
  EXPECT_EQ(field_of(Polyhedron{.vertices = tetrahedron, .rounding = 0.14}), "");
  // Its centroid is at 1/4 of each axis, 1/(4 sqrt 3) = 0.144 from the nearest face.
  EXPECT_EQ(field_of(Polyhedron{.vertices = tetrahedron, .rounding = 0.15}), "shape.rounding");
  EXPECT_THROW(static_cast<void>(mass_of(Solid(HalfSpace{}))), InputError);
}

TEST(SpaceShapesUnit, CoplanarFacesAreOneAndInnerPointsAreNone) {
  std::vector<V3> grid;
  for (const double x : {-1., 0., 1.}) {
    for (const double y : {-1., 0., 1.}) {
      for (const double z : {-1., 0., 1.}) grid.push_back({x, y, z});
    }
  }
  const Polytope cube = hull_of(grid, "points");
  EXPECT_EQ(cube.vertices.size(), 8u);
  EXPECT_EQ(cube.edges.size(), 12u);
  EXPECT_EQ(cube.faces.size(), 6u);
  EXPECT_EQ(cube.edges_at(0).size(), 3u);
  const Polytope square = hull_of(
      std::vector<V3>{
          {0., 0., 0.}, {1., 0., 0.}, {1., 1., 0.}, {0., 1., 0.}, {0.5, 0.5, 0.}, {0.5, 0., 0.}},
      "points");
  EXPECT_EQ(square.vertices.size(), 4u);
  EXPECT_EQ(square.faces.size(), 2u);
  const Polytope segment =
      hull_of(std::vector<V3>{{0., 0., 0.}, {1., 1., 1.}, {0.5, 0.5, 0.5}}, "points");
  EXPECT_EQ(segment.vertices.size(), 2u);
  EXPECT_EQ(segment.edges.size(), 1u);
}

/// Inertia by a million random points of a box about the solid.
void expect_moments(const Solid& solid, const World3& half, const auto& inside) {
  const MassMoments m = mass_of(solid);
  std::mt19937_64 engine(1);
  std::uniform_real_distribution<double> part(-1., 1.);
  constexpr int count = 1000000;
  int hits = 0;
  Mat3 sum{};
  V3 first{};
  for (int i = 0; i < count; ++i) {
    const V3 p{half[0] * part(engine), half[1] * part(engine), half[2] * part(engine)};
    if (!inside(p)) continue;
    ++hits;
    first = first + p;
    const double x[] = {p.x, p.y, p.z};
    for (std::size_t a = 0; a < 3; ++a) {
      for (std::size_t b = 0; b < 3; ++b) sum[a][b] += x[a] * x[b];
    }
  }
  // Five standard deviations of the mean of numbers below 1 are 5e-3 of it.
  const double volume = 8. * half[0] * half[1] * half[2] * hits / count;
  EXPECT_NEAR(m.volume, volume, 5e-3 * volume);
  EXPECT_NEAR(norm((1. / hits) * first - m.centroid), 0., 5e-3);
  for (std::size_t a = 0; a < 3; ++a) {
    for (std::size_t b = 0; b < 3; ++b) EXPECT_NEAR(m.spread[a][b], sum[a][b] / hits, 3e-3);
  }
}

TEST(SpaceShapesUnit, InertiaOfRoundedSolidsByRandomPoints) {
  const auto beyond = [](double x, double core) { return std::max(std::abs(x) - core, 0.); };
  expect_moments(Box{.size = {1., 1.4, 1.8}, .rounding = 0.3}, {0.5, 0.7, 0.9}, [&](const V3& p) {
    return norm(V3{beyond(p.x, 0.2), beyond(p.y, 0.4), beyond(p.z, 0.6)}) <= 0.3;
  });
  expect_moments(Cylinder{.radius = 0.8, .length = 1.6, .rounding = 0.4}, {0.8, 0.8, 0.8},
                 [&](const V3& p) {
                   return norm(V3{beyond(std::hypot(p.x, p.y), 0.4), beyond(p.z, 0.4), 0.}) <= 0.4;
                 });
  expect_moments(Cone{.radius = 0.8, .height = 1.}, {0.8, 0.8, 0.75}, [&](const V3& p) {
    return p.z >= -0.25 && std::hypot(p.x, p.y) <= 0.8 * (0.75 - p.z);
  });
}

TEST(SpaceShapesUnit, InertiaInLimits) {
  constexpr double almost = 1. - 1e-12;
  for (const Solid& ball : {Solid(Sphere{.radius = 1.}), Solid(Box{{2., 2., 2.}, almost}),
                            Solid(Cylinder{1., 2., almost}), Solid(Capsule{1., 1e-12})}) {
    const MassMoments m = mass_of(ball);
    EXPECT_NEAR(m.volume, 4. / 3. * std::numbers::pi, 1e-11) << name(ball);
    const Mat3 I = inertia_of(m, 5.);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(I[k][k], 2., 1e-11) << name(ball);
  }
  const Mat3 a = inertia_of(mass_of(Solid(Cylinder{1., 4., almost})), 1.);
  const Mat3 b = inertia_of(mass_of(Solid(Capsule{1., 2.})), 1.);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(a[k][k], b[k][k], 1e-11);
  // A box by its corners, elsewhere and turned.
  Polyhedron corners;
  const Rotation<double> turn = about(unit(V3{1., 2., 3.}), 0.7);
  const V3 centre{3., -1., 2.};
  const Shape box = shape_of(Box{.size = {1., 2., 3.}});
  for (const V3& v : box.core.vertices) corners.vertices.push_back(world(centre + turn * v));
  const MassMoments m = mass_of(corners);
  EXPECT_NEAR(m.volume, 6., 1e-13);
  EXPECT_NEAR(norm(m.centroid - centre), 0., 1e-13);
  const V3 axis = turn.axes[2];
  const Mat3 I = inertia_of(m, 12.);
  const double x[] = {axis.x, axis.y, axis.z};
  double along = 0.;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) along += x[i] * I[i][j] * x[j];
  }
  EXPECT_NEAR(along, 5., 1e-12);  // 12 (1 + 4)/12
}

TEST(SpaceShapesUnit, BoundsAndOffsets) {
  const Shape s = shape_of(Box{.size = {2., 2., 2.}}, {.offset = {0., 0., 1.}});
  EXPECT_NEAR(s.bounding_radius, std::sqrt(6.), tight);
  EXPECT_EQ(s.smallest_length, 2.);
  const Shape c = shape_of(Cylinder{.radius = 3., .length = 2.}, {.offset = {1., 0., 0.}});
  EXPECT_NEAR(c.bounding_radius, std::sqrt(17.), tight);
  const Shape floor = shape_of(HalfSpace{});
  // Its lowest corner is at the mass centre's height.
  EXPECT_NEAR(distance({.shape = &s, .pose = {.position = {0., 0., 0.5}, .turn = {}}},
                       {.shape = &floor, .pose = {}}),
              0.5, tight);
}

// --- faces on faces
// -----------------------------------------------------------------------------------

struct Stack {
  Shape below, above;
  Placed B, A;
  std::vector<NearPair> pairs;

  Stack(const Solid& lower, const Solid& upper, const Pose& pose)
      : below(shape_of(lower)), above(shape_of(upper)) {
    B = {.shape = &below, .pose = {}};
    A = {.shape = &above, .pose = pose};
  }
  Stack(const Stack&) = delete;
  Stack& operator=(const Stack&) = delete;

  /// Closed pairs of A on B.
  std::vector<NearPair> closed(double reach = 1e-9) {
    near_features(A, B, reach, pairs);
    return pairs;
  }
  [[nodiscard]] V3 point(const NearPair& p) const { return A.pose.position + p.geometry.arm1; }
};

const Solid cube = Box{.size = {1., 1., 1.}};

/// Whether there is exactly one contact at each point, with the normal upward.
void expect_points(const Stack& s, const std::vector<NearPair>& pairs,
                   const std::vector<V3>& expected, double within = 1e-12) {
  EXPECT_EQ(pairs.size(), expected.size());
  for (const V3& p : expected) {
    const auto here = std::count_if(pairs.begin(), pairs.end(), [&](const NearPair& q) {
      return norm(s.point(q) - p) <= within;
    });
    EXPECT_EQ(here, 1) << p.x << " " << p.y << " " << p.z;
  }
  for (const NearPair& q : pairs) {
    EXPECT_NEAR(norm(q.geometry.normal - up), 0., 1e-12);
    EXPECT_NEAR(q.geometry.gap, 0., tight);
  }
}

TEST(SpaceShapesUnit, EqualCubesOnEachOtherTouchInFourCorners) {
  Stack s(cube, cube, {.position = {0., 0., 1.}, .turn = {}});
  const auto pairs = s.closed();
  expect_points(s, pairs, {{.5, .5, .5}, {-.5, .5, .5}, {.5, -.5, .5}, {-.5, -.5, .5}});
  for (const NearPair& p : pairs) EXPECT_EQ(p.pair.kind, PairKind::vertex_face);
  std::vector<NearPair> back;
  near_features(s.B, s.A, 1e-9, back);
  ASSERT_EQ(back.size(), 4u);
  for (const NearPair& p : pairs) {
    EXPECT_TRUE(std::any_of(back.begin(), back.end(),
                            [&](const NearPair& q) { return q.pair == exchange(p.pair); }));
  }
}

TEST(SpaceShapesUnit, ShiftedCubesTouchInTheCornersOfTheCommonRectangle) {
  Stack s(cube, cube, {.position = {0.3, 0.2, 1.}, .turn = {}});
  const auto pairs = s.closed();
  expect_points(s, pairs, {{.5, .5, .5}, {-.2, .5, .5}, {.5, -.3, .5}, {-.2, -.3, .5}});
  const auto crossings = std::count_if(pairs.begin(), pairs.end(), [](const NearPair& p) {
    return p.pair.kind == PairKind::edge_edge;
  });
  EXPECT_EQ(crossings, 2);
}

TEST(SpaceShapesUnit, ATurnedCubeTouchesInAnOctagon) {
  Stack s(cube, cube, {.position = {0., 0., 1.}, .turn = about(up, 0.25 * std::numbers::pi)});
  const double k = 0.5 * (std::sqrt(2.) - 1.);
  expect_points(s, s.closed(),
                {{.5, k, .5},
                 {.5, -k, .5},
                 {-.5, k, .5},
                 {-.5, -k, .5},
                 {k, .5, .5},
                 {k, -.5, .5},
                 {-k, .5, .5},
                 {-k, -.5, .5}});
}

// Sides at a small angle cross near their middles. The normal is upward to rounding all the same.
TEST(SpaceShapesUnit, AlmostAlignedCubesHaveTheNormalOfTheFaces) {
  for (const double angle : {1e-12, 1e-10, 1e-8, 1e-6, 1e-4, 1e-2}) {
    Stack s(cube, cube, {.position = {0., 0., 1.}, .turn = about(up, angle)});
    const auto pairs = s.closed();
    EXPECT_GE(pairs.size(), 4u) << angle;
    EXPECT_LE(pairs.size(), 8u) << angle;
    for (const NearPair& p : pairs) {
      EXPECT_NEAR(norm(p.geometry.normal - up), 0., 1e-12) << angle;
      EXPECT_NEAR(p.geometry.gap, 0., tight) << angle;
      const V3 at = s.point(p);
      EXPECT_NEAR(std::max(std::abs(at.x), std::abs(at.y)), 0.5, 1.01 * angle + 1e-12);
    }
    for (const double x : {-0.5, 0.5}) {  // every corner has one
      for (const double y : {-0.5, 0.5}) {
        EXPECT_EQ(std::count_if(pairs.begin(), pairs.end(),
                                [&](const NearPair& p) {
                                  return norm(s.point(p) - V3{x, y, 0.5}) <= angle + 1e-12;
                                }),
                  1)
            << angle;
      }
    }
  }
}

TEST(SpaceShapesUnit, RoundedBoxesTouchInTheCornersOfTheirCores) {
  const Solid rounded = Box{.size = {1., 1., 1.}, .rounding = 0.1};
  Stack s(rounded, rounded, {.position = {0.3, 0.2, 1.}, .turn = {}});
  expect_points(s, s.closed(), {{.4, .4, .5}, {-.1, .4, .5}, {.4, -.2, .5}, {-.1, -.2, .5}});
}

// The body is tipped about an edge of the lower one: the normal of the crossings turns with the
// upper face, and the pairs stay closed.
TEST(SpaceShapesUnit, CrossingsFollowTheFaceThatRocksOnAnEdge) {
  Stack s(cube, Box{.size = {2., 0.6, 1.}}, {.position = {0.6, 0., 1.}, .turn = {}});
  std::vector<NearPair> crossings;
  for (const NearPair& p : s.closed()) {
    if (s.point(p).x > 0.) crossings.push_back(p);
  }
  ASSERT_EQ(crossings.size(), 2u);  // sides of the upper over the right edge of the lower
  const V3 hinge{0.5, 0., 0.5};
  const Rotation<double> turn = about({0., 1., 0.}, 0.3);
  const Pose tipped{.position = hinge + turn * (s.A.pose.position - hinge), .turn = turn};
  for (const NearPair& p : crossings) {
    EXPECT_EQ(p.pair.kind, PairKind::edge_edge);
    const auto g = contact_geometry(p.pair, s.above, tipped, s.below, s.B.pose);
    EXPECT_NEAR(g.gap, 0., tight);
    EXPECT_NEAR(norm(g.normal - turn * up), 0., tight);
  }
  s.A.pose = tipped;
  EXPECT_EQ(s.closed().size(), 2u);
}

TEST(SpaceShapesUnit, CornerOnCornerIsOneContactAlongTheAxisOfLeastOverlap) {
  Stack s(cube, cube, {.position = {1., 1., 1.}, .turn = {}});
  EXPECT_EQ(s.closed().size(), 1u);
  // Deeper along x and y than along z.
  s.A.pose.position = {1. - 1e-10, 1. - 1e-10, 1.};
  const auto one = s.closed();
  ASSERT_EQ(one.size(), 1u);
  s.A.pose.position = {1. - 1e-6, 1. - 1e-6, 1.};
  for (const NearPair& p : s.closed()) {
    EXPECT_NEAR(norm(p.geometry.normal - up), 0., tight);
  }
  EXPECT_EQ(s.pairs.size(), 4u);
}

TEST(SpaceShapesUnit, MemoryIsReused) {
  Stack s(cube, cube, {.position = {0., 0., 1.}, .turn = about(up, 0.5)});
  s.closed(0.2);
  const auto* data = s.pairs.data();
  for (int k = 0; k < 10; ++k) near_features(s.A, s.B, 0.2, s.pairs);
  EXPECT_EQ(s.pairs.data(), data);
}

// --- one feature after the other
// ----------------------------------------------------------------------

TEST(SpaceShapesUnit, AVertexThatLeavesAFaceHandsOverToTwoCrossings) {
  Stack s(Box{.size = {4., 4., 1.}}, cube, {.position = {1.3, 0., 1.}, .turn = about(up, 0.3)});
  // The corner farthest to the right.
  const auto pairs = s.closed();
  const auto right =
      std::max_element(pairs.begin(), pairs.end(),
                       [&](const auto& p, const auto& q) { return s.point(p).x < s.point(q).x; });
  const FeaturePair pair = right->pair;
  ASSERT_EQ(pair.kind, PairKind::vertex_face);
  const double to_go = 2. - s.point(*right).x;
  EXPECT_NEAR(right->margin, to_go, tight);
  s.A.pose.position.x += to_go + 1e-11;
  EXPECT_NEAR(margin(pair, s.above, s.A.pose, s.below, s.B.pose), -1e-11, 1e-14);
  std::vector<NearPair> next;
  successors(pair, s.A, s.B, 1e-9, next);
  ASSERT_EQ(next.size(), 2u);
  for (const NearPair& p : next) {
    EXPECT_EQ(p.pair.kind, PairKind::edge_edge);
    EXPECT_NEAR(norm(p.geometry.normal - up), 0., tight);
    EXPECT_NEAR(p.geometry.gap, 0., tight);
    EXPECT_GE(p.margin, 0.);
  }
  // And back.
  const FeaturePair crossing = next[0].pair;
  s.A.pose.position.x -= 2e-11;
  EXPECT_LT(margin(crossing, s.above, s.A.pose, s.below, s.B.pose), 0.);
  successors(crossing, s.A, s.B, 1e-9, next);
  ASSERT_EQ(next.size(), 1u);
  EXPECT_EQ(next[0].pair, pair);
}

TEST(SpaceShapesUnit, ARoundCornerRollsOverAnEdgeWithoutAJump) {
  const Shape ball = shape_of(Sphere{.radius = 0.2});
  const Shape box = shape_of(Box{.size = {2., 2., 2.}});
  const Placed B{.shape = &box, .pose = {}};
  std::vector<NearPair> pairs, next;
  Placed A{.shape = &ball, .pose = {.position = {0.9, 0., 1.2}, .turn = {}}};
  near_features(A, B, 0.01, pairs);
  ASSERT_EQ(pairs.size(), 1u);
  EXPECT_EQ(pairs[0].pair.kind, PairKind::vertex_face);
  EXPECT_NEAR(pairs[0].margin, 0.1, tight);
  A.pose.position.x = 1. + 1e-11;
  successors(pairs[0].pair, A, B, 1e-9, next);
  ASSERT_EQ(next.size(), 1u);
  EXPECT_EQ(next[0].pair.kind, PairKind::vertex_edge);
  EXPECT_NEAR(norm(next[0].geometry.normal - up), 0., 1e-9);
  const double h = std::sqrt(0.5) * 0.2;
  A.pose.position = {1. + h, 0., 1. + h};
  near_features(A, B, 0.01, pairs);
  ASSERT_EQ(pairs.size(), 1u);
  EXPECT_EQ(pairs[0].pair, next[0].pair);
  EXPECT_NEAR(pairs[0].geometry.gap, 0., tight);
  EXPECT_NEAR(pairs[0].margin, h, tight);  // to either face
}

TEST(SpaceShapesUnit, CrossedRodsKeepTheirNormal) {
  const Shape rod = shape_of(Rod{.length = 2.});
  const Placed B{.shape = &rod, .pose = {.position = {}, .turn = about({0., 1., 0.}, 1.3)}};
  Placed A{.shape = &rod, .pose = {.position = {0., 0.1, 0.}, .turn = {}}};
  std::vector<NearPair> pairs;
  near_features(A, B, 0.2, pairs);
  ASSERT_EQ(pairs.size(), 1u);
  EXPECT_EQ(pairs[0].pair.kind, PairKind::edge_edge);
  EXPECT_NEAR(pairs[0].geometry.gap, 0.1, tight);
  EXPECT_NEAR(distance(A, B), 0.1, tight);
  A.pose.position.y = -0.05;  // through: the pair goes on, with the same normal
  const auto g = contact_geometry(pairs[0].pair, rod, A.pose, rod, B.pose);
  EXPECT_NEAR(g.gap, -0.05, tight);
  EXPECT_NEAR(norm(g.normal - V3{0., 1., 0.}), 0., tight);
}

TEST(SpaceShapesUnit, CapsulesAtASmallAngleAreExact) {
  const Shape capsule = shape_of(Capsule{.radius = 0.1, .length = 2.});
  const Placed B{.shape = &capsule, .pose = {}};
  for (const double angle : {0., 1e-12, 1e-9, 1e-7, 1e-5, 1e-3}) {
    const Placed A{.shape = &capsule,
                   .pose = {.position = {0., 0.3, 0.}, .turn = about({0., 1., 0.}, angle)}};
    EXPECT_NEAR(distance(A, B), 0.1, tight) << angle;
  }
}

// --- ground and round solids
// --------------------------------------------------------------------------

TEST(SpaceShapesUnit, TangentsFollowTheGround) {
  const World3 n{0.3, -0.2, 0.9};
  const Shape floor = shape_of(HalfSpace{.normal = n});
  const Shape box = shape_of(cube);
  std::vector<NearPair> pairs;
  near_features({.shape = &box, .pose = {}}, {.shape = &floor, .pose = {}}, 10., pairs);
  const ContactFrame frame = frame_of(n);
  ASSERT_EQ(pairs.size(), 8u);
  for (const NearPair& p : pairs) {
    EXPECT_EQ(world(p.geometry.normal), frame.normal);
    EXPECT_EQ(world(p.geometry.tangent1), frame.tangent1);
    EXPECT_NEAR(norm(p.geometry.tangent2 - vector(frame.tangent2)), 0., tight);
    EXPECT_TRUE(std::isinf(p.margin));
  }
}

TEST(SpaceShapesUnit, ADiscThatComesToLieFlatIsCarriedByItsRimPoints) {
  const Shape disc = shape_of(Disc{.radius = 2.}, {.rim_points = 5});
  const Shape floor = shape_of(HalfSpace{});
  const Placed F{.shape = &floor, .pose = {}};
  std::vector<NearPair> pairs;
  const double tilt = 1e-3;
  Placed D{.shape = &disc,
           .pose = {.position = {0., 0., 2. * std::sin(tilt)}, .turn = about({1., 0., 0.}, tilt)}};
  near_features(D, F, 0.1, pairs);
  ASSERT_EQ(pairs.size(), 1u);
  EXPECT_EQ(pairs[0].pair.kind, PairKind::rim_face);
  EXPECT_NEAR(pairs[0].geometry.gap, 0., 1e-15);
  EXPECT_NEAR(pairs[0].margin, 2. * (std::sin(tilt) - flat_tilt), tight);
  const FeaturePair rim = pairs[0].pair;
  D.pose = {.position = {}, .turn = about({1., 0., 0.}, 0.999 * flat_tilt)};
  EXPECT_LT(margin(rim, disc, D.pose, floor, F.pose), 0.);
  successors(rim, D, F, 1e-6, pairs);
  EXPECT_EQ(pairs.size(), 5u);
  near_features(D, F, 1e-6, pairs);
  ASSERT_EQ(pairs.size(), 5u);
  for (const NearPair& p : pairs) {
    EXPECT_EQ(p.pair.kind, PairKind::vertex_face);
    EXPECT_NEAR(norm(p.geometry.arm1), 2., tight);
  }
}

TEST(SpaceShapesUnit, ConeAndCylinderOnTheirSides) {
  const Shape floor = shape_of(HalfSpace{});
  const Placed F{.shape = &floor, .pose = {}};
  std::vector<NearPair> pairs;
  const Shape cylinder = shape_of(Cylinder{.radius = 0.5, .length = 2., .rounding = 0.1});
  const double lie = 0.5 * std::numbers::pi;
  near_features(
      {.shape = &cylinder, .pose = {.position = {0., 0., 0.5}, .turn = about({1., 0., 0.}, lie)}},
      F, 1e-9, pairs);
  ASSERT_EQ(pairs.size(), 2u);
  for (const NearPair& p : pairs) {
    EXPECT_NEAR(p.geometry.gap, 0., 1e-15);
    EXPECT_NEAR(std::abs(p.geometry.arm1.y), 0.9, tight);
    EXPECT_NEAR(p.geometry.arm1.z, -0.5, tight);
  }
  // A cone with its mantle on the floor: half angle with tan = r/h.
  const Shape cone = shape_of(Cone{.radius = 0.6, .height = 0.8});
  const double half = std::atan2(0.6, 0.8);
  const Placed C{.shape = &cone,
                 .pose = {.position = {0., 0., 0.6 * std::sin(half)},
                          .turn = about({1., 0., 0.}, lie + half)}};
  near_features(C, F, 0.1, pairs);
  ASSERT_EQ(pairs.size(), 2u);
  // The apex and the rim lie in the floor: their distance is the slant, 1.
  EXPECT_NEAR(pairs[0].geometry.gap, 0., tight);
  EXPECT_NEAR(pairs[1].geometry.gap, 0., tight);
  EXPECT_NEAR(norm(pairs[0].geometry.arm1 - pairs[1].geometry.arm1), 1., tight);
}

TEST(SpaceShapesUnit, ASphereAgainstEveryPartOfACylinder) {
  const Shape cylinder = shape_of(Cylinder{.radius = 1., .length = 2.});
  const Shape ball = shape_of(Sphere{.radius = 0.25});
  const Placed C{.shape = &cylinder, .pose = {}};
  const auto gap = [&](const V3& at) {
    return distance({.shape = &ball, .pose = {.position = at, .turn = {}}}, C);
  };
  EXPECT_NEAR(gap({0.3, 0.2, 2.}), 0.75, tight);
  EXPECT_NEAR(gap({1.2, 1.6, 0.3}), 0.75, tight);
  EXPECT_NEAR(gap({1.6 * 0.6 + 0.6 * 0.4, 1.6 * 0.8 + 0.8 * 0.4, 2.}), std::sqrt(2.) - 0.25, tight);
  EXPECT_NEAR(gap({0., 0.9, 0.}), -0.35, tight);  // its centre 0.1 inside
  EXPECT_NEAR(gap({0., 0., 0.95}), -0.3, tight);
}

// A capsule over the flat end of a cylinder, longer than it: the ends of the common segment.
TEST(SpaceShapesUnit, ACapsuleAcrossAFlatEndTouchesWhereItCrossesTheRim) {
  const Shape cylinder = shape_of(Cylinder{.radius = 1., .length = 2.});
  const Shape capsule = shape_of(Capsule{.radius = 0.1, .length = 4.});
  const Placed C{.shape = &cylinder, .pose = {}};
  const Placed X{
      .shape = &capsule,
      .pose = {.position = {0., 0.6, 1.1}, .turn = about({0., 1., 0.}, 0.5 * std::numbers::pi)}};
  EXPECT_NEAR(distance(X, C), 0., tight);
  std::vector<NearPair> pairs;
  near_features(X, C, 1e-9, pairs);
  ASSERT_EQ(pairs.size(), 2u);
  for (const NearPair& p : pairs) {
    EXPECT_EQ(p.pair.kind, PairKind::edge_rim);
    EXPECT_NEAR(std::abs(p.geometry.arm2.x), 0.8, 1e-12);
    EXPECT_NEAR(norm(p.geometry.normal - up), 0., 1e-12);
  }
}

// The same, off the middle of the end, rocks: the contact of either side is smooth while it is in
// range, and in range there is one of both.
TEST(SpaceShapesUnit, ACapsuleThatRocksOnARimKeepsItsContact) {
  const Shape cylinder = shape_of(Cylinder{.radius = 1., .length = 2.});
  const Shape capsule = shape_of(Capsule{.radius = 0.5, .length = 4.});
  const auto margin_and_gap = [&](double y, double angle, std::uint8_t side) {
    const Pose pose{.position = {0., y, 1.5},
                    .turn = about({0., 1., 0.}, 0.5 * std::numbers::pi + angle)};
    const FeaturePair pair{.kind = PairKind::edge_rim, .side = side, .two = 1};
    return std::pair{margin(pair, capsule, pose, cylinder, {}),
                     contact_geometry(pair, capsule, pose, cylinder, Pose{}).gap};
  };
  constexpr int steps = 2000;
  constexpr double step = 0.9 / steps;
  for (const double y : {0., 0.5, 0.9, 0.99, 1.01, 1.2}) {
    for (int k = 0; k < steps; ++k) {
      const double angle = -0.45 + (k + 0.3) * step;
      int in_range = 0;
      for (const std::uint8_t side : {std::uint8_t{0}, std::uint8_t{1}}) {
        const auto [here, gap] = margin_and_gap(y, angle, side);
        const auto [there, next] = margin_and_gap(y, angle + step, side);
        if (here >= 0.) ++in_range;
        if (here < 0. || there < 0.) continue;
        EXPECT_LE(std::abs(next - gap), 2. * step) << y << " " << angle;
      }
      EXPECT_EQ(in_range, 1) << y << " " << angle;
    }
  }
}

TEST(SpaceShapesUnit, ACylinderStandsOnABoxWithItsRimPoints) {
  const Shape table = shape_of(Box{.size = {4., 4., 1.}});
  const Shape cylinder = shape_of(Cylinder{.radius = 1., .length = 2.}, {.rim_points = 12});
  std::vector<NearPair> pairs;
  near_features({.shape = &cylinder, .pose = {.position = {0., 0., 1.5}, .turn = {}}},
                {.shape = &table, .pose = {}}, 1e-9, pairs);
  ASSERT_EQ(pairs.size(), 12u);
  for (const NearPair& p : pairs) {
    EXPECT_EQ(p.pair.kind, PairKind::vertex_face);
    EXPECT_NEAR(norm(p.geometry.normal - up), 0., tight);
  }
}

// The mantle of a cone has a mirror image above the apex, where there is nothing.
TEST(SpaceShapesUnit, ACapsuleAboveAnApexIsApart) {
  const Shape cone = shape_of(Cone{.radius = 0.4, .height = 0.8});
  const Shape capsule = shape_of(Capsule{.radius = 0.2, .length = 0.7});
  for (const double tilt : {0., 1e-3, 0.3, 0.8, 1.3}) {
    const Pose above{.position = {0., 0., 2.}, .turn = about(V3{1., 0., 0.}, tilt)};
    // From the apex at 0.6 to the lower end of the axis, if this is nearest: cos(tilt) > 0.25 here.
    const double across = 0.35 * std::sin(tilt), down = 1.4 - 0.35 * std::cos(tilt);
    EXPECT_NEAR(distance({.shape = &capsule, .pose = above}, {.shape = &cone, .pose = {}}),
                std::sqrt(across * across + down * down) - 0.2, 1e-14)
        << tilt;
  }
  // A side along the axis touches both rims of a cylinder.
  const Shape cylinder = shape_of(Cylinder{.radius = 0.4, .length = 0.6});
  EXPECT_NEAR(distance({.shape = &capsule, .pose = {.position = {0.36, 0.48, 0.}, .turn = {}}},
                       {.shape = &cylinder, .pose = {}}),
              0., 1e-14);
}

}  // namespace
}  // namespace carom::shapes::space
