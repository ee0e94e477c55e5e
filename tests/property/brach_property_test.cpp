// SPDX-License-Identifier: Apache-2.0
// `brach` and `conventional` against the equations that define them, and against the other laws.
#include <support/generators.hpp>

#include <algorithm>
#include <cmath>

#include <carom/impact/labels.hpp>
#include <carom/laws/table.hpp>

namespace carom::test {
namespace {

constexpr double tight = 1e-12;

double energy_scale(const PlanarProblem& p, const PlanarOutcome& o) {
  return (std::abs(o.impulse.n) + std::abs(o.impulse.t)) * velocity_scale(p, o.impulse, o.velocity);
}

/// How much a nearly singular G amplifies rounding.
double condition(const PlanarProblem& p) {
  const double rho = p.G.nt / std::sqrt(p.G.nn * p.G.tt);
  return 1. / (1. - rho * rho);
}

// Any law's outcome, re-expressed in Brach's coefficients, comes back from `brach`.
RC_GTEST_PROP(Brach, GivesAnyOutcomeBackFromItsCoefficients, ()) {
  const auto p = *problems({.static_friction = true, .tangential_restitution = true});
  for (const Law& law : laws_for(in_the_plane)) {
    const PlanarOutcome o = solve(planar_kernel(law), p);
    if (!(o.impulse.n > 0.)) continue;
    const BrachCoefficients b = brach_coefficients(p, o);
    PlanarProblem again = p;
    again.surface.restitution = *b.e_n;
    again.surface.set_impulse_ratio({*b.impulse_ratio, 0.});
    const PlanarOutcome back = brach(again);
    const double v = velocity_scale(p, o.impulse, o.velocity);
    // 1e-12 but where the slope G_nn + mu_t G_nt is a small difference.
    const double slope = p.G.nn + *b.impulse_ratio * p.G.nt;
    const double sum = p.G.nn + std::abs(*b.impulse_ratio * p.G.nt);
    const double allowed = tight * std::max(1., 0.01 * sum / slope);
    RC_ASSERT(std::abs(back.impulse.n - o.impulse.n) <= allowed * o.impulse.n);
    RC_ASSERT(std::abs(back.impulse.t - o.impulse.t) <=
              allowed * (o.impulse.n + std::abs(o.impulse.t)));
    RC_ASSERT(std::abs(back.velocity.n - o.velocity.n) <= allowed * v);
    RC_ASSERT(std::abs(back.velocity.t - o.velocity.t) <= allowed * v);
    RC_ASSERT(std::abs(back.energy.change - o.energy.change) <= 4. * allowed * energy_scale(p, o));
  }
}

// The same by the velocity ratio e_t, where there is slip to measure it against and G is not
// nearly singular.
RC_GTEST_PROP(Brach, GivesAnyOutcomeBackFromItsVelocityRatio, ()) {
  const auto p = *problems();
  RC_PRE(p.approach.t != 0. && condition(p) < 100.);
  for (const Law& law : laws_for(in_the_plane)) {
    const PlanarOutcome o = solve(planar_kernel(law), p);
    if (!(o.impulse.n > 0.)) continue;
    const BrachCoefficients b = brach_coefficients(p, o);
    PlanarProblem again = p;
    again.surface.restitution = *b.e_n;
    again.surface.set_tangential_coefficient({*b.e_t, 0.});
    const PlanarOutcome back = brach(again);
    const double v = velocity_scale(p, o.impulse, o.velocity);
    const double P = o.impulse.n + std::abs(o.impulse.t);
    // P = G^-1 (v+ - v-) is as uncertain as v times G^-1: by some hundred roundings.
    const double allowed =
        tight * std::max(P, 0.05 * condition(p) * v * (1. / p.G.nn + 1. / p.G.tt));
    RC_ASSERT(std::abs(back.velocity.n - o.velocity.n) <= tight * v);
    RC_ASSERT(std::abs(back.velocity.t - o.velocity.t) <= tight * v);
    RC_ASSERT(std::abs(back.impulse.n - o.impulse.n) <= allowed);
    RC_ASSERT(std::abs(back.impulse.t - o.impulse.t) <= allowed);
  }
}

// Coulomb's rule: friction at its limit, or just what ends slip; never more.
RC_GTEST_PROP(Brach, CoulombsRule, ()) {
  const auto p = *problems({.static_friction = false});
  const auto o = brach(p);
  if (o.flags.has(Verdict::no_solution)) return;
  RC_ASSERT(momentum_residual(p, o.impulse, o.velocity) <= tight);
  RC_ASSERT(o.velocity.n == -p.surface.restitution * p.approach.n);
  const double limit = p.surface.friction * o.impulse.n;
  RC_ASSERT(std::abs(o.impulse.t) <= limit * (1. + tight));
  if (o.mode == Mode::stick) {
    RC_ASSERT(o.velocity.t == 0.);
  } else {
    RC_ASSERT(std::abs(std::abs(o.impulse.t) - limit) <= tight * limit);
    // Against the slip that is left.
    const double v_tol = tight * velocity_scale(p, o.impulse, o.velocity);
    RC_ASSERT(o.impulse.t * o.velocity.t <= v_tol * std::abs(o.impulse.t));
  }
  RC_ASSERT(std::abs(o.energy.change - 0.5 * dot(o.impulse, p.approach + o.velocity)) <=
            tight * energy_scale(p, o));
}

// Impulse and velocity belong together however close G is to rank one, slow approaches included.
RC_GTEST_PROP(Brach, KeepsMomentumNearRankOne, ()) {
  auto p = *problems({.static_friction = false});
  const double off = std::pow(10., -*thousandths(1000, 14'000));
  const double side = *rc::gen::element(-1., 1.);
  p.G.nt = side * std::sqrt(1. - off) * std::sqrt(p.G.nn * p.G.tt);
  p.approach.n *= std::pow(10., -*thousandths(0, 12'000));
  const auto rule = *rc::gen::inRange(0, 3);
  if (rule == 1) p.surface.set_tangential_coefficient({*thousandths(-1500, 1500), 0.});
  if (rule == 2) p.surface.set_impulse_ratio({*thousandths(-3000, 3000), 0.});
  const auto o = brach(p);
  if (o.flags.has(Verdict::no_solution)) return;
  RC_ASSERT(momentum_residual(p, o.impulse, o.velocity) <= tight);
  RC_ASSERT(o.impulse.n > 0.);
}

// Without coupling, Coulomb's rule on the total impulse is the friction process itself: all agree.
RC_GTEST_PROP(Brach, IsTheExactProcessOnASphere, ()) {
  auto p = *problems({.static_friction = false});
  p.G.nt = 0.;
  const auto a = brach(p);
  for (const auto h : {Hypothesis::newton, Hypothesis::poisson, Hypothesis::energetic}) {
    const auto b = routh(p, h);
    const double v = velocity_scale(p, b.impulse, b.velocity);
    RC_ASSERT(std::abs(a.velocity.n - b.velocity.n) <= tight * v);
    RC_ASSERT(std::abs(a.velocity.t - b.velocity.t) <= tight * v);
  }
}

/// A problem of two bodies: G and the spin row by the bodies' own masses.
rc::Gen<PlanarProblem> bodies() {
  const auto offset = thousandths(-2000, 2000);
  const auto size = thousandths(100, 5000);
  return rc::gen::map(
      rc::gen::tuple(size, size, size, size, offset, offset, offset, offset,
                     rc::gen::tuple(thousandths(-3000, 3000), thousandths(-3000, 3000),
                                    restitution(), friction(), thousandths(-1000, 200))),
      [](const auto& drawn) {
        const auto& [m1, I1, m2, I2, x1, y1, x2, y2, rest] = drawn;
        const auto& [v_t, spin, e, mu, e_m] = rest;
        PlanarProblem p;
        // c x n with n = (0, 1) is x, c x t with t = (1, 0) is -y.
        p.G = {.nn = 1. / m1 + 1. / m2 + x1 * x1 / I1 + x2 * x2 / I2,
               .nt = -x1 * y1 / I1 - x2 * y2 / I2,
               .tt = 1. / m1 + 1. / m2 + y1 * y1 / I1 + y2 * y2 / I2};
        p.spin = {.nr = x1 / I1 + x2 / I2,
                  .tr = -y1 / I1 - y2 / I2,
                  .rr = 1. / I1 + 1. / I2,
                  .approach = spin};
        p.approach = {.n = -1., .t = v_t};
        p.surface.restitution = e;
        p.surface.friction = p.surface.static_friction = mu;
        p.surface.moment[0] = e_m;
        return p;
      });
}

// e_m M = (1 + e_m) Omega_r/G_rr, momentum of all three rows, and the ledger.
RC_GTEST_PROP(Brach, CoupleObeysItsEquation, ()) {
  const auto p = *bodies();
  const auto o = brach(p);
  if (o.flags.has(Verdict::no_solution)) return;
  const auto& [G, v, surface, spin] = p;
  const auto& [P, M] = std::pair(o.impulse, o.couple);
  const double after = spin.approach + spin.nr * P.n + spin.tr * P.t + spin.rr * M;
  const double spins = std::abs(spin.approach) + std::abs(spin.nr * P.n) + std::abs(spin.tr * P.t) +
                       std::abs(spin.rr * M);
  RC_ASSERT(std::abs(surface.moment[0] * M * spin.rr - (1. + surface.moment[0]) * after) <=
            tight * spins);
  const double scale =
      velocity_scale(p, P, o.velocity) + std::abs(spin.nr * M) + std::abs(spin.tr * M);
  const Vec2 made = v + G * P + M * Vec2{.n = spin.nr, .t = spin.tr};
  RC_ASSERT(std::abs(made.n - o.velocity.n) <= tight * scale);
  RC_ASSERT(std::abs(made.t - o.velocity.t) <= tight * scale);
  const double change = 0.5 * dot(P, v + o.velocity) + 0.5 * M * (spin.approach + after);
  RC_ASSERT(std::abs(change - o.energy.change) <=
            tight * (scale * (P.n + std::abs(P.t)) + spins * std::abs(M)));
  if (surface.moment[0] == -1.) RC_ASSERT(M == 0.);
  const auto b = brach_coefficients(p, o);
  if (std::abs(M * spin.rr) > 1e-6 * spins) {
    RC_ASSERT(std::abs(*b.e_m - surface.moment[0]) <= 1e-9);
  }
}

// --- conventional --------------------------------------------------------------------------------

RC_GTEST_PROP(Conventional, MomentumRestitutionAndCone, (const PlanarProblem& p)) {
  for (const auto opposes : {FrictionOpposes::approach, FrictionOpposes::rebound}) {
    const auto o = conventional(p, opposes);
    if (o.flags.has(Verdict::no_solution)) {
      // Friction against the approach can be more than the normal impulse can overcome.
      RC_ASSERT(opposes == FrictionOpposes::approach);
      RC_ASSERT(p.G.nn <= p.surface.friction * std::abs(p.G.nt));
      continue;
    }
    RC_ASSERT(momentum_residual(p, o.impulse, o.velocity) <= tight);
    RC_ASSERT(o.velocity.n == -p.surface.restitution * p.approach.n);
    const double limit =
        (o.mode == Mode::stick ? p.surface.static_friction : p.surface.friction) * o.impulse.n;
    RC_ASSERT(std::abs(o.impulse.t) <= limit * (1. + tight));
    if (o.mode == Mode::stick) {
      RC_ASSERT(o.velocity.t == 0.);
      continue;
    }
    // Slip: friction against the slip that the rule names, at full strength.
    const double slip = opposes == FrictionOpposes::approach ? p.approach.t : o.velocity.t;
    const double v_tol = tight * velocity_scale(p, o.impulse, o.velocity);
    RC_ASSERT(slip * o.impulse.t <= v_tol * std::abs(o.impulse.t));
    RC_ASSERT(std::abs(std::abs(o.impulse.t) - limit) <= tight * limit);
  }
}

// ERRATA, ST10.
RC_GTEST_PROP(Conventional, ReboundRuleIsMoreauWithoutTangentialRestitution, ()) {
  const auto p = *problems({.static_friction = false});
  const auto a = conventional(p, FrictionOpposes::rebound);
  const auto b = moreau(p, Hypothesis::newton);
  RC_ASSERT(!a.flags.has(Verdict::no_solution));
  const double v = velocity_scale(p, b.impulse, b.velocity);
  const double allowed = tight + 1e-15 * condition(p);
  RC_ASSERT(std::abs(a.velocity.n - b.velocity.n) <= tight * v);
  RC_ASSERT(std::abs(a.velocity.t - b.velocity.t) <= tight * v);
  RC_ASSERT(std::abs(a.impulse.n - b.impulse.n) <= allowed * b.impulse.n);
}

// On a rank-one G too, where moreau has an answer or says that there is none.
RC_GTEST_PROP(Conventional, ReboundRuleIsMoreauOnRankOne, ()) {
  auto p = *rank_one_problems();
  p.surface.tangential_restitution = 0.;
  const auto a = conventional(p, FrictionOpposes::rebound);
  const auto b = moreau(p, Hypothesis::newton);
  if (p.approach.n == 0.) return;  // moreau takes a limit there
  RC_ASSERT(a.flags.has(Verdict::no_solution) == b.flags.has(Verdict::no_solution));
  const double v = velocity_scale(p, b.impulse, b.velocity);
  RC_ASSERT(std::abs(a.velocity.n - b.velocity.n) <= tight * v);
  RC_ASSERT(std::abs(a.velocity.t - b.velocity.t) <= tight * v);
}

// Where brach slips it says what moreau says, both ending at v_n+ = -e v_n-; and where it sticks.
RC_GTEST_PROP(Brach, CoulombsRuleIsMoreauWithoutTangentialRestitution, ()) {
  const auto p = *problems({.static_friction = false});
  const auto a = brach(p);
  const auto b = moreau(p, Hypothesis::newton);
  if (a.flags.has(Verdict::no_solution)) return;
  const double v = velocity_scale(p, b.impulse, b.velocity);
  RC_ASSERT(std::abs(a.velocity.t - b.velocity.t) <= (tight + 1e-15 * condition(p)) * v);
}

}  // namespace
}  // namespace carom::test
