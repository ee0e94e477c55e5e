// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <carom/report/motion_history.hpp>
#include <carom/report/plot_script.hpp>

/// A motion over time: positions, the velocities of the contacts that touch with what they do
/// shaded, their ratio of forces, and energy.
namespace carom::report {

/// @param title  for the heading @pre the history has two samples or more
[[nodiscard]] Plot motion_plot(const std::string& title, const motion::Model& model,
                               const MotionHistory& history, const PictureFiles& files);

}  // namespace carom::report
