// SPDX-License-Identifier: Apache-2.0
#include <carom/laws/brach/brach.hpp>

namespace carom {

PlanarOutcome brach(const PlanarProblem& problem) {
  const auto& [G, v, surface, spin] = problem;
  if (!(v.n < 0.)) return unchanged(v, Verdict::no_impulse);
  const auto [rule, value] = brach_rule(surface);
  const auto r = brach_totals(G, v, spin, surface.restitution, rule, value,
                              surface.planar_moment_coefficient());
  if (r.unsolvable) return unchanged(v, Verdict::no_solution);
  PlanarOutcome o =
      algebraic_outcome(v, r.impulse, r.velocity, r.sticks ? Mode::stick : Mode::slip);
  if (r.couple == 0.) return o;
  o.couple = r.couple;
  o.energy.couple = 0.5 * r.couple * (spin.approach + r.spin);
  o.energy.change += o.energy.couple;
  o.flags = {};
  o.flags.add_if(gains_energy(o.energy), Verdict::energy_gained);
  return o;
}

}  // namespace carom
