// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>

#include <carom/mechanics/vehicles.hpp>

namespace carom {

/// A number and its standard deviation; zero: it is exact.
struct Measured {
  double value = 0.;
  double sd = 0.;
};

/// What is known of a vehicle when speeds before are asked for. Angles in degrees.
struct VehicleAfter {
  Measured mass{};                         ///< [kg]
  Measured course{};                       ///< direction of travel before [deg]
  Measured speed_after{};                  ///< [m/s]
  Measured course_after{};                 ///< direction of travel after [deg]
  std::optional<double> yaw_rate_after{};  ///< [rad/s]
};

/// Where courses are nearly parallel, the second equation: one of these.
struct AlongOneLine {
  std::optional<Measured> restitution{};   ///< of the contact's normal velocities, > 0
  std::optional<Measured> crush_energy{};  ///< kinetic energy lost [J]
};

/// Linear momentum alone decides up to this condition number: courses 5.7 degrees or more apart.
/// An error of one per cent of the momentum is then up to 20 per cent of a speed.
inline constexpr double most_condition = 20.;

/// Speeds before the impact from velocities after it:
///
///     m1 s1 d1 + m2 s2 d2 = m1 v1' + m2 v2'        (linear momentum; d unit vectors of approach)
///
/// and where d1 and d2 are nearly parallel, this along their common line and
/// e n.(v1c - v2c) = -n.(v1c' - v2c') at the impulse centres, or T - T' = crush energy.
/// Sets the velocities of `vehicles`, `found`, and unless `plane_given` the normal, to the
/// direction of the impulse. @return the impulse on the first vehicle, in the world [N s]
/// @param vehicles  two, whose velocities are not read
/// Throws InputError under "vehicles[i].course_deg" and the like.
shapes::plane::Point find_speeds(Vehicles& vehicles, const std::array<VehicleAfter, 2>& after,
                                 const AlongOneLine& line, bool plane_given);

}  // namespace carom
