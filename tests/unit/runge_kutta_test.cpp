// SPDX-License-Identifier: Apache-2.0
#include <carom/core/runge_kutta.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include <carom/core/event_search.hpp>

namespace carom {
namespace {

/// y' = cos(t) y: y = exp(sin(t)).
bool rate(double t, std::span<const double> y, std::span<double> dy) {
  dy[0] = std::cos(t) * y[0];
  return true;
}

struct Tried {
  double error = 0.;      // of the result
  double estimated = 0.;  // by the method
  double within = 0.;     // the largest error of the course
};

template <class Tableau, class Norm>
Tried tried(double h) {
  constexpr double t0 = 0.3;
  RungeKutta<Norm> method;
  method.resize(1);
  const std::vector<double> start{std::exp(std::sin(t0))};
  std::vector<double> end(1);
  rate(t0, start, method.start_rate());
  EXPECT_TRUE((method.template step<Tableau>(t0, h, start, end, rate)));
  rate(t0 + h, end, method.template end_rate<Tableau>());
  const std::vector<double> unit{1.};
  Tried made{.error = std::abs(end[0] - std::exp(std::sin(t0 + h))),
             .estimated = method.template error<Tableau>(unit)};
  if constexpr (Tableau::stages == DormandPrince8::stages) {
    EXPECT_TRUE(method.know_course(start, end, rate));
    std::vector<double> y(1);
    for (const double part : {0., 0.2, 0.5, 0.9, 1.}) {
      method.at(t0 + part * h, y);
      made.within = std::max(made.within, std::abs(y[0] - std::exp(std::sin(t0 + part * h))));
    }
  }
  return made;
}

double order_of(double coarse, double fine) { return std::log2(coarse / fine); }

TEST(RungeKutta, HasTheOrderOfItsMethod) {
  // The error of one step falls with one power more than that of the whole.
  const Tried a = tried<DormandPrince5, LargestError>(0.2);
  const Tried b = tried<DormandPrince5, LargestError>(0.1);
  EXPECT_NEAR(order_of(a.error, b.error), 6., 0.5);
  EXPECT_NEAR(order_of(a.estimated, b.estimated), 5., 0.5);
  const Tried c = tried<DormandPrince8, LargestError>(0.4);
  const Tried d = tried<DormandPrince8, LargestError>(0.2);
  EXPECT_NEAR(order_of(c.error, d.error), 9., 1.);
  EXPECT_NEAR(order_of(c.within, d.within), 8., 1.);
  EXPECT_LT(a.error, a.estimated);
}

TEST(RungeKutta, MeasuresOneEntryTheSameInBothNorms) {
  const double largest = tried<DormandPrince8, LargestError>(0.8).estimated;
  EXPECT_NEAR((tried<DormandPrince8, MeanError>(0.8).estimated), largest, 1e-9 * largest);
}

TEST(RungeKutta, SaysWhereThereIsNoRate) {
  RungeKutta<MeanError> method;
  method.resize(1);
  const std::vector<double> start{1.};
  std::vector<double> end(1);
  int calls = 0;
  const auto ends = [&](double t, std::span<const double> y, std::span<double> dy) {
    return ++calls < 3 && rate(t, y, dy);
  };
  rate(0., start, method.start_rate());
  EXPECT_FALSE((method.step<DormandPrince8>(0., 0.1, start, end, ends)));
  EXPECT_EQ(calls, 3);
}

template <class Tableau>
class RungeKuttaSteps : public testing::Test {};
using Tableaus = testing::Types<DormandPrince5, DormandPrince8>;
TYPED_TEST_SUITE(RungeKuttaSteps, Tableaus);

TYPED_TEST(RungeKuttaSteps, IntegrateTwiceAsTheyIntegrateOnce) {
  // x' = P, P' = cos t
  const auto pushed = [](double t, std::span<const double> y, std::span<double> dy) {
    dy[0] = y[1];
    dy[1] = std::cos(t);
    return true;
  };
  RungeKutta<LargestError> method;
  method.resize(2);
  const double t0 = 0.4;
  const double h = 0.7;
  const std::vector<double> start{0., 0.};
  std::vector<double> end(2);
  pushed(t0, start, method.start_rate());
  ASSERT_TRUE((method.step<TypeParam>(t0, h, start, end, pushed)));
  EXPECT_NEAR(method.template twice_integrated<TypeParam>(1), end[0], 1e-14);
  EXPECT_NEAR(end[0], std::cos(t0) - std::cos(t0 + h) - h * std::sin(t0), 1e-5);
}

template <class Tableau, class Norm>
void expect_no_small_error() {
  for (const double beyond : {std::numeric_limits<double>::quiet_NaN(), HUGE_VAL}) {
    const auto breaks = [&](double /*t*/, std::span<const double> y, std::span<double> dy) {
      dy[0] = y[0] <= 1. ? 1. : beyond;
      return true;
    };
    RungeKutta<Norm> method;
    method.resize(1);
    const std::vector<double> start{0.9};
    const std::vector<double> unit{1.};
    std::vector<double> end(1);
    method.start_rate()[0] = 1.;
    ASSERT_TRUE((method.template step<Tableau>(0., 0.5, start, end, breaks)));
    method.template end_rate<Tableau>()[0] = beyond;
    EXPECT_FALSE(method.template error<Tableau>(unit) <= 1.) << beyond;
  }
}

TEST(RungeKutta, NoNumberIsNoSmallError) {
  expect_no_small_error<DormandPrince5, LargestError>();
  expect_no_small_error<DormandPrince8, LargestError>();
  expect_no_small_error<DormandPrince8, MeanError>();
}

TEST(RungeKutta, ChangesItsStepWithinBounds) {
  EXPECT_EQ(step_factor<DormandPrince8>(0., 0.2), 6.);
  EXPECT_EQ(step_factor<DormandPrince8>(1e-30, 0.2), 6.);
  EXPECT_EQ(step_factor<DormandPrince8>(1e30, 0.2), 0.2);
  EXPECT_EQ(step_factor<DormandPrince8>(std::nan(""), 0.1), 0.1);
  EXPECT_NEAR(step_factor<DormandPrince5>(32., 0.1), 0.45, 1e-15);
}

TEST(EventSearch, FindsRootsAndTheFirstClosing) {
  const auto f = [](double t) { return std::cos(t); };
  EXPECT_NEAR(find_root(f, 1., 2., f(1.), f(2.)), 1.5707963267948966, 4e-16);
  // A gap that dips below zero and rises again within one piece, and one that does not close.
  const auto gap = [](double t) { return (t - 0.4) * (t - 0.6); };
  const auto slope = [](double t) { return 2. * t - 1.; };
  EXPECT_NEAR(first_closing(gap, slope, 0., 1., 1, 0.), 0.4, 1e-15);
  EXPECT_EQ(first_closing(gap, slope, 0., 1., 1, 0.02), HUGE_VAL);
}

// It rises at both ends of a part, and falls below zero between them.
TEST(EventSearch, AGapThatDipsWithinAPartIsFound) {
  const auto closing = [](double a, double b, double c) {
    return first_closing(
        [=](double t) { return (t - a) * (t - b) * (t - c); },
        [=](double t) { return (t - b) * (t - c) + (t - a) * (t - c) + (t - a) * (t - b); }, 0., 1.,
        8, 0.);
  };
  EXPECT_NEAR(closing(-0.001, 0.02, 0.14), 0.02, 1e-15);  // still below zero at the end of the part
  EXPECT_NEAR(closing(0., 0.02, 0.14), 0.02, 1e-15);      // from zero
  EXPECT_NEAR(closing(0., 0.02, 0.06), 0.02, 1e-15);      // and above zero at the end of the part
}

// It falls at both ends of a part, rises between them, and has closed before that.
TEST(EventSearch, AGapThatTurnsTwiceWithinAPartIsFound) {
  const auto closing = [](double start) {
    const auto gap = [=](double t) { return start - t * (t * t / 3. - 0.36 * t + 0.014); };
    const auto slope = [](double t) { return -(t - 0.02) * (t - 0.7); };
    return first_closing(gap, slope, 0., 1., 1, 1e-13);
  };
  EXPECT_NEAR(closing(1e-5), 7.28e-4, 1e-6);
  EXPECT_EQ(closing(2e-4), HUGE_VAL);
}

// A gap that has just closed and rises from there, by rounding above zero: its dip ends early in
// the only part.
TEST(EventSearch, AGapThatStartsAtZeroToRoundingIsLookedAtClosely) {
  for (const double start : {-1e-16, 0., 1e-16}) {
    const auto gap = [=](double t) { return start + t * (t - 0.01) * (t - 0.4); };
    const auto slope = [](double t) { return 3. * t * t - 0.82 * t + 0.004; };
    EXPECT_NEAR(first_closing(gap, slope, 0., 1., 1, 1e-13), 0.01, 1e-12) << start;
  }
}

TEST(EventSearch, AGapOutOfRangeClosesWhereItEntersIt) {
  const auto closing = [](double from, double to, double most_overlap, double t0 = 0.) {
    const GapInRange of{[](double t) { return 0.4 - t; }, [](double /*t*/) { return -1.; },
                        [=](double t) { return t >= from && t <= to; }};
    return first_closing_in_range(of, from <= t0, t0, 1., 1, 0., most_overlap);
  };
  EXPECT_NEAR(closing(0., 1., 0.), 0.4, 1e-15);
  EXPECT_NEAR(closing(0.3, 1., 0.), 0.4, 1e-15);
  EXPECT_EQ(closing(0.5, 1., 0.2), 0.5);
  EXPECT_EQ(closing(0.5, 1., 0.05), HUGE_VAL);    // other features touch
  EXPECT_EQ(closing(0., 0.3, 1.), HUGE_VAL);      // it has left the range
  EXPECT_EQ(closing(0.5, 1., 0.2, 0.45), 0.5);    // below zero from the start
  EXPECT_EQ(closing(0.44, 1., 0.2, 0.45), 0.45);  // and in range: it sinks deeper
  // One that has risen above zero where its points enter the range closes later.
  const GapInRange rises{[](double t) { return (t - 0.2) * (0.8 - t); },
                         [](double t) { return 1. - 2. * t; }, [](double t) { return t >= 0.5; }};
  EXPECT_NEAR(first_closing_in_range(rises, false, 0., 1., 1, 0., 1e-3), 0.8, 1e-15);
}

}  // namespace
}  // namespace carom
