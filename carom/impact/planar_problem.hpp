// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <carom/core/planar.hpp>
#include <carom/core/scalar.hpp>
#include <carom/impact/surface.hpp>

namespace carom {

/// What a couple at the contact does, for laws that have couples: the third row of G and the spin
/// of the first body relative to the second. All zero: the spin is not known, and no couple acts.
template <class S>
struct BasicSpinRow {
  S nr{};        ///< change of v_n by a unit couple [1/(kg m)]
  S tr{};        ///< change of v_t by a unit couple [1/(kg m)]
  S rr{};        ///< change of spin by a unit couple [1/(kg m^2)]
  S approach{};  ///< relative spin before [rad/s]

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

/// Throws InputError that names what is not finite, out of range, or not positive semidefinite.
/// Magnitudes are held within 1e-60 and 1e60, so that no product of a few of them can overflow.
void validate(const PlanarProblem& problem, Release release = Release::refused);

/// G from its four entries. Throws InputError if the two off the diagonal differ beyond rounding.
[[nodiscard]] Sym2 symmetric(double nn, double nt, double tn, double tt);

/// det G <= 64 eps G_nn G_tt counts as rank one: it is never divided by.
inline constexpr double rank_one_tolerance = rounding;

/// An approach counts as within the range of a rank-one G up to this, relative. Wider than a few
/// roundings, because W^T u may cancel.
inline constexpr double range_tolerance = 4096. * epsilon;

template <class S>
[[nodiscard]] constexpr Mask<S> is_rank_one(const BasicSym2<S>& G) {
  return determinant(G) <= S(rank_one_tolerance) * (G.nn * G.tt);
}

/// Is v in the range of a rank-one G, v_t G_nn = v_n G_nt?
template <class S>
[[nodiscard]] constexpr Mask<S> in_range_of_rank_one(const BasicSym2<S>& G, const BasicVec2<S>& v) {
  const S a = v.t * G.nn;
  const S b = v.n * G.nt;
  return magnitude(S(a - b)) <= S(range_tolerance) * (magnitude(a) + magnitude(b));
}

/// The kinetic energy [J] that impulses at the contact could take away at most, 1/2 v G^-1 v.
/// For a rank-one G the part in its range; 0 where the contact cannot move at all.
[[nodiscard]] double contact_energy(const PlanarProblem& problem);

}  // namespace carom
