// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <carom/report/plot_script.hpp>
#include <carom/scenario/scenario.hpp>
#include <carom/study/comparison.hpp>

/// Routh's diagram: the plane of impulse with friction cone, line of sticking, line of greatest
/// compression and the way of each law; below it velocity, slip and work against normal impulse.
namespace carom::report {

[[nodiscard]] Plot routh_plot(const scenario::Scenario& scenario,
                              const study::Comparison& comparison, const PictureFiles& files);

}  // namespace carom::report
