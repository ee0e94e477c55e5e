// SPDX-License-Identifier: Apache-2.0
// Sections 2 and 3: the system equations of any two bodies, and the loss of energy.
#include <optional>

#include <fmt/format.h>

#include <carom/impact/brach_system.hpp>
#include <carom/impact/one_contact.hpp>
#include <carom/impact/spatial/coefficients.hpp>
#include <carom/mechanics/spatial_bodies.hpp>
#include <papers/brach/sphere.hpp>

namespace carom::papers::br {
namespace {

// --- random pairs --------------------------------------------------------------------------------

/// Velocities of a body.
struct Motion {
  World3 velocity{};
  World3 spin{};
};

/// Two bodies that approach each other and what `brach` makes of them, impulse ratios within 0.5.
/// Their principal axes are along n, t, t', which are the world's z, x, y.
struct Pair {
  std::array<SpatialBody, 2> body{};
  std::array<Motion, 2> after{};
  SpatialProblem problem{};
  SpatialOutcome outcome{};
  double energy = 0.;  ///< kinetic, before [J]
  double loss = 0.;    ///< of it

  /// Of the first relative to the second, after, about a world axis.
  [[nodiscard]] double spin(std::size_t j) const { return after[0].spin[j] - after[1].spin[j]; }
};

SpatialBody random_body(FixedRandom& random, double side) {
  SpatialBody b;
  b.mass = random(0.3, 3.);
  b.inertia = {};
  for (std::size_t i = 0; i < 3; ++i) b.inertia[i][i] = b.mass * random(0.1, 0.16);
  b.contact_offset = {random(-0.5, 0.5), random(-0.5, 0.5), side * random(0.3, 1.)};
  b.velocity = {random(-1., 1.), random(-1., 1.), side * random(1., 3.)};
  b.spin = {random(-1., 1.), random(-1., 1.), random(-1., 1.)};
  return b;
}

/// Draws until they approach and the equations have a solution. @param e_m  none: in [-1, -0.2]
Pair random_pair(FixedRandom& random, const std::optional<std::array<double, 3>>& e_m) {
  const auto any = [&] { return random(-1., -0.2); };
  for (;;) {
    Pair pair{.body = {random_body(random, -1.), random_body(random, 1.)}};
    const Surface surface{.restitution = random(0., 1.),
                          .tangential_rule = BrachRule::impulse_ratio,
                          .tangential = {random(-0.5, 0.5), random(-0.5, 0.5)},
                          .moment = e_m ? *e_m : std::array{any(), any(), any()}};
    const SystemAtImpact bodies =
        at_impact(SpatialBodies{.first = pair.body[0], .second = pair.body[1]});
    pair.problem = spatial_problem(bodies.problem);
    pair.problem.surface = surface;
    if (!(pair.problem.approach.n < -0.1)) continue;
    pair.outcome = brach(pair.problem);
    if (pair.outcome.verdict() == Verdict::no_solution) continue;
    const auto& [P, C] = std::pair(pair.outcome.impulse, pair.outcome.couple);
    const std::vector<double> after =
        bodies.velocity_after(std::array{P.n, P.t1, P.t2, C.n, C.t1, C.t2});
    for (std::size_t i = 0; i < 2; ++i) {
      const double* u = after.data() + 6 * i;
      pair.after[i] = {.velocity = {u[0], u[1], u[2]}, .spin = {u[3], u[4], u[5]}};
    }
    pair.energy = bodies.kinetic_energy(bodies.u);
    pair.loss = pair.energy - bodies.kinetic_energy(after);
    return pair;
  }
}

Pair with_couples(FixedRandom& random) { return random_pair(random, std::nullopt); }
Pair in_point_contact(FixedRandom& random) { return random_pair(random, {{-1., -1., -1.}}); }
/// About n and t' rotation ends, about t there is no couple.
Pair with_stops(FixedRandom& random) { return random_pair(random, {{0., -1., 0.}}); }

// --- Section 2 -----------------------------------------------------------------------------------

World3 in_world(const Vec3& v) { return {v.t1, v.t2, v.n}; }

// Residuals; all terms are of the order of 1 in SI units.

/// Eqs 1 and 2: m_i (V_i - v_i) = +-P and H_i - h_i = +-(M + d_i x P).
double momentum_off(const Pair& pair) {
  const World3 push = in_world(pair.outcome.impulse);
  const World3 twist = in_world(pair.outcome.couple);
  double most = 0.;
  for (std::size_t i = 0; i < 2; ++i) {
    const double side = i == 0 ? 1. : -1.;
    const SpatialBody& b = pair.body[i];
    const Motion& after = pair.after[i];
    const World3 moment = cross(b.contact_offset, push);
    for (std::size_t j = 0; j < 3; ++j) {
      const double linear = b.mass * (after.velocity[j] - b.velocity[j]) - side * push[j];
      const double angular =
          b.inertia[j][j] * (after.spin[j] - b.spin[j]) - side * (twist[j] + moment[j]);
      most = largest({most, std::abs(linear), std::abs(angular)});
    }
  }
  return most;
}

/// Eq. 5: V_n = -e_n v_n.
double restitution_off(const Pair& pair) {
  return std::abs(pair.outcome.velocity.n +
                  pair.problem.surface.restitution * pair.problem.approach.n);
}

/// Eqs 6 and 7: P_j = mu_j P_n.
double ratios_off(const Pair& pair) {
  const Vec3& P = pair.outcome.impulse;
  const auto& mu = pair.problem.surface.tangential;
  return largest(std::abs(P.t1 - mu[0] * P.n), std::abs(P.t2 - mu[1] * P.n));
}

/// Eq. 4: e_mj M_j = (1 + e_mj) I_j (Omega_1j - Omega_2j), I_j = I_1j I_2j/(I_1j + I_2j).
double couples_off(const Pair& pair) {
  const World3 couple = in_world(pair.outcome.couple);
  double most = 0.;
  for (std::size_t j = 0; j < 3; ++j) {
    const double I1 = pair.body[0].inertia[j][j];
    const double I2 = pair.body[1].inertia[j][j];
    const double e_m = pair.problem.surface.moment[(j + 1) % 3];  // n, t, t'
    most =
        largest(most, std::abs(e_m * couple[j] - (1. + e_m) * I1 * I2 / (I1 + I2) * pair.spin(j)));
  }
  return most;
}

Found equations_hold(Pair (*draw)(FixedRandom&)) {
  return rounding({{"momentum", worst(18, draw, momentum_off)},
                   {"normal", worst(18, draw, restitution_off)},
                   {"ratios", worst(18, draw, ratios_off)},
                   {"couples", worst(18, draw, couples_off)}});
}

// --- Section 2.2 ---------------------------------------------------------------------------------

/// The outcome again, by e_t and e_t' in place of the impulse ratios.
double by_coefficients_off(const Pair& pair, Form) {
  const SpatialBrachCoefficients c = brach_coefficients(pair.problem, pair.outcome);
  SpatialProblem p = pair.problem;
  p.surface.set_tangential_coefficient({*c.e_t[0], *c.e_t[1]});
  const SpatialOutcome o = brach(p);
  return largest(size(o.velocity - pair.outcome.velocity), size(o.impulse - pair.outcome.impulse));
}

/// e_t = mu_t/mu_t0 - 1.
double sphere_by_coefficients_off(const Sphere& s, Form) {
  const Struck o = struck(s, {.restitution = s.e_n,
                              .tangential_rule = BrachRule::coefficient,
                              .tangential = {s.part[0] - 1., s.part[1] - 1.}});
  return size(o.after.velocity - struck(s).after.velocity);
}

// --- Section 3 -----------------------------------------------------------------------------------

using Ratios = std::array<double, 2>;

/// (1, mu_t, mu_t'): the impulse for a unit of P_n.
Vec3 impulse_of(const Ratios& mu) { return {.n = 1., .t1 = mu[0], .t2 = mu[1]}; }

/// Eq. 10 against the energies of the bodies: T_L = -P_n (P_n q.a.q - 2 P_n0 q.a.q_0)/2, with P_n0
/// and q_0 at e_n = 0, or (the other reading) at the actual e_n.
double loss_10_off(const Pair& pair, Form form) {
  const SpatialProblem& p = pair.problem;
  const double e_n = form == Form::printed ? p.surface.restitution : 0.;
  const CriticalRatios mu_0 = critical_ratios(p, e_n);
  if (!mu_0.exist) return 0.;
  const Vec3 q = impulse_of(p.surface.tangential);
  const Vec3 aq_0 = p.G * impulse_of(mu_0.ratio);
  const double P_n0 = -(1. + e_n) * p.approach.n / aq_0.n;
  const double P_n = pair.outcome.impulse.n;
  const double loss = -0.5 * P_n * (P_n * dot(q, p.G * q) - 2. * P_n0 * dot(q, aq_0));
  return std::abs(pair.loss - loss) / pair.energy;
}

/// T_L = -P.(v + V)/2 - M.(w + W)/2.
double loss_with_couples_off(const Pair& pair, Form) {
  const SpatialOutcome& o = pair.outcome;
  const Vec3 spin{.n = pair.spin(2), .t1 = pair.spin(0), .t2 = pair.spin(1)};
  const double loss = -0.5 * dot(o.impulse, pair.problem.approach + o.velocity) -
                      0.5 * dot(o.couple, pair.problem.spin.approach + spin);
  return std::abs(pair.loss - loss) / pair.energy;
}

/// The loss [J] at given e_n and ratios.
double loss_at(SpatialProblem p, double e_n, const Ratios& mu) {
  p.surface.restitution = e_n;
  p.surface.set_impulse_ratio(mu);
  return -brach(p).energy.change;
}

constexpr double flat = 1e-6;  // a slope of zero, by differences

/// |mu| |dT_L/dmu| at given e_n, over the greatest loss; by central differences.
double slope_at(const SpatialProblem& p, double e_n, const Ratios& mu) {
  constexpr double part = 1e-4;
  const double step = part * std::hypot(mu[0], mu[1]);
  const auto loss = [&](double t, double t2) { return loss_at(p, e_n, {mu[0] + t, mu[1] + t2}); };
  return std::hypot(loss(step, 0.) - loss(-step, 0.), loss(0., step) - loss(0., -step)) /
         (2. * part * contact_energy(p));
}

Ratios of_actual(const SpatialProblem& p, double e_n) { return critical_ratios(p, e_n).ratio; }
Ratios of_zero(const SpatialProblem& p, double) { return critical_ratios(p, 0.).ratio; }
Ratios of_t_alone(const SpatialProblem& p, double e_n) {
  const double mu_t0 = of_actual(p, e_n)[0];
  return {mu_t0, mu_t0};
}

/// The steepest over random spheres.
double steepest(Ratios (*ratios)(const SpatialProblem&, double)) {
  return worst(32, in_space, [&](const Sphere& s) {
    return slope_at(problem_of(s), s.e_n, ratios(problem_of(s), s.e_n));
  });
}

Found where_stationary() {
  const double actual = steepest(of_actual);
  const double zero = steepest(of_zero);
  const double twice = steepest(of_t_alone);
  return {actual < flat && zero > 0.1 && twice > 0.1,
          {{"trials", trials}, {"actual", decade(actual)}, {"zero", zero}, {"twice", twice}}};
}

/// The loss over mu/mu_0, where the slip is along t.
ChartPanel loss_panel(const char* title, const SpatialProblem& p) {
  ChartPanel panel{.title = title,
                   .x = {.label = "μ/μ₀, μ₀ of the actual e_n", .range = Range{0., 2.}},
                   .y = {.label = "energy loss over its greatest", .range = Range{0., 1.1}},
                   .marks = {{.at = 1., .label = "slip ends"}}};
  for (const auto& [e_n, colour] : {std::pair{0., "#0072B2"}, {0.5, "#009E73"}, {1., "#D55E00"}}) {
    const double mu_0 = of_actual(p, e_n)[0];
    panel.series.push_back(through({.label = fmt::format("e_n = {}", e_n), .colour = colour},
                                   spread(0., 2., 101), [&, e = e_n](double part) {
                                     return loss_at(p, e, {part * mu_0, 0.}) / contact_energy(p);
                                   }));
  }
  return panel;
}

Chart chart_of_loss() {
  const SpatialProblem off_centre{.G = {.nn = 1.5, .n1 = -0.6, .t11 = 2., .t22 = 2.},
                                  .approach = {.n = -1., .t1 = 1.2},
                                  .surface = {}};
  return {.heading = "Energy loss over the impulse ratio",
          .subheading =
              "in units of ½ v·a⁻¹·v; (a) v = (−1, 1) m/s, (b) a_nn, a_nt, a_tt = 1.5, −0.6, 2 "
              "1/kg, v = (−1, 1.2) m/s",
          .panels = {loss_panel("(a) sphere: a central impact", problem_of(skidding(0.))),
                     loss_panel("(b) mass centre off the normal", off_centre)},
          .panel_width = 560,
          .panel_height = 280};
}

}  // namespace

Computations any_bodies() {
  Computations paper;
  paper.checks["system-equations"] = [] { return equations_hold(with_couples); };
  paper.checks["point-contact"] = [] { return equations_hold(in_point_contact); };
  // e_mj = 0 stops the relative rotation about j, e_mj = -1 leaves no couple.
  paper.checks["moment-coefficients"] = []() -> Found {
    const double rotation = worst(4, with_stops, [](const Pair& pair) {
      return largest(std::abs(pair.spin(2)), std::abs(pair.spin(1)));
    });
    const double couple =
        worst(4, with_stops, [](const Pair& pair) { return std::abs(pair.outcome.couple.t1); });
    return rounding({{"rotation", rotation}}, couple == 0., {{"couple", couple}});
  };
  paper.checks["velocity-coefficients"] = agrees(22, in_point_contact, by_coefficients_off);
  paper.checks["velocity-coefficients-of-sphere"] =
      agrees(23, in_space, sphere_by_coefficients_off);
  paper.checks["eq-10"] = agrees(10, in_point_contact, loss_10_off);
  // No coefficients lose more than (0, mu_t0, mu_t'0), and these lose v.a^-1.v/2.
  paper.checks["greatest-loss"] = []() -> Found {
    FixedRandom other(7);
    int count = 0;
    double above = 0.;
    const double peak = worst(33, in_point_contact, [&](const Pair& pair) {
      const SpatialProblem& p = pair.problem;
      const CriticalRatios mu_0 = critical_ratios(p, 0.);
      if (!mu_0.exist) return 0.;
      ++count;
      const double most = loss_at(p, 0., mu_0.ratio);
      for (int k = 0; k < 10; ++k) {
        const double mu = other(-2., 2.);
        const double e_n = other(0., 1.);
        above = largest(above, (loss_at(p, e_n, {mu, other(-2., 2.)}) - most) / most);
      }
      return std::abs(most - contact_energy(p)) / most;
    });
    return rounding({{"peak", peak}, {"above", above}}, count > trials / 2, {{"count", count}});
  };
  // Also how steep it is for bodies that are off centre.
  paper.checks["stationary"] = []() -> Found {
    const double gradient = steepest(of_actual);
    const double off_centre = worst(34, in_point_contact, [](const Pair& pair) {
      const double e_n = pair.problem.surface.restitution;
      const CriticalRatios mu_0 = critical_ratios(pair.problem, e_n);
      return mu_0.exist ? slope_at(pair.problem, e_n, mu_0.ratio) : 0.;
    });
    return {gradient < flat,
            {{"trials", trials}, {"gradient", decade(gradient)}, {"off_centre", off_centre}}};
  };
  paper.checks["stationary-at-zero"] = []() -> Found {
    return {steepest(of_zero) < flat, where_stationary().values};
  };
  paper.checks["loss-with-couples"] = agrees(31, with_couples, loss_with_couples_off);
  // T_L >= 0 at given ratios: 1 + e_n <= 2 (q.v)(a_n.q)/(v_n q.a.q).
  paper.checks["bound-on-restitution"] = []() -> Found {
    int count = 0;
    const double most = worst(35, in_point_contact, [&](const Pair& pair) {
      const SpatialProblem& p = pair.problem;
      const Vec3 q = impulse_of(p.surface.tangential);
      const Vec3 aq = p.G * q;
      const double limit = 2. * dot(q, p.approach) * aq.n / (p.approach.n * dot(q, aq)) - 1.;
      const Intervals allowed = admissible(p, BrachCoefficient::normal);
      if (allowed.empty() || limit < 0.) return 0.;
      ++count;
      return std::abs(allowed[allowed.size() - 1].high - limit);
    });
    return rounding({{"apart", most}}, count > trials / 2, {{"count", count}});
  };
  paper.checks["B2"] = where_stationary;
  paper.checks["B3"] = misprint(10, in_point_contact, loss_10_off);
  paper.pictures["brach-loss"] = chart(chart_of_loss);
  return paper;
}

}  // namespace carom::papers::br
