// SPDX-License-Identifier: Apache-2.0
// Example 2: two spheres, after Groesberg.
#include <cmath>
#include <string>

#include <fmt/format.h>

#include <carom/papers/pictures.hpp>
#include <carom/papers/shen_townsend_cases.hpp>

namespace carom::papers::st {
namespace {

constexpr double radius = 4.;  // [cm], see ST7

PlanarProblem impact() { return problem(spheres(radius), surface(0.8, 0.3, 0.3)); }

/// The state at the end of phase k: 0 compression, 1 slip, 2 the whole.
PlanarPhase phase(std::size_t k) { return solve_by("shen-townsend", impact()).phases[k]; }

/// The printed numbers of one instant: v1, v2, spins, F.
struct Printed {
  const char* v1x;
  const char* v1y;
  const char* v2x;
  const char* v2y;
  const char* w1;
  const char* w2;
  const char* F;
  const char* tau;  ///< may be empty
};

Table::Row state_row(std::string name, const Vec2& impulse, const Printed& p) {
  const Eigen::VectorXd u = velocity_after(spheres(radius), impulse);
  return {{given(std::move(name)), compared(u(0), p.v1x), compared(u(1), p.v1y),
           compared(u(3), p.v2x), compared(u(4), p.v2y), compared(u(2), p.w1), compared(u(5), p.w2),
           compared(impulse.n, p.F), compared(impulse.t, p.tau)}};
}

Table states_table() {
  const Vec2 textbook = solve_by("conventional", impact()).impulse;
  const Printed end{"1.5", "28.555", "13.5", "-2.5742", "-9.391", "1.6089", "13.5", "2.5742"};
  return {.caption =
              "Velocities [cm/s] along (i) and across (j) the line of centres, spins [rad/s], "
              "impulses for 1 kg",
          .columns = {"instant", "v₁ i", "v₁ j", "v₂ i", "v₂ j", "ω₁", "ω₂", "F", "τ"},
          .rows = {state_row("end, conventional", textbook, end),
                   state_row(
                       "slip vanishes, t*", phase(1).impulse,
                       {"6.4194", "28.555", "8.5806", "-2.5742", "-9.391", "1.6089", "8.5806", ""}),
                   state_row("compression ends, t_c", phase(0).impulse,
                             {"7.5", "28.2308", "7.5", "-2.25", "-9.5938", "1.4062", "7.5", ""}),
                   state_row("end, t_s", phase(2).impulse,
                             {"1.5", "28.555", "13.5", "-2.5742", "-9.391", "1.6089", "", ""})}};
}

Table steps_table() {
  const Eigen::VectorXd star = velocity_after(spheres(radius), phase(1).impulse);
  const double rest = phase(2).impulse.n - phase(1).impulse.n;
  const PlanarOutcome o = solve_by("shen-townsend", impact());
  return {.caption = "The steps between",
          .columns = {"quantity", "value"},
          .rows = {{{given("u_n at t*, v₂ − v₁ as in (1) [cm/s]"),
                     compared(star(3) - star(0), "-2.1612", "ST8")}},
                   {{given("case"),
                     compared_word(fmt::format("({})", name(*shen_townsend_case(o))), "(iii)")}},
                   {{given("F_res = (1 + e)F_c − F*"), compared(rest, "4.9194")}},
                   {{given("v₁ i = v₁* − F_res/m [cm/s]"), compared(star(0) - rest, "1.5")}},
                   {{given("v₂ i = v₂* + F_res/m [cm/s]"), compared(star(3) + rest, "13.5")}}}};
}

report::Chart chart_of_spheres() {
  const Configuration c = spheres(radius);
  const PlanarOutcome o = solve_by("shen-townsend", impact());
  const auto curve = [&](std::string label, std::string dash, const auto& quantity) {
    report::Series s = series_of(report::style_of_law("poisson"), std::move(label), 2.5);
    s.dash = std::move(dash);
    s.x.push_back(0.);
    s.y.push_back(quantity(c.velocity, impact().approach));
    for (const PlanarPhase& phase : o.phases) {
      s.x.push_back(phase.impulse.n);
      s.y.push_back(quantity(velocity_after(c, phase.impulse), phase.velocity));
    }
    return s;
  };
  const auto panel = [&](std::string title, std::string y) {
    report::ChartPanel p;
    p.title = std::move(title);
    p.x.label = "normal impulse F  [kg cm/s]";
    p.y.label = std::move(y);
    p.marks = {{.at = o.phases[0].impulse.n, .label = "compression ends"},
               {.at = o.phases[1].impulse.n, .label = "slip vanishes", .colour = "#D55E00"}};
    return p;
  };
  report::ChartPanel contact = panel("(a) at the contact", "velocity  [cm/s]");
  contact.series = {curve("slip uₜ", "solid", [](const auto&, const Vec2& v) { return v.t; }),
                    curve("normal uₙ", "(8,4)", [](const auto&, const Vec2& v) { return v.n; })};
  report::ChartPanel spins = panel("(b) spins", "spin  [rad/s]");
  for (report::ChartMark& mark : spins.marks) mark.label.clear();  // they would lie on a curve
  spins.series = {
      curve("first ω₁", "solid", [](const Eigen::VectorXd& u, const Vec2&) { return u(2); }),
      curve("second ω₂", "(8,4)", [](const Eigen::VectorXd& u, const Vec2&) { return u(5); })};
  return {.heading = "Two spheres (Shen & Townsend, Example 2)",
          .subheading = "radius 4 cm, e = 0.8, μ = 0.3; shen-townsend",
          .panels = {contact, spins},
          .columns = 2,
          .panel_width = 420,
          .panel_height = 300};
}

}  // namespace

Part example_2() {
  const PlanarOutcome o = solve_by("shen-townsend", impact());
  const PlanarOutcome textbook = solve_by("conventional", impact());
  const double apart = difference(impact(), o.velocity, textbook.velocity);
  const double tangential = o.phases[2].impulse.t - o.phases[1].impulse.t;
  const double as_printed = 8.5806 - 4.9194;
  return {
      .id = "Example 2",
      .title = "Two spheres",
      .text =
          "One sphere at rest, the other at 30 cm/s and 60 deg from the line of centres with a "
          "spin of −11 rad/s; e = 0.8, μ = 0.3. Radius 4 cm, which the numbers need (the text "
          "says diameter). `shen-townsend` instant by instant, and `conventional`.",
      .tables = {states_table(), steps_table()},
      .statements = {said("after slip vanishes no tangential impulse acts: it sticks",
                          o.phases[2].motion == Motion::stick && std::abs(tangential) < 1e-12,
                          fmt::format("mode: {}; τ afterwards {:.0e}", describe(o.mode),
                                      tangential)),
                     said("both methods give the same", apart < 1e-12,
                          fmt::format("velocities differ by {:.0e}, relative", apart)),
                     said("8.5806 − 4.9194 = 13.5", std::abs(as_printed - 13.5) < 1e-3,
                          fmt::format("it is {:.4f}; with a plus 13.5", as_printed), "ST8")},
      .pictures = {chart_picture(
          "shen-townsend-spheres",
          "Two spheres: slip, normal velocity and spins over the normal impulse. Slip vanishes in "
          "restitution, and from there on spins stay as they are.",
          chart_of_spheres)}};
}

}  // namespace carom::papers::st
