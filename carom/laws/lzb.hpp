// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <carom/laws/law.hpp>
#include <carom/laws/multi_law.hpp>

/// Liu, Zhao & Brogliato's law of multiple impact: forces distributed over the contacts by the
/// energy stored in each, energetic restitution and Coulomb friction at each
/// [Liu, Zhang, Zhao & Brogliato 2013, eqs 2.23-2.34].
namespace carom {

struct Lzb {
  static const LawInfo info;
};

/// @param trace  where to record the course of the impact, or null
/// @pre the problem was validated
[[nodiscard]] MultiOutcome solve_lzb(const MultiProblem& problem, const MultiOptions& options = {},
                                     MultiTrace* trace = nullptr);

}  // namespace carom
