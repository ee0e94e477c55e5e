// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include <carom/impact/planar_outcome.hpp>
#include <carom/impact/planar_problem.hpp>
#include <carom/impact/spatial_outcome.hpp>
#include <carom/impact/spatial_problem.hpp>
#include <carom/mechanics/spatial_system.hpp>

/// The rod of [Sun & Baruh 2022], in the plane and in space, and what the laws say of it over the
/// grids of the figures.
namespace carom::papers::sb {

inline constexpr double half_length = 2.3;  ///< L [m]
inline constexpr double radius = 0.5;       ///< r [m]
/// alpha = I/(m L^2) of a thin rod, and of the cylinder of eq. 69.
inline constexpr double thin = 1. / 3.;
inline constexpr double cylinder = 1. / 3. + radius * radius / (4. * half_length * half_length);

/// Values from one end to the other, both included.
[[nodiscard]] std::vector<double> steps(double from, double to, std::size_t count);

// --- in the plane --------------------------------------------------------------------------------

/// A rod of 1 kg that falls with v_Cy = 1 m/s, without spin.
struct PlanarFall {
  double angle_deg = 0.;
  double ratio = 0.;  ///< v_Cx/v_Cy
  Surface surface{};
  double inertia_factor = thin;
};

[[nodiscard]] PlanarProblem problem_of(const PlanarFall& fall);

/// The energy of the whole rod, after over before.
[[nodiscard]] double energy_ratio(const PlanarFall& fall, const PlanarOutcome& outcome);

/// -v'_Cy/(v_Cy e_n)
[[nodiscard]] double rebound(const PlanarFall& fall, const PlanarOutcome& outcome);

/// One point of Figs 3 to 5.
struct PlanarPoint {
  PlanarFall fall;
  PlanarOutcome poisson;
  PlanarOutcome energetic;
  PlanarOutcome newton;
};

/// Angles of -70 to 70 degrees, ratios of 0 to 4.
struct PlanarGrid {
  std::vector<double> angles_deg;
  std::vector<double> ratios;
  std::vector<PlanarPoint> points;  ///< (i, j) at j*angles_deg.size() + i

  [[nodiscard]] const PlanarPoint& at(std::size_t angle, std::size_t ratio) const {
    return points[ratio * angles_deg.size() + angle];
  }
};

/// Every half degree, 0.05 in the ratio.
[[nodiscard]] PlanarGrid planar_grid(const Surface& surface, double inertia_factor);

/// e = 0.7, mu = 0.4.
[[nodiscard]] Surface surface_of_fig_3();

/// Slip stops, then sticks: 1, 3, 5. Stops, then slips again: 2, 4, 6.
[[nodiscard]] constexpr bool sticks(Mode m) {
  return m == Mode::stops_in_compression_sticks || m == Mode::stops_in_restitution_sticks ||
         m == Mode::no_slip_sticks;
}
[[nodiscard]] constexpr bool reverses(Mode m) {
  return m == Mode::stops_in_compression_slips || m == Mode::stops_in_restitution_slips ||
         m == Mode::no_slip_slides;
}

// --- in space ------------------------------------------------------------------------------------

/// The rod falling with v = (0.4, 1, 0) m/s, y down, without spin.
struct SpatialFall {
  double angle1_deg = 0.;
  double angle2_deg = 0.;
  SpatialSurface surface{};
};

[[nodiscard]] SpatialRod rod_of(const SpatialFall& fall);
[[nodiscard]] SpatialProblem problem_of(const SpatialFall& fall);

/// What is kept of an outcome.
struct Told {
  Vec3 velocity;         ///< v+ [m/s]
  double energy = 0.;    ///< of the whole rod, after over before
  double rotation = 0.;  ///< the part of the energy after that is rotation, over all before
  Mode mode = Mode::no_impulse;
};

[[nodiscard]] Told told(const SpatialFall& fall, const SpatialOutcome& outcome);

/// One point of Figs 8 to 13: their procedure under both hypotheses, and the exact process.
struct SpatialPoint {
  SpatialFall fall;
  Told poisson;
  Told energetic;
  Told exact;            ///< under poisson
  Told exact_energetic;  ///< under energetic
};

/// -v'_Cy/(v_Cy e_n)
[[nodiscard]] double rebound(const SpatialFall& fall, const Told& told);

/// |v - w| of velocities after [m/s].
[[nodiscard]] double distance(const Told& a, const Told& b);

inline constexpr double approach_speed = 1.0770329614269007;  ///< |v_C| before, sqrt(1.16) [m/s]

struct SpatialGrid {
  std::vector<double> x;
  std::vector<double> y;
  std::vector<SpatialPoint> points;  ///< (i, j) at j*x.size() + i

  [[nodiscard]] const SpatialPoint& at(std::size_t i, std::size_t j) const {
    return points[j * x.size() + i];
  }
};

/// theta_1 along x, theta_2 along y [deg].
[[nodiscard]] SpatialGrid angle_grid(double widest_deg, double step_deg, double restitution,
                                     double friction, double static_friction);

/// mu along x, e along y, each from 0 to 1.
[[nodiscard]] SpatialGrid surface_grid(double angle1_deg, double angle2_deg);

}  // namespace carom::papers::sb
