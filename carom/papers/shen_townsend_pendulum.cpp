// SPDX-License-Identifier: Apache-2.0
// Example 1: the double pendulum of Kane & Levinson, Tables 1 to 3.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <carom/mechanics/planar_bodies.hpp>
#include <carom/papers/largest.hpp>
#include <carom/papers/pictures.hpp>
#include <carom/papers/shen_townsend_cases.hpp>

namespace carom::papers::st {
namespace {

// --- Tables 1 and 2 ------------------------------------------------------------------------------

struct PrintedEnergy {
  const char* slipping;
  const char* energy;
  const char* direction;
  const char* known;
};

Table conventional_table(const char* law, std::string caption,
                         const std::array<PrintedEnergy, 4>& printed) {
  Table t{.caption = std::move(caption),
          .columns = {"e", "μ_s", "μ", "slipping", "energy [J]", "change"},
          .rows = {}};
  for (std::size_t i = 0; i < printed.size(); ++i) {
    const PlanarOutcome o = solve_by(law, example_1(rows[i]));
    const double change = o.energy.change;
    Table::Row row{coefficients(rows[i])};
    row.cells.push_back(compared_word(yes_or_no(o.mode == Mode::slip), printed[i].slipping));
    row.cells.push_back(compared(std::abs(change), printed[i].energy, printed[i].known));
    row.cells.push_back(compared_word(direction(change), printed[i].direction));
    t.rows.push_back(row);
  }
  return t;
}

/// "+0.16, -0.12": what the law does in each row.
std::string changes(const char* law) {
  std::string list;
  for (const Row& row : rows) {
    list += fmt::format("{}{:+.4f}", list.empty() ? "" : ", ",
                        solve_by(law, example_1(row)).energy.change);
  }
  return list + " J";
}

bool gains(const char* law, std::size_t row) {
  return solve_by(law, example_1(rows[row])).energy.change > 0.;
}

// --- Table 3 -------------------------------------------------------------------------------------

/// Each row: printed energy; slips, reverses and is case (iii) in all.
Table proposed_table() {
  constexpr std::array<const char*, 4> printed{"0.11", "0.12", "0.13", "0.12"};
  Table t{.caption = "Under `shen-townsend`; energetic and newton for comparison (not in print)",
          .columns = {"e", "μ_s", "μ", "slipping", "u_t reverses", "energy [J]", "change", "case",
                      "energetic [J]", "newton [J]"},
          .rows = {}};
  for (std::size_t i = 0; i < printed.size(); ++i) {
    const PlanarProblem p = example_1(rows[i]);
    const PlanarOutcome o = solve_by("shen-townsend", p);
    Table::Row row{coefficients(rows[i])};
    row.cells.push_back(compared_word(yes_or_no(!ends_in_stick(o)), "Yes"));
    row.cells.push_back(compared_word(yes_or_no(slip_reverses(p, o)), "Yes"));
    row.cells.push_back(compared(std::abs(o.energy.change), printed[i]));
    row.cells.push_back(compared_word(direction(o.energy.change), "Decrease"));
    row.cells.push_back(compared_word(fmt::format("({})", name(*shen_townsend_case(o))), "(iii)"));
    row.cells.push_back(ours(solve_by("energetic", p).energy.change));
    row.cells.push_back(ours(solve_by("newton", p).energy.change));
    t.rows.push_back(row);
  }
  return t;
}

/// Velocities at the contact over the normal impulse, corner by corner.
report::ChartPanel path_panel(const Row& row, std::string title) {
  const PlanarProblem p = example_1(row);
  const PlanarOutcome o = solve_by("shen-townsend", p);
  const Collision c = *procedure(p);
  report::Series slip = series_of(report::style_of_law("poisson"), "slip uₜ", 2.5);
  report::Series normal = slip;
  normal.label = "normal uₙ";
  normal.dash = "(8,4)";
  const auto add = [&](double F, const Vec2& v) {
    slip.x.push_back(F);
    slip.y.push_back(v.t);
    normal.x.push_back(F);
    normal.y.push_back(v.n);
  };
  add(0., p.approach);
  for (const PlanarPhase& phase : o.phases) add(phase.impulse.n, phase.velocity);
  report::ChartPanel panel;
  panel.title = std::move(title);
  panel.x.label = "normal impulse F  [N s]";
  panel.y.label = "velocity at the contact  [m/s]";
  panel.series = {slip, normal};
  panel.marks = {{.at = c.F_c, .label = "compression ends"},
                 {.at = c.F_star, .label = "slip vanishes", .colour = "#D55E00"}};
  return panel;
}

report::Chart chart_of_paths() {
  report::Chart chart;
  chart.heading = "Double pendulum: slip stops and reverses (Shen & Townsend, Table 3)";
  chart.subheading = "rods of 2 m and 3 kg at 20 and 30 deg; shen-townsend";
  for (std::size_t i = 0; i < std::size(rows); ++i) {
    chart.panels.push_back(path_panel(
        rows[i], fmt::format("({}) e = {:g}, μ = {:g}", "abcd"[i], rows[i].e, rows[i].mu)));
  }
  chart.columns = 2;
  chart.panel_width = 420;
  chart.panel_height = 260;
  return chart;
}

report::Chart chart_of_energy() {
  report::ChartPanel panel;
  panel.x = {.label = "friction μ = μₛ", .range = report::Range{0., 1.}};
  panel.y = {.label = "change of energy  [J]"};
  for (const char* law : {"conventional:rebound", "conventional", "poisson"}) {
    const bool theirs = std::string_view(law) == "poisson";
    report::Series s =
        series_of(report::style_of_law(law), theirs ? "shen-townsend (poisson)" : law);
    s.width = 2.2;
    for (int k = 0; k <= 500; ++k) {
      const double mu = k / 500.;
      const double change = solve_by(law, example_1({0.7, mu, mu})).energy.change;
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

/// Friction with its sign turned: what gave the printed Table 1 [Sec. 6.1].
Statement reversed_friction_is_their_rule() {
  double worst = 0.;
  for (const std::size_t i : {0U, 3U}) {  // the rows that slip
    const PlanarProblem p = example_1(rows[i]);
    const double ratio = (p.approach.t > 0. ? 1. : -1.) * rows[i].mu;
    const double normal = -(1. + rows[i].e) * p.approach.n / (p.G.nn + ratio * p.G.nt);
    const Vec2 v = p.approach + p.G * Vec2{.n = normal, .t = ratio * normal};
    worst = largest(worst, difference(p, v, solve_by("conventional:rebound", p).velocity));
  }
  return said("friction along the slip of the approach gives Kane & Levinson's rows that slip",
              worst < 1e-12, fmt::format("velocities differ by at most {:.0e}, relative", worst));
}

Statement never_right() {
  double least = 1e9;
  for (const Row& row : rows) {
    const PlanarProblem p = example_1(row);
    least = std::min(least, difference(p, solve_by("conventional:rebound", p).velocity,
                                       solve_by("shen-townsend", p).velocity));
  }
  return said("it never gives what the process gives", least > 1e-3,
              fmt::format("velocities differ by at least {:.3f} of the approach", least));
}

Statement keller_agrees() {
  double worst = 0.;
  for (const Row& row : rows) {
    const PlanarProblem p = example_1(row);
    const PlanarProblem one = example_1({row.e, row.mu, row.mu});
    worst = largest(
        worst, difference(p, solve_by("poisson", p).velocity, solve_by("poisson", one).velocity));
  }
  return said(
      "Keller's method, with the kinetic coefficient only, gives other results", worst > 1e-6,
      fmt::format("velocities with μ_s = μ differ by at most {:.0e}: μ_s is never reached", worst),
      "ST11");
}

/// Table 3 with the second angle and rate counted from the first rod.
Statement both_angles_are_absolute() {
  const auto lost = [](bool relative) {
    std::array<double, 4> energy{};
    for (std::size_t i = 0; i < energy.size(); ++i) {
      const Surface s = surface(rows[i].e, rows[i].mu_s, rows[i].mu);
      energy[i] = -solve_by("shen-townsend", problem(pendulum(relative), s)).energy.change;
    }
    return energy;
  };
  constexpr std::array<double, 4> printed{0.11, 0.12, 0.13, 0.12};
  const auto absolute = lost(false);
  const auto relative = lost(true);
  int absolute_fits = 0;
  int relative_fits = 0;
  for (std::size_t i = 0; i < printed.size(); ++i) {
    if (std::abs(absolute[i] - printed[i]) < 0.005) ++absolute_fits;
    if (std::abs(relative[i] - printed[i]) < 0.005) ++relative_fits;
  }
  return said("both angles count from the vertical", absolute_fits == 4 && relative_fits == 0,
              fmt::format("energies of Table 3 then: {:.4f}, {:.4f}, {:.4f}, {:.4f} J; with the "
                          "lower rod's counted from the upper: {:.4f}, {:.4f}, {:.4f}, {:.4f} J",
                          absolute[0], absolute[1], absolute[2], absolute[3], relative[0],
                          relative[1], relative[2], relative[3]));
}

}  // namespace

Part equations_part() {
  const Configuration c = pendulum();
  const double m = 3.;
  const double l = 2.;
  const double D2 = m * l * l / 3.;
  Eigen::Matrix2d M;
  M << 4. * D2, 0.5 * m * l * l * std::cos(10. * degree), 0.5 * m * l * l * std::cos(10. * degree),
      D2;
  Eigen::Matrix2d W;
  W << l * std::sin(20. * degree), l * std::cos(20. * degree), l * std::sin(30. * degree),
      l * std::cos(30. * degree);
  const double worst =
      std::max((c.mass - M).cwiseAbs().maxCoeff(), (c.directions - W).cwiseAbs().maxCoeff());
  const ContactSpace x = contact_space(c);
  return {
      .id = "Section 6.1",
      .title = "Example 1: the double pendulum",
      .text =
          "Two uniform rods, 2 m and 3 kg each, at 20 and 30 deg from the vertical, rates −0.1 and "
          "−0.2 rad/s. A linkage here; its mass matrix and directions against the coefficients "
          "printed.",
      .tables = {},
      .statements = {said("C₁ = 4D₂, D₁ = C₂ = ½mℓ² cos(q₂ − q₁), D₂ = ⅓mℓ², aᵢ = ℓ sin qᵢ, bᵢ = ℓ "
                          "cos qᵢ",
                          worst < 1e-12,
                          fmt::format("the linkage differs by at most {:.0e}; at the contact v = "
                                      "({:.6f}, {:.6f}) m/s, G_nn = {:.6f}, G_nt = {:.6f}, G_tt = "
                                      "{:.6f} 1/kg",
                                      worst, x.approach.n, x.approach.t, x.G.nn, x.G.nt, x.G.tt)),
                     both_angles_are_absolute()},
      .pictures = {}};
}

Part table_1() {
  return {
      .id = "Table 1",
      .title = "Kane & Levinson: friction against the slip of the rebound",
      .text = "`conventional:rebound`. It creates energy twice.",
      .tables = {conventional_table("conventional:rebound", "Kane & Levinson's results",
                                    {{{"Yes", "0.03", "Decrease", ""},
                                      {"No", "0.16", "Increase", ""},
                                      {"No", "0.12", "Decrease", ""},
                                      {"Yes", "0.49", "Increase", ""}}})},
      .statements = {said("energy increases in two of the four rows",
                          !gains("conventional:rebound", 0) && gains("conventional:rebound", 1) &&
                              !gains("conventional:rebound", 2) && gains("conventional:rebound", 3),
                          changes("conventional:rebound")),
                     reversed_friction_is_their_rule(), never_right()},
      .pictures = {chart_picture(
          "shen-townsend-energy",
          "Change of energy over friction, e = 0.7, under three laws. Both textbook rules create "
          "energy, the one that opposes the rebound already at little friction; the process that "
          "lets slip stop and reverse never does.",
          chart_of_energy)}};
}

Part table_2() {
  return {.id = "Table 2",
          .title = "The conventional method: friction against the slip of the approach",
          .text = "`conventional`. It creates energy once.",
          .tables = {conventional_table("conventional", "The conventional method",
                                        {{{"Yes", "0.1034", "Decrease", "ST9"},
                                          {"No", "0.16", "Increase", ""},
                                          {"No", "0.12", "Decrease", ""},
                                          {"Yes", "0.1011", "Decrease", ""}}})},
          .statements = {said("only the second row increases energy",
                              !gains("conventional", 0) && gains("conventional", 1) &&
                                  !gains("conventional", 2) && !gains("conventional", 3),
                              changes("conventional"))},
          .pictures = {}};
}

Part table_3() {
  return {.id = "Table 3",
          .title = "The proposed method",
          .text = "`shen-townsend`, which is `poisson` with static friction.",
          .tables = {proposed_table()},
          .statements = {keller_agrees()},
          .pictures = {chart_picture(
              "shen-townsend-paths",
              "Slip and normal velocity through the four impacts of the table. Slip vanishes after "
              "compression has ended and then grows the other way.",
              chart_of_paths)}};
}

}  // namespace carom::papers::st
