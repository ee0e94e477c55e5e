// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include <carom/mechanics/planar_model.hpp>
#include <carom/mechanics/system_at_impact.hpp>

namespace carom {

/// A rod whose two ends strike at once. Level (angle 0): both strike the floor, contacts "left" and
/// "right". Leaning: the lower end strikes the floor and the upper end a wall, contacts "floor" and
/// "wall". The wall is to the right for angles below 90 degrees, to the left above. x right, y up,
/// spin counter-clockwise. At the floor the normal is +y and the tangent +x. At the wall the normal
/// points away from it, and the tangent is the normal rotated by -90 degrees: up at a wall to the
/// right.
struct RodEnds {
  double mass = 1.;                            ///< [kg]
  double half_length = 1.;                     ///< from the mass centre to an end [m]
  double inertia_factor = 1. / 3.;             ///< I/(m half_length^2); 1/3 if thin and uniform
  std::array<double, 2> direction = {1., 0.};  ///< from the lower to the upper end, a unit vector
  std::array<double, 2> velocity{};            ///< of the mass centre [m/s]
  double spin = 0.;                            ///< [rad/s]
};

/// Throw InputError that names the invalid key of the system.
[[nodiscard]] PlacedScene scene_of(const RodEnds& rod);
[[nodiscard]] SystemAtImpact at_impact(const RodEnds& rod);

}  // namespace carom
