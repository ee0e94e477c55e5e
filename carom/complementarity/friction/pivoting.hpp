// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include <carom/complementarity/friction/scaled.hpp>
#include <carom/complementarity/lemke.hpp>

namespace carom::complementarity {

/// Frictional contacts as a linear complementarity problem with a copositive matrix, for which
/// Lemke's method finds a solution if G is regular [Stewart & Trinkle 1996; Anitescu & Potra 1997].
/// If G is singular, it can end on a ray, also where there is a solution: a ray has y = (P, L) with
/// G P = 0 and b.P < 0 (see lemke.hpp), and xi.P = b.P < 0 is possible with slip. For each contact,
/// with unit vectors d_k in opposite pairs, P_T = sum of B_k d_k, and a slack L:
///
///     xi_n                   _|_  P_n - f
///     d_k.xi_T + L           _|_  B_k
///     mu P_n - sum of B_k    _|_  L
///
/// In the plane there are two d_k, and the formulation is exact. In space Coulomb's cone is
/// replaced by a pyramid. Contacts without friction have only the first row.
class FrictionPivoting {
 public:
  /// Writes P if the problem is solved.
  /// @param directions  number of directions in space, even; ignored in the plane
  LemkeStatus solve(const ScaledFriction& s, std::span<double> P, std::size_t most_pivots,
                    std::size_t directions = 8);

  [[nodiscard]] std::size_t pivots() const { return lemke_.pivots(); }

 private:
  Lemke lemke_;
  std::vector<double> M_;
  std::vector<double> q_;
  std::vector<std::size_t> first_;                // first row of each contact
  std::vector<std::array<double, 3>> direction_;  // direction of each row: normal, then d_k
};

}  // namespace carom::complementarity
