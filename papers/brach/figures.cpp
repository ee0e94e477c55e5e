// SPDX-License-Identifier: Apache-2.0
// Eqs 26 to 28, Figs 4 and 5: energy that remains over the moment coefficient, and the impulse
// ratio over the angle of incidence.
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include <carom/laws/darboux_keller.hpp>
#include <carom/mechanics/planar_bodies.hpp>
#include <papers/brach/sphere.hpp>

namespace carom::papers::br {
namespace {

/// Where `below` ends, by halving.
template <class Below>
double end_of(double low, double high, const Below& below) {
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (low + high);
    (below(middle) ? low : high) = middle;
  }
  return high;
}

// --- Fig. 4: e_n = 0, slip ends ------------------------------------------------------------------

/// The fraction of energy that remains, by the system equations.
double remaining(Sphere s, double e_m) {
  s.e_n = 0.;
  s.e_m = e_m;
  return 1. - rolled(s).loss / s.energy();
}

/// The same by eq. 27, T_R* = e_m^2/(K - e_m)^2 (v_t + k^2 w/a)^2 (1 + K)/(v_n^2 + v_t^2 + k^2
/// w^2); printed without the square of the bracket.
double remaining_27(const Sphere& s, double e_m, Form form) {
  const double rolling = s.velocity.t1 + s.k2() * s.spin.t2 / s.radius;
  const double squared = form == Form::printed ? rolling : rolling * rolling;
  return std::pow(e_m / (K - e_m), 2) * squared * (1. + K) * 0.5 * s.mass / s.energy();
}

/// Its bound, eq. 28.
double bound(const Sphere& s) { return remaining_27(s, -1., Form::corrected); }

double remaining_off(const Sphere& s, Form form) {
  const double solved = remaining(s, s.e_m);
  return std::abs(remaining_27(s, s.e_m, form) - solved) / std::max(1., solved);
}

/// Eq. 26: with e_m = 0 nothing remains.
double full_sticking_off(const Sphere& s, Form) { return std::abs(remaining(s, 0.)); }

/// Between no couple and full sticking the energy that remains falls from the bound to zero.
Found falls_to_zero() {
  bool falls = true;
  const double apart = worst(28, in_plane, [&](const Sphere& s) {
    double last = 2.;
    for (int j = 0; j <= 20; ++j) {
      const double now = remaining(s, -1. + 0.05 * j);
      falls = falls && now < last;
      last = now;
    }
    falls = falls && std::abs(last) < close;
    return std::abs(remaining(s, -1.) - bound(s));
  });
  return rounding({{"apart", apart}}, falls, {{"which", falls ? "each" : "not all"}});
}

constexpr double greatest_e_m = K / (2. + K);

/// Beyond 0 the bound is met again at K/(2 + K).
Found upper_limit() {
  const Sphere s = skidding(0.);
  const double limit = end_of(0., 0.35, [&](double e_m) { return remaining(s, e_m) <= bound(s); });
  return {std::abs(limit - greatest_e_m) < close, {{"limit", limit}}};
}

Chart chart_of_remaining() {
  ChartPanel panel{
      .x = {.label = "moment coefficient e_m", .range = Range{-1., 0.3}},
      .y = {.label = "remaining energy T_R*", .range = Range{0., 1.}},
      .marks = {{.at = 0.}, {.at = greatest_e_m}},
      .spans = {{.from = -1., .to = 0., .colour = "#F0F0F0", .label = "rolls, rotation is damped"}},
      .texts = {{.x = -0.13, .y = 0.8, .text = "full sticking"},
                {.x = 0.12, .y = 0.8, .text = "1/6"}}};
  const auto add = [&](const char* label, const char* colour, double spin) {
    const Sphere s = skidding(spin);
    panel.series.push_back(
        curve({.label = label, .colour = colour}, -1., 0.3, 130,
              [&](double e_m) { return remaining_27(s, e_m, Form::corrected); }));
    panel.series.push_back(curve({.colour = colour,
                                  .width = 1.2,
                                  .marker = Marker::circle,
                                  .marker_size = 0.8,
                                  .kind = SeriesKind::points},
                                 -1., 0.3, 13, [&](double e_m) { return remaining(s, e_m); }));
  };
  add("rolling before, aω = v_t", "#0072B2", 1.);
  add("no spin before", "#009E73", 0.);
  add("back spin, aω = −v_t", "#D55E00", -1.);
  return {.heading = "Energy that remains after a sphere has struck without rebound",
          .subheading =
              "v_n = −1, v_t = 1 m/s, e_n = 0, μ = μ₀; lines: eq. 27 corrected, circles: brach",
          .panels = {std::move(panel)},
          .panel_width = 560,
          .panel_height = 340};
}

// --- Fig. 5 --------------------------------------------------------------------------------------

constexpr Surface fig_5{.restitution = 0.79, .friction = 0.14};

/// A sphere of unit speed without spin, its path at an angle to the surface; 90 deg is normal.
Sphere at_incidence(double angle_deg) {
  const double from_normal = (90. - angle_deg) * degree;
  return {.velocity = {.n = -std::cos(from_normal), .t1 = -std::sin(from_normal)}};
}

double ratio_at(double angle_deg, const Surface& surface = fig_5) {
  return struck(at_incidence(angle_deg), surface).ratio()[0];
}

/// The ratio that ends slip: mu_0 = 2 cot/(7 (1 + e_n)).
double critical_at(double angle_deg) {
  return 2. / (7. * (1. + fig_5.restitution) * std::tan(angle_deg * degree));
}

/// Where it is f: cot = 7 f (1 + e_n)/2.
double kink_deg() {
  return std::atan(1. / (3.5 * fig_5.friction * (1. + fig_5.restitution))) / degree;
}

Found kink() {
  const double angle =
      end_of(1., 89., [](double deg) { return ratio_at(deg) >= fig_5.friction - 1e-14; });
  return {std::abs(angle - kink_deg()) < 1e-9, {{"law", angle}, {"formula", kink_deg()}}};
}

Found branches() {
  double slides = 0.;
  double ends = 0.;
  double exact = 0.;
  constexpr int angles = 90;
  for (int deg = 1; deg <= angles; ++deg) {
    const double mu = ratio_at(deg);
    const bool low = deg < kink_deg();
    double& branch = low ? slides : ends;
    branch = largest(branch, std::abs(mu - (low ? fig_5.friction : critical_at(deg))));
    const Vec3 P = darboux_keller(problem_of(at_incidence(deg), fig_5), Hypothesis::newton).impulse;
    exact = largest(exact, std::abs(P.t1 / P.n - mu));
  }
  return rounding({{"slides", slides}, {"ends", ends}, {"exact", exact}},
                  std::abs(ratio_at(90.)) < close, {{"angles", angles}});
}

Chart chart_of_incidence() {
  Series law = series_of("brach", "brach, f = 0.14");
  law.dash = Dash{};
  law.width = 3.;
  const Surface rough{.restitution = fig_5.restitution, .friction = 10.};
  return {
      .heading = "Impulse ratio of a sphere over its angle of incidence",
      .subheading = "e_n = 0.79, no spin before; 90° is normal incidence",
      .panels =
          {{.x = {.label = "angle of incidence, from the surface  [deg]", .range = Range{0., 90.}},
            .y = {.label = "impulse ratio P_t/P_n", .range = Range{0., 0.3}},
            .series =
                {curve(law, 10., 90., 160, [](double deg) { return ratio_at(deg); }),
                 curve({.label = "μ₀, slip just ends", .colour = "#56B4E9", .dash = {{10., 6.}}},
                       10., 90., 160, [&](double deg) { return ratio_at(deg, rough); })},
            .marks = {{.at = kink_deg(), .label = fmt::format("{:.2f}°", kink_deg())}},
            .texts = {{.x = 25., .y = 0.125, .text = "slides throughout"},
                      {.x = 74., .y = 0.09, .text = "slip ends"}}}},
      .panel_width = 560,
      .panel_height = 320};
}

}  // namespace

Computations figures() {
  return {
      .checks = {{"eq-26", agrees(26, in_plane, full_sticking_off)},
                 {"eq-27", agrees(27, in_plane, remaining_off)},
                 {"eq-27-printed", agrees(27, in_plane, remaining_off, Form::printed)},
                 {"falls-to-zero", falls_to_zero},
                 {"upper-limit", upper_limit},
                 {"kink", kink},
                 {"branches", branches},
                 {"B15", misprint(15, in_plane, remaining_off)},
                 {"B16", misprint(16, without_couple, remaining_off)}},
      .pictures = {{"brach-4", chart(chart_of_remaining)}, {"brach-5", chart(chart_of_incidence)}}};
}

}  // namespace carom::papers::br
