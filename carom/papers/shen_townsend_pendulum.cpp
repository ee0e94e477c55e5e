// SPDX-License-Identifier: Apache-2.0
// Example 1: the double pendulum of Kane & Levinson. Tables 1 to 4, and what stands between them.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include <carom/mechanics/planar_bodies.hpp>
#include <carom/papers/pictures.hpp>
#include <carom/papers/shen_townsend_cases.hpp>

namespace carom::papers::st {
namespace {

/// "Decrease" or "Increase", as the tables put it.
std::string direction(double change) { return change < 0. ? "Decrease" : "Increase"; }
std::string yes_or_no(bool b) { return b ? "Yes" : "No"; }

/// Three cells: e, mu_s, mu.
std::vector<Cell> coefficients(const Row& r) {
  return {given(fmt::format("{:g}", r.e)), given(fmt::format("{:g}", r.mu_s)),
          given(fmt::format("{:g}", r.mu))};
}

bool slip_reverses(const PlanarProblem& p, const PlanarOutcome& o) {
  return o.velocity.t * p.approach.t < 0.;
}

bool ends_in_stick(const PlanarOutcome& o) {
  return !o.phases.empty() && o.phases[o.phases.size() - 1].motion == Motion::stick;
}

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
      s.x.push_back(mu);
      s.y.push_back(solve_by(law, example_1({0.7, mu, mu})).energy.change);
    }
    panel.series.push_back(s);
  }
  const Sym2 G = contact_space(pendulum()).G;
  panel.marks = {{.at = std::abs(G.nt) / G.tt, .label = "sticks from 0.6234 on"}};
  return {.heading = "Double pendulum: who creates energy (Shen & Townsend, Tables 1 to 3)",
          .subheading = "e = 0.7; above zero the law creates energy",
          .panels = {panel}};
}

Statement keller_agrees() {
  double worst = 0.;
  for (const Row& row : rows) {
    const PlanarProblem p = example_1(row);
    const PlanarProblem one = example_1({row.e, row.mu, row.mu});
    worst = std::max(
        worst, difference(p, solve_by("poisson", p).velocity, solve_by("poisson", one).velocity));
  }
  return said(
      "Keller's method, with the kinetic coefficient only, gives other results", worst > 1e-6,
      fmt::format("velocities with μ_s = μ differ by at most {:.0e}: μ_s is never reached", worst),
      "ST11");
}

// --- 0.6234 --------------------------------------------------------------------------------------

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
    (ends_in_stick(solve_by("shen-townsend", example_1({e, middle, mu}))) ? sticks : slips) =
        middle;
  }
  return sticks;
}

Table threshold_table() {
  return {.caption = "Static friction that holds the double pendulum once slip has stopped",
          .columns = {"by", "|τ_res/F_res|"},
          .rows = {
              {{given("the formula of Section 6.1"), compared(needed_by_formula(), "0.6234")}},
              {{given("the law, e = 0.7, μ = 0.5"), compared(needed_by_law(0.7, 0.5), "0.6234")}}}};
}

Statement structure_decides() {
  double least = 1e9;
  double most = 0.;
  for (const double e : {0.5, 0.7, 1.}) {
    for (const double mu : {0.2, 0.4, 0.5}) {
      const double x = needed_by_law(e, mu);
      least = std::min(least, x);
      most = std::max(most, x);
    }
  }
  return said("it depends on the structure alone", most - least < 1e-9,
              fmt::format("with e from 0.5 to 1 and μ from 0.2 to 0.5 the law needs {:.9f} to "
                          "{:.9f}",
                          least, most));
}

Statement single_pendulum_needs_its_tangent() {
  double worst = 0.;
  bool switches = true;
  for (const double angle : {10., 30., 45., 60.}) {
    const Configuration c = single_pendulum(angle);
    const Sym2 G = contact_space(c).G;
    const double tangent = std::tan(angle * degree);
    worst = std::max(worst, std::abs(std::abs(G.nt) / G.tt / tangent - 1.));
    const auto rebounds = [&](double mu) {
      return solve_by("shen-townsend", problem(c, surface(0.5, mu, mu))).velocity.n > 1e-6;
    };
    switches = switches && rebounds(0.99 * tangent) && !rebounds(1.01 * tangent);
  }
  return said("for a single pendulum it is tan θ", worst < 1e-12 && switches,
              fmt::format("|G_nt|/G_tt = tan θ to {:.0e} at four angles; with a hundredth less "
                          "friction it rebounds, with a hundredth more it locks",
                          worst));
}

// --- Table 4 -------------------------------------------------------------------------------------

struct PrintedRow4 {
  Row row;
  const char* F_star;
  const char* F_s;
  const char* F_s_known;
  const char* reverses;
  const char* energy;
};

constexpr PrintedRow4 rows4[] = {{{0.5, 0., 0.}, "1.0537", "1.1964", "", "Yes", "0.08"},
                                 {{0.2, 0.5, 0.4}, "0.6419", "0.5971", "ST9", "No", "0.13"}};

