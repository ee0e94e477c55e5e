// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <vector>

#include <carom/impact/hypothesis.hpp>
#include <carom/impact/planar_outcome.hpp>
#include <carom/impact/planar_problem.hpp>
#include <carom/impact/regimes.hpp>
#include <carom/impact/spatial_outcome.hpp>
#include <carom/impact/spatial_problem.hpp>
#include <carom/mechanics/configuration.hpp>
#include <carom/mechanics/spatial_system.hpp>
#include <papers/engine/computations.hpp>

/// The rod of [Sun & Baruh 2022], in the plane and in space, and what the laws say of it over the
/// grids of the figures.
namespace carom::papers::sb {

inline constexpr double half_length = 2.3;  ///< L [m]
inline constexpr double radius = 0.5;       ///< r [m]
/// alpha = I/(m L^2) of a thin rod, and of the cylinder of eq. 69.
inline constexpr double thin = 1. / 3.;
inline constexpr double cylinder = 1. / 3. + radius * radius / (4. * half_length * half_length);

inline constexpr double rounding_of_sums = 1e-12;

/// Values from one end to the other, both included.
[[nodiscard]] std::vector<double> steps(double from, double to, std::size_t count);

/// Where `beyond` begins to hold between two values, by halving.
template <class Beyond>
[[nodiscard]] double halved(double low, double high, const Beyond& beyond) {
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (low + high);
    (beyond(middle) ? high : low) = middle;
  }
  return high;
}

template <class Point>
struct Grid {
  std::vector<double> x;
  std::vector<double> y;
  std::vector<Point> points{};  ///< (i, j) at j*x.size() + i

  [[nodiscard]] const Point& at(std::size_t i, std::size_t j) const {
    return points[j * x.size() + i];
  }
};

/// As Table 1 counts the cases.
[[nodiscard]] constexpr int number(Mode m) { return static_cast<int>(m); }

/// Slip stops, then sticks: 1, 3, 5. Stops, then slips again: 2, 4, 6.
[[nodiscard]] constexpr bool sticks(Mode m) {
  return m == Mode::stops_in_compression_sticks || m == Mode::stops_in_restitution_sticks ||
         m == Mode::no_slip_sticks;
}
[[nodiscard]] constexpr bool reverses(Mode m) {
  return m == Mode::stops_in_compression_slips || m == Mode::stops_in_restitution_slips ||
         m == Mode::no_slip_slides;
}

// --- in the plane --------------------------------------------------------------------------------

/// A rod of 1 kg that falls with v_Cy = 1 m/s, without spin. The surface is that of Fig. 3.
struct PlanarFall {
  double angle_deg = 0.;
  double ratio = 0.;  ///< v_Cx/v_Cy
  Surface surface{.restitution = 0.7, .friction = 0.4};
  double inertia_factor = cylinder;
};

[[nodiscard]] Configuration configuration_of(const PlanarFall& fall);
[[nodiscard]] PlanarProblem problem_of(const PlanarFall& fall);
[[nodiscard]] PlanarOutcome solved(const PlanarFall& fall, Hypothesis h = Hypothesis::poisson);
[[nodiscard]] inline SlideRatios ratios(const PlanarFall& fall) {
  return slide_ratios(problem_of(fall).G, fall.surface);
}

/// The energy of the whole rod, after over before.
[[nodiscard]] inline double energy_ratio(const PlanarFall& fall, const PlanarOutcome& outcome) {
  return 1. + outcome.energy.change / (0.5 * (1. + fall.ratio * fall.ratio));
}

struct PlanarPoint {
  PlanarFall fall;
  PlanarOutcome poisson;
  PlanarOutcome energetic;
  PlanarOutcome newton;
};

/// Of the normal velocities after, poisson/energetic.
[[nodiscard]] inline double velocity_quotient(const PlanarPoint& p) {
  return p.poisson.velocity.n / p.energetic.velocity.n;
}

using PlanarGrid = Grid<PlanarPoint>;

/// Angles of -70 to 70 degrees along x, every half degree; ratios of 0 to 4 along y, by 0.05.
[[nodiscard]] PlanarGrid planar_grid(const Surface& surface, double inertia_factor = cylinder);

[[nodiscard]] const PlanarGrid& fig_3();

/// The angle [deg] > 0 beyond which a rod that has stopped slips back, |R2| = mu_s = 0.4, from
/// where the law changes its mode.
[[nodiscard]] double reverse_angle_deg(double inertia_factor);

/// The greatest difference that Fig. 5 shows: where slip stops at the end of compression on the
/// line between stick and reverse slip.
struct GreatestDifference {
  double angle_deg = 0.;
  double ratio = 0.;
  double per_cent = 0.;  ///< 1 - poisson/energetic, of the normal velocities after
};
[[nodiscard]] GreatestDifference greatest_difference(double inertia_factor);

// --- in space ------------------------------------------------------------------------------------

/// The rod falling with v = (0.4, 1, 0) m/s, y down, without spin.
struct SpatialFall {
  double angle1_deg = 0.;
  double angle2_deg = 0.;
  Surface surface{};
};

inline constexpr double approach_speed = 1.0770329614269007;  ///< |v_C| before, sqrt(1.16) [m/s]

[[nodiscard]] SpatialRod rod_of(const SpatialFall& fall);
[[nodiscard]] SpatialProblem problem_of(const SpatialFall& fall);

/// What is kept of an outcome.
struct After {
  Vec3 velocity;         ///< v+ [m/s]
  double energy = 0.;    ///< of the whole rod, after over before
  double rotation = 0.;  ///< the part of the energy after that is rotation, over all before
  Mode mode = Mode::no_impulse;
};
[[nodiscard]] After after(const SpatialFall& fall, const SpatialOutcome& outcome);

/// |v - w| of velocities after [m/s].
[[nodiscard]] inline double distance(const After& a, const After& b) {
  const Vec3 d = a.velocity - b.velocity;
  return std::sqrt(dot(d, d));
}

/// Their procedure under both hypotheses, and the exact process under both.
struct SpatialPoint {
  SpatialFall fall;
  After poisson;
  After energetic;
  After exact;
  After exact_energetic;
};

using SpatialGrid = Grid<SpatialPoint>;

/// theta_1 along x, theta_2 along y [deg].
[[nodiscard]] SpatialGrid angle_grid(double widest_deg, const Surface& surface);

/// Figs 8, 10 and 11; 12 and 13 with mu along x, e along y, each from 0 to 1.
[[nodiscard]] const SpatialGrid& fig(int number);
/// All of these figures.
[[nodiscard]] std::vector<SpatialPoint> falls_of(std::initializer_list<int> figures);

// --- topic by topic ------------------------------------------------------------------------------

[[nodiscard]] Computations cases();      ///< Tables 1 and 2, Section 5
[[nodiscard]] Computations plane();      ///< Figs 3 to 5
[[nodiscard]] Computations space();      ///< Figs 8 to 13
[[nodiscard]] Computations exactness();  ///< Section 3: their procedure beside the exact process
[[nodiscard]] Computations maps();       ///< pictures of the figures
[[nodiscard]] Computations errata();
[[nodiscard]] Computations matrix_errata();  ///< SB19 to SB25

}  // namespace carom::papers::sb
