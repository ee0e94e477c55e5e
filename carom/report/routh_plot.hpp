// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <carom/report/gnuplot.hpp>
#include <carom/scenario/scenario.hpp>
#include <carom/study/comparison.hpp>

/// Routh's diagram: the plane of impulse with friction cone, line of sticking, line of greatest
/// compression and the way of each law; below it velocity, slip and work against normal impulse.
namespace carom::report {

/// A point on the way of the impulse from zero to its end.
struct PathPoint {
  Vec2 impulse;             ///< so far [N s]
  Vec2 velocity;            ///< there [m/s]
  double work = 0.;         ///< change of energy so far, the integral of v dP [J]
  bool ends_phase = false;  ///< whether a phase ends here
};

/// The way that a law's impulse takes, phases in several points each, because work is quadratic in
/// them. For a law without phases the straight line from zero to its end, which is no process but
/// does the same work. Begins at zero impulse, ends at the outcome.
[[nodiscard]] std::vector<PathPoint> path(const PlanarProblem& problem,
                                          const study::Answer& answer);

/// A script for gnuplot and the data it draws.
struct RouthPlot {
  std::string script;
  std::string data;
};

[[nodiscard]] RouthPlot routh_plot(const scenario::Scenario& scenario,
                                   const study::Comparison& comparison, const PictureFiles& files);

}  // namespace carom::report
