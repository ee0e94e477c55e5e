// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <carom/report/motion/history.hpp>
#include <carom/scenario/motion/reader.hpp>

/// What a picture of a motion shows.
namespace carom::report {

struct Shown {
  /// "scene", "path", "top" (in space), "positions", "contacts", "energy", in the order in which
  /// they are drawn.
  std::vector<std::string> views{};
  std::vector<std::size_t> positions{};
  std::vector<std::size_t> velocities{};  ///< drawn beside the positions
  std::vector<std::size_t> contacts{};    ///< whose velocities are drawn
  std::vector<std::string> bodies{};      ///< of scenes and paths; none: all
  std::string note{};  ///< what was left out unasked, in one line; empty: nothing
};

/// Everything but paths; of each unit the first six positions that change, without quaternions; the
/// spin of a single body in space; and the contacts that touch, where they are more than four the
/// two that lose most energy.
[[nodiscard]] Shown usually_shown(const scenario::MotionScenario& scenario,
                                  const MotionHistory& history);

/// What `names` say: views; positions ("block.x"), contacts ("block-floor 1"), bodies, or the
/// beginning of any of them up to a point, a minus or a space ("block"); velocities by their whole
/// names. Names without views are
/// drawn over time, with energy; views without names show what is usual. A name of the scenario
/// comes before a view of the same name. Throws InputError under `field`.
[[nodiscard]] Shown shown_by_name(const scenario::MotionScenario& scenario,
                                  const MotionHistory& history,
                                  const std::vector<std::string>& names, std::string_view field);

/// Contacts that touch at all; those first where the most energy is lost, then the longest.
[[nodiscard]] std::vector<std::size_t> touching(const MotionHistory& history);

}  // namespace carom::report
