// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <carom/mechanics/multi_system.hpp>

namespace carom {

/// Balls in a row, each touching the next, frictionless: Newton's cradle, tapered chains.
/// Velocities are along the row, from the first to the last. Contacts are "1-2", "2-3", ..., with
/// the normal pointing into the second of the two.
struct BallChain {
  std::vector<double> masses;      ///< one per ball [kg]
  std::vector<double> velocities;  ///< one per ball [m/s]
  bool wall = false;               ///< the last ball touches a fixed wall: contact "n-wall"
};

/// Throws InputError that names the invalid key of the system.
[[nodiscard]] MultiAtImpact at_impact(const BallChain& chain);

}  // namespace carom
