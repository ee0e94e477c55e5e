// SPDX-License-Identifier: Apache-2.0
// Section 5, Figs 9 and 10: the ratio of velocities after the impact; Section 6: Painlevé.
#include <fmt/format.h>

#include <carom/complementarity/friction/planar.hpp>
#include <carom/impact/regimes.hpp>
#include <carom/laws/table.hpp>
#include <papers/payr-glocker/cases.hpp>

namespace carom::papers::pg {

namespace {

double ratio_in_fig_9(double angle_deg, double r) {
  return ratio_after(
      moreau(at_ratio(bar(uniform_bar, angle_deg), surface(1., 1., below_critical), r)));
}

// --- Figs 9 and 10 -------------------------------------------------------------------------------

/// The greatest difference quotient in r over all angles.
double steepest_in_ratio(double step) {
  return greatest(angles(), [&](double angle) {
    return greatest(steps(-4., 4., step), [&](double r) {
      return std::abs(ratio_in_fig_9(angle, r + step) - ratio_in_fig_9(angle, r)) / step;
    });
  });
}

/// The greatest step between neighbours over all ratios.
double greatest_step_in_angle(double step) {
  return greatest(steps(-4., 4.01, 0.1), [&](double r) {
    return greatest(steps(1. + step, 179.0001, step), [&](double angle) {
      return std::abs(ratio_in_fig_9(angle, r) - ratio_in_fig_9(angle - step, r));
    });
  });
}

constexpr double without_jumps = 1. + 1e-9;

// --- Section 6 -----------------------------------------------------------------------------------

constexpr double steep = 63.434948822922010;  // [deg] tan = 2: the angle of least critical friction

/// A uniform bar that touches the ground with v_n- = 0 or nearly so.
PlanarProblem touching(double angle, double mu, const Vec2& approach, double eps_t = 1.) {
  return {bar(uniform_bar, angle), approach, surface(1., eps_t, mu)};
}

/// Grazing slip along +t or -t above critical friction: the limit v_n -> 0-.
PlanarProblem grazing(double angle, double v_t, double eps_t = 1.) {
  return touching(angle, above_critical, {0., v_t}, eps_t);
}

bool nothing_happens(const PlanarProblem& p) {
  return moreau(p).impulse == Vec2{} && moreau(p).velocity == p.approach;
}

/// It sticks, and all that changes is the sign of slip.
bool slip_is_inverted(const PlanarProblem& p) {
  const PlanarOutcome o = moreau(p);
  return o.mode == Mode::stick && o.impulse.n > 0. && o.velocity.n == 0. &&
         std::abs(o.velocity.t + p.approach.t) < 1e-12;
}

/// Solutions of the complementarity problem, distinct by velocity.
std::size_t solutions(const PlanarProblem& p) {
  const Vec2 b{.n = (1. + p.surface.restitution) * p.approach.n,
               .t = (1. + p.surface.tangential_restitution) * p.approach.t};
  return complementarity::enumerate_planar_friction(p.G, b, p.surface.friction).size();
}

/// Whether every approach has one solution, and a grazing one so many: as printed 1, by PG4 2.
Found uniqueness(std::size_t when_grazing) {
  const std::size_t gentle = solutions(touching(steep, above_critical, {-1e-3, 1.}));
  const std::size_t at_zero = solutions(grazing(steep, 1.));
  return in_all(
      many(4000, 4, random_bar), [](const PlanarProblem& p) { return solutions(p) == 1; },
      {{"gentle", gentle}, {"grazing", at_zero}}, gentle == 1 && at_zero == when_grazing);
}

Chart chart_of_ratios() {
  ChartPanel panel;
  panel.x = {.label = "ratio before, vₜ⁻/vₙ⁻", .range = Range{-6., 6.}};
  panel.y = {.label = "ratio after, vₜ⁺/vₙ⁺", .range = Range{-6., 8.}};
  for (const auto& [angle, dash] : {std::pair{90., Dash{}}, {45., Dash{10., 6.}}}) {
    Series s = series_of("moreau", fmt::format("moreau, φ = {:g} deg", angle));
    s.dash = dash;
    panel.series.push_back(through(s, steps(-6., 6.0001, 0.05),
                                   [&, at = angle](double r) { return ratio_in_fig_9(at, r); }));
  }
  panel.spans = {{.from = -6., .to = -4., .colour = "#FFFFFF", .label = "forward slip"},
                 {.from = -4., .to = -2., .colour = "#EDEDED", .label = "reversed"},
                 {.from = -2., .to = 2., .colour = "#D9E7F5", .label = "stick, reversed"},
                 {.from = 2., .to = 4., .colour = "#EDEDED", .label = "reversed"},
                 {.from = 4., .to = 6., .colour = "#FFFFFF", .label = "backward slip"}};
  return {.heading = "Ratio of velocities after the impact (Payr & Glocker, Fig. 9)",
          .subheading = "uniform bar, ε_N = ε_T = 1, μ = 1/2; the shaded regions belong to 90 deg",
          .panels = {panel}};
}

}  // namespace

Computations ratios() {
  Computations paper;
  paper.checks["continuous-in-ratio"] = [] {
    return below(without_jumps, steepest_in_ratio(0.01));
  };
  paper.checks["regions-at-90"] = []() -> Found {
    const Sym2 G = bar(uniform_bar, 90.);
    const Surface s = surface(1., 1., below_critical);
    const double slips = regime_boundaries(G, s).backward.value_or(0.);
    const double keeps =  // eq. 48 vanishes
        threshold(2.5, 6., [](double r) { return ratio_in_fig_9(90., r) > 0.; });
    return {slips > 0. && keeps > slips && moreau(at_ratio(G, s, 1.999)).mode == Mode::stick,
            {{"slips", slips}, {"keeps", keeps}}};
  };
  paper.checks["continuous-in-both"] = []() -> Found {
    const double coarse = greatest_step_in_angle(0.5);
    const double fine = greatest_step_in_angle(0.25);
    return {steepest_in_ratio(0.05) < without_jumps && fine < 0.55 * coarse,
            {{"coarse", coarse}, {"fine", fine}}};
  };
  paper.checks["paradox-from-four-thirds"] = []() -> Found {
    std::vector<double> tried = steps(0.25, 90., 0.25);
    tried.push_back(steep);
    const double mu = threshold(0.1, 5., [&](double friction) {
      const auto jams = [&](double angle) {
        return painleve_test(bar(uniform_bar, angle), friction, 1.).jams;
      };
      return std::any_of(tried.begin(), tried.end(), jams);
    });
    return {std::abs(mu - least_critical) < 1e-9, {{"jams", mu}}};
  };
  paper.checks["no-impulse-below"] = []() -> Found {
    std::vector<PlanarProblem> touches;
    for (const double angle : angles()) {
      for (const double v_t : {1., -1.}) {
        touches.push_back(touching(angle, below_critical, {0., v_t}));
      }
    }
    const double worst = greatest(touches, [](PlanarProblem p) {
      p.approach.n = -1e-9;
      const PlanarOutcome o = moreau(p);
      return std::abs(o.velocity.t - p.approach.t) + std::abs(o.impulse.n);
    });
    return in_all(touches, nothing_happens, {{"worst", worst}}, worst < 1e-6);
  };
  paper.checks["impact-without-collision"] = []() -> Found {
    const PlanarProblem p = grazing(steep, 1.);
    return {slip_is_inverted(p), values_of(moreau(p))};
  };
  paper.checks["other-direction-slides-on"] = []() -> Found {
    const PlanarProblem p = grazing(steep, -1.);
    const PlanarProblem mirrored = grazing(180. - steep, -1.);
    const Vec2 P = moreau(mirrored).impulse;
    return {nothing_happens(p) && slip_is_inverted(mirrored),
            values_of(moreau(p), {{"mirrored_n", P.n}, {"mirrored_t", P.t}})};
  };
  paper.checks["both-impulses-positive"] = []() -> Found {
    const PlanarOutcome o = moreau(grazing(steep, 1.));
    return {o.impulse.n > 0. && o.impulse.t > 0., values_of(o)};
  };
  paper.checks["always-unique"] = [] { return uniqueness(1); };
  // PG3
  paper.checks["PG3"] = []() -> Found {
    const PlanarProblem p = grazing(steep, 1., 0.);
    const PlanarOutcome o = moreau(p);
    const double formula = -p.G.nn / determinant(p.G);  // eq. 36, gamma = (0, 1), eps_T = 0
    return {o.impulse.n > 0. && o.impulse.t < 0. && std::abs(o.impulse.t - formula) < 1e-12,
            values_of(o, {{"formula", formula}})};
  };
  paper.checks["PG4"] = [] { return uniqueness(2); };
  paper.tables["ratios"] = [](const Row& row) -> Computed {
    const double r = row.number("γ_T⁻/γ_N⁻");
    return {{"φ = 90 deg", ratio_in_fig_9(90., r)}, {"φ = 45 deg", ratio_in_fig_9(45., r)}};
  };
  paper.tables["other-laws"] = [](const Row& row) -> Computed {
    PlanarProblem p = grazing(steep, 1., 0.);
    p.surface.restitution = 0.5;
    const PlanarOutcome o = solve(planar_kernel(find_law(row.text("law"), "law")), p);
    return impact_row(o.impulse, o.velocity);
  };
  paper.pictures["payr-glocker-9"] = chart(chart_of_ratios);
  return paper;
}

}  // namespace carom::papers::pg
