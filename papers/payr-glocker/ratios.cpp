// SPDX-License-Identifier: Apache-2.0
// Section 5, Figs 9 and 10: the ratio of velocities after the impact; Section 6: Painlevé.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <carom/complementarity/planar_friction.hpp>
#include <carom/impact/regimes.hpp>
#include <carom/laws/catalogue.hpp>
#include <papers/engine/embedded.hpp>
#include <papers/engine/largest.hpp>
#include <papers/engine/pictures.hpp>
#include <papers/payr-glocker/cases.hpp>

namespace carom::papers::pg {
namespace {

const Surface& fig9() {
  static const Surface s = surface(1., 1., below_critical);
  return s;
}

double after(double angle, double r) {
  return ratio_after(moreau(at_ratio(bar(uniform_bar, angle), fig9(), r)));
}

// --- Fig. 9 --------------------------------------------------------------------------------------

report::Series curve(double angle, std::string label, std::string dash) {
  report::Series s = series_of(report::style_of_law("moreau"), std::move(label));
  s.dash = std::move(dash);
  for (double r = -6.; r <= 6.0001; r += 0.05) {
    s.x.push_back(r);
    s.y.push_back(after(angle, r));
  }
  return s;
}

report::Chart chart_of_ratios() {
  report::ChartPanel panel;
  panel.x = {.label = "ratio before, vₜ⁻/vₙ⁻", .range = report::Range{-6., 6.}};
  panel.y = {.label = "ratio after, vₜ⁺/vₙ⁺", .range = report::Range{-6., 8.}};
  panel.series = {curve(90., "moreau, φ = 90 deg", "solid"),
                  curve(45., "moreau, φ = 45 deg", "(10,6)")};
  panel.spans = {{.from = -6., .to = -4., .colour = "#FFFFFF", .label = "forward slip"},
                 {.from = -4., .to = -2., .colour = "#EDEDED", .label = "reversed"},
                 {.from = -2., .to = 2., .colour = "#D9E7F5", .label = "stick, reversed"},
                 {.from = 2., .to = 4., .colour = "#EDEDED", .label = "reversed"},
                 {.from = 4., .to = 6., .colour = "#FFFFFF", .label = "backward slip"}};
  return {.heading = "Ratio of velocities after the impact (Payr & Glocker, Fig. 9)",
          .subheading = "uniform bar, ε_N = ε_T = 1, μ = 1/2; the shaded regions belong to 90 deg",
          .panels = {panel}};
}

Table table_of_ratios() {
  Table t{.caption = "γ_T⁺/γ_N⁺ under `moreau` (none of these numbers is printed)",
          .columns = {"γ_T⁻/γ_N⁻", "φ = 90 deg", "φ = 45 deg"},
          .rows = {}};
  for (const double r : {-4., -1., 0., 0.5, 1., 3.}) {
    t.rows.push_back({{given(fmt::format("{:g}", r)), ours(after(90., r)), ours(after(45., r))}});
  }
  return t;
}

/// The greatest difference quotient in r over all angles.
double steepest_in_ratio(double step) {
  double steepest = 0.;
  for (double angle = 1.; angle < 179.5; angle += 1.) {
    for (double r = -4.; r < 4.; r += step) {
      steepest = largest(steepest, std::abs(after(angle, r + step) - after(angle, r)) / step);
    }
  }
  return steepest;
}

/// The greatest step between neighbours over all ratios.
double greatest_step_in_angle(double step) {
  double greatest = 0.;
  for (double r = -4.; r < 4.01; r += 0.1) {
    double last = after(1., r);
    for (double angle = 1. + step; angle < 179.0001; angle += step) {
      const double next = after(angle, r);
      greatest = largest(greatest, std::abs(next - last));
      last = next;
    }
  }
  return greatest;
}

// --- Section 6 -----------------------------------------------------------------------------------

constexpr double steep = 63.434948822922010;  // [deg] tan = 2: the angle of least critical friction

/// Grazing slip along +t or -t: the limit v_n -> 0-.
PlanarOutcome grazing(double angle, double mu, double v_t, double eps_t = 1.) {
  return moreau({.G = bar(uniform_bar, angle),
                 .approach = {.n = 0., .t = v_t},
                 .surface = surface(1., eps_t, mu)});
}

bool nothing_happens(const PlanarOutcome& o, double v_t) {
  return o.impulse == Vec2{} && o.velocity.n == 0. && o.velocity.t == v_t;
}

/// How much an approach of 1e-9 m/s does to a slip of 1 m/s.
double effect_of_a_gentle_touch(double angle, double mu, double v_t) {
  const PlanarOutcome o = moreau({.G = bar(uniform_bar, angle),
                                  .approach = {.n = -1e-9, .t = v_t},
                                  .surface = surface(1., 1., mu)});
  return std::abs(o.velocity.t - v_t) + std::abs(o.impulse.n);
}

Statement nothing_below_critical() {
  int silent = 0;
  int tried = 0;
  double worst = 0.;
  for (double angle = 1.; angle < 179.5; angle += 1.) {
    for (const double v_t : {1., -1.}) {
      ++tried;
      if (nothing_happens(grazing(angle, below_critical, v_t), v_t)) ++silent;
      worst = largest(worst, effect_of_a_gentle_touch(angle, below_critical, v_t));
    }
  }
  return said("below critical friction a grazing contact gets no impulse, at any angle",
              silent == tried && worst < 1e-6,
              fmt::format("none in {} of {} cases with γ_N⁻ = 0; with γ_N⁻ = −10⁻⁹ m/s slip "
                          "changes by at most {:.1e} of itself",
                          silent, tried, worst));
}

Statement painleve_needs_four_thirds() {
  const auto jams_somewhere = [](double mu) {
    for (double angle = 0.25; angle < 90.; angle += 0.25) {
      if (painleve_test(bar(uniform_bar, angle), mu, 1.).jams) return true;
    }
    return painleve_test(bar(uniform_bar, steep), mu, 1.).jams;
  };
  const double mu = threshold(0.1, 5., jams_somewhere);
  return said("4/3 is the least friction for Painlevé's paradox", std::abs(mu - 4. / 3.) < 1e-9,
              fmt::format("the contact can jam from μ = {:.10f} on", mu));
}

Statement impact_without_collision() {
  const PlanarOutcome o = grazing(steep, above_critical, 1.);
  return said(
      "above it, in the band, slip that tends to the ratio −∞ sticks: an impulse, although "
      "nothing collides; the normal velocity stays 0 and slip is inverted",
      o.mode == Mode::stick && o.impulse.n > 0. && o.velocity.n == 0. &&
          std::abs(o.velocity.t + 1.) < 1e-12,
      fmt::format("63.435 deg, μ = 5/3, γ⁻ = (0, 1): Λ = ({:.4f}, {:.4f}) N s for 1 kg, γ⁺ "
                  "= ({:g}, {:g}) m/s",
                  o.impulse.n, o.impulse.t, o.velocity.n + 0., o.velocity.t));
}

Statement other_direction_slides_on() {
  const PlanarOutcome o = grazing(steep, above_critical, -1.);
  const PlanarOutcome mirrored = grazing(180. - steep, above_critical, -1.);
  return said(
      "the other direction slides on unchanged, and the upper band is the mirror image",
      nothing_happens(o, -1.) && mirrored.mode == Mode::stick && mirrored.impulse.n > 0. &&
          std::abs(mirrored.velocity.t - 1.) < 1e-12,
      fmt::format("γ⁻ = (0, −1): Λ = ({:g}, {:g}); at 116.565 deg the same approach gives Λ "
                  "= ({:.4f}, {:.4f})",
                  o.impulse.n, o.impulse.t, mirrored.impulse.n, mirrored.impulse.t));
}

/// Solutions of the complementarity problem of a bar, distinct by velocity.
std::size_t solutions(double angle, double v_n, double v_t) {
  const Vec2 b{.n = 2. * v_n, .t = 2. * v_t};
  return complementarity::enumerate_planar_friction(bar(uniform_bar, angle), b, above_critical)
      .size();
}

Table other_laws_table() {
  Table t{.caption =
              "What other laws say of the same grazing contact: 63.435 deg, μ = 5/3, e = 1/2, "
              "γ⁻ = (0, 1) m/s, 1 kg (not in print)",
          .columns = {"law", "Λ_N [N s]", "Λ_T [N s]", "γ_N⁺ [m/s]", "γ_T⁺ [m/s]"},
          .rows = {}};
  const PlanarProblem p{.G = bar(uniform_bar, steep),
                        .approach = {.n = 0., .t = 1.},
                        .surface = surface(0.5, 0., above_critical)};
  for (const char* law : {"moreau", "newton", "poisson", "energetic"}) {
    const PlanarOutcome o = solve(find_law(law)->law, p);
    t.rows.push_back({{given(law), ours(o.impulse.n), ours(o.impulse.t), ours(o.velocity.n),
                       ours(o.velocity.t)}});
  }
  return t;
}

}  // namespace

Part figure_9() {
  const double steepest = steepest_in_ratio(0.01);
  const auto lines = regime_boundaries(bar(uniform_bar, 90.), fig9());
  const double zero =
      threshold(2.5, 6., [](double r) { return after(90., r) > 0.; });  // eq. 48 vanishes
  return {.id = "Fig. 9",
          .title = "The ratio of velocities after the impact over the ratio before",
          .text =
              "`moreau` on a uniform bar at 90 and at 45 deg, ε_N = ε_T = 1, μ = 1/2. The "
              "figure is compared with what the text says of it and with its regions at 90 "
              "deg.",
          .tables = {table_of_ratios()},
          .statements =
              {said("the ratio after is a continuous function of the ratio before, at every angle",
                    steepest < 1. + 1e-9,
                    fmt::format("at 179 angles its difference quotient over steps of 0.01 is at "
                                "most {:.6f}, so it has no jumps",
                                steepest)),
               said("at 90 deg stick, slip that reverses and slip that does not follow one another",
                    lines.backward && zero > *lines.backward &&
                        moreau(at_ratio(bar(uniform_bar, 90.), fig9(), 1.999)).mode == Mode::stick,
                    fmt::format("stick below |r| = {:.4f}, reversed slip up to {:.4f}, then slip "
                                "that keeps its direction",
                                lines.backward.value_or(0.), zero))},
          .pictures = {chart_picture(
              "payr-glocker-9",
              "The ratio of velocities after the impact over that before, at two angles. Where the "
              "curve is in the first or third quadrant slip has reversed.",
              chart_of_ratios)}};
}

Part figure_10() {
  const double coarse = greatest_step_in_angle(0.5);
  const double fine = greatest_step_in_angle(0.25);
  return {
      .id = "Fig. 10",
      .title = "The same for all angles",
      .text = "The surface of which Fig. 9 shows two sections. No numbers are printed.",
      .tables = {},
      .statements = {said("the ratio after is continuous in both the ratio before and the angle",
                          steepest_in_ratio(0.05) < 1. + 1e-9 && fine < 0.55 * coarse,
                          fmt::format("greatest step between neighbouring angles: {:.4f} at "
                                      "0.5 deg, {:.4f} at 0.25 deg; it halves with the grid",
                                      coarse, fine))},
      .pictures = {map_picture("payr-glocker-10",
                               "The ratio of velocities after the impact over ratio before and "
                               "angle: three sheets that meet without a step.",
                               example("maps/payr-glocker-10"))}};
}

Part painleve() {
  const PlanarOutcome o = grazing(steep, above_critical, 1.);
  return {
      .id = "Section 6",
      .title = "Painlevé: an impact without collision",
      .text = "`moreau` at γ_N⁻ = 0, as the limit of ever gentler touches.",
      .tables = {other_laws_table()},
      .statements =
          {painleve_needs_four_thirds(), nothing_below_critical(), impact_without_collision(),
           other_direction_slides_on(),
           said("both impulses of that impact are positive", o.impulse.n > 0. && o.impulse.t > 0.,
                fmt::format("Λ = ({:.4f}, {:.4f})", o.impulse.n, o.impulse.t), "PG3"),
           said("the law gives a unique velocity for every admissible approach (Section 8)",
                solutions(steep, -1e-3, 1.) == 1 && solutions(steep, 0., 1.) == 1,
                fmt::format("{} solution with γ_N⁻ = −0.001, {} with γ_N⁻ = 0",
                            solutions(steep, -1e-3, 1.), solutions(steep, 0., 1.)),
                "PG4")},
      .pictures = {}};
}

}  // namespace carom::papers::pg
