// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include <carom/laws/workspace.hpp>
#include <carom/motion/simulation.hpp>

namespace carom::motion {

/// Whether a law that reports these verdicts has no outcome.
[[nodiscard]] inline bool gives_no_answer(Verdicts flags) {
  return flags.has(Verdict::no_solution) || flags.has(Verdict::not_converged);
}

/// Impacts at one contact, by the law that the options have for them.
class SingleImpact {
 public:
  explicit SingleImpact(const Options& options);

  /// @param G  of the contact, by rows
  /// @param v  its velocity before, one number a component
  /// @return false if the law has no outcome, or not a finite one
  [[nodiscard]] bool solve(std::span<const double> G, std::span<const double> v,
                           const Surface& surface);
  [[nodiscard]] const Outcome& outcome() const { return outcome_; }

 private:
  const Law& law_;
  const SolveOptions& options_;
  ContactProblem problem_;
  Workspace workspace_;
  Outcome outcome_;
};

}  // namespace carom::motion
