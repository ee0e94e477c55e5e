// SPDX-License-Identifier: Apache-2.0
#include <papers/payr-glocker/cases.hpp>

#include <cmath>
#include <utility>

#include <carom/core/scalar.hpp>
#include <carom/impact/regimes.hpp>
#include <carom/laws/compliant.hpp>
#include <carom/laws/moreau.hpp>
#include <carom/mechanics/planar_bodies.hpp>

namespace carom::papers::pg {

Sym2 bar(double K, double angle_deg) {
  return contact_space(configuration(Bar{.inertia_factor = K, .angle = angle_deg * degree})).G;
}

Surface surface(double eps_n, double eps_t, double mu) {
  return {
      .restitution = eps_n, .friction = mu, .static_friction = mu, .tangential_restitution = eps_t};
}

PlanarProblem at_ratio(const Sym2& G, const Surface& surface, double r) {
  return {.G = G, .approach = {.n = -1., .t = -r}, .surface = surface};
}

PlanarOutcome moreau(const PlanarProblem& problem) { return Moreau{}(problem); }

double ratio_after(const PlanarOutcome& outcome) { return outcome.velocity.t / outcome.velocity.n; }

PlanarProblem random_bar(FixedRandom& random) {
  const Sym2 G = bar(random(0.1, 1.), random(2., 178.));
  const Surface s = surface(random(0., 1.), random(0., 1.), random(0.05, 3.));
  return {.G = G, .approach = {.n = -random(0.1, 3.), .t = random(-5., 5.)}, .surface = s};
}

SlipTerms slip_terms(const PlanarProblem& p, double sigma) {
  const double mu = sigma * p.surface.friction;
  return {.a = p.G.nn + mu * p.G.nt, .c = p.G.nt + mu * p.G.tt};
}

double threshold(double from, double to, const std::function<bool(double)>& holds) {
  const bool first = holds(from);
  for (int k = 0; k < 200; ++k) {
    const double middle = 0.5 * (from + to);
    if (middle == from || middle == to) break;
    (holds(middle) == first ? from : to) = middle;
  }
  return to;
}

Statement said(std::string says, bool holds, std::string found, std::string known) {
  return {.says = std::move(says),
          .holds = holds,
          .found = std::move(found),
          .known = std::move(known)};
}

SphereImpact sphere_impact(double e, double r) {
  Surface s = surface(e, fig13_eps_t, fig13_mu);
  s.compliance_ratio = fig13_compliance;
  const PlanarProblem p{.G = bar(sphere, 90.), .approach = {.n = -1., .t = r}, .surface = s};
  const PlanarOutcome springs = Compliant{}(p);
  const PlanarOutcome walton = Moreau{}(p);
  const bool starts_stuck =
      springs.slider.size() > 0 && springs.slider[0] == SliderStates::State::stick;
  return {.springs = springs.velocity.t,
          .walton = walton.velocity.t,
          .starts_stuck = starts_stuck,
          .gross_slip = springs.slider.size() == 1 && !starts_stuck,
          .walton_sticks = walton.mode == Mode::stick};
}

double gross_slip_from(double e) {
  return threshold(0.1, 10., [&](double r) { return sphere_impact(e, r).gross_slip; });
}

double walton_slips_from(double e) {
  return threshold(0.1, 10., [&](double r) { return sphere_impact(e, r).walton_sticks; });
}

namespace {

/// (delta + sigma mu beta)/(alpha + sigma mu delta).
double slip_ratio(const Sym2& G, double mu, double sigma) {
  return (G.nt + sigma * mu * G.tt) / (G.nn + sigma * mu * G.nt);
}

}  // namespace

// [eq. 58] with sigma = sgn(v_1(0)) as printed; friction needs sgn(v_1(0)/v_3(0)) (PG2).
GrossSlip equation_58(const Sym2& G, double mu, double e, double v1, double v3) {
  const auto with = [&](double sigma) {
    return slip_ratio(G, mu, sigma) * (1. + e) / e - v1 / v3 / e;
  };
  return {.printed = with(sign(v1)), .corrected = with(sign(v1 / v3))};
}

// [eq. 59], the same for -v_1(t_f)/v_3(0).
GrossSlip equation_59(const Sym2& G, double mu, double e, double v1, double v3) {
  const auto with = [&](double sigma) { return slip_ratio(G, mu, sigma) * (1. + e) - v1 / v3; };
  return {.printed = with(sign(v1)), .corrected = with(sign(v1 / v3))};
}

Band reversing_angles(double K, double mu) {
  const auto reverses = [&](double angle) {
    const Sym2 G = bar(K, angle);
    return std::abs(G.nt) > mu * G.tt;
  };
  // |delta|/beta is greatest where d/dphi of sin phi cos phi/(K + sin^2 phi) is zero:
  // tan^2 phi = K/(K + 1).
  const double most = std::atan(std::sqrt(K / (K + 1.))) / degree;
  return {.from_deg = threshold(0.01, most, reverses), .to_deg = threshold(most, 89.99, reverses)};
}

Band supercritical_angles(double K, double mu) {
  const auto critical = [&](double angle) { return mu > *critical_friction(bar(K, angle)); };
  const double least = least_critical_friction(K).angle / degree;
  return {.from_deg = threshold(0.01, least, critical),
          .to_deg = threshold(least, 89.99, critical)};
}

}  // namespace carom::papers::pg
