// SPDX-License-Identifier: Apache-2.0
// Assemblies in space: contact space, and contacts that are found.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>
#include <random>

#include <Eigen/LU>

#include <carom/core/error.hpp>
#include <carom/core/scalar.hpp>
#include <carom/mechanics/near_pairs.hpp>
#include <carom/mechanics/shapes/space/mass.hpp>
#include <carom/mechanics/shapes/space/points.hpp>
#include <carom/mechanics/spatial_assembly.hpp>
#include <carom/mechanics/spatial_bodies.hpp>
#include <carom/mechanics/spatial_touch.hpp>

namespace carom::test {
namespace {

namespace space = shapes::space;

constexpr double pi = std::numbers::pi;

class Random {
 public:
  explicit Random(unsigned seed) : random_(seed) {}
  double number(double low, double high) {
    return low + (high - low) * (static_cast<double>(random_() >> 11U) * 0x1p-53);
  }
  World3 vector(double size) {
    return {number(-size, size), number(-size, size), number(-size, size)};
  }

 private:
  std::mt19937_64 random_;
};

SpatialAssemblyBody sphere(std::string name, const World3& position, double radius) {
  const space::Sphere shape{.radius = radius};
  return {.name = std::move(name),
          .inertia = inertia_of(shape, 1.),
          .position = position,
          .shape = shape};
}

SpatialAssemblyBody box(std::string name, const World3& position, const World3& size,
                        const Mat3& orientation = identity3) {
  const space::Box shape{.size = size};
  return {.name = std::move(name),
          .inertia = inertia_of(shape, 1.),
          .orientation = orientation,
          .position = position,
          .shape = shape};
}

std::string said(const std::vector<SpatialAssemblyBody>& bodies, const TouchOptions& options) {
  try {
    (void)find_contacts(bodies, options);
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

// One contact of an assembly is what two bodies are by themselves.
TEST(SpatialAssembly, OneContactIsThatOfTwoBodies) {
  Random random(7);
  for (int trial = 0; trial < 200; ++trial) {
    SpatialAssembly a;
    for (int k = 0; k < 2; ++k) {
      const double x = random.number(1., 3.), y = random.number(1., 3.), z = random.number(1., 3.);
      a.bodies.push_back(
          {.name = k == 0 ? "a" : "b",
           .mass = random.number(0.1, 10.),
           .inertia = {{{y + z, 0., 0.}, {0., x + z, 0.}, {0., 0., x + y}}},
           .orientation = rotation(random.vector(1.), random.number(-3., 3.), "axis"),
           .position = random.vector(2.),
           .velocity = random.vector(1.),
           .spin = random.vector(1.)});
    }
    SpatialAssemblyContact c{.name = "c",
                             .first = 1,
                             .second = 0,
                             .point = random.vector(2.),
                             .frame = frame_of(random.vector(1.))};
    const bool alone = trial % 2 == 0;
    if (alone) {
      c.second = ground_body;
      c.surface_velocity = random.vector(1.);
    }
    a.contacts.push_back(c);
    const MultiAtImpact at = at_impact(a);

    const auto striking = [&](std::size_t i) {
      const SpatialAssemblyBody& b = a.bodies[i];
      return SpatialBody{.mass = b.mass,
                         .inertia = b.inertia,
                         .orientation = b.orientation,
                         .contact_offset = {c.point[0] - b.position[0], c.point[1] - b.position[1],
                                            c.point[2] - b.position[2]},
                         .velocity = b.velocity,
                         .spin = b.spin};
    };
    SpatialBodies pair{.first = striking(1), .frame = c.frame};
    pair.surface_velocity = c.surface_velocity;
    if (!alone) pair.second = striking(0);
    const BodiesAtImpact two(pair);
    const Sym3& G = two.contact().G;
    const double tolerance = 1e-13 * (G.nn + G.t11 + G.t22);
    const BlockMatrix& B = at.contact.G;
    EXPECT_NEAR(B(0, 0), G.nn, tolerance);
    EXPECT_NEAR(B(0, 1), G.n1, tolerance);
    EXPECT_NEAR(B(0, 2), G.n2, tolerance);
    EXPECT_NEAR(B(1, 1), G.t11, tolerance);
    EXPECT_NEAR(B(1, 2), G.t12, tolerance);
    EXPECT_NEAR(B(2, 2), G.t22, tolerance);
    const Vec3& v = two.contact().approach;
    EXPECT_NEAR(at.contact.approach[0], v.n, 1e-13);
    EXPECT_NEAR(at.contact.approach[1], v.t1, 1e-13);
    EXPECT_NEAR(at.contact.approach[2], v.t2, 1e-13);
    // And so is what becomes of them.
    const std::vector<double> after = velocity_after(*at.configuration, {1., 0.2, -0.3});
    const SpatialMotion m = two.after(0, {.n = 1., .t1 = 0.2, .t2 = -0.3});
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(after[6 + k], m.velocity[k], 1e-12);
      EXPECT_NEAR(after[9 + k], m.spin[k], 1e-12);
    }
  }
}

TEST(SpatialAssembly, GIsWhatItIsDefinedAs) {
  SpatialAssembly a;
  a.bodies = {box("low", {0., 0., 0.1}, {0.4, 0.4, 0.2}),
              box("up", {0.1, 0., 0.3}, {0.3, 0.2, 0.2}, rotation({0., 0., 1.}, 0.5, "axis")),
              sphere("ball", {0.1, 0., 0.45}, 0.05)};
  a.contacts = find_contacts(a.bodies, {.floor = true});
  ASSERT_EQ(a.contacts.size(), 10U);  // four on the floor, five under `up`, one under the ball
  const MultiAtImpact at = at_impact(a);
  const Eigen::MatrixXd M = at.configuration->M;
  const Eigen::MatrixXd W = at.configuration->W;
  const Eigen::MatrixXd G = W.transpose() * M.inverse() * W;
  EXPECT_LE((at.contact.G.dense() - G).cwiseAbs().maxCoeff(), rounding * G.maxCoeff());
  a.frictionless = true;
  const MultiAtImpact smooth = at_impact(a);
  EXPECT_EQ(smooth.contact.G.components(), 1U);
  EXPECT_DOUBLE_EQ(smooth.contact.G(2, 5), at.contact.G(6, 15));
}

TEST(SpatialAssembly, BodiesWithoutThicknessNeedAnInertia) {
  SpatialAssembly a;
  a.bodies.push_back({.name = "rod", .inertia = inertia_of(space::Rod{.length = 1.}, 1.)});
  a.contacts.push_back({.name = "c", .point = {0., 0., -0.5}});
  try {
    (void)at_impact(a);
    FAIL();
  } catch (const InputError& e) {
    EXPECT_EQ(std::string(e.what()),
              "bodies[0].inertia: must be > 0 about every axis, got 0 about one: give a body "
              "without thickness its own inertia");
  }
}

/// The points of a touch, sorted.
std::vector<World3> points(const SpatialTouch& t) {
  std::vector<World3> all;
  for (const auto& p : t.points) all.push_back(p.point);
  std::sort(all.begin(), all.end());
  return all;
}

void expect_points(const SpatialTouch& t, std::vector<World3> expect, const World3& normal) {
  std::sort(expect.begin(), expect.end());
  const auto found = points(t);
  ASSERT_EQ(found.size(), expect.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(found[i][k], expect[i][k], 1e-5) << i;
      EXPECT_NEAR(t.points[i].normal[k], normal[k], 1e-9) << i;
    }
  }
}

PlacedShape placed(const World3& size, const World3& position, const Mat3& R = identity3) {
  return {.shape = space::Box{.size = size}, .position = position, .orientation = R};
}

constexpr double tolerance = 1e-6;

TEST(SpatialTouch, FacesShareARegion) {
  // A small box on a larger one: its own corners. Shifted beyond the edge: what they share.
  const PlacedShape low = placed({4., 4., 1.}, {0., 0., 0.5});
  expect_points(touch(low, placed({2., 1., 1.}, {0., 0., 1.5}), tolerance),
                {{-1., -0.5, 1.}, {1., -0.5, 1.}, {1., 0.5, 1.}, {-1., 0.5, 1.}}, {0., 0., -1.});
  expect_points(touch(placed({2., 1., 1.}, {1.5, 0., 1.5}), low, tolerance),
                {{0.5, -0.5, 1.}, {2., -0.5, 1.}, {2., 0.5, 1.}, {0.5, 0.5, 1.}}, {0., 0., 1.});
  // Crossed beams: corners that are of neither.
  expect_points(
      touch(placed({4., 1., 1.}, {0., 0., 0.5}), placed({1., 4., 1.}, {0., 0., 1.5}), tolerance),
      {{-0.5, -0.5, 1.}, {0.5, -0.5, 1.}, {0.5, 0.5, 1.}, {-0.5, 0.5, 1.}}, {0., 0., -1.});
  // Two equal squares, one turned by 45 degrees: an octagon.
  const PlacedShape square = placed({2., 2., 1.}, {0., 0., 0.5});
  const PlacedShape turned =
      placed({2., 2., 1.}, {0., 0., 1.5}, rotation({0., 0., 1.}, pi / 4., "axis"));
  EXPECT_EQ(touch(square, turned, tolerance).points.size(), 8U);
  // Sides, and all tilted alike: nothing depends on the world's axes.
  const Mat3 R = rotation({1., 2., 3.}, 0.7, "axis");
  const World3 along{R[0][0], R[1][0], R[2][0]};
  const SpatialTouch tilted =
      touch(placed({1., 2., 3.}, {0., 0., 0.}, R), placed({1., 2., 3.}, along, R), tolerance);
  ASSERT_EQ(tilted.points.size(), 4U);
  EXPECT_NEAR(tilted.gap, 0., 1e-15);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(tilted.points[0].normal[k], -along[k], 1e-15);
}

TEST(SpatialTouch, EdgesAndCorners) {
  const PlacedShape floor = placed({4., 4., 1.}, {0., 0., -0.5});
  const double r = std::sqrt(0.5);
  // An edge on a face, a corner on a face, either order.
  const PlacedShape on_edge =
      placed({2., 1., 1.}, {0., 0., r}, rotation({1., 0., 0.}, pi / 4., "a"));
  expect_points(touch(on_edge, floor, tolerance), {{-1., 0., 0.}, {1., 0., 0.}}, {0., 0., 1.});
  expect_points(touch(floor, on_edge, tolerance), {{-1., 0., 0.}, {1., 0., 0.}}, {0., 0., -1.});
  const Mat3 upright = [] {  // its diagonal along z
    const Mat3 first = rotation({0., 0., 1.}, pi / 4., "a");
    const Mat3 second = rotation({0., 1., 0.}, std::atan(std::sqrt(2.)), "a");
    Mat3 both{};
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) {
        for (std::size_t k = 0; k < 3; ++k) both[i][j] += second[i][k] * first[k][j];
      }
    }
    return both;
  }();
  expect_points(
      touch(placed({1., 1., 1.}, {0.5, 0., std::sqrt(3.) / 2.}, upright), floor, tolerance),
      {{0.5, 0., 0.}}, {0., 0., 1.});
  // Two edges crossed.
  const PlacedShape below =
      placed({2., 1., 1.}, {0.25, 0., -r}, rotation({1., 0., 0.}, pi / 4., "a"));
  const PlacedShape above =
      placed({1., 2., 1.}, {0., -0.25, r}, rotation({0., 1., 0.}, pi / 4., "a"));
  expect_points(touch(above, below, tolerance), {{0., 0., 0.}}, {0., 0., 1.});
  // A sphere on a face, an edge and a corner.
  const auto ball = [](const World3& at) {
    return PlacedShape{.shape = space::Sphere{.radius = 0.5}, .position = at};
  };
  expect_points(touch(ball({1., 0., 0.5}), floor, tolerance), {{1., 0., 0.}}, {0., 0., 1.});
  expect_points(touch(ball({2.3, 0., 0.4}), floor, tolerance), {{2., 0., 0.}}, {0.6, 0., 0.8});
  const double d = 0.5 / std::sqrt(3.);
  const double n = 1. / std::sqrt(3.);
  expect_points(touch(floor, ball({2. + d, 2. + d, d}), tolerance), {{2., 2., 0.}}, {-n, -n, -n});
}

