// SPDX-License-Identifier: Apache-2.0
// What the recomputed publications are made of, by hand and by other ways.
#include <cmath>

#include <gtest/gtest.h>

#include <carom/laws/sun_baruh.hpp>
#include <carom/mechanics/planar_bodies.hpp>
#include <papers/brach/sphere.hpp>
#include <papers/engine/measures.hpp>
#include <papers/sun-baruh/rod.hpp>

namespace carom::papers {
namespace {

TEST(PapersParts, DecadeBoundsAnErrorFromAbove) {
  EXPECT_EQ(decade(0.), 1e-12);
  EXPECT_EQ(decade(1e-12), 1e-12);
  EXPECT_NEAR(decade(3e-5), 1e-4, 1e-18);
  EXPECT_NEAR(decade(20.), 100., 1e-10);
}

// The standard says what the 10000th number of the engine is.
TEST(PapersParts, RandomNumbersAreThoseOfTheStandard) {
  FixedRandom random(5489);
  double x = 0.;
  for (int k = 0; k < 10'000; ++k) x = random(0., 1.);
  EXPECT_EQ(x, std::ldexp(static_cast<double>(9981545732273789042ULL >> 11U), -53));
}

// Contact velocity (-2, 3, 2) m/s: V_t = 3 - 0.6 (2/7) 3, Omega_t' = 0.6 (5/3.5) 3, both by eqs 12
// and 15 corrected.
TEST(PapersParts, BrachsSphereByHand) {
  const br::Sphere s{.mass = 2.,
                     .radius = 0.5,
                     .velocity = {.n = -2., .t1 = 3., .t2 = 0.},
                     .spin = {.n = 0., .t1 = 4., .t2 = 0.},
                     .e_n = 0.5,
                     .part = {0.6, 0.6}};
  const br::Struck o = br::struck(s);
  EXPECT_NEAR(o.after.velocity.n, 1., 1e-14);
  EXPECT_NEAR(o.after.velocity.t1, 3. - 3.6 / 7., 1e-14);
  EXPECT_NEAR(o.after.velocity.t2, -2.4 / 7., 1e-14);
  EXPECT_NEAR(o.after.spin.t1, 4. - 12. / 7., 1e-14);
  EXPECT_NEAR(o.after.spin.t2, 18. / 7., 1e-14);
  EXPECT_NEAR(o.loss, 6.12, 1e-13);  // 3 + (2/7) 0.6 1.4 13
}

// Where stick needs just the static friction: sin cos = mu_s (alpha + cos^2).
TEST(PapersParts, ReverseAngleOfARod) {
  for (const double alpha : {sb::thin, sb::cylinder}) {
    const double angle = sb::reverse_angle_deg(alpha) * degree;
    EXPECT_NEAR(std::sin(angle) * std::cos(angle), 0.4 * (alpha + std::pow(std::cos(angle), 2)),
                1e-13);
  }
}

// The rod's energy from its motion and from the ledger of the contact.
TEST(PapersParts, EnergyOfARodTwoWays) {
  const sb::SpatialFall fall{
      .angle1_deg = 12., .angle2_deg = 9., .surface = {.restitution = 0.7, .friction = 0.3}};
  const SpatialOutcome o = sun_baruh(sb::problem_of(fall), Hypothesis::poisson);
  EXPECT_NEAR(sb::after(fall, o).energy, 1. + o.energy.change / (0.5 * 1.16), 1e-13);
}

}  // namespace
}  // namespace carom::papers
