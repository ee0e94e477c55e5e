// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <carom/mechanics/spatial_bodies.hpp>
#include <carom/mechanics/spatial_model.hpp>

/// A rod and a sphere in space that strike the ground. Masses [kg], lengths [m], velocities [m/s],
/// spins [rad/s], angles [rad].
namespace carom {

/// A cylinder-shaped rod with round ends striking the ground [Sun & Baruh 2022, Sec. 4]. x right, y
/// DOWN, z = x cross y; first turned by theta_1 about z, then by theta_2 about the x' of the body
/// (eqs 66, 67). The contact is at C = L (-cos theta_2 sin theta_1, cos theta_2 cos theta_1, sin
/// theta_2) from the mass centre (eq. 68). Normal -y (up), tangents +x and +z.
struct SpatialRod {
  double mass = 1.;
  double half_length = 1.;  ///< L, from the mass centre to the contact
  double radius = 0.;       ///< r; 0: a thin rod
  double angle1 = 0.;       ///< theta_1
  double angle2 = 0.;       ///< theta_2
  World3 velocity{};        ///< of the mass centre, y down
  World3 spin{};
};

/// The half length and the angles that put the mass centre at `position` from the contact [Sun &
/// Baruh 2022, eq. 68]. Throws InputError under `mass_centre`.
[[nodiscard]] SpatialRod rod_at(const World3& position);

/// A sphere striking a barrier below it [Brach 1998, Sec. 4]. z up; normal +z, tangents +x and +y.
struct SpatialSphere {
  double mass = 1.;
  double radius = 1.;
  double inertia_factor = 0.4;  ///< I/(m r^2): 2/5 solid, 2/3 a shell
  World3 velocity{};
  World3 spin{};
};

/// Converts to bodies. Throw InputError with the name of the system's key.
[[nodiscard]] SpatialBodies bodies_of(const SpatialRod& rod);
[[nodiscard]] SpatialBodies bodies_of(const SpatialSphere& sphere);

/// The same bodies ready to move: the contact at the origin, against each other or against a half
/// space named "surface". Throw InputError as above, for a body without a shape, and if the shapes
/// do not touch in this contact alone.
[[nodiscard]] SpatialScene scene_of(const SpatialBodies& bodies);
[[nodiscard]] SpatialScene scene_of(const SpatialSphere& sphere);
/// z up, y = z of the publication, so that gravity points along -z as elsewhere. A line with the
/// rod's inertia, of which both ends may strike.
[[nodiscard]] SpatialScene scene_of(const SpatialRod& rod);

/// Throw InputError that names the invalid key of the system.
[[nodiscard]] SystemAtImpact at_impact(const SpatialRod& rod);
[[nodiscard]] SystemAtImpact at_impact(const SpatialSphere& sphere);

}  // namespace carom
