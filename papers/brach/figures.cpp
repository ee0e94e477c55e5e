// SPDX-License-Identifier: Apache-2.0
// Figs 4 and 5 of [Brach 1998]: energy that remains over the moment coefficient, and the impulse
// ratio over the angle of incidence.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include <carom/laws/darboux_keller.hpp>
#include <carom/laws/spatial_brach.hpp>
#include <papers/brach/formulas.hpp>
#include <papers/brach/parts.hpp>
#include <papers/engine/decade.hpp>
#include <papers/engine/largest.hpp>
#include <papers/engine/pictures.hpp>

namespace carom::papers::br {
namespace {

constexpr double close = 1e-12;

// --- Fig. 4 --------------------------------------------------------------------------------------

Statement remaining_energy(Form form) {
  const double error = worst(27, sample_in_plane, [&](const Sample& s) {
    return std::abs(remaining_27(s.sphere, s.e_m, form) - remaining(s.sphere, s.e_m)) /
           std::max(1., remaining(s.sphere, s.e_m));
  });
  const bool printed = form == Form::printed;
  return {
      .says = printed ? "T_R* by (27) as printed"
                      : "T_R* by (27), corrected: the square of v_t + k²ω/a",
      .holds = error < (printed ? 1e-6 : 1e-11),
      .found =
          printed
              ? fmt::format("{} random spheres and moment coefficients: off by up to {:.2g}",
                            trials, error)
              : fmt::format("{} random spheres and moment coefficients: off by less than {:.0e}",
                            trials, decade(error)),
      .known = printed ? "B15" : ""};
}

/// Between no couple and full sticking the energy that remains falls from the bound (28) to zero.
Statement falls_to_zero() {
  double bound = 0.;
  bool falls = true;
  FixedRandom random(28);
  for (int k = 0; k < trials; ++k) {
    const Sphere s = sample_in_plane(random).sphere;
    bound = largest(bound, std::abs(remaining(s, -1.) - bound_28(s, Form::corrected)));
    double last = 2.;
    for (int j = 0; j <= 20; ++j) {
      const double now = remaining(s, -1. + 0.05 * j);
      falls = falls && now < last;
      last = now;
    }
    falls = falls && std::abs(last) < close;
  }
  return {
      .says =
          "As the moment coefficient goes from -1 (free rolling) to 0 (full sticking) the "
          "remaining energy falls from the bound (28), corrected, to zero",
      .holds = falls && bound < close,
      .found = fmt::format("{} random spheres in 20 steps: {}; at -1 equal to the bound to {:.0e}",
                           trials, falls ? "falls in each" : "does not fall in all", decade(bound)),
      .known = {}};
}

/// Beyond 0 the bound is met again at K/(2 + K).
Statement upper_limit() {
  const Sphere s{.mass = 1.,
                 .radius = 1.,
                 .velocity = {.n = -1., .t1 = 1., .t2 = 0.},
                 .spin = {.n = 0., .t1 = 0., .t2 = 0.}};
  double low = 0.;
  double high = 0.35;
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (low + high);
    (remaining(s, middle) > bound_28(s, Form::corrected) ? high : low) = middle;
  }
  return {.says = "The bound (28) limits the moment coefficient (the publication gives no number)",
          .holds = std::abs(high - K / (2. + K)) < 1e-12,
          .found = fmt::format("-1 ≤ e_m ≤ {:.6f}, by halving; K/(2 + K) = 1/6 for a solid sphere. "
                               "The equations are singular at e_m = K = 0.4",
                               high),
          .known = {}};
}

report::Chart remaining_chart() {
  struct Start {
    const char* label;
    double spin;
    const char* colour;
  };
  report::ChartPanel panel{
      .title = {},
      .x = {.label = "moment coefficient e_m", .range = report::Range{-1., 0.3}},
      .y = {.label = "remaining energy T_R*", .range = report::Range{0., 1.}},
      .series = {},
      .marks = {{.at = 0.}, {.at = K / (2. + K)}},
      .spans = {{.from = -1., .to = 0., .colour = "#F0F0F0", .label = "rolls, rotation is damped"}},
      .texts = {{.x = -0.13, .y = 0.8, .text = "full sticking"},
                {.x = 0.12, .y = 0.8, .text = "1/6"}}};
  for (const Start& start :
       {Start{"rolling before, aω = v_t", 1., "#0072B2"}, Start{"no spin before", 0., "#009E73"},
        Start{"back spin, aω = −v_t", -1., "#D55E00"}}) {
    const Sphere s{.mass = 1.,
                   .radius = 1.,
                   .velocity = {.n = -1., .t1 = 1., .t2 = 0.},
                   .spin = {.n = 0., .t1 = 0., .t2 = start.spin}};
    report::Series line{.label = start.label, .colour = start.colour};
    report::Series points{.colour = start.colour};
    points.kind = report::SeriesKind::points;
    points.point = 6;
    points.point_size = 0.8;
    points.width = 1.2;
    for (int k = 0; k <= 130; ++k) {
      const double e_m = -1. + 0.01 * k;
      const double closed = remaining_27(s, e_m, Form::corrected);
      line.x.push_back(e_m);
      line.y.push_back(closed);
      if (k % 10 == 0 && closed <= 1.) {
        points.x.push_back(e_m);
        points.y.push_back(remaining(s, e_m));
      }
    }
    panel.series.push_back(std::move(line));
    panel.series.push_back(std::move(points));
  }
  return {.heading = "Energy that remains after a sphere has struck without rebound",
          .subheading =
              "v_n = −1, v_t = 1 m/s, e_n = 0, μ = μ₀; lines: eq. 27 corrected, circles: brach",
          .panels = {std::move(panel)},
          .columns = 1,
          .panel_width = 560,
          .panel_height = 340};
}

// --- Fig. 5 --------------------------------------------------------------------------------------

constexpr double e_n = 0.79;
constexpr double f = 0.14;

/// A sphere of unit speed without spin, its path at an angle to the surface; 90 deg is normal.
Sphere at_incidence(double angle_deg) {
  const double angle = angle_deg * std::numbers::pi / 180.;
  Sphere s;
  s.velocity = {.n = -std::sin(angle), .t1 = angle_deg == 90. ? 0. : -std::cos(angle), .t2 = 0.};
  return s;
}

double impulse_ratio(double angle_deg, double friction) {
  const Struck o =
      direct(at_incidence(angle_deg), SpatialSurface{.restitution = e_n, .friction = friction});
  return o.impulse.t1 / o.impulse.n;
}

/// Where |mu_0| = f: cot = 7 f (1 + e_n)/2.
double kink_deg() { return std::atan(1. / (3.5 * f * (1. + e_n))) * 180. / std::numbers::pi; }

Statement kink() {
  double low = 1.;
  double high = 89.;
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (low + high);
    (impulse_ratio(middle, f) < f - 1e-14 ? high : low) = middle;
  }
  return {.says =
              "The impulse ratio is f at low angles of incidence, and follows μ_0 above a critical "
              "angle",
          .holds = std::abs(high - kink_deg()) < 1e-9,
          .found = fmt::format(
              "the law leaves f = 0.14 at {:.6f} deg, arccot(7 f (1 + e_n)/2) = {:.6f} deg", high,
              kink_deg()),
          .known = {}};
}

