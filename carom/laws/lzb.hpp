// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <carom/laws/law.hpp>
#include <carom/laws/solve_options.hpp>

/// Liu, Zhao & Brogliato's law of multiple impact: forces distributed over the contacts by the
/// energy stored in each, energetic restitution and Coulomb friction at each
/// [Liu, Zhang, Zhao & Brogliato 2013, eqs 2.23-2.34].
namespace carom {

struct Lzb {
  static const LawInfo info;
};

/// @param trace  where to record the course of the impact, or null
/// @pre the problem was validated
[[nodiscard]] Outcome solve_lzb(const ContactProblem& problem, const SolveOptions& options = {},
                                Course* trace = nullptr);

}  // namespace carom
