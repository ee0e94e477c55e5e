// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <carom/core/planar.hpp>
#include <carom/core/scalar.hpp>
#include <carom/impact/surface.hpp>

namespace carom {

/// Effect of a couple at the contact, for laws with couples: the third row of G, and the spin of
/// the first body relative to the second. All zero: the spin is not known, and no couple acts.
template <class S>
struct BasicSpinRow {
  S nr{};        ///< change of v_n by a unit couple [1/(kg m)]
  S tr{};        ///< change of v_t by a unit couple [1/(kg m)]
  S rr{};        ///< change of spin by a unit couple [1/(kg m^2)]
  S approach{};  ///< relative spin before the impact [rad/s]

  bool operator==(const BasicSpinRow&) const = default;
};

using SpinRow = BasicSpinRow<double>;

/// One planar impact in contact space: v+ = approach + G P.
struct PlanarProblem {
  Sym2 G;         ///< contact inverse inertia W^T M^-1 W [1/kg], positive semidefinite
  Vec2 approach;  ///< v- [m/s]; normal < 0 closes
  Surface surface;
  SpinRow spin{};

  bool operator==(const PlanarProblem&) const = default;
};

/// Throws InputError that names the field that is not finite, out of range, or not positive
/// semidefinite. Magnitudes are limited to 1e-60..1e60, so that products of a few of them cannot
/// overflow.
void validate(const PlanarProblem& problem, Release release = Release::refused);

/// G from its four entries. Throws InputError if the two off-diagonal ones differ by more than
/// rounding.
[[nodiscard]] Sym2 symmetric(double nn, double nt, double tn, double tt);

/// det G <= 64 eps G_nn G_tt counts as rank one. Such a determinant is never a divisor.
inline constexpr double rank_one_tolerance = rounding;

/// Relative tolerance of the test whether an approach lies in the range of a rank-one G. It is
/// wider than a few rounding errors, because W^T u may cancel.
inline constexpr double range_tolerance = 4096. * epsilon;

template <class S>
[[nodiscard]] constexpr Mask<S> is_rank_one(const BasicSym2<S>& G) {
  return determinant(G) <= S(rank_one_tolerance) * (G.nn * G.tt);
}

/// Whether v is in the range of a rank-one G, v_t G_nn = v_n G_nt.
template <class S>
[[nodiscard]] constexpr Mask<S> in_range_of_rank_one(const BasicSym2<S>& G, const BasicVec2<S>& v) {
  const S a = v.t * G.nn;
  const S b = v.n * G.nt;
  return magnitude(S(a - b)) <= S(range_tolerance) * (magnitude(a) + magnitude(b));
}

/// Upper bound of the kinetic energy [J] that impulses at the contact can remove, 1/2 v G^-1 v. For
/// a rank-one G the part in its range; 0 if the contact cannot move.
[[nodiscard]] double contact_energy(const PlanarProblem& problem);

}  // namespace carom
