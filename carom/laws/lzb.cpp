// SPDX-License-Identifier: Apache-2.0
#include <carom/laws/lzb.hpp>

namespace carom {

constexpr LawInfo Lzb::info{
    .id = "lzb", .summary = "", .assumptions = "", .source = "", .parameters = {}};

MultiOutcome solve_lzb(const MultiProblem& problem, const MultiOptions& /*options*/,
                       MultiTrace* /*trace*/) {
  return unchanged(problem, Verdict::no_solution);
}

}  // namespace carom
