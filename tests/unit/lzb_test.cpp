// SPDX-License-Identifier: Apache-2.0
#include <carom/laws/lzb/lzb.hpp>

#include <cmath>
#include <numeric>

#include <gtest/gtest.h>
#include <Eigen/Core>

#include <carom/mechanics/model_at_impact.hpp>
#include <carom/mechanics/planar_model.hpp>
#include <support/multi_cases.hpp>

namespace carom {
namespace {

ContactProblem problem(const Eigen::MatrixXd& G, std::size_t components,
                       std::vector<double> approach, std::vector<Surface> surfaces) {
  ContactProblem p;
  p.G = BlockMatrix::from_dense(G, components);
  p.approach = std::move(approach);
  p.surfaces = std::move(surfaces);
  return p;
}

/// Equal balls of unit mass in a row, the first striking with unit speed.
ContactProblem chain(std::size_t balls, const Surface& surface) {
  const std::size_t n = balls - 1;
  std::vector<BlockMatrix::Triplet> entries;
  for (std::size_t i = 0; i < n; ++i) {
    entries.push_back({i, i, 2.});
    if (i + 1 < n) entries.push_back({i, i + 1, -1.});
  }
  ContactProblem p;
  p.G = BlockMatrix::from_triplets(n, 1, entries);
  p.approach.assign(n, 0.);
  p.approach[0] = -1.;
  p.surfaces.assign(n, surface);
  return p;
}

/// Velocities of the balls of a chain, from the impulses between them.
std::vector<double> balls(const Outcome& o) {
  std::vector<double> u(o.impulse.size() + 1, 0.);
  u[0] = 1.;
  for (std::size_t i = 0; i < o.impulse.size(); ++i) {
    u[i] -= o.impulse[i];
    u[i + 1] += o.impulse[i];
  }
  return u;
}

TEST(Lzb, ReferenceCases) {
  ASSERT_EQ(test::multi_cases().size(), 51U);
  for (const test::MultiReferenceCase& c : test::multi_cases()) {
    ASSERT_EQ(c.law, "lzb");
    const Outcome o = solve_lzb(c.problem, c.options);
    EXPECT_LE(test::multi_error(c, o), c.tolerance) << c.id;
    EXPECT_FALSE(o.flags.has(Verdict::not_converged)) << c.id;
    EXPECT_FALSE(o.flags.has(Verdict::energy_gained)) << c.id;
  }
}

// In space, and with plastic contacts: computed by other means (tests/reference/own).
TEST(Lzb, OwnReferenceCases) {
  const auto cases = test::read_multi_cases("reference/own/multi-own-lzb.json");
  ASSERT_GE(cases.size(), 11U);
  for (const test::MultiReferenceCase& c : cases) {
    const Outcome o = solve_lzb(c.problem, c.options);
    EXPECT_LE(test::multi_error(c, o), c.tolerance) << c.id;
  }
}

TEST(Lzb, ToleranceIsKept) {
  for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
    for (const test::MultiReferenceCase& c : test::multi_cases()) {
      const Outcome o = solve_lzb(c.problem, {.tolerance = tolerance});
      EXPECT_LE(test::multi_error(c, o), tolerance) << c.id << " at " << tolerance;
      EXPECT_EQ(o.tolerance, tolerance);
    }
  }
}

TEST(Lzb, TighterToleranceIsCloser) {
  for (const test::MultiReferenceCase& c : test::multi_cases()) {
    const Outcome o = solve_lzb(c.problem, {.tolerance = 1e-11});
    EXPECT_LE(test::multi_error(c, o), 1e-10) << c.id;  // the references' own errors count here
  }
}

TEST(Lzb, ExplicitEulerHasThePapersAccuracy) {
  double worst = 0.;
  for (const test::MultiReferenceCase& c : test::multi_cases()) {
    if (c.id.rfind("disc_ball", 0) != 0) continue;
    const double coarse = test::multi_error(c, solve_lzb(c.problem, {.euler_steps = 1000}));
    const double fine = test::multi_error(c, solve_lzb(c.problem, {.euler_steps = 10000}));
    EXPECT_LE(fine, 2e-3) << c.id;
    EXPECT_LE(fine, 0.5 * coarse + 1e-6) << c.id;
    worst = std::max(worst, fine);
  }
  EXPECT_GE(worst, 1e-5);  // it is of first order
}

// k2/k1 -> 0: the second contact only begins when the first has ended. The third ball is light, so
// that the first two do not meet again.
TEST(Lzb, SoftSecondContactGivesSequentialImpacts) {
  Eigen::MatrixXd G(2, 2);
  G << 2., -1., -1., 3.;
  const Outcome o = solve_lzb(
      problem(G, 1, {-1., 0.}, {{.restitution = 0.8}, {.restitution = 0.8, .stiffness = 1e-9}}));
  EXPECT_NEAR(o.impulse[0], 0.9, 1e-3);
  EXPECT_NEAR(o.impulse[1], 1.8 * 0.9 / 3., 1e-3);
}

// k2/k1 -> infinity: the second acts as locked.
TEST(Lzb, StiffSecondContactIsLocked) {
  ContactProblem p = chain(3, {.restitution = 0.8});
  p.surfaces[1].stiffness = 1e4;
  const auto u = balls(solve_lzb(p));
  EXPECT_NEAR(u[0], -0.2, 2e-3);
  EXPECT_NEAR(u[1], 0.6, 2e-3);
  EXPECT_NEAR(u[2], 0.6, 2e-3);
}

TEST(Lzb, EqualExponentsKnowRatiosOfStiffnessOnlyAndScaleWithSpeed) {
  const test::MultiReferenceCase& c = test::multi_cases().front();
  const Outcome o = solve_lzb(c.problem);
  ContactProblem other = c.problem;
  for (Surface& s : other.surfaces) s.stiffness *= 7.;
  for (double& v : other.approach) v *= 3.;
  const Outcome p = solve_lzb(other);
  for (std::size_t k = 0; k < o.velocity.size(); ++k) {
    EXPECT_NEAR(p.velocity[k], 3. * o.velocity[k], 1e-9);
  }
}

TEST(Lzb, UnequalExponentsKnowSpeed) {
  ContactProblem p = chain(3, {.restitution = 1.});
  p.surfaces[1].exponent = 1.;
  const auto slow = balls(solve_lzb(p));
  p.approach[0] = -100.;
  const Outcome o = solve_lzb(p);
  const double third = o.impulse[1] / 100.;
  EXPECT_GT(std::abs(third - slow[2]), 1e-3);
}

// Without restitution compression ends the impact; all of a frictionless chain end up together only
// where nothing separates them.
TEST(Lzb, PlasticContactLosesWhatItStored) {
  const Outcome o = solve_lzb(problem(Eigen::MatrixXd::Constant(1, 1, 2.), 1, {-1.}, {{}}));
  EXPECT_NEAR(o.impulse[0], 0.5, 1e-10);
  EXPECT_EQ(o.velocity[0], 0.);
  EXPECT_NEAR(o.energy.change, -0.25, 1e-10);
  EXPECT_EQ(o.energy.stages->restitution, 0.);
  EXPECT_EQ(o.contacts[0].mode, Mode::closed);
}

TEST(Lzb, ExponentsBelowOne) {
  for (const double a : {0.3, 0.5, 0.9}) {
    const Outcome o = solve_lzb(problem(Eigen::MatrixXd::Constant(1, 1, 2.), 1, {-1.},
                                        {{.restitution = 0.6, .exponent = a}}));
    EXPECT_NEAR(o.velocity[0], 0.6, 1e-9) << a;
    EXPECT_FALSE(o.flags.has(Verdict::not_converged)) << a;
  }
}

TEST(Lzb, SeparatingOrRestingContactsHaveNoImpulse) {
  const Eigen::MatrixXd G = Eigen::MatrixXd::Identity(2, 2);
  for (const auto& v : {std::vector{0., 0.}, std::vector{1., 0.}, std::vector{1., 2.}}) {
    const Outcome o = solve_lzb(problem(G, 1, v, {{}, {}}));
    EXPECT_EQ(o.verdict(), Verdict::no_impulse);
    EXPECT_EQ(o.velocity, v);
    EXPECT_EQ(o.impulse, (std::vector{0., 0.}));
  }
}

// A bar at 63.435 degrees that slides with v_n = 0 and jams: the limit of slow approach (ERRATA).
TEST(Lzb, GrazingContactThatJams) {
  Eigen::MatrixXd G(2, 2);
  const double s = 2. / std::sqrt(5.);  // sine of the angle
  const double c = 1. / std::sqrt(5.);
  G << 1. + 3. * c * c, 3. * s * c, 3. * s * c, 1. + 3. * s * s;
  const Surface surface{.restitution = 0.5, .friction = 5. / 3., .static_friction = 5. / 3.};
  const Outcome jams = solve_lzb(problem(G, 2, {0., 1.}, {surface}));
  EXPECT_TRUE(jams.flags.has(Verdict::jam));
  EXPECT_NEAR(jams.velocity[0], 0.08889, 5e-6);
  const Outcome slow = solve_lzb(problem(G, 2, {-1e-7, 1.}, {surface}));
  EXPECT_NEAR(slow.velocity[0], jams.velocity[0], 1e-6);
  const Outcome other_way = solve_lzb(problem(G, 2, {0., -1.}, {surface}));
  EXPECT_EQ(other_way.verdict(), Verdict::no_impulse);
}

// Contacts with one tangential direction share friction in proportion to their limits.
TEST(Lzb, SharedFriction) {
  for (const test::MultiReferenceCase& c : test::multi_cases()) {
    if (c.id != "rod_two_ends_flat") continue;
    ContactProblem p = c.problem;
    const Outcome o = solve_lzb(p);
    EXPECT_NEAR(o.impulse[1] / o.impulse[0], o.impulse[3] / o.impulse[2], 1e-6);
  }
}

TEST(Lzb, AnApproachThatNothingStopsHasNoSolution) {
  Eigen::MatrixXd G(2, 2);
  G << 1., -1., -1., 1.;
  const Surface surface{.restitution = .5};
  const ContactProblem wedge{
      .G = BlockMatrix::from_dense(G, 1), .approach = {-1., -1.}, .surfaces = {surface, surface}};
  const Outcome o = solve_lzb(wedge, {.most_steps = 2000});
  EXPECT_EQ(o.verdict(), Verdict::no_solution);
  EXPECT_EQ(o.velocity, wedge.approach);
}

/// Discs packed hexagonally on a floor, in rows of `wide` and one less, one more striking from
/// above.
ContactProblem packing(std::size_t wide, std::size_t rows, const Surface& surface) {
  PlanarScene scene;
  std::vector<double> q;
  std::vector<double> u;
  const auto add = [&](double x, double y, double v) {
    scene.bodies.push_back({.name = std::to_string(scene.bodies.size()),
                            .mass = 1.,
                            .inertia = .125,
                            .shape = shapes::plane::disc(.5)});
    q.insert(q.end(), {x, y, 0.});
    u.insert(u.end(), {0., v, 0.});
  };
  const double step = std::sqrt(.75);
  double y = .5;
  for (std::size_t r = 0; r < rows; ++r, y += step) {
    for (std::size_t i = 0; i + r % 2 < wide; ++i) {
      add(static_cast<double>(i) + .5 * static_cast<double>(r % 2), y, 0.);
    }
  }
  add(static_cast<double>(wide / 2) + (rows % 2 == 0 ? 0. : .5), y, -1.);
  scene.ground.push_back({.name = "floor", .shape = shapes::plane::half_plane()});
  const auto vector = [](const std::vector<double>& v) {
    return Eigen::Map<const Vector>(v.data(), ix(v.size()));
  };
  const SystemAtImpact at =
      at_impact(PlanarModel(std::move(scene)), {.q = vector(q), .u = vector(u)});
  ContactProblem p{.G = at.problem.G, .approach = at.problem.approach, .surfaces = {}};
  p.surfaces.assign(p.contacts(), surface);
  return p;
}

// Where many contacts stick, friction reaches its limit at several at one instant, and at some that
// are hardly pressed.
TEST(Lzb, PackingsConverge) {
  for (const std::size_t wide : {4U, 7U, 10U}) {
    for (const double mu : {.1, .3}) {
      const ContactProblem p =
          packing(wide, wide / 2 + 1, {.restitution = .5, .friction = mu, .stiffness = 1e9});
      const Outcome o = solve_lzb(p);
      EXPECT_FALSE(o.flags.has(Verdict::not_converged)) << wide << ' ' << mu;
      EXPECT_LT(o.steps, 300 * p.contacts()) << wide << ' ' << mu;
      EXPECT_LE(o.energy.change, 0.);
      for (std::size_t i = 0; i < p.contacts(); ++i) EXPECT_GE(o.velocity[2 * i], 0.);
      // A loose tolerance makes no contact without load a reason for small steps.
      const Outcome loose = solve_lzb(p, {.tolerance = 1e-4});
      EXPECT_FALSE(loose.flags.has(Verdict::not_converged)) << wide << ' ' << mu;
      EXPECT_LT(loose.steps, o.steps) << wide << ' ' << mu;
    }
  }
}

TEST(Lzb, PhasesTellTheCourse) {
  const Outcome o = solve_lzb(chain(3, {.restitution = 1.}));
  ASSERT_EQ(o.phases.size(), 4U);
  double time = 0.;
  for (const Phase& phase : o.phases) {
    EXPECT_GE(phase.time, time);
    time = phase.time;
    if (phase.stage == Stage::compression) {
      EXPECT_NEAR(phase.velocity[0], 0., 1e-4);
    }
  }
  for (std::size_t i = 0; i < 2; ++i) {
    double last = 0.;
    for (const Phase& phase : o.phases) {
      if (phase.contact == i) last = phase.impulse[0];
    }
    EXPECT_NEAR(last, o.impulse[i], 1e-12);
  }
}

TEST(Lzb, TraceDoesNotChangeTheOutcome) {
  const test::MultiReferenceCase& c = test::multi_cases()[1];
  Course trace;
  const Outcome traced = solve_lzb(c.problem, {}, &trace);
  const Outcome plain = solve_lzb(c.problem);
  EXPECT_EQ(traced, plain);
  ASSERT_GE(trace.samples(), 200U);
  const std::size_t n = c.problem.contacts();
  ASSERT_EQ(trace.contacts, n);
  for (const auto* column : {&trace.impulse, &trace.velocity, &trace.slip, &trace.force,
                             &trace.friction, &trace.energy}) {
    ASSERT_EQ(column->size(), n * trace.samples());
  }
  for (std::size_t s = 1; s < trace.samples(); ++s) {
    EXPECT_GE(trace.time[s], trace.time[s - 1]);
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_GE(trace.impulse[s * n + i], trace.impulse[(s - 1) * n + i] * (1. - 1e-12));
      EXPECT_GE(trace.force[s * n + i], 0.);
    }
  }
  const std::size_t last = trace.samples() - 1;
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_NEAR(trace.impulse[last * n + i], plain.impulse[2 * i], 1e-9 * plain.impulse[6]);
  }
}

