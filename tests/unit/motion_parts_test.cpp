// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include <carom/motion/acceleration.hpp>
#include <carom/motion/impact_resolver.hpp>
#include <carom/motion/mechanics.hpp>
#include <carom/motion/run.hpp>

#include "support/motion_log.hpp"
#include "support/motion_scenes.hpp"

// Parts of a run by themselves.
namespace carom {
namespace {

using namespace motion;

/// A box above a floor, with its corners as contacts, at a state.
struct BoxAtFloor {
  explicit BoxAtFloor(const Options& options_of, const Surface& surface)
      : options(options_of), surfaces{surface} {
    contacts.grow();
    EXPECT_TRUE(mechanics.at(state));
    for (std::size_t i = 0; i < contacts.size(); ++i) mechanics.load(i, state);
  }
  /// Strikes and takes the new velocities.
  [[nodiscard]] bool strike(const std::vector<std::size_t>& at, const Jam* jam = nullptr) {
    if (!resolver.strike(at, jam, mechanics, state, impact, trouble)) return false;
    before = mechanics.kinetic(state.u);
    supplied = push(mechanics, at, impact.impulse, state.u);
    after = mechanics.kinetic(state.u);
    for (const std::size_t i : at) mechanics.load(i, state);
    return true;
  }

  Options options;
  std::vector<Surface> surfaces;
  PlanarModel model{{.bodies = {{.name = "box",
                                 .mass = 2.,
                                 .inertia = 2. * (0.16 + 0.04) / 12.,
                                 .shape = shapes::plane::box(0.4, 0.2)}},
                     .ground = {test::line("floor")}}};
  State state = test::state({0., 0.1, 0.}, {0.5, -1., 0.3});
  Setting setting{model, surfaces, options};
  Contacts contacts{setting};
  Mechanics mechanics{model, contacts.list()};
  ImpactResolver resolver{setting, contacts};
  Impact impact;
  Trouble trouble;
  double before = 0.;    ///< kinetic energy [J]
  double after = 0.;     ///< [J]
  double supplied = 0.;  ///< by supports [J]
};

// The corners of a face that slides, and a fifth contact, met in a run: of rank four, though no
// pivot is below 1e-11 of the largest entry.
TEST(MotionParts, AHiddenKernelIsFound) {
  constexpr std::size_t r = 5;
  const std::vector<double> K{
      7.926965557189245,  0.73258591451919586,  3.3523452346941438,  -3.820018768454752,
      1.6008749434869105, 0.41071489095914399,  7.7116871920040522,  -4.1383652259250017,
      3.1616991396754788, -0.82192714660835553, 3.5308029826303686,  -3.7701693184145393,
      8.0798830995145146, 0.77981873391403467,  -3.1196587060979288, -3.9854476835997334,
      3.2089319590703171, 0.58917263889536964,  7.7615366420442635,  -5.5424607961931942,
      1.5964704729249253, -0.99367450152657621, -2.9668724571665628, -5.542303528082746,
      8.5565444013599112};
  std::vector<double> f{1., 2., 3., 4., 5.};
  EXPECT_EQ(eliminate_small(K.data(), f.data(), r), Solved::shared);
  // A definite matrix is none.
  std::vector<double> regular = K;
  for (std::size_t i = 0; i < r; ++i) regular[i * r + i] += 1e-3;
  EXPECT_EQ(eliminate_small(regular.data(), f.data(), r), Solved::uniquely);
}

// Newton's law at one corner: v_n+ = -e v_n-, and the work of the impulse is the change of energy.
// A box on an edge, drawn along it: how friction is shared by the ends of the edge is open, and at
// the limit both are there. Whichever is found first, both leave stick.
TEST(MotionParts, ContactsAtTheirLimitLeaveStickTogether) {
  constexpr double mu = 0.4;
  AccelerationProblem p;
  p.components = 3;
  p.scale = 9.81;
  Matrix W(6, 6);  // forces n, t1, t2 of both ends on the body: z, x along the edge, y
  for (const int end : {0, 1}) {
    const double x = end == 0 ? 0.1 : -0.1;  // of the end; z = -0.05
    for (const int j : {0, 1, 2}) {
      const Eigen::Vector3d d = Eigen::Vector3d::Unit((j + 2) % 3);
      const Eigen::Vector3d moment{0.05 * d(1), -0.05 * d(0) - x * d(2), x * d(1)};
      W.col(3 * end + j) << d, moment;
    }
  }
  Vector inverse_mass(6);
  inverse_mass << 1., 1., 1., 100., 100., 100.;
  p.G = W.transpose() * inverse_mass.asDiagonal() * W;
  Vector limit(6);
  limit << 1., -mu, 0., 1., -mu, 0.;
  p.b = -p.G * limit;
  p.contacts.resize(2);
  for (AccelerationContact& c : p.contacts) c.mu = c.mu_s = mu;
  for (const std::size_t first : {0U, 1U}) {
    AccelerationProblem left = p;
    left.contacts[first].leaves_stick = true;
    const AccelerationAnswer answer = motion::solve(left);
    ASSERT_TRUE(answer.found);
    for (const ContactStatus& s : answer.status) {
      EXPECT_EQ(s.touch, Touch::slip);
      EXPECT_NEAR(s.direction[0], 1., 1e-9);
    }
    EXPECT_LE((answer.force - limit).cwiseAbs().maxCoeff(), 1e-9);
  }
}

TEST(MotionParts, OneContactStrikesByItsLaw) {
  Options options;
  options.law = find_law("newton");
  BoxAtFloor box(options, {.restitution = 0.6, .friction = 0.2});
  ASSERT_GE(box.contacts.size(), 1U);
  const double approach = box.mechanics.motion(0).velocity(0);
  ASSERT_LT(approach, 0.);
  ASSERT_TRUE(box.strike({0}));
  EXPECT_NEAR(box.mechanics.motion(0).velocity(0), -0.6 * approach, 1e-14);
  EXPECT_NEAR(box.after - box.before, box.impact.work[0], 1e-14);
  EXPECT_EQ(box.impact.energy_change, box.impact.work[0]);
  EXPECT_LE(std::abs(box.impact.impulse(1)), 0.2 * box.impact.impulse(0) * (1. + 1e-14));
  EXPECT_EQ(box.supplied, 0.);
  EXPECT_EQ(box.impact.other_law, 0U);
}

TEST(MotionParts, SeveralContactsStrikeTogether) {
  Options options;
  options.several = find_law("moreau");
  BoxAtFloor box(options, {.restitution = 0.5, .friction = 0.1});
  std::vector<std::size_t> at;
  for (std::size_t i = 0; i < box.contacts.size(); ++i) {
    if (box.mechanics.motion(i).gap < 1e-9) at.push_back(i);
  }
  ASSERT_EQ(at.size(), 2U);
  const std::vector<double> approach{box.mechanics.motion(at[0]).velocity(0),
                                     box.mechanics.motion(at[1]).velocity(0)};
  ASSERT_TRUE(box.strike(at));
  for (std::size_t k = 0; k < 2; ++k) {
    const double normal = box.impact.impulse(ix(2 * k));
    const double leaves = box.mechanics.motion(at[k]).velocity(0) + 0.5 * approach[k];
    EXPECT_GE(normal, 0.);
    EXPECT_GE(leaves, -1e-12);
    EXPECT_NEAR(std::min(normal, leaves), 0., 1e-12);
  }
  EXPECT_NEAR(box.after - box.before, box.impact.energy_change, 1e-13);
  EXPECT_NEAR(box.impact.work[0] + box.impact.work[1], box.impact.energy_change, 1e-13);
}

// A contact that rests is not accelerated; the impulse only pushes.
TEST(MotionParts, AnImpactWithoutRestitutionStops) {
  BoxAtFloor box({}, {.restitution = 0.5, .friction = 0.1});
  std::vector<std::size_t> at;
  for (std::size_t i = 0; i < box.contacts.size(); ++i) {
    if (box.mechanics.motion(i).gap < 1e-9) at.push_back(i);
  }
  ASSERT_TRUE(box.resolver.stop(at, box.mechanics, box.impact));
  (void)push(box.mechanics, at, box.impact.impulse, box.state.u);
  for (std::size_t k = 0; k < at.size(); ++k) {
    EXPECT_GE(box.impact.impulse(ix(2 * k)), 0.);
    EXPECT_NEAR(box.mechanics.load(at[k], box.state).velocity(0), 0., 1e-13);
  }
}

// Contacts between boxes are found in the middle of a step, while friction work of others is
// integrated: works and deformations must not be confused.
TEST(MotionParts, CompliantContactsThatAreFoundKeepTheAccount) {
  PlanarScene scene;
  for (const char* name : {"a", "b"}) {
    scene.bodies.push_back({.name = name,
                            .mass = 0.1,
                            .inertia = 0.1 * 0.04 * 0.04 / 6.,
                            .shape = shapes::plane::box(0.04, 0.04)});
  }
  scene.ground = {test::line("floor")};
  const PlanarModel model(scene);
  const std::vector<Surface> surfaces{
      {.restitution = 0.7, .friction = 0.2, .stiffness = 1e6, .exponent = 1.}};
  Options options{.end_time = 0.05};
  options.compliant = {true};
  const State start_state = test::state({0., 0.02, 0., 0.08, 0.02, 0.}, {1.5, 0., 0., 0., 0., 0.});
  test::MotionLog log;
  const Summary s =
      simulate(model, surfaces, options, start(model, start_state, surfaces, options), log);
  ASSERT_NE(s.ending, Ending::failed) << s.reason;
  EXPECT_GT(s.progress.found.size(), 0U);
  const EnergyAccount& energy = s.progress.energy;
  EXPECT_NEAR(energy.gap(), 0., 1e-8 * energy.kinetic_start);
  for (const double work : energy.friction) EXPECT_LE(work, 1e-12);
}

// Where events go on after steps, gaps are closed. A body that this turns changes its kinetic
// energy at the same spin: that is a correction of positions, and nothing is gained by what is
// dropped.
TEST(MotionParts, ClosingGapsAfterStepsDropsNoEnergy) {
  const double c = std::cos(0.5);
  const double s = std::sin(0.5);
  SpatialScene scene;
  scene.ground = {test::plane("floor")};
  scene.bodies = {{.name = "box",
                   .solid = shapes::space::Box{.size = {0.3, 0.2, 0.1}},
                   .position = {0., 0., 0.1 * s + 0.05 * c},
                   .orientation = {{{1., 0., 0.}, {0., c, -s}, {0., s, c}}},
                   .spin = {0., 0., 20.}}};  // on an edge along x
  const SpatialModel model(scene);
  const std::vector<Surface> smooth{{.restitution = 0., .friction = 0., .static_friction = 0.}};
  const Options options{.method = MotionMethod::stepping, .end_time = 1.};
  for (const double gap : {-1e-7, 1e-7}) {
    Progress p = start(model, model.start(), smooth, options);
    p.state.q(2) += gap;
    p.contacts.resize(model.contacts());
    std::size_t closed = 0;
    for (std::size_t i = 0; i < model.contacts(); ++i) {
      if (std::abs(model.gap(model.contact_id(i), p.state)) > 2e-7) continue;
      p.contacts[i].touch = Touch::slip;
      ++closed;
    }
    ASSERT_EQ(closed, 2U);
    motion::Run run(model, smooth, options);
    ASSERT_TRUE(run.begin_again(p));
    const EnergyAccount account = run.save().energy;
    EXPECT_LE(account.dropped, 1e-12 * account.kinetic);
    EXPECT_GT(std::abs(account.corrections), 1e-9 * account.kinetic);
  }
}

}  // namespace
}  // namespace carom
