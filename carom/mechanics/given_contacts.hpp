// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <carom/mechanics/contact_frame.hpp>
#include <carom/mechanics/spatial_bodies.hpp>
#include <carom/mechanics/system_at_impact.hpp>

/// Free bodies whose contacts are given by their points, where shapes do not say them.
namespace carom {

/// Used as a body index: the ground, at rest or with a prescribed motion.
inline constexpr std::size_t ground_body = static_cast<std::size_t>(-1);

/// World axes, except for the inertia.
struct GivenBody {
  std::string name{};            ///< unique
  double mass = 1.;              ///< [kg]
  Mat3 inertia = identity3;      ///< about the mass centre, in body axes [kg m^2]; > 0 about every
                                 ///< axis; in the plane [2][2] alone
  Mat3 orientation = identity3;  ///< columns: the body's axes in the world
  World3 position{};             ///< of the mass centre [m]
  World3 velocity{};             ///< of the mass centre [m/s]
  World3 spin{};                 ///< [rad/s]
};

struct GivenContact {
  std::string name{};                ///< unique
  std::size_t first = 0;             ///< the body into which the normal points
  std::size_t second = ground_body;  ///< the other, or the ground
  World3 point{};                    ///< [m]
  ContactFrame frame{};
  World3 surface_velocity{};  ///< of the ground at the contact [m/s]
};

/// u is velocity and spin of each body. Velocities at a contact are those of the first body
/// relative to the second. In the plane all z are zero, bodies spin about z, and contacts have
/// normal and tangent1 alone.
struct GivenContacts {
  std::vector<GivenBody> bodies;
  std::vector<GivenContact> contacts;
  bool in_plane = false;
  bool frictionless = false;  ///< contacts have only a normal component
};

/// The frame of a contact in the plane: tangent1 is the normal rotated by -90 degrees.
[[nodiscard]] ContactFrame planar_frame(const std::array<double, 2>& normal);

/// Throws InputError with the name of the field: "bodies[1].mass", "contacts[0].normal".
[[nodiscard]] SystemAtImpact at_impact(const GivenContacts& given);

}  // namespace carom
