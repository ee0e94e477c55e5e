// SPDX-License-Identifier: Apache-2.0
#include <carom/mechanics/vehicles.hpp>

#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include <carom/core/error.hpp>
#include <carom/mechanics/planar_bodies.hpp>
#include <carom/mechanics/two_bodies.hpp>

namespace carom {
namespace {

using shapes::plane::Point;

FreeBody body_of(const Vehicle& v) {
  const Point offset = v.to_world(v.impulse_centre);
  return {.name = v.name,
          .mass = v.mass,
          .inertia = v.yaw_inertia,
          .contact_offset = {offset.x, offset.y},
          .velocity = {v.velocity.x, v.velocity.y},
          .spin = v.yaw_rate};
}

}  // namespace

Point contact_normal(const std::vector<Vehicle>& each, const Point& along) {
  // From the second mass centre, or the impulse centre on the barrier, to the first mass centre.
  Point to_first = -each[0].to_world(each[0].impulse_centre);
  if (each.size() > 1) to_first = to_first + each[1].to_world(each[1].impulse_centre);
  const double side = cross(along, to_first);
  constexpr double flat = 1e-9;  // of an angle: only rounding
  if (std::abs(side) <= flat * length(to_first)) {
    throw InputError("contact_angle_deg",
                     each.size() > 1
                         ? "must not be the direction from one mass centre to the other: neither "
                           "vehicle is in front of the contact plane"
                         : "must not be the direction from the impulse centre to the mass centre: "
                           "the vehicle is not in front of the barrier");
  }
  return side > 0. ? quarter_turn(along) : -quarter_turn(along);
}

SystemAtImpact at_impact(Vehicles v) {
  TwoBodies bodies;
  bodies.first = body_of(v.each[0]);
  if (v.each.size() > 1) bodies.second = body_of(v.each[1]);
  bodies.normal = {v.normal.x, v.normal.y};
  SystemAtImpact s = at_impact(bodies);
  for (std::size_t i = 0; i < v.each.size(); ++i) v.each[i].name = s.bodies[i].name;
  s.vehicles = std::make_shared<const Vehicles>(std::move(v));
  return s;
}

double principal_direction(const Point& delta_v) {
  if (delta_v == Point{}) return std::numeric_limits<double>::quiet_NaN();
  // The force comes from -delta_v; its angle from ahead towards the right, which is -y.
  const double angle = std::atan2(delta_v.y, -delta_v.x) / degree;
  return angle <= -180. ? 180. : angle;
}

double clock_direction(double degrees) {
  constexpr double hour = 30.;  // [deg]
  const double hours = std::round(degrees / hour);
  return hours <= 0. ? hours + 12. : hours;
}

}  // namespace carom
