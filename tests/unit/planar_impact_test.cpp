// SPDX-License-Identifier: Apache-2.0
// Bodies in the plane at the instant of impact: contact space, and contacts that are found.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include <Eigen/LU>

#include <carom/core/error.hpp>
#include <carom/core/scalar.hpp>
#include <carom/mechanics/given_contacts.hpp>
#include <carom/mechanics/model_at_impact.hpp>
#include <carom/mechanics/planar_model.hpp>
#include <support/multi_systems_cases.hpp>

namespace carom::test {
namespace {

Eigen::VectorXd vector(const std::vector<double>& v) {
  return Eigen::Map<const Eigen::VectorXd>(v.data(), static_cast<Eigen::Index>(v.size()));
}

void expect_same(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  ASSERT_EQ(a.rows(), b.rows());
  ASSERT_EQ(a.cols(), b.cols());
  EXPECT_LE((a - b).cwiseAbs().maxCoeff(), rounding * b.cwiseAbs().maxCoeff()) << a << "\n\n" << b;
}

/// Bodies in the plane, perhaps on a floor, y = 0.
struct Scene {
  struct Placed {
    std::string name;
    shapes::plane::Shape shape;
    double x, y;
    double angle = 0.;
    double v_x = 0.;
  };

  PlanarModel model;
  State state;

