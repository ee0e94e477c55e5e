// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include <carom/complementarity/scaled_friction.hpp>

namespace carom::complementarity {

/// One solution, in scaled units.
struct EnumeratedSolution {
  std::vector<double> P;
  std::vector<double> xi;
};

/// All solutions in the plane, distinct in xi, over all modes of all contacts: open, stick, slip in
/// either direction (with a floor above zero, also stick and slip at the floor). Modes with
/// singular equations can be skipped: if they have a solution within the cones, they have one on
/// the edge of a cone, and that belongs to a mode with fewer unknowns. Impulses that G leaves
/// undetermined are the least, see `share_impulses`.
/// @pre one or two components, at most `most_enumerated` contacts
[[nodiscard]] std::vector<EnumeratedSolution> enumerate_modes(const ScaledFriction& s);

}  // namespace carom::complementarity
