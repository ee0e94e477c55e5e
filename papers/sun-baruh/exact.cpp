// SPDX-License-Identifier: Apache-2.0
// How good the procedure of [Sun & Baruh 2022] is in space: beside the exact process.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <carom/laws/spatial_path.hpp>
#include <carom/laws/sun_baruh.hpp>
#include <papers/engine/decade.hpp>
#include <papers/engine/largest.hpp>
#include <papers/engine/pictures.hpp>
#include <papers/sun-baruh/parts.hpp>

namespace carom::papers::sb {
namespace {

/// How far the procedure is from the exact process over a grid.
struct Error {
  std::size_t falls = 0;
  std::size_t same_case = 0;
  std::size_t case_2 = 0;  ///< of the others: one of the two says 2
  double velocity_most = 0.;
  double velocity_median = 0.;
  double energy_most = 0.;
  double energy_median = 0.;
  const SpatialPoint* worst = nullptr;
};

double median(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

Error error_of(const SpatialGrid& grid, Told SpatialPoint::*law, Told SpatialPoint::*exact) {
  Error e{.falls = grid.points.size()};
  std::vector<double> velocities;
  std::vector<double> energies;
  for (const SpatialPoint& p : grid.points) {
    const Told& a = p.*law;
    const Told& b = p.*exact;
    if (a.mode == b.mode) {
      ++e.same_case;
    } else if (a.mode == Mode::stops_in_compression_slips ||
               b.mode == Mode::stops_in_compression_slips) {
      ++e.case_2;
    }
    velocities.push_back(distance(a, b));
    energies.push_back(std::abs(a.energy - b.energy));
    if (velocities.back() > e.velocity_most) {
      e.velocity_most = velocities.back();
      e.worst = &p;
    }
    e.energy_most = largest(e.energy_most, energies.back());
  }
  e.velocity_median = median(velocities);
  e.energy_median = median(energies);
  return e;
}

double per_cent(std::size_t part, std::size_t whole) {
  return 100. * static_cast<double>(part) / static_cast<double>(whole);
}

Table::Row row_of(const char* figure, const char* law, const Error& e) {
  return {{given(figure), given(law), ours(static_cast<double>(e.falls)),
           ours(per_cent(e.same_case, e.falls)), ours(e.velocity_most), ours(e.velocity_median),
           ours(e.energy_most), ours(e.energy_median)}};
}

Statement mostly_case_2(const Error& a, const Error& b) {
  const std::size_t others = a.falls - a.same_case + b.falls - b.same_case;
  const std::size_t by_2 = a.case_2 + b.case_2;
  return {.says =
              "Where the procedure and the exact process give different cases, mostly one of them "
              "says 2: slip that stops and begins anew",
          .holds = 3 * by_2 > 2 * others,
          .found = fmt::format("{} of {} such falls of Fig. 8, {} of {} of Fig. 10", a.case_2,
                               a.falls - a.same_case, b.case_2, b.falls - b.same_case),
          .known = {}};
}

/// In the exact process of this rod slip stops and begins anew in its own plane only.
Statement exact_case_2_only_in_the_plane(const Grids& grids) {
  std::size_t off = 0;
  std::size_t on = 0;
  for (const SpatialGrid* grid : {&grids.fig8, &grids.fig10, &grids.fig11}) {
    for (const SpatialPoint& p : grid->points) {
      if (p.exact.mode != Mode::stops_in_compression_slips) continue;
      ++(p.fall.angle2_deg == 0. ? on : off);
    }
  }
  return {.says =
              "In the exact process slip stops and begins anew only at θ₂ = 0; elsewhere it swings "
              "round without stopping",
          .holds = off == 0 && on > 0,
          .found = fmt::format(
              "exact falls of case 2 in Figs 8, 10 and 11: {} at θ₂ = 0, {} elsewhere", on, off),
          .known = {}};
}

/// The impulse that ends all motion does not depend on the way.
Statement stick_is_exact(const Grids& grids) {
  double worst = 0.;
  std::size_t count = 0;
  for (const SpatialGrid* grid : {&grids.fig8, &grids.fig10, &grids.fig11}) {
    for (const SpatialPoint& p : grid->points) {
      if (p.exact.mode != Mode::stops_in_compression_sticks || p.poisson.mode != p.exact.mode) {
        continue;
      }
      ++count;
      worst = largest(worst, distance(p.poisson, p.exact));
    }
  }
  return {.says =
              "Where both stick from compression on (case 1), the procedure with Poisson's "
              "hypothesis is exact",
          .holds = count > 0 && worst < 1e-10,
          .found = fmt::format("{} falls of Figs 8, 10 and 11: velocities equal to {:.0e} m/s",
                               count, decade(worst)),
          .known = {}};
}

Statement close_in_the_median(const Error& a, const Error& b) {
  return {.says =
              "The estimate of the direction of slip gives velocities close to those of the "
              "process in which slip turns (taken as: within 5 % of that before, in the median)",
          .holds = a.velocity_median < 0.05 * approach_speed &&
                   b.velocity_median < 0.05 * approach_speed,
          .found = fmt::format(
              "off by {:.1f} % and {:.1f} % in the median, by {:.1f} % and {:.1f} % at worst (Figs "
              "8 and 10)",
              100. * a.velocity_median / approach_speed, 100. * b.velocity_median / approach_speed,
              100. * a.velocity_most / approach_speed, 100. * b.velocity_most / approach_speed),
          .known = {}};
}

// --- the way of slip in the worst fall -----------------------------------------------------------

report::Chart slip_chart() {
  const SpatialFall fall{
      .angle1_deg = 8.5, .angle2_deg = 15.5, .surface = {.restitution = 0.8, .friction = 0.2}};
  const SpatialProblem p = problem_of(fall);
  report::Series exact = report::series_of(report::style_of_law("poisson"), "exact process");
  for (const SpatialPathPoint& at : spatial_path(p, Hypothesis::poisson)) {
    exact.x.push_back(at.velocity.t1);
    exact.y.push_back(at.velocity.t2);
  }
  report::Series law = report::series_of(report::style_of_law("sun-baruh"), "sun-baruh");
  law.kind = report::SeriesKind::line_and_points;
  law.x.push_back(p.approach.t1);
  law.y.push_back(p.approach.t2);
  for (const SpatialPhase& phase : sun_baruh(p, Hypothesis::poisson).phases) {
    law.x.push_back(phase.velocity.t1);
    law.y.push_back(phase.velocity.t2);
  }
  report::Series stop{.label = "no slip", .x = {0.}, .y = {0.}, .colour = "#000000"};
  stop.kind = report::SeriesKind::points;
  stop.point = 2;
  stop.point_size = 1.4;
  return {.heading = "The way of slip: straight stages, and the exact process",
          .subheading = "θ₁ = 8.5°, θ₂ = 15.5°, μ = 0.2, e = 0.8",
          .panels = {{.title = {},
                      .x = {.label = "v_Cx  [m/s]"},
                      .y = {.label = "v_Cz  [m/s]"},
                      .series = {exact, law, stop}}},
          .columns = 1,
          .panel_width = 560,
          .panel_height = 360};
}

Picture parting_picture(const char* name, SpatialFigure figure, const char* caption) {
  figure.show = R"("mode", "parting", "energy")";
  figure.laws = R"("sun-baruh", "poisson")";
  figure.more = "compare = \"difference\"\n";
  return map_picture(name, caption, scenario_of(figure));
}

}  // namespace

Part exact_part(const Grids& grids) {
  const auto poisson = &SpatialPoint::poisson;
  const auto energetic = &SpatialPoint::energetic;
  const Error a = error_of(grids.fig8, poisson, &SpatialPoint::exact);
  const Error b = error_of(grids.fig10, poisson, &SpatialPoint::exact);
  const Error c = error_of(grids.fig8, energetic, &SpatialPoint::exact_energetic);
  const Error d = error_of(grids.fig10, energetic, &SpatialPoint::exact_energetic);
  Table table{
      .caption = "The procedure beside the exact process (Darboux, Keller) of the same hypothesis",
      .columns = {"grid", "law", "falls", "same case [%]", "|Δv| most [m/s]", "|Δv| median [m/s]",
                  "energy ratio off, most", "median"},
      .rows = {row_of("Fig. 8", "sun-baruh", a), row_of("Fig. 10", "sun-baruh", b),
               row_of("Fig. 8", "sun-baruh:energetic", c),
               row_of("Fig. 10", "sun-baruh:energetic", d)}};
  return {.id = "Section 3",
          .title = "How good is one direction of slip a stage?",
          .text =
              "The publication compares its procedure with no other. Here it stands beside the "
              "process that it approximates: slip turns as impulse grows, integrated to 1e-12 "
              "(`poisson`, `energetic` in space).",
          .tables = {std::move(table)},
          .statements = {close_in_the_median(a, b), mostly_case_2(a, b),
                         exact_case_2_only_in_the_plane(grids), stick_is_exact(grids)},
          .pictures = {
              chart_picture("sun-baruh-slip",
                            "Slip in the fall of Fig. 8 where the two are furthest apart. The "
                            "exact process swings round the point of no slip; the procedure goes "
                            "straight to it, and on from there.",
                            slip_chart),
              parting_picture(
                  "sun-baruh-exact-8",
                  {.title = "sun-baruh against the exact process: μ = 0.2, e = 0.8",
                   .restitution = 0.8,
                   .friction = 0.2,
                   .widest_deg = 25.,
                   .points = 101,
                   .show = {},
                   .laws = {}},
                  "Where the cases differ on the grid of Fig. 8, how far the velocities are apart "
                  "in per cent of that before, and the difference in the energy that is left."),
              parting_picture("sun-baruh-exact-10",
                              {.title = "sun-baruh against the exact process: μ = 0.4, e = 0.7",
                               .restitution = 0.7,
                               .friction = 0.4,
                               .widest_deg = 50.,
                               .points = 101,
                               .show = {},
                               .laws = {}},
                              "The same on the grid of Fig. 10.")}};
}

}  // namespace carom::papers::sb
