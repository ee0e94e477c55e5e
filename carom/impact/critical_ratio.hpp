// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <carom/core/planar.hpp>
#include <carom/core/scalar.hpp>

namespace carom {

/// The impulse ratio that ends slip, mu_0 of [Brach 1998].
template <class S>
struct CriticalRatio {
  BasicVec2<S> impulse;  ///< P; valid if it exists
  S ratio{};             ///< mu_0 = P_t/P_n; valid if it exists
  Mask<S> exists{};      ///< slip can be ended by an impulse that pushes
  S side{};  ///< the sign of P_t with which friction opposes the slip, even if it cannot end it
};

/// For the impulse P = -H^-1 b that cancels b. It does not exist if H is singular or P would be
/// tensile. Along the line b_n + (H P)_n = 0 the sign of det H then gives the side on which P lies.
///
/// P_t is computed by Cramer's rule and P_n from the normal row, P_n = -(b_n + H_nt P_t)/H_nn. Then
/// b + H P is zero to rounding of its terms, however close H is to rank one. If H is far from
/// semidefinite (a couple was eliminated), |det H| is not small and Cramer's rule gives both.
template <class S>
[[nodiscard]] constexpr CriticalRatio<S> critical_ratio(const BasicSym2<S>& H,
                                                        const BasicVec2<S>& b) {
  const S det = determinant(H);
  const S parts = magnitude(S(H.nn * H.tt)) + H.nt * H.nt;
  const Mask<S> regular = magnitude(det) > S(rounding) * parts;
  const S turn = select(both(regular, det < S(0.)), S(-1.), S(1.));
  const S normal = turn * (H.nt * b.t - H.tt * b.n);  // |det H| times P_n
  const S along = turn * (H.nt * b.n - H.nn * b.t);   // |det H| times P_t
  const S size = magnitude(S(H.nt * b.t)) + magnitude(S(H.tt * b.n));
  CriticalRatio<S> c;
  c.exists = both(regular, normal > S(rounding) * size);
  const S scale = divisor(c.exists, S(turn * det));
  const Mask<S> by_row = both(c.exists, H.nt * H.nt <= S(2.) * (H.nn * H.tt));
  c.impulse.t = along / scale;
  c.impulse.n =
      select(by_row, S(-(b.n + H.nt * c.impulse.t) / divisor(by_row, H.nn)), S(normal / scale));
  c.exists = both(c.exists, c.impulse.n > S(0.));
  c.ratio = only_where(c.exists, S(c.impulse.t / divisor(c.exists, c.impulse.n)));
  c.side = sign(along);
  return c;
}

}  // namespace carom