  Scene(const std::vector<Placed>& bodies, bool floor)
      : model([&] {
          PlanarScene scene;
          for (const Placed& b : bodies) {
            scene.bodies.push_back({.name = b.name, .mass = 1., .inertia = 0.1, .shape = b.shape});
          }
          if (floor) {
            scene.ground.push_back({.name = "floor", .shape = shapes::plane::half_plane()});
          }
          return scene;
        }()) {
    state.q.resize(ix(3 * bodies.size()));
    state.u.setZero(ix(3 * bodies.size()));
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      state.q.segment<3>(ix(3 * i)) << bodies[i].x, bodies[i].y, bodies[i].angle;
      state.u(ix(3 * i)) = bodies[i].v_x;
    }
  }
};

Scene bernoulli() {
  const double h = std::sqrt(3.) / 2.;
  const auto ball = shapes::plane::disc(0.5);
  return {{{.name = "upper", .shape = ball, .x = h, .y = 0.5},
           {.name = "lower", .shape = ball, .x = h, .y = -0.5},
           {.name = "striker", .shape = ball, .x = 0., .y = 0., .v_x = 1.}},
          false};
}

// Found: the three balls touch each other, and without the contact that carries nothing they are
// the case.
TEST(PlanarImpact, BernoullisBallsAreFound) {
  const Scene s = bernoulli();
  std::vector<ContactId> contacts = touching(s.model, s.state, 1e-6);
  EXPECT_EQ(names_of(s.model, contacts),
            (std::vector<std::string>{"upper-lower", "upper-striker", "lower-striker"}));
  contacts.erase(contacts.begin());
  const SystemAtImpact at = at_impact(s.model, s.state, contacts, true);
  for (const char* e : {"1", "0.6"}) {
    const MultiSystemCase& c = multi_system_case("bernoulli_two_balls_e" + std::string(e));
    expect_same(at.problem.G.dense(), c.G);
    expect_same(vector(at.problem.approach), c.approach);
  }
}

// Contacts found and the same ones given by their points.
TEST(PlanarImpact, GivenContactsAreWhatIsFound) {
  const Scene s = bernoulli();
  const SystemAtImpact found = at_impact(s.model, s.state);
  const double h = std::sqrt(3.) / 2.;
  GivenContacts given{.bodies = {}, .contacts = {}, .in_plane = true};
  const auto body = [&](const char* name, double x, double y, double v) {
    GivenBody b{.name = name, .position = {x, y, 0.}, .velocity = {v, 0., 0.}};
    b.inertia[2][2] = 0.1;
    given.bodies.push_back(b);
  };
  body("upper", h, 0.5, 0.);
  body("lower", h, -0.5, 0.);
  body("striker", 0., 0., 1.);
  given.contacts = {
      {.first = 0, .second = 1, .point = {h, 0., 0.}, .frame = planar_frame({0., 1.})},
      {.first = 0, .second = 2, .point = {h / 2., 0.25, 0.}, .frame = planar_frame({h, 0.5})},
      {.first = 1, .second = 2, .point = {h / 2., -0.25, 0.}, .frame = planar_frame({h, -0.5})}};
  const SystemAtImpact at = at_impact(given);
  expect_same(found.problem.G.dense(), at.problem.G.dense());
  expect_same(vector(found.problem.approach), vector(at.problem.approach));
  for (std::size_t i = 0; i < 9; ++i) {
    EXPECT_EQ(found.coordinates[i].name, at.coordinates[i].name);
    EXPECT_EQ(found.coordinates[i].unit, at.coordinates[i].unit);
  }
  // G is what it is defined as, and the velocity of a support is taken off: normal -y, tangent -x.
  given.contacts.push_back({.first = 0,
                            .point = {1., 0.9, 0.},
                            .frame = planar_frame({0., -1.}),
                            .surface_velocity = {3., 2., 0.}});
  const SystemAtImpact moving = at_impact(given);
  const Eigen::MatrixXd M = moving.M;
  const Eigen::MatrixXd W = moving.W;
  expect_same(moving.problem.G.dense(), W.transpose() * M.inverse() * W);
  const Eigen::VectorXd bare = W.transpose() * vector(moving.u);
  EXPECT_DOUBLE_EQ(moving.problem.approach[6], bare(6) + 2.);
  EXPECT_DOUBLE_EQ(moving.problem.approach[7], bare(7) + 3.);
}

Scene::Placed box(const char* name, double x, double y, double length, double width,
                  double angle = 0.) {
  const auto shape = width > 0. ? shapes::plane::box(length, width) : shapes::plane::bar(length);
  return {.name = name, .shape = shape, .x = x, .y = y, .angle = angle};
}

Scene::Placed disc(const char* name, double x, double y, double radius) {
  return {.name = name, .shape = shapes::plane::disc(radius), .x = x, .y = y};
}

struct Found {
  std::string name;
  double x, y, nx, ny;
};

// The rows of W of the first body are n, r x n and t, r x t: r = (r x n) t - (r x t) n.
void expect_found(const std::vector<Scene::Placed>& bodies, const std::vector<Found>& expect) {
  const Scene s(bodies, true);
  const std::vector<ContactId> contacts = touching(s.model, s.state, 1e-6);
  const std::vector<std::string> names = names_of(s.model, contacts);
  ASSERT_EQ(contacts.size(), expect.size()) << (expect.empty() ? "" : expect[0].name);
  const Eigen::MatrixXd W = at_impact(s.model, s.state, contacts).W;
  for (std::size_t i = 0; i < expect.size(); ++i) {
    const auto row = ix(3 * std::size_t{contacts[i].pair.first});
    const Eigen::Vector3d n = W.col(ix(2 * i)).segment<3>(row);
    const Eigen::Vector3d t = W.col(ix(2 * i + 1)).segment<3>(row);
    EXPECT_EQ(names[i], expect[i].name);
    EXPECT_NEAR(s.state.q(row) + n(2) * t(0) - t(2) * n(0), expect[i].x, 1e-12) << names[i];
    EXPECT_NEAR(s.state.q(row + 1) + n(2) * t(1) - t(2) * n(1), expect[i].y, 1e-12) << names[i];
    EXPECT_NEAR(n(0), expect[i].nx, 1e-12) << names[i];
    EXPECT_NEAR(n(1), expect[i].ny, 1e-12) << names[i];
  }
}

TEST(PlanarImpact, ContactsAreFound) {
  // A box on a wider one, which stands on the floor: the ends of what they share.
  expect_found({box("low", 0., 0.5, 4., 1.), box("up", 1.5, 2., 2., 2.)},
               {{"low-up 1", 2., 1., 0., -1.},  // seen along the tangent of the normal into `low`
                {"low-up 2", 0.5, 1., 0., -1.},
                {"low-floor 1", -2., 0., 0., 1.},
                {"low-floor 2", 2., 0., 0., 1.}});
  // On its corner.
  const double r = std::sqrt(0.5);
  expect_found({box("a", 3., r, 1., 1., std::numbers::pi / 4.)}, {{"a-floor", 3., 0., 0., 1.}});
  // A corner on a face, a disc on a face, on a corner and on the floor.
  expect_found({box("low", 0., 0.5, 4., 1.), box("a", 0., 1. + r, 1., 1., std::numbers::pi / 4.),
                disc("d", -1.5, 1.25, 0.25), disc("e", 2.5, 0.5, 0.5)},
               {{"low-a", 0., 1., 0., -1.},
                {"low-d", -1.5, 1., 0., -1.},
                {"low-e", 2., 0.5, -1., 0.},
                {"low-floor 1", -2., 0., 0., 1.},
                {"low-floor 2", 2., 0., 0., 1.},
                {"e-floor", 2.5, 0., 0., 1.}});
  // A bar leaning on a box: its end on the floor, its side on the box's corner.
  const double angle = std::atan2(1., 1.);
  const double half = 2.;
  expect_found({box("box", 1.5, 0.5, 1., 1.),
                box("bar", half * std::cos(angle), half * std::sin(angle), 2. * half, 0., angle)},
               {{"box-bar", 1., 1., r, -r},
                {"box-floor 1", 1., 0., 0., 1.},
                {"box-floor 2", 2., 0., 0., 1.},
                {"bar-floor", 0., 0., 0., 1.}});
  // A hair too far.
  expect_found({disc("a", 0., 1., 0.5), disc("b", 1., 1., 0.5), disc("c", 2.1, 1., 0.5)},
               {{"a-b", 0.5, 1., -1., 0.}});
}

// Relative to the smallest length, 2 r of a disc; gaps and overlaps alike. Boxes of the same width
// have two contacts, however far apart or into each other they count as touching.
TEST(PlanarImpact, ATolerance) {
  const auto count = [](const std::vector<Scene::Placed>& bodies, double tolerance) {
    const Scene s(bodies, false);
    return touching(s.model, s.state, tolerance).size();
  };
  for (const double tolerance : {1e-3, 1e-5, 1e-6, 1e-9}) {
    for (const double part : {-0.9, -0.5, 0., 0.5, 0.9, 1.1}) {
      SCOPED_TRACE(std::to_string(tolerance) + " " + std::to_string(part));
      const double gap = part * tolerance;
      const bool near = part < 1.;
      EXPECT_EQ(count({disc("a", 0., 0., 0.5), disc("b", 1. + gap, 0., 0.5)}, tolerance), near);
      EXPECT_EQ(count({disc("a", 0., 0., 0.5), box("b", 1. + gap, 0., 1., 1.)}, tolerance), near);
      for (const double shift : {0., 0.5}) {
        EXPECT_EQ(count({box("a", 0., 0., 1., 1.), box("b", 1. + gap, shift, 1., 1.)}, tolerance),
                  near ? 2U : 0U)
            << shift;
      }
    }
  }
}

TEST(PlanarImpact, WhatOverlapsIsRefused) {
  const auto said = [](const std::vector<Scene::Placed>& bodies) -> std::string {
    try {
      const Scene s(bodies, true);
      (void)touching(s.model, s.state, 1e-6);
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(said({disc("a", 0., 1., 0.5), disc("b", 0.75, 1., 0.5)}),
            "bodies[1].position: overlaps 'a' by 0.25 m");
  EXPECT_EQ(said({disc("a", 0., 0.25, 0.5)}), "bodies[0].position: overlaps the floor by 0.25 m");
  EXPECT_EQ(said({box("a", 0., 2., 2., 2.), disc("b", 0.5, 2., 0.25)}),
            "bodies[1].position: overlaps 'a' by 0.75 m");
  EXPECT_EQ(said({box("a", 0., 2., 2., 2.), box("b", 1.75, 2., 2., 2.)}),
            "bodies[1].position: overlaps 'a' by 0.25 m");
  EXPECT_EQ(said({box("a", 0., 1., 2., 0.), box("b", 2., 1., 2., 0.)}),
            "bodies[1].position: is end to end with 'a', both without width, so that their normal "
            "is not determined; give [[system.contacts]]");
}

}  // namespace
}  // namespace carom::test
