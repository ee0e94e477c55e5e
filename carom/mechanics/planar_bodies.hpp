// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <numbers>

#include <carom/mechanics/planar_model.hpp>
#include <carom/mechanics/system_at_impact.hpp>

/// Planar systems with one contact. Each is an aggregate in the coordinates of its publication, and
/// has a function `at_impact`. Masses [kg], lengths [m], velocities [m/s], spins [rad/s],
/// angles [rad].
namespace carom {

inline constexpr double degree = std::numbers::pi / 180.;  ///< [rad]

/// A bar striking the half-space below it [Payr & Glocker 2005, Fig. 3]. x right, y up; the tip is
/// C = (x + s cos phi, y - s sin phi), so phi and its rate count clockwise. Normal +y, tangent +x.
struct Bar {
  double mass = 1.;
  double half_length = 1.;           ///< s, from the mass centre to the tip
  double inertia_factor = 1. / 3.;   ///< K = Theta/(m s^2); 1/3 if uniform
  double angle = 0.;                 ///< phi, 0 < phi < pi
  std::array<double, 2> velocity{};  ///< (u_x, u_y) of the mass centre
  double spin = 0.;                  ///< u_phi, clockwise
};

/// A rod striking the ground [Sun & Baruh 2022, Fig. 1]. x right, y DOWN, spin about x cross y
/// (clockwise as seen); the contact is C = L (-sin theta, cos theta) from the mass centre.
/// Normal -y (up, into the rod), tangent +x: v_n = -v_Cy, v_t = v_Cx.
struct Rod {
  double mass = 1.;
  double half_length = 1.;           ///< L, from the mass centre to the contact
  double inertia_factor = 1. / 3.;   ///< alpha = I/(m L^2); 1/3 if thin
  double angle = 0.;                 ///< theta from the vertical, |theta| < pi/2
  std::array<double, 2> velocity{};  ///< (v_x, v_y) of the mass centre, y down
  double spin = 0.;                  ///< omega_z, clockwise as seen
};

/// A round body on a plane below it. x right, y up, spin counter-clockwise; normal +y, tangent +x:
/// v_n = u_y, v_t = u_x + r spin.
struct Round {
  double mass = 1.;
  double radius = 1.;
  double inertia_factor = 0.5;       ///< I/(m r^2): 1/2 for a disc, 2/5 for a sphere
  std::array<double, 2> velocity{};  ///< (u_x, u_y) of the centre
  double spin = 0.;                  ///< counter-clockwise
};

inline constexpr double disc_inertia_factor = 1. / 2.;
inline constexpr double sphere_inertia_factor = 2. / 5.;

/// Throw InputError with the name of the field (a key of the scenario) if a value is not allowed.
[[nodiscard]] SystemAtImpact at_impact(const Bar& bar);
[[nodiscard]] SystemAtImpact at_impact(const Rod& rod);
[[nodiscard]] SystemAtImpact at_impact(const Round& round);

/// The same as a body that moves above a floor, y = 0, which it touches. x right, y up, angles and
/// spins counter-clockwise; both ends of a bar or a rod may strike.
[[nodiscard]] PlacedScene scene_of(const Bar& bar);
[[nodiscard]] PlacedScene scene_of(const Rod& rod);
[[nodiscard]] PlacedScene scene_of(const Round& round);

}  // namespace carom
