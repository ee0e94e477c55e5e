// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include <carom/complementarity/scaled_friction.hpp>

namespace carom::complementarity {

/// One solution, without units.
struct EnumeratedSolution {
  std::vector<double> P;
  std::vector<double> xi;
};

/// Every solution in the plane, distinct by xi, over all modes of all contacts: open, stick, slip
/// either way (at a floor above zero: stick and slip there, too). Modes whose equations are
/// singular need not be tried: where they have a solution that the cones allow, they have one on
/// the edge of a cone, and that belongs to a mode with fewer unknowns. Impulses that G leaves
/// undetermined are the least, see `share_impulses`.
/// @pre one or two components, at most `most_enumerated` contacts
[[nodiscard]] std::vector<EnumeratedSolution> enumerate_modes(const ScaledFriction& s);

}  // namespace carom::complementarity
