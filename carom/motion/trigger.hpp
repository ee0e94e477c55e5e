// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include <carom/motion/mechanics.hpp>

namespace carom::motion {

inline constexpr double infinite = std::numeric_limits<double>::infinity();

/// Why a smooth segment ends.
enum class TriggerKind : std::uint8_t {
  none,
  closes,      ///< a gap closes
  lifts,       ///< a normal force vanishes
  stops,       ///< slip vanishes
  limit,       ///< static friction is exhausted
  diverges,    ///< A -> 0+: the normal force diverges
  turns,       ///< a compliant contact changes between loading and unloading
  releases,    ///< a compliant contact has returned its energy
  hands_over,  ///< the closest points leave the features of a contact
  jumps,       ///< a prescribed acceleration jumps
  spin_stops,  ///< rolling or drilling vanishes
  spin_limit,  ///< the couple that holds it is exhausted
  model_end,   ///< the end condition of the model
};

/// Couples of a contact with rolling and drilling friction.
enum class Turning : std::uint8_t { rolling, drilling };
inline constexpr std::array turnings{Turning::rolling, Turning::drilling};

struct Trigger {
  TriggerKind kind = TriggerKind::none;
  std::size_t contact = nowhere;
  double time = infinite;
  Turning turning = Turning::rolling;  ///< that stops or starts
  double before = time;                ///< the last instant at which it had not come yet
};

/// How a smooth segment or a flight went on.
enum class Advance : std::uint8_t { stepped, event, end_time, failed, stopped };

}  // namespace carom::motion
