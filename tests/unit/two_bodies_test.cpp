// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include <carom/core/error.hpp>
#include <carom/impact/one_contact.hpp>
#include <carom/laws/table.hpp>
#include <carom/mechanics/planar_bodies.hpp>
#include <carom/mechanics/two_bodies.hpp>
#include <support/reference_cases.hpp>

namespace carom::test {
namespace {

void expect_same(const PlanarProblem& a, const PlanarProblem& b) {
  EXPECT_NEAR(a.G.nn, b.G.nn, 1e-14);
  EXPECT_NEAR(a.G.nt, b.G.nt, 1e-14);
  EXPECT_NEAR(a.G.tt, b.G.tt, 1e-14);
  EXPECT_NEAR(a.approach.n, b.approach.n, 1e-14);
  EXPECT_NEAR(a.approach.t, b.approach.t, 1e-14);
}

void expect_same_spin(const SpinRow& a, const SpinRow& b) {
  EXPECT_NEAR(a.nr, b.nr, 1e-14);
  EXPECT_NEAR(a.tr, b.tr, 1e-14);
  EXPECT_NEAR(a.rr, b.rr, 1e-14);
  EXPECT_NEAR(a.approach, b.approach, 1e-14);
}

std::array<double, 2> along(double angle, double length = 1.) {
  return {length * std::cos(angle), length * std::sin(angle)};
}

/// Two different bodies in an oblique blow.
TwoBodies oblique() {
  return {.first = {.mass = 1.4,
                    .inertia = 2.3,
                    .contact_offset = {1.9, -.4},
                    .velocity = {13.9, .5},
                    .spin = .3},
          .second = FreeBody{.mass = 2.1,
                             .inertia = 4.6,
                             .contact_offset = {-.8, 1.7},
                             .velocity = {-1., 11.1},
                             .spin = -.2},
          .normal = along(2.8)};
}

// [Shen & Townsend, Example 2], from its bodies: every number of the reference file.
TEST(TwoBodies, ShenTownsendExampleTwo) {
  const FreeBody ball{.mass = 1., .inertia = .4 * 16., .contact_offset = {4., 0.}};
  TwoBodies s{.first = ball, .second = ball, .normal = {-1., 0.}};
  s.first.velocity = {15., 30. * std::sin(60. * degree)};
  s.first.spin = -11.;
  s.second->contact_offset = {-4., 0.};
  const SystemAtImpact at = at_impact(s);
  int seen = 0;
  for (const auto& ref : reference_cases()) {
    if (ref.system_type != "two_spheres") continue;
    ++seen;
    const PlanarProblem c = planar_problem(at.problem);
    EXPECT_NEAR(c.G.nn, ref.problem.G.nn, 1e-14);
    EXPECT_NEAR(c.G.nt, ref.problem.G.nt, 1e-14);
    EXPECT_NEAR(c.G.tt, ref.problem.G.tt, 1e-14);
    EXPECT_NEAR(c.approach.n, ref.problem.approach.n, 1e-13);
    EXPECT_NEAR(c.approach.t, ref.problem.approach.t, 1e-13);
    if (ref.law != "poisson") continue;
    const auto o = Poisson{}({.G = c.G, .approach = c.approach, .surface = ref.problem.surface});
    const std::vector<double> after = at.velocity_after(o.impulse);
    for (std::size_t i = 0; i < 6; ++i) {
      EXPECT_NEAR(after[i], ref.extra_arrays.at("qd_post")[i], 1e-12);
    }
  }
  EXPECT_EQ(seen, 2);
}

// One body on a surface is the bar, the rod and the disc that are systems of their own; their
// angles and spins count clockwise, and a rod's y points down.
TEST(TwoBodies, OneBodyIsTheBarTheRodAndTheDisc) {
  const double phi = 2.1;
  const SystemAtImpact bar = at_impact(
      Bar{.mass = 2., .half_length = .7, .angle = phi, .velocity = {.3, -1.}, .spin = .6});
  const FreeBody body{.mass = 2.,
                      .inertia = 2. * .49 / 3.,
                      .contact_offset = along(-phi, .7),
                      .velocity = {.3, -1.},
                      .spin = -.6};
  const SystemAtImpact free = at_impact(TwoBodies{.first = body});
  expect_same(planar_problem(bar.problem), planar_problem(free.problem));
  expect_same_spin(planar_problem(bar.problem).spin, planar_problem(free.problem).spin);
  const std::vector<double> a = bar.velocity_after(Vec2{.n = .7, .t = -.2});
  const std::vector<double> b = free.velocity_after(Vec2{.n = .7, .t = -.2});
  EXPECT_NEAR(a[0], b[0], 1e-15);
  EXPECT_NEAR(a[1], b[1], 1e-15);
  EXPECT_NEAR(a[2], -b[2], 1e-14);

  const double theta = phi - 90. * degree;
  const SystemAtImpact rod = at_impact(
      Rod{.mass = 2., .half_length = .7, .angle = theta, .velocity = {.3, 1.}, .spin = .6});
  expect_same(planar_problem(rod.problem), planar_problem(free.problem));

  const SystemAtImpact disc =
      at_impact(Round{.mass = 2., .radius = .5, .velocity = {1., -3.}, .spin = 6.});
  const SystemAtImpact round = at_impact(TwoBodies{.first = {.mass = 2.,
                                                             .inertia = .25,
                                                             .contact_offset = {0., -.5},
                                                             .velocity = {1., -3.},
                                                             .spin = 6.}});
  expect_same(planar_problem(disc.problem), planar_problem(round.problem));
  expect_same_spin(planar_problem(disc.problem).spin, planar_problem(round.problem).spin);
}

TEST(TwoBodies, MomentumIsKeptAndTheLedgerCloses) {
  const TwoBodies s = oblique();
  const SystemAtImpact at = at_impact(s);
  const PlanarProblem c = planar_problem(at.problem);
  ASSERT_LT(c.approach.n, 0.);
  const auto o = Energetic{}(
      {.G = c.G, .approach = c.approach, .surface = {.restitution = .1, .friction = .5}});
  const std::vector<double>& u = at.u;
  const std::vector<double> v = at.velocity_after(o.impulse);
  EXPECT_NEAR(at.kinetic_energy(v) - at.kinetic_energy(u), o.energy.change, 1e-11);
  // About the contact: I w + (centre - contact) x m v, and centre - contact = -offset.
  const auto momenta = [&](const std::vector<double>& w) {
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    for (std::size_t i = 0; i < 2; ++i) {
      const FreeBody& b = i == 0 ? s.first : *s.second;
      const double x = w[3 * i];
      const double y = w[3 * i + 1];
      sum += Eigen::Vector3d(
          b.mass * x, b.mass * y,
          b.inertia * w[3 * i + 2] - b.mass * (b.contact_offset[0] * y - b.contact_offset[1] * x));
    }
    return sum;
  };
  EXPECT_LT((momenta(v) - momenta(u)).norm(), 1e-12 * momenta(u).norm());
  EXPECT_EQ(at.coordinates[5].name, "spin2");
}

// Which of the two is called first does not matter: normal and tangent turn round with it.
TEST(TwoBodies, OrderDoesNotMatter) {
  const TwoBodies s = oblique();
  const TwoBodies swapped{
      .first = *s.second, .second = s.first, .normal = {-s.normal[0], -s.normal[1]}};
  expect_same(planar_problem(at_impact(s).problem), planar_problem(at_impact(swapped).problem));
}

// A surface that moves is the same impact seen from a moving frame.
TEST(TwoBodies, MovingSurfaceIsAMovingObserver) {
  TwoBodies s{.first = oblique().first, .normal = along(2.8)};
  s.surface_velocity = {3., -2.};
  const SystemAtImpact moving = at_impact(s);
  EXPECT_FALSE(moving.knows_kinetic_energy());
  s.surface_velocity = {};
  s.first.velocity = {s.first.velocity[0] - 3., s.first.velocity[1] + 2.};
  const SystemAtImpact still = at_impact(s);
  EXPECT_TRUE(still.knows_kinetic_energy());
  expect_same(planar_problem(moving.problem), planar_problem(still.problem));
}

// A second body of enormous mass is a surface that moves.
TEST(TwoBodies, HeavyBodyIsASurface) {
  TwoBodies s = oblique();
  s.second = FreeBody{.mass = 1e20, .inertia = 1e20, .velocity = {3., -2.}};
  const PlanarProblem heavy = planar_problem(at_impact(s).problem);
  s.second.reset();
  s.surface_velocity = {3., -2.};
  expect_same(heavy, planar_problem(at_impact(s).problem));
}

std::string refusal(const TwoBodies& s) {
  try {
    (void)at_impact(s);
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

TEST(TwoBodies, BadOnesAreRefused) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  TwoBodies s = oblique();
  s.second->mass = 0.;
  EXPECT_EQ(refusal(s), "bodies[1].mass: must be a finite number > 0, got 0");
  s = oblique();
  s.first.inertia = -1.;
  EXPECT_EQ(refusal(s), "bodies[0].inertia: must be a finite number > 0, got -1");
  s = oblique();
  s.first.contact_offset[1] = nan;
  EXPECT_EQ(refusal(s), "bodies[0].contact_offset[1]: must be a finite number, got nan");
  s = oblique();
  s.normal = {0., 2.};
  EXPECT_EQ(refusal(s), "normal: must have length 1, got 2");
  s = oblique();
  s.surface_velocity = {1., 0.};
  EXPECT_EQ(refusal(s), "surface_velocity: is for one body that strikes a surface, got two bodies");
}

}  // namespace
}  // namespace carom::test
