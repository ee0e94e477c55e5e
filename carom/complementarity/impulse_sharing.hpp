// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include <carom/complementarity/scaled_friction.hpp>

namespace carom::complementarity {

/// Where a singular G leaves impulses undetermined: of all that make the same velocities within
/// signs and cones the least, by the sum of their squares (in the units of the problem). There is
/// one such P, whatever the order of the contacts.
/// @param P   a solution, then the least one
/// @param xi  its velocities
/// @pre one or two components
void share_impulses(const ScaledFriction& s, std::span<double> P, std::span<const double> xi);

}  // namespace carom::complementarity
