// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>

#include <carom/mechanics/planar_model.hpp>
#include <carom/mechanics/system_at_impact.hpp>

namespace carom {

/// A free body at the instant of impact, in world axes: x right, y up, spin counter-clockwise.
struct FreeBody {
  std::string name{};                      ///< for reports; may be empty
  double mass = 1.;                        ///< [kg]
  double inertia = 1.;                     ///< about the mass centre [kg m^2]
  std::array<double, 2> contact_offset{};  ///< from the mass centre to the contact [m]
  std::array<double, 2> velocity{};        ///< of the mass centre [m/s]
  double spin = 0.;                        ///< [rad/s]
  shapes::plane::Shape shape{};            ///< about the mass centre; none: it cannot move on
  double angle = 0.;                       ///< of the shape [rad]
};

/// Two free bodies that strike each other, or one that strikes a surface at rest or moving.
/// Velocities at the contact are those of the first body relative to the second or to the surface.
/// u = (v1x, v1y, w1, v2x, v2y, w2).
struct TwoBodies {
  FreeBody first{};
  std::optional<FreeBody> second{};          ///< none: the first strikes a surface
  std::array<double, 2> normal{0., 1.};      ///< unit vector into the first body
  std::array<double, 2> surface_velocity{};  ///< of the surface, if there is no second [m/s]
};

/// The tangent for a normal: the normal rotated by -90 degrees, +y to +x.
[[nodiscard]] constexpr std::array<double, 2> tangent_of(const std::array<double, 2>& normal) {
  return {normal[1], -normal[0]};
}

/// The unit vector at `degrees` from +x: cosine and sine, exact along the axes, where those of the
/// standard library are not.
[[nodiscard]] std::array<double, 2> unit_direction(double degrees);

/// The unit vector along `v`. Throws InputError unless v has length 1 to six digits.
[[nodiscard]] std::array<double, 2> unit_vector(const std::array<double, 2>& v,
                                                const std::string& field);

/// Throws InputError with the name of the field: "bodies[1].mass", "surface_velocity".
/// @param left_handed  the tangent is the normal turned by +90 degrees, not by -90
[[nodiscard]] SystemAtImpact at_impact(const TwoBodies& bodies, bool left_handed = false);

/// The same bodies with their contact at the origin, ready to move: against each other, or against
/// a line named "surface". Throws InputError as above, for a body without a shape, and if the
/// shapes do not touch in this contact alone.
[[nodiscard]] PlacedScene scene_of(const TwoBodies& bodies);

}  // namespace carom
