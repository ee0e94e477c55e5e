// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <carom/impact/contact_problem.hpp>
#include <carom/impact/hypothesis.hpp>
#include <carom/impact/outcome.hpp>
#include <carom/impact/planar_problem.hpp>
#include <carom/impact/spatial_outcome.hpp>
#include <carom/impact/spatial_problem.hpp>

/// Converts one contact between the fixed-size types of the kernels, and ContactProblem and
/// Outcome.
namespace carom {

/// @pre there is one contact in the plane
[[nodiscard]] PlanarProblem planar_problem(const ContactProblem& problem);
/// @pre there is one contact in space
[[nodiscard]] SpatialProblem spatial_problem(const ContactProblem& problem);

// The reverse, into memory that is reused. There are spin rows if the spin is known.
void assign(ContactProblem& problem, const PlanarProblem& from);
void assign(ContactProblem& problem, const SpatialProblem& from);

// Converts an outcome with its phases. The spin after the impact follows from the rows of the
// problem.
void assign(Outcome& outcome, const ContactProblem& problem, const PlanarOutcome& from);
void assign(Outcome& outcome, const ContactProblem& problem, const SpatialOutcome& from);

/// `moreau` for one contact, with all its solutions if there are several.
[[nodiscard]] Outcome moreau_of_one(const ContactProblem& problem, Hypothesis hypothesis);

}  // namespace carom
