// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <carom/impact/hypothesis.hpp>
#include <carom/laws/law.hpp>
#include <carom/laws/solve_options.hpp>
#include <carom/laws/workspace.hpp>

/// Moreau's law for several contacts [Payr & Glocker 2005, eqs 6-12]: in the plane a linear
/// complementarity problem, in space with Coulomb's cones.
///
/// With strong friction, or with contacts at rest, there can be several solutions. For up to eight
/// contacts in the plane all are found, unless a sufficient condition proves uniqueness. The
/// returned one has
///
/// 1. the fewest contacts that push although they separate before;
/// 2. then the most sticking contacts;
/// 3. then the least kinetic energy;
/// 4. then the greater velocity at the first contact where they differ. Only this rule depends on
///   the order of the contacts.
///
/// In two stages this is the rule of compression; in expansion, the first rule counts contacts that
/// return more than e P_Cn. One contact is solved as by the law for one contact, with the same
/// rule. With more contacts, and in space, the first solution found is returned.
namespace carom {

/// Hypothesis newton, one stage: with xi = v+ + eps v- by component, 0 <= P_n, xi_n >= 0
/// complementary, -P_T in mu P_n Sgn(xi_T). A closed contact with v_n- > 0 takes eps = 0.
///
/// Hypothesis poisson, two stages: compression by the same law with eps = 0; then expansion,
/// 0 <= P_En - e P_Cn complementary to v_n+ >= 0, -P_ET in mu P_En Sgn(v_T+). Tangential
/// restitution is undefined and ignored.
/// @pre the problem was validated
void multi_moreau(const ContactProblem& problem, Hypothesis hypothesis, const SolveOptions& options,
                  Workspace& workspace, Outcome& outcome);

/// One stage, with a temporary workspace.
[[nodiscard]] Outcome solve_multi_moreau(const ContactProblem& problem,
                                         const SolveOptions& options = {});

/// Two stages, with a temporary workspace.
[[nodiscard]] Outcome solve_multi_moreau_poisson(const ContactProblem& problem,
                                                 const SolveOptions& options = {});

/// Where the outcome of one contact has several solutions: all of them, with impulse and mode.
/// @pre the contact has a tangent
void add_solutions_of_one(const ContactProblem& problem, Hypothesis hypothesis, Outcome& outcome);

}  // namespace carom
