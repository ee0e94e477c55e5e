// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

#include <carom/scenario/motion/reader.hpp>

namespace carom::report {

/// A series for ParaView: `file` (.pvd) names a file NAME/frame-0000.vtp for each frame, with the
/// surfaces of all bodies and pieces of the ground and their number on each: bodies, then the
/// ground. Planes are left out. Throws std::runtime_error.
void write_vtk(const std::filesystem::path& file, const scenario::MotionScenario& scenario,
               const std::vector<State>& frames);

}  // namespace carom::report
