// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <carom/report/motion_history.hpp>
#include <carom/report/motion_shown.hpp>
#include <carom/report/plot_script.hpp>

/// A motion over time: positions, those of a unit together, the velocities of contacts with what
/// they do shaded, and energy.
namespace carom::report {

/// @param title  for the heading @pre the history has two samples or more
[[nodiscard]] Plot motion_plot(const std::string& title, const motion::Model& model,
                               const MotionHistory& history, const Shown& shown,
                               const PictureFiles& files);

}  // namespace carom::report
