// SPDX-License-Identifier: Apache-2.0
#include <carom/laws/multi_moreau.hpp>

namespace carom {

constexpr LawInfo MultiMoreau::info{
    .id = "moreau", .summary = "", .assumptions = "", .source = "", .parameters = {}};
constexpr LawInfo MultiMoreau::poisson_info{
    .id = "moreau:poisson", .summary = "", .assumptions = "", .source = "", .parameters = {}};

MultiOutcome solve_multi_moreau(const MultiProblem& problem, const MultiOptions& /*options*/) {
  return unchanged(problem, Verdict::no_solution);
}

MultiOutcome solve_multi_moreau_poisson(const MultiProblem& problem,
                                        const MultiOptions& /*options*/) {
  return unchanged(problem, Verdict::no_solution);
}

}  // namespace carom
