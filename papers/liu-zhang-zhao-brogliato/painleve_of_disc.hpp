// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Painlevé's paradox of a disc that slides on the point A of its rim
/// [Liu, Zhang, Zhao & Brogliato 2013, eqs 2.38-2.43].
namespace carom::papers {

struct DiscShape {
  double r_over_h = 0.;

  /// mu from which gap'' = A F + B has A < 0, from the contact inverse inertia; infinity: none.
  [[nodiscard]] double critical_friction(double theta) const;
  /// The same as printed [eq. 2.41].
  [[nodiscard]] double printed_bound(double theta) const;
  /// r/(4h) + 4h/(3r) [eq. 2.42].
  [[nodiscard]] double upright_bound() const;
  /// theta in (0, pi/2] at which it is least [rad].
  [[nodiscard]] double easiest_angle() const;
  /// theta' above which B > 0: A lifts off [eq. 2.43] [rad/s].
  [[nodiscard]] double detaching_spin(double theta, double half_thickness, double gravity) const;
};

/// The shape that needs least friction, upright.
[[nodiscard]] DiscShape easiest_shape();

}  // namespace carom::papers
