// SPDX-License-Identifier: Apache-2.0
// What [Sun & Baruh 2022] claim of their results and the results do not show: SB26 on.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <carom/mechanics/planar_system.hpp>
#include <papers/engine/largest.hpp>
#include <papers/sun-baruh/parts.hpp>
#include <papers/sun-baruh/space_measures.hpp>

namespace carom::papers::sb {
namespace {

/// What a normal impulse of 1 N s alone does to the rod at an angle.
struct Push {
  double spin = 0.;  ///< gained, clockwise as seen [rad/s]
  double slip = 0.;  ///< gained by the contact along x [m/s]
};

Push push(double angle_deg) {
  const Rod rod{.mass = 1.,
                .half_length = half_length,
                .inertia_factor = cylinder,
                .angle = angle_deg * degree,
                .velocity = {},
                .spin = 0.};
  const Configuration c = configuration(rod);
  const Vec2 P{.n = 1., .t = 0.};
  return {.spin = velocity_after(c, P)[2], .slip = (contact_space(c).G * P).t};
}

Erratum moment() {
  const Push forward = push(20.);
  const Push backward = push(-20.);
  return {
      .id = "SB26",
      .reason = Reason::reading,
      .where = "Section 2",
      .printed =
          "a counterclockwise moment moves the contact along -x (Fig. 1), and along +x (θ < 0)",
      .corrected =
          "θ > 0: clockwise, along -x; θ < 0: counterclockwise, along +x (as seen, y down)",
      .shown = fmt::format("a normal impulse of 1 N s: at 20 deg spin {:+.4f} rad/s (clockwise is "
                           "+) and slip {:+.4f} m/s; at -20 deg {:+.4f} rad/s and {:+.4f} m/s",
                           forward.spin, forward.slip, backward.spin, backward.slip),
      .holds = forward.spin > 0. && forward.slip < 0. && backward.spin < 0. && backward.slip > 0.};
}

/// The mean over theta_2 of the energy that is left at an angle theta_1 of Fig. 10.
double mean_energy(const SpatialGrid& grid, std::size_t i) {
  double sum = 0.;
  for (std::size_t j = 0; j < grid.y.size(); ++j) sum += grid.at(i, j).poisson.energy;
  return sum / static_cast<double>(grid.y.size());
}

Erratum flat_rods(const SpatialGrid& grid) {
  const double upright = mean_energy(grid, 50);
  const double leaning = mean_energy(grid, 75);
  const double flat = mean_energy(grid, 100);
  return {.id = "SB27",
          .reason = Reason::reading,
          .where = "Section 2, Section 6",
          .printed =
              "less energy is lost by a flatter rod (Section 2); more is lost (Section 6, right "
              "side of the plots)",
          .corrected = "both cannot be; on the right side less is lost",
          .shown = fmt::format("Fig. 10, mean over θ₂ of the energy that is left at θ₁ = 0, 25, 50 "
                               "deg: {:.3f}, {:.3f}, {:.3f}",
                               upright, leaning, flat),
          .holds = upright < leaning && leaning < flat};
}

Erratum greatest_loss(const SpatialGrid& grid) {
  double least = 1.;
  double most = 0.;
  for (const SpatialPoint& p : grid.points) {
    if (p.poisson.mode != Mode::stops_in_compression_sticks &&
        p.poisson.mode != Mode::stops_in_compression_slips) {
      continue;
    }
    least = std::min(least, p.poisson.energy);
    most = largest(most, p.poisson.energy);
  }
  const SpatialPoint& corner = grid.at(0, 0);
  return {.id = "SB30",
          .reason = Reason::reading,
          .where = "text of Fig. 8",
          .printed = "the loss of energy is highest where slip comes to an end",
          .corrected = "it is highest where the rod leans back and slides throughout",
          .shown = fmt::format("left at θ₁ = -25, θ₂ = 0 deg (case {}, in the plane, exact): "
                               "{:.3f}; in cases 1 and 2: {:.3f} to {:.3f}",
                               static_cast<int>(corner.poisson.mode), corner.poisson.energy, least,
                               most),
          .holds = corner.poisson.mode == Mode::slides && corner.poisson.energy < least};
}

/// Over Figs 8, 10 to 13, of the normal velocities after.
double greatest_in_space(const Grids& grids) {
  double most = 0.;
  for (const SpatialGrid* grid :
       {&grids.fig8, &grids.fig10, &grids.fig11, &grids.fig12, &grids.fig13}) {
    for (const SpatialPoint& p : grid->points) {
      if (!(p.energetic.velocity.n > 0.)) continue;
      most = largest(most, std::abs(1. - p.poisson.velocity.n / p.energetic.velocity.n));
    }
  }
  return most;
}

Erratum a_fifth(const Grids& grids) {
  const double plane = greatest_difference(cylinder).difference;
  const double space = greatest_in_space(grids);
  return {.id = "SB31",
          .reason = Reason::reading,
          .where = "Section 7",
          .printed = "the laws' velocities after differ by up to 20 %",
          .corrected = "by up to 26 % in the plane; the text of Fig. 5 itself says 25 %",
          .shown = fmt::format("the normal velocities differ by up to {:.1f} % in the plane (Fig. "
                               "5), by up to {:.1f} % in Figs 8 to 13",
                               100. * plane, 100. * space),
          .holds = plane > 0.2 && space < 0.2};
}

Erratum hypothesis_and_mode(const SpatialGrid& grid) {
  std::size_t count = 0;
  const SpatialPoint* one = nullptr;
  for (const SpatialPoint& p : grid.points) {
    if (p.poisson.mode == p.energetic.mode) continue;
    ++count;
    one = &p;
  }
  return {.id = "SB32",
          .reason = Reason::reading,
          .where = "Sections 3 and 6",
          .printed = "the mode does not depend on the hypothesis, in space as in the plane",
          .corrected =
              "in space it can: the direction of a stage depends on the impulse that the "
              "hypothesis foresees",
          .shown = one == nullptr
                       ? std::string("no fall of Fig. 10 differs")
                       : fmt::format("{} of {} falls of Fig. 10: at θ₁ = {}, θ₂ = {} deg case {} "
                                     "by `sun-baruh`, {} by `sun-baruh:energetic`",
                                     count, grid.points.size(), one->fall.angle1_deg,
                                     one->fall.angle2_deg, static_cast<int>(one->poisson.mode),
                                     static_cast<int>(one->energetic.mode)),
          .holds = count > 0 && 100 * count < grid.points.size()};
}

Erratum friction_and_loss(const Grids& grids) {
  const auto first = mean_energy_over_friction(grids.fig12);
  const auto second = mean_energy_over_friction(grids.fig13);
  const auto at_least = [](const std::vector<double>& left) {
    return static_cast<std::size_t>(std::min_element(left.begin(), left.end()) - left.begin());
  };
  const std::size_t i = at_least(first);
  const std::size_t j = at_least(second);
  return {
      .id = "SB34",
      .reason = Reason::reading,
      .where = "Section 6",
      .printed = "more friction, more loss of energy",
      .corrected = "up to some friction; beyond it slip ends sooner, and less is lost",
      .shown = fmt::format(
          "mean over e of the energy that is left, Fig. 12: {:.3f} at μ = 0, least at {:.2f} with "
          "{:.3f}, {:.3f} at 1; Fig. 13: {:.3f}, least at {:.2f} with {:.3f}, {:.3f}",
          first.front(), grids.fig12.x[i], first[i], first.back(), second.front(), grids.fig13.x[j],
          second[j], second.back()),
      .holds = first[i] < first.back() - 0.01 && first.back() < first.front() &&
               second[j] < second.back() - 0.01 && second.back() < second.front()};
}

}  // namespace

std::vector<Erratum> claim_errata(const Grids& grids) {
  return {moment(),       flat_rods(grids.fig10),           greatest_loss(grids.fig8),
          a_fifth(grids), hypothesis_and_mode(grids.fig10), friction_and_loss(grids)};
}

}  // namespace carom::papers::sb
