// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include <carom/complementarity/friction/multi.hpp>
#include <carom/core/planar.hpp>
#include <carom/core/spatial.hpp>

/// Solves one contact while all others are fixed: the step of a sweep.
namespace carom::complementarity {

/// Data of a contact's diagonal block of G, computed once.
struct LocalFriction {
  /// A determinant below this, relative to the product of the diagonal, leaves the inverse aside,
  /// which would lose half of the digits.
  static constexpr double well_conditioned = 1e-8;

  Sym3 G;                 ///< block of its components, zero elsewhere
  Mat3 inverse{};         ///< of G, if regular, with two or three components
  bool regular = false;   ///< G is far from singular: stick can be computed with the inverse
  bool rank_one = false;  ///< in the plane
  /// In the plane: P_n = -backward v_n in slip with P_t = mu P_n, and P_n = -forward v_n with P_t =
  /// -mu P_n. Zero if P_n would be unbounded.
  double backward = 0.;
  double forward = 0.;

  LocalFriction() = default;
  LocalFriction(const double* block, std::size_t components, double mu);
};

/// Solves xi = G P + v for one contact with P_n >= floor. Of several solutions it returns: the one
/// without impulse if v_n >= 0; otherwise stick, or the one near the given P, or the one with the
/// least energy.
/// @param P  `components` numbers: initial guess, replaced by the solution
template <std::size_t components>
[[nodiscard]] FrictionMode solve_local(const LocalFriction& contact, const double* v, double mu,
                                       double floor, double* P);

template <>
FrictionMode solve_local<1>(const LocalFriction& contact, const double* v, double mu, double floor,
                            double* P);
template <>
FrictionMode solve_local<2>(const LocalFriction& contact, const double* v, double mu, double floor,
                            double* P);
template <>
FrictionMode solve_local<3>(const LocalFriction& contact, const double* v, double mu, double floor,
                            double* P);

/// The same with P_n = floor, whatever xi_n is.
[[nodiscard]] FrictionMode solve_local_push(const LocalFriction& contact, std::size_t components,
                                            const double* v, double mu, double floor, double* P);

/// The same with P_T = -mu P_n d, whatever xi_T is. Without a solution (Painleve's paradox) it
/// returns the impulse that would stop the approach without friction.
[[nodiscard]] FrictionMode solve_local_slide(const LocalFriction& contact, std::size_t components,
                                             const double* v, double mu, double floor,
                                             const Prescription& prescribed, double* P);

/// The same in the plane, with shortcuts for the most frequent cases: the contact opens, sticks, or
/// slips against the friction that stick would need.
[[nodiscard]] inline FrictionMode solve_local_plane(const LocalFriction& contact, const double* v,
                                                    double mu, double floor, double* P) {
  if (floor > 0. || !contact.regular || !(mu > 0.)) {
    return solve_local<2>(contact, v, mu, floor, P);
  }
  if (v[0] >= 0.) {
    P[0] = P[1] = 0.;
    return FrictionMode::open;
  }
  const Mat3& m = contact.inverse;
  const double n = -(m[0][0] * v[0] + m[0][1] * v[1]);
  const double t = -(m[0][1] * v[0] + m[1][1] * v[1]);
  if (std::abs(t) <= mu * n) {
    P[0] = n;
    P[1] = t;
    return FrictionMode::stick;
  }
  const double tied = t > 0. ? mu : -mu;
  const double normal = -v[0] * (t > 0. ? contact.backward : contact.forward);
  const double slip = v[1] + (contact.G.n1 + tied * contact.G.t11) * normal;
  if (!(normal > 0.) || tied * slip > 0.) {
    return solve_local<2>(contact, v, mu, floor, P);
  }
  P[0] = normal;
  P[1] = tied * normal;
  return FrictionMode::slip;
}

}  // namespace carom::complementarity