TEST(Lzb, StepsRunOut) {
  const Outcome o = solve_lzb(chain(5, {.restitution = 0.9}), {.most_steps = 5});
  EXPECT_EQ(o.verdict(), Verdict::not_converged);
  EXPECT_EQ(o.steps, 5U);
}

// A ball wedged between two walls comes to rest between them.
TEST(Lzb, WedgedBall) {
  Eigen::MatrixXd G(2, 2);
  G << 1., -1., -1., 1.;
  const Outcome o =
      solve_lzb(problem(G, 1, {-1., 1.}, {{.restitution = 0.5}, {.restitution = 0.5}}));
  EXPECT_FALSE(o.flags.has(Verdict::not_converged));
  EXPECT_LE(o.energy.change, 0.);
  EXPECT_NEAR(o.velocity[0], -o.velocity[1], 1e-9);
}

TEST(Lzb, HundredBalls) {
  const ContactProblem p = chain(100, {.restitution = 0.9});
  const Outcome o = solve_lzb(p, {.tolerance = 1e-6});
  const Outcome fine = solve_lzb(p, {.tolerance = 1e-10});
  EXPECT_FALSE(o.flags.has(Verdict::not_converged));
  double worst = 0.;
  for (std::size_t i = 0; i < o.velocity.size(); ++i) {
    EXPECT_GE(o.velocity[i], 0.);
    worst = std::max(worst, std::abs(o.velocity[i] - fine.velocity[i]));
  }
  EXPECT_LE(worst, 1e-6);
  EXPECT_NEAR(o.energy.change, fine.energy.change, 1e-6);
}

}  // namespace
}  // namespace carom
