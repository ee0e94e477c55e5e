// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <carom/core/planar.hpp>
#include <carom/core/scalar.hpp>

namespace carom {

/// The impulse ratio that ends slip, mu_0 of [Brach 1998].
template <class S>
struct CriticalRatio {
  S ratio{};         ///< mu_0 = P_t/P_n; meaningful where it exists
  Mask<S> exists{};  ///< slip can be ended at all, by an impulse that pushes
  S side{};          ///< the sign of P_t with which friction opposes the slip, also where it cannot
};

/// Of the impulse P = -H^-1 b that takes b away. It is none where H is singular or P would pull;
/// along the line b_n + (H P)_n = 0 the sign of det H then tells on which side P lies.
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
  c.ratio = only_where(c.exists, S(along / divisor(c.exists, normal)));
  c.side = sign(along);
  return c;
}

}  // namespace carom
