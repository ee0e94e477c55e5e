// SPDX-License-Identifier: Apache-2.0
// `newton`, `poisson`, `energetic` against the equations that define them.
#include <support/generators.hpp>

#include <algorithm>
#include <cmath>

#include <carom/impact/labels.hpp>
#include <carom/laws/table.hpp>

namespace carom::test {
namespace {

constexpr double tight = 1e-12;

/// All three by name, so that a failure names it.
constexpr Hypothesis hypotheses[] = {Hypothesis::newton, Hypothesis::poisson,
                                     Hypothesis::energetic};

double energy_scale(const PlanarProblem& p, const PlanarOutcome& o) {
  return (std::abs(o.impulse.n) + std::abs(o.impulse.t)) * velocity_scale(p, o.impulse, o.velocity);
}

RC_GTEST_PROP(ExactFamily, MomentumBalances, (const PlanarProblem& p)) {
  for (const auto h : hypotheses) {
    const auto o = routh(p, h);
    RC_ASSERT(momentum_residual(p, o.impulse, o.velocity) <= tight);
    for (const auto& phase : o.phases) {
      RC_ASSERT(momentum_residual(p, phase.impulse, phase.velocity) <= tight);
    }
  }
}

RC_GTEST_PROP(ExactFamily, LedgerCloses, (const PlanarProblem& p)) {
  for (const auto h : hypotheses) {
    const auto o = routh(p, h);
    const double work = 0.5 * dot(o.impulse, p.approach + o.velocity);
    RC_ASSERT(std::abs(o.energy.change - work) <= tight * energy_scale(p, o));
    RC_ASSERT(o.energy.stages.has_value());
    RC_ASSERT(o.energy.stages->compression <= 0.);
    RC_ASSERT(o.energy.stages->restitution >= 0.);
    RC_ASSERT(o.energy.friction <= 0.);
  }
}

// The phases are those of the process that defines the law: what friction does in each, and when it
// ends.
RC_GTEST_PROP(ExactFamily, PhasesFollowCoulombAndTheStages, (const PlanarProblem& p)) {
  for (const auto h : hypotheses) {
    const auto o = routh(p, h);
    RC_ASSERT(!o.phases.empty());
    const double v_tol = tight * velocity_scale(p, o.impulse, o.velocity);
    const double p_tol = tight * (o.impulse.n + std::abs(o.impulse.t));
    Vec2 P;
    Vec2 v = p.approach;
    double p_c = 0.;
    for (const auto& phase : o.phases) {
      const Vec2 dP = phase.impulse - P;
      RC_ASSERT(dP.n > 0.);
      if (phase.motion == Motion::stick) {
        RC_ASSERT(v.t == 0. && phase.velocity.t == 0.);
        RC_ASSERT(std::abs(dP.t) <= p.surface.static_friction * dP.n + p_tol);
      } else {
        // One direction throughout the phase, friction against it at full strength.
        const double s = v.t != 0. ? v.t : phase.velocity.t;
        RC_ASSERT(v.t * phase.velocity.t >= -v_tol * v_tol);
        RC_ASSERT(std::abs(dP.t + p.surface.friction * sign(s) * dP.n) <= p_tol);
      }
      if (phase.stage == Stage::compression) {
        RC_ASSERT(v.n <= v_tol && phase.velocity.n <= v_tol);
        p_c = phase.impulse.n;
      } else {
        RC_ASSERT(v.n >= -v_tol && phase.velocity.n >= -v_tol);
      }
      P = phase.impulse;
      v = phase.velocity;
    }
    RC_ASSERT(P == o.impulse);
    RC_ASSERT(std::abs(v.n - o.velocity.n) <= v_tol && std::abs(v.t - o.velocity.t) <= v_tol);
    // Stick is left only to slip that static friction could not hold.
    const bool held = std::abs(p.G.nt) <= p.surface.static_friction * p.G.tt;
    for (const auto& phase : o.phases) {
      if (phase.motion == Motion::stick) RC_ASSERT(held);
      if (phase.motion == Motion::reverse_slip) RC_ASSERT(!held);
    }
    RC_ASSERT(p_c > 0.);
  }
}

RC_GTEST_PROP(ExactFamily, StaysInTheConeAndSeparates, (const PlanarProblem& p)) {
  for (const auto h : hypotheses) {
    const auto o = routh(p, h);
    RC_ASSERT(o.impulse.n > 0.);
    RC_ASSERT(o.velocity.n >= 0.);
    RC_ASSERT(std::abs(o.impulse.t) <= p.surface.static_friction * o.impulse.n * (1. + tight));
  }
}

// The hypothesis holds: e measured on the outcome is the e that went in.
RC_GTEST_PROP(ExactFamily, RestitutionMeansWhatTheHypothesisSays, (const PlanarProblem& p)) {
  const double e = p.surface.restitution;
  const auto measured = [&](Hypothesis h) { return equivalent_restitution(p, routh(p, h)); };
  RC_ASSERT(std::abs(*measured(Hypothesis::newton).newton - e) <= tight);
  RC_ASSERT(std::abs(*measured(Hypothesis::poisson).poisson - e) <= tight);
  const double e_energetic = *measured(Hypothesis::energetic).energetic;
  RC_ASSERT(std::abs(e_energetic * e_energetic - e * e) <= tight);
}

RC_GTEST_PROP(ExactFamily, PoissonAndEnergeticNeverGainEnergy, (const PlanarProblem& p)) {
  for (const auto h : {Hypothesis::poisson, Hypothesis::energetic}) {
    const auto o = routh(p, h);
    RC_ASSERT(!o.flags.has(Verdict::energy_gained));
    RC_ASSERT(o.energy.change <= tight * energy_scale(p, o));
  }
}

RC_GTEST_PROP(ExactFamily, ModeDoesNotDependOnTheHypothesis, (const PlanarProblem& p)) {
  const auto mode = routh(p, Hypothesis::newton).mode;
  RC_ASSERT(routh(p, Hypothesis::poisson).mode == mode);
  RC_ASSERT(routh(p, Hypothesis::energetic).mode == mode);
}

// Where slip lasts or never was, the slope is one throughout and the three are one.
RC_GTEST_PROP(ExactFamily, CoincideOnOneSegment, (const PlanarProblem& p)) {
  const auto newton = routh(p, Hypothesis::newton);
  const bool one_segment = newton.mode == Mode::slides || newton.mode == Mode::no_slip_sticks ||
                           newton.mode == Mode::no_slip_slides;
  RC_PRE(one_segment);
  for (const auto h : {Hypothesis::poisson, Hypothesis::energetic}) {
    const auto o = routh(p, h);
    const double scale = velocity_scale(p, o.impulse, o.velocity);
    RC_ASSERT(std::abs(o.velocity.n - newton.velocity.n) <= tight * scale);
    RC_ASSERT(std::abs(o.velocity.t - newton.velocity.t) <= tight * scale);
  }
}

// Mirror the tangent: everything tangential changes sign, to the last bit.
RC_GTEST_PROP(ExactFamily, ReflectionIsExact, (const PlanarProblem& p)) {
  PlanarProblem mirrored = p;
  mirrored.G.nt = -p.G.nt;
  mirrored.approach.t = -p.approach.t;
  for (const auto h : hypotheses) {
    const auto a = routh(p, h);
    const auto b = routh(mirrored, h);
    RC_ASSERT(a.impulse.n == b.impulse.n && a.impulse.t == -b.impulse.t);
    RC_ASSERT(a.velocity.n == b.velocity.n && a.velocity.t == -b.velocity.t);
    RC_ASSERT(a.energy == b.energy && a.mode == b.mode && a.flags == b.flags);
  }
}

PlanarProblem in_other_units(const PlanarProblem& p, double mass, double speed) {
  PlanarProblem q = p;
  q.G = {.nn = p.G.nn / mass, .nt = p.G.nt / mass, .tt = p.G.tt / mass};
  q.approach = {.n = p.approach.n * speed, .t = p.approach.t * speed};
  return q;
}

// Masses, lengths and times in units that differ by powers of two: the same bits.
RC_GTEST_PROP(ExactFamily, UnitsDoNotMatterToTheBit, (const PlanarProblem& p)) {
  const double m = std::ldexp(1., *rc::gen::inRange(-30, 31));
  const double u = std::ldexp(1., *rc::gen::inRange(-30, 31));
  const auto q = in_other_units(p, m, u);
  for (const auto h : hypotheses) {
    const auto a = routh(p, h);
    const auto b = routh(q, h);
    RC_ASSERT(b.velocity == u * a.velocity);
    RC_ASSERT(b.impulse == (m * u) * a.impulse);
    RC_ASSERT(b.mode == a.mode && b.flags == a.flags);
    if (h != Hypothesis::energetic) {  // a square root of an odd power rounds differently
      RC_ASSERT(b.energy.change == m * u * u * a.energy.change);
    }
  }
}

// By powers of ten, G itself is rounded: a nearly singular problem then moves by eps/(1 - rho^2).
RC_GTEST_PROP(ExactFamily, UnitsDoNotMatter, (const PlanarProblem& p)) {
  const double m = std::pow(10., *rc::gen::inRange(-9, 10));
  const double u = std::pow(10., *rc::gen::inRange(-9, 10));
  const auto q = in_other_units(p, m, u);
  const double rho = p.G.nt / std::sqrt(p.G.nn * p.G.tt);
  const double allowed = 1e-13 / (1. - rho * rho) + tight;
  for (const auto h : hypotheses) {
    const auto a = routh(p, h);
    const auto b = routh(q, h);
    const double v_scale = velocity_scale(p, a.impulse, a.velocity);
    const double p_scale = a.impulse.n + std::abs(a.impulse.t);
    RC_ASSERT(std::abs(b.velocity.n / u - a.velocity.n) <= allowed * v_scale);
    RC_ASSERT(std::abs(b.velocity.t / u - a.velocity.t) <= allowed * v_scale);
    RC_ASSERT(std::abs(b.impulse.n / (m * u) - a.impulse.n) <= allowed * p_scale);
    RC_ASSERT(std::abs(b.energy.change / (m * u * u) - a.energy.change) <=
              allowed * p_scale * v_scale);
  }
}

// Rank one: an answer that obeys momentum, the cone and the energy, or a verdict that there is
// none.
RC_GTEST_PROP(ExactFamily, RankOneIsAnsweredOrSaidToHaveNoSolution, ()) {
  const auto p = *rank_one_problems();
  const bool fixed = p.G.nn == 0.;  // no normal impulse can turn it
  for (const auto h : hypotheses) {
    const auto o = routh(p, h);
    RC_ASSERT(std::isfinite(o.impulse.n) && std::isfinite(o.impulse.t));
    if (o.flags.has(Verdict::no_solution) || o.flags.has(Verdict::no_impulse)) {
      RC_ASSERT(o.velocity == p.approach && o.impulse == Vec2{});
      RC_ASSERT(o.flags.has(Verdict::no_solution) == (p.approach.n < 0.));
      continue;
    }
    RC_ASSERT(!fixed);
    RC_ASSERT(momentum_residual(p, o.impulse, o.velocity) <= tight);
    RC_ASSERT(o.velocity.n >= 0. && o.impulse.n > 0.);
    RC_ASSERT(std::abs(o.impulse.t) <= p.surface.friction * o.impulse.n * (1. + tight));
    if (h != Hypothesis::newton) RC_ASSERT(!o.flags.has(Verdict::energy_gained));
    for (const auto& phase : o.phases) {
      RC_ASSERT(momentum_residual(p, phase.impulse, phase.velocity) <= tight);
    }
    for (std::size_t i = 1; i < o.phases.size(); ++i) {
      RC_ASSERT(o.phases[i].impulse.n > o.phases[i - 1].impulse.n);
    }
  }
}

// A grazing approach is the limit of slower and slower ones.
RC_GTEST_PROP(ExactFamily, GrazingIsTheLimit, (const PlanarProblem& drawn)) {
  PlanarProblem p = drawn;
  RC_PRE(p.approach.t != 0.);
  const double rho = p.G.nt / std::sqrt(p.G.nn * p.G.tt);
  RC_PRE(std::abs(rho) < 0.995);
  p.approach.n = 0.;
  PlanarProblem nearly = p;
  nearly.approach.n = -1e-11 * std::abs(p.approach.t) * std::sqrt(p.G.nn / p.G.tt);
  const double slope = p.G.nn - p.surface.friction * sign(p.approach.t) * p.G.nt;
  RC_PRE(std::abs(slope) > 1e-3 * p.G.nn);  // at slope 0 the limit is not continuous
  for (const auto h : hypotheses) {
    const auto o = routh(p, h);
    const auto limit = routh(nearly, h);
    const double scale = velocity_scale(nearly, limit.impulse, limit.velocity);
    RC_ASSERT(std::abs(o.velocity.n - limit.velocity.n) <= 1e-5 * scale);
    RC_ASSERT(std::abs(o.velocity.t - limit.velocity.t) <= 1e-5 * scale);
    RC_ASSERT((o.impulse.n > 0.) == (slope < 0.));
    RC_ASSERT(o.flags.has(slope < 0. ? Verdict::jam : Verdict::no_impulse));
  }
}

}  // namespace
}  // namespace carom::test
