// SPDX-License-Identifier: Apache-2.0
// Fig. 3 of [Sun & Baruh 2022]: a rod that falls in the plane, under `poisson`.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include <papers/engine/pictures.hpp>
#include <papers/sun-baruh/measures.hpp>
#include <papers/sun-baruh/parts.hpp>

namespace carom::papers::sb {
namespace {

// --- Fig. 3 --------------------------------------------------------------------------------------

Statement all_modes(const PlanarGrid& grid) {
  std::array<std::size_t, 7> count{};
  for (const PlanarPoint& p : grid.points) ++count.at(static_cast<std::size_t>(p.poisson.mode));
  std::string found = "falls in cases 0 to 6:";
  for (const std::size_t n : count) found += fmt::format(" {}", n);
  return {.says = "All seven cases occur",
          .holds = std::all_of(count.begin(), count.end(), [](std::size_t n) { return n > 0; }),
          .found = found,
          .known = {}};
}

/// In every row with both, stick gives way to reverse slip (1 to 2, 3 to 4, 5 to 6) between the
/// same two angles.
Statement upright_line(const PlanarGrid& grid) {
  Extent last_stick;
  Extent first_reverse;
  for (std::size_t j = 0; j < grid.ratios.size(); ++j) {
    for (std::size_t i = 1; i < grid.angles_deg.size(); ++i) {
      const Mode before = grid.at(i - 1, j).poisson.mode;
      const Mode after = grid.at(i, j).poisson.mode;
      if (grid.angles_deg[i] <= 0. || !sticks(before) || !reverses(after)) continue;
      last_stick.add(grid.angles_deg[i - 1]);
      first_reverse.add(grid.angles_deg[i]);
    }
  }
  const double line = reverse_angle_deg(cylinder, 0.4);
  return {.says =
              "Stick turns into reverse slip on an upright line: at one angle, whatever the "
              "velocity ratio",
          .holds = last_stick.least == last_stick.most &&
                   first_reverse.least == first_reverse.most && line > last_stick.most &&
                   line < first_reverse.least,
          .found = fmt::format("between {} and {} deg in all {} rows with both; by halving at "
                               "{:.3f} deg ({:.3f} for a thin rod)",
                               last_stick.most, first_reverse.least, last_stick.count, line,
                               reverse_angle_deg(thin, 0.4)),
          .known = {}};
}

Statement reverse_slip_leans_forward(const PlanarGrid& grid) {
  std::size_t backward = 0;
  std::array<std::size_t, 4> by_ratio{};  // ratios of 0 to 1, 1 to 2, ...
  for (const PlanarPoint& p : grid.points) {
    if (p.fall.ratio == 0. || !reverses(p.poisson.mode)) continue;
    if (p.fall.angle_deg <= 0.) ++backward;
    ++by_ratio[std::min<std::size_t>(3, static_cast<std::size_t>(p.fall.ratio))];
  }
  return {.says =
              "Slip reverses where the rod leans forward (θ > 0), and the more so the smaller the "
              "horizontal velocity",
          .holds = backward == 0 && by_ratio[0] > by_ratio[1] && by_ratio[1] > by_ratio[2],
          .found = fmt::format(
              "falls that reverse, v_Cx/v_Cy in 0..1, 1..2, 2..4: {}, {}, {}; with θ ≤ 0: {}",
              by_ratio[0], by_ratio[1], by_ratio[2] + by_ratio[3], backward),
          .known = {}};
}

Statement static_friction_widens_stick(const PlanarGrid& grid) {
  const auto count = [](const PlanarGrid& g, auto which) {
    return static_cast<std::size_t>(
        std::count_if(g.points.begin(), g.points.end(),
                      [&](const PlanarPoint& p) { return which(p.poisson.mode); }));
  };
  Surface rough = surface_of_fig_3();
  rough.static_friction = 0.5;
  const PlanarGrid other = planar_grid(rough, cylinder);
  const std::size_t n = grid.points.size();
  const double before = share(count(grid, sticks), n);
  const double after = share(count(other, sticks), n);
  return {.says = "With μ_s > μ more falls stick, and fewer slip back",
          .holds = after > before && count(other, reverses) < count(grid, reverses),
          .found = fmt::format(
              "μ_s = 0.5: {:.1f} % stick and {:.1f} % reverse; μ_s = 0.4: {:.1f} % and {:.1f} %",
              after, share(count(other, reverses), n), before, share(count(grid, reverses), n)),
          .known = {}};
}

Statement rebound_near_one(const PlanarGrid& grid) {
  const Extent all = range_of(grid, any_point, rebound_of);
  const Extent sliding = range_of(
      grid, [](const PlanarPoint& p) { return !slip_stops(p); }, rebound_of);
  std::size_t near = 0;
  std::size_t stuck = 0;
  for (const PlanarPoint& p : grid.points) {
    if (std::abs(rebound_of(p) - 1.) < 0.1) {
      ++near;
    } else if (sticks(p.poisson.mode)) {
      ++stuck;
    }
  }
  const std::size_t far = grid.points.size() - near;
  return {.says =
              "The normalised normal velocity is around 1 for most falls, and varies above all "
              "where the rod sticks (taken as: of the falls more than 0.1 away from 1 most stick)",
          .holds = 2 * near > grid.points.size() &&
                   std::abs(sliding.most - 1.) < rounding_of_sums &&
                   std::abs(sliding.least - 1.) < rounding_of_sums && 2 * stuck > far,
          .found = fmt::format(
              "within 0.1 of 1 in {:.1f} % of the falls, {:.3f} to {:.3f} over all, exactly 1 "
              "where slip does not stop; of the {} others {} stick and {} slip back",
              share(near, grid.points.size()), all.least, all.most, far, stuck, far - stuck),
          .known = {}};
}

Statement energy_over_speed(const PlanarGrid& grid) {
  const auto mean_at = [&](double ratio) {
    return range_of(
               grid, [&](const PlanarPoint& p) { return std::abs(p.fall.ratio - ratio) < 1e-9; },
               energy_of)
        .mean();
  };
  const double one = mean_at(1.);
  const double two = mean_at(2.);
  const double four = mean_at(4.);
  return {
      .says =
          "The faster the rod comes along the ground, the greater the part of its energy that is "
          "left (on average over the angles, from v_Cx/v_Cy = 1 on)",
      .holds = one < two && two < four,
      .found = fmt::format(
          "mean over all angles of the energy that is left, at v_Cx/v_Cy = 1, 2, 4: {:.3f}, "
          "{:.3f}, {:.3f} (below 1 there is no such trend: {:.3f} at 0, {:.3f} at 0.5)",
          one, two, four, mean_at(0.), mean_at(0.5)),
      .known = {}};
}

Statement energy_over_angle(const PlanarGrid& grid) {
  const auto mean_at = [&](double angle) {
    return range_of(
               grid,
               [&](const PlanarPoint& p) {
                 return std::abs(std::abs(p.fall.angle_deg) - angle) < 1e-9;
               },
               energy_of)
        .mean();
  };
  return {
      .says = "A flatter rod keeps more of its energy (on average over the ratios, from 30 deg on)",
      .holds =
          mean_at(30.) < mean_at(50.) && mean_at(50.) < mean_at(70.) && mean_at(0.) < mean_at(70.),
      .found = fmt::format("mean over all ratios of the energy that is left, at |θ| = 0, 30, "
                           "50, 70 deg: {:.3f}, {:.3f}, {:.3f}, {:.3f}",
                           mean_at(0.), mean_at(30.), mean_at(50.), mean_at(70.)),
      .known = {}};
}

Statement energy_in_stick(const PlanarGrid& grid) {
  const Extent stuck = range_of(
      grid, [](const PlanarPoint& p) { return sticks(p.poisson.mode); }, energy_of);
  const Extent others = range_of(
      grid, [](const PlanarPoint& p) { return !sticks(p.poisson.mode); }, energy_of);
  return {
      .says = "Stick costs more energy than the other cases (on average)",
      .holds = stuck.mean() < others.mean(),
      .found = fmt::format("left on average {:.3f} where it sticks, {:.3f} elsewhere; but the "
                           "least of all, {:.3f}, is left in case 0, beside the cases that stick",
                           stuck.mean(), others.mean(), others.least),
      .known = {}};
}

}  // namespace

Part fig_3(const PlanarGrid& grid) {
  return {
      .id = "Fig. 3",
      .title = "A falling rod under `poisson`: case, normal velocity, energy",
      .text =
          "e = 0.7, μ = μ_s = 0.4, θ from -70 to 70 deg, v_Cx/v_Cy from 0 to 4, no spin before. "
          "The figure prints no numbers: what the text says of it is compared on a grid of every "
          "half degree and 0.05. The rod is that of eq. 69, α = 0.3451 (SB12).",
      .tables = {},
      .statements = {all_modes(grid), upright_line(grid), reverse_slip_leans_forward(grid),
                     static_friction_widens_stick(grid), rebound_near_one(grid),
                     energy_over_speed(grid), energy_over_angle(grid), energy_in_stick(grid)},
      .pictures = {map_picture(
          "sun-baruh-3",
          "Cases of the falling rod, its normalised normal velocity and the energy that is left, "
          "over θ and v_Cx/v_Cy. Cases 5 and 6 exist only at zero slip and are drawn as a strip. "
          "The upright line between stick and reverse slip is R2 = μ_s.",
          scenario_of(PlanarFigure{.title = "A falling rod: e = 0.7, μ = 0.4 (Sun & Baruh, Fig. 3)",
                                   .show = R"("mode", "rebound", "energy")",
                                   .laws = R"("poisson")"}))}};
}

}  // namespace carom::papers::sb
