// SPDX-License-Identifier: Apache-2.0
// Sections 2 and 3 of [Brach 1998]: the system equations and the energy loss, for any bodies.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include <carom/impact/brach_system.hpp>
#include <carom/impact/spatial_coefficients.hpp>
#include <carom/laws/spatial_brach.hpp>
#include <carom/papers/brach_parts.hpp>
#include <carom/papers/brach_sphere.hpp>
#include <carom/papers/pictures.hpp>

namespace carom::papers::br {
namespace {

constexpr double close = 1e-11;

SpatialBody random_body(Uniform& random, double side) {
  SpatialBody b;
  b.mass = random(0.3, 3.);
  b.inertia = {};
  for (std::size_t i = 0; i < 3; ++i) b.inertia[i][i] = b.mass * random(0.1, 0.16);
  b.contact_offset = {random(-0.5, 0.5), random(-0.5, 0.5), side * random(0.3, 1.)};
  b.velocity = {random(-1., 1.), random(-1., 1.), side * random(1., 3.)};
  b.spin = {random(-1., 1.), random(-1., 1.), random(-1., 1.)};
  return b;
}

/// The bodies' problem, or none where they do not approach.
bool ready(const BodiesAtImpact& bodies, SpatialProblem& problem) {
  const SpatialContact& c = bodies.contact();
  problem = {.G = c.G, .approach = c.approach, .surface = problem.surface, .spin = c.spin};
  return c.approach.n < -0.1;
}

double kinetic(const BodiesAtImpact& bodies, const SpatialOutcome& o) {
  double sum = 0.;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    sum += bodies.energy(i, bodies.after(i, o.impulse, o.couple)).total();
  }
  return sum;
}

double kinetic_before(const BodiesAtImpact& bodies) {
  double sum = 0.;
  for (std::size_t i = 0; i < bodies.size(); ++i) sum += bodies.energy(i, bodies.before(i)).total();
  return sum;
}

/// Calls `see` with random bodies whose surface is random, too: ratios or velocity coefficients,
/// and moment coefficients.
template <class See>
int on_random_bodies(std::uint64_t seed, bool couples, const See& see) {
  Uniform random(seed);
  int count = 0;
  while (count < trials) {
    const BodiesAtImpact bodies(random_bodies(random));
    SpatialProblem p;
    p.surface.restitution = random(0., 1.);
    p.surface.impulse_ratio = std::array{random(-0.5, 0.5), random(-0.5, 0.5)};
    if (couples) {
      p.surface.moment_coefficients = {random(-1., -0.2), random(-1., -0.2), random(-1., -0.2)};
    }
    if (!ready(bodies, p)) continue;
    const SpatialOutcome o = brach(p);
    if (o.verdict() == Verdict::no_solution) continue;
    see(bodies, p, o);
    ++count;
  }
  return count;
}

// --- Section 2 -----------------------------------------------------------------------------------

/// Residuals of the 18 equations, each relative to its own terms.
struct Residuals {
  double momentum = 0.;  ///< eqs 1 and 2
  double normal = 0.;    ///< eq. 5
  double ratios = 0.;    ///< eqs 6 and 7
  double couples = 0.;   ///< eq. 4
};

void take(double& most, double x) { most = std::max(most, std::abs(x)); }

Residuals residuals(bool couples, int& count) {
  Residuals r;
  Uniform random(18);
  count = 0;
  while (count < trials) {
    const SpatialBodies given = random_bodies(random);
    const BodiesAtImpact bodies(given);
    SpatialProblem p;
    p.surface.restitution = random(0., 1.);
    const std::array mu{random(-0.5, 0.5), random(-0.5, 0.5)};
    p.surface.impulse_ratio = mu;
    std::array<double, 3> e_m{-1., -1., -1.};
    if (couples) e_m = {random(-1., -0.2), random(-1., -0.2), random(-1., -0.2)};
    p.surface.moment_coefficients = e_m;
    if (!ready(bodies, p)) continue;
    const SpatialOutcome o = brach(p);
    if (o.verdict() == Verdict::no_solution) continue;
    ++count;

    const World3 P{o.impulse.t1, o.impulse.t2, o.impulse.n};
    const World3 M{o.couple.t1, o.couple.t2, o.couple.n};
    std::array<SpatialMotion, 2> after{};
    double side = 1.;
    for (std::size_t i = 0; i < 2; ++i, side = -side) {
      const SpatialBody& b = i == 0 ? given.first : *given.second;
      after[i] = bodies.after(i, o.impulse, o.couple);
      const World3 moment = cross(b.contact_offset, P);
      for (std::size_t j = 0; j < 3; ++j) {
        take(r.momentum, b.mass * (after[i].velocity[j] - b.velocity[j]) - side * P[j]);
        take(r.momentum,
             b.inertia[j][j] * (after[i].spin[j] - b.spin[j]) - side * (M[j] + moment[j]));
      }
    }
    take(r.normal, o.velocity.n + p.surface.restitution * p.approach.n);
    take(r.ratios, o.impulse.t1 - mu[0] * o.impulse.n);
    take(r.ratios, o.impulse.t2 - mu[1] * o.impulse.n);
    constexpr std::array<std::size_t, 3> world_axis{2, 0, 1};  // of n, t, t'
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t j = world_axis[k];
      const double I1 = given.first.inertia[j][j];
      const double I2 = given.second->inertia[j][j];
      take(r.couples, e_m[k] * M[j] + (1. + e_m[k]) * I1 * I2 / (I1 + I2) *
                                          (after[1].spin[j] - after[0].spin[j]));
    }
  }
  return r;
}

