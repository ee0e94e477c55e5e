// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <carom/mechanics/multi_system.hpp>

namespace carom {

/// Balls in a row, each touching the next, frictionless: Newton's cradle, tapered chains.
/// Velocities along the row, from the first to the last; contacts "1-2", "2-3", ..., their normals
/// into the second of the two.
struct BallChain {
  std::vector<double> masses;      ///< one a ball [kg]
  std::vector<double> velocities;  ///< one a ball [m/s]
  bool wall = false;               ///< the last ball touches a fixed wall: contact "n-wall"
};

/// Throws InputError with the name of the system's key that is wrong.
[[nodiscard]] MultiAtImpact at_impact(const BallChain& chain);

}  // namespace carom
