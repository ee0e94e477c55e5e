// SPDX-License-Identifier: Apache-2.0
// Bodies in space at the instant of impact: contact space, and contacts that are found.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>
#include <random>

#include <Eigen/LU>

#include <carom/core/error.hpp>
#include <carom/core/scalar.hpp>
#include <carom/impact/one_contact.hpp>
#include <carom/mechanics/given_contacts.hpp>
#include <carom/mechanics/model_at_impact.hpp>
#include <carom/mechanics/near_pairs.hpp>
#include <carom/mechanics/shapes/space/mass.hpp>
#include <carom/mechanics/shapes/space/points.hpp>
#include <carom/mechanics/spatial_bodies.hpp>
#include <carom/mechanics/spatial_model.hpp>

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

SpatialMover sphere(std::string name, const World3& position, double radius) {
  return {.name = std::move(name), .solid = shapes::space::Sphere{radius}, .position = position};
}

SpatialMover box(std::string name, const World3& position, const World3& size,
                 const Mat3& orientation = identity3) {
  return {.name = std::move(name),
          .solid = shapes::space::Box{.size = size},
          .position = position,
          .orientation = orientation};
}

SpatialModel model_of(std::vector<SpatialMover> bodies, bool floor = false) {
  SpatialScene scene{.bodies = std::move(bodies)};
  if (floor) scene.ground.push_back({.name = "floor"});
  return SpatialModel(std::move(scene));
}

