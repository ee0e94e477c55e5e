// SPDX-License-Identifier: Apache-2.0
// Errors of motion fall as the tolerance does, and with the order of the method; what
// docs/pictures/convergence.svg shows.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <ostream>
#include <utility>
#include <vector>

#include <carom/mechanics/linkage_model.hpp>
#include <carom/motion/simulation.hpp>
#include <carom/scenario/motion/reader.hpp>

#include "support/motion_log.hpp"

namespace carom {
namespace {

using test::MotionLog;

struct Outcome {
  std::vector<double> times;  ///< of events
  Vector q;                   ///< in the end
  double steps = 0.;
};

Outcome follow(const scenario::MotionScenario& s, double end, double tolerance) {
  motion::Options options = s.options;
  options.end_time = end;
  options.tolerance = tolerance;
  options.sample_interval = HUGE_VAL;
  MotionLog log;
  const motion::Summary summary = motion::simulate(
      *s.model, s.surfaces, options, motion::start(*s.model, s.start, s.surfaces, options), log);
  EXPECT_NE(summary.ending, motion::Ending::failed) << summary.reason;
  Outcome o;
  for (const motion::Event& e : log.events) o.times.push_back(e.time);
  o.q = summary.progress.state.q;
  o.steps = static_cast<double>(summary.progress.steps);
  return o;
}

/// The slope of log y over log x by least squares.
double slope(const std::vector<std::pair<double, double>>& points) {
  double x = 0., y = 0., xx = 0., xy = 0.;
  const auto n = static_cast<double>(points.size());
  for (const auto& p : points) {
    const double a = std::log(p.first), b = std::log(p.second);
    x += a / n;
    y += b / n;
    xx += a * a / n;
    xy += a * b / n;
  }
  return (xy - x * y) / (xx - x * x);
}

struct Case {
  const char* file;
  double end;    ///< [s]
  double worst;  ///< largest error of event times over the run's, in tolerances
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.file; }

scenario::MotionScenario scene(const char* file) {
  return scenario::read_motion(std::filesystem::path(CAROM_SOURCE_DIR) / "examples/motion" / file);
}

std::vector<double> tolerances(int first, int last) {
  std::vector<double> all;
  for (int k = 2 * first; k <= 2 * last; ++k) all.push_back(std::pow(10., -0.5 * k));
  return all;
}

class Convergence : public testing::TestWithParam<Case> {};

// The step is chosen so that the error estimate, of order 8, is a tenth of the tolerance: the whole
// error is proportional to it. Single runs scatter with where steps happen to end, by ten and more
// either way; over six decades that is a tenth of the slope.
TEST_P(Convergence, ErrorsAreProportionalToTheTolerance) {
  const Case& c = GetParam();
  const scenario::MotionScenario s = scene(c.file);
  const Outcome exact = follow(s, c.end, 1e-13);
  std::vector<std::pair<double, double>> errors;
  for (const double tolerance : tolerances(5, 11)) {
    const Outcome o = follow(s, c.end, tolerance);
    ASSERT_EQ(o.times.size(), exact.times.size()) << tolerance;
    double error = 0.;
    for (std::size_t k = 0; k < o.times.size(); ++k) {
      error = std::max(error, std::abs(o.times[k] - exact.times[k]) / c.end);
    }
    EXPECT_LT(error, c.worst * tolerance) << tolerance;
    errors.emplace_back(tolerance, error);
  }
  EXPECT_NEAR(slope(errors), 1., 0.2);
}

INSTANTIATE_TEST_SUITE_P(Motion, Convergence,
                         testing::Values(Case{"disc-ball-7.toml", 0.6, 1.},
                                         Case{"double-pendulum.toml", 1.5, 20.},
                                         Case{"sliding-block.toml", 0.42, 10.}));

// Smooth motion in many steps: the order of the method, 8.
TEST(ConvergenceOrder, IsEightInSmoothMotion) {
  const scenario::MotionScenario s = scene("double-pendulum.toml");
  const auto* linkage = dynamic_cast<const LinkageModel*>(s.model.get());
  ASSERT_NE(linkage, nullptr);
  MovingLinkage free = linkage->description();
  free.contacts.clear();
  scenario::MotionScenario swinging;
  swinging.model = std::make_unique<LinkageModel>(free);
  swinging.start = s.start;
  const Outcome exact = follow(swinging, 3., 1e-14);
  std::vector<std::pair<double, double>> errors;
  for (const double tolerance : tolerances(7, 11)) {
    const Outcome o = follow(swinging, 3., tolerance);
    errors.emplace_back(o.steps, (o.q - exact.q).cwiseAbs().maxCoeff());
  }
  EXPECT_GT(errors.back().first, 2. * errors.front().first);
  EXPECT_NEAR(slope(errors), -8., 1.);
}

// And with impacts in between. Each event cuts a step short, at any tolerance: it does not count.
TEST(ConvergenceOrder, IsEightThroughImpacts) {
  const scenario::MotionScenario s = scene("double-pendulum.toml");
  const Outcome exact = follow(s, 1.5, 1e-13);
  std::vector<std::pair<double, double>> errors;
  for (const double tolerance : tolerances(7, 12)) {
    const Outcome o = follow(s, 1.5, tolerance);
    const double whole_steps = o.steps - static_cast<double>(o.times.size());
    errors.emplace_back(whole_steps, (o.q - exact.q).cwiseAbs().maxCoeff());
  }
  EXPECT_NEAR(slope(errors), -8., 1.5);
}

}  // namespace
}  // namespace carom
