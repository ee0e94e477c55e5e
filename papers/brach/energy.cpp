// SPDX-License-Identifier: Apache-2.0
// Section 3 of [Brach 1998]: the loss of energy.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include <carom/impact/brach_system.hpp>
#include <carom/impact/spatial_coefficients.hpp>
#include <papers/brach/bodies.hpp>
#include <papers/brach/parts.hpp>
#include <papers/brach/sphere.hpp>
#include <papers/engine/decade.hpp>
#include <papers/engine/largest.hpp>
#include <papers/engine/pictures.hpp>

namespace carom::papers::br {
namespace {

void take(double& most, double x) { most = largest(most, std::abs(x)); }

/// The loss [J] at given e_n and ratios.
double loss_at(const SpatialProblem& base, double e_n, const std::array<double, 2>& mu) {
  SpatialProblem p = base;
  p.surface.restitution = e_n;
  p.surface.impulse_ratio = mu;
  return -brach(p).energy.change;
}

/// |mu| |dT_L/dmu| over the greatest loss, by central differences.
double slope_at(const SpatialProblem& p, double e_n, const std::array<double, 2>& mu) {
  const double size = std::hypot(mu[0], mu[1]);
  const double step = 1e-4 * size;
  const auto change = [&](std::size_t j) {
    auto up = mu;
    auto down = mu;
    up[j] += step;
    down[j] -= step;
    return (loss_at(p, e_n, up) - loss_at(p, e_n, down)) / (2. * step);
  };
  return std::hypot(change(0), change(1)) * size / contact_energy(p);
}

Statement energy_with_couples() {
  double most = 0.;
  on_random_pairs(31, Couples::some, [&](const Pair& pair) {
    const SpatialOutcome& o = pair.outcome;
    const World3 w1 = pair.bodies.after(0, o.impulse, o.couple).spin;
    const World3 w2 = pair.bodies.after(1, o.impulse, o.couple).spin;
    const Vec3 spin{.n = w1[2] - w2[2], .t1 = w1[0] - w2[0], .t2 = w1[1] - w2[1]};
    const double loss = -0.5 * dot(o.impulse, pair.problem.approach + o.velocity) -
                        0.5 * dot(o.couple, pair.problem.spin.approach + spin);
    take(most, (pair.energy_before() - pair.energy_after() - loss) / pair.energy_before());
  });
  return {.says =
              "The loss has the same form with couples (the paper does not give it): T_L = -½ P·(v "
              "+ V) - ½ M·(ω + Ω), of relative velocities and spins",
          .holds = most < 1e-12,
          .found =
              fmt::format("{} random pairs of bodies: the change of kinetic energy to {:.0e} of it",
                          pairs, decade(most)),
          .known = {}};
}

/// No coefficients lose more than (0, mu_t0, mu_t'0), and these lose 1/2 v.a^-1.v.
Statement greatest_loss() {
  double above = 0.;
  double peak = 0.;
  int count = 0;
  FixedRandom random(7);
  on_random_pairs(33, Couples::none, [&](const Pair& pair) {
    const CriticalRatios mu_0 = critical_ratios(pair.problem, 0.);
    if (!mu_0.exist) return;
    ++count;
    const double most = loss_at(pair.problem, 0., mu_0.ratio);
    take(peak, (most - contact_energy(pair.problem)) / most);
    for (int k = 0; k < 10; ++k) {
      const double mu = random(-2., 2.);
      const double other = loss_at(pair.problem, random(0., 1.), {mu, random(-2., 2.)});
      above = largest(above, (other - most) / most);
    }
  });
  return {
      .says =
          "The loss is greatest at (0, μ_t0, μ_t'0) (said where P_n does not depend on the ratios; "
          "tried with any bodies)",
      .holds = peak < 1e-10 && above < 1e-10 && count > pairs / 2,
      .found = fmt::format("{} pairs of bodies: it is ½ v·a⁻¹·v there to {:.0e}; of ten random "
                           "triples for each none loses more",
                           count, decade(peak)),
      .known = {}};
}

/// T_L >= 0 at given ratios: 1 + e_n <= 2 (q.v)(a_n.q)/(v_n q.a.q), q = (1, mu_t, mu_t').
Statement bound_on_restitution() {
  double most = 0.;
  int count = 0;
  on_random_pairs(35, Couples::none, [&](const Pair& pair) {
    const SpatialProblem& p = pair.problem;
    const auto& mu = *p.surface.impulse_ratio;
    const Vec3 q{.n = 1., .t1 = mu[0], .t2 = mu[1]};
    const Vec3 aq = p.G * q;
    const double limit = 2. * dot(q, p.approach) * aq.n / (p.approach.n * dot(q, aq)) - 1.;
    const auto allowed = admissible(p, BrachCoefficient::normal);
    if (allowed.empty() || limit < 0.) return;
    ++count;
    take(most, allowed[allowed.size() - 1].high - limit);
  });
  return {
      .says = "Energy bounds the coefficients: at given ratios e_n is limited by T_L ≥ 0",
      .holds = most < 1e-10 && count > pairs / 2,
      .found = fmt::format("{} pairs of bodies: the limit that Carom finds (`admissible`) and 1 + "
                           "e_n ≤ 2 (q·v)(a_n·q)/(v_n q·a·q), q = (1, μ_t, μ_t'), agree to {:.0e}",
                           count, decade(most)),
      .known = {}};
}

Statement stationary_for_central() {
  const Stationarity s = stationarity();
  return {.says =
              "For a central impact the loss at given e_n is stationary at the critical ratios of "
              "that e_n",
          .holds = s.central < 1e-6,
          .found = fmt::format("{} random spheres: relative gradient below {:.0e} (bodies off "
                               "centre, where P_n depends on the ratios and nothing is claimed: up "
                               "to {:.2f})",
                               trials, decade(s.central), s.off_centre),
          .known = {}};
}

Statement stationary_as_printed() {
  const Stationarity s = stationarity();
  return {.says =
              "For a central impact the loss at given e_n is stationary at the critical ratios as "
              "Section "
              "3 defines them, those of e_n = 0",
          .holds = s.central_without < 1e-6,
          .found = fmt::format("{} random spheres: relative gradient up to {:.2f}", trials,
                               s.central_without),
          .known = "B2"};
}

// --- picture -------------------------------------------------------------------------------------

/// 0 to 2.
std::vector<double> steps_of_ratio() {
  std::vector<double> x;
  for (int k = 0; k <= 100; ++k) x.push_back(0.02 * k);
  return x;
}

report::Chart loss_chart() {
  Sphere sphere;
  sphere.velocity = {.n = -1., .t1 = 1., .t2 = 0.};
  const SpatialProblem central = problem_of(sphere, {});
  const SpatialProblem off{.G = {.nn = 1.5, .n1 = -0.6, .n2 = 0., .t11 = 2., .t12 = 0., .t22 = 2.},
                           .approach = {.n = -1., .t1 = 1.2, .t2 = 0.},
                           .surface = {},
                           .spin = {}};
  const auto panel_of = [](const char* title, const SpatialProblem& p) {
    report::ChartPanel panel{
        .title = title,
        .x = {.label = "μ/μ₀, μ₀ of the actual e_n", .range = report::Range{0., 2.}},
        .y = {.label = "energy loss over its greatest", .range = report::Range{0., 1.1}}};
    const char* const colours[] = {"#0072B2", "#009E73", "#D55E00"};
    int k = 0;
    for (const double e_n : {0., 0.5, 1.}) {
      report::Series series{.label = fmt::format("e_n = {}", e_n), .colour = colours[k++]};
      const double mu_0 = critical_ratios(p, e_n).ratio[0];
      for (const double part : steps_of_ratio()) {
        series.x.push_back(part);
        series.y.push_back(loss_at(p, e_n, {part * mu_0, 0.}) / contact_energy(p));
      }
      panel.series.push_back(std::move(series));
    }
    panel.marks.push_back({.at = 1., .label = "slip ends"});
    return panel;
  };
  return {.heading = "Energy loss over the impulse ratio",
          .subheading =
              "in units of ½ v·a⁻¹·v; (a) v = (−1, 1) m/s, (b) a_nn, a_nt, a_tt = 1.5, −0.6, 2 "
              "1/kg, v = (−1, 1.2) m/s",
          .panels = {panel_of("(a) sphere: a central impact", central),
                     panel_of("(b) mass centre off the normal", off)},
          .columns = 1,
          .panel_width = 560,
          .panel_height = 280};
}

}  // namespace

Stationarity stationarity() {
  Stationarity s;
  FixedRandom random(32);
  for (int k = 0; k < trials; ++k) {
    const Sample x = sample_in_space(random);
    const SpatialProblem p = problem_of(x.sphere, {});
    const auto mu_0 = critical_ratios(p, x.e_n).ratio;
    s.central = largest(s.central, slope_at(p, x.e_n, mu_0));
    s.one_index = largest(s.one_index, slope_at(p, x.e_n, {mu_0[0], mu_0[0]}));
    s.central_without =
        largest(s.central_without, slope_at(p, x.e_n, critical_ratios(p, 0.).ratio));
  }
  on_random_pairs(34, Couples::none, [&](const Pair& pair) {
    const double e_n = pair.problem.surface.restitution;
    const CriticalRatios mu_0 = critical_ratios(pair.problem, e_n);
    if (mu_0.exist) s.off_centre = largest(s.off_centre, slope_at(pair.problem, e_n, mu_0.ratio));
  });
  return s;
}

double error_of_eq_10(bool at_actual) {
  double most = 0.;
  on_random_pairs(10, Couples::none, [&](const Pair& pair) {
    const SpatialProblem& p = pair.problem;
    const double e_n = at_actual ? p.surface.restitution : 0.;
    const CriticalRatios c = critical_ratios(p, e_n);
    if (!c.exist) return;
    const auto& mu = *p.surface.impulse_ratio;
    const Vec3 q{.n = 1., .t1 = mu[0], .t2 = mu[1]};
    const Vec3 aq0 = p.G * Vec3{.n = 1., .t1 = c.ratio[0], .t2 = c.ratio[1]};
    const double P_n0 = -(1. + e_n) * p.approach.n / aq0.n;
    const double P_n = pair.outcome.impulse.n;
    const double loss = -0.5 * P_n * (P_n * dot(q, p.G * q) - 2. * P_n0 * dot(q, aq0));
    take(most, (pair.energy_before() - pair.energy_after() - loss) / pair.energy_before());
  });
  return most;
}

Part energy_loss() {
  const double error = error_of_eq_10(false);
  return {.id = "Section 3",
          .title = "The loss of energy, and where it is stationary",
          .text =
              "Eq. (10) against the change of the bodies' kinetic energy, and what the text says "
              "of its maximum. `critical_ratios` gives μ_t0 and μ_t'0.",
          .tables = {},
          .statements = {{.says = "Eq. (10) is the loss, with P_n0, μ_t0 and μ_t'0 at e_n = 0",
                          .holds = error < 1e-12,
                          .found = fmt::format(
                              "{} random pairs of bodies: equal to {:.0e} of the energy before",
                              trials, decade(error)),
                          .known = {}},
                         greatest_loss(),
                         stationary_for_central(),
                         stationary_as_printed(),
                         energy_with_couples(),
                         bound_on_restitution()},
          .pictures = {
              chart_picture("brach-loss",
                            "The loss over the impulse ratio at three e_n. For a central impact it "
                            "peaks where slip just ends, whatever e_n; off centre only at e_n = 0.",
                            loss_chart)}};
}

}  // namespace carom::papers::br
