// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include <carom/impact/contact_problem.hpp>
#include <carom/impact/outcome.hpp>
#include <carom/laws/derivatives.hpp>
#include <carom/laws/solve_options.hpp>

/// Derivatives of `moreau`, for any number of contacts, by the implicit function theorem.
///
/// With b the velocity that a stage begins with (b = v- + eps v- in one stage), xi = G P + b and a
/// least normal impulse f (e P_Cn in expansion, else 0), each contact satisfies one equation a
/// component in the mode that it is in:
///
///     P_n = f        if it separates, xi_n > 0          xi_n = 0            if it pushes, P_n > f
///     xi_T = 0       if it sticks, |P_T| < mu P_n       P_T = -mu P_n xi_T/|xi_T|     if it slips
///     P_T = 0        if P_n = 0
///
/// These are differentiated. Where an inequality is not strict there is no derivative, and where
/// the equations are singular (more contacts than can share the impulse in one way) the impulses
/// have none: that is the answer then. A contact with v_n- = 0 counts as closing, as in the law.
namespace carom {

[[nodiscard]] Derivatives moreau_derivatives(const ContactProblem& problem, const Outcome& outcome,
                                             const SolveOptions& options,
                                             std::span<const ImpactInput> inputs);

/// Of the two stages. Compression is computed again, as `moreau` without restitution.
[[nodiscard]] Derivatives moreau_poisson_derivatives(const ContactProblem& problem,
                                                     const Outcome& outcome,
                                                     const SolveOptions& options,
                                                     std::span<const ImpactInput> inputs);

}  // namespace carom
