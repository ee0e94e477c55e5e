// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <carom/mechanics/contact_frame.hpp>
#include <carom/mechanics/multi_system.hpp>
#include <carom/mechanics/planar_assembly.hpp>
#include <carom/mechanics/shapes/space/shape.hpp>
#include <carom/mechanics/spatial_bodies.hpp>

namespace carom {

/// A free body of an assembly in space, with nonzero inertia about every axis. World axes, except
/// for the inertia.
struct SpatialAssemblyBody {
  std::string name{};                           ///< unique
  double mass = 1.;                             ///< [kg]
  Mat3 inertia = identity3;                     ///< about the mass centre, in body axes [kg m^2]
  Mat3 orientation = identity3;                 ///< columns: the body's axes in the world
  World3 position{};                            ///< of the mass centre [m]
  World3 velocity{};                            ///< of the mass centre [m/s]
  World3 spin{};                                ///< [rad/s]
  std::optional<shapes::space::Solid> shape{};  ///< about the mass centre; for finding contacts
};

struct SpatialAssemblyContact {
  std::string name{};                ///< unique
  std::size_t first = 0;             ///< the body into which the normal points
  std::size_t second = ground_body;  ///< the other, or the ground
  World3 point{};                    ///< [m]
  ContactFrame frame{};
  World3 surface_velocity{};  ///< of the ground at the contact [m/s]
};

/// Any number of bodies in space with any number of contacts. u is velocity and spin of each body;
/// velocities at a contact are those of the first body relative to the second.
struct SpatialAssembly {
  std::vector<SpatialAssemblyBody> bodies;
  std::vector<SpatialAssemblyContact> contacts;
  bool frictionless = false;  ///< contacts have only a normal component
};

/// The contacts of spheres and boxes that touch, in the order of the bodies, the floor last: "a-b",
/// or "a-b 1", "a-b 2", ...; "a-floor". Throws InputError if bodies overlap, or if one is neither a
/// sphere nor a box.
[[nodiscard]] std::vector<SpatialAssemblyContact> find_contacts(
    const std::vector<SpatialAssemblyBody>& bodies, const TouchOptions& options);

/// Throws InputError with the name of the field: "bodies[1].mass", "contacts[0].normal".
[[nodiscard]] MultiAtImpact at_impact(const SpatialAssembly& assembly);

}  // namespace carom