Statement branches() {
  double slides = 0.;
  double rolls = 0.;
  double exact = 0.;
  for (int k = 1; k <= 90; ++k) {
    const auto angle = static_cast<double>(k);
    const double mu = impulse_ratio(angle, f);
    const double mu_0 = 2. / (7. * (1. + e_n) * std::tan(angle * std::numbers::pi / 180.));
    if (angle < kink_deg()) slides = largest(slides, std::abs(mu - f));
    if (angle > kink_deg()) rolls = largest(rolls, std::abs(mu - mu_0));
    const SpatialOutcome o = darboux_keller(
        problem_of(at_incidence(angle), {.restitution = e_n, .friction = f}), Hypothesis::newton);
    exact = largest(exact, std::abs(o.impulse.t1 / o.impulse.n - mu));
  }
  return {.says =
              "Below it slip lasts throughout and μ = f; above it slip ends and μ = μ_0, which is "
              "zero at normal incidence",
          .holds = slides < close && rolls < close && exact < close &&
                   std::abs(impulse_ratio(90., f)) < close,
          .found = fmt::format("90 angles: within {:.0e} and {:.0e}; the exact process of friction "
                               "gives the same to {:.0e}",
                               decade(slides), decade(rolls), decade(exact)),
          .known = {}};
}

report::Chart incidence_chart() {
  report::Series law = report::series_of(report::style_of_law("brach"), "brach, f = 0.14");
  law.dash = "solid";
  law.width = 3.;
  report::Series critical{.label = "μ₀, slip just ends", .colour = "#56B4E9", .dash = "(10,6)"};
  for (int k = 20; k <= 180; ++k) {
    const double angle = 0.5 * k;
    law.x.push_back(angle);
    law.y.push_back(impulse_ratio(angle, f));
    critical.x.push_back(angle);
    critical.y.push_back(impulse_ratio(angle, 10.));
  }
  return {.heading = "Impulse ratio of a sphere over its angle of incidence",
          .subheading = "e_n = 0.79, no spin before; 90° is normal incidence",
          .panels = {{.title = {},
                      .x = {.label = "angle of incidence, from the surface  [deg]",
                            .range = report::Range{0., 90.}},
                      .y = {.label = "impulse ratio P_t/P_n", .range = report::Range{0., 0.3}},
                      .series = {law, critical},
                      .marks = {{.at = kink_deg(), .label = fmt::format("{:.2f}°", kink_deg())}},
                      .spans = {},
                      .texts = {{.x = 25., .y = 0.125, .text = "slides throughout"},
                                {.x = 74., .y = 0.09, .text = "slip ends"}}}},
          .columns = 1,
          .panel_width = 560,
          .panel_height = 320};
}

}  // namespace

Part fig_4() {
  return {.id = "Fig. 4",
          .title = "Energy that remains over the moment coefficient",
          .text =
              "A sphere that does not rebound (e_n = 0) and rolls (μ = μ_0), its rotation damped "
              "by a couple. The figure has no numbers in the text: (27) and (28) are compared with "
              "the system equations.",
          .tables = {},
          .statements = {remaining_energy(Form::corrected), remaining_energy(Form::printed),
                         falls_to_zero(), upper_limit()},
          .pictures = {
              chart_picture("brach-4",
                            "T_R* for three spins before. It vanishes at e_m = 0, where the sphere "
                            "sticks fully; beyond 1/6 more would remain than without a couple.",
                            remaining_chart)}};
}

Part fig_5() {
  return {
      .id = "Fig. 5",
      .title = "The impulse ratio over the angle of incidence",
      .text =
          "Coulomb's rule with e_n = 0.79 and f = 0.14, no spin before. The measured points of the "
          "figure are not in the text and are not compared; what the text says of the curves is.",
      .tables = {},
      .statements = {kink(), branches()},
      .pictures = {chart_picture("brach-5",
                                 "Two branches: f while the sphere slides throughout, μ₀ where "
                                 "slip ends during contact. They meet at the critical angle.",
                                 incidence_chart)}};
}

}  // namespace carom::papers::br
