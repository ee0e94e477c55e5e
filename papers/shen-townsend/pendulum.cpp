// SPDX-License-Identifier: Apache-2.0
// Example 1: the double pendulum of Kane & Levinson, Tables 1 to 4 and the friction that holds it.
#include <papers/shen-townsend/cases.hpp>

namespace carom::papers::st {
namespace {

// --- Tables 1 and 2 ------------------------------------------------------------------------------

Computed conventional_row(const char* law, const Row& row) {
  const PlanarOutcome o = solve_by(law, example_1(row));
  return {{"slipping", yes_or_no(o.mode == Mode::slip)},
          {"energy [J]", std::abs(o.energy.change)},
          {"change", direction(o.energy.change)}};
}

/// Whether the law creates energy in the rows that the table says, and what it does in each.
Found gains(const char* law, const char* table) {
  const auto change = [&](const Row& row) { return solve_by(law, example_1(row)).energy.change; };
  const auto as_printed = [&](const Row& row) {
    return direction(change(row)) == row.text("change");
  };
  const auto words = [&](const Row& row) { return fmt::format("{:+.4f}", change(row)); };
  return in_all(printed_rows(table), as_printed,
                {{"changes", joined(printed_rows(table), ", ", words)}});
}

// --- Section 6.1: 0.6234, and a pendulum that sticks ---------------------------------------------

/// |tau_res/F_res| by the formula of Section 6.1.
double needed_by_formula() {
  const Eigen::MatrixXd M = pendulum().M;
  const double c1 = std::cos(20. * degree);
  const double c2 = std::cos(30. * degree);
  const double gamma = (M(0, 0) * c2 - M(0, 1) * c1) / (M(1, 0) * c2 - M(1, 1) * c1);
  return std::abs((gamma * std::sin(30. * degree) - std::sin(20. * degree)) / (gamma * c2 - c1));
}

/// The static friction from which on the law lets the pendulum stick.
double needed_by_law(double e, double mu) {
  return threshold(mu, 2.,
                   [&](double mu_s) { return !ends_in_stick(process(example_1(e, mu_s, mu))); });
}

// --- Pictures ------------------------------------------------------------------------------------

/// Velocities at the contact over the normal impulse, corner by corner.
ChartPanel path_panel(const Row& row) {
  const PlanarProblem p = example_1(row);
  const Collision c = *procedure(p);
  return {
      .title = fmt::format("({}) e = {:g}, μ = {:g}", "abcd"[row.index], row.number("e"),
                           row.number("μ")),
      .x = {.label = "normal impulse F  [N s]"},
      .y = {.label = "velocity at the contact  [m/s]"},
      .series = {over_impulse("slip uₜ", p, [](const Vec2&, const Vec2& v) { return v.t; }),
                 over_impulse(
                     "normal uₙ", p, [](const Vec2&, const Vec2& v) { return v.n; }, Dash{8., 4.})},
      .marks = {{.at = c.F_c, .label = "compression ends"},
                {.at = c.F_star, .label = "slip vanishes", .colour = "#D55E00"}}};
}

Chart chart_of_paths() {
  Chart all{.heading = "Double pendulum: slip stops and reverses (Shen & Townsend, Table 3)",
            .subheading = "rods of 2 m and 3 kg at 20 and 30 deg; shen-townsend",
            .columns = 2,
            .panel_width = 420,
            .panel_height = 260};
  for (const Row& row : example_1_rows()) all.panels.push_back(path_panel(row));
  return all;
}

Chart chart_of_energy() {
  ChartPanel panel;
  panel.x = {.label = "friction μ = μₛ", .range = Range{0., 1.}};
  panel.y = {.label = "change of energy  [J]"};
  for (const char* law : {"conventional:rebound", "conventional", "poisson"}) {
    const bool theirs = std::string_view(law) == "poisson";
    Series s = series_of(law, theirs ? "shen-townsend (poisson)" : law);
    s.width = 2.2;
    for (int k = 0; k <= 500; ++k) {
      const double mu = k / 500.;
      const double change = solve_by(law, example_1(0.7, mu, mu)).energy.change;
      if (k > 0 && std::abs(change - s.y.back()) > 0.2) {  // the rule jumps: a gap
        s.x.push_back(mu);
        s.y.push_back(std::numeric_limits<double>::quiet_NaN());
      }
      s.x.push_back(mu);
      s.y.push_back(change);
    }
    panel.series.push_back(s);
  }
  const Sym2 G = planar_problem(pendulum().problem).G;
  panel.marks = {{.at = std::abs(G.nt) / G.tt, .label = ""}};
  panel.texts = {{.x = 0.8, .y = 0.2, .text = "shen-townsend sticks"},
                 {.x = 0.8, .y = 0.16, .text = "from 0.6234 on"}};
  return {.heading = "Double pendulum: who creates energy (Shen & Townsend, Tables 1 to 3)",
          .subheading = "e = 0.7; above zero the law creates energy",
          .panels = {panel}};
}

}  // namespace

Computations pendulums() {
  constexpr const char* rebound = "conventional:rebound";
  Computations paper;
  paper.checks["coefficients"] = []() -> Found {
    const SystemAtImpact c = pendulum();
    const double m = 3.;
    const double l = 2.;
    const double D2 = m * l * l / 3.;
    const double C2 = 0.5 * m * l * l * std::cos(10. * degree);
    Eigen::Matrix2d M;
    M << 4. * D2, C2, C2, D2;
    Eigen::Matrix2d W;
    W << l * std::sin(20. * degree), l * std::cos(20. * degree), l * std::sin(30. * degree),
        l * std::cos(30. * degree);
    const double worst = std::max((c.M.toDense() - M).cwiseAbs().maxCoeff(),
                                  (c.W.toDense() - W).cwiseAbs().maxCoeff());
    const PlanarProblem x = planar_problem(c.problem);
    return {worst < 1e-12,
            {{"worst", worst},
             {"v_n", x.approach.n},
             {"v_t", x.approach.t},
             {"G_nn", x.G.nn},
             {"G_nt", x.G.nt},
             {"G_tt", x.G.tt}}};
  };
  // Table 3 with the second angle and rate counted from the vertical, or from the first rod.
  paper.checks["absolute-angles"] = []() -> Found {
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
  };
  paper.checks["two-rows-gain"] = [] { return gains(rebound, "shen-townsend/table-1"); };
  // Friction with its sign turned: what gave the printed Table 1 [Sec. 6.1].
  paper.checks["friction-along-the-slip"] = []() -> Found {
    const auto slips = [](const Row& row) { return row.text("slipping") != "No"; };
    const auto rows = those(printed_rows("shen-townsend/table-1"), slips);
    return below(1e-12, greatest(rows, [](const Row& row) {
                   const PlanarProblem p = example_1(row);
                   const double ratio = (p.approach.t > 0. ? 1. : -1.) * p.surface.friction;
                   const double normal =
                       -(1. + p.surface.restitution) * p.approach.n / (p.G.nn + ratio * p.G.nt);
                   const Vec2 v = p.approach + p.G * Vec2{.n = normal, .t = ratio * normal};
                   return difference(p, v, solve_by("conventional:rebound", p).velocity);
                 }));
  };
  paper.checks["never-the-process"] = []() -> Found {
    const double least = smallest(example_1_rows(), [](const Row& row) {
      return apart(example_1(row), "conventional:rebound", "shen-townsend");
    });
    return {least > 1e-3, {{"least", least}}};
  };
  paper.checks["second-row-gains"] = [] { return gains("conventional", "shen-townsend/table-2"); };
  paper.checks["keller"] = []() -> Found {
    const double worst = greatest(example_1_rows(), static_friction_changes);
    return {worst > 1e-6, {{"worst", worst}}};
  };
  paper.checks["structure-alone"] = []() -> Found {
    std::vector<double> needed;
    for (const double e : {0.5, 0.7, 1.}) {
      for (const double mu : {0.2, 0.4, 0.5}) needed.push_back(needed_by_law(e, mu));
    }
    const double least = smallest(needed);
    const double most = greatest(needed);
    return {most - least < 1e-9, {{"least", least}, {"most", most}}};
  };
  // A single pendulum needs the tangent of its angle.
  paper.checks["single-pendulum"] = []() -> Found {
    double worst = 0.;
    bool switches = true;
    for (const double angle : {10., 30., 45., 60.}) {
      const SystemAtImpact c = single_pendulum(angle);
      const Sym2 G = planar_problem(c.problem).G;
      const double tangent = std::tan(angle * degree);
      worst = largest(worst, std::abs(std::abs(G.nt) / G.tt / tangent - 1.));
      const auto rebounds = [&](double mu) {
        return process(problem(c, surface(0.5, mu, mu))).velocity.n > 1e-6;
      };
      switches = switches && rebounds(0.99 * tangent) && !rebounds(1.01 * tangent);
    }
    return {worst < 1e-12 && switches, {{"worst", worst}}};
  };
  paper.checks["conventional-agrees"] = []() -> Found {
    return below(1e-12, greatest(printed_rows("shen-townsend/table-4"), [](const Row& row) {
                   return apart(example_1(row), "shen-townsend", "conventional");
                 }));
  };
  paper.checks["sliding-without-friction"] = []() -> Found {
    const PlanarProblem p = example_1(printed_rows("shen-townsend/table-4")[0]);
    const PlanarOutcome o = process(p);
    const Vec2 slid = p.approach + p.G * Vec2{.n = o.impulse.n, .t = 0.};
    const double by = difference(p, o.velocity, slid);
    return {by > 1e-9, {{"apart", by}}};
  };
  paper.tables["table-1"] = [](const Row& row) { return conventional_row(rebound, row); };
  paper.tables["table-2"] = [](const Row& row) { return conventional_row("conventional", row); };
  paper.tables["table-3"] = [](const Row& row) -> Computed {
    const PlanarProblem p = example_1(row);
    const PlanarOutcome o = process(p);
    return {{"slipping", yes_or_no(!ends_in_stick(o))},
            {"u_t reverses", yes_or_no(slip_reverses(p, o))},
            {"energy [J]", std::abs(o.energy.change)},
            {"change", direction(o.energy.change)},
            {"case", case_of(o)},
            {"energetic [J]", solve_by("energetic", p).energy.change},
            {"newton [J]", solve_by("newton", p).energy.change}};
  };
  paper.tables["table-4"] = [](const Row& row) -> Computed {
    const PlanarProblem p = example_1(row);
    const PlanarOutcome o = process(p);
    return {{"F* [N s]", procedure(p)->F_star},
            {"(1 + e)F_c [N s]", o.impulse.n},
            {"u_t reverses", yes_or_no(slip_reverses(p, o))},
            {"energy [J]", std::abs(o.energy.change)},
            {"change", direction(o.energy.change)},
            {"case", case_of(o)}};
  };
  paper.tables["threshold"] = []() -> std::vector<Computed> {
    return {{{"|τ_res/F_res|", needed_by_formula()}}, {{"|τ_res/F_res|", needed_by_law(0.7, 0.5)}}};
  };
  paper.tables["sticking"] = [](const Row& row) -> Computed {
    const PlanarOutcome o = solve_by(row.text("law").c_str(), example_1(0.7, 0.63, 0.5));
    const bool sticks = o.mode == Mode::stick || ends_in_stick(o);  // a rule has no phases
    return {{"ends in", sticks ? "stick" : "slip"},
            {"energy [J]", std::abs(o.energy.change)},
            {"change", direction(o.energy.change)}};
  };
  paper.pictures["shen-townsend-energy"] = chart(chart_of_energy);
  paper.pictures["shen-townsend-paths"] = chart(chart_of_paths);
  return paper;
}

}  // namespace carom::papers::st
