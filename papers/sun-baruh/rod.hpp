// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <map>

#include <carom/impact/one_contact.hpp>
#include <carom/impact/regimes.hpp>
#include <carom/laws/darboux_keller/darboux_keller.hpp>
#include <carom/laws/routh.hpp>
#include <carom/laws/sun_baruh.hpp>
#include <carom/mechanics/planar_bodies.hpp>
#include <carom/mechanics/spatial_rod.hpp>
#include <carom/study/parallel.hpp>
#include <papers/engine/measures.hpp>

/// The rod of [Sun & Baruh 2022], in the plane and in space, and what the laws say of it over the
/// grids of the figures.
namespace carom::papers::sb {

inline constexpr double half_length = 2.3;  ///< L [m]
inline constexpr double radius = 0.5;       ///< r [m]
/// alpha = I/(m L^2) of a thin rod, and of the cylinder of eq. 69.
inline constexpr double thin = 1. / 3.;
inline constexpr double cylinder = 1. / 3. + radius * radius / (4. * half_length * half_length);

inline constexpr double rounding_of_sums = 1e-12;

template <class Point>
struct Grid {
  std::vector<double> x;
  std::vector<double> y;
  std::vector<Point> points{};  ///< (i, j) at j*x.size() + i

  [[nodiscard]] const Point& at(std::size_t i, std::size_t j) const {
    return points[j * x.size() + i];
  }
};

/// @param at  what is computed at (x, y)
template <class Point, class At>
[[nodiscard]] Grid<Point> filled(const std::vector<double>& x, const std::vector<double>& y,
                                 const At& at) {
  Grid<Point> grid{.x = x, .y = y};
  grid.points.resize(grid.x.size() * grid.y.size());
  study::parallel_blocks(grid.points.size(), 256, 0, [&](std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) {
      grid.points[k] = at(grid.x[k % grid.x.size()], grid.y[k / grid.x.size()]);
    }
  });
  return grid;
}

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

[[nodiscard]] inline Rod rod_of(const PlanarFall& fall) {
  return {.mass = 1.,
          .half_length = half_length,
          .inertia_factor = fall.inertia_factor,
          .angle = fall.angle_deg * degree,
          .velocity = {fall.ratio, 1.},
          .spin = 0.};
}

[[nodiscard]] inline PlanarProblem problem_of(const PlanarFall& fall) {
  const PlanarProblem contact = planar_problem(at_impact(rod_of(fall)).problem);
  return {.G = contact.G, .approach = contact.approach, .surface = fall.surface};
}

[[nodiscard]] inline PlanarOutcome solved(const PlanarFall& fall,
                                          Hypothesis h = Hypothesis::poisson) {
  return routh(problem_of(fall), h);
}
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
[[nodiscard]] inline PlanarGrid planar_grid(const Surface& surface,
                                            double inertia_factor = cylinder) {
  const auto at = [&](double angle, double ratio) {
    const PlanarFall fall{angle, ratio, surface, inertia_factor};
    return PlanarPoint{fall, solved(fall), solved(fall, Hypothesis::energetic),
                       solved(fall, Hypothesis::newton)};
  };
  return filled<PlanarPoint>(spread(-70., 70., 281), spread(0., 4., 81), at);
}

[[nodiscard]] inline const PlanarGrid& fig_3() {
  static const PlanarGrid grid = planar_grid(PlanarFall{}.surface);
  return grid;
}

/// The angle [deg] > 0 beyond which a rod that has stopped slips back, |R2| = mu_s = 0.4, from
/// where the law changes its mode.
[[nodiscard]] inline double reverse_angle_deg(double inertia_factor) {
  return threshold(0., 50., [&](double angle) {
    return reverses(solved({.angle_deg = angle, .inertia_factor = inertia_factor}).mode);
  });
}

/// The greatest difference that Fig. 5 shows: where slip stops at the end of compression on the
/// line between stick and reverse slip.
struct GreatestDifference {
  double angle_deg = 0.;
  double ratio = 0.;
  double per_cent = 0.;  ///< 1 - poisson/energetic, of the normal velocities after
};
[[nodiscard]] inline GreatestDifference greatest_difference(double inertia_factor) {
  GreatestDifference best;
  for (const double angle : spread(27., 34., 281)) {
    for (const double ratio : spread(0.9, 1.4, 201)) {
      const PlanarFall fall{.angle_deg = angle, .ratio = ratio, .inertia_factor = inertia_factor};
      const double energetic = solved(fall, Hypothesis::energetic).velocity.n;
      const double per_cent = 100. * (1. - solved(fall).velocity.n / energetic);
      if (per_cent > best.per_cent) best = {angle, ratio, per_cent};
    }
  }
  return best;
}

// --- in space ------------------------------------------------------------------------------------

/// The rod falling with v = (0.4, 1, 0) m/s, y down, without spin.
struct SpatialFall {
  double angle1_deg = 0.;
  double angle2_deg = 0.;
  Surface surface{};
};

inline constexpr double approach_speed = 1.0770329614269007;  ///< |v_C| before, sqrt(1.16) [m/s]

[[nodiscard]] inline SpatialRod rod_of(const SpatialFall& fall) {
  return {.mass = 1.,
          .half_length = half_length,
          .radius = radius,
          .angle1 = fall.angle1_deg * degree,
          .angle2 = fall.angle2_deg * degree,
          .velocity = {0.4, 1., 0.}};
}

[[nodiscard]] inline SpatialProblem problem_of(const SpatialFall& fall) {
  const SpatialProblem contact = spatial_problem(at_impact(rod_of(fall)).problem);
  return {.G = contact.G, .approach = contact.approach, .surface = fall.surface};
}