TEST(SpatialTouch, ApartAndOverlapping) {
  const PlacedShape low = placed({2., 2., 1.}, {0., 0., 0.5});
  EXPECT_TRUE(touch(low, placed({1., 1., 1.}, {0., 0., 1.6}), tolerance).points.empty());
  EXPECT_NEAR(touch(low, placed({1., 1., 1.}, {0., 0., 1.6}), tolerance).gap, 0.1, 1e-15);
  EXPECT_NEAR(touch(low, placed({1., 1., 1.}, {0., 0., 1.4}), tolerance).gap, -0.1, 1e-15);
  EXPECT_EQ(
      said({box("a", {0., 0., 0.5}, {2., 2., 1.}), box("b", {0., 0., 1.25}, {1., 1., 1.})}, {}),
      "bodies[1].position: overlaps 'a' by 0.25 m");
  EXPECT_EQ(said({sphere("a", {0., 0., 0.25}, 0.5)}, {.floor = true}),
            "bodies[0].position: overlaps the floor by 0.25 m");
  EXPECT_EQ(said({sphere("a", {0., 0., 1.}, 0.5), sphere("b", {0., 0., 1.75}, 0.5)}, {}),
            "bodies[1].position: overlaps 'a' by 0.25 m");
  EXPECT_EQ(said({box("a", {0., 0., 0.5}, {2., 2., 1.}), sphere("b", {0., 0., 0.75}, 0.5)}, {}),
            "bodies[1].position: overlaps 'a' by 0.75 m");
  SpatialAssemblyBody pipe{.name = "pipe", .shape = space::Cylinder{}};
  EXPECT_EQ(said({pipe}, {}),
            "bodies[0].shape: must be sphere or box for contacts to be found; change it, or give "
            "[[system.contacts]]");
}

