// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace carom {

/// Resistance of the medium: the force -(linear + quadratic |v|) v at the mass centre and the
/// couple -(spin_linear + spin_quadratic |w|) w. None of them negative.
struct Drag {
  double linear = 0.;          ///< [N s/m]
  double quadratic = 0.;       ///< [N s^2/m^2]
  double spin_linear = 0.;     ///< [N m s]
  double spin_quadratic = 0.;  ///< [N m s^2]

  [[nodiscard]] bool any() const {
    return linear != 0. || quadratic != 0. || spin_linear != 0. || spin_quadratic != 0.;
  }
};

}  // namespace carom
