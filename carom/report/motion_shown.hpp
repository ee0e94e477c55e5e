// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <carom/motion/model.hpp>
#include <carom/report/motion_history.hpp>

/// Which coordinates and contacts a picture of a motion shows.
namespace carom::report {

struct Shown {
  std::vector<std::size_t> positions{};
  std::vector<std::size_t> contacts{};
  std::string note{};  ///< what was left out unasked, in one line; empty: nothing
};

/// Of each unit the first six positions, quaternions only of a single body, and the four contacts
/// that touch longest.
[[nodiscard]] Shown usually_shown(const motion::Model& model, const MotionHistory& history);

/// What `names` say: positions ("block.x"), contacts ("block-floor 1"), or the beginning of either
/// up to a point or a space ("block", "block-floor"). Throws InputError under `field`.
[[nodiscard]] Shown shown_by_name(const motion::Model& model, const std::vector<std::string>& names,
                                  std::string_view field);

}  // namespace carom::report
