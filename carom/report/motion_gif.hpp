// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <carom/report/plot_script.hpp>
#include <carom/scenario/motion_reader.hpp>

namespace carom::report {

/// Script and data of a moving picture of the plane: a block of outlines for each frame. The script
/// draws to the file named by its variable `picture`.
/// @param pace  seconds of motion for a second of picture
[[nodiscard]] Plot motion_gif(const scenario::MotionScenario& scenario,
                              const std::vector<motion::State>& frames, double pace,
                              const PictureFiles& files);

}  // namespace carom::report
