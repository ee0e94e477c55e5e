// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include <carom/impact/contact_problem.hpp>
#include <carom/impact/outcome.hpp>
#include <carom/impact/planar/problem.hpp>
#include <carom/impact/spatial/outcome.hpp>
#include <carom/impact/spatial/problem.hpp>

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

/// Contact space alone of one contact with any number of components. Throws InputError where G is
/// not symmetric. @param G  by rows
void assign(ContactProblem& problem, std::span<const double> G, std::span<const double> approach);

// An outcome, with its phases. Spin after the impact is that of the problem's rows.
void assign(Outcome& outcome, const ContactProblem& problem, const PlanarOutcome& from);
void assign(Outcome& outcome, const ContactProblem& problem, const SpatialOutcome& from);

// And back. Phases beyond the capacity of the small types are left out.
/// @pre there is one contact in the plane
[[nodiscard]] PlanarOutcome planar_outcome(const Outcome& outcome);
/// @pre there is one contact in space
[[nodiscard]] SpatialOutcome spatial_outcome(const Outcome& outcome);

}  // namespace carom
