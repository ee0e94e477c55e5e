// SPDX-License-Identifier: Apache-2.0
// Figs 4 and 5 of [Sun & Baruh 2022]: the same rod under `energetic`, and the laws beside each
// other.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <carom/laws/routh.hpp>
#include <papers/engine/decade.hpp>
#include <papers/engine/largest.hpp>
#include <papers/engine/pictures.hpp>
#include <papers/sun-baruh/measures.hpp>
#include <papers/sun-baruh/parts.hpp>

namespace carom::papers::sb {
namespace {

// --- Figs 4 and 5 --------------------------------------------------------------------------------

Statement same_modes(const PlanarGrid& grid) {
  std::size_t differ = 0;
  for (const PlanarPoint& p : grid.points)
    if (p.energetic.mode != p.poisson.mode) ++differ;
  return {.says = "The case is the same under both laws",
          .holds = differ == 0,
          .found = fmt::format("differs in {} of {} falls", differ, grid.points.size()),
          .known = {}};
}

Statement differ_where_slip_stops(const PlanarGrid& grid) {
  const auto apart = [](const PlanarPoint& p) {
    return std::max(std::abs(velocity_quotient(p) - 1.), std::abs(energy_quotient(p) - 1.));
  };
  const Extent going_on = range_of(
      grid, [](const PlanarPoint& p) { return !slip_stops(p); }, apart);
  const Extent stopped = range_of(grid, slip_stops, apart);
  return {
      .says = "The laws differ in velocity and energy above all where slip stops during the impact",
      .holds = going_on.most < rounding_of_sums && stopped.most > 0.1,
      .found = fmt::format("they differ by up to {:.1f} % there, and nowhere else (to {:.0e})",
                           100. * stopped.most, decade(going_on.most)),
      .known = {}};
}

Statement newton_modes(const PlanarGrid& grid) {
  std::size_t differ = 0;
  for (const PlanarPoint& p : grid.points)
    if (p.newton.mode != p.poisson.mode) ++differ;
  return {.says = "Newton's hypothesis can give another case",
          .holds = differ > 0,
          .found = fmt::format("the case under `newton` differs in {} of {} falls", differ,
                               grid.points.size()),
          .known = "SB7"};
}

/// Upright rods with much friction and e = 1, as in Kane and Levinson's paradox.
Statement newton_gains() {
  std::size_t gains = 0;
  std::size_t others = 0;
  const Surface surface{.restitution = 1., .friction = 0.4};
  const PlanarGrid grid = planar_grid(surface, cylinder);
  double most = 0.;
  for (const PlanarPoint& p : grid.points) {
    if (p.newton.flags.has(Verdict::energy_gained)) ++gains;
    if (p.poisson.flags.has(Verdict::energy_gained) ||
        p.energetic.flags.has(Verdict::energy_gained)) {
      ++others;
    }
    most = largest(most, energy_ratio(p.fall, p.newton));
  }
  return {.says = "Newton's hypothesis can give inconsistent energies; the other two do not",
          .holds = gains > 0 && others == 0,
          .found = fmt::format("e = 1, μ = 0.4: `newton` gains energy in {} of {} falls, at most "
                               "to {:.3f} times what there was; `poisson` and `energetic` in {}",
                               gains, grid.points.size(), most, others),
          .known = {}};
}

Statement without_friction() {
  double worst = 0.;
  for (const double angle : steps(-70., 70., 29)) {
    const PlanarProblem p = problem_of({angle, 1., {.restitution = 0.7}, cylinder});
    const double poisson = routh(p, Hypothesis::poisson).velocity.n;
    for (const Hypothesis h : {Hypothesis::newton, Hypothesis::energetic}) {
      worst = largest(worst, std::abs(routh(p, h).velocity.n - poisson));
    }
  }
  return {.says = "Without friction the three definitions of restitution agree",
          .holds = worst < rounding_of_sums,
          .found = fmt::format("29 angles, e = 0.7: v_n+ differs by at most {:.0e}", decade(worst)),
          .known = {}};
}

Part fig_4(const PlanarGrid& grid) {
  return {
      .id = "Fig. 4",
      .title = "The same under `energetic`",
      .text =
          "The falls of Fig. 3 under `energetic`; what Section 2 says of the three definitions of "
          "restitution is compared here, too. No numbers are printed.",
      .tables = {},
      .statements = {same_modes(grid), differ_where_slip_stops(grid), without_friction(),
                     newton_modes(grid), newton_gains()},
      .pictures = {map_picture(
          "sun-baruh-4",
          "Normalised normal velocity and energy under `energetic`: as in Fig. 3 but for the "
          "region where slip stops.",
          scenario_of(PlanarFigure{.title = "A falling rod: e = 0.7, μ = 0.4 (Sun & Baruh, Fig. 4)",
                                   .show = R"("rebound", "energy")",
                                   .laws = R"("energetic")"}))}};
}

Table a_quarter() {
  const GreatestDifference d = greatest_difference(cylinder);
  const GreatestDifference other = greatest_difference(thin);
  return {.caption = "Where the normal velocities differ most: 1 - poisson/energetic",
          .columns = {"rod", "θ [deg]", "v_Cx/v_Cy", "difference [%]"},
          .rows = {{{given("of eq. 69"), ours(d.angle_deg), ours(d.ratio),
                     compared(100. * d.difference, "25", "SB33")}},
                   {{given("thin"), ours(other.angle_deg), ours(other.ratio),
                     ours(100. * other.difference)}}}};
}

Statement lowest_at_the_line() {
  const GreatestDifference d = greatest_difference(cylinder);
  const double line = reverse_angle_deg(cylinder, 0.4);
  return {.says = "The quotient is lowest near the angle at which the case changes",
          .holds = std::abs(d.angle_deg - line) < 0.5,
          .found = fmt::format("lowest at {:.2f} deg, the case changes at {:.2f} deg", d.angle_deg,
                               line),
          .known = {}};
}

Statement lower_when_reversing(const PlanarGrid& grid) {
  const Extent r = range_of(
      grid, [](const PlanarPoint& p) { return slip_stops(p) && reverses(p.poisson.mode); },
      velocity_quotient);
  return {.says = "`poisson` gives lower velocities where slip reverses",
          .holds = r.most <= 1. + rounding_of_sums && r.least < 0.99,
          .found = fmt::format("poisson/energetic from {:.3f} to {:.4f} in {} such falls", r.least,
                               r.most, r.count),
          .known = {}};
}

Statement lower_when_sliding(const PlanarGrid& grid) {
  const Extent r = range_of(
      grid, [](const PlanarPoint& p) { return p.poisson.mode == Mode::slides; }, velocity_quotient);
  return {.says = "`energetic` gives lower velocities where slip goes on throughout",
          .holds = r.most > 1. + rounding_of_sums,
          .found = fmt::format("poisson/energetic is 1 to {:.0e} in all {} falls of case 0",
                               decade(std::max(r.most - 1., 1. - r.least)), r.count),
          .known = "SB8"};
}

Statement lower_overall(const PlanarGrid& grid) {
  std::size_t lower = 0;
  std::size_t higher = 0;
  for (const PlanarPoint& p : grid.points) {
    if (velocity_quotient(p) < 1. - rounding_of_sums) ++lower;
    if (velocity_quotient(p) > 1. + rounding_of_sums) ++higher;
  }
  const Extent v = range_of(grid, slip_stops, velocity_quotient);
  const Extent e = range_of(grid, slip_stops, energy_quotient);
  return {.says = "On the whole `poisson` gives lower velocities and less energy",
          .holds = lower > higher && v.mean() < 1. && e.mean() < 1.,
          .found = fmt::format("lower in {} falls, higher in {}; mean quotient where slip stops: "
                               "velocity {:.3f}, energy {:.3f}",
                               lower, higher, v.mean(), e.mean()),
          .known = {}};
}

Statement energies_close(const PlanarGrid& grid) {
  const Extent e = range_of(grid, slip_stops, energy_quotient);
  const Extent v = range_of(grid, slip_stops, velocity_quotient);
  return {.says = "The energies are closer to each other than the velocities",
          .holds = std::max(e.most - 1., 1. - e.least) < std::max(v.most - 1., 1. - v.least),
          .found = fmt::format("energy {:.3f} to {:.3f}, velocity {:.3f} to {:.3f}", e.least,
                               e.most, v.least, v.most),
          .known = {}};
}

Part fig_5(const PlanarGrid& grid) {
  return {.id = "Fig. 5",
          .title = "`poisson` over `energetic`: velocity and energy",
          .text =
              "Fig. 3 divided by Fig. 4. One number is printed in the text (25 %); the rest is "
              "compared by what the text says.",
          .tables = {a_quarter()},
          .statements = {lowest_at_the_line(), lower_when_reversing(grid), lower_when_sliding(grid),
                         lower_overall(grid), energies_close(grid)},
          .pictures = {map_picture(
              "sun-baruh-5",
              "Where the two laws part: only where slip stops. Leaning forward `poisson` is lower, "
              "leaning backward and sticking it is higher; elsewhere the quotient is exactly 1.",
              scenario_of(PlanarFigure{
                  .title = "A falling rod: poisson over energetic (Sun & Baruh, Fig. 5)",
                  .show = R"("rebound", "energy")",
                  .laws = R"("poisson", "energetic")",
                  .more = "compare = \"ratio\"\n"}))}};
}

}  // namespace

std::vector<Part> planar_parts(const Grids& grids) {
  return {fig_3(grids.plane), fig_4(grids.plane), fig_5(grids.plane)};
}

GreatestDifference greatest_difference(double inertia_factor) {
  GreatestDifference best;
  const Surface surface = surface_of_fig_3();
  for (const double angle : steps(27., 34., 281)) {
    for (const double ratio : steps(0.9, 1.4, 201)) {
      const PlanarProblem p = problem_of({angle, ratio, surface, inertia_factor});
      const double quotient =
          routh(p, Hypothesis::poisson).velocity.n / routh(p, Hypothesis::energetic).velocity.n;
      if (1. - quotient > best.difference) best = {angle, ratio, 1. - quotient};
    }
  }
  return best;
}

}  // namespace carom::papers::sb
