// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <carom/core/planar.hpp>
#include <carom/impact/planar/problem.hpp>

namespace carom {

/// Contact space with a couple eliminated.
template <class S>
struct WithoutCouple {
  BasicSym2<S> G;  ///< G' = G - c g g^T [1/kg]; need not be definite
  BasicVec2<S> v;  ///< v' = v - c omega_r g [m/s]
};

/// For a couple M = -c (omega_r + g.P), g = (G_nr, G_tr), that depends on the impulse: v+ = v + G P
/// + g M = v' + G' P.
template <class S>
[[nodiscard]] constexpr WithoutCouple<S> eliminate_couple(const BasicSym2<S>& G,
                                                          const BasicVec2<S>& v,
                                                          const BasicSpinRow<S>& row, const S& c) {
  const BasicVec2<S> g{.n = row.nr, .t = row.tr};
  const S turn = c * row.approach;
  return {.G = {.nn = G.nn - c * (g.n * g.n),
                .nt = G.nt - c * (g.n * g.t),
                .tt = G.tt - c * (g.t * g.t)},
          .v = {.n = v.n - turn * g.n, .t = v.t - turn * g.t}};
}

}  // namespace carom
