// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

#include <carom/scenario/motion/reader.hpp>

namespace carom::report {

/// A series for ParaView: `file` (.pvd) names a file NAME/frame-0000.vtp for each frame, with the
/// surfaces of all bodies and the number of the body on each. Throws std::runtime_error.
void write_vtk(const std::filesystem::path& file, const scenario::MotionScenario& scenario,
               const std::vector<State>& frames);

}  // namespace carom::report
