// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <carom/complementarity/lemke.hpp>
#include <carom/complementarity/scaled_friction.hpp>

namespace carom::complementarity {

/// Frictional contacts in the plane as a linear complementarity problem whose matrix is copositive,
/// so that Lemke's method does not miss a solution [Stewart & Trinkle 1996; Anitescu & Potra 1997].
/// Contact by contact, with P_t = B+ - B- and a slack L:
///
///     xi_n               _|_  P_n - f
///     +xi_t + L          _|_  B+
///     -xi_t + L          _|_  B-
///     mu P_n - B+ - B-   _|_  L
///
/// Contacts without friction have the first row only.
class FrictionPivoting {
 public:
  /// P where it is solved. @pre s has one or two components
  LemkeStatus solve(const ScaledFriction& s, std::span<double> P, std::size_t most_pivots);

  [[nodiscard]] std::size_t pivots() const { return lemke_.pivots(); }

 private:
  Lemke lemke_;
  std::vector<double> M_;
  std::vector<double> q_;
  std::vector<std::size_t> first_;  // row of each contact
};

}  // namespace carom::complementarity
