// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include <carom/core/error.hpp>
#include <carom/mechanics/prescribed_path.hpp>

// Prescribed motion of the ground: values, rates, where it jumps, what is refused.
namespace carom {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

PrescribedPath table() {
  PrescribedPath p{.velocity = {0.1, 0., -0.2},
                   .amplitude = {0.3, -0.1, 0.},
                   .frequency = 0.7,
                   .phase = 0.4,
                   .times = {-0.5, 0.25, 1., 2.5},
                   .positions = {{0., 0., 1.}, {0.5, -1., 1.}, {0.2, 2., 0.}, {0.1, 0., 3.}}};
  prepare(p, "motion");
  return p;
}

double distance(const World3& a, const World3& b) {
  double sum = 0.;
  for (std::size_t j = 0; j < 3; ++j) sum += (a[j] - b[j]) * (a[j] - b[j]);
  return std::sqrt(sum);
}

TEST(PrescribedPath, RestsByDefault) {
  PrescribedPath p;
  prepare(p, "motion");
  EXPECT_FALSE(p.moves());
  EXPECT_TRUE(p.is_uniform());
  EXPECT_EQ(p.at(3.).displacement, World3{});
  EXPECT_EQ(p.at(3.).velocity, World3{});
  EXPECT_EQ(p.next_jump(-1e9), never);
}

TEST(PrescribedPath, IsAStraightLineAndASine) {
  PrescribedPath p{.velocity = {1., -2., 0.5}};
  prepare(p, "motion");
  EXPECT_TRUE(p.moves() && p.is_uniform());
  EXPECT_EQ(p.at(2.).displacement, (World3{2., -4., 1.}));
  p.amplitude = {0., 0., 0.1};
  p.frequency = 5.;
  p.phase = 0.3;
  EXPECT_FALSE(p.is_uniform());
  const double rate = 10. * std::numbers::pi;
  const double angle = rate * 0.7 + 0.3;
  EXPECT_NEAR(p.at(0.7).displacement[2], 0.35 + 0.1 * std::sin(angle), 1e-15);
  EXPECT_NEAR(p.at(0.7).velocity[2], 0.5 + 0.1 * rate * std::cos(angle), 1e-13);
  EXPECT_NEAR(p.at(0.7).acceleration[2], -0.1 * rate * rate * std::sin(angle), 1e-12);
  EXPECT_EQ(p.next_jump(0.), never);
}

// A cubic goes through a table of any cubic with its velocities.
TEST(PrescribedPath, TablesHaveTheirRowsAndReproduceCubics) {
  const auto x = [](double t) { return 1. + t * (2. - t * (3. - 0.5 * t)); };
  const auto v = [](double t) { return 2. - t * (6. - 1.5 * t); };
  PrescribedPath p;
  for (const double t : {0., 0.4, 1., 3.}) {
    p.times.push_back(t);
    p.positions.push_back({x(t), 0., -x(t)});
    p.velocities.push_back({v(t), 0., -v(t)});
  }
  prepare(p, "motion");
  EXPECT_TRUE(p.moves());
  EXPECT_FALSE(p.is_uniform());
  for (double t = 0.; t < 3.; t += 0.1) {
    const auto at = p.at(t);
    EXPECT_NEAR(at.displacement[0], x(t), 1e-14) << t;
    EXPECT_NEAR(at.displacement[2], -x(t), 1e-14) << t;
    EXPECT_NEAR(at.velocity[0], v(t), 1e-13) << t;
    EXPECT_NEAR(at.acceleration[0], -6. + 3. * t, 1e-12) << t;
  }
  // Beyond the ends it goes on as it does there.
  EXPECT_NEAR(p.at(5.).displacement[0], x(3.) + 2. * v(3.), 1e-13);
  EXPECT_NEAR(p.at(-2.).displacement[0], x(0.) - 2. * v(0.), 1e-14);
  EXPECT_EQ(p.at(5.).acceleration, World3{});
  EXPECT_EQ(p.at(-2.).acceleration, World3{});
}

TEST(PrescribedPath, RatesAreThoseOfDifferences) {
  const PrescribedPath p = table();
  constexpr double dt = 1e-4;  // error dt^2/6 of the third rate, and rounding/dt
  for (const double t : {-1., -0.3, 0.1, 0.5, 0.9, 1.7, 2.4, 3.3}) {
    const auto before = p.at(t - dt);
    const auto now = p.at(t);
    const auto after = p.at(t + dt);
    for (std::size_t j = 0; j < 3; ++j) {
      EXPECT_NEAR((after.displacement[j] - before.displacement[j]) / (2. * dt), now.velocity[j],
                  1e-6)
          << t;
      EXPECT_NEAR((after.velocity[j] - before.velocity[j]) / (2. * dt), now.acceleration[j], 1e-5)
          << t;
    }
  }
}

// Position and velocity are continuous at the times of a table, and the rows are met; only the
// acceleration jumps, where next_jump says.
TEST(PrescribedPath, IsC1AtItsTimes) {
  PrescribedPath p = table();
  double t = -10.;
  for (std::size_t k = 0; k < p.times.size(); ++k) {
    t = p.next_jump(t);
    ASSERT_EQ(t, p.times[k]);
    const auto before = p.at(std::nextafter(t, -10.));
    const auto after = p.at(t);
    EXPECT_LE(distance(before.displacement, after.displacement), 1e-14);
    EXPECT_LE(distance(before.velocity, after.velocity), 1e-13);
    EXPECT_GT(distance(before.acceleration, after.acceleration), 0.1);
  }
  EXPECT_EQ(p.next_jump(t), never);
  EXPECT_EQ(p.next_jump(0.3), 1.);
  p.velocity = p.amplitude = {};
  for (std::size_t k = 0; k < p.times.size(); ++k) {
    EXPECT_LE(distance(p.at(p.times[k]).displacement, p.positions[k]), 1e-15);
    EXPECT_LE(distance(p.at(p.times[k]).velocity, p.velocities[k]), 1e-14);
  }
  // Missing velocities: central differences, one-sided at the ends.
  EXPECT_NEAR(p.velocities[0][1], -1. / 0.75, 1e-15);
  EXPECT_NEAR(p.velocities[1][1], 2. / 1.5, 1e-15);
  EXPECT_NEAR(p.velocities[3][2], 3. / 1.5, 1e-15);
}

TEST(PrescribedPath, RefusesWhatMeansNothing) {
  const auto field = [](PrescribedPath p) -> std::string {
    try {
      prepare(p, "motion");
    } catch (const InputError& e) {
      return e.field();
    }
    return "";
  };
  const double nan = std::nan("");
  const std::vector<World3> two{{}, {1., 0., 0.}};
  EXPECT_EQ(field({.times = {0., 1.}, .positions = two}), "");
  EXPECT_EQ(field({.times = {0., 0.}, .positions = two}), "motion.times[1]");
  EXPECT_EQ(field({.times = {1., 0.}, .positions = two}), "motion.times[1]");
  EXPECT_EQ(field({.times = {nan, 0.}, .positions = two}), "motion.times[0]");
  EXPECT_EQ(field({.times = {0., 1., 2.}, .positions = two}), "motion.positions");
  EXPECT_EQ(field({.positions = two}), "motion.positions");
  EXPECT_EQ(field({.times = {0.}, .positions = {{}}}), "motion.times");
  EXPECT_EQ(field({.times = {0., 1.}, .positions = two, .velocities = {{}}}), "motion.velocities");
  EXPECT_EQ(field({.times = {0., 1.}, .positions = {{}, {0., nan, 0.}}}).substr(0, 19),
            "motion.positions[1]");
  EXPECT_EQ(
      field({.times = {0., 1.}, .positions = two, .velocities = {{nan, 0., 0.}, {}}}).substr(0, 20),
      "motion.velocities[0]");
  EXPECT_EQ(field({.velocity = {nan, 0., 0.}}).substr(0, 15), "motion.velocity");
  EXPECT_EQ(field({.amplitude = {0., 0., never}}).substr(0, 16), "motion.amplitude");
  EXPECT_EQ(field({.frequency = nan}), "motion.frequency");
  EXPECT_EQ(field({.phase = never}), "motion.phase");
}

}  // namespace
}  // namespace carom
