// SPDX-License-Identifier: Apache-2.0
// Figs 8 to 11 of [Sun & Baruh 2022]: a rod that falls in space, under their procedure.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <carom/laws/routh.hpp>
#include <carom/laws/sun_baruh.hpp>
#include <papers/engine/decade.hpp>
#include <papers/engine/largest.hpp>
#include <papers/engine/pictures.hpp>
#include <papers/sun-baruh/parts.hpp>
#include <papers/sun-baruh/space_measures.hpp>

namespace carom::papers::sb {
namespace {

constexpr double rounding_of_sums = 1e-12;

// --- Figs 8 and 9 --------------------------------------------------------------------------------

Statement mostly_slides(const SpatialGrid& grid) {
  const auto n = counts(grid);
  return {.says =
              "Most falls slide throughout; a smaller part sticks, in compression or in "
              "restitution, and some slip again",
          .holds = 2 * n[0] > grid.points.size() && n[1] > n[3] && n[3] > 0 && n[2] > 0 &&
                   n[1] + n[3] < n[0],
          .found = fmt::format("case 0: {:.1f} %, 1: {:.1f} %, 2: {:.1f} %, 3: {:.1f} %",
                               share(n[0], grid), share(n[1], grid), share(n[2], grid),
                               share(n[3], grid)),
          .known = {}};
}

Statement reverses_at_large_angles(const SpatialGrid& grid) {
  double least = 90.;
  double most_stuck = -90.;
  for (std::size_t i = 0; i < grid.x.size(); ++i) {
    const Mode m = grid.at(i, 0).poisson.mode;
    if (reverses(m)) least = std::min(least, grid.x[i]);
    if (sticks(m)) most_stuck = largest(most_stuck, grid.x[i]);
  }
  return {.says = "Slip stops and begins anew at larger θ₁ than it sticks",
          .holds = least > most_stuck && most_stuck > 0.,
          .found = fmt::format("at θ₂ = 0 sticks up to {} deg, slips again from {} deg", most_stuck,
                               least),
          .known = {}};
}

Statement upright_sticks(const SpatialGrid& grid) {
  std::size_t count = 0;
  std::size_t stuck = 0;
  for (const SpatialPoint& p : grid.points) {
    if (std::abs(p.fall.angle1_deg) > 5. || p.fall.angle2_deg > 5.) continue;
    ++count;
    if (sticks(p.poisson.mode)) ++stuck;
  }
  return {.says = "A rod that is nearly upright slides and then sticks",
          .holds = count > 0 && stuck == count,
          .found = fmt::format("{} of {} falls with both angles within 5 deg stick", stuck, count),
          .known = {}};
}

Statement loss_where_slip_ends(const SpatialGrid& grid) {
  double least_sliding = 1.;
  double least_stopped = 1.;
  const SpatialPoint* at = nullptr;
  for (const SpatialPoint& p : grid.points) {
    if (p.poisson.mode != Mode::slides) {
      least_stopped = std::min(least_stopped, p.poisson.energy);
    } else if (p.poisson.energy < least_sliding) {
      least_sliding = p.poisson.energy;
      at = &p;
    }
  }
  return {.says = "The loss of energy is highest where slip ends in one of the stages",
          .holds = least_stopped < least_sliding,
          .found = fmt::format(
              "left at least {:.3f} where slip ends; {:.3f} in case 0 at θ₁ = {} deg, θ₂ = {} deg",
              least_stopped, least_sliding, at != nullptr ? at->fall.angle1_deg : 0.,
              at != nullptr ? at->fall.angle2_deg : 0.),
          .known = "SB30"};
}

Statement mirror_symmetric(const SpatialGrid& grid) {
  double worst = 0.;
  std::size_t modes = 0;
  for (const SpatialPoint& p : grid.points) {
    SpatialFall mirrored = p.fall;
    mirrored.angle2_deg = -mirrored.angle2_deg;
    const SpatialOutcome o = sun_baruh(problem_of(mirrored), Hypothesis::poisson);
    const Vec3 v{.n = o.velocity.n, .t1 = o.velocity.t1, .t2 = -o.velocity.t2};
    const Vec3 d = v - p.poisson.velocity;
    worst = largest(worst, std::sqrt(dot(d, d)));
    if (o.mode != p.poisson.mode) ++modes;
  }
  return {.says = "θ₂ and -θ₂ give the same but for the sign of the velocity across",
          .holds = worst < rounding_of_sums && modes == 0,
          .found = fmt::format("velocities mirrored to {:.0e} m/s, {} cases differ", decade(worst),
                               modes),
          .known = {}};
}

Part fig_8(const SpatialGrid& grid) {
  return {.id = "Fig. 8",
          .title = "A rod in space, μ = 0.2 and e = 0.8, under `sun-baruh`",
          .text =
              "Both angles varied, v = (0.4, 1, 0) m/s. No numbers are printed: what the text says "
              "is compared on a grid of every half degree.",
          .tables = {},
          .statements = {mostly_slides(grid), reverses_at_large_angles(grid), upright_sticks(grid),
                         mirror_symmetric(grid), loss_where_slip_ends(grid)},
          .pictures = {map_picture(
              "sun-baruh-8",
              "Case, normalised normal velocity and energy under their procedure. The least energy "
              "is left at the lower left, where the rod leans back and slides throughout.",
              scenario_of(
                  SpatialFigure{.title = "A rod in space: μ = 0.2, e = 0.8 (Sun & Baruh, Fig. 8)",
                                .restitution = 0.8,
                                .friction = 0.2,
                                .widest_deg = 25.,
                                .points = 101,
                                .show = R"("mode", "rebound", "energy")",
                                .laws = R"("sun-baruh")"}))}};
}

Part fig_9(const SpatialGrid& grid) {
  return {.id = "Fig. 9",
          .title = "The same under `sun-baruh:energetic`",
          .text = "The falls of Fig. 8 with the energetic hypothesis. No numbers are printed.",
          .tables = {},
          .statements = {{.says = "Little changes against Fig. 8 (taken as: by at most 3 "
                                  "% of the velocity and the energy before, the case the same)",
                          .holds = hypotheses_within(grid, 0.03) && modes_that_differ(grid) == 0,
                          .found = hypotheses_apart(grid),
                          .known = {}}},
          .pictures = {
              map_picture("sun-baruh-9",
                          "As Fig. 8 but for the energetic hypothesis: the cases are the same, "
                          "velocities and energies differ slightly where slip stops.",
                          scenario_of(SpatialFigure{
                              .title = "A rod in space: μ = 0.2, e = 0.8 (Sun & Baruh, Fig. 9)",
                              .restitution = 0.8,
                              .friction = 0.2,
                              .widest_deg = 25.,
                              .points = 101,
                              .show = R"("mode", "rebound", "energy")",
                              .laws = R"("sun-baruh:energetic")"}))}};
}

// --- Figs 10 and 11 ------------------------------------------------------------------------------

Statement more_stick(const SpatialGrid& fig8, const SpatialGrid& fig10) {
  const auto stuck = [](const SpatialGrid& grid) {
    std::size_t count = 0;
    std::size_t all = 0;
    for (const SpatialPoint& p : grid.points) {
      if (std::abs(p.fall.angle1_deg) > 25. || p.fall.angle2_deg > 25.) continue;
      ++all;
      if (sticks(p.poisson.mode)) ++count;
    }
    return 100. * static_cast<double>(count) / static_cast<double>(all);
  };
  return {.says = "The rod sticks in a larger region than with μ = 0.2",
          .holds = stuck(fig10) > stuck(fig8),
          .found = fmt::format(
              "of the falls with both angles within 25 deg {:.1f} % stick, {:.1f} % with μ = 0.2",
              stuck(fig10), stuck(fig8)),
          .known = {}};
}

/// Row theta_2 = 0 against the plane.
Statement same_as_in_the_plane(const SpatialGrid& grid) {
  const auto worst_for = [&](double inertia_factor, std::size_t& modes) {
    double worst = 0.;
    for (std::size_t i = 0; i < grid.x.size(); ++i) {
      const PlanarProblem p =
          problem_of({grid.x[i], 0.4, {.restitution = 0.7, .friction = 0.4}, inertia_factor});
      const PlanarOutcome o = routh(p, Hypothesis::poisson);
      const Told& t = grid.at(i, 0).poisson;
      worst = largest({worst, std::abs(o.velocity.n - t.velocity.n),
                       std::abs(o.velocity.t - t.velocity.t1), std::abs(t.velocity.t2)});
      if (o.mode != t.mode) ++modes;
    }
    return worst;
  };
  std::size_t modes = 0;
  std::size_t modes_thin = 0;
  const double worst = worst_for(cylinder, modes);
  const double worst_thin = worst_for(thin, modes_thin);
  return {.says = "At θ₂ = 0 the results are those of the plane at v_Cx/v_Cy = 0.4",
          .holds = worst < rounding_of_sums && modes == 0,
          .found = fmt::format("101 angles: velocities equal to {:.0e} m/s, {} cases differ (with "
                               "a thin rod in the plane: {:.3f} m/s and {})",
                               decade(worst), modes, worst_thin, modes_thin),
          .known = {}};
}

Statement less_stick_off_the_plane(const SpatialGrid& grid) {
  std::vector<std::size_t> width;
  for (std::size_t j = 0; j < grid.y.size(); j += 10) {
    std::size_t n = 0;
    for (std::size_t i = 0; i < grid.x.size(); ++i)
      if (sticks(grid.at(i, j).poisson.mode)) ++n;
    width.push_back(n);
  }
  return {.says = "The rod sticks in a smaller range of θ₁ the further θ₂ is from zero",
          .holds = std::is_sorted(width.rbegin(), width.rend()) && width.front() > width.back(),
          .found =
              fmt::format("of 101 angles θ₁ at θ₂ = 0, 10, ... 50 deg stick {}, {}, {}, {}, {}, {}",
                          width[0], width[1], width[2], width[3], width[4], width[5]),
          .known = {}};
}

Statement no_case_4(const Grids& grids) {
  std::size_t n = 0;
  for (const SpatialGrid* grid : {&grids.fig8, &grids.fig10, &grids.fig11}) n += counts(*grid)[4];
  return {.says = "Slip does not begin anew in restitution (case 4) in Figs 8, 10 and 11",
          .holds = n == 0,
          .found = fmt::format("{} falls of case 4", n),
          .known = {}};
}

Statement static_friction_matters_little(const SpatialGrid& grid) {
  const SpatialGrid rough = angle_grid(50., 1., 0.7, 0.4, 0.5);
  std::size_t modes = 0;
  double sum = 0.;
  for (std::size_t k = 0; k < grid.points.size(); ++k) {
    if (grid.points[k].poisson.mode != rough.points[k].poisson.mode) ++modes;
    sum += distance(grid.points[k].poisson, rough.points[k].poisson);
  }
  const double mean = 100. * sum / static_cast<double>(grid.points.size()) / approach_speed;
  return {
      .says =
          "A static friction above the kinetic one does not change the results much (taken as: "
          "velocities by less than 1 % of that before, on average)",
      .holds = mean < 1.,
      .found = fmt::format(
          "μ_s = 0.5: the case changes in {:.1f} % of the falls, velocities by {:.2f} % on average",
          share(modes, grid), mean),
      .known = {}};
}

/// Over Figs 8, 10 and 11, of the normal velocity.
Statement part_where_slip_ends(const Grids& grids) {
  struct Apart {
    double most = 0.;
    double sum = 0.;
    double count = 0.;
  };
  Apart going_on;
  Apart stopped;
  for (const SpatialGrid* grid : {&grids.fig8, &grids.fig10, &grids.fig11}) {
    for (const SpatialPoint& p : grid->points) {
      Apart& a = p.poisson.mode == Mode::slides ? going_on : stopped;
      const double apart = std::abs(p.poisson.velocity.n - p.energetic.velocity.n);
      a.most = largest(a.most, apart);
      a.sum += apart;
      ++a.count;
    }
  }
  const double mean_on = going_on.sum / going_on.count;
  const double mean_stopped = stopped.sum / stopped.count;
  return {.says = "In space, too, the hypotheses part most where slip ends during the impact",
          .holds = stopped.most > going_on.most && mean_stopped > mean_on,
          .found = fmt::format("Figs 8, 10, 11: the normal velocity differs there by {:.4f} m/s on "
                               "average and {:.4f} at most, in case 0 by {:.4f} and {:.4f}",
                               mean_stopped, stopped.most, mean_on, going_on.most),
          .known = {}};
}

Part fig_10(const Grids& grids) {
  const SpatialGrid& grid = grids.fig10;
  return {
      .id = "Fig. 10",
      .title = "A rod in space, μ = 0.4 and e = 0.7, under `sun-baruh`",
      .text =
          "Slide parameter 1, both angles from -50 to 50 deg; θ₂ < 0 is the mirror image and is "
          "not drawn. No numbers are printed: what the text "
          "says (also in Section 6) is compared on a grid of every degree.",
      .tables = {},
      .statements = {more_stick(grids.fig8, grid),
                     same_as_in_the_plane(grid),
                     less_stick_off_the_plane(grid),
                     mirror_symmetric(grid),
                     part_where_slip_ends(grids),
                     static_friction_matters_little(grid),
                     {.says = "The case does not depend on the hypothesis",
                      .holds = modes_that_differ(grid) == 0,
                      .found = hypotheses_apart(grid),
                      .known = "SB32"}},
      .pictures = {map_picture(
          "sun-baruh-10",
          "Case, normalised normal velocity and energy for a slide parameter of 1: the region "
          "of stick is wide. Along the lower edge it is the row v_Cx/v_Cy = 0.4 of Fig. 3.",
          scenario_of(
              SpatialFigure{.title = "A rod in space: μ = 0.4, e = 0.7 (Sun & Baruh, Fig. 10)",
                            .restitution = 0.7,
                            .friction = 0.4,
                            .widest_deg = 50.,
                            .points = 101,
                            .show = R"("mode", "rebound", "energy")",
                            .laws = R"("sun-baruh")"}))}};
}

Statement restitution_and_mode(const Grids& grids) {
  std::size_t modes = 0;
  std::size_t between_0_and_3 = 0;
  for (std::size_t k = 0; k < grids.fig10.points.size(); ++k) {
    const Mode a = grids.fig10.points[k].poisson.mode;
    const Mode b = grids.fig11.points[k].poisson.mode;
    if (a == b) continue;
    ++modes;
    if (a == Mode::stops_in_restitution_sticks && b == Mode::slides) ++between_0_and_3;
  }
  return {.says = "The coefficient of restitution does not affect the case",
          .holds = modes == 0,
          .found = fmt::format("the case changes in {} of {} falls, from 3 to 0 in {}", modes,
                               grids.fig10.points.size(), between_0_and_3),
          .known = "SB9"};
}

Statement restitution_and_energy(const Grids& grids) {
  std::size_t more = 0;
  double velocity = 0.;
  for (std::size_t k = 0; k < grids.fig10.points.size(); ++k) {
    const SpatialPoint& a = grids.fig10.points[k];
    const SpatialPoint& b = grids.fig11.points[k];
    if (b.poisson.energy < a.poisson.energy) ++more;
    velocity = largest(velocity, std::abs(rebound(a.fall, a.poisson) - rebound(b.fall, b.poisson)));
  }
  return {.says =
              "With e = 0.5 instead of 0.7 more energy is lost, and the normalised velocities "
              "change slightly",
          .holds = more == grids.fig10.points.size() && velocity < 0.1,
          .found = fmt::format(
              "more is lost in {} of {} falls; the normalised velocity changes by at most {:.3f}",
              more, grids.fig10.points.size(), velocity),
          .known = {}};
}

Part fig_11(const Grids& grids) {
  return {
      .id = "Fig. 11",
      .title = "A rod in space, μ = 0.4 and e = 0.5, under `sun-baruh`",
      .text =
          "The falls of Fig. 10 with less restitution, θ₂ < 0 again as the mirror image. No "
          "numbers "
          "are printed.",
      .tables = {},
      .statements = {restitution_and_energy(grids), restitution_and_mode(grids),
                     mirror_symmetric(grids.fig11), no_case_4(grids)},
      .pictures = {map_picture(
          "sun-baruh-11",
          "As Fig. 10 with e = 0.5: nearly the same cases and normalised velocities, less energy.",
          scenario_of(
              SpatialFigure{.title = "A rod in space: μ = 0.4, e = 0.5 (Sun & Baruh, Fig. 11)",
                            .restitution = 0.5,
                            .friction = 0.4,
                            .widest_deg = 50.,
                            .points = 101,
                            .show = R"("mode", "rebound", "energy")",
                            .laws = R"("sun-baruh")"}))}};
}

}  // namespace

std::vector<Part> spatial_parts(const Grids& grids) {
  return {fig_8(grids.fig8), fig_9(grids.fig8),   slide_parameter_part(), fig_10(grids),
          fig_11(grids),     fig_12(grids.fig12), fig_13(grids.fig13)};
}

}  // namespace carom::papers::sb
