// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <carom/mechanics/shapes/plane/vector.hpp>
#include <carom/mechanics/system_at_impact.hpp>

/// Vehicles that collide, seen from above, in the words of crash reconstruction. World: x east,
/// y north. A vehicle's own axes: x forward, y left. Angles and yaw rates are counter-clockwise.
namespace carom {

/// Along the locked wheels of a car that slides on dry asphalt, for travel after the impact.
inline constexpr double default_drag_factor = 0.7;
inline constexpr double standard_gravity = 9.80665;  ///< [m/s^2]

/// A vehicle at the instant of impact.
struct Vehicle {
  using Point = shapes::plane::Point;

  std::string name{};
  double mass = 1.;                          ///< [kg]
  double yaw_inertia = 1.;                   ///< about the mass centre [kg m^2]
  std::array<double, 2> size{};              ///< length, width [m]; zero: not known
  Point forward{1., 0.};                     ///< unit vector of its x axis, in the world
  Point impulse_centre{};                    ///< from the mass centre, in its own axes [m]
  Point velocity{};                          ///< of the mass centre, in the world [m/s]
  double yaw_rate = 0.;                      ///< [rad/s]
  double drag_factor = default_drag_factor;  ///< deceleration after the impact over gravity
  double crush_share = 1.;                   ///< of the energy lost, for EES

  /// A vector of its own axes in those of the world, and back.
  [[nodiscard]] Point to_world(const Point& own) const { return turned(forward, own); }
  [[nodiscard]] Point to_own(const Point& world) const { return turned_back(forward, world); }
};

/// How speeds before the impact were found from velocities after it.
struct SpeedsFound {
  std::string_view by{};      ///< "linear momentum", "restitution", "crush energy"
  double condition = 1.;      ///< of the two equations, each vehicle's unknown of equal size
  double momentum_left = 0.;  ///< linear momentum that is out of balance [N s]
  /// Of each vehicle, to first order in the deviations given; none: none was given [m/s].
  std::array<std::optional<double>, 2> speed_sd{};
  std::array<std::optional<double>, 2> yaw_rate_after{};  ///< as measured [rad/s]
};

/// Two vehicles, or one and a fixed barrier. Velocities at the contact are those of the first
/// vehicle relative to the second.
struct Vehicles {
  std::vector<Vehicle> each{};
  shapes::plane::Point normal{1., 0.};  ///< unit vector, into the first vehicle
  std::optional<SpeedsFound> found{};   ///< none: speeds before were given
};

/// The normal of a contact plane that lies along the unit vector `along`: the one that points
/// towards the first vehicle's mass centre from the second's, or from the barrier. Throws
/// InputError under "contact_angle_deg" if the plane runs through both.
[[nodiscard]] shapes::plane::Point contact_normal(const std::vector<Vehicle>& each,
                                                  const shapes::plane::Point& along);

/// Throws InputError under "vehicles[i].key".
[[nodiscard]] SystemAtImpact at_impact(Vehicles vehicles);

/// A uniform rectangle, m (l^2 + w^2)/12.
[[nodiscard]] constexpr double rectangle_inertia(double mass, const std::array<double, 2>& size) {
  return mass * (size[0] * size[0] + size[1] * size[1]) / 12.;
}

/// Principal direction of force from the change of velocity in a vehicle's own axes: where the
/// force comes from, 0 from ahead, clockwise as seen from above, in (-180, 180] [deg]. Not a number
/// where the velocity does not change.
[[nodiscard]] double principal_direction(const shapes::plane::Point& delta_v);

/// The same by the clock: 12 from ahead, 3 from the right; 1 to 12.
[[nodiscard]] double clock_direction(double degrees);

}  // namespace carom
