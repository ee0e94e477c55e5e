// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include <fmt/format.h>

#include <papers/engine/embedded.hpp>
#include <papers/payr-glocker/cases.hpp>

namespace carom::papers::pg {
namespace {

Series curve(Series s, const std::vector<double>& x, const std::function<double(double)>& y) {
  s.x = x;
  for (const double at : x) s.y.push_back(y(at));
  return s;
}

Chart chart_of_critical_friction() {
  const double angle = angle_of_least();
  ChartPanel panel;
  panel.x = {.label = "angle φ  [deg]", .range = Range{0., 90.}};
  panel.y = {.label = "critical friction μ_c", .range = Range{0., 6.}};
  panel.series = {curve({.label = "forward slip, α/δ", .colour = "#000000"}, steps(4., 89.1, 0.25),
                        critical_friction_at),
                  {.label = "least",
                   .x = {angle},
                   .y = {least_critical},
                   .colour = "#D55E00",
                   .marker_size = 1.,
                   .kind = SeriesKind::points}};
  panel.marks = {{.at = least_critical, .label = "4/3", .across = true},
                 {.at = above_critical, .label = "5/3", .across = true},
                 {.at = angle, .label = fmt::format("{:.3f} deg", angle)}};
  panel.texts = {{.x = 22., .y = 0.6, .text = "all three impact states"},
                 {.x = 42., .y = 4.2, .text = "no forward slip"}};
  return {.heading = "Critical friction of a uniform bar (Payr & Glocker, Fig. 6)",
          .subheading = "above the curve forward slip cannot be reached",
          .panels = {panel}};
}

Chart chart_of_ratios() {
  ChartPanel panel;
  panel.x = {.label = "ratio before, vₜ⁻/vₙ⁻", .range = Range{-6., 6.}};
  panel.y = {.label = "ratio after, vₜ⁺/vₙ⁺", .range = Range{-6., 8.}};
  for (const auto& [angle, dash] : {std::pair{90., Dash{}}, {45., Dash{10., 6.}}}) {
    Series s = series_of("moreau", fmt::format("moreau, φ = {:g} deg", angle));
    s.dash = dash;
    panel.series.push_back(curve(s, steps(-6., 6.0001, 0.05),
                                 [&, at = angle](double r) { return ratio_in_fig_9(at, r); }));
  }
  panel.spans = {{.from = -6., .to = -4., .colour = "#FFFFFF", .label = "forward slip"},
                 {.from = -4., .to = -2., .colour = "#EDEDED", .label = "reversed"},
                 {.from = -2., .to = 2., .colour = "#D9E7F5", .label = "stick, reversed"},
                 {.from = 2., .to = 4., .colour = "#EDEDED", .label = "reversed"},
                 {.from = 4., .to = 6., .colour = "#FFFFFF", .label = "backward slip"}};
  return {.heading = "Ratio of velocities after the impact (Payr & Glocker, Fig. 9)",
          .subheading = "uniform bar, ε_N = ε_T = 1, μ = 1/2; the shaded regions belong to 90 deg",
          .panels = {panel}};
}

Chart chart_of_slip() {
  ChartPanel panel;
  panel.x = {.label = "slip before, v₁(0)/|v₃(0)|", .range = Range{0., 5.}};
  panel.y = {.label = "slip after, −v₁(t_f)/v₃(0)", .range = Range{-1.5, 3.5}};
  const auto r = steps(0., 5.0001, 0.01);
  for (const double e : {0., 0.5, 1.}) {
    Series springs = series_of("compliant", e == 0. ? "compliant (springs)" : "");
    springs.width = 2.;
    const auto walton = series_of("moreau", e == 0. ? "walton" : "");
    panel.series.push_back(curve(springs, r, [&](double x) { return springs_after(e, x); }));
    panel.series.push_back(curve(walton, r, [&](double x) { return walton_after(e, x); }));
    // Beside the straight part r - 1.75 (1 + e), each a little to the right of its line.
    panel.texts.push_back(
        {.x = 4.55, .y = 4.2 - 3.5 * fig13_mu * (1. + e), .text = fmt::format("e = {:g}", e)});
  }
  // Where the springs part from Walton's operator and from each other.
  panel.texts.push_back({.x = 0.4, .y = 0.28, .text = "e = 1"});
  panel.texts.push_back({.x = 0.35, .y = -0.68, .text = "e = 0"});
  panel.texts.push_back({.x = 1.2, .y = -1.15, .text = "e = 0.5"});
  return {.heading = "Sphere on a rough plane: springs and Walton (Payr & Glocker, Fig. 13)",
          .subheading = "μ = 0.5, η² = 1.21, ε_T = 0.605; e is e* of the springs and ε_N of Walton",
          .panels = {panel}};
}

}  // namespace

Computations pictures() {
  Computations all{.pictures = {{"payr-glocker-6", chart(chart_of_critical_friction)},
                                {"payr-glocker-9", chart(chart_of_ratios)},
                                {"payr-glocker-13", chart(chart_of_slip)}}};
  for (const int figure : {4, 5, 7, 8, 10, 11}) {
    const std::string name = fmt::format("payr-glocker-{}", figure);
    all.pictures.emplace(name, map(example("maps/" + name)));
  }
  return all;
}

}  // namespace carom::papers::pg
