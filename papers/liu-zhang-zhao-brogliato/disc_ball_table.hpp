// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include <carom/impact/multi_problem.hpp>
#include <carom/mechanics/disc_ball.hpp>

/// Table 4 of [Liu, Zhang, Zhao & Brogliato 2013]: the disc's velocities after the impact.
namespace carom::papers {

/// Of the contacts A, B, C, D.
using DiscBallSurfaces = std::array<MultiSurface, 4>;

/// What the table prints.
struct DiscBallRow {
  double v1 = 0.;    ///< of the gauged point, `gauge` above the ground [m/s]
  double spin = 0.;  ///< rate of theta [rad/s]
  double v2 = 0.;    ///< of the mass centre [m/s]
  double rise = 0.;  ///< of the mass centre, upwards; not printed [m/s]
};

/// Slip of A, B and C, which stand under the mass centre [m/s].
[[nodiscard]] constexpr double slip(const DiscBallRow& row, double radius) {
  return row.v2 + radius * row.spin;
}
/// Normal velocities of A, B and C [m/s].
[[nodiscard]] std::array<double, 3> normal_velocities(const DiscBallRow& row,
                                                      double half_thickness);

/// The height of the gauged point above the ground, h_1 [m].
inline constexpr double gauge = 0.004;

/// The model as the paper writes it, under `lzb`, all contacts at once.
[[nodiscard]] DiscBallRow disc_ball_as_written(const DiscBall& system,
                                               const DiscBallSurfaces& surfaces);

/// What the table's numbers of cases 2 to 5 come out of to 0.15 %, though the paper does not say
/// so: friction at D has the wrong sign, the ground does nothing until D has finished, and the disc
/// has this radius. No law of impact; it is here to show what was computed.
inline constexpr double variant_radius = 0.03755;  ///< [m]
[[nodiscard]] DiscBallRow disc_ball_variant(DiscBall system, const DiscBallSurfaces& surfaces,
                                            double radius = variant_radius);

}  // namespace carom::papers