/// e_mj = 0 stops the relative rotation about j, e_mj = -1 leaves no couple.
Statement meaning_of_moment_coefficient() {
  Uniform random(4);
  double rotation = 0.;
  double couple = 0.;
  int count = 0;
  while (count < trials) {
    const BodiesAtImpact bodies(random_bodies(random));
    SpatialProblem p;
    p.surface.restitution = random(0., 1.);
    p.surface.impulse_ratio = std::array{random(-0.5, 0.5), random(-0.5, 0.5)};
    p.surface.moment_coefficients = {0., -1., 0.};
    if (!ready(bodies, p)) continue;
    const SpatialOutcome o = brach(p);
    if (o.verdict() == Verdict::no_solution) continue;
    ++count;
    const World3 first = bodies.after(0, o.impulse, o.couple).spin;
    const World3 second = bodies.after(1, o.impulse, o.couple).spin;
    take(rotation, first[2] - second[2]);  // about n
    take(rotation, first[1] - second[1]);  // about t'
    take(couple, o.couple.t1);
  }
  return {
      .says =
          "A moment coefficient of 0 ends the relative rotation about its axis, one of -1 "
          "means that there is no couple about it",
      .holds = rotation < close && couple == 0.,
      .found = fmt::format("{} pairs of bodies: rotation left {:.0e} rad/s, couple {:.0e} N m s",
                           count, rotation, couple),
      .known = {}};
}

Statement equations_hold(bool couples) {
  int count = 0;
  const Residuals r = residuals(couples, count);
  return {
      .says = couples ? "The 18 equations with couples (1, 2, 4 to 7) are linear, and solved"
                      : "So are the 15 equations of point contact",
      .holds = std::max({r.momentum, r.normal, r.ratios, r.couples}) < close,
      .found = fmt::format("{} random pairs of bodies; residuals: momentum {:.0e}, (5) {:.0e}, (6, "
                           "7) {:.0e}, (4) {:.0e}",
                           count, r.momentum, r.normal, r.ratios, r.couples),
      .known = {}};
}

// --- Section 2.2 ---------------------------------------------------------------------------------

Statement same_outcome() {
  double velocity = 0.;
  const int count = on_random_bodies(
      22, false, [&](const BodiesAtImpact&, SpatialProblem p, const SpatialOutcome& by_ratio) {
        const SpatialBrachCoefficients c = brach_coefficients(p, by_ratio);
        p.surface.impulse_ratio.reset();
        p.surface.tangential_coefficient = std::array{*c.e_t[0], *c.e_t[1]};
        const SpatialOutcome by_coefficient = brach(p);
        const Vec3 d = by_coefficient.velocity - by_ratio.velocity;
        const Vec3 P = by_coefficient.impulse - by_ratio.impulse;
        velocity = std::max({velocity, std::sqrt(dot(d, d)), std::sqrt(dot(P, P))});
      });
  return {
      .says =
          "For every pair of impulse ratios there is a pair of velocity coefficients e_t, e_t' "
          "that gives the same solution",
      .holds = velocity < 1e-9,
      .found = fmt::format("{} random pairs of bodies solved both ways: velocities and impulses "
                           "equal to {:.0e}",
                           count, velocity),
      .known = {}};
}

Statement sphere_equivalence() {
  const double most = worst(23, sample_in_space, [](const Sample& s) {
    const auto mu_0 = critical(s.sphere, s.e_n);
    const std::array mu{s.part[0] * mu_0[0], s.part[1] * mu_0[1]};
    const Struck by_ratio = direct(s.sphere, surface_of(s.e_n, mu));
    SpatialSurface surface{.restitution = s.e_n};
    surface.tangential_coefficient = std::array{s.part[0] - 1., s.part[1] - 1.};
    const Vec3 d = direct(s.sphere, surface).velocity - by_ratio.velocity;
    return std::sqrt(dot(d, d));
  });
  return {.says = "For the sphere the relation is e_t = μ_t/μ_t0 - 1, and so for t'",
          .holds = most < close,
          .found = fmt::format("{} random spheres: velocities equal to {:.0e} m/s", trials, most),
          .known = {}};
}

