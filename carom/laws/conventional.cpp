// SPDX-License-Identifier: Apache-2.0
#include <carom/laws/conventional.hpp>

namespace carom {

PlanarOutcome conventional(const PlanarProblem& problem, FrictionOpposes opposes) {
  const auto& [G, v, surface, spin] = problem;
  if (!(v.n < 0.)) return unchanged(v, Verdict::no_impulse);
  const double e = surface.restitution;
  const double mu = surface.friction;
  const double mu_s = surface.static_friction;
  const auto r = opposes == FrictionOpposes::approach
                     ? conventional_totals<FrictionOpposes::approach>(G, v, e, mu, mu_s)
                     : conventional_totals<FrictionOpposes::rebound>(G, v, e, mu, mu_s);
  if (r.unsolvable) return unchanged(v, Verdict::no_solution);
  return algebraic_outcome(v, r.impulse, r.velocity, r.sticks ? Mode::stick : Mode::slip);
}

}  // namespace carom
