// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace carom {

/// Resistance of a medium to a body: force -(linear + quadratic |v|) v at its mass centre, couple
/// -(spin_linear + spin_quadratic |w|) w. All >= 0.
struct Drag {
  double linear = 0.;          ///< [N s/m]
  double quadratic = 0.;       ///< [N s^2/m^2]
  double spin_linear = 0.;     ///< [N m s]
  double spin_quadratic = 0.;  ///< [N m s^2]

  /// What multiplies the velocity, and the spin, at such speeds.
  [[nodiscard]] double of_velocity(double speed) const { return linear + quadratic * speed; }
  [[nodiscard]] double of_spin(double speed) const { return spin_linear + spin_quadratic * speed; }

  /// Mean power in a step to the velocity and spin `end`, from those `before`, which impacts have
  /// changed to `start`. M (u+ - u-) has the impulse -h C (u- + u+ - u_start) of drag after
  /// impacts, and -h C (u_start - u-) in them: their work is that times the mean velocities of both
  /// parts.
  template <class V, class W>
  [[nodiscard]] double power(const V& before, const V& start, const V& end, const W& spin_before,
                             const W& spin_start, const W& spin_end) const {
    const auto part = [](double c, const auto& b, const auto& s, const auto& e) {
      return -0.5 * c * (e.squaredNorm() - b.squaredNorm() + b.dot(s + e));
    };
    return part(of_velocity(before.norm()), before, start, end) +
           part(of_spin(spin_before.norm()), spin_before, spin_start, spin_end);
  }

  [[nodiscard]] bool any() const {
    return linear > 0. || quadratic > 0. || spin_linear > 0. || spin_quadratic > 0.;
  }
};

}  // namespace carom
