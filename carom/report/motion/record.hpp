// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <carom/report/motion/history.hpp>
#include <carom/report/motion/shown.hpp>
#include <carom/scenario/motion/reader.hpp>

/// A motion as the record of a picture, which docs/records.md describes.
namespace carom::report {

/// How many samples a history for this scenario may keep, so that its record stays at some
/// megabytes.
[[nodiscard]] std::size_t most_samples(const scenario::MotionScenario& scenario);

/// Which laws impacts go through: "energetic; several contacts: lzb"; nothing without contacts.
[[nodiscard]] std::string motion_laws(const scenario::MotionScenario& scenario);

/// "Method: stepping, steps of 0.001 s, ..." as a line; nothing for events.
[[nodiscard]] std::string method_text(const scenario::MotionScenario& scenario);

/// @param kind   "motion" or "animation"
/// @param times  of scenes [s]; none: Python chooses
/// @pre the history has two points or more
[[nodiscard]] std::string motion_record(const scenario::MotionScenario& scenario,
                                        const MotionHistory& history, const Shown& shown,
                                        std::string_view kind, const std::vector<double>& times);

/// Thins what a run has kept that was interrupted, so that its record is written within a fraction
/// of a second.
void shorten(const scenario::MotionScenario& scenario, MotionHistory& history);

/// The record of a whole motion for programs: `simulate --json`. It has the members of a picture's
/// record, and more; numbers have all digits.
/// @param history  a complete one, with two points or more
[[nodiscard]] std::string whole_record(const scenario::MotionScenario& scenario,
                                       const MotionHistory& history,
                                       const motion::Summary& summary);

}  // namespace carom::report
