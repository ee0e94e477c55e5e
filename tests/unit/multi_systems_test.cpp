// SPDX-License-Identifier: Apache-2.0
// Systems with several contacts: reduction to contact space and back.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/LU>

#include <carom/core/error.hpp>
#include <carom/core/scalar.hpp>
#include <carom/mechanics/ball_chain.hpp>
#include <carom/mechanics/disc_ball.hpp>
#include <carom/mechanics/rocking_block.hpp>
#include <carom/mechanics/rod_ends.hpp>
#include <carom/mechanics/system_at_impact.hpp>
#include <support/multi_systems_cases.hpp>

namespace carom::test {
namespace {

using Names = std::vector<std::string>;

Eigen::VectorXd vector(const std::vector<double>& v) {
  return Eigen::Map<const Eigen::VectorXd>(v.data(), static_cast<Eigen::Index>(v.size()));
}

void expect_same(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b, const std::string& what) {
  ASSERT_EQ(a.rows(), b.rows()) << what;
  ASSERT_EQ(a.cols(), b.cols()) << what;
  const double scale = std::max(b.cwiseAbs().maxCoeff(), 1e-300);
  EXPECT_LE((a - b).cwiseAbs().maxCoeff(), rounding * scale) << what << "\n" << a << "\n\n" << b;
}

/// Contact space is that of the case, to rounding.
void expect_contact_space(const SystemAtImpact& at, const std::string& id) {
  const MultiSystemCase& c = multi_system_case(id);
  EXPECT_EQ(at.problem.G.components(), c.components) << id;
  EXPECT_EQ(at.names.size(), at.problem.G.blocks()) << id;
  expect_same(at.problem.G.dense(), c.G, id + " G");
  expect_same(vector(at.problem.approach), c.approach, id + " approach");
}

/// And so are mass, directions and velocity.
void expect_case(const SystemAtImpact& at, const std::string& id) {
  expect_contact_space(at, id);
  const MultiSystemCase& c = multi_system_case(id);
  ASSERT_TRUE(at.has_velocities()) << id;
  expect_same(Eigen::MatrixXd(at.M), c.mass, id + " M");
  expect_same(Eigen::MatrixXd(at.W), c.directions, id + " W");
  expect_same(vector(at.u), c.velocity, id + " u");
  EXPECT_EQ(at.coordinates.size(), at.u.size()) << id;
}

template <class System>
std::string refusal(const System& system) {
  try {
    (void)at_impact(system);
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

// Every case in generalized coordinates gives its contact space, and its impulses its velocities
// after.
TEST(MultiSystem, ReferenceConfigurationsGiveTheirContactSpaceAndVelocities) {
  int impulses = 0;
  for (const MultiSystemCase& c : multi_system_cases()) {
    const auto contacts = static_cast<std::size_t>(c.directions.cols()) / c.components;
    const SystemAtImpact at =
        at_impact(c.mass, c.directions, {c.velocity.begin(), c.velocity.end()}, c.components,
                  numbered(contacts));
    expect_contact_space(at, c.id);
    if (c.impulse.empty()) continue;
    ++impulses;
    const std::vector<double> after = at.velocity_after(c.impulse);
    EXPECT_LE((vector(after) - c.velocity_after).cwiseAbs().maxCoeff(), 1e-9) << c.id;
    // The ledger of the contacts is the change of kinetic energy.
    const Eigen::VectorXd P = vector(c.impulse);
    const Eigen::VectorXd v = c.approach;
    const double change = at.kinetic_energy(after) - at.kinetic_energy(at.u);
    EXPECT_NEAR(change, P.dot(v + 0.5 * (c.G * P)), 1e-12 * (1. + at.kinetic_energy(at.u))) << c.id;
  }
  EXPECT_GE(impulses, 30);
}

TEST(MultiSystem, DiscAndBallAsInThePaper) {
  int cases = 0;
  for (const MultiSystemCase& c : multi_system_cases()) {
    if (!c.id.starts_with("disc_ball")) continue;
    ++cases;
    const SystemAtImpact at = at_impact(DiscBall{.ball_mass = 0.06924,
                                                 .disc_mass = 0.20969,
                                                 .radius = 0.0375,
                                                 .half_thickness = 0.003,
                                                 .height = c.height,
                                                 .ball_velocity = {c.velocity(0), 0.}});
    EXPECT_EQ(at.names, (Names{"A", "B", "C", "D"}));
    expect_case(at, c.id);
  }
  EXPECT_EQ(cases, 9);
}

// Tilted, W and N are still the gradients of the gaps and of the points' paths [eqs 2.1-2.7].
TEST(MultiSystem, DirectionsOfTheTiltedDiscAreGradientsOfTheGaps) {
  const DiscBall d{.radius = 0.3, .half_thickness = 0.1, .height = 0.05, .angle = 1.2};
  const auto gaps = [&](double z, double angle) {
    const double s = std::sin(angle), c = std::cos(angle);
    return std::array{z - (d.half_thickness * c + d.radius * s), z - d.radius * s,
                      z + (d.half_thickness * c - d.radius * s)};
  };
  const Eigen::MatrixXd W = at_impact(d).W;
  constexpr double step = 1e-6;
  const auto up = gaps(1., d.angle + step);
  const auto down = gaps(1., d.angle - step);
  for (int i = 0; i < 3; ++i) {
    const auto k = static_cast<std::size_t>(i);
    EXPECT_EQ(W(3, 2 * i), 1.);
    EXPECT_NEAR(W(4, 2 * i), (up[k] - down[k]) / (2. * step), 1e-9);
  }
  // Normal and tangent at D are perpendicular unit vectors on ball and disc.
  EXPECT_NEAR(W.col(6).head<2>().dot(W.col(7).head<2>()), 0., 1e-15);
  EXPECT_NEAR(W.col(6).head<2>().norm(), 1., 1e-15);
  EXPECT_EQ((W.col(6).head<2>() + W.col(6).segment<2>(2)).norm(), 0.);
  EXPECT_EQ((W.col(7).head<2>() + W.col(7).segment<2>(2)).norm(), 0.);
}

TEST(MultiSystem, DiscAndBallRefuseWhatTheyCannotBe) {
  EXPECT_EQ(refusal(DiscBall{.ball_mass = -1.}), "ball_mass: must be a finite number > 0, got -1");
  EXPECT_EQ(refusal(DiscBall{.height = 2.}),
            "height: must be within the disc, of magnitude below its radius, got 2");
  EXPECT_EQ(refusal(DiscBall{.angle = 4.}), "angle: must be in (0, pi) rad, got 4");
}

TEST(MultiSystem, CradlesAndChains) {
  const std::vector<double> three(3, 1.);
  const std::vector<double> five(5, 1.);
  for (const char* kind : {"linear", "hertz"}) {
    const std::string end(kind);
    expect_case(at_impact(BallChain{.masses = three, .velocities = {1., 0., 0.}}),
                "newton_cradle_3_" + end);
    expect_case(at_impact(BallChain{.masses = five, .velocities = {1., 0., 0., 0., 0.}}),
                "newton_cradle_5_" + end);
    for (const char* ratio : {"0.01", "0.1", "0.5", "2", "10", "100"}) {
      expect_case(at_impact(BallChain{.masses = three, .velocities = {1., 0., 0.}}),
                  "chain3_" + end + "_k2_over_k1_" + ratio);
    }
  }
  expect_case(at_impact(BallChain{.masses = five, .velocities = {1., 1., 0., 0., 0.}}),
              "newton_cradle_5_hertz_two_strikers");
  expect_case(at_impact(BallChain{.masses = {4., 2., 1., 0.5}, .velocities = {1., 0., 0., 0.}}),
              "chain4_tapered");
  const SystemAtImpact wall =
      at_impact(BallChain{.masses = three, .velocities = {1., 1., 1.}, .wall = true});
  expect_case(wall, "chain3_against_wall_hertz");
  EXPECT_EQ(wall.names, (Names{"1-2", "2-3", "3-wall"}));
}

TEST(MultiSystem, ChainsRefuseWhatTheyCannotBe) {
  EXPECT_EQ(refusal(BallChain{.masses = {1.}, .velocities = {1.}}),
            "masses: must be of at least 2 balls, got 1");
  EXPECT_EQ(refusal(BallChain{.masses = {1., 1.}, .velocities = {1.}}),
            "velocities: must be one for each of 2 balls, got 1");
  EXPECT_EQ(refusal(BallChain{.masses = {1., 0.}, .velocities = {1., 0.}}),
            "masses[1]: must be a finite number > 0, got 0");
}

// A hundred thousand balls: G keeps to its neighbours, and it takes no time to speak of.
TEST(MultiSystem, LongChainsStaySparse) {
  constexpr std::size_t n = 100000;
  const SystemAtImpact at = at_impact(
      BallChain{.masses = std::vector<double>(n, 2.), .velocities = std::vector<double>(n, 0.)});
  EXPECT_EQ(at.problem.G.blocks(), n - 1);
  EXPECT_EQ(at.problem.G.stored_blocks(), 3 * (n - 1) - 2);
  EXPECT_EQ(at.problem.G(7, 7), 1.);
  EXPECT_EQ(at.problem.G(7, 8), -0.5);
}

TEST(MultiSystem, Blocks) {
  const RockingBlock wide{.half_width = 0.5, .half_height = 1., .velocity = {1., -1.}};
  const SystemAtImpact flat = at_impact(wide);
  expect_case(flat, "block_flat_fall_slip");
  expect_case(flat, "block_flat_fall_slip_mus");
  EXPECT_EQ(flat.names, (Names{"left", "right"}));
  RockingBlock slender{.half_width = 0.25, .half_height = 1., .spin = 1.};
  slender.velocity = velocity_about_corner(slender, 1., 1.);
  for (const char* rest : {"mu0_e0.5", "mu0.05_e0.5", "mu0.2_e0.5", "mu0.2_e0.9", "mu1_e0.9"}) {
    expect_case(at_impact(slender), "rocking_block_" + std::string(rest));
  }
  // About the left corner the left corner rests.
  slender.velocity = velocity_about_corner(slender, -1., 1.);
  const std::vector<double> v = at_impact(slender).problem.approach;
  EXPECT_EQ(v[0], 0.);
  EXPECT_EQ(v[1], 0.);
  EXPECT_EQ(v[2], 0.5);
  EXPECT_EQ(refusal(RockingBlock{.half_width = 0.}),
            "half_width: must be a finite number > 0, got 0");
}

TEST(MultiSystem, RodsWithBothEnds) {
  const RodEnds flat{.half_length = 0.5, .velocity = {0.6, -1.}};
  expect_case(at_impact(flat), "rod_two_ends_flat");
  RodEnds spinning = flat;
  spinning.spin = 0.4;
  expect_case(at_impact(spinning), "rod_two_ends_spinning");
  expect_case(at_impact(spinning), "rod_two_ends_unequal");
  const double angle = 50. * std::numbers::pi / 180.;
  RodEnds corner{.half_length = 0.5,
                 .direction = {std::cos(angle), std::sin(angle)},
                 .velocity = {0.5, -1.},
                 .spin = 0.2};
  const SystemAtImpact at = at_impact(corner);
  expect_case(at, "rod_in_corner");
  EXPECT_EQ(at.names, (Names{"floor", "wall"}));
  // The mirror image: the wall to the left, tangential velocities and spin reversed.
  corner.direction[0] = -corner.direction[0];
  corner.velocity[0] = -corner.velocity[0];
  corner.spin = -corner.spin;
  const SystemAtImpact mirrored = at_impact(corner);
  for (std::size_t i = 0; i < 4; ++i) {
    const double side = i % 2 == 0 ? 1. : -1.;
    EXPECT_NEAR(mirrored.problem.approach[i], side * at.problem.approach[i], 1e-15);
  }
  EXPECT_EQ(refusal(RodEnds{.direction = {0., 1.}}),
            "direction: must be level, or lean to the right or left");
}

TEST(MultiSystem, MassMustBePositiveDefinite) {
  const auto with = [&](double a, double b, double d, double e, std::vector<double> u = {0., 1.}) {
    Eigen::Matrix2d M;
    M << a, b, d, e;
    try {
      (void)at_impact(M, Eigen::Vector2d(1., -1.), std::move(u), 1);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(with(1., 0., 0., 1.), "");
  EXPECT_EQ(with(1., 2., 2., 1.),
            "mass: must be positive definite, got an indefinite or singular matrix");
  EXPECT_EQ(with(1., 1., 1., 1.),
            "mass: must be positive definite, got an indefinite or singular matrix");
  EXPECT_EQ(with(1., 0., 0., 0.), "mass[1][1]: must be > 0, got 0");
  EXPECT_EQ(with(1., 0.5, 0.25, 1.), "mass: must be symmetric, got 0.25 at [1][0] and 0.5 across");
  EXPECT_EQ(with(1e20, 1e6, 1e6, 1e-7), "");  // of other units, and well-conditioned
  EXPECT_EQ(with(1., 0., 0., 1., {0.}), "mass: must be 1 x 1 as velocity has 1 entries, got 2 x 2");
}

}  // namespace
}  // namespace carom::test
