// SPDX-License-Identifier: Apache-2.0
// Assemblies in the plane: contact space, and contacts that are found.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include <Eigen/LU>

#include <carom/core/error.hpp>
#include <carom/core/scalar.hpp>
#include <carom/mechanics/planar_assembly.hpp>
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

PlanarAssembly bernoulli() {
  const double h = std::sqrt(3.) / 2.;
  PlanarAssembly a;
  const auto ball = [](const char* name, double x, double y, double v) {
    return PlanarAssemblyBody{.name = name,
                              .inertia = 0.1,
                              .position = {x, y},
                              .velocity = {v, 0.},
                              .outline = DiscOutline{.radius = 0.5}};
  };
  a.bodies = {ball("upper", h, 0.5, 0.), ball("lower", h, -0.5, 0.), ball("striker", 0., 0., 1.)};
  a.frictionless = true;
  return a;
}

// Found: the three balls touch each other, and without the contact that carries nothing they are
// the case.
TEST(PlanarAssembly, BernoullisBallsAreFound) {
  PlanarAssembly a = bernoulli();
  a.contacts = find_contacts(a.bodies, {});
  ASSERT_EQ(a.contacts.size(), 3U);
  EXPECT_EQ(a.contacts[0].name, "upper-lower");
  EXPECT_EQ(a.contacts[1].name, "upper-striker");
  EXPECT_EQ(a.contacts[2].name, "lower-striker");
  a.contacts.erase(a.contacts.begin());
  for (const char* e : {"1", "0.6"}) {
    const MultiSystemCase& c = multi_system_case("bernoulli_two_balls_e" + std::string(e));
    const MultiAtImpact at = at_impact(a);
    expect_same(at.contact.G.dense(), c.G);
    expect_same(vector(at.contact.approach), c.approach);
  }
}

// With friction a contact of an assembly is what two bodies are elsewhere: see two_bodies_test;
// here against the definition G = W^T M^-1 W, on a random pile.
TEST(PlanarAssembly, GIsWhatItIsDefinedAs) {
  PlanarAssembly a = bernoulli();
  a.frictionless = false;
  a.contacts = find_contacts(a.bodies, {});
  a.contacts.push_back({.name = "w",
                        .first = 0,
                        .point = {1., 0.9},
                        .normal = {0., -1.},
                        .surface_velocity = {3., 2.}});
  const MultiAtImpact at = at_impact(a);
  const MultiConfiguration& c = *at.configuration;
  const Eigen::MatrixXd M = c.M;
  const Eigen::MatrixXd W = c.W;
  expect_same(at.contact.G.dense(), W.transpose() * M.inverse() * W);
  // The support's velocity is taken off: normal -y, tangent -x.
  const Eigen::VectorXd bare = W.transpose() * vector(c.u);
  EXPECT_DOUBLE_EQ(at.contact.approach[6], bare(6) + 2.);
  EXPECT_DOUBLE_EQ(at.contact.approach[7], bare(7) + 3.);
}

PlanarAssemblyBody box(const char* name, double x, double y, double length, double width,
                       double angle = 0.) {
  return {.name = name,
          .position = {x, y},
          .direction = {std::cos(angle), std::sin(angle)},
          .outline = BoxOutline{.length = length, .width = width}};
}

PlanarAssemblyBody disc(const char* name, double x, double y, double radius) {
  return {.name = name, .position = {x, y}, .outline = DiscOutline{.radius = radius}};
}

struct Found {
  std::string name;
  double x, y, nx, ny;
};

void expect_found(const std::vector<PlanarAssemblyBody>& bodies, const std::vector<Found>& expect) {
  const auto contacts = find_contacts(bodies, {.floor = true});
  ASSERT_EQ(contacts.size(), expect.size()) << (expect.empty() ? "" : expect[0].name);
  for (std::size_t i = 0; i < expect.size(); ++i) {
    EXPECT_EQ(contacts[i].name, expect[i].name);
    EXPECT_NEAR(contacts[i].point[0], expect[i].x, 1e-12) << expect[i].name;
    EXPECT_NEAR(contacts[i].point[1], expect[i].y, 1e-12) << expect[i].name;
    EXPECT_NEAR(contacts[i].normal[0], expect[i].nx, 1e-12) << expect[i].name;
    EXPECT_NEAR(contacts[i].normal[1], expect[i].ny, 1e-12) << expect[i].name;
  }
}

TEST(PlanarAssembly, ContactsAreFound) {
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
  // End to end, and a hair too far.
  expect_found({box("a", 0., 1., 2., 0.), box("b", 2., 1., 2., 0.), box("c", 4.1, 1., 2., 0.)},
               {{"a-b", 1., 1., -1., 0.}});
}

TEST(PlanarAssembly, WhatOverlapsIsRefused) {
  const auto said = [](const std::vector<PlanarAssemblyBody>& bodies) -> std::string {
    try {
      (void)find_contacts(bodies, {.floor = true});
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
  EXPECT_EQ(said({PlanarAssemblyBody{.name = "point"}}),
            "bodies[0].shape: is missing: contacts are found only between bodies with a shape; add "
            "one, or give [[system.contacts]]");
}

}  // namespace
}  // namespace carom::test
