// SPDX-License-Identifier: Apache-2.0
#include <carom/impact/outcome.hpp>

#include <array>

namespace carom {

std::string_view name(Mode mode) {
  static constexpr std::array<std::string_view, 14> names = {"0",      "1",
                                                             "2",      "3",
                                                             "4",      "5",
                                                             "6",      "backward-slip",
                                                             "stick",  "forward-slip",
                                                             "slip",   "compliant",
                                                             "closed", "no-impulse"};
  return names[static_cast<std::size_t>(mode)];
}

void Outcome::clear() {
  impulse.clear();
  velocity.clear();
  contacts.clear();
  energy = {};
  flags = {};
  phases.clear();
  phases_left_out = 0;
  tolerance = residual = 0.;
  steps = collapsed = 0;
  solutions.clear();
}

EnergyLedger sum(const std::vector<ContactOutcome>& contacts) {
  EnergyLedger total;
  for (const ContactOutcome& contact : contacts) {
    const EnergyLedger& e = contact.energy;
    total.normal += e.normal;
    total.friction += e.friction;
    total.couple += e.couple;
    if (!e.stages) continue;
    if (!total.stages) total.stages.emplace();
    total.stages->compression += e.stages->compression;
    total.stages->restitution += e.stages->restitution;
  }
  total.change = total.normal + total.friction + total.couple;
  return total;
}

void settle_algebraically(const ContactProblem& problem, Outcome& outcome) {
  const std::size_t d = problem.components();
  const std::size_t rows = problem.G.components();
  outcome.contacts.resize(problem.contacts());
  double scale = 0.;
  for (std::size_t i = 0; i < problem.contacts(); ++i) {
    EnergyLedger& e = outcome.contacts[i].energy;
    e = {};
    for (std::size_t c = 0; c < rows; ++c) {
      const std::size_t k = i * rows + c;
      const double work = 0.5 * outcome.impulse[k] * (outcome.velocity[k] + problem.approach[k]);
      (c == 0 ? e.normal : c < d ? e.friction : e.couple) += work;
    }
    e.change = e.normal + e.friction + e.couple;
    scale += e.scale();
  }
  outcome.energy = sum(outcome.contacts);
  outcome.flags.add_if(gains_energy(outcome.energy.change, scale), Verdict::energy_gained);
}

Outcome unchanged(const ContactProblem& problem, Verdict why) {
  Outcome outcome;
  leave_unchanged(problem, why, outcome);
  return outcome;
}

void leave_unchanged(const ContactProblem& problem, Verdict why, Outcome& outcome) {
  outcome.clear();
  outcome.impulse.assign(problem.approach.size(), 0.);
  outcome.velocity = problem.approach;
  outcome.contacts.resize(problem.contacts());
  outcome.flags.add(why);
}

}  // namespace carom
