// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <carom/report/motion_history.hpp>

namespace carom::report {

/// The states of a history at even steps of time, between samples by a straight line.
/// @param count  of frames, at least 2
[[nodiscard]] std::vector<motion::State> frames_of(const MotionHistory& history,
                                                   std::size_t velocities, std::size_t count);

}  // namespace carom::report
