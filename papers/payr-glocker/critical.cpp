// SPDX-License-Identifier: Apache-2.0
// Section 5, Fig. 6: the friction above which one slip cannot be reached.
#include <cmath>

#include <fmt/format.h>

#include <carom/impact/regimes.hpp>
#include <papers/engine/pictures.hpp>
#include <papers/payr-glocker/cases.hpp>

namespace carom::papers::pg {
namespace {

double critical(double angle) { return *critical_friction(bar(uniform_bar, angle)); }

/// The angle of least critical friction by search, not by its formula.
double angle_of_least() {
  return threshold(30., 85., [](double a) { return critical(a + 1e-4) > critical(a - 1e-4); });
}

report::Chart chart_of_critical_friction() {
  report::Series curve;
  curve.label = "forward slip, α/δ";
  curve.colour = "#000000";
  for (double angle = 4.; angle <= 89.; angle += 0.25) {
    curve.x.push_back(angle);
    curve.y.push_back(critical(angle));
  }
  report::Series least{.label = "least", .x = {angle_of_least()}, .y = {4. / 3.}};
  least.kind = report::SeriesKind::points;
  least.colour = "#D55E00";
  least.point_size = 1.;
  report::ChartPanel panel;
  panel.x = {.label = "angle φ  [deg]", .range = report::Range{0., 90.}};
  panel.y = {.label = "critical friction μ_c", .range = report::Range{0., 6.}};
  panel.series = {curve, least};
  panel.marks = {{.at = 4. / 3., .label = "4/3", .across = true},
                 {.at = 5. / 3., .label = "5/3", .across = true},
                 {.at = angle_of_least(), .label = "63.435 deg"}};
  panel.texts = {{.x = 22., .y = 0.6, .text = "all three impact states"},
                 {.x = 42., .y = 4.2, .text = "no forward slip"}};
  return {.heading = "Critical friction of a uniform bar (Payr & Glocker, Fig. 6)",
          .subheading = "above the curve forward slip cannot be reached",
          .panels = {panel}};
}

Table least_critical_friction_table() {
  return {.caption = "The least critical friction of a uniform bar",
          .columns = {"quantity", "value"},
          .rows = {{{given("angle φ [deg]"), compared(angle_of_least(), "63.435")}},
                   {{given("μ_c there (printed as 4/3)"), ours(critical(angle_of_least()))}}}};
}

}  // namespace

Part figure_6() {
  const double angle = angle_of_least();
  const double least = critical(angle);
  const auto line = [](double mu, double at) {
    return regime_boundaries(bar(uniform_bar, at), surface(1., 1., mu)).forward;
  };
  const double near = 4. / 3. * (1. - 1e-6);
  const auto at_least = line(near, angle);
  const auto beside = line(4. / 3., angle + 1.);
  const Band band = supercritical_angles(uniform_bar, 4. / 3. * (1. + 1e-6));
  int below = 0;
  for (double a = 0.5; a < 90.; a += 0.5) below += line(near, a) ? 1 : 0;
  return {
      .id = "Fig. 6",
      .title = "Critical friction over the angle",
      .text =
          "μ_c = α/δ, above which forward slip cannot be reached at any ratio. The angle of its "
          "minimum was found by search; 63.435 deg is printed with three decimals.",
      .tables = {least_critical_friction_table()},
      .statements =
          {said("the minimum is 4/3", std::abs(least - 4. / 3.) < 1e-9,
                fmt::format("{:.12f}", least)),
           said("below it forward slip is possible at all angles", below == 179,
                fmt::format("μ = 4/3 − 1.3·10⁻⁶: {} of 179 angles", below)),
           said("at it, forward slip at that angle needs a ratio that goes to −∞, and a finite one "
                "at others",
                at_least && *at_least < -1e5 && beside && *beside > -1e5,
                fmt::format("r_f at 63.435 deg is {:.3g} a millionth below 4/3; one degree beside "
                            "it, at 4/3 itself, {:.1f}",
                            at_least.value_or(0.), beside.value_or(0.))),
           said("with more friction the band of angles without forward slip grows from that angle",
                band.from_deg < angle && band.to_deg > angle && band.to_deg - band.from_deg < 0.2,
                fmt::format("a millionth above 4/3 it goes from {:.3f} to {:.3f} deg",
                            band.from_deg, band.to_deg))},
      .pictures = {chart_picture("payr-glocker-6",
                                 "The friction above which forward slip is out of reach, over the "
                                 "angle of the bar: least, "
                                 "4/3, at 63.435 deg. 5/3 is the friction of Figs 5 and 8.",
                                 chart_of_critical_friction)}};
}

}  // namespace carom::papers::pg