/// What is kept of an outcome.
struct After {
  Vec3 velocity;         ///< v+ [m/s]
  double energy = 0.;    ///< of the whole rod, after over before
  double rotation = 0.;  ///< the part of the energy after that is rotation, over all before
  Mode mode = Mode::no_impulse;
};
[[nodiscard]] inline After after(const SpatialFall& fall, const SpatialOutcome& outcome) {
  const SystemAtImpact rod = at_impact(rod_of(fall));
  const double before = rod.energy(0, rod.u).total();
  const KineticParts left = rod.energy(0, rod.velocity_after(outcome.impulse));
  return {.velocity = outcome.velocity,
          .energy = left.total() / before,
          .rotation = left.rotation / before,
          .mode = outcome.mode};
}

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

[[nodiscard]] inline SpatialPoint spatial_point(const SpatialFall& fall) {
  const SpatialProblem p = problem_of(fall);
  return {.fall = fall,
          .poisson = after(fall, sun_baruh(p, Hypothesis::poisson)),
          .energetic = after(fall, sun_baruh(p, Hypothesis::energetic)),
          .exact = after(fall, darboux_keller(p, Hypothesis::poisson)),
          .exact_energetic = after(fall, darboux_keller(p, Hypothesis::energetic))};
}

/// mu along x, e along y, each from 0 to 1.
[[nodiscard]] inline SpatialGrid surface_grid(double angle1_deg) {
  return filled<SpatialPoint>(spread(0., 1., 101), spread(0., 1., 101), [&](double mu, double e) {
    return spatial_point({angle1_deg, 15., {.restitution = e, .friction = mu}});
  });
}

/// theta_1 along x, theta_2 along y [deg].
[[nodiscard]] inline SpatialGrid angle_grid(double widest_deg, const Surface& surface) {
  const auto at = [&](double x, double y) { return spatial_point({x, y, surface}); };
  return filled<SpatialPoint>(spread(-widest_deg, widest_deg, 101), spread(0., widest_deg, 51), at);
}

/// Figs 8 and 10 to 13.
[[nodiscard]] inline const SpatialGrid& fig(int number) {
  static const std::map<int, SpatialGrid> all{
      {8, angle_grid(25., {.restitution = 0.8, .friction = 0.2})},
      {10, angle_grid(50., {.restitution = 0.7, .friction = 0.4})},
      {11, angle_grid(50., {.restitution = 0.5, .friction = 0.4})},
      {12, surface_grid(20.)},
      {13, surface_grid(-20.)}};
  return all.at(number);
}

/// All of these figures.
[[nodiscard]] inline std::vector<SpatialPoint> falls_of(std::initializer_list<int> figures) {
  std::vector<SpatialPoint> all;
  for (const int n : figures) {
    all.insert(all.end(), fig(n).points.begin(), fig(n).points.end());
  }
  return all;
}

// --- measures ------------------------------------------------------------------------------------

inline constexpr auto that_stick = [](const auto& p) { return sticks(p.poisson.mode); };
inline constexpr auto that_reverse = [](const auto& p) { return reverses(p.poisson.mode); };
/// A case as Table 1 counts them.
constexpr auto of_case(int n) {
  return [n](const auto& p) { return number(p.poisson.mode) == n; };
}

inline constexpr auto that_slide = of_case(0);
/// The others of a choice.
constexpr auto unless(auto picks) {
  return [picks](const auto& p) { return !picks(p); };
}

[[nodiscard]] inline double per_cent(std::size_t part, std::size_t whole) {
  return 100. * static_cast<double>(part) / static_cast<double>(whole);
}

/// The points that all of `picks` pick [%].
template <class Point, class... Picks>
[[nodiscard]] double share(const std::vector<Point>& points, const Picks&... picks) {
  return per_cent(count(points, picks...), points.size());
}

/// Falls of Fig. 3 in which a law gives another case than `poisson`.
[[nodiscard]] inline std::size_t other_cases(PlanarOutcome PlanarPoint::*law) {
  return count(fig_3().points,
               [&](const PlanarPoint& p) { return (p.*law).mode != p.poisson.mode; });
}

/// How far two laws, or two falls, are apart.
struct Apart {
  Extent velocity{};      ///< [m/s]
  Extent energy{};        ///< of the energy ratios
  std::size_t cases = 0;  ///< that differ

  void add(const After& a, const After& b) {
    velocity.add(distance(a, b));
    energy.add(std::abs(a.energy - b.energy));
    if (a.mode != b.mode) ++cases;
  }
};

[[nodiscard]] inline Apart apart(const SpatialGrid& grid, After SpatialPoint::*law,
                                 After SpatialPoint::*other) {
  Apart r;
  for (const SpatialPoint& p : grid.points) r.add(p.*law, p.*other);
  return r;
}

/// The energy ratio in each column of a grid, its mean over the rows.
[[nodiscard]] inline std::vector<double> mean_energies(const SpatialGrid& grid) {
  std::vector<double> mean(grid.x.size());
  for (std::size_t i = 0; i < grid.x.size(); ++i) {
    Extent column;
    for (std::size_t j = 0; j < grid.y.size(); ++j) column.add(grid.at(i, j).poisson.energy);
    mean[i] = column.mean();
  }
  return mean;
}

// --- topic by topic ------------------------------------------------------------------------------

[[nodiscard]] Computations plane();          ///< Tables 1 and 2, Section 5, Figs 3 to 5
[[nodiscard]] Computations space();          ///< Section 3, Figs 8 to 13
[[nodiscard]] Computations errata();         ///< SB1 to SB12, SB26 to SB34
[[nodiscard]] Computations matrix_errata();  ///< SB19 to SB25

}  // namespace carom::papers::sb
