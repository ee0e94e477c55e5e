// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include <carom/core/planar.hpp>
#include <carom/mechanics/shapes/plane/contact_geometry.hpp>

/// Velocity and acceleration of a contact of two moving bodies.
namespace carom::shapes::plane {

/// Position and velocity of a body.
struct BodyMotion {
  Pose pose{};
  Point velocity{};  ///< of the mass centre [m/s]
  double spin = 0.;  ///< [rad/s]
};

/// A row of W^T: what it multiplies are (v_x, v_y, spin) of the first and of the second body.
using ContactRow = std::array<std::array<double, 3>, 2>;

/// Velocities are those of the material points in contact, first body relative to second.
struct ContactMotion {
  double gap = 0.;       ///< [m]
  double gap_rate = 0.;  ///< [m/s]; equals velocity.n
  ContactRow normal{};
  ContactRow tangent{};
  Vec2 velocity{};  ///< W^T u [m/s]
  Vec2 bias{};      ///< (dW^T/dt) u [m/s^2]: the rate of `velocity` without acceleration
  Point point{};    ///< in the world, halfway through the gap [m]
  Point n{};        ///< into the first body
  Point t{};
};

/// The motion of a feature pair. Without accelerations d^2 gap/dt^2 = bias.n.
[[nodiscard]] ContactMotion contact_motion(const Shape& first, const BodyMotion& first_motion,
                                           const Shape& second, const BodyMotion& second_motion,
                                           const FeaturePair& pair);

}  // namespace carom::shapes::plane
