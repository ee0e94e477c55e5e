// SPDX-License-Identifier: Apache-2.0
// Example 1, further: the friction that holds the pendulum, Table 4, and a pendulum that sticks.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <carom/mechanics/planar_bodies.hpp>
#include <carom/papers/largest.hpp>
#include <carom/papers/shen_townsend_cases.hpp>

namespace carom::papers::st {
namespace {

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
      most = largest(most, x);
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
    worst = largest(worst, std::abs(std::abs(G.nt) / G.tt / tangent - 1.));
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
    worst = largest(worst, difference(p, solve_by("shen-townsend", p).velocity,
                                      solve_by("conventional", p).velocity));
  }
  return said("in both rows the textbook rule gives the same velocities", worst < 1e-12,
              fmt::format("velocities differ by at most {:.0e}, relative", worst));
}

}  // namespace

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
