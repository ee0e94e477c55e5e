// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include <carom/complementarity/friction/scaled.hpp>
#include <carom/complementarity/lemke.hpp>

namespace carom::complementarity {

/// If a singular G leaves impulses undetermined (hyperstatic contacts), replaces P by the one with
/// the least sum of squares (in the units of the problem) among those that give the same velocities
/// and satisfy signs and cones. It is unique and does not depend on the order of the contacts.
/// @param P  a solution; replaced by the least one
/// @param xi  its velocities
/// @param lemke  a workspace
/// @pre one or two components, at most `most_enumerated` contacts
void share_impulses(const ScaledFriction& s, std::span<double> P, std::span<const double> xi,
                    Lemke& lemke);

}  // namespace carom::complementarity
