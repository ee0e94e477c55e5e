// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include <Eigen/Core>

#include <carom/study/fit/measured_impacts.hpp>

/// What a measured change of velocity has that no impulse at the contact can produce.
namespace carom::study::fit {

/// Any impulse P changes y by M^-1 W P. The change measured, dy, is split in two parts that are
/// orthogonal in the mass metric,
///
///     dy = M^-1 W P + e,   W^T e = 0,   P = G^-1 W^T dy,
///
/// so e violates the balance of momentum. Of a body in the plane it is the balance of angular
/// momentum about the contact, k^2 dw = r_x dv_y - r_y dv_x.
struct Imbalance {
  std::vector<double> change{};  ///< e: one number for each coordinate [SI]
  double size = 0.;              ///< |e| in the metric of the data [m/s]
  /// The least change of the rotational coordinates alone, in the same metric [m/s], that would
  /// restore the balance: k |dw|. NaN where there are none, or where they cannot.
  double of_spin = 0.;
  double energy_before = 0.;  ///< kinetic [J]
  double energy_after = 0.;   ///< [J]
  /// Deviation of energy_after - energy_before per deviation of |e| [J/(m/s)], if before and after
  /// are measured equally well: root of (|M y-|^2 + |M y+|^2)/2, in the inverse metric.
  double energy_slope = 0.;
  double approach = 0.;    ///< normal velocity before [m/s]
  double separation = 0.;  ///< normal velocity after [m/s]
};

/// @param impact  y+ is known
[[nodiscard]] Imbalance imbalance(const MeasuredImpacts& data, const MeasuredContact& contact,
                                  const MeasuredImpact& impact);

}  // namespace carom::study::fit
