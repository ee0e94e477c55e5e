// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string_view>

#include <carom/report/motion_history.hpp>
#include <carom/scenario/motion_reader.hpp>

/// A motion as moving pictures: in the plane a GIF through gnuplot, in space a series for ParaView.
namespace carom::report {

/// Throws InputError under `field` unless the name suits the scenario: .gif in the plane, .pvd in
/// space.
void require_animation_name(const std::filesystem::path& file,
                            const scenario::MotionScenario& scenario, std::string_view field);

/// Draws it. At most a dozen seconds long; slower or faster than the motion, the picture says
/// which. Throws std::runtime_error. @pre require_animation_name, and the history has two samples
/// or more
void animate(const std::filesystem::path& file, const scenario::MotionScenario& scenario,
             const MotionHistory& history);

}  // namespace carom::report
