// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "support/motion_scenes.hpp"
#include "support/random_scenes.hpp"

// Random scenes of several bodies: they end, and every state satisfies signs, Coulomb's cone and
// friction against slip. Trajectories are not compared: they are chaotic.
namespace carom {
namespace {

using namespace motion;

/// Gaps of closed contacts are projected after each step, but not within: the dense output leaves
/// some tens of the tolerance, 1e-9.
constexpr double most_overlap = 1e-7;
constexpr double most_force_error = 1e-8;  ///< relative to the weight
/// 1 - cos of an angle of 1e-4 rad, which slip above 1e-6 m/s may have at tolerance 1e-9.
constexpr double most_off_slip = 1e-8;
constexpr double most_unaccounted = 1e-8;  ///< relative to the energy turned over

void expect_sound(const test::RandomMotion& m, const std::string& what) {
  SCOPED_TRACE(what);
  test::Judge judge(m);
  const Summary s = test::run(*m.model, m.start, m.surfaces, m.options, judge);
  EXPECT_EQ(s.ending, Ending::time) << s.reason;
  EXPECT_LE(judge.overlap, most_overlap);
  EXPECT_LE(judge.tension, most_force_error);
  EXPECT_LE(judge.force_at_a_gap, most_force_error);
  EXPECT_LE(judge.beyond_cone, most_force_error);
  EXPECT_LE(judge.off_slip, most_off_slip);
  const EnergyAccount& e = s.progress.energy;
  const double turned_over = e.kinetic_start + 0.5 * 9.81 * m.mass;  // a fall by half a metre
  EXPECT_LE(std::abs(e.gap()), most_unaccounted * turned_over);
}

TEST(MotionScenes, ThreeAndFiveDiscs) {
  for (const std::size_t count : {std::size_t{3}, std::size_t{5}}) {
    for (std::uint64_t seed = 0; seed < 16; ++seed) {
      expect_sound(test::thrown_discs(seed, count),
                   std::to_string(count) + " discs, seed " + std::to_string(seed));
    }
  }
}

TEST(MotionScenes, EightDiscs) {
  for (const std::uint64_t seed : {0U, 3U, 4U, 5U}) {
    expect_sound(test::thrown_discs(seed, 8), "8 discs, seed " + std::to_string(seed));
  }
}

TEST(MotionScenes, FourSpheres) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    expect_sound(test::thrown_spheres(seed, 4), "4 spheres, seed " + std::to_string(seed));
  }
}

TEST(MotionScenes, BoxesOnAnEdge) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    expect_sound(test::box(seed, false), "box on an edge, seed " + std::to_string(seed));
  }
}

TEST(MotionScenes, ThrownBoxes) {
  for (std::uint64_t seed = 0; seed < 24; ++seed) {
    expect_sound(test::box(seed, true), "thrown box, seed " + std::to_string(seed));
  }
}

// The distribution of forces over walls and floor is not determined; that they hold the stack is.
TEST(MotionScenes, HyperstaticStacksStayAtRest) {
  for (const std::size_t count : {1U, 2U, 4U, 6U}) {
    const auto m = test::resting_stack(count);
    test::Judge judge(m);
    const Summary s = test::run(*m.model, m.start, m.surfaces, m.options, judge);
    EXPECT_EQ(s.ending, Ending::time) << s.reason;
    EXPECT_EQ(s.progress.events, 1U);
    // Speeds up to 1e-12 of the reference speed count as rest.
    EXPECT_LE((s.progress.state.q - m.start.q).cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_LE(s.progress.state.u.cwiseAbs().maxCoeff(), 1e-12 / 0.05);
    EXPECT_LE(judge.tension, most_force_error);
    EXPECT_LE(judge.beyond_cone, most_force_error);
  }
}

}  // namespace
}  // namespace carom
