// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>

#include <carom/core/spatial.hpp>
#include <carom/impact/spatial/problem.hpp>
#include <carom/mechanics/contact_frame.hpp>
#include <carom/mechanics/shapes/space/shape.hpp>
#include <carom/mechanics/system_at_impact.hpp>

/// Bodies in space that strike each other or a surface.
namespace carom {

inline constexpr Mat3 identity3{{{1., 0., 0.}, {0., 1., 0.}, {0., 0., 1.}}};

/// A free body at the instant of impact. World axes, except for the inertia.
struct SpatialBody {
  std::string name{};                           ///< for reports; may be empty
  double mass = 1.;                             ///< [kg]
  Mat3 inertia = identity3;                     ///< about the mass centre, in body axes [kg m^2]
  Mat3 orientation = identity3;                 ///< columns: the body's axes in the world
  World3 contact_offset{};                      ///< from the mass centre to the contact [m]
  World3 velocity{};                            ///< of the mass centre [m/s]
  World3 spin{};                                ///< [rad/s]
  std::optional<shapes::space::Solid> solid{};  ///< about the mass centre; none: it cannot move on
};

/// Two free bodies that strike each other, or one that strikes a surface at rest or moving.
/// Velocities at the contact are those of the first body relative to the second or to the surface.
/// Impulse and couple act on the first body.
struct SpatialBodies {
  SpatialBody first{};
  std::optional<SpatialBody> second{};  ///< none: the first strikes a surface
  ContactFrame frame{};
  World3 surface_velocity{};  ///< of the surface, if there is no second [m/s]
};

/// The rotation by `angle` [rad] about `axis`, of any nonzero length; by a unit quaternion (w, x,
/// y, z), given to six digits; the shortest rotation from the z axis to `direction`. Throw
/// InputError under `field`.
[[nodiscard]] Mat3 rotation(const World3& axis, double angle, const std::string& field);
[[nodiscard]] Mat3 rotation(const std::array<double, 4>& quaternion, const std::string& field);
[[nodiscard]] Mat3 rotation_to(const World3& direction, const std::string& field);

/// The same by cosine and sine of the angle, for angles where these are known without rounding.
[[nodiscard]] Mat3 rotation(const World3& axis, double cosine, double sine,
                            const std::string& field);

/// The inertia about the mass centre in world axes, for a body with nonzero inertia about every
/// axis. Throws InputError under `field` + ".inertia" or ".orientation".
[[nodiscard]] Mat3 world_inertia(const Mat3& inertia, const Mat3& orientation,
                                 const std::string& field);

/// Thin rods and point masses have axes without inertia. The contact must lie on such an axis, so
/// that no impulse spins the body about it. The problem then has no spin rows, because the effect
/// of a couple about that axis is undefined. Throws InputError with the name of the field:
/// "bodies[1].mass", "surface_velocity".
/// @param frame_prefix  put before "normal", "tangent1", "tangent2"
[[nodiscard]] SystemAtImpact at_impact(const SpatialBodies& bodies,
                                       const std::string& frame_prefix = "");

}  // namespace carom
