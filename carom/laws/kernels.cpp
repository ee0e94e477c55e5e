// SPDX-License-Identifier: Apache-2.0
#include <carom/laws/kernels.hpp>

namespace carom {

const LawInfo& info(const PlanarLaw& law) {
  const auto* moreau = std::get_if<Moreau>(&law);
  if (moreau != nullptr && moreau->hypothesis == Hypothesis::poisson) return Moreau::two_stages;
  return std::visit([](const auto& l) -> const LawInfo& { return l.info; }, law);
}

std::vector<PlanarPhase> all_phases(const PlanarLaw& law, const PlanarProblem& problem,
                                    const PlanarOutcome& outcome) {
  if (std::holds_alternative<Compliant>(law)) return compliant_phases(problem);
  return {outcome.phases.begin(), outcome.phases.end()};
}

}  // namespace carom
