// SPDX-License-Identifier: Apache-2.0
// Section 5, Figs 9 and 10: the ratio of velocities after the impact; Section 6: Painlevé.
#include <cmath>

#include <carom/complementarity/planar_friction.hpp>
#include <carom/impact/regimes.hpp>
#include <carom/laws/catalogue.hpp>
#include <papers/payr-glocker/cases.hpp>

namespace carom::papers::pg {

double ratio_in_fig_9(double angle_deg, double r) {
  return ratio_after(moreau(bar(uniform_bar, angle_deg), surface(1., 1., below_critical), r));
}

namespace {

std::vector<double> angles() { return steps(1., 179.5, 1.); }

// --- Figs 9 and 10 -------------------------------------------------------------------------------

Computed row_of_ratios(const Row& row) {
  const double r = row.number("γ_T⁻/γ_N⁻");
  return {{"φ = 90 deg", ratio_in_fig_9(90., r)}, {"φ = 45 deg", ratio_in_fig_9(45., r)}};
}

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

Found continuous_in_ratio() {
  const double steepest = steepest_in_ratio(0.01);
  return {steepest < without_jumps, {{"step", 0.01}, {"steepest", steepest}}};
}

Found continuous_in_both() {
  const double coarse = greatest_step_in_angle(0.5);
  const double fine = greatest_step_in_angle(0.25);
  return {steepest_in_ratio(0.05) < without_jumps && fine < 0.55 * coarse,
          {{"coarse", coarse}, {"fine", fine}}};
}

Found regions_at_90() {
  const Sym2 G = bar(uniform_bar, 90.);
  const Surface s = surface(1., 1., below_critical);
  const double slips = regime_boundaries(G, s).backward.value_or(0.);
  const double keeps =  // eq. 48 vanishes
      threshold(2.5, 6., [](double r) { return ratio_in_fig_9(90., r) > 0.; });
  return {slips > 0. && keeps > slips && moreau(G, s, 1.999).mode == Mode::stick,
          {{"slips", slips}, {"keeps", keeps}}};
}

// --- Section 6 -----------------------------------------------------------------------------------

constexpr double steep = 63.434948822922010;  // [deg] tan = 2: the angle of least critical friction

/// A uniform bar that touches the ground with v_n- = 0 or nearly so.
PlanarProblem touching(double angle, double mu, const Vec2& approach, double eps_t = 1.) {
  return {bar(uniform_bar, angle), approach, surface(1., eps_t, mu)};
}

/// Grazing slip along +t or -t above critical friction: the limit v_n -> 0-.
PlanarOutcome grazing(double angle, double v_t, double eps_t = 1.) {
  return moreau(touching(angle, above_critical, {0., v_t}, eps_t));
}

bool nothing_happens(const PlanarOutcome& o, double v_t) {
  return o.impulse == Vec2{} && o.velocity == Vec2{0., v_t};
}

Found paradox_from_four_thirds() {
  const auto jams_somewhere = [](double mu) {
    const auto jams = [&](double angle) {
      return painleve_test(bar(uniform_bar, angle), mu, 1.).jams;
    };
    return jams(steep) || !those(steps(0.25, 90., 0.25), jams).empty();
  };
  const double mu = threshold(0.1, 5., jams_somewhere);
  return {std::abs(mu - least_critical) < 1e-9, {{"jams", mu}}};
}

Found no_impulse_below() {
  struct Touch {
    double angle;
    double v_t;
  };
  std::vector<Touch> touches;
  for (const double angle : angles()) touches.insert(touches.end(), {{angle, 1.}, {angle, -1.}});
  const double worst = greatest(touches, [](const Touch& t) {
    const PlanarOutcome o = moreau(touching(t.angle, below_critical, {-1e-9, t.v_t}));
    return std::abs(o.velocity.t - t.v_t) + std::abs(o.impulse.n);
  });
  const auto silent = [](const Touch& t) {
    return nothing_happens(moreau(touching(t.angle, below_critical, {0., t.v_t})), t.v_t);
  };
  Found found = in_all(touches, silent, {{"worst", worst}});
  found.holds = found.holds && worst < 1e-6;
  return found;
}

Found impact_without_collision() {
  const PlanarOutcome o = grazing(steep, 1.);
  return {o.mode == Mode::stick && o.impulse.n > 0. && o.velocity.n == 0. &&
              std::abs(o.velocity.t + 1.) < 1e-12,
          {{"P_n", o.impulse.n},
           {"P_t", o.impulse.t},
           {"v_n", o.velocity.n + 0.},  // not -0
           {"v_t", o.velocity.t}}};
}

Found other_direction_slides_on() {
  const PlanarOutcome o = grazing(steep, -1.);
  const PlanarOutcome mirrored = grazing(180. - steep, -1.);
  return {nothing_happens(o, -1.) && mirrored.mode == Mode::stick && mirrored.impulse.n > 0. &&
              std::abs(mirrored.velocity.t - 1.) < 1e-12,
          {{"P_n", o.impulse.n},
           {"P_t", o.impulse.t},
           {"mirrored_n", mirrored.impulse.n},
           {"mirrored_t", mirrored.impulse.t}}};
}

Found both_impulses_positive() {
  const Vec2 P = grazing(steep, 1.).impulse;
  return {P.n > 0. && P.t > 0., {{"P_n", P.n}, {"P_t", P.t}}};
}

/// PG3
Found sign_of_tangential_impulse() {
  const Vec2 P = grazing(steep, 1., 0.).impulse;
  const Sym2 G = bar(uniform_bar, steep);
  const double formula = -G.nn / determinant(G);  // eq. 36 with gamma_N = 0, eps_T = 0, gamma_T = 1
  return {P.n > 0. && P.t < 0. && std::abs(P.t - formula) < 1e-12,
          {{"P_n", P.n}, {"P_t", P.t}, {"formula", formula}}};
}

/// Solutions of the complementarity problem, distinct by velocity.
std::size_t solutions(const PlanarProblem& p) {
  const Vec2 b{.n = (1. + p.surface.restitution) * p.approach.n,
               .t = (1. + p.surface.tangential_restitution) * p.approach.t};
  return complementarity::enumerate_planar_friction(p.G, b, p.surface.friction).size();
}

Found always_unique() {
  const std::size_t gentle = solutions(touching(steep, above_critical, {-1e-3, 1.}));
  const std::size_t grazing = solutions(touching(steep, above_critical, {0., 1.}));
  return {gentle == 1 && grazing == 1, {{"gentle", gentle}, {"grazing", grazing}}};
}

/// PG4
Found two_solutions_when_grazing() {
  const std::size_t grazing = solutions(touching(steep, above_critical, {0., 1.}));
  Found found =
      in_all(many(4000, 4, random_bar), [](const PlanarProblem& p) { return solutions(p) == 1; },
             {{"grazing", grazing}});
  found.holds = found.holds && grazing == 2;
  return found;
}

Computed row_of_law(const Row& row) {
  const PlanarProblem p{
      bar(uniform_bar, steep), {.n = 0., .t = 1.}, surface(0.5, 0., above_critical)};
  const PlanarOutcome o = solve(find_law(row.text("law"), "law").law, p);
  return impact_row(o.impulse, o.velocity);
}

}  // namespace

Computations ratios() {
  return {.checks = {{"continuous-in-ratio", continuous_in_ratio},
                     {"regions-at-90", regions_at_90},
                     {"continuous-in-both", continuous_in_both},
                     {"paradox-from-four-thirds", paradox_from_four_thirds},
                     {"no-impulse-below", no_impulse_below},
                     {"impact-without-collision", impact_without_collision},
                     {"other-direction-slides-on", other_direction_slides_on},
                     {"both-impulses-positive", both_impulses_positive},
                     {"always-unique", always_unique},
                     {"PG3", sign_of_tangential_impulse},
                     {"PG4", two_solutions_when_grazing}},
          .tables = {{"ratios", row_of_ratios}, {"other-laws", row_of_law}}};
}

}  // namespace carom::papers::pg
