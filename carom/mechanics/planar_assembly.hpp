// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include <carom/mechanics/multi_system.hpp>
#include <carom/mechanics/planar_touch.hpp>

namespace carom {

/// Used as a body index: the ground, at rest or with a prescribed motion.
inline constexpr std::size_t ground_body = static_cast<std::size_t>(-1);

/// A free body of an assembly: x right, y up, spin counter-clockwise.
struct PlanarAssemblyBody {
  std::string name{};                          ///< unique
  double mass = 1.;                            ///< [kg]
  double inertia = 1.;                         ///< about the mass centre [kg m^2]
  std::array<double, 2> position{};            ///< of the mass centre [m]
  std::array<double, 2> direction = {1., 0.};  ///< of the body's x, a unit vector
  std::array<double, 2> velocity{};            ///< of the mass centre [m/s]
  double spin = 0.;                            ///< [rad/s]
  Outline outline{};                           ///< about the mass centre; for finding contacts
};

struct PlanarAssemblyContact {
  std::string name{};                ///< unique
  std::size_t first = 0;             ///< the body into which the normal points
  std::size_t second = ground_body;  ///< the other, or the ground
  std::array<double, 2> point{};     ///< [m]
  std::array<double, 2> normal{0.,
                               1.};  ///< unit vector; the tangent is the normal rotated by -90 deg
  std::array<double, 2> surface_velocity{};  ///< of the ground at the contact [m/s]
};

/// Any number of bodies in the plane with any number of contacts. u is (v_x, v_y, spin) of each
/// body; velocities at a contact are those of the first body relative to the second.
struct PlanarAssembly {
  std::vector<PlanarAssemblyBody> bodies;
  std::vector<PlanarAssemblyContact> contacts;
  bool frictionless = false;  ///< contacts have only a normal component
};

/// Options of contact detection.
struct TouchOptions {
  bool floor = false;       ///< whether there is a floor, y = 0 (in space z = 0), below the bodies
  double tolerance = 1e-6;  ///< gaps and overlaps up to this are none, relative to the smaller of
                            ///< the bodies' smallest lengths
};

/// The contacts of bodies whose outlines touch, in the order of the bodies, the floor last: "a-b",
/// or "a-b 1" and "a-b 2"; "a-floor". Throws InputError if bodies overlap, or if one has no
/// outline.
[[nodiscard]] std::vector<PlanarAssemblyContact> find_contacts(
    const std::vector<PlanarAssemblyBody>& bodies, const TouchOptions& options);

/// Throws InputError with the name of the field: "bodies[1].mass", "contacts[0].normal".
[[nodiscard]] MultiAtImpact at_impact(const PlanarAssembly& assembly);

/// "a-b" for the only contact of a pair, otherwise "a-b 1", ...
[[nodiscard]] std::string touch_name(const std::string& first, const std::string& second,
                                     std::size_t which, std::size_t of);

}  // namespace carom
