// SPDX-License-Identifier: Apache-2.0
#include <carom/laws/moreau/moreau.hpp>

#include <algorithm>

namespace carom {
namespace {

using complementarity::PlanarCase;
using complementarity::PlanarSolution;

Mode mode_of(const MoreauTotals<double>& r) {
  if (r.backward) return Mode::backward_slip;
  return r.forward ? Mode::forward_slip : Mode::stick;
}

Mode mode_of(PlanarCase c) {
  switch (c) {
    case PlanarCase::open:
      return Mode::no_impulse;
    case PlanarCase::backward:
      return Mode::backward_slip;
    case PlanarCase::stick:
      return Mode::stick;
    case PlanarCase::forward:
      return Mode::forward_slip;
  }
  return Mode::no_impulse;
}

/// The expansion stage of the two-stage law.
struct Expansion {
  Vec2 impulse;
  Vec2 velocity;
  Mode mode = Mode::stick;
};

Expansion expand(const Sym2& G, const Vec2& v, double normal, double mu) {
  const auto x = moreau_expansion(G, v, normal, mu);
  const Mode mode = x.backward ? Mode::backward_slip : x.forward ? Mode::forward_slip : Mode::stick;
  return {.impulse = x.impulse, .velocity = x.velocity, .mode = mode};
}

/// Slip along -t is backward. If it opposes the slip of the approach, it is reverse slip.
Motion motion_of(Mode m, double approach_slip) {
  if (m == Mode::stick) return Motion::stick;
  const bool reversed = m == Mode::backward_slip ? approach_slip > 0. : approach_slip < 0.;
  return reversed ? Motion::reverse_slip : Motion::slip;
}

void add_work(EnergyLedger& energy, const Vec2& impulse, const Vec2& before, const Vec2& after) {
  energy.normal += 0.5 * impulse.n * (before.n + after.n);
  energy.friction += 0.5 * impulse.t * (before.t + after.t);
  energy.change = energy.normal + energy.friction;
}

Verdicts flags_of(const PlanarProblem& problem, const EnergyLedger& energy) {
  Verdicts flags;
  // Without approach there are two solutions; the other one has no impulse.
  flags.add_if(problem.approach.n == 0., Verdict::several_solutions);
  flags.add_if(gains_energy(energy), Verdict::energy_gained);
  return flags;
}

bool happens(const Vec2& v, const MoreauTotals<double>& r) {
  return v.n <= 0. && !r.unsolvable && r.impulse.n > 0.;
}

PlanarOutcome nothing(const Vec2& v, const MoreauTotals<double>& r) {
  return unchanged(v, r.unsolvable && v.n < 0. ? Verdict::no_solution : Verdict::no_impulse);
}

PlanarOutcome one_stage(const PlanarProblem& problem, const MoreauTotals<double>& r) {
  EnergyLedger energy;
  add_work(energy, r.impulse, problem.approach, r.velocity);
  return {.impulse = r.impulse,
          .velocity = r.velocity,
          .energy = energy,
          .mode = mode_of(r),
          .flags = flags_of(problem, energy),
          .phases = {}};
}

PlanarOutcome two_stages(const PlanarProblem& problem, const MoreauTotals<double>& c) {
  const double e = problem.surface.restitution;
  const Mode compression = mode_of(c);
  PlanarOutcome o;
  o.impulse = c.impulse;
  o.velocity = c.velocity;
  o.mode = compression;
  add_work(o.energy, c.impulse, problem.approach, c.velocity);
  StageWork stages{.compression = o.energy.normal, .restitution = 0.};
  o.phases.push_back({.stage = Stage::compression,
                      .motion = motion_of(compression, problem.approach.t),
                      .impulse = c.impulse,
                      .velocity = c.velocity});
  if (e > 0.) {
    const Expansion x = expand(problem.G, c.velocity, e * c.impulse.n, problem.surface.friction);
    o.impulse = c.impulse + x.impulse;
    o.velocity = x.velocity;
    o.mode = x.mode == compression ? compression : Mode::stick;  // by the total impulse
    add_work(o.energy, x.impulse, c.velocity, x.velocity);
    stages.restitution = 0.5 * x.impulse.n * (c.velocity.n + x.velocity.n);
    o.phases.push_back({.stage = Stage::restitution,
                        .motion = motion_of(x.mode, problem.approach.t),
                        .impulse = o.impulse,
                        .velocity = o.velocity});
  }
  o.energy.stages = stages;
  o.flags = flags_of(problem, o.energy);
  return o;
}

// The outcome is built in place: each of these functions returns either one local variable or only
// the result of calls, so that it is never copied.

PlanarOutcome newton_outcome(const PlanarProblem& problem) {
  const Surface& s = problem.surface;
  const auto r = moreau_totals(problem.G, problem.approach, s.restitution, s.tangential_restitution,
                               s.friction);
  return happens(problem.approach, r) ? one_stage(problem, r) : nothing(problem.approach, r);
}

PlanarOutcome poisson_outcome(const PlanarProblem& problem) {
  const auto c = moreau_totals(problem.G, problem.approach, 0., 0., problem.surface.friction);
  return happens(problem.approach, c) ? two_stages(problem, c) : nothing(problem.approach, c);
}

}  // namespace

PlanarOutcome moreau(const PlanarProblem& problem, Hypothesis hypothesis) {
  return hypothesis == Hypothesis::poisson ? poisson_outcome(problem) : newton_outcome(problem);
}

MoreauSolutions moreau_solutions(const PlanarProblem& problem, Hypothesis hypothesis) {
  const auto& [G, v, surface, spin] = problem;
  const double e = surface.restitution;
  const bool one_stage = hypothesis == Hypothesis::newton && v.n <= 0.;
  const Vec2 eps = one_stage ? Vec2{.n = e, .t = surface.tangential_restitution} : Vec2{};
  const Vec2 b{.n = (1. + eps.n) * v.n, .t = (1. + eps.t) * v.t};
  MoreauSolutions all;
  for (const PlanarSolution& s :
       complementarity::enumerate_planar_friction(G, b, surface.friction)) {
    MoreauSolution answer{.mode = mode_of(s.branch),
                          .impulse = s.P,
                          .velocity = {.n = s.xi.n - eps.n * v.n, .t = s.xi.t - eps.t * v.t}};
    if (s.branch == PlanarCase::open) {
      answer.velocity = v;
    } else if (hypothesis == Hypothesis::poisson && e > 0.) {
      const Expansion x = expand(G, answer.velocity, e * s.P.n, surface.friction);
      answer.impulse = s.P + x.impulse;
      answer.velocity = x.velocity;
      if (x.mode != answer.mode) answer.mode = Mode::stick;
    }
    all.solution[all.size++] = answer;
  }
  return all;
}

}  // namespace carom
