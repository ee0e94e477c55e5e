// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <variant>
#include <vector>

#include <carom/laws/brach/brach.hpp>
#include <carom/laws/compliant.hpp>
#include <carom/laws/conventional.hpp>
#include <carom/laws/energetic.hpp>
#include <carom/laws/law.hpp>
#include <carom/laws/moreau/moreau.hpp>
#include <carom/laws/newton.hpp>
#include <carom/laws/poisson.hpp>

/// The laws that have a kernel for one contact in the plane: fixed-size types, no allocation. Batch
/// and sensitivity instantiate this list. The table of laws (laws/table.hpp) refers to it.
namespace carom {

using PlanarLaw = std::variant<Newton, Poisson, Energetic, Moreau, Brach, Compliant, Conventional>;

/// Solves `problem` with `law`. @pre the problem was validated
[[nodiscard]] inline PlanarOutcome solve(const PlanarLaw& law, const PlanarProblem& problem) {
  return std::visit([&](const auto& l) { return l(problem); }, law);
}

[[nodiscard]] const LawInfo& info(const PlanarLaw& law);

/// All phases of an outcome. `compliant` may have any number of them, others have at most those of
/// the outcome.
[[nodiscard]] std::vector<PlanarPhase> all_phases(const PlanarLaw& law,
                                                  const PlanarProblem& problem,
                                                  const PlanarOutcome& outcome);

}  // namespace carom
