// SPDX-License-Identifier: Apache-2.0
// Models of motion: against differences, against small steps, against impacts of the same systems.
#include <gtest/gtest.h>  // before rapidcheck/gtest.h

#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include <carom/core/error.hpp>
#include <carom/impact/one_contact.hpp>
#include <carom/mechanics/disc_model.hpp>
#include <carom/mechanics/linkage_model.hpp>
#include <carom/mechanics/planar_model.hpp>
#include <carom/mechanics/spatial_model.hpp>
#include <support/linkages.hpp>
#include <support/motion_models.hpp>
#include <support/motion_scenes.hpp>

namespace carom::test {
namespace {

using namespace carom::motion;

constexpr double tight = 1e-12;    // exact but for rounding
constexpr double differed = 1e-8;  // by a central difference

constexpr unsigned runs = 300;  // that are integrated

unsigned any_seed() { return *rc::gen::inRange<unsigned>(0, 1'000'000'000); }

/// Up to five of a model's contacts.
void check_contacts(const Model& model, const State& state) {
  const std::size_t n = model.contacts();
  const std::size_t first = n == 0 ? 0 : any_seed() % n;
  for (std::size_t k = 0; k < n; k += 1 + n / 5) {
    const std::size_t i = (first + k) % n;
    const ContactFaults f = faults(model, i, state);
    RC_ASSERT(f.gap <= tight);
    RC_ASSERT(f.gap_rate <= differed);
    RC_ASSERT(f.gradient <= differed);
    RC_ASSERT(f.slope <= tight);
    RC_ASSERT(f.bias <= differed);
  }
}

// --- linkages

RC_GTEST_PROP(LinkageModel, ContactsMoveAsTheirGapsSay, ()) {
  const LinkageModel model(random_moving_linkage(any_seed()));
  State state = model.start();
  state.time = 0.3;
  check_contacts(model, state);
}

TEST(LinkageModel, EnergyChangesByWhatDrivesAndDampersDo) {
  for (unsigned seed = 0; seed < runs; ++seed) {
    SCOPED_TRACE(seed);
    const LinkageModel model(random_moving_linkage(seed));
    const State start = model.start();
    const double before = kinetic_energy(model, start) + model.potential_energy(start);
    const FreeRun run = run_free(model, start, 0.05, 200);
    const double after = kinetic_energy(model, run.state) + model.potential_energy(run.state);
    const double scale =
        std::abs(before) + kinetic_energy(model, run.state) + std::abs(run.work) + 1.;
    ASSERT_NEAR(after - before, run.work, 1e-8 * scale);
  }
}

RC_GTEST_PROP(LinkageModel, IsTheLinkageOfImpactsAtTheInstant, ()) {
  const unsigned seed = any_seed();
  Linkage l = random_linkage(1 + seed % 6, seed);
  for (Link& link : l.links) link.support_velocity = {};
  const SystemAtImpact at = at_impact(l);

  MovingLinkage d{.linkage = l};
  const auto all = carom::test::motion(l, rates(l));
  const Complex point = all[l.contact.link].point(l.contact.point);
  LineTarget line{.normal = l.contact.normal, .velocity = l.contact.line_velocity};
  if (l.contact.against == ground) {
    line.through.point = {point.real(), point.imag()};
  } else {
    const LinkMotion& b = all[static_cast<std::size_t>(l.contact.against)];
    const Complex back = std::polar(1., -b.angle);
    const Complex p = back * (point - b.origin), n = back * complex(l.contact.normal);
    line.through = {.link = l.contact.against, .point = {p.real(), p.imag()}};
    line.normal = {n.real(), n.imag()};
  }
  d.contacts.push_back(
      {.point = {.link = static_cast<int>(l.contact.link), .point = l.contact.point},
       .target = line});
  const LinkageModel model(d);
  const State state = model.start();
  RC_ASSERT((mass_matrix(model, state) - at.M.toDense()).norm() <= tight * at.M.norm());
  ContactMotion m;
  model.contact(model.contact_id(0), state, m);
  RC_ASSERT(std::abs(m.gap) <= tight * 10.);
  RC_ASSERT((dense(m, model.velocities()).leftCols(2) - at.W.toDense()).norm() <=
            tight * (1. + at.W.norm()));
  const PlanarProblem contact = planar_problem(at.problem);
  RC_ASSERT(std::abs(m.velocity(0) - contact.approach.n) <= tight * 100.);
  RC_ASSERT(std::abs(m.velocity(1) - contact.approach.t) <= tight * 100.);
}

TEST(LinkageModel, AngleConventionsDescribeTheSameMotion) {
  for (unsigned seed = 0; seed < runs; ++seed) {
    SCOPED_TRACE(seed);
    MovingLinkage d = random_moving_linkage(seed);
    d.linkage = on_fixed_supports(random_linkage(1 + seed % 5, seed));
    d.linkage.relative_angles = false;
    d.joint_springs.clear();
    d.point_springs.clear();
    d.motors.clear();
    d.forces.clear();
    d.contacts.clear();
    for (std::size_t i = 0; i < d.linkage.links.size(); ++i) {
      d.joint_springs.push_back({.link = i, .stiffness = 3., .rest = 0.2, .damping = 0.4});
      d.motors.push_back({.link = i, .effort = {.constant = 1.5}, .speed_limit = 4.});
    }
    MovingLinkage relative = d;
    relative.linkage = described_relatively(d.linkage);
    const LinkageModel a(d), b(relative);
    const FreeRun end_a = run_free(a, a.start(), 0.1, 100),
                  end_b = run_free(b, b.start(), 0.1, 100);
    for (int i = 0; i < static_cast<int>(d.linkage.links.size()); ++i) {
      const auto p = a.place_of({.link = i, .point = {1., 1.}}, end_a.state);
      const auto q = b.place_of({.link = i, .point = {1., 1.}}, end_b.state);
      ASSERT_TRUE(std::hypot(p[0] - q[0], p[1] - q[1]) <= 1e-7);
    }
  }
}

// A pendulum's period from 60 degrees is 4 K(sin 30 deg) sqrt(L/g).
TEST(LinkageModel, PendulumSwingsWithItsNonlinearPeriod) {
  const double length = 0.7, g = 9.81, amplitude = std::numbers::pi / 3.;
  const LinkageModel model({.linkage = {.links = {{.name = "p",
                                                   .mass = 2.,
                                                   .mass_centre = {0., -length},
                                                   .position = amplitude}}},
                            .gravity = {0., -g}});
  const double period = 4. * std::comp_ellint_1(std::sin(amplitude / 2.)) * std::sqrt(length / g);
  const State end = run_free(model, model.start(), period, 4000).state;
  EXPECT_NEAR(end.q(0), amplitude, 1e-11);
  EXPECT_NEAR(end.u(0), 0., 1e-9);
}

// A motor works on its load up to its speed limit and no further.
TEST(LinkageModel, MotorFadesTowardsItsSpeedLimit) {
  const double inertia = 0.3, torque = 2., limit = 5., time = 1.5;
  const LinkageModel model(
      {.linkage = {.links = {{.name = "rotor", .inertia = inertia}}},
       .gravity = {0., 0.},
       .motors = {{.link = 0, .effort = {.constant = torque}, .speed_limit = limit}}});
  // I w' = T (1 - w/w0).
  const double expected = limit * (1. - std::exp(-torque * time / (inertia * limit)));
  EXPECT_NEAR(run_free(model, model.start(), time, 2000).state.u(0), expected, 1e-10);
}

TEST(LinkageModel, CradleIsARowOfPendulaThatJustTouch) {
  const LinkageModel model(
      linkage_of({.masses = {1., 1., 1.}, .radius = .02, .string = .3, .angles = {-.5, 0., 0.}}));
  const State start = model.start();
  ASSERT_EQ(model.contacts(), 2U);
  EXPECT_EQ(model.contact_name(model.contact_id(0)), "1-2");
  EXPECT_GT(model.gap(model.contact_id(0), start), 0.1);
  EXPECT_NEAR(model.gap(model.contact_id(1), start), 0., 1e-16);
  ContactMotion m;
  model.contact(model.contact_id(1), start, m);
  const Matrix W = dense(m, 3);
  EXPECT_NEAR(W(2, 0), .3, 1e-15);  // the right ball swings away to the right
  EXPECT_NEAR(W(1, 0), -.3, 1e-15);
}

TEST(LinkageModel, RefusesWhatMeansNothing) {
  const Linkage l{.links = {{.name = "a", .mass = 1., .mass_centre = {1., 0.}}}};
  const auto field = [](const MovingLinkage& d) -> std::string {
    try {
      const LinkageModel model(d);
    } catch (const InputError& e) {
      return e.field();
    }
    return "";
  };
  EXPECT_EQ(field({.linkage = l, .joint_springs = {{.link = 1}}}), "joint_springs[0].link");
  EXPECT_EQ(field({.linkage = l, .joint_springs = {{.stiffness = -1.}}}),
            "joint_springs[0].stiffness");
  EXPECT_EQ(field({.linkage = l, .motors = {{.speed_limit = 0.}}}), "motors[0].speed_limit");
  EXPECT_EQ(field({.linkage = l, .contacts = {{.point = {.link = 0}, .radius = -1.}}}),
            "contacts[0].radius");
  EXPECT_EQ(field({.linkage = l, .contacts = {{.point = {.link = ground}}}}), "contacts[0].link");
  EXPECT_EQ(field({.linkage = {}}), "links");
  EXPECT_EQ(field({.linkage = l}), "");
}

// --- bodies in space

RC_GTEST_PROP(SpatialModel, ContactsMoveAsTheirGapsSay, ()) {
  const SpatialModel model(random_scene(any_seed()));
  State state = model.start();
  state.time = 0.3;
  check_contacts(model, state);
}

RC_GTEST_PROP(SpatialModel, FramesOfContactsAreRightHanded, ()) {
  const SpatialModel model(random_scene(any_seed()));
  const State state = model.start();
  ContactMotion m;
  for (std::size_t i = 0; i < model.contacts(); ++i) {
    model.contact(model.contact_id(i), state, m);
    const Eigen::Matrix3d frame = m.W.block<3, 3>(0, 0);
    RC_ASSERT((frame.transpose() * frame - Eigen::Matrix3d::Identity()).norm() <= tight);
    RC_ASSERT(frame.determinant() > 0.);
  }
}

TEST(SpatialModel, FreeBodiesKeepEnergyAndAngularMomentum) {
  for (unsigned seed = 0; seed < runs; ++seed) {
    SCOPED_TRACE(seed);
    const SpatialModel model(random_scene(seed));
    const State start = model.start();
    const auto n = static_cast<Eigen::Index>(model.velocities());
    const auto momenta = [&](const State& s) { return Vector(mass_matrix(model, s) * s.u); };
    const Vector before = momenta(start);
    const double energy = kinetic_energy(model, start) + model.potential_energy(start);
    const State end = run_free(model, start, 0.5, 500).state;
    const Vector after = momenta(end);
    for (Eigen::Index b = 0; b < n; b += 6) {
      ASSERT_LE((after.segment<3>(b + 3) - before.segment<3>(b + 3)).norm(),
                1e-8 * (1. + before.norm()));
    }
    const double scale = std::abs(energy) + kinetic_energy(model, end);
    ASSERT_TRUE(std::abs(kinetic_energy(model, end) + model.potential_energy(end) - energy) <=
                1e-8 * scale);
  }
}

TEST(SpatialModel, FlightIsWhatIntegrationGives) {
  for (unsigned seed = 0; seed < runs; ++seed) {
    SCOPED_TRACE(seed);
    const SpatialModel model(random_scene(seed));
    if (!model.flies()) continue;
    const State start = model.start();
    State flown;
    model.fly(start, 0.4, flown);
    const State run = run_free(model, start, 0.4, 400).state;
    ASSERT_LE((flown.q - run.q).norm(), 1e-8);
    ASSERT_LE((flown.u - run.u).norm(), 1e-8);
    ASSERT_NEAR(flown.time, run.time, tight);
  }
}

RC_GTEST_PROP(SpatialModel, FlightTimesAreWhereGapsFirstClose, ()) {
  const SpatialModel model(random_scene(any_seed()));
  RC_PRE(model.flies());
  const State start = model.start();
  State at;
  const double longest = 2.;
  for (std::size_t i = 0; i < model.contacts(); ++i) {
    const ContactId id = model.contact_id(i);
    if (!(model.gap(id, start) > 0.)) continue;
    const auto t = model.flight_time(id.pair, start, longest);
    if (!t) continue;
    const double end = std::min(*t, longest);
    for (int k = 0; k < 100; ++k) {
      model.fly(start, end * k / 100., at);
      RC_ASSERT(model.gap(id, at) > -1e-12);
    }
    if (*t > longest) {
      RC_ASSERT(std::isinf(*t));
      continue;
    }
    model.fly(start, *t, at);
    RC_ASSERT(std::abs(model.gap(id, at)) <= 1e-11);
  }
}

// Just after an impact the gap is zero, and the ball comes back after 2 v/g.
TEST(SpatialModel, BallThatLeavesThePlaneComesBack) {
  const SpatialModel model({.bodies = {{.solid = shapes::space::Sphere{.radius = .1},
                                        .position = {0., 0., .1},
                                        .velocity = {1., 0., 3.}}},
                            .ground = {{}}});
  const BodyPair pair = model.contact_id(0).pair;
  EXPECT_DOUBLE_EQ(model.flight_time(pair, model.start(), 10.).value(), 6. / 9.81);
  EXPECT_EQ(model.flight_time(pair, model.start(), .1).value(),
            std::numeric_limits<double>::infinity());
}

// A coin that lies flat has no lowest point: its gap and normal are finite all the same.
TEST(SpatialModel, FlatCoinIsFinite) {
  const SpatialModel model(
      {.bodies = {{.solid = shapes::space::Disc{.radius = .1}, .spin = {1., 2., 3.}}},
       .ground = {{}}});
  ContactMotion m;
  model.contact(model.contact_id(0), model.start(), m);
  EXPECT_TRUE(m.W.allFinite());
  EXPECT_TRUE(m.bias.allFinite());
  EXPECT_EQ(m.gap, 0.);
}

TEST(SpatialModel, ThinRodSpinsAcrossItsAxisOnly) {
  SpatialScene scene{.bodies = {{.solid = shapes::space::Rod{.length = 1.}, .spin = {1., 0., 0.}}}};
  EXPECT_TRUE(SpatialModel(scene).flies());
  scene.bodies[0].spin = {0., 0., 1.};
  try {
    const SpatialModel model(scene);
    FAIL();
  } catch (const InputError& e) {
    EXPECT_EQ(e.field(), "bodies[0].spin");
  }
}

// --- bodies in the plane, and the disc

PlanarScene random_planar_scene(Draw& draw) {
  PlanarScene scene;
  scene.gravity = {draw.uniform(-3., 3.), draw.uniform(-10., 0.)};
  for (int k = 1 + draw.below(3); k > 0; --k) {
    PlanarBody b{.name = "b" + std::to_string(k),
                 .mass = draw.uniform(.2, 2.),
                 .inertia = draw.uniform(.1, 1.)};
    if (draw.chance(.5)) {
      b.shape = shapes::plane::disc(draw.uniform(.1, 1.));
    } else if (draw.chance(.3)) {
      b.shape = shapes::plane::segment({draw.uniform(-1., 0.), draw.uniform(-1., 1.)},
                                       {draw.uniform(.1, 1.), draw.uniform(-1., 1.)});
    } else {
      // On an ellipse: convex.
      const int corners = 3 + draw.below(3);
      const double x = draw.uniform(.2, 1.);
      const double y = draw.uniform(.2, 1.);
      std::vector<shapes::plane::Point> vertices;
      for (int j = 0; j < corners; ++j) {
        const double angle = 2. * std::numbers::pi * (j + draw.uniform(0., .7)) / corners;
        vertices.push_back({x * std::cos(angle), y * std::sin(angle)});
      }
      b.shape = shapes::plane::polygon(vertices);
    }
    scene.bodies.push_back(b);
  }
  for (int k = 1 + draw.below(2); k > 0; --k) {
    const shapes::plane::Point through{draw.uniform(-1., 1.), draw.uniform(-1., 1.)};
    scene.ground.push_back(line("l" + std::to_string(k), through, draw.uniform(-3., 3.)));
  }
  return scene;
}

State random_state(const Model& model, Draw& draw) {
  State s;
  s.q.resize(static_cast<Eigen::Index>(model.positions()));
  s.u.resize(static_cast<Eigen::Index>(model.velocities()));
  for (double& x : s.q) x = draw.uniform(-3., 3.);
  for (double& x : s.u) x = draw.uniform(-3., 3.);
  return s;
}

RC_GTEST_PROP(PlanarModel, ContactsMoveAsTheirGapsSay, ()) {
  Draw draw(any_seed());
  const PlanarModel model(random_planar_scene(draw));
  check_contacts(model, random_state(model, draw));
}

RC_GTEST_PROP(DiscModel, ContactsMoveAsTheirGapsSay, ()) {
  Draw draw(any_seed());
  const DiscModel model({.mass = draw.uniform(.1, 2.),
                         .radius = draw.uniform(.2, 2.),
                         .half_thickness = draw.uniform(.01, .2)});
  State state = random_state(model, draw);
  state.q(2) = draw.uniform(.1, 3.);
  check_contacts(model, state);
}

TEST(PlanarModel, FlightIsWhatIntegrationGives) {
  for (unsigned seed = 0; seed < runs; ++seed) {
    SCOPED_TRACE(seed);
    Draw draw(seed);
    const PlanarModel model(random_planar_scene(draw));
    const State start = random_state(model, draw);
    State flown = start;
    model.fly(start, .4, flown);
    const State run = run_free(model, start, .4, 50).state;
    ASSERT_LE((flown.q - run.q).norm() + (flown.u - run.u).norm(), 1e-11);
    ASSERT_NEAR(kinetic_energy(model, run) + model.potential_energy(run),
                kinetic_energy(model, start) + model.potential_energy(start),
                1e-10 * (1. + kinetic_energy(model, start)));
  }
}

}  // namespace
}  // namespace carom::test
