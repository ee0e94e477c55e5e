// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <numbers>

#include <carom/mechanics/system_at_impact.hpp>

namespace carom {

/// A disc that stands on its rim, struck on a face by a ball [Liu, Zhang, Zhao & Brogliato 2013,
/// Fig. 1]. In the view along the face of the disc, y points right and z up. The line on which the
/// disc stands is represented by three points: A on the side to which the ball drives the disc
/// (+y), B in the middle, C on the side of the ball. D is the point where the ball strikes, from
/// -y. The ball does not rotate. Coordinates are (y_b, z_b, y_d, z_d, theta). At A, B, C the normal
/// is +z and the tangent +y. At D the normal points into the disc and the tangent up along its
/// face.
struct DiscBall {
  double ball_mass = 1.;                  ///< m_b [kg]
  double disc_mass = 1.;                  ///< m_d [kg]
  double radius = 1.;                     ///< r of the disc [m]
  double half_thickness = 0.1;            ///< h of the disc [m]
  double height = 0.;                     ///< b of D above the disc's centre [m]
  double angle = 0.5 * std::numbers::pi;  ///< theta of the disc's face from y [rad]: upright
  std::array<double, 2> ball_velocity{};  ///< (y, z) [m/s]
  std::array<double, 2> disc_velocity{};  ///< of its mass centre (y, z) [m/s]
  double disc_spin = 0.;                  ///< rate of theta [rad/s]
};

/// Throws InputError that names the invalid key of the system.
[[nodiscard]] SystemAtImpact at_impact(const DiscBall& system);

}  // namespace carom
