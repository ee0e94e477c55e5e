// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include <carom/complementarity/lemke.hpp>
#include <carom/complementarity/scaled_friction.hpp>

namespace carom::complementarity {

/// Frictional contacts as a linear complementarity problem whose matrix is copositive, so that
/// Lemke's method does not miss a solution [Stewart & Trinkle 1996; Anitescu & Potra 1997]. Contact
/// by contact, with unit vectors d_k that come in opposite pairs, P_T = sum of B_k d_k, and a slack
/// L:
///
///     xi_n                   _|_  P_n - f
///     d_k.xi_T + L           _|_  B_k
///     mu P_n - sum of B_k    _|_  L
///
/// In the plane there are two d_k, and it is the problem itself; in space Coulomb's cone becomes a
/// pyramid. Contacts without friction have the first row only.
class FrictionPivoting {
 public:
  /// P where it is solved.
  /// @param directions  how many in space, even; in the plane ignored
  LemkeStatus solve(const ScaledFriction& s, std::span<double> P, std::size_t most_pivots,
                    std::size_t directions = 8);

  [[nodiscard]] std::size_t pivots() const { return lemke_.pivots(); }

 private:
  Lemke lemke_;
  std::vector<double> M_;
  std::vector<double> q_;
  std::vector<std::size_t> first_;                // row of each contact
  std::vector<std::array<double, 3>> direction_;  // of each row: normal, then d_k
};

}  // namespace carom::complementarity
