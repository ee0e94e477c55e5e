// SPDX-License-Identifier: Apache-2.0
#include <carom/laws/brach/spatial.hpp>

#include <cmath>

#include <carom/impact/brach_system.hpp>

namespace carom {
namespace {

/// Coulomb's rule: (mu_t, mu_t') = min(1, f/|mu_0|) mu_0.
struct Coulomb {
  std::array<double, 2> ratio{};
  bool sticks = false;
};

Coulomb coulomb(const CriticalRatios& critical, double f) {
  const auto& d = critical.exist ? critical.ratio : critical.direction;
  const double size = std::sqrt(d[0] * d[0] + d[1] * d[1]);
  if (critical.exist && size <= f) return {.ratio = d, .sticks = true};
  if (!(size > 0.)) return {};
  return {.ratio = {f / size * d[0], f / size * d[1]}, .sticks = false};
}

SpatialOutcome outcome_of(const SpatialProblem& p, const BrachState& s, bool sticks) {
  if (!s.regular || !(s.impulse.n > 0.)) return unchanged(p.approach, Verdict::no_solution);
  SpatialOutcome o;
  o.impulse = s.impulse;
  o.velocity = s.velocity;
  o.couple = s.couple;
  const Vec3 twice = p.approach + s.velocity;
  o.energy.normal = 0.5 * s.impulse.n * twice.n;
  o.energy.friction = 0.5 * (s.impulse.t1 * twice.t1 + s.impulse.t2 * twice.t2);
  o.energy.couple = 0.5 * dot(s.couple, p.spin.approach + s.spin);
  o.energy.change = o.energy.normal + o.energy.friction + o.energy.couple;
  o.mode = sticks ? Mode::stick : Mode::slip;
  o.flags.add_if(gains_energy(o.energy), Verdict::energy_gained);
  return o;
}

}  // namespace

SpatialOutcome brach(const SpatialProblem& problem) {
  const auto& [G, v, surface, spin] = problem;
  if (!(v.n < 0.)) return unchanged(v, Verdict::no_impulse);
  const double e_n = surface.restitution;
  if (surface.tangential_rule == BrachRule::impulse_ratio) {
    return outcome_of(
        problem, solve_brach(problem, with_moments(problem, e_n, true, surface.tangential)), false);
  }
  if (surface.tangential_rule == BrachRule::coefficient) {
    const auto& e_t = surface.tangential;
    const bool sticks = e_t[0] * v.t1 == 0. && e_t[1] * v.t2 == 0.;
    return outcome_of(problem, solve_brach(problem, with_moments(problem, e_n, false, e_t)),
                      sticks);
  }
  const Coulomb rule = coulomb(critical_ratios(problem, e_n), surface.friction);
  const auto numbers = rule.sticks ? with_moments(problem, e_n, false, {0., 0.})
                                   : with_moments(problem, e_n, true, rule.ratio);
  return outcome_of(problem, solve_brach(problem, numbers), rule.sticks);
}

}  // namespace carom
