// SPDX-License-Identifier: Apache-2.0
// What is misprinted or claims too much, each shown by a computation.
#include <cmath>

#include <fmt/format.h>

#include <carom/complementarity/planar_friction.hpp>
#include <carom/laws/compliant.hpp>
#include <papers/payr-glocker/cases.hpp>

namespace carom::papers::pg {
namespace {

constexpr double steep = 63.434948822922010;  // [deg] tan = 2

/// The limit of forward slip of a sphere as printed would make all of stick forward slip.
Erratum sign_of_53() {
  const Surface s = surface(1., 1., 0.5);
  const double limit = 0.5 * (1. + 1. / sphere);  // both coefficients are equal
  const PlanarOutcome o = moreau(at_ratio(bar(sphere, 90.), s, 1.));
  const bool printed_says_forward = 1. <= limit;
  const PlanarOutcome beyond = moreau(at_ratio(bar(sphere, 90.), s, -limit - 1e-9));
  const PlanarOutcome within = moreau(at_ratio(bar(sphere, 90.), s, -limit + 1e-9));
  return {.id = "PG1",
          .reason = Reason::misprint,
          .where = "Eq. 53, forward slip of a sphere",
          .printed = "r ≤ μ(1 + 1/K)(1 + ε_N)/(1 + ε_T)",
          .corrected = "r ≤ −μ(1 + 1/K)(1 + ε_N)/(1 + ε_T), as (47) with δ = 0 and (52) need",
          .shown = fmt::format(
              "ε = 1, μ = 0.5: at r = 1 the printed condition (1 ≤ {:g}) says forward slip, the "
              "complementarity problem says {}; forward slip begins at r = −{:g}",
              limit, o.mode == Mode::stick ? "stick" : "slip", limit),
          .holds = printed_says_forward && o.mode == Mode::stick &&
                   beyond.mode == Mode::forward_slip && within.mode == Mode::stick};
}

Erratum sign_in_58() {
  const GrossSlip g = equation_59(bar(sphere, 90.), 0.5, 1., 4., -1.);
  const double springs = sphere_impact(1., 4.).springs;
  return {.id = "PG2",
          .reason = Reason::misprint,
          .where = "Eqs 58 and 59",
          .printed = "sgn(v₁(0))",
          .corrected = "sgn(v₁(0)/v₃(0)), which is −sgn(v₁(0)) for an approach",
          .shown = fmt::format("sphere, e* = 1, μ = 0.5, v₃(0) = −1, v₁(0) = 4: printed {:g}, "
                               "corrected {:g}, the springs {:g}",
                               g.printed, g.corrected, springs),
          .holds = std::abs(g.corrected - springs) < 1e-12 && std::abs(g.printed - springs) > 1.};
}

Erratum sign_of_tangential_impulse() {
  const PlanarOutcome o = moreau({.G = bar(uniform_bar, steep),
                                  .approach = {.n = 0., .t = 1.},
                                  .surface = surface(1., 0., above_critical)});
  const Sym2 G = bar(uniform_bar, steep);
  const double formula = -G.nn / determinant(G);  // eq. 36 with gamma_N = 0, eps_T = 0, gamma_T = 1
  return {.id = "PG3",
          .reason = Reason::misprint,
          .where = "Section 6, impact without collision",
          .printed = "Λ_N and Λ_T are both positive",
          .corrected = "Λ_N > 0 and Λ_T < 0: Λ_T = −α(1 + ε_T)γ_T⁻/(αβ − δ²) by (36)",
          .shown = fmt::format("bar at 63.435 deg, μ = 5/3, γ⁻ = (0, 1), ε_T = 0: Λ = ({:.4f}, "
                               "{:.4f}); (36) gives {:.4f}",
                               o.impulse.n, o.impulse.t, formula),
          .holds = o.impulse.n > 0. && o.impulse.t < 0. && std::abs(o.impulse.t - formula) < 1e-12};
}

Erratum two_solutions_when_grazing() {
  using complementarity::enumerate_planar_friction;
  const Sym2 G = bar(uniform_bar, steep);
  const auto grazing = enumerate_planar_friction(G, {.n = 0., .t = 2.}, above_critical);
  FixedRandom random(4);
  int unique = 0;
  constexpr int problems = 4000;
  for (int k = 0; k < problems; ++k) {
    const PlanarProblem p = random_bar(random);
    const Vec2 b{.n = (1. + p.surface.restitution) * p.approach.n,
                 .t = (1. + p.surface.tangential_restitution) * p.approach.t};
    if (enumerate_planar_friction(p.G, b, p.surface.friction).size() == 1) ++unique;
  }
  return {.id = "PG4",
          .reason = Reason::reading,
          .where = "Sections 6 and 8, uniqueness",
          .printed = "a unique velocity for every admissible approach",
          .corrected =
              "unique for γ_N⁻ < 0; at γ_N⁻ = 0 above critical friction there are two "
              "solutions, no impulse and stick, and stick is the limit γ_N⁻ → 0⁻",
          .shown = fmt::format("bar at 63.435 deg, μ = 5/3, γ⁻ = (0, 1): {} solutions; {} of {} "
                               "random bars with γ_N⁻ < 0 have one",
                               grazing.size(), unique, problems),
          .holds = grazing.size() == 2 && unique == problems};
}

Erratum strict_inequality() {
  FixedRandom random(5);
  int impacts = 0;
  int strict = 0;
  for (; impacts < 1000; ++impacts) {
    const PlanarProblem p = random_bar(random);
    const PlanarOutcome o = moreau(p);
    if (o.velocity.n + p.surface.restitution * p.approach.n > 0.) ++strict;
  }
  return {.id = "PG5",
          .reason = Reason::misprint,
          .where = "Section 5, proof that Λ_N > 0",
          .printed = "ξ_N > 0 of (28)",
          .corrected = "ξ_N ≥ 0",
          .shown = fmt::format("ξ_N > 0 holds in {} of {} impacts of random bars: with the strict "
                               "sign none would be allowed",
                               strict, impacts),
          .holds = strict == 0};
}

Erratum reversal_without_tangential_restitution() {
  const Band band = reversing_angles(sphere, 0.6);
  const PlanarOutcome o = moreau(
      {.G = bar(sphere, 150.), .approach = {.n = -1., .t = 0.05}, .surface = surface(1., 0., 0.6)});
  const PlanarOutcome round = moreau(
      {.G = bar(sphere, 90.), .approach = {.n = -1., .t = 0.05}, .surface = surface(1., 0., 0.6)});
  return {.id = "PG6",
          .reason = Reason::reading,
          .where = "Section 7, on Fig. 11",
          .printed =
              "slip cannot reverse in this case, as ε_T = 0: after 90 deg is named, and before a "
              "reference to (54)-(56), so that the sphere may be meant, or the whole figure",
          .corrected =
              "right of the sphere, at 90 deg; if meant for the whole figure, not: a bar reverses "
              "slip where |δ| > μβ",
          .shown = fmt::format("K = 2/5, μ = 3/5: |δ| > μβ from {:.3f} to {:.3f} deg and mirrored; "
                               "at 150 deg γ⁻ = (−1, 0.05) gives γ_T⁺ = {:.6f}; at 90 deg {:g}",
                               band.from_deg, band.to_deg, o.velocity.t, round.velocity.t),
          .holds = o.velocity.t < -1e-3 && round.velocity.t >= 0. && 150. > 180. - band.to_deg &&
                   150. < 180. - band.from_deg};
}

Erratum stick_threshold_is_no_restitution() {
  const auto threshold_of = [](double mu, double eta2) {
    PlanarProblem p{.G = bar(sphere, 90.), .approach = {}, .surface = surface(1., 0., mu)};
    p.surface.compliance_ratio = eta2;
    return threshold(1e-3, 4., [&](double r) {
      p.approach = {.n = -1., .t = r};
      return Compliant{}(p).slider[0] == SliderStates::State::stick;
    });
  };
  const double as_printed = threshold_of(0.5, 1.21);
  const double other = threshold_of(0.4, 1.1);
  const SphereImpact steep_approach = sphere_impact(1., 0.3);
  const double springs = -steep_approach.springs / 0.3;
  return {.id = "PG7",
          .reason = Reason::reading,
          .where = "Section 7, parameters of Fig. 13",
          .printed = "μη² = ε_T = 0.605, a coefficient of restitution",
          .corrected =
              "μη² is the slip ratio up to which the springs start in stick; that ε_T has "
              "the same value is a choice. It fixes η² = 1.21 for μ = 0.5",
          .shown = fmt::format("the springs start in stick up to v₁(0)/|v₃(0)| = {:.6f} for μη² = "
                               "0.605, {:.6f} for 0.44; their own −v₁(t_f)/v₁(0) at 0.3 is {:.4f}, "
                               "not 0.605",
                               as_printed, other, springs),
          .holds = std::abs(as_printed - 0.605) < 1e-9 && std::abs(other - 0.44) < 1e-9 &&
                   std::abs(springs - 0.605) > 0.01};
}

Erratum no_single_line() {
  const double gross = gross_slip_from(1.);
  const double leaves = walton_slips_from(1.);
  const SphereImpact at = sphere_impact(1., 2.5);
  const double lower = gross_slip_from(0.5);
  return {
      .id = "PG8",
      .reason = Reason::reading,
      .where = "Section 7, on Fig. 13",
      .printed = "the models agree above the light dashed line and differ below it",
      .corrected =
          "they agree exactly where the springs are in gross slip, a range with slip "
          "that comes back reversed included; it begins at another height for each e",
      .shown = fmt::format(
          "gross slip from r = {:.4f} (e = 1), {:.4f} (0.5), {:.4f} (0), at slip after {:.3f}, "
          "{:.3f}, {:.3f}; Walton leaves stick at {:.4f} for e = 1, and at r = 2.5 gives {:.4f} "
          "where the springs give {:.4f}",
          gross, lower, gross_slip_from(0.), sphere_impact(1., gross).springs,
          sphere_impact(0.5, lower).springs, sphere_impact(0., gross_slip_from(0.)).springs, leaves,
          at.walton, at.springs),
      .holds = sphere_impact(1., gross).springs < -0.5 && leaves < gross && !at.walton_sticks &&
               std::abs(at.walton - at.springs) > 0.1 &&
               std::abs(sphere_impact(1., gross + 0.1).springs -
                        sphere_impact(1., gross + 0.1).walton) < 1e-12};
}

Erratum gross_slip_may_reverse() {
  const SphereImpact s = sphere_impact(1., 3.2);
  return {.id = "PG9",
          .reason = Reason::reading,
          .where = "Section 7, definition of gross slip",
          .printed = "slip without reversal or stick",
          .corrected =
              "the slider never stops; the velocity of the body's contact point may "
              "reverse all the same, the tangential spring taking up the difference",
          .shown = fmt::format("sphere, e* = 1, v₁(0)/|v₃(0)| = 3.2: the slider slips throughout, "
                               "and v₁(t_f)/|v₃(0)| = {:.4f}",
                               s.springs),
          .holds = s.gross_slip && s.springs < -0.01};
}

Erratum normalisation() {
  const SphereImpact s = sphere_impact(1., 4.);
  const GrossSlip g = equation_59(bar(sphere, 90.), 0.5, 1., 4., -1.);
  return {.id = "PG10",
          .reason = Reason::reading,
          .where = "Fig. 13, axes",
          .printed = "velocities normalised by v₃(0)",
          .corrected = "by −v₃(0) = |v₃(0)|: v₃(0) is negative, and (59) is for −v₁(t_f)/v₃(0)",
          .shown = fmt::format("v₃(0) = −1, v₁(0) = 4: v₁(t_f)/v₃(0) = {:g}, −v₁(t_f)/v₃(0) = {:g} "
                               "as (59) with its sign mended, {:g}",
                               -s.springs, s.springs, g.corrected),
          .holds = std::abs(s.springs - g.corrected) < 1e-12 &&
                   std::abs(-s.springs - g.corrected) > 0.1};
}

Erratum large_friction_may_slip() {
  const Sym2 G = bar(uniform_bar, 45.);
  const PlanarOutcome o = moreau(at_ratio(G, surface(1., 1., 1e6), 4.));
  const double limit = threshold(0.5, 4., [&](double r) {
    return moreau(at_ratio(G, surface(1., 1., 1e6), r)).mode == Mode::stick;
  });
  return {.id = "PG11",
          .reason = Reason::reading,
          .where = "Section 3, after (15)",
          .printed = "ε = 1 and μ ≫ 1 keep the kinetic energy",
          .corrected =
              "where the contact sticks; beyond the ratio β/δ (with equal coefficients) "
              "stick would need a pull, (39), and the contact slips however large μ is",
          .shown = fmt::format("bar at 45 deg, μ = 10⁶, γ⁻ = (−1, −4): backward slip, change of "
                               "energy {:.4f} J for 1 kg; stick ends at r = {:.4f}, β/δ = {:.4f}",
                               o.energy.change, limit, G.tt / G.nt),
          .holds = o.mode == Mode::backward_slip && o.energy.change < -0.1 &&
                   std::abs(limit - G.tt / G.nt) < 1e-4};
}

}  // namespace

std::vector<Erratum> errata() {
  return {sign_of_53(),
          sign_in_58(),
          sign_of_tangential_impulse(),
          two_solutions_when_grazing(),
          strict_inequality(),
          reversal_without_tangential_restitution(),
          stick_threshold_is_no_restitution(),
          no_single_line(),
          gross_slip_may_reverse(),
          normalisation(),
          large_friction_may_slip()};
}

}  // namespace carom::papers::pg
