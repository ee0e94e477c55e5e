// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>

#include <carom/mechanics/planar_model.hpp>
#include <carom/mechanics/system_at_impact.hpp>

namespace carom {

/// A block that stands flat on the floor, or lands on it, with the corners "left" and "right". x
/// right, y up, spin counter-clockwise; normal +y, tangent +x.
struct RockingBlock {
  double mass = 1.;                  ///< [kg]
  double half_width = 1.;            ///< [m]
  double half_height = 1.;           ///< [m]
  std::optional<double> inertia{};   ///< about the mass centre [kg m^2]; none: uniform
  std::array<double, 2> velocity{};  ///< of the mass centre [m/s]
  double spin = 0.;                  ///< [rad/s]
};

/// The velocity of the mass centre of a block that rotates about a corner with `spin` [rad/s].
/// @param side  -1 the left corner, +1 the right
[[nodiscard]] std::array<double, 2> velocity_about_corner(const RockingBlock& block, double side,
                                                          double spin);

/// Throw InputError that names the invalid key of the system.
[[nodiscard]] PlacedScene scene_of(const RockingBlock& block);
[[nodiscard]] SystemAtImpact at_impact(const RockingBlock& block);

}  // namespace carom
