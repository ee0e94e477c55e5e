// SPDX-License-Identifier: Apache-2.0
// Pictures of Example 1.
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <papers/shen-townsend/cases.hpp>

namespace carom::papers::st {
namespace {

/// Velocities at the contact over the normal impulse, corner by corner.
ChartPanel path_panel(const Row& row) {
  const PlanarProblem p = example_1(row);
  const PlanarOutcome o = process(p);
  const Collision c = *procedure(p);
  Series slip = series_of("poisson", "slip uₜ", 2.5);
  Series normal = slip;
  normal.label = "normal uₙ";
  normal.dash = {{8., 4.}};
  const auto add = [&](double F, const Vec2& v) {
    slip.x.push_back(F);
    slip.y.push_back(v.t);
    normal.x.push_back(F);
    normal.y.push_back(v.n);
  };
  add(0., p.approach);
  for (const PlanarPhase& phase : o.phases) add(phase.impulse.n, phase.velocity);
  ChartPanel panel;
  panel.title =
      fmt::format("({}) e = {:g}, μ = {:g}", "abcd"[row.index], row.number("e"), row.number("μ"));
  panel.x.label = "normal impulse F  [N s]";
  panel.y.label = "velocity at the contact  [m/s]";
  panel.series = {slip, normal};
  panel.marks = {{.at = c.F_c, .label = "compression ends"},
                 {.at = c.F_star, .label = "slip vanishes", .colour = "#D55E00"}};
  return panel;
}

Chart chart_of_paths() {
  Chart chart;
  chart.heading = "Double pendulum: slip stops and reverses (Shen & Townsend, Table 3)";
  chart.subheading = "rods of 2 m and 3 kg at 20 and 30 deg; shen-townsend";
  for (const Row& row : example_1_rows()) chart.panels.push_back(path_panel(row));
  chart.columns = 2;
  chart.panel_width = 420;
  chart.panel_height = 260;
  return chart;
}

Chart chart_of_energy() {
  ChartPanel panel;
  panel.x = {.label = "friction μ = μₛ", .range = Range{0., 1.}};
  panel.y = {.label = "change of energy  [J]"};
  for (const char* law : {"conventional:rebound", "conventional", "poisson"}) {
    const bool theirs = std::string_view(law) == "poisson";
    Series s = series_of(law, theirs ? "shen-townsend (poisson)" : law);
    s.width = 2.2;
    for (int k = 0; k <= 500; ++k) {
      const double mu = k / 500.;
      const double change = solve_by(law, example_1(0.7, mu, mu)).energy.change;
      if (k > 0 && std::abs(change - s.y.back()) > 0.2) {  // the rule jumps: a gap
        s.x.push_back(mu);
        s.y.push_back(std::numeric_limits<double>::quiet_NaN());
      }
      s.x.push_back(mu);
      s.y.push_back(change);
    }
    panel.series.push_back(s);
  }
  const Sym2 G = contact_space(pendulum()).G;
  panel.marks = {{.at = std::abs(G.nt) / G.tt, .label = ""}};
  panel.texts = {{.x = 0.8, .y = 0.2, .text = "shen-townsend sticks"},
                 {.x = 0.8, .y = 0.16, .text = "from 0.6234 on"}};
  return {.heading = "Double pendulum: who creates energy (Shen & Townsend, Tables 1 to 3)",
          .subheading = "e = 0.7; above zero the law creates energy",
          .panels = {panel}};
}

}  // namespace

Computations pendulum_charts() {
  return {.pictures = {{"shen-townsend-energy", chart(chart_of_energy)},
                       {"shen-townsend-paths", chart(chart_of_paths)}}};
}

}  // namespace carom::papers::st