Table special_cases_table() {
  Table t{.caption = "Under `shen-townsend`; F* and F_c by the procedure",
          .columns = {"e", "μ_s", "μ", "F* [N s]", "(1 + e)F_c [N s]", "u_t reverses", "energy [J]",
                      "change", "case"},
          .rows = {}};
  for (const PrintedRow4& printed : rows4) {
    const PlanarProblem p = example_1(printed.row);
    const PlanarOutcome o = solve_by("shen-townsend", p);
    const Collision c = *procedure(p);
    Table::Row row{coefficients(printed.row)};
    row.cells.push_back(compared(c.F_star, printed.F_star));
    row.cells.push_back(compared(o.impulse.n, printed.F_s, printed.F_s_known));
    row.cells.push_back(compared_word(yes_or_no(slip_reverses(p, o)), printed.reverses));
    row.cells.push_back(compared(std::abs(o.energy.change), printed.energy));
    row.cells.push_back(compared_word(direction(o.energy.change), "Decrease"));
    row.cells.push_back(compared_word(fmt::format("({})", name(*shen_townsend_case(o))), "(iii)"));
    t.rows.push_back(row);
  }
  return t;
}

Statement conventional_agrees() {
  double worst = 0.;
  for (const PrintedRow4& r : rows4) {
    const PlanarProblem p = example_1(r.row);
    worst = std::max(worst, difference(p, solve_by("shen-townsend", p).velocity,
                                       solve_by("conventional", p).velocity));
  }
  return said("both agree with the conventional method", worst < 1e-12,
              fmt::format("velocities differ by at most {:.0e}, relative", worst));
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
          "Two uniform rods, 2 m and 3 kg each, at 20 and 30 deg from the vertical, both angles "
          "absolute (with the second counted from the first the tables do not come out); rates "
          "−0.1 and −0.2 rad/s. A linkage here; its mass matrix and directions against the "
          "coefficients printed.",
      .tables = {},
      .statements = {said("C₁ = 4D₂, D₁ = C₂ = ½mℓ² cos(q₂ − q₁), D₂ = ⅓mℓ², aᵢ = ℓ sin qᵢ, bᵢ = ℓ "
                          "cos qᵢ",
                          worst < 1e-12,
                          fmt::format("the linkage differs by at most {:.0e}; at the contact v = "
                                      "({:.6f}, {:.6f}) m/s, G_nn = {:.6f}, G_nt = {:.6f}, G_tt = "
                                      "{:.6f} 1/kg",
                                      worst, x.approach.n, x.approach.t, x.G.nn, x.G.nt, x.G.tt))},
      .pictures = {}};
}

Part table_1() {
  const auto gains = [](std::size_t i) {
    return solve_by("conventional:rebound", example_1(rows[i])).energy.change > 0.;
  };
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
                          !gains(0) && gains(1) && !gains(2) && gains(3), "rows 2 and 4")},
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
          .statements = {said(
              "only the second row increases energy",
              [] {
                for (std::size_t i = 0; i < std::size(rows); ++i) {
                  const double change = solve_by("conventional", example_1(rows[i])).energy.change;
                  if ((change > 0.) != (i == 1)) return false;
                }
                return true;
              }(),
              "row 2")},
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

Part threshold_part() {
  return {.id = "Section 6.1, 0.6234",
          .title = "Static friction that would hold the pendulum",
          .text = "By the formula printed and by bisection of the law itself.",
          .tables = {threshold_table()},
          .statements = {structure_decides(), single_pendulum_needs_its_tangent()},
          .pictures = {}};
}

Part table_4() {
  const PlanarProblem p = example_1(rows4[0].row);
  const PlanarOutcome o = solve_by("shen-townsend", p);
  const Vec2 slid = p.approach + p.G * Vec2{.n = o.impulse.n, .t = 0.};
  return {.id = "Table 4",
          .title = "Two special cases: no friction, and slip that does not reverse",
          .text =
              "F* is the normal impulse at which slip would vanish; in the second row it is "
              "beyond the end.",
          .tables = {special_cases_table()},
          .statements = {conventional_agrees(),
                         said("without friction, sliding on unimpeded may not be the solution",
                              difference(p, o.velocity, slid) > 1e-9,
                              fmt::format("first row: the law and a slide without any tangential "
                                          "impulse differ by {:.0e}",
                                          difference(p, o.velocity, slid)),
                              "ST12")},
          .pictures = {}};
}

Part sticking_part() {
  const PlanarProblem p = example_1({0.7, 0.63, 0.5});
  const PlanarOutcome o = solve_by("shen-townsend", p);
  const PlanarOutcome textbook = solve_by("conventional", p);
  return {.id = "Section 6.1, μ_s = 0.63",
          .title = "A pendulum that sticks",
          .text = "e = 0.7, μ = 0.5 and static friction just above the limit.",
          .tables = {{.caption = "e = 0.7, μ_s = 0.63, μ = 0.5",
                      .columns = {"law", "ends in", "energy [J]", "change"},
                      .rows = {{{given("shen-townsend"),
                                 compared_word(ends_in_stick(o) ? "stick" : "slip", "stick"),
                                 compared(std::abs(o.energy.change), "0.12"),
                                 compared_word(direction(o.energy.change), "Decrease")}},
                               {{given("conventional"),
                                 given(textbook.mode == Mode::stick ? "stick" : "slip"),
                                 compared(std::abs(textbook.energy.change), "0.59"),
                                 compared_word(direction(textbook.energy.change), "Increase")}}}}},
          .statements = {},
          .pictures = {}};
}

}  // namespace carom::papers::st
