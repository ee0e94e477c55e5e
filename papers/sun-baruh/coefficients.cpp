// SPDX-License-Identifier: Apache-2.0
// Figs 12 and 13 of [Sun & Baruh 2022]: friction and restitution varied in space.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include <papers/engine/largest.hpp>
#include <papers/engine/pictures.hpp>
#include <papers/sun-baruh/parts.hpp>
#include <papers/sun-baruh/space_measures.hpp>

namespace carom::papers::sb {
namespace {

/// Columns (values of mu) in which the case changes as e is varied.
std::size_t columns_that_change(const SpatialGrid& grid) {
  std::size_t changed = 0;
  for (std::size_t i = 0; i < grid.x.size(); ++i) {
    bool same = true;
    for (std::size_t j = 1; j < grid.y.size(); ++j) {
      same = same && grid.at(i, j).poisson.mode == grid.at(i, 0).poisson.mode;
    }
    if (!same) ++changed;
  }
  return changed;
}

/// The cases met as mu grows, at e = 0.5, with where each begins: "0, 2 from 0.19, 1 from 0.33".
struct Story {
  std::string words;
  std::vector<Mode> modes;
};

Story story(const SpatialGrid& grid) {
  Story s;
  const std::size_t row = grid.y.size() / 2;
  for (std::size_t i = 0; i < grid.x.size(); ++i) {
    const Mode m = grid.at(i, row).poisson.mode;
    if (!s.modes.empty() && s.modes.back() == m) continue;
    s.words += s.modes.empty()
                   ? fmt::format("{}", static_cast<int>(m))
                   : fmt::format(", {} from μ = {:.2f}", static_cast<int>(m), grid.x[i]);
    s.modes.push_back(m);
  }
  return s;
}

/// How much a value varies with e and with mu, the other held at one half.
template <class Value>
std::array<double, 2> variations(const SpatialGrid& grid, const Value& value) {
  std::array<double, 2> least{1e9, 1e9};
  std::array<double, 2> most{-1e9, -1e9};
  const auto take = [&](std::size_t which, double x) {
    least[which] = std::min(least[which], x);
    most[which] = largest(most[which], x);
  };
  const std::size_t middle = grid.x.size() / 2;
  for (std::size_t k = 0; k < grid.x.size(); ++k) {
    take(0, value(grid.at(middle, k).poisson));
    take(1, value(grid.at(k, middle).poisson));
  }
  return {most[0] - least[0], most[1] - least[1]};
}

Statement restitution_rules(const SpatialGrid& grid) {
  const auto v = variations(grid, [](const Told& t) { return t.velocity.n; });
  const auto e = variations(grid, [](const Told& t) { return t.energy; });
  return {.says = "Normal velocity and energy depend much more on e than on μ",
          .holds = v[0] > 2. * v[1] && e[0] > 2. * e[1],
          .found = fmt::format("v_n+ varies by {:.3f} m/s with e and {:.3f} with μ, the energy "
                               "ratio by {:.3f} and {:.3f} (the other held at 0.5)",
                               v[0], v[1], e[0], e[1]),
          .known = {}};
}

Statement into_rotation(const SpatialGrid& grid) {
  const double most = greatest(grid, [](const SpatialPoint& p) { return p.poisson.rotation; });
  return {.says = "Energy of translation can turn into energy of rotation",
          .holds = most > 0.01,
          .found = fmt::format(
              "up to {:.1f} % of the energy before is rotation afterwards; before there is none",
              100. * most),
          .known = {}};
}

Statement friction_costs_energy(const SpatialGrid& grid) {
  const auto left = mean_energy_over_friction(grid);
  return {.says = "More friction costs more energy (mean over e)",
          .holds = std::is_sorted(left.rbegin(), left.rend()),
          .found = fmt::format("left at μ = 0, 0.2, 0.5, 1: {:.3f}, {:.3f}, {:.3f}, {:.3f}",
                               left[0], left[20], left[50], left[100]),
          .known = "SB34"};
}

/// Of Fig. 12, where the contact slips again after slip has ended.
Statement slips_towards_minus_x(const SpatialGrid& grid) {
  std::size_t again = 0;
  std::size_t back = 0;
  for (const SpatialPoint& p : grid.points) {
    if (!reverses(p.poisson.mode)) continue;
    ++again;
    if (p.poisson.velocity.t1 < 0.) ++back;
  }
  return {.says = "Slip that begins anew goes towards -x",
          .holds = again > 0 && back == again,
          .found = fmt::format("in {} of {} such falls", back, again),
          .known = {}};
}

Picture surface_picture(const char* name, const char* figure, double angle1_deg,
                        const char* caption) {
  return map_picture(
      name, caption,
      scenario_of(SurfaceFigure{
          .title = fmt::format("A rod in space: θ₁ = {}{}°, θ₂ = 15° (Sun & Baruh, {})",
                               angle1_deg < 0. ? "−" : "", std::abs(angle1_deg), figure),
          .angle1_deg = angle1_deg,
          .angle2_deg = 15.}));
}

}  // namespace

Part fig_12(const SpatialGrid& grid) {
  const Story s = story(grid);
  const std::size_t changed = columns_that_change(grid);
  return {
      .id = "Fig. 12",
      .title = "Friction and restitution varied, θ₁ = 20 deg, θ₂ = 15 deg",
      .text =
          "v = (0.4, 1, 0) m/s, `sun-baruh`; μ and e from 0 to 1 in steps of 0.01 (the range of "
          "the figure is not in the text). No numbers are printed.",
      .tables = {},
      .statements = {{.says = "The case does not depend on e",
                      .holds = changed == 0,
                      .found = fmt::format("{} of {} values of μ at which it changes with e",
                                           changed, grid.x.size()),
                      .known = {}},
                     {.says = "With little friction the contact slides on, with more slip ends and "
                              "begins anew, with much it sticks",
                      .holds = s.modes == std::vector<Mode>{Mode::slides,
                                                            Mode::stops_in_compression_slips,
                                                            Mode::stops_in_compression_sticks},
                      .found = "cases at e = 0.5: " + s.words,
                      .known = {}},
                     slips_towards_minus_x(grid),
                     {.says =
                          "The energetic hypothesis gives nearly the same (taken as: within 3 %)",
                      .holds = hypotheses_within(grid, 0.03) && modes_that_differ(grid) == 0,
                      .found = hypotheses_apart(grid),
                      .known = {}},
                     friction_costs_energy(grid),
                     restitution_rules(grid),
                     into_rotation(grid)},
      .pictures = {
          surface_picture("sun-baruh-12", "Fig. 12", 20.,
                          "Case, velocity ratio -v_n+/v_n- (not normalised) and energy over "
                          "friction and restitution: the cases change with friction alone.")}};
}

Part fig_13(const SpatialGrid& grid) {
  const std::size_t changed = columns_that_change(grid);
  return {
      .id = "Fig. 13",
      .title = "Friction and restitution varied, θ₁ = -20 deg, θ₂ = 15 deg",
      .text = "As Fig. 12, leaning backward.",
      .tables = {},
      .statements = {{.says = "Here the case changes with e at some levels of friction",
                      .holds = changed > 0 && 2 * changed < grid.x.size(),
                      .found = fmt::format("at {} of {} values of μ; cases at e = 0.5: {}", changed,
                                           grid.x.size(), story(grid).words),
                      .known = {}},
                     {.says = "The energetic hypothesis gives almost the same (taken as: within 10 "
                              "%, the case the same)",
                      .holds = hypotheses_within(grid, 0.1) && modes_that_differ(grid) == 0,
                      .found = hypotheses_apart(grid),
                      .known = {}},
                     friction_costs_energy(grid),
                     restitution_rules(grid)},
      .pictures = {surface_picture(
          "sun-baruh-13", "Fig. 13", -20.,
          "As Fig. 12 for a rod that leans back: a wedge of case 3 opens as restitution grows.")}};
}

}  // namespace carom::papers::sb
