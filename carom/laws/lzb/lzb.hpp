// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <carom/laws/law.hpp>
#include <carom/laws/solve_options.hpp>

/// The multiple-impact law of Liu, Zhao & Brogliato: the stored energies distribute the forces over
/// the contacts, with energetic restitution and Coulomb friction at each [Liu, Zhang, Zhao &
/// Brogliato 2013, eqs 2.23-2.34].
namespace carom {

struct Lzb {
  static const LawInfo info;
};

/// @param trace  records the course of the impact; may be null
/// @pre the problem was validated
[[nodiscard]] Outcome solve_lzb(const ContactProblem& problem, const SolveOptions& options = {},
                                Course* trace = nullptr);

}  // namespace carom
