// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace carom {

/// Meaning of the coefficient of restitution.
enum class Hypothesis : std::uint8_t {
  newton,     ///< velocity ratio: v_n+ = -e v_n-
  poisson,    ///< impulse ratio: P_r = e P_c
  energetic,  ///< work ratio: W_r = -e^2 W_c [Stronge 1990]
};

}  // namespace carom