std::string said(std::vector<SpatialMover> bodies, bool floor = false) {
  const SpatialModel model = model_of(std::move(bodies), floor);
  try {
    (void)touching(model, model.start(), 1e-6);
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

// One contact of an assembly is what two bodies are by themselves.
TEST(SpatialImpact, OneContactIsThatOfTwoBodies) {
  Random random(7);
  for (int trial = 0; trial < 200; ++trial) {
    GivenContacts a;
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
    GivenContact c{.name = "c",
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
    const SystemAtImpact at = at_impact(a);

    const auto striking = [&](std::size_t i) {
      const GivenBody& b = a.bodies[i];
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
    const SystemAtImpact two = at_impact(pair);
    const SpatialProblem direct = spatial_problem(two.problem);
    const Sym3& G = direct.G;
    const double tolerance = 1e-13 * (G.nn + G.t11 + G.t22);
    const BlockMatrix& B = at.problem.G;
    EXPECT_NEAR(B(0, 0), G.nn, tolerance);
    EXPECT_NEAR(B(0, 1), G.n1, tolerance);
    EXPECT_NEAR(B(0, 2), G.n2, tolerance);
    EXPECT_NEAR(B(1, 1), G.t11, tolerance);
    EXPECT_NEAR(B(1, 2), G.t12, tolerance);
    EXPECT_NEAR(B(2, 2), G.t22, tolerance);
    const Vec3& v = direct.approach;
    EXPECT_NEAR(at.problem.approach[0], v.n, 1e-13);
    EXPECT_NEAR(at.problem.approach[1], v.t1, 1e-13);
    EXPECT_NEAR(at.problem.approach[2], v.t2, 1e-13);
    // And so is what becomes of them.
    const std::vector<double> after = at.velocity_after(Vec3{1., 0.2, -0.3});
    const std::vector<double> same = two.velocity_after(Vec3{1., 0.2, -0.3});
    for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(after[6 + k], same[k], 1e-12);
  }
}

TEST(SpatialImpact, GIsWhatItIsDefinedAs) {
  const SpatialModel model =
      model_of({box("low", {0., 0., 0.1}, {0.4, 0.4, 0.2}),
                box("up", {0.1, 0., 0.3}, {0.3, 0.2, 0.2}, rotation({0., 0., 1.}, 0.5, "axis")),
                sphere("ball", {0.1, 0., 0.45}, 0.05)},
               true);
  const SystemAtImpact at = at_impact(model, model.start());
  // Four on the floor, five under `up`, one under the ball.
  EXPECT_EQ(at.names, (std::vector<std::string>{"low-up 1", "low-up 2", "low-up 3", "low-up 4",
                                                "low-up 5", "up-ball", "low-floor 1", "low-floor 2",
                                                "low-floor 3", "low-floor 4"}));
  const Eigen::MatrixXd M = at.M;
  const Eigen::MatrixXd W = at.W;
  const Eigen::MatrixXd G = W.transpose() * M.inverse() * W;
  EXPECT_LE((at.problem.G.dense() - G).cwiseAbs().maxCoeff(), rounding * G.maxCoeff());
  const SystemAtImpact smooth = at_impact(model, model.start(), {.frictionless = true});
  EXPECT_EQ(smooth.problem.G.components(), 1U);
  EXPECT_DOUBLE_EQ(smooth.problem.G(2, 5), at.problem.G(6, 15));
}

TEST(SpatialImpact, BodiesWithoutThicknessNeedAnInertia) {
  GivenContacts a;
  a.bodies.push_back({.name = "rod", .inertia = inertia_of(shapes::space::Rod{.length = 1.}, 1.)});
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

/// Contacts that touch: where they are, their normals and names, in order.
struct Touch {
  std::vector<World3> points{};
  std::vector<World3> normals{};
  std::vector<std::string> names{};
};

// The rows of W of the first body are directions d and r x d: 2 r is the sum of d x (r x d).
Touch touch(const SpatialModel& model) {
  const State state = model.start();
  const std::vector<ContactId> contacts = touching(model, state, 1e-6);
  const Eigen::MatrixXd W = at_impact(model, state, contacts).W;
  Touch t{.names = names_of(model, contacts)};
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const std::size_t body = contacts[i].pair.first;
    World3 p = model.scene().bodies[body].position;
    const auto rows = [&](std::size_t k, std::size_t at) {
      const auto column = W.col(ix(3 * i + k));
      return World3{column(ix(6 * body + at)), column(ix(6 * body + at + 1)),
                    column(ix(6 * body + at + 2))};
    };
    for (std::size_t k = 0; k < 3; ++k) {
      const World3 part = cross(rows(k, 0), rows(k, 3));
      for (std::size_t j = 0; j < 3; ++j) p[j] += 0.5 * part[j];
    }
    t.points.push_back(p);
    t.normals.push_back(rows(0, 0));
    // Tangents are those of the normal alone.
    const ContactFrame f = frame_of(rows(0, 0));
    for (std::size_t j = 0; j < 3; ++j) {
      EXPECT_NEAR(rows(1, 0)[j], f.tangent1[j], 1e-15);
      EXPECT_NEAR(rows(2, 0)[j], f.tangent2[j], 1e-15);
    }
  }
  return t;
}

Touch touch(SpatialMover first, SpatialMover second) {
  return touch(model_of({std::move(first), std::move(second)}));
}

void expect_points(const Touch& t, const std::vector<World3>& expect, const World3& normal) {
  ASSERT_EQ(t.points.size(), expect.size());
  for (std::size_t i = 0; i < expect.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(t.points[i][k], expect[i][k], 1e-12) << i;
      EXPECT_NEAR(t.normals[i][k], normal[k], 1e-12) << i;
    }
  }
}

SpatialMover placed(const World3& size, const World3& position, const Mat3& R = identity3) {
  return box("", position, size, R);
}

TEST(SpatialImpact, FacesShareARegion) {
  // A small box on a larger one: its own corners. Shifted beyond the edge: what they share.
  const SpatialMover low = placed({4., 4., 1.}, {0., 0., 0.5});
  expect_points(touch(low, placed({2., 1., 1.}, {0., 0., 1.5})),
                {{-1., -0.5, 1.}, {1., -0.5, 1.}, {1., 0.5, 1.}, {-1., 0.5, 1.}}, {0., 0., -1.});
  expect_points(touch(placed({2., 1., 1.}, {1.5, 0., 1.5}), low),
                {{0.5, -0.5, 1.}, {2., -0.5, 1.}, {2., 0.5, 1.}, {0.5, 0.5, 1.}}, {0., 0., 1.});
  // Crossed beams: corners that are of neither.
  expect_points(touch(placed({4., 1., 1.}, {0., 0., 0.5}), placed({1., 4., 1.}, {0., 0., 1.5})),
                {{-0.5, -0.5, 1.}, {0.5, -0.5, 1.}, {0.5, 0.5, 1.}, {-0.5, 0.5, 1.}},
                {0., 0., -1.});
  // Two equal squares, one turned by 45 degrees: an octagon.
  const SpatialMover square = placed({2., 2., 1.}, {0., 0., 0.5});
  const SpatialMover turned =
      placed({2., 2., 1.}, {0., 0., 1.5}, rotation({0., 0., 1.}, pi / 4., "axis"));
  EXPECT_EQ(touch(square, turned).points.size(), 8U);
  // Sides, and all tilted alike: nothing depends on the world's axes.
  const Mat3 R = rotation({1., 2., 3.}, 0.7, "axis");
  const World3 along{R[0][0], R[1][0], R[2][0]};
  const Touch tilted = touch(placed({1., 2., 3.}, {0., 0., 0.}, R), placed({1., 2., 3.}, along, R));
  ASSERT_EQ(tilted.points.size(), 4U);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(tilted.normals[0][k], -along[k], 1e-15);
}

TEST(SpatialImpact, EdgesAndCorners) {
  const SpatialMover floor = placed({4., 4., 1.}, {0., 0., -0.5});
  const double r = std::sqrt(0.5);
  // An edge on a face, a corner on a face, either order.
  const SpatialMover on_edge =
      placed({2., 1., 1.}, {0., 0., r}, rotation({1., 0., 0.}, pi / 4., "a"));
  expect_points(touch(on_edge, floor), {{-1., 0., 0.}, {1., 0., 0.}}, {0., 0., 1.});
  expect_points(touch(floor, on_edge), {{-1., 0., 0.}, {1., 0., 0.}}, {0., 0., -1.});
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
  expect_points(touch(placed({1., 1., 1.}, {0.5, 0., std::sqrt(3.) / 2.}, upright), floor),
                {{0.5, 0., 0.}}, {0., 0., 1.});
  // Two edges crossed.
  const SpatialMover below =
      placed({2., 1., 1.}, {0.25, 0., -r}, rotation({1., 0., 0.}, pi / 4., "a"));
  const SpatialMover above =
      placed({1., 2., 1.}, {0., -0.25, r}, rotation({0., 1., 0.}, pi / 4., "a"));
  expect_points(touch(above, below), {{0., 0., 0.}}, {0., 0., 1.});
  // A sphere on a face, an edge and a corner.
  const auto ball = [](const World3& at) { return sphere("", at, 0.5); };
  expect_points(touch(ball({1., 0., 0.5}), floor), {{1., 0., 0.}}, {0., 0., 1.});
  expect_points(touch(ball({2.3, 0., 0.4}), floor), {{2., 0., 0.}}, {0.6, 0., 0.8});
  const double d = 0.5 / std::sqrt(3.);
  const double n = 1. / std::sqrt(3.);
  expect_points(touch(floor, ball({2. + d, 2. + d, d})), {{2., 2., 0.}}, {-n, -n, -n});
}

TEST(SpatialImpact, ApartAndOverlapping) {
  const SpatialMover low = placed({2., 2., 1.}, {0., 0., 0.5});
  EXPECT_TRUE(touch(low, placed({1., 1., 1.}, {0., 0., 1.6})).points.empty());
  EXPECT_EQ(said({box("a", {0., 0., 0.5}, {2., 2., 1.}), box("b", {0., 0., 1.25}, {1., 1., 1.})}),
            "bodies[1].position: overlaps 'a' by 0.25 m");
  EXPECT_EQ(said({sphere("a", {0., 0., 0.25}, 0.5)}, true),
            "bodies[0].position: overlaps the floor by 0.25 m");
  EXPECT_EQ(said({sphere("a", {0., 0., 1.}, 0.5), sphere("b", {0., 0., 1.75}, 0.5)}),
            "bodies[1].position: overlaps 'a' by 0.25 m");
  EXPECT_EQ(said({box("a", {0., 0., 0.5}, {2., 2., 1.}), sphere("b", {0., 0., 0.75}, 0.5)}),
            "bodies[1].position: overlaps 'a' by 0.75 m");
}

// The same as in the plane.
TEST(SpatialImpact, ATolerance) {
  const auto count = [](SpatialMover first, SpatialMover second, double tolerance) {
    const SpatialModel model = model_of({std::move(first), std::move(second)});
    return touching(model, model.start(), tolerance).size();
  };
  for (const double tolerance : {1e-3, 1e-5, 1e-6, 1e-9}) {
    for (const double part : {-0.9, -0.5, 0., 0.5, 0.9, 1.1}) {
      SCOPED_TRACE(std::to_string(tolerance) + " " + std::to_string(part));
      const double x = 1. + part * tolerance;
      const bool near = part < 1.;
      const SpatialMover cube = placed({1., 1., 1.}, {0., 0., 0.});
      EXPECT_EQ(count(sphere("", {0., 0., 0.}, 0.5), sphere("", {x, 0., 0.}, 0.5), tolerance),
                near);
      EXPECT_EQ(count(cube, sphere("", {x, 0., 0.}, 0.5), tolerance), near);
      for (const double shift : {0., 0.5}) {
        EXPECT_EQ(count(cube, placed({1., 1., 1.}, {x, shift, 0.}), tolerance), near ? 4U : 0U)
            << shift;
      }
    }
  }
}

// Every shape on every other: a cylinder stands on eight points of its rim, a capsule lies on two.
TEST(SpatialImpact, OtherShapesAreFound) {
  const SpatialMover table = placed({4., 4., 1.}, {0., 0., -0.5});
  SpatialMover standing{.name = "can",
                        .solid = shapes::space::Cylinder{.radius = 0.5, .length = 2.},
                        .position = {0., 0., 1.}};
  EXPECT_EQ(touch(model_of({standing}, true)).names.size(), 8U);
  EXPECT_EQ(touch(standing, table).points.size(), 8U);
  SpatialMover lying{.name = "pill",
                     .solid = shapes::space::Capsule{.radius = 0.5, .length = 1.},
                     .position = {0., 0., 0.5},
                     .orientation = rotation_to({1., 0., 0.}, "direction")};
  expect_points(touch(lying, table), {{-0.5, 0., 0.}, {0.5, 0., 0.}}, {0., 0., 1.});
  const Touch floor = touch(model_of({lying}, true));
  EXPECT_EQ(floor.names, (std::vector<std::string>{"pill-floor 1", "pill-floor 2"}));
  expect_points(floor, {{-0.5, 0., 0.}, {0.5, 0., 0.}}, {0., 0., 1.});
}

// Rotated and moved as a whole, a pair touches in the same points.
TEST(SpatialImpact, RandomBoxesDropOnEachOther) {
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
      return model_of({placed(size2, {side[0], side[1], z}, R2), placed(size1, {}, R1)});
    };
    const SpatialModel pair = at(10.);
    State state = pair.start();
    double low = 0., high = 10.;
    for (int k = 0; k < 60; ++k) {
      state.q(2) = 0.5 * (low + high);
      (pair.distance({.first = 0, .second = 1}, state) > 0. ? high : low) = state.q(2);
    }
    const Touch t = touch(at(high));
    ASSERT_GE(t.points.size(), 1U) << trial;
    lines += t.points.size() > 1 ? 1 : 0;
    const World3& p = t.points[0];
    const World3& n = t.normals[0];
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
TEST(SpatialImpact, ThousandsOfSpheresAreFoundFast) {
  constexpr int n = 20;
  std::vector<SpatialMover> bodies;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      for (int k = 0; k < n; ++k) {
        bodies.push_back(
            sphere(std::to_string(bodies.size()), {0.1 * i, 0.1 * j, 0.05 + 0.1 * k}, 0.05));
      }
    }
  }
  const auto start = std::chrono::steady_clock::now();
  const SpatialModel model = model_of(std::move(bodies), true);
  const SystemAtImpact at = at_impact(model, model.start());
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  EXPECT_EQ(at.names.size(), static_cast<std::size_t>(3 * n * n * (n - 1) + n * n));
  // A row of G has at most itself, and five others at each of its two spheres.
  EXPECT_LE(at.problem.G.stored_blocks(), 11 * at.names.size());
  EXPECT_LT(took.count(), 30.);  // seconds, on any machine and with sanitizers; it takes about one
}

}  // namespace
}  // namespace carom::test
