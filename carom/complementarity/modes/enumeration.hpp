// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include <carom/complementarity/friction/scaled.hpp>
#include <carom/complementarity/lemke.hpp>
#include <carom/complementarity/modes/tree.hpp>

namespace carom::complementarity {

/// One solution, in scaled units: the first `size()` entries of a ScaledFriction.
struct EnumeratedSolution {
  std::array<double, 2 * most_enumerated> P;
  std::array<double, 2 * most_enumerated> xi;
};

/// All solutions in the plane, distinct in xi, over all modes of all contacts: open, stick, slip in
/// either direction (with a floor above zero, also stick and slip at the floor). Modes with
/// singular equations can be skipped: if they have a solution within the cones, they have one on
/// the edge of a cone, and that belongs to a mode with fewer unknowns. Impulses that G leaves
/// undetermined are the least, see `share_impulses`.
/// @pre one or two components, at most `most_enumerated` contacts
class ModeEnumeration {
 public:
  /// Valid until the next call.
  [[nodiscard]] std::vector<EnumeratedSolution>& all(const ScaledFriction& s);
  /// Whether the last call left out a mode whose impulses are so large that rounding decides about
  /// it. Otherwise an empty result shows that there is no solution.
  [[nodiscard]] bool doubtful() const { return doubtful_; }

 private:
  std::vector<ContactChoices> modes_;
  std::vector<EnumeratedSolution> found_;
  Lemke lemke_;
  bool doubtful_ = false;
};

}  // namespace carom::complementarity
