// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include <carom/core/error.hpp>
#include <carom/impact/one_contact.hpp>
#include <carom/laws/table.hpp>
#include <carom/mechanics/linkage.hpp>
#include <carom/mechanics/planar_bodies.hpp>
#include <carom/mechanics/two_bodies.hpp>
#include <support/linkages.hpp>
#include <support/reference_cases.hpp>

namespace carom::test {
namespace {

/// A uniform bar hinged at its end; `angle` from +x.
Link bar(const char* name, double mass, double length, double angle, double rate) {
  return {.name = name,
          .mass = mass,
          .inertia = mass * length * length / 12.,
          .mass_centre = {length / 2., 0.},
          .position = angle,
          .rate = rate};
}

/// The pendulum of [Kane & Levinson 1985, problem 14.6], angles from the downward vertical.
Linkage double_pendulum(double m, double l, double q1, double q2, double u1, double u2) {
  Linkage s;
  s.links = {bar("upper", m, l, q1 - 90. * degree, u1), bar("lower", m, l, q2 - 90. * degree, u2)};
  s.links[1].parent = 0;
  s.links[1].at = {l, 0.};
  s.contact = {.link = 1, .point = {l, 0.}};
  return s;
}

// Tables 1 to 4 of Shen & Townsend: G, the approach and u+ from the links, by absolute angles and
// by relative ones.
TEST(Linkage, DoublePendulumOfShenAndTownsend) {
  int seen = 0;
  int with_velocities = 0;
  for (const auto& ref : reference_cases()) {
    if (ref.system_type != "double_pendulum") continue;
    ++seen;
    const Linkage absolute = double_pendulum(ref.system.at("m"), ref.system.at("l"),
                                             ref.system.at("theta1_deg") * degree,
                                             ref.system.at("theta2_deg") * degree, -.1, -.2);
    for (const Linkage& s : {absolute, described_relatively(absolute)}) {
      const SystemAtImpact at = at_impact(s);
      const PlanarProblem c = planar_problem(at.problem);
      EXPECT_NEAR(c.G.nn, ref.problem.G.nn, 1e-14) << ref.id;
      EXPECT_NEAR(c.G.nt, ref.problem.G.nt, 1e-14) << ref.id;
      EXPECT_NEAR(c.G.tt, ref.problem.G.tt, 1e-14) << ref.id;
      EXPECT_NEAR(c.approach.n, ref.problem.approach.n, 1e-15) << ref.id;
      EXPECT_NEAR(c.approach.t, ref.problem.approach.t, 1e-15) << ref.id;
      // The impulses of every law in the tables, whether it is in the catalogue or not.
      const std::vector<double> after = at.velocity_after(ref.impulse);
      const double T = at.kinetic_energy(at.u);
      EXPECT_NEAR(at.kinetic_energy(after) - T, ref.change, 1e-12) << ref.id;
      if (!ref.extra_arrays.contains("qd_post")) continue;
      ++with_velocities;
      ASSERT_NE(find_law(ref.law), nullptr);
      const auto o = solve(planar_kernel(*find_law(ref.law)),
                           {.G = c.G, .approach = c.approach, .surface = ref.problem.surface});
      std::vector<double> u = at.velocity_after(o.impulse);
      if (s.relative_angles) u[1] += u[0];
      EXPECT_NEAR(u[0], ref.extra_arrays.at("qd_post")[0], 1e-12) << ref.id;
      EXPECT_NEAR(u[1], ref.extra_arrays.at("qd_post")[1], 1e-12) << ref.id;
    }
  }
  EXPECT_EQ(seen, 16);
  EXPECT_EQ(with_velocities, 14);
}

// Two slides and a hinge, of no mass but the last, are the freedom of a free body.
TEST(Linkage, SlideSlideHingeIsAFreeBody) {
  const double angle = .7;
  Linkage s;
  s.links = {
      {.name = "x", .joint = JointKind::prismatic, .position = 3., .rate = 1.2},
      {.name = "y",
       .parent = 0,
       .joint = JointKind::prismatic,
       .axis = 90. * degree,
       .position = -2.,
       .rate = -.9},
      {.name = "body", .mass = 2., .inertia = .3, .parent = 1, .position = angle, .rate = .4}};
  s.contact = {.link = 2, .point = {.5, -.1}, .normal = {.6, .8}};
  const SystemAtImpact chain = at_impact(s);
  const double c = std::cos(angle);
  const double sn = std::sin(angle);
  const SystemAtImpact body =
      at_impact(TwoBodies{.first = {.mass = 2.,
                                    .inertia = .3,
                                    .contact_offset = {c * .5 + sn * .1, sn * .5 - c * .1},
                                    .velocity = {1.2, -.9},
                                    .spin = .4},
                          .normal = {.6, .8}});
  EXPECT_LT((chain.M - body.M).norm(), 1e-15);
  EXPECT_LT((chain.W - body.W).norm(), 1e-15);
  EXPECT_LT((chain.W_spin - body.W_spin).norm(), 1e-15);
  EXPECT_EQ(chain.u, body.u);
  EXPECT_EQ(chain.coordinates[0].unit, "m/s");
  EXPECT_EQ(chain.coordinates[2].unit, "rad/s");
  // The joints guide it without pushing.
  const Vec2 P{.n = 1.3, .t = -.4};
  for (const JointImpulse& j : joint_impulses(s, P, 0., chain.velocity_after(P))) {
    EXPECT_NEAR(j.impulse[0], 0., 1e-15);
    EXPECT_NEAR(j.impulse[1], 0., 1e-15);
    EXPECT_NEAR(j.couple, 0., 1e-15);
  }
}

// The textbook's cart and pole: M = [[M + m, -m a sin q], [., I + m a^2]], q from +x.
TEST(Linkage, CartAndPole) {
  const double q = -.6, m = .5, a = .5;
  Linkage s;
  s.links = {{.name = "cart", .mass = 2., .joint = JointKind::prismatic, .rate = .5},
             bar("pole", m, 2. * a, q, -3.)};
  s.links[1].parent = 0;
  s.contact = {.link = 1, .point = {2. * a, 0.}};
  const SystemAtImpact c = at_impact(s);
  EXPECT_DOUBLE_EQ(c.M.coeff(0, 0), 2.5);
  EXPECT_DOUBLE_EQ(c.M.coeff(1, 0), -m * a * std::sin(q));
  EXPECT_DOUBLE_EQ(c.M.coeff(1, 1), m * 4. * a * a / 3.);
  EXPECT_DOUBLE_EQ(planar_problem(c.problem).approach.n, -3. * std::cos(q));
  EXPECT_DOUBLE_EQ(planar_problem(c.problem).approach.t, .5 + 3. * std::sin(q));
}

// A compound pendulum struck at its centre of percussion leaves its pivot at rest.
TEST(Linkage, CentreOfPercussion) {
  Linkage s;
  s.links = {bar("pendulum", 3., 1.2, -90. * degree, 0.)};
  s.contact = {.link = 0, .point = {.8, 0.}, .normal = {-1., 0.}};
  const SystemAtImpact c = at_impact(s);
  const Vec2 P{.n = 1., .t = 0.};
  const auto at_two_thirds = joint_impulses(s, P, 0., c.velocity_after(P));
  EXPECT_NEAR(at_two_thirds[0].impulse[0], 0., 1e-15);
  // At the end it is half the blow, along with it; at the pivot all of it, against it.
  s.contact.point = {1.2, 0.};
  EXPECT_NEAR(joint_impulses(s, P, 0., at_impact(s).velocity_after(P))[0].impulse[0], -.5, 1e-15);
}

// A pivot that moves: the same as a pivot at rest seen from a frame that moves along.
TEST(Linkage, MovingSupportIsAMovingObserver) {
  Linkage s = double_pendulum(3., 2., .3, .5, -.1, -.2);
  s.links[0].support_velocity = {1.5, -.3};
  const SystemAtImpact moving = at_impact(s);
  EXPECT_FALSE(moving.knows_kinetic_energy());
  Linkage t = double_pendulum(3., 2., .3, .5, -.1, -.2);
  t.contact.line_velocity = {-1.5, .3};
  const SystemAtImpact line = at_impact(t);
  EXPECT_FALSE(line.knows_kinetic_energy());
  const PlanarProblem a = planar_problem(moving.problem);
  const PlanarProblem b = planar_problem(line.problem);
  EXPECT_DOUBLE_EQ(a.approach.n, b.approach.n);
  EXPECT_DOUBLE_EQ(a.approach.t, b.approach.t);
  EXPECT_EQ(a.G, b.G);
  // Support and line moving together are as good as none.
  s.contact.line_velocity = s.links[0].support_velocity;
  const PlanarProblem rest =
      planar_problem(at_impact(double_pendulum(3., 2., .3, .5, -.1, -.2)).problem);
  EXPECT_NEAR(planar_problem(at_impact(s).problem).approach.n, rest.approach.n, 1e-15);
  EXPECT_NEAR(planar_problem(at_impact(s).problem).approach.t, rest.approach.t, 1e-15);
}

// Two free bodies, each a chain of slides and hinge, strike each other as free bodies do.
TEST(Linkage, TwoTreesStrikeAsTwoBodies) {
  Linkage s;
  const auto add = [&](double x, double y, double vx, double vy, double spin) {
    const int first = static_cast<int>(s.links.size());
    s.links.push_back({.name = "x" + std::to_string(first),
                       .joint = JointKind::prismatic,
                       .position = x,
                       .rate = vx});
    s.links.push_back({.name = "y" + std::to_string(first),
                       .parent = first,
                       .joint = JointKind::prismatic,
                       .axis = 90. * degree,
                       .position = y,
                       .rate = vy});
    s.links.push_back({.name = "body" + std::to_string(first),
                       .mass = 1. + first,
                       .inertia = .5 + first,
                       .parent = first + 1,
                       .rate = spin});
  };
  add(-1., .2, 3., .5, .3);
  add(2., 1., -1., .1, -.7);
  s.contact = {.link = 2, .point = {1., .4}, .normal = {-.8, .6}, .against = 5};
  const PlanarProblem a = planar_problem(at_impact(s).problem);
  const PlanarProblem b = planar_problem(
      at_impact(TwoBodies{.first = {.mass = 1.,
                                    .inertia = .5,
                                    .contact_offset = {1., .4},
                                    .velocity = {3., .5},
                                    .spin = .3},
                          .second = FreeBody{.mass = 4.,
                                             .inertia = 3.5,
                                             .contact_offset = {-1. + 1. - 2., .2 + .4 - 1.},
                                             .velocity = {-1., .1},
                                             .spin = -.7},
                          .normal = {-.8, .6}})
          .problem);
  EXPECT_NEAR(a.G.nn, b.G.nn, 1e-14);
  EXPECT_NEAR(a.G.nt, b.G.nt, 1e-14);
  EXPECT_NEAR(a.G.tt, b.G.tt, 1e-14);
  EXPECT_NEAR(a.approach.n, b.approach.n, 1e-14);
  EXPECT_NEAR(a.approach.t, b.approach.t, 1e-14);
  EXPECT_NEAR(a.spin.rr, b.spin.rr, 1e-14);
  EXPECT_NEAR(a.spin.approach, b.spin.approach, 1e-14);
}

std::string refusal(const Linkage& s) {
  try {
    (void)at_impact(s);
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

TEST(Linkage, BadOnesAreRefused) {
  const Linkage good = double_pendulum(3., 2., .3, .5, -.1, -.2);
  EXPECT_EQ(refusal(good), "");
  EXPECT_EQ(refusal(Linkage{}), "links: must have at least one link, got none");
  const auto with = [&](auto change) {
    Linkage s = good;
    change(s);
    return refusal(s);
  };
  EXPECT_EQ(with([](Linkage& s) { s.links[1].mass = -1.; }),
            "links[1].mass: must be a finite number >= 0, got -1");
  EXPECT_EQ(with([](Linkage& s) { s.links[0].inertia = -1.; }),
            "links[0].inertia: must be a finite number >= 0, got -1");
  EXPECT_EQ(with([](Linkage& s) { s.links[0].parent = 1; }),
            "links[0].parent: must be ground or a link earlier in the list, got 1");
  EXPECT_EQ(with([](Linkage& s) {
              s.links[1].support_velocity = {1., 0.};
            }),
            "links[1].support_velocity: is for joints to ground; this one is joined to 'upper'");
  EXPECT_EQ(with([](Linkage& s) { s.contact.link = 2; }),
            "contact.link: must be one of the 2 links, got 2");
  EXPECT_EQ(with([](Linkage& s) { s.contact.against = 1; }),
            "contact.against: must be another link than the one that strikes");
  EXPECT_EQ(with([](Linkage& s) {
              s.contact.against = 0;
              s.contact.line_velocity = {1., 0.};
            }),
            "contact.line_velocity: is for a contact with the ground");
  EXPECT_EQ(with([](Linkage& s) { s.links[1].position = std::numeric_limits<double>::infinity(); }),
            "links[1].angle_deg: must be a finite number, got inf");
  EXPECT_EQ(with([](Linkage& s) { s.links[1].mass = s.links[1].inertia = 0.; }),
            "links[1].mass: leaves the mass matrix singular: the joint of 'lower' moves no mass");
  // A massless link is fine where its joint moves something else, in line or not ...
  EXPECT_EQ(with([](Linkage& s) { s.links[0].mass = s.links[0].inertia = 0.; }), "");
  // ... but a point mass on two links in line can only be moved across them.
  EXPECT_EQ(with([](Linkage& s) {
              s.links[0].mass = s.links[0].inertia = s.links[1].inertia = 0.;
              s.links[1].position = s.links[0].position;
            }).substr(0, 60),
            "links: give a mass matrix that is not positive definite, so ");
}

}  // namespace
}  // namespace carom::test
