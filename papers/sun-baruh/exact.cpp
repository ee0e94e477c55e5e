// SPDX-License-Identifier: Apache-2.0
// Section 3: how good their procedure is in space, beside the exact process.
#include <algorithm>
#include <cmath>

#include <carom/laws/spatial_path.hpp>
#include <carom/laws/sun_baruh.hpp>
#include <papers/engine/decade.hpp>
#include <papers/sun-baruh/measures.hpp>

namespace carom::papers::sb {
namespace {

double median(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// How far the procedure is from the exact process over a grid.
struct Error {
  std::size_t falls = 0;
  std::size_t other_case = 0;
  std::size_t case_2 = 0;  ///< of these: one of the two says 2
  double velocity_most = 0.;
  double velocity_median = 0.;
  double energy_most = 0.;
  double energy_median = 0.;
};

Error error_of(const SpatialGrid& grid, After SpatialPoint::*law = &SpatialPoint::poisson,
               After SpatialPoint::*exact = &SpatialPoint::exact) {
  Error e{.falls = grid.points.size(), .other_case = cases_that_differ(grid.points, law, exact)};
  std::vector<double> velocities;
  std::vector<double> energies;
  for (const SpatialPoint& p : grid.points) {
    const After& a = p.*law;
    const After& b = p.*exact;
    const auto is_2 = [](const After& x) { return x.mode == Mode::stops_in_compression_slips; };
    if (is_2(a) != is_2(b)) ++e.case_2;
    velocities.push_back(distance(a, b));
    energies.push_back(std::abs(a.energy - b.energy));
    e.velocity_most = largest(e.velocity_most, velocities.back());
    e.energy_most = largest(e.energy_most, energies.back());
  }
  e.velocity_median = median(velocities);
  e.energy_median = median(energies);
  return e;
}

Computed table(const Row& row) {
  const SpatialGrid& grid = row.text("grid") == "Fig. 8" ? fig_8() : fig_10();
  const Error e = row.text("law") == "sun-baruh"
                      ? error_of(grid)
                      : error_of(grid, &SpatialPoint::energetic, &SpatialPoint::exact_energetic);
  return {{"falls", e.falls},
          {"same case [%]", per_cent(e.falls - e.other_case, e.falls)},
          {"|Δv| most [m/s]", e.velocity_most},
          {"|Δv| median [m/s]", e.velocity_median},
          {"energy ratio off, most", e.energy_most},
          {"median", e.energy_median}};
}

Found close_in_the_median() {
  const auto part = [](double velocity) { return 100. * velocity / approach_speed; };
  const Error a = error_of(fig_8());
  const Error b = error_of(fig_10());
  return {part(a.velocity_median) < 5. && part(b.velocity_median) < 5.,
          {{"median_8", part(a.velocity_median)},
           {"median_10", part(b.velocity_median)},
           {"most_8", part(a.velocity_most)},
           {"most_10", part(b.velocity_most)}}};
}

Found mostly_case_2() {
  const Error a = error_of(fig_8());
  const Error b = error_of(fig_10());
  return {3 * (a.case_2 + b.case_2) > 2 * (a.other_case + b.other_case),
          {{"two_8", a.case_2},
           {"others_8", a.other_case},
           {"two_10", b.case_2},
           {"others_10", b.other_case}}};
}

/// In the exact process of this rod slip stops and begins anew in its own plane only.
Found exact_case_2() {
  const auto falls = [](bool on) {
    return count(falls_of_8_10_11(), [&](const SpatialPoint& p) {
      return p.exact.mode == Mode::stops_in_compression_slips && (p.fall.angle2_deg == 0.) == on;
    });
  };
  return {falls(false) == 0 && falls(true) > 0, {{"on", falls(true)}, {"off", falls(false)}}};
}

/// The impulse that ends all motion does not depend on the way.
Found stick_is_exact() {
  constexpr auto case_1 = Mode::stops_in_compression_sticks;
  const Extent apart = extent(
      falls_of_8_10_11(), [](const SpatialPoint& p) { return distance(p.poisson, p.exact); },
      [](const SpatialPoint& p) { return p.poisson.mode == case_1 && p.exact.mode == case_1; });
  return {apart.count > 0 && apart.most < 1e-10,
          {{"falls", apart.count}, {"worst", decade(apart.most)}}};
}

/// The way of slip in the fall of Fig. 8 where the two are furthest apart.
report::Chart chart_of_slip() {
  const SpatialProblem p = problem_of(SpatialFall{8.5, 15.5, {.restitution = 0.8, .friction = 0.2}});
  const auto add = [](report::Series& s, const Vec3& velocity) {
    s.x.push_back(velocity.t1);
    s.y.push_back(velocity.t2);
  };
  report::Series exact = report::series_of(report::style_of_law("poisson"), "exact process");
  for (const SpatialPathPoint& at : spatial_path(p, Hypothesis::poisson)) add(exact, at.velocity);
  report::Series law = report::series_of(report::style_of_law("sun-baruh"), "sun-baruh");
  law.kind = report::SeriesKind::line_and_points;
  add(law, p.approach);
  for (const SpatialPhase& phase : carom::sun_baruh(p, Hypothesis::poisson).phases) {
    add(law, phase.velocity);
  }
  const report::Series stop{.label = "no slip",
                            .x = {0.},
                            .y = {0.},
                            .colour = "#000000",
                            .point = 2,
                            .point_size = 1.4,
                            .kind = report::SeriesKind::points};
  return {.heading = "The way of slip: straight stages, and the exact process",
          .subheading = "θ₁ = 8.5°, θ₂ = 15.5°, μ = 0.2, e = 0.8",
          .panels = {{.x = {.label = "v_Cx  [m/s]"},
                      .y = {.label = "v_Cz  [m/s]"},
                      .series = {exact, law, stop}}},
          .columns = 1,
          .panel_width = 560,
          .panel_height = 360};
}

}  // namespace

Computations exactness() {
  return {.checks = {{"close-in-the-median", close_in_the_median},
                     {"mostly-case-2", mostly_case_2},
                     {"exact-case-2", exact_case_2},
                     {"stick-is-exact", stick_is_exact}},
          .tables = {{"exact", table}},
          .pictures = {{"sun-baruh-slip", chart(chart_of_slip)}}};
}

}  // namespace carom::papers::sb
