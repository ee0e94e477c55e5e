// SPDX-License-Identifier: Apache-2.0
// Example 1: the double pendulum of Kane & Levinson, Tables 1 to 4 and the friction that holds it.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <carom/mechanics/planar_bodies.hpp>
#include <papers/engine/largest.hpp>
#include <papers/shen-townsend/cases.hpp>

namespace carom::papers::st {
namespace {

// --- Equations of motion -------------------------------------------------------------------------

Found coefficients() {
  const Configuration c = pendulum();
  const double m = 3.;
  const double l = 2.;
  const double D2 = m * l * l / 3.;
  const double C2 = 0.5 * m * l * l * std::cos(10. * degree);
  Eigen::Matrix2d M;
  M << 4. * D2, C2, C2, D2;
  Eigen::Matrix2d W;
  W << l * std::sin(20. * degree), l * std::cos(20. * degree), l * std::sin(30. * degree),
      l * std::cos(30. * degree);
  const double worst =
      std::max((c.mass - M).cwiseAbs().maxCoeff(), (c.directions - W).cwiseAbs().maxCoeff());
  const ContactSpace x = contact_space(c);
  return {worst < 1e-12,
          {{"worst", worst},
           {"v_n", x.approach.n},
           {"v_t", x.approach.t},
           {"G_nn", x.G.nn},
           {"G_nt", x.G.nt},
           {"G_tt", x.G.tt}}};
}

/// Table 3 with the second angle and rate counted from the vertical, or from the first rod.
Found absolute_angles() {
  int fits[] = {0, 0};
  std::string energies[2];
  for (const Row& row : example_1_rows()) {
    for (const bool relative : {false, true}) {
      const double lost =
          -process(problem(pendulum(relative), example_1(row).surface)).energy.change;
      std::string& list = energies[relative ? 1 : 0];
      list += fmt::format("{}{:.4f}", list.empty() ? "" : ", ", lost);
      if (std::abs(lost - row.number("energy [J]")) < 0.005) ++fits[relative ? 1 : 0];
    }
  }
  return {fits[0] == 4 && fits[1] == 0, {{"absolute", energies[0]}, {"relative", energies[1]}}};
}

// --- Tables 1 and 2 ------------------------------------------------------------------------------

Computed conventional_row(const char* law, const Row& row) {
  const PlanarOutcome o = solve_by(law, example_1(row));
  return {{"slipping", yes_or_no(o.mode == Mode::slip)},
          {"energy [J]", std::abs(o.energy.change)},
          {"change", direction(o.energy.change)}};
}

/// Whether the law creates energy in the rows that the table says, and what it does in each.
Found gains(const char* law, const char* table) {
  bool as_printed = true;
  std::string list;
  for (const Row& row : printed_rows(table)) {
    const double change = solve_by(law, example_1(row)).energy.change;
    as_printed = as_printed && direction(change) == row.text("change");
    list += fmt::format("{}{:+.4f}", list.empty() ? "" : ", ", change);
  }
  return {as_printed, {{"changes", list}}};
}

/// Friction with its sign turned: what gave the printed Table 1 [Sec. 6.1].
Found friction_along_the_slip() {
  double worst = 0.;
  for (const Row& row : printed_rows("shen-townsend/table-1")) {
    if (row.text("slipping") == "No") continue;
    const PlanarProblem p = example_1(row);
    const double ratio = (p.approach.t > 0. ? 1. : -1.) * p.surface.friction;
    const double normal = -(1. + p.surface.restitution) * p.approach.n / (p.G.nn + ratio * p.G.nt);
    const Vec2 v = p.approach + p.G * Vec2{.n = normal, .t = ratio * normal};
    worst = largest(worst, difference(p, v, solve_by("conventional:rebound", p).velocity));
  }
  return {worst < 1e-12, {{"worst", worst}}};
}

Found never_the_process() {
  double least = 1e9;
  for (const Row& row : example_1_rows()) {
    least = std::min(least, apart(example_1(row), "conventional:rebound", "shen-townsend"));
  }
  return {least > 1e-3, {{"least", least}}};
}

// --- Tables 3 and 4 ------------------------------------------------------------------------------

Computed table_3(const Row& row) {
  const PlanarProblem p = example_1(row);
  const PlanarOutcome o = process(p);
  return {{"slipping", yes_or_no(!ends_in_stick(o))},
          {"u_t reverses", yes_or_no(slip_reverses(p, o))},
          {"energy [J]", std::abs(o.energy.change)},
          {"change", direction(o.energy.change)},
          {"case", case_of(o)},
          {"energetic [J]", solve_by("energetic", p).energy.change},
          {"newton [J]", solve_by("newton", p).energy.change}};
}

Found keller() {
  double worst = 0.;
  for (const Row& row : example_1_rows()) {
    worst = largest(worst, apart_from_kinetic_alone(example_1(row)));
  }
  return {worst > 1e-6, {{"worst", worst}}};
}

Computed table_4(const Row& row) {
  const PlanarProblem p = example_1(row);
  const PlanarOutcome o = process(p);
  return {{"F* [N s]", procedure(p)->F_star},
          {"(1 + e)F_c [N s]", o.impulse.n},
          {"u_t reverses", yes_or_no(slip_reverses(p, o))},
          {"energy [J]", std::abs(o.energy.change)},
          {"change", direction(o.energy.change)},
          {"case", case_of(o)}};
}

Found conventional_agrees() {
  double worst = 0.;
  for (const Row& row : printed_rows("shen-townsend/table-4")) {
    worst = largest(worst, apart(example_1(row), "shen-townsend", "conventional"));
  }
  return {worst < 1e-12, {{"worst", worst}}};
}

Found sliding_without_friction() {
  const PlanarProblem p = example_1(printed_rows("shen-townsend/table-4")[0]);
  const PlanarOutcome o = process(p);
  const Vec2 slid = p.approach + p.G * Vec2{.n = o.impulse.n, .t = 0.};
  const double by = difference(p, o.velocity, slid);
  return {by > 1e-9, {{"apart", by}}};
}

// --- Section 6.1: 0.6234, and a pendulum that sticks ---------------------------------------------

/// |tau_res/F_res| by the formula of Section 6.1.
double needed_by_formula() {
  const Eigen::MatrixXd M = pendulum().mass;
  const double c1 = std::cos(20. * degree);
  const double c2 = std::cos(30. * degree);
  const double gamma = (M(0, 0) * c2 - M(0, 1) * c1) / (M(1, 0) * c2 - M(1, 1) * c1);
  return std::abs((gamma * std::sin(30. * degree) - std::sin(20. * degree)) / (gamma * c2 - c1));
}

/// The static friction from which on the law lets the pendulum stick.
double needed_by_law(double e, double mu) {
  double slips = mu;
  double sticks = 2.;
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (slips + sticks);
    (ends_in_stick(process(example_1(e, middle, mu))) ? sticks : slips) = middle;
  }
  return sticks;
}

std::vector<Computed> threshold() {
  return {{{"|τ_res/F_res|", needed_by_formula()}}, {{"|τ_res/F_res|", needed_by_law(0.7, 0.5)}}};
}

Found structure_alone() {
  double least = 1e9;
  double most = 0.;
  for (const double e : {0.5, 0.7, 1.}) {
    for (const double mu : {0.2, 0.4, 0.5}) {
      const double x = needed_by_law(e, mu);
      least = std::min(least, x);
      most = largest(most, x);
    }
  }
  return {most - least < 1e-9, {{"least", least}, {"most", most}}};
}

/// A single pendulum needs the tangent of its angle.
Found tangent_of_angle() {
  double worst = 0.;
  bool switches = true;
  for (const double angle : {10., 30., 45., 60.}) {
    const Configuration c = single_pendulum(angle);
    const Sym2 G = contact_space(c).G;
    const double tangent = std::tan(angle * degree);
    worst = largest(worst, std::abs(std::abs(G.nt) / G.tt / tangent - 1.));
    const auto rebounds = [&](double mu) {
      return process(problem(c, surface(0.5, mu, mu))).velocity.n > 1e-6;
    };
    switches = switches && rebounds(0.99 * tangent) && !rebounds(1.01 * tangent);
  }
  return {worst < 1e-12 && switches, {{"worst", worst}}};
}

Computed sticking(const Row& row) {
  const PlanarOutcome o = solve_by(row.text("law").c_str(), example_1(0.7, 0.63, 0.5));
  const bool sticks = o.mode == Mode::stick || ends_in_stick(o);  // a rule has no phases
  return {{"ends in", sticks ? "stick" : "slip"},
          {"energy [J]", std::abs(o.energy.change)},
          {"change", direction(o.energy.change)}};
}

}  // namespace

Computations pendulums() {
  constexpr const char* rebound = "conventional:rebound";
  return {
      .checks = {{"coefficients", coefficients},
                 {"absolute-angles", absolute_angles},
                 {"two-rows-gain", [] { return gains(rebound, "shen-townsend/table-1"); }},
                 {"friction-along-the-slip", friction_along_the_slip},
                 {"never-the-process", never_the_process},
                 {"second-row-gains",
                  [] { return gains("conventional", "shen-townsend/table-2"); }},
                 {"keller", keller},
                 {"structure-alone", structure_alone},
                 {"single-pendulum", tangent_of_angle},
                 {"conventional-agrees", conventional_agrees},
                 {"sliding-without-friction", sliding_without_friction}},
      .tables = {{"table-1", [](const Row& row) { return conventional_row(rebound, row); }},
                 {"table-2", [](const Row& row) { return conventional_row("conventional", row); }},
                 {"table-3", table_3},
                 {"table-4", table_4},
                 {"threshold", threshold},
                 {"sticking", sticking}}};
}

}  // namespace carom::papers::st