// Rotated and moved as a whole, a pair touches in the same points.
TEST(SpatialTouch, RandomBoxesDropOnEachOther) {
  Random random(3);
  int edges = 0, faces = 0, lines = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const World3 size1{random.number(0.5, 2.), random.number(0.5, 2.), random.number(0.5, 2.)};
    const World3 size2{random.number(0.5, 2.), random.number(0.5, 2.), random.number(0.5, 2.)};
    const Mat3 R1 = rotation(random.vector(1.), random.number(-3., 3.), "a");
    const Mat3 R2 = rotation(random.vector(1.), random.number(-3., 3.), "a");
    const World3 side{random.number(-0.5, 0.5), random.number(-0.5, 0.5), 0.};
    // Bisection for the height at which they touch.
    const auto at = [&](double z) {
      return touch(placed(size2, {side[0], side[1], z}, R2), placed(size1, {}, R1), tolerance);
    };
    double low = 0., high = 10.;
    for (int k = 0; k < 60; ++k) {
      const double middle = 0.5 * (low + high);
      (at(middle).gap > 0. ? high : low) = middle;
    }
    const SpatialTouch t = at(high);
    ASSERT_LE(std::abs(t.gap), 1e-9) << trial;
    ASSERT_GE(t.points.size(), 1U) << trial;
    lines += t.points.size() > 1 ? 1 : 0;
    const World3& p = t.points[0].point;
    const World3& n = t.points[0].normal;
    EXPECT_NEAR(length(n), 1., 1e-12);
    EXPECT_GT(n[2], 0.) << trial;  // it came from above
    // The point lies on both boxes.
    EXPECT_TRUE(holds(space::Box{.size = size1}, R1, p)) << trial;
    EXPECT_TRUE(holds(space::Box{.size = size2}, R2, {p[0] - side[0], p[1] - side[1], p[2] - high}))
        << trial;
    double along = 0.;
    for (std::size_t k = 0; k < 3; ++k) {
      along = std::max({along, std::abs(n[0] * R1[0][k] + n[1] * R1[1][k] + n[2] * R1[2][k]),
                        std::abs(n[0] * R2[0][k] + n[1] * R2[1][k] + n[2] * R2[2][k])});
    }
    (along > 1. - 1e-9 ? faces : edges) += 1;
  }
  EXPECT_LE(lines, 4);  // hardly an edge or a face is parallel to another within the tolerance
  EXPECT_GT(edges, 200);
  EXPECT_GT(faces, 200);
}

