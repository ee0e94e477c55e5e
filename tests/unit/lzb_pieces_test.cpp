// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include <carom/laws/lzb_crossing.hpp>
#include <carom/laws/lzb_runge_kutta.hpp>

// What an impact by `lzb` is put together from: steps, and where in them something crosses zero.
namespace carom::lzb {
namespace {

/// x' = P, P' = cos t, t' = 1.
struct Pushed {
  void derivative(const double* y, double* f) const {
    f[0] = y[1];
    f[1] = std::cos(y[2]);
    f[2] = 1.;
  }
};

/// Grows by itself, and is no number, or infinite, beyond 1.
struct Breaks {
  double beyond;

  void derivative(const double* y, double* f) const { f[0] = y[0] <= 1. ? 1. : beyond; }
};

template <class Tableau>
class LzbSteps : public testing::Test {};
using Tableaus = testing::Types<DormandPrince5, DormandPrince8>;
TYPED_TEST_SUITE(LzbSteps, Tableaus);

TYPED_TEST(LzbSteps, IntegrateTwiceAsTheyIntegrateOnce) {
  RungeKutta stepper;
  stepper.resize(3);
  Pushed system;
  const std::array<double, 3> y0{0., 0., 0.4};
  std::array<double, 3> f0{};
  std::array<double, 3> y1{};
  system.derivative(y0.data(), f0.data());
  const double h = 0.7;
  stepper.step<TypeParam>(system, h, y0.data(), f0.data(), y1.data());
  EXPECT_NEAR(stepper.twice_integrated<TypeParam>(h, 1), y1[0], 1e-14);
  const double exact = std::cos(0.4) - std::cos(0.4 + h) - h * std::sin(0.4);
  EXPECT_NEAR(y1[0], exact, 1e-5);
}

TYPED_TEST(LzbSteps, NoNumberIsNoSmallError) {
  for (const double beyond : {std::numeric_limits<double>::quiet_NaN(), HUGE_VAL}) {
    RungeKutta stepper;
    stepper.resize(1);
    Breaks system{beyond};
    const double y0 = 0.9;
    const double f0 = 1.;
    const double f1 = beyond;
    const double weight = 1.;
    double y1 = 0.;
    stepper.step<TypeParam>(system, 0.5, &y0, &f0, &y1);
    EXPECT_FALSE(stepper.error<TypeParam>(0.5, &weight, &f1) <= 1.) << beyond;
  }
}

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

TEST(LzbCrossing, StraightLine) {
  const Crossing c{.before = -1., .rate_before = 4., .after = 3., .rate_after = 4.};
  EXPECT_NEAR(c.part(0.), 0.25, 1e-15);
}

}  // namespace
}  // namespace carom::lzb
