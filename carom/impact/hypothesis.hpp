// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace carom {

/// What the coefficient of restitution means.
enum class Hypothesis : std::uint8_t {
  newton,     ///< velocity ratio: v_n+ = -e v_n-
  poisson,    ///< impulse ratio: P_r = e P_c
  energetic,  ///< work ratio: W_r = -e^2 W_c [Stronge 1990]
};

inline constexpr std::array<std::string_view, 3> hypothesis_names = {"newton", "poisson",
                                                                     "energetic"};

[[nodiscard]] constexpr std::string_view name(Hypothesis h) {
  return hypothesis_names[static_cast<std::size_t>(h)];
}

}  // namespace carom