// All that touch are found, against trying every pair; of all sizes, so that cells are of use for
// some and not for others.
TEST(NearPairs, FindsAllThatEveryPairFinds) {
  Random random(11);
  for (const double spread : {0., 1., 2.5}) {  // decades between the smallest and the largest
    std::vector<World3> centres;
    std::vector<double> radii;
    for (int i = 0; i < 400; ++i) {
      centres.push_back(random.vector(5.));
      radii.push_back(0.4 * std::pow(10., -spread * random.number(0., 1.)));
    }
    std::vector<std::pair<std::size_t, std::size_t>> expect;
    for (std::size_t i = 0; i < centres.size(); ++i) {
      for (std::size_t j = i + 1; j < centres.size(); ++j) {
        const World3 d{centres[i][0] - centres[j][0], centres[i][1] - centres[j][1],
                       centres[i][2] - centres[j][2]};
        if (length(d) <= radii[i] + radii[j]) expect.emplace_back(i, j);
      }
    }
    EXPECT_FALSE(expect.empty());
    EXPECT_EQ(near_pairs(centres, radii), expect);
  }
}

TEST(NearPairs, TakesAnyNumbers) {
  EXPECT_TRUE(near_pairs({}, {}).empty());
  EXPECT_EQ(near_pairs({World3{}, World3{}}, {0., 0.}).size(), 1U);
  EXPECT_EQ(near_pairs({World3{1e300, 0., 0.}, World3{1e300, 1e-300, 0.}, World3{}},
                       {1e-300, 1e-300, 1e-300})
                .size(),
            1U);
}

// Eight thousand spheres in a cubic packing: 3 n^2 (n - 1) contacts between them and n^2 with the
// floor. Trying every pair would be 32 million.
TEST(SpatialAssembly, ThousandsOfSpheresAreFoundFast) {
  constexpr int n = 20;
  std::vector<SpatialAssemblyBody> bodies;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      for (int k = 0; k < n; ++k) {
        bodies.push_back(
            sphere(std::to_string(bodies.size()), {0.1 * i, 0.1 * j, 0.05 + 0.1 * k}, 0.05));
      }
    }
  }
  const auto start = std::chrono::steady_clock::now();
  SpatialAssembly a;
  a.contacts = find_contacts(bodies, {.floor = true});
  a.bodies = std::move(bodies);
  const MultiAtImpact at = at_impact(a);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  EXPECT_EQ(a.contacts.size(), static_cast<std::size_t>(3 * n * n * (n - 1) + n * n));
  // A row of G has at most itself, and five others at each of its two spheres.
  EXPECT_LE(at.contact.G.stored_blocks(), 11 * a.contacts.size());
  EXPECT_LT(took.count(), 30.);  // seconds, on any machine and with sanitizers; it takes about one
}

}  // namespace
}  // namespace carom::test
