// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include <carom/impact/contact_problem.hpp>
#include <carom/impact/outcome.hpp>
#include <carom/laws/derivatives.hpp>
#include <carom/laws/solve_options.hpp>

namespace carom {

/// Derivatives of `compliant` at one contact in space, by differences of fourth order between
/// impacts that are computed to 1e-14: they keep about eight digits. The impacts compared have the
/// same states of the slider and verdicts. Where none such are found, the outcome is at the edge
/// between two modes and has no derivative. At e = 0 and mu = 0 they are one-sided.
[[nodiscard]] Derivatives compliant_derivatives(const ContactProblem& problem,
                                                const Outcome& outcome, const SolveOptions& options,
                                                std::span<const ImpactInput> inputs);

}  // namespace carom
