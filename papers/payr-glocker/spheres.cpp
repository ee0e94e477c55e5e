// SPDX-License-Identifier: Apache-2.0
// Section 7: Walton's operator, and the model of springs.
#include <fmt/format.h>

#include <carom/impact/regimes.hpp>
#include <carom/laws/table.hpp>
#include <carom/mechanics/two_bodies.hpp>
#include <papers/payr-glocker/cases.hpp>

namespace carom::papers::pg {
namespace {

constexpr double fig13_mu = 0.5;
constexpr double fig13_eps_t = 0.605;
constexpr double fig13_eta2 = fig13_eps_t / fig13_mu;  // see PG7

PlanarOutcome springs(const PlanarProblem& p) { return Compliant{}(p); }
PlanarOutcome walton(const PlanarProblem& p) {
  return solve(planar_kernel(find_law("walton", "law")), p);
}

/// A sphere that strikes with v_3(0) = -1 and v_1(0) = r.
PlanarProblem sphere_at(double e, double r, double mu = fig13_mu, double eta2 = fig13_eta2) {
  Surface s = surface(e, fig13_eps_t, mu);
  s.compliance_ratio = eta2;
  return at_ratio(bar(sphere, 90.), s, -r);
}

/// v_1(t_f)/|v_3(0)| of the sphere of Fig. 13 over v_1(0)/|v_3(0)| = r.
double springs_after(double e, double r) { return springs(sphere_at(e, r)).velocity.t; }
double walton_after(double e, double r) { return walton(sphere_at(e, r)).velocity.t; }

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

/// The operator by formula, and `walton` on a sphere.
double difference_on_a_sphere(FixedRandom& random) {
  const PlanarProblem x =
      planar_problem(at_impact(Round{.mass = random(0.01, 10.),
                                     .radius = random(0.001, 1.),
                                     .inertia_factor = sphere_inertia_factor,
                                     .velocity = {random(-9., 9.), -random(0.1, 3.)}})
                         .problem);
  const Surface s = random_surface(random, 0.05, 1.5);
  return apart(walton({x.G, x.approach, s}).velocity, walton_by_formula(x.approach, s), x.approach);
}

/// Two like spheres that strike each other, and one that strikes a plane with half the relative
/// velocity.
double difference_of_two_spheres(FixedRandom& random) {
  const double r = random(0.01, 1.);
  const auto ball = [&](double side) {
    return FreeBody{.mass = 1.,
                    .inertia = sphere_inertia_factor * r * r,
                    .contact_offset = {0., -side * r},
                    .velocity = {random(-5., 5.), -side * random(0.1, 2.)},
                    .spin = random(-5., 5.)};
  };
  const FreeBody above = ball(1.);
  const PlanarProblem pair = planar_problem(at_impact(TwoBodies{above, ball(-1.)}).problem);
  const Surface s = random_surface(random, 0.05, 1.5);
  const Vec2 together = walton({pair.G, pair.approach, s}).velocity;
  const Vec2 alone = walton({bar(sphere, 90.), 0.5 * pair.approach, s}).velocity;
  return apart(together, 2. * alone, together);
}

Found no_difference(unsigned seed, double (*difference)(FixedRandom&)) {
  constexpr int tries = 2000;
  return below(1e-12, greatest(many(tries, seed, difference)), {{"tries", tries}});
}

// --- Eqs 58-59 -----------------------------------------------------------------------------------

bool slider_starts_stuck(const PlanarProblem& p) {
  const SliderStates slider = springs(p).slider;
  return slider.size() > 0 && slider[0] == SliderStates::State::stick;
}

/// The slider slips from beginning to end.
bool gross_slip(const PlanarProblem& p) {
  return springs(p).slider.size() == 1 && !slider_starts_stuck(p);
}

std::vector<PlanarProblem> bars_in_gross_slip() {
  const auto any = [](FixedRandom& random) {
    PlanarProblem p = random_bar(random);
    p.surface.restitution = random(0.1, 1.);
    p.surface.friction = p.surface.static_friction = random(0.05, 1.);
    p.surface.compliance_ratio = random(0.5, 1.5);
    return p;
  };
  return those(many(20000, 58, any), gross_slip);
}

/// (delta + sigma mu beta)/(alpha + sigma mu delta) of (58) and (59).
double slip_ratio(const Sym2& G, double mu, double sigma) {
  const SlipTerms s = slip_terms(G, mu, sigma);
  return s.c / s.a;
}

/// v_1(t_f)/v_3(t_f) by eq. 58, with the sign that friction needs, sgn(v_1(0)/v_3(0)) (PG2).
double equation_58(const PlanarProblem& p) {
  const double r = p.approach.t / p.approach.n;
  const double e = p.surface.restitution;
  return slip_ratio(p.G, p.surface.friction, sign(r)) * (1. + e) / e - r / e;
}

/// -v_1(t_f)/v_3(0) of a sphere with e* = 1, v_3(0) = -1 and v_1(0) = 4: is it that of eq. 59 as
/// printed, with sgn(v_1(0))? Or (PG2) with sgn(v_1(0)/v_3(0)), and (PG10) not v_1(t_f)/v_3(0)?
Found equation_59(bool as_printed) {
  const auto by_formula = [](double sigma) {
    return slip_ratio(bar(sphere, 90.), fig13_mu, sigma) * (1. + 1.) - 4. / -1.;
  };
  const double printed = by_formula(1.);
  const double corrected = by_formula(-1.);
  const double after = springs_after(1., 4.);
  const auto off = [&](double x) { return std::abs(x - after); };
  return {
      as_printed ? off(printed) < 1e-9
                 : off(corrected) < 1e-12 && off(printed) > 1. && off(-corrected) > 0.1,
      {{"printed", printed}, {"corrected", corrected}, {"springs", after}, {"negative", -after}}};
}

// --- Fig. 13 -------------------------------------------------------------------------------------

/// v_1(0)/|v_3(0)| from which on the springs are in gross slip.
double gross_slip_from(double e) {
  return threshold(0.1, 10., [&](double r) { return gross_slip(sphere_at(e, r)); });
}

/// The same at which Walton's operator leaves stick.
double walton_slips_from(double e) {
  return threshold(0.1, 10., [&](double r) { return walton(sphere_at(e, r)).mode == Mode::stick; });
}

/// The same up to which the springs start in stick.
double springs_stick_up_to(double e, double mu = fig13_mu, double eta2 = fig13_eta2) {
  return threshold(1e-3, 4.,
                   [&](double r) { return slider_starts_stuck(sphere_at(e, r, mu, eta2)); });
}

double models_apart(const PlanarProblem& p) {
  return std::abs(springs(p).velocity.t - walton(p).velocity.t);
}

/// The greatest difference of the two models in a range of r.
double models_apart_between(double e, double from, double to) {
  return greatest(steps(1., 400., 1.), [&](double k) {
    return models_apart(sphere_at(e, from + (to - from) * k / 400.));
  });
}

/// Where gross slip begins, and slip after there.
Values limits_of_gross_slip(Values more) {
  for (const auto& [name, e] : {std::pair{"zero", 0.}, {"half", 0.5}, {"one", 1.}}) {
    more.emplace(name, gross_slip_from(e));
    more.emplace(std::string("after_") + name, springs_after(e, gross_slip_from(e)));
  }
  return more;
}

/// Points of the curves with slip after above zero, or with slip below.
std::vector<PlanarProblem> points(bool above) {
  std::vector<PlanarProblem> all;
  for (const double e : {0., 0.5, 1.}) {
    for (const double r : steps(0.05, 5., 0.05)) all.push_back(sphere_at(e, r));
  }
  return those(all, [&](const PlanarProblem& p) { return (walton(p).velocity.t > 0.) == above; });
}

bool models_agree(const PlanarProblem& p) { return models_apart(p) < 1e-9; }

Chart chart_of_slip() {
  ChartPanel panel;
  panel.x = {.label = "slip before, v₁(0)/|v₃(0)|", .range = Range{0., 5.}};
  panel.y = {.label = "slip after, −v₁(t_f)/v₃(0)", .range = Range{-1.5, 3.5}};
  const auto r = steps(0., 5.0001, 0.01);
  for (const double e : {0., 0.5, 1.}) {
    Series springs = series_of("compliant", e == 0. ? "compliant (springs)" : "");
    springs.width = 2.;
    const auto walton = series_of("moreau", e == 0. ? "walton" : "");
    panel.series.push_back(through(springs, r, [&](double x) { return springs_after(e, x); }));
    panel.series.push_back(through(walton, r, [&](double x) { return walton_after(e, x); }));
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

}  // namespace

Computations spheres() {
  Computations paper;
  paper.checks["inertia-of-a-sphere"] = []() -> Found {
    const Sym2 G = bar(sphere, 90.);
    return {std::abs(G.nn - 1.) < 1e-15 && std::abs(G.tt - 3.5) < 1e-12 && std::abs(G.nt) < 1e-15,
            {{"alpha", G.nn}, {"beta", G.tt}, {"delta", G.nt}}};
  };
  paper.checks["sphere-below-critical"] = []() -> Found {
    const Sym2 G =
        planar_problem(at_impact(Round{.inertia_factor = sphere_inertia_factor}).problem).G;
    bool jams = critical_friction(G).has_value();
    for (const double mu : {0.1, 10., 1000.}) {
      const PainleveTest t = painleve_test(G, mu, 1.);
      jams = jams || t.jams || t.jams_reversed;
    }
    return {!jams};
  };
  paper.checks["walton-is-special"] = [] { return no_difference(51, difference_on_a_sphere); };
  paper.checks["two-spheres"] = [] { return no_difference(52, difference_of_two_spheres); };
  paper.checks["gross-slip-ratio"] = []() -> Found {
    const auto off = [](const PlanarProblem& p, double ratio) {
      return std::abs(ratio_after(springs(p)) - ratio) / (1. + std::abs(ratio_after(springs(p))));
    };
    const auto all = bars_in_gross_slip();
    // Whether `moreau` slips, too, depends on eps_T.
    const auto slip = those(all, [](const auto& p) { return moreau(p).mode != Mode::stick; });
    const double formula = greatest(all, [&](const auto& p) { return off(p, equation_58(p)); });
    const double rigid =
        greatest(slip, [&](const auto& p) { return off(p, ratio_after(moreau(p))); });
    return {
        slip.size() > 1000 && formula < 1e-9 && rigid < 1e-9,
        {{"impacts", all.size()}, {"formula", formula}, {"slips", slip.size()}, {"moreau", rigid}}};
  };
  paper.checks["gross-slip-normal"] = []() -> Found {
    return below(1e-9, greatest(bars_in_gross_slip(), [](const PlanarProblem& p) {
                   const double expected = -p.surface.restitution * p.approach.n;
                   return std::abs(springs(p).velocity.n / expected - 1.);
                 }));
  };
  paper.checks["sign-of-59"] = [] { return equation_59(true); };
  paper.checks["models-agree-in-gross-slip"] = []() -> Found {
    double agree = 0.;
    double differ = 1e9;
    for (const double e : {0., 0.5, 1.}) {
      agree = largest(agree, models_apart_between(e, gross_slip_from(e), 6.));
      differ = std::min(differ, models_apart_between(e, 0., gross_slip_from(e)));
    }
    return {agree < 1e-12 && differ > 0.01,
            limits_of_gross_slip({{"agree", agree}, {"differ", differ}})};
  };
  paper.checks["models-agree-above"] = [] {
    return in_none(points(true), std::not_fn(models_agree));
  };
  paper.checks["models-differ-below"] = [] { return in_none(points(false), models_agree); };
  // PG1: the limit of forward slip as printed would make all of stick forward slip.
  paper.checks["PG1"] = []() -> Found {
    const double limit = 0.5 * (1. + 1. / sphere);  // both coefficients are equal
    const auto state = [](double r) {
      return moreau(at_ratio(bar(sphere, 90.), surface(1., 1., 0.5), r)).mode;
    };
    return {1. <= limit && state(1.) == Mode::stick && state(-limit - 1e-9) == Mode::forward_slip &&
                state(-limit + 1e-9) == Mode::stick,
            {{"limit", limit}, {"state", state_name(state(1.))}}};
  };
  paper.checks["PG2"] = [] { return equation_59(false); };
  // PG7
  paper.checks["PG7"] = []() -> Found {
    const double printed = springs_stick_up_to(1.);
    const double other = springs_stick_up_to(1., 0.4, 1.1);
    const double restitution = -springs_after(1., 0.3) / 0.3;
    return {std::abs(printed - fig13_eps_t) < 1e-9 && std::abs(other - 0.4 * 1.1) < 1e-9 &&
                std::abs(restitution - fig13_eps_t) > 0.01,
            {{"printed", printed}, {"other", other}, {"restitution", restitution}}};
  };
  // PG8
  paper.checks["PG8"] = []() -> Found {
    const double gross = gross_slip_from(1.);
    const double leaves = walton_slips_from(1.);
    return {springs_after(1., gross) < -0.5 && leaves < 2.5 && 2.5 < gross &&
                models_apart(sphere_at(1., 2.5)) > 0.1 &&
                models_apart(sphere_at(1., gross + 0.1)) < 1e-12,
            limits_of_gross_slip({{"leaves", leaves},
                                  {"walton", walton_after(1., 2.5)},
                                  {"springs", springs_after(1., 2.5)}})};
  };
  // PG9
  paper.checks["PG9"] = []() -> Found {
    const double after = springs_after(1., 3.2);
    return {gross_slip(sphere_at(1., 3.2)) && after < -0.01, {{"after", after}}};
  };
  paper.checks["PG10"] = [] { return equation_59(false); };
  paper.tables["fig-13-changes"] = [](const Row& row) -> Computed {
    const double e = row.number("e* = ε_N");
    return {{"springs stick at first up to", springs_stick_up_to(e)},
            {"Walton sticks up to", walton_slips_from(e)},
            {"springs in gross slip from", gross_slip_from(e)},
            {"−v₁(t_f)/v₃(0) there", springs_after(e, gross_slip_from(e))}};
  };
  paper.tables["fig-13"] = [](const Row& row) -> Computed {
    const double r = row.number("v₁(0)/|v₃(0)|");
    return {{"springs, e* = 0", springs_after(0., r)}, {"Walton, ε_N = 0", walton_after(0., r)},
            {"springs, 0.5", springs_after(0.5, r)},   {"Walton, 0.5", walton_after(0.5, r)},
            {"springs, 1", springs_after(1., r)},      {"Walton, 1", walton_after(1., r)}};
  };
  paper.pictures["payr-glocker-13"] = chart(chart_of_slip);
  return paper;
}

}  // namespace carom::papers::pg