// --- Section 3 -----------------------------------------------------------------------------------

double quadratic(const Sym3& a, const Vec3& x, const Vec3& y) { return dot(x, a * y); }

/// The loss by the bodies' energies at given ratios.
double loss_at(const SpatialProblem& base, double e_n, const std::array<double, 2>& mu) {
  SpatialProblem p = base;
  p.surface.restitution = e_n;
  p.surface.impulse_ratio = mu;
  return -brach(p).energy.change;
}

/// |dT_L/dmu| times |mu| over the range of T_L, by central differences.
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
  const double range = std::abs(loss_at(p, e_n, mu) - loss_at(p, e_n, {0., 0.}));
  return std::hypot(change(0), change(1)) * size / range;
}

Statement energy_with_couples() {
  double most = 0.;
  const int count = on_random_bodies(
      31, true,
      [&](const BodiesAtImpact& bodies, const SpatialProblem& p, const SpatialOutcome& o) {
        const double before = kinetic_before(bodies);
        const World3 w1 = bodies.after(0, o.impulse, o.couple).spin;
        const World3 w2 = bodies.after(1, o.impulse, o.couple).spin;
        const Vec3 spin{.n = w1[2] - w2[2], .t1 = w1[0] - w2[0], .t2 = w1[1] - w2[1]};
        const double loss = -0.5 * dot(o.impulse, p.approach + o.velocity) -
                            0.5 * dot(o.couple, p.spin.approach + spin);
        take(most, (before - kinetic(bodies, o) - loss) / before);
      });
  return {
      .says =
          "The loss has the same form with couples (the paper does not give it): T_L = -½ P·(v + "
          "V) - ½ M·(ω + Ω), of relative velocities and spins",
      .holds = most < 1e-12,
      .found = fmt::format("{} random pairs of bodies: equal to the change of kinetic energy to "
                           "{:.0e} of it",
                           count, most),
      .known = {}};
}

/// No coefficients lose more than (0, mu_t0, mu_t'0), and these lose 1/2 v.a^-1.v.
Statement greatest_loss() {
  double above = 0.;
  double peak = 0.;
  Uniform random(7);
  on_random_bodies(
      33, false, [&](const BodiesAtImpact&, const SpatialProblem& p, const SpatialOutcome& o) {
        const CriticalRatios mu_0 = critical_ratios(p, 0.);
        if (!mu_0.exist) return;
        const double most = loss_at(p, 0., mu_0.ratio);
        take(peak, (most - contact_energy(p)) / most);
        above = std::max(above, (-o.energy.change - most) / most);
        for (int k = 0; k < 10; ++k) {
          const double other = loss_at(p, random(0., 1.), {random(-2., 2.), random(-2., 2.)});
          above = std::max(above, (other - most) / most);
        }
      });
  return {.says = "The loss is greatest at (0, μ_t0, μ_t'0): for any bodies, central or not",
          .holds = peak < 1e-10 && above < 1e-10,
          .found = fmt::format(
              "{} pairs of bodies: it is ½ v·a⁻¹·v there to {:.0e}; of 11 other triples "
              "for each none loses more",
              trials, peak),
          .known = {}};
}

Statement stationary(bool off_centre) {
  const Stationarity s = stationarity();
  if (off_centre) {
    return {
        .says = "At any e_n the loss is stationary at the critical ratios that belong to e_n = 0",
        .holds = s.central_without < 1e-5,
        .found = fmt::format("sphere, μ_0 of e_n = 0: relative gradient up to {:.2f}; bodies off "
                             "centre: {:.2f}, even with μ_0 of the actual e_n",
                             s.central_without, s.off_centre),
        .known = "B2"};
  }
  return {
      .says =
          "For a central impact the loss at given e_n is stationary at the critical ratios of that "
          "e_n",
      .holds = s.central < 1e-5,
      .found = fmt::format("{} random spheres: relative gradient {:.0e}", trials, s.central),
      .known = {}};
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
  const SpatialProblem off{.G = {.nn = 1.5, .n1 = 0.9, .n2 = 0., .t11 = 2., .t12 = 0., .t22 = 2.},
                           .approach = {.n = -1., .t1 = 1.5, .t2 = 0.},
                           .surface = {},
                           .spin = {}};
  const auto panel_of = [](const char* title, const SpatialProblem& p) {
    report::ChartPanel panel{
        .title = title,
        .x = {.label = "μ/μ₀, μ₀ of the actual e_n", .range = report::Range{0., 2.}},
        .y = {.label = "energy loss over its greatest"}};
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
              "in units of ½ v·a⁻¹·v; (a) v = (−1, 1) m/s, (b) a_nn, a_nt, a_tt = 1.5, 0.9, 2 "
              "1/kg, v = (−1, 1.5) m/s",
          .panels = {panel_of("(a) sphere: a central impact", central),
                     panel_of("(b) mass centre off the normal", off)},
          .columns = 1,
          .panel_width = 560,
          .panel_height = 280};
}

}  // namespace

