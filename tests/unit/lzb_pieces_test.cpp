// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <gtest/gtest.h>

#include <carom/laws/lzb/crossing.hpp>

// Where in a step of `lzb` something crosses zero.
namespace carom::lzb {
namespace {

Slope parabola(double s) { return {s * s - 0.25, 2. * s}; }
/// Flat where it crosses.
Slope cube(double s) { return {(s - 0.3) * (s - 0.3) * (s - 0.3), 3. * (s - 0.3) * (s - 0.3)}; }
/// Newton's steps from the middle leave the interval.
Slope steep(double s) {
  return {std::atan(50. * (s - 0.9)), 50. / (1. + 2500. * (s - 0.9) * (s - 0.9))};
}

TEST(LzbCrossing, RiseIsFound) {
  EXPECT_NEAR(rise(parabola, 0., 1.), 0.5, 1e-14);
  EXPECT_NEAR(rise(cube, 0., 1.), 0.3, 1e-4);
  EXPECT_NEAR(rise(steep, 0., 1.), 0.9, 1e-14);
  EXPECT_NEAR(rise(parabola, 0.5, 1.), 0.5, 1e-14);  // at the very beginning
}

TEST(LzbCrossing, FirstOfThree) {
  // 40 (s - 0.2)(s - 0.5)(s - 0.9): above zero from 0.2 to 0.5, and again from 0.9.
  const auto at = [](double s) { return 40. * (s - 0.2) * (s - 0.5) * (s - 0.9); };
  const auto slope = [](double s) {
    return 40. * ((s - 0.5) * (s - 0.9) + (s - 0.2) * (s - 0.9) + (s - 0.2) * (s - 0.5));
  };
  const Crossing c{
      .before = at(0.), .rate_before = slope(0.), .after = at(1.), .rate_after = slope(1.)};
  EXPECT_EQ(c.what(0.), Crossing::What::earlier);
  EXPECT_NEAR(c.part(0.), 0.2, 1e-13);
  EXPECT_NEAR(c.at(0.7), at(0.7), 1e-13);
}

// A contact at rest, which rounding makes separate, that opens and is pressed again: the event is
// at the start of the step, not at its end, where the step would be cut for ever.
TEST(LzbCrossing, PositiveByRoundingAtTheStart) {
  const Crossing c{.before = 9e-17, .rate_before = 2.4e-6, .after = -2.8e-6, .rate_after = -9.5e-6};
  EXPECT_EQ(c.what(1e-11), Crossing::What::earlier);
  EXPECT_NEAR(c.part(1e-11) * c.rate_before, .9e-11, 1e-13);
}

TEST(LzbCrossing, StraightLine) {
  const Crossing c{.before = -1., .rate_before = 4., .after = 3., .rate_after = 4.};
  EXPECT_NEAR(c.part(0.), 0.25, 1e-15);
}

}  // namespace
}  // namespace carom::lzb
