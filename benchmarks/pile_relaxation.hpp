// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "piles.hpp"

namespace carom::benchmarks {

/// Of contacts at last [N/m]: bodies overlap by less than what is corrected in a step.
constexpr double relaxed_stiffness = 1e11;

/// Shakes discs or spheres, and brings them to rest without friction, as soft bodies that become
/// stiffer: a minimum of their potential energy. Such a pile rests with any friction, and its
/// forces are inside of all cones.
/// @return false if it is not found
[[nodiscard]] bool relax(Pile& pile);

}  // namespace carom::benchmarks