SpatialBodies random_bodies(Uniform& random) {
  SpatialBodies b;
  b.first = random_body(random, -1.);
  b.second = random_body(random, 1.);
  return b;
}

Stationarity stationarity() {
  Stationarity s;
  Uniform random(32);
  for (int k = 0; k < trials; ++k) {
    const Sample x = sample_in_space(random);
    const SpatialProblem p = problem_of(x.sphere, {});
    s.central = std::max(s.central, slope_at(p, x.e_n, critical_ratios(p, x.e_n).ratio));
    s.central_without =
        std::max(s.central_without, slope_at(p, x.e_n, critical_ratios(p, 0.).ratio));
  }
  on_random_bodies(34, false,
                   [&](const BodiesAtImpact&, const SpatialProblem& p, const SpatialOutcome&) {
                     const double e_n = p.surface.restitution;
                     const CriticalRatios mu_0 = critical_ratios(p, e_n);
                     if (!mu_0.exist || e_n < 0.1) return;
                     s.off_centre = std::max(s.off_centre, slope_at(p, e_n, mu_0.ratio));
                   });
  return s;
}

double error_of_eq_10(bool at_actual) {
  double most = 0.;
  on_random_bodies(
      10, false,
      [&](const BodiesAtImpact& bodies, const SpatialProblem& p, const SpatialOutcome& o) {
        const double e_n = at_actual ? p.surface.restitution : 0.;
        const CriticalRatios c = critical_ratios(p, e_n);
        if (!c.exist) return;
        const auto& mu = *p.surface.impulse_ratio;
        const Vec3 q{.n = 1., .t1 = mu[0], .t2 = mu[1]};
        const Vec3 q0{.n = 1., .t1 = c.ratio[0], .t2 = c.ratio[1]};
        // P_n0 from a P_0 = (-(1 + e_n) v_n, -v_t, -v_t').
        const double P_n0 = -(1. + e_n) * p.approach.n / dot(Vec3{.n = 1.}, p.G * q0);
        const double P_n = o.impulse.n;
        const double loss =
            -0.5 * P_n * (P_n * quadratic(p.G, q, q) - 2. * P_n0 * quadratic(p.G, q, q0));
        const double before = kinetic_before(bodies);
        take(most, (before - kinetic(bodies, o) - loss) / before);
      });
  return most;
}

Part system_equations() {
  return {
      .id = "Section 2",
      .title = "The system equations of two bodies, couples included",
      .text =
          "Random pairs of bodies with principal axes along n, t and t' are solved by `brach`; the "
          "equations of the publication are then evaluated with the bodies' motions before and "
          "after.",
      .tables = {},
      .statements = {equations_hold(true), equations_hold(false), meaning_of_moment_coefficient()},
      .pictures = {}};
}

Part equivalence() {
  return {
      .id = "Section 2.2",
      .title = "Impulse ratios and velocity coefficients say the same",
      .text =
          "`impulse_ratio` and `tangential_coefficient` of `brach`, translated into each other.",
      .tables = {},
      .statements = {same_outcome(), sphere_equivalence()},
      .pictures = {}};
}

Part energy_loss() {
  const double error = error_of_eq_10(false);
  return {
      .id = "Section 3",
      .title = "The loss of energy, and where it is stationary",
      .text =
          "Eq. (10) against the change of the bodies' kinetic energy, and what the text says of "
          "its maximum. `critical_ratios` gives μ_t0 and μ_t'0.",
      .tables = {},
      .statements = {{.says = "Eq. (10) is the loss, with P_n0, μ_t0 and μ_t'0 at e_n = 0",
                      .holds = error < 1e-12,
                      .found =
                          fmt::format("{} random pairs of bodies: equal to {:.0e} of the energy "
                                      "before",
                                      trials, error),
                      .known = {}},
                     greatest_loss(),
                     stationary(false),
                     stationary(true),
                     energy_with_couples()},
      .pictures = {chart_picture(
          "brach-loss",
          "The loss over the impulse ratio at three e_n. For a central impact it peaks where slip "
          "just ends, whatever e_n; off centre only at e_n = 0.",
          loss_chart)}};
}

}  // namespace carom::papers::br
