// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include <carom/core/tangent.hpp>

namespace carom {

/// The tangential rows of G eliminated: A = G_TT, b = G_Tn, r = A^-1 b. While P_T = -r p nothing
/// changes in the tangent plane, and the normal velocity grows by (G_nn - b.r) p.
struct StickSlopes {
  explicit constexpr StickSlopes(const Sym3& G) : inverse(G), ratio(inverse * coupling(G)) {
    normal = G.nn - dot(ratio, coupling(G));
    locks = normal <= rounding * G.nn;
    if (locks) normal = 0.;
  }

  TangentialInverse inverse;  ///< A^-1
  Tangent ratio;              ///< r: friction impulse needed a unit of normal impulse, reversed
  double normal = 0.;         ///< dv_n/dp [1/kg]
  bool locks = false;         ///< G is singular: normal velocity cannot change in stick
};

/// The least normal impulse p > 0 at which a friction impulse of size mu p, in whatever direction,
/// ends the slip u: |w + r p| = mu p with w = A^-1 u, that is
/// (|r|^2 - mu^2) p^2 + 2 (w.r) p + |w|^2 = 0  [Sun & Baruh 2022, eqs 54 and 56].
///
/// The friction impulse then is -(w + r p). Nothing where there is none.
/// @param w  A^-1 u, not zero
template <class S>
[[nodiscard]] std::optional<S> slip_end(const BasicTangent<S>& w, const Tangent& r, const S& mu) {
  // The discriminant (w.r)^2 - (|r|^2 - mu^2)|w|^2, written so that nothing cancels in the plane.
  const S turn = w.t1 * r.t2 - w.t2 * r.t1;
  const S along = w.t1 * r.t1 + w.t2 * r.t2;
  const S push = mu * mu * dot(w, w);
  S discriminant = push - turn * turn;
  if (discriminant < S(0.)) {
    // With mu = 0 and w along r it is zero but for rounding.
    if (!(turn * turn <= push + S(rounding * rounding * dot(r, r)) * dot(w, w)))
      return std::nullopt;
    discriminant = S(0.);
  }
  const S divisor = root(discriminant) - along;
  if (!(divisor > S(rounding) * (size(w) * (S(size(r)) + mu)))) return std::nullopt;
  return dot(w, w) / divisor;
}

}  // namespace carom
