// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <carom/motion/acceleration.hpp>

/// Methods for the complementarity problem of accelerations.
namespace carom::motion {

/// Rounding tolerance of accelerations, and of a contact's force.
[[nodiscard]] double acceleration_slack(const AccelerationProblem& problem);
[[nodiscard]] double force_slack(const AccelerationProblem& problem, std::size_t contact);

/// Of a contact's tangential part of x: its magnitude, and its component along d.
[[nodiscard]] double tangential_size(const AccelerationProblem& problem, const Vector& x,
                                     std::size_t contact);
[[nodiscard]] double along(const AccelerationProblem& problem, const Vector& x, std::size_t contact,
                           const std::array<double, 2>& d);

/// Starts with all contacts closed and sticking. Opens contacts with a tensile force, and releases
/// the contact that exceeds static friction most, until no inequality is violated.
/// @param go_on  contacts that have just begun to slip continue to slip
[[nodiscard]] bool release_search(const AccelerationProblem& problem, AccelerationAnswer& answer,
                                  bool go_on);

/// Enumerates all modes of a few contacts in the plane, in a fixed order.
[[nodiscard]] bool enumerate(const AccelerationProblem& problem, AccelerationAnswer& answer);

/// Block Gauss-Seidel with Coulomb's cone at each contact.
[[nodiscard]] bool sweep(const AccelerationProblem& problem, AccelerationAnswer& answer);

/// For few contacts in the plane: whether there is a solution with other accelerations. mu_s is
/// replaced by mu, because the choice due to static friction is the hysteresis rule.
[[nodiscard]] bool has_another(const AccelerationProblem& problem,
                               const AccelerationAnswer& answer);

}  // namespace carom::motion
