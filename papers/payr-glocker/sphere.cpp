// SPDX-License-Identifier: Apache-2.0
// Section 7: Walton's operator, and the model of springs.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <carom/impact/regimes.hpp>
#include <carom/laws/catalogue.hpp>
#include <carom/mechanics/planar_bodies.hpp>
#include <carom/mechanics/two_bodies.hpp>
#include <papers/engine/largest.hpp>
#include <papers/engine/pictures.hpp>
#include <papers/payr-glocker/cases.hpp>

namespace carom::papers::pg {
namespace {

const PlanarLaw& walton_law() { return find_law("walton")->law; }

// --- Eqs 51-57 -----------------------------------------------------------------------------------

/// v+ of a sphere by (51) to (57), with the sign of (53) mended (PG1).
Vec2 walton_by_formula(const Vec2& v, const Surface& s) {
  const double r = v.t / v.n;
  const double wide = s.friction * (1. + 1. / sphere);
  const double limit = wide * (1. + s.restitution) / (1. + s.tangential_restitution);
  const double normal = -s.restitution * v.n;                                      // eq. 57
  double ratio = s.tangential_restitution / s.restitution * r;                     // eq. 55
  if (r >= limit) ratio = wide * (1. + 1. / s.restitution) - r / s.restitution;    // eqs 51, 54
  if (r <= -limit) ratio = -wide * (1. + 1. / s.restitution) - r / s.restitution;  // eqs 53, 56
  return {.n = normal, .t = ratio * normal};
}

Surface random_surface(FixedRandom& random) {
  return surface(random(0.05, 1.), random(0., 1.), random(0.05, 1.5));
}

/// The greatest difference of the operator by formula from `walton` on a sphere, relative.
double difference_on_a_sphere(int spheres) {
  FixedRandom random(51);
  double worst = 0.;
  for (int k = 0; k < spheres; ++k) {
    const ContactSpace x =
        contact_space(configuration(Round{.mass = random(0.01, 10.),
                                          .radius = random(0.001, 1.),
                                          .inertia_factor = sphere_inertia_factor,
                                          .velocity = {random(-9., 9.), -random(0.1, 3.)}}));
    const PlanarProblem p{.G = x.G, .approach = x.approach, .surface = random_surface(random)};
    const Vec2 d = solve(walton_law(), p).velocity - walton_by_formula(p.approach, p.surface);
    worst = largest(worst, std::sqrt(dot(d, d) / dot(p.approach, p.approach)));
  }
  return worst;
}

/// Two like spheres that strike each other, against one that strikes a plane with half the relative
/// velocity.
double difference_of_two_spheres(int pairs) {
  FixedRandom random(52);
  double worst = 0.;
  for (int k = 0; k < pairs; ++k) {
    const double r = random(0.01, 1.);
    const auto ball = [&](double side) {
      return FreeBody{.mass = 1.,
                      .inertia = sphere_inertia_factor * r * r,
                      .contact_offset = {0., -side * r},
                      .velocity = {random(-5., 5.), -side * random(0.1, 2.)},
                      .spin = random(-5., 5.)};
    };
    const FreeBody above = ball(1.);
    const ContactSpace pair = contact_space(configuration(TwoBodies{above, ball(-1.)}));
    const Surface s = random_surface(random);
    const Vec2 together =
        solve(walton_law(), {.G = pair.G, .approach = pair.approach, .surface = s}).velocity;
    const Vec2 alone =
        solve(walton_law(), {.G = bar(sphere, 90.), .approach = 0.5 * pair.approach, .surface = s})
            .velocity;
    const Vec2 d = together - 2. * alone;
    worst = largest(worst, std::sqrt(dot(d, d) / dot(together, together)));
  }
  return worst;
}

bool round_never_jams() {
  const Sym2 G = contact_space(configuration(Round{.inertia_factor = sphere_inertia_factor})).G;
  if (critical_friction(G)) return false;
  for (const double mu : {0.1, 10., 1000.}) {
    const PainleveTest t = painleve_test(G, mu, 1.);
    if (t.jams || t.jams_reversed) return false;
  }
  return true;
}

// --- Eqs 58-59 -----------------------------------------------------------------------------------

struct GrossSlipCheck {
  int impacts = 0;             ///< of springs, in gross slip
  int rigid_slips = 0;         ///< of these `moreau` says slip, too
  double against_58 = 0.;      ///< the greatest difference, relative, with the sign mended
  double against_moreau = 0.;  ///< where it slips
  double normal = 0.;          ///< of v_3(t_f) from -e v_3(0)
};

GrossSlipCheck check_gross_slip(int tries) {
  FixedRandom random(58);
  GrossSlipCheck c;
  for (int k = 0; k < tries; ++k) {
    PlanarProblem p = random_bar(random);
    p.surface.restitution = random(0.1, 1.);
    p.surface.friction = p.surface.static_friction = random(0.05, 1.);
    p.surface.compliance_ratio = random(0.5, 1.5);
    const PlanarOutcome springs = solve(find_law("compliant")->law, p);
    if (springs.slider.size() != 1 || springs.slider[0] == SliderStates::State::stick) continue;
    ++c.impacts;
    const double e = p.surface.restitution;
    const double scale = 1. + std::abs(ratio_after(springs));
    const auto formula =
        equation_58(p.G, p.surface.friction, e, p.approach.t, p.approach.n).corrected;
    c.against_58 = largest(c.against_58, std::abs(ratio_after(springs) - formula) / scale);
    c.normal = largest(c.normal, std::abs(springs.velocity.n / (-e * p.approach.n) - 1.));
    const PlanarOutcome rigid = moreau(p);
    if (rigid.mode == Mode::stick) continue;  // whether it does depends on eps_T, too
    ++c.rigid_slips;
    c.against_moreau =
        largest(c.against_moreau, std::abs(ratio_after(springs) - ratio_after(rigid)) / scale);
  }
  return c;
}

// --- Fig. 13 -------------------------------------------------------------------------------------

constexpr double coefficients[] = {0., 0.5, 1.};

Table fig13_table() {
  Table t{.caption = "−v₁(t_f)/v₃(0) of a sphere (the figure prints no numbers)",
          .columns = {"v₁(0)/|v₃(0)|", "springs, e* = 0", "Walton, ε_N = 0", "springs, 0.5",
                      "Walton, 0.5", "springs, 1", "Walton, 1"},
          .rows = {}};
  for (const double r : {0.3, 1., 1.5, 2., 2.5, 3.2, 4.}) {
    Table::Row row{{given(fmt::format("{:g}", r))}};
    for (const double e : coefficients) {
      const SphereImpact s = sphere_impact(e, r);
      row.cells.push_back(ours(s.springs));
      row.cells.push_back(ours(s.walton));
    }
    t.rows.push_back(row);
  }
  return t;
}

Table thresholds_table() {
  Table t{.caption = "Where the curves of Fig. 13 change, as v₁(0)/|v₃(0)|",
          .columns = {"e* = ε_N", "springs stick at first up to", "Walton sticks up to",
                      "springs in gross slip from", "−v₁(t_f)/v₃(0) there"},
          .rows = {}};
  for (const double e : coefficients) {
    const double stuck =
        threshold(0.01, 1.5, [&](double r) { return sphere_impact(e, r).starts_stuck; });
    const double gross = gross_slip_from(e);
    t.rows.push_back({{given(fmt::format("{:g}", e)), ours(stuck), ours(walton_slips_from(e)),
                       ours(gross), ours(sphere_impact(e, gross).springs)}});
  }
  return t;
}

report::Chart chart_of_slip() {
  report::ChartPanel panel;
  panel.x = {.label = "slip before, v₁(0)/|v₃(0)|", .range = report::Range{0., 5.}};
  panel.y = {.label = "slip after, −v₁(t_f)/v₃(0)", .range = report::Range{-1.5, 3.5}};
  for (const double e : coefficients) {
    report::Series springs =
        series_of(report::style_of_law("compliant"), e == 0. ? "compliant (springs)" : "");
    springs.width = 2.;
    report::Series rigid = series_of(report::style_of_law("moreau"), e == 0. ? "walton" : "");
    for (double r = 0.; r <= 5.0001; r += 0.01) {
      const SphereImpact s = sphere_impact(e, r);
      springs.x.push_back(r);
      springs.y.push_back(s.springs);
      rigid.x.push_back(r);
      rigid.y.push_back(s.walton);
    }
    panel.series.push_back(springs);
    panel.series.push_back(rigid);
    // Beside the straight part r - 1.75 (1 + e), each a little to the right of its line.
    panel.texts.push_back(
        {.x = 4.55, .y = 4.2 - 3.5 * fig13_mu * (1. + e), .text = fmt::format("e = {:g}", e)});
  }
  // Where the springs part from Walton's operator and from each other.
  panel.texts.push_back({.x = 0.4, .y = 0.28, .text = "e = 1"});
  panel.texts.push_back({.x = 0.35, .y = -0.68, .text = "e = 0"});
  panel.texts.push_back({.x = 1.2, .y = -1.15, .text = "e = 0.5"});
  return {.heading = "Sphere on a rough plane: springs and Walton (Payr & Glocker, Fig. 13)",
          .subheading = "μ = 0.5, η² = 1.21, ε_T = 0.605; e is e* of the springs and ε_N of Walton",
          .panels = {panel}};
}

/// The greatest difference of the two models in a range of r.
double greatest_difference(double e, double from, double to) {
  double worst = 0.;
  for (int k = 1; k < 400; ++k) {
    const SphereImpact s = sphere_impact(e, from + (to - from) * k / 400.);
    worst = largest(worst, std::abs(s.springs - s.walton));
  }
  return worst;
}

/// Points of a curve with slip after above (or below) zero at which the models differ.
struct Sides {
  int above = 0;
  int differ_above = 0;
  int below = 0;
  int agree_below = 0;
};

Sides sides_of_zero() {
  Sides n;
  for (const double e : coefficients) {
    for (double r = 0.05; r < 5.; r += 0.05) {
      const SphereImpact s = sphere_impact(e, r);
      const bool same = std::abs(s.springs - s.walton) < 1e-9;
      if (s.walton > 0.) {
        ++n.above;
        if (!same) ++n.differ_above;
      } else {
        ++n.below;
        if (same) ++n.agree_below;
      }
    }
  }
  return n;
}

Statement gross_slip_agrees() {
  double agree = 0.;
  double differ = 1e9;
  std::string where;
  for (const double e : coefficients) {
    const double gross = gross_slip_from(e);
    agree = largest(agree, greatest_difference(e, gross, 6.));
    differ = std::min(differ, greatest_difference(e, 0., gross));
    where += fmt::format("{}r ≥ {:.4f} (e = {:g})", where.empty() ? "" : ", ", gross, e);
  }
  return said("in gross slip the two models agree, elsewhere they do not",
              agree < 1e-12 && differ > 0.01,
              fmt::format("{}: they differ by at most {:.1e} of |v₃(0)| there, and by up to {:.3f} "
                          "or more below",
                          where, agree, differ));
}

}  // namespace

Part walton() {
  constexpr int tries = 2000;
  const Sym2 G = bar(sphere, 90.);
  const double one = difference_on_a_sphere(tries);
  const double two = difference_of_two_spheres(tries);
  return {
      .id = "Eqs 51-57",
      .title = "Walton's operator for spheres",
      .text =
          "The operator by its formulas, with the sign of (53) mended, against `walton`, "
          "which is `moreau` on a sphere; and two like spheres against one on a plane.",
      .tables = {},
      .statements =
          {said("of a sphere α = 1/m, β = 3.5/m and δ = 0",
                std::abs(G.nn - 1.) < 1e-15 && std::abs(G.tt - 3.5) < 1e-12 &&
                    std::abs(G.nt) < 1e-15,
                fmt::format("m = 1 kg: α = {:g}, β = {:g}, δ = {:.0e}", G.nn, G.tt, G.nt)),
           said("a sphere is always below critical friction, and knows no Painlevé problem",
                round_never_jams(),
                "without coupling slip does not change the normal velocity: neither direction "
                "jams with μ = 0.1, 10, 1000"),
           said("Walton's operator is a special case of the complementarity problem", one < 1e-12,
                fmt::format("{} random spheres: velocities differ by at most {:.1e}, relative",
                            tries, one)),
           said("two like spheres are two impacts on a plane at half the relative velocity",
                two < 1e-12,
                fmt::format("{} random pairs: they differ by at most {:.1e}, relative", tries,
                            two))},
      .pictures = {}};
}

Part gross_slip() {
  const GrossSlipCheck c = check_gross_slip(20000);
  const GrossSlip g = equation_59(bar(sphere, 90.), 0.5, 1., 4., -1.);
  const double springs = sphere_impact(1., 4.).springs;
  return {
      .id = "Eqs 58-59",
      .title = "Springs in gross slip",
      .text =
          "`compliant` on random bars whose slider slips from beginning to end, against (58) "
          "with its sign mended, and against `moreau` with ε_N = e*.",
      .tables = {},
      .statements =
          {said("in gross slip the springs give the ratio of backward or forward slip",
                c.rigid_slips > 1000 && c.against_58 < 1e-9 && c.against_moreau < 1e-9,
                fmt::format(
                    "{} impacts: they differ from (58) by at most {:.1e}, relative; in {} of "
                    "them `moreau`, with some ε_T, slips too, and differs by at most {:.1e}",
                    c.impacts, c.against_58, c.rigid_slips, c.against_moreau)),
           said("there e* is the kinematic coefficient, v₃(t_f) = −e* v₃(0)", c.normal < 1e-9,
                fmt::format("to {:.1e}", c.normal)),
           said(
               "(59) as printed gives the slip of a sphere, e* = 1, μ = 0.5, v₃(0) = −1, v₁(0) = 4",
               std::abs(g.printed - springs) < 1e-9,
               fmt::format("printed {:g}, with the sign mended {:g}, springs {:g}", g.printed,
                           g.corrected, springs),
               "PG2")},
      .pictures = {}};
}

Part figure_13() {
  const Sides n = sides_of_zero();
  return {
      .id = "Fig. 13",
      .title = "A sphere on a rough plane: springs against Walton",
      .text =
          "`compliant` (springs: μ = 0.5, η² = 1.21) and `walton` (ε_T = 0.605) over slip "
          "before, for e* = ε_N = 0, 0.5 and 1. The height of the figure's light dashed line "
          "cannot be told from the text; zero slip is taken. The measurements that the text "
          "mentions are not in it, and nothing is compared with them. The printed 0.605 is no "
          "result: η² = 1.21 is taken from it, as 0.605/μ, and as μη² it returns in the table, "
          "where the springs cease to start in stick.",
      .tables = {thresholds_table(), fig13_table()},
      .statements = {gross_slip_agrees(),
                     said("above the light dashed line (slip after > 0) both models agree",
                          n.above > 0 && n.differ_above == 0,
                          fmt::format("they differ at {} of {} points", n.differ_above, n.above)),
                     said("below it they differ", n.agree_below == 0,
                          fmt::format("they agree at {} of {} points", n.agree_below, n.below),
                          "PG8")},
      .pictures = {chart_picture(
          "payr-glocker-13",
          "Slip of a sphere after the impact over slip before, for three coefficients of "
          "restitution. Springs and Walton's operator run together in gross slip, to the right, "
          "and part where the contact sticks for a while.",
          chart_of_slip)}};
}

}  // namespace carom::papers::pg
