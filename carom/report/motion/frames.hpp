// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <carom/report/motion/history.hpp>

namespace carom::report {

/// The states of a history at even steps of time, between samples by a straight line: 25 for each
/// second, or as many as last three seconds at least and twelve at most.
/// @pre the history has two points or more
[[nodiscard]] std::vector<State> frames_of(const MotionHistory& history, std::size_t velocities);

}  // namespace carom::report
