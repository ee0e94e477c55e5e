// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <carom/motion/acceleration.hpp>

/// Ways to an answer of the complementarity problem of accelerations.
namespace carom::motion {

/// What rounding may make of accelerations, and of a contact's force.
[[nodiscard]] double acceleration_slack(const AccelerationProblem& problem);
[[nodiscard]] double force_slack(const AccelerationProblem& problem, std::size_t contact);

/// Of a contact's part of x: its size, and its component along d.
[[nodiscard]] double tangential_size(const AccelerationProblem& problem, const Vector& x,
                                     std::size_t contact);
[[nodiscard]] double along(const AccelerationProblem& problem, const Vector& x, std::size_t contact,
                           const std::array<double, 2>& d);

/// All hold and stick at first; those that pull are opened, and of those that exceed static
/// friction the one that does so most is released, until nothing is violated.
/// @param go_on  what has just begun to slip goes on doing so
[[nodiscard]] bool release_search(const AccelerationProblem& problem, AccelerationAnswer& answer,
                                  bool go_on);

/// All modes of few contacts in the plane, in a fixed order.
[[nodiscard]] bool enumerate(const AccelerationProblem& problem, AccelerationAnswer& answer);

/// Contact by contact with Coulomb's cone, over and over.
[[nodiscard]] bool sweep(const AccelerationProblem& problem, AccelerationAnswer& answer);

/// Few contacts in the plane: is there an answer with other accelerations? mu_s counts as mu,
/// because what static friction adds is the history's choice.
[[nodiscard]] bool has_another(const AccelerationProblem& problem,
                               const AccelerationAnswer& answer);

}  // namespace carom::motion
