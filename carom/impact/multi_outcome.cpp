// SPDX-License-Identifier: Apache-2.0
#include <carom/impact/multi_outcome.hpp>

namespace carom {

std::string_view name(ContactMode mode) {
  switch (mode) {
    case ContactMode::no_impulse:
      return "no-impulse";
    case ContactMode::stick:
      return "stick";
    case ContactMode::slip:
      return "slip";
    case ContactMode::closed:
      return "closed";
  }
  return "";
}

EnergyLedger sum(const std::vector<EnergyLedger>& contacts) {
  EnergyLedger total;
  for (const EnergyLedger& e : contacts) {
    total.normal += e.normal;
    total.friction += e.friction;
    if (!e.stages) continue;
    if (!total.stages) total.stages.emplace();
    total.stages->compression += e.stages->compression;
    total.stages->restitution += e.stages->restitution;
  }
  total.change = total.normal + total.friction;
  return total;
}

void settle_algebraically(const MultiProblem& problem, MultiOutcome& outcome) {
  const std::size_t d = problem.components();
  outcome.contacts.assign(problem.contacts(), {});
  double scale = 0.;
  for (std::size_t i = 0; i < problem.contacts(); ++i) {
    EnergyLedger& e = outcome.contacts[i];
    for (std::size_t c = 0; c < d; ++c) {
      const std::size_t k = i * d + c;
      const double work = 0.5 * outcome.impulse[k] * (outcome.velocity[k] + problem.approach[k]);
      (c == 0 ? e.normal : e.friction) += work;
    }
    e.change = e.normal + e.friction;
    scale += e.scale();
  }
  outcome.energy = sum(outcome.contacts);
  outcome.flags.add_if(gains_energy(outcome.energy.change, scale), Verdict::energy_gained);
}

MultiOutcome unchanged(const MultiProblem& problem, Verdict why) {
  MultiOutcome outcome;
  outcome.impulse.assign(problem.approach.size(), 0.);
  outcome.velocity = problem.approach;
  outcome.contacts.assign(problem.contacts(), {});
  outcome.modes.assign(problem.contacts(), ContactMode::no_impulse);
  outcome.flags.add(why);
  return outcome;
}

}  // namespace carom
