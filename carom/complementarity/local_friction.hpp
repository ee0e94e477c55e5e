// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include <carom/complementarity/multi_friction.hpp>
#include <carom/core/planar.hpp>
#include <carom/core/spatial.hpp>

/// One contact of several, all others held: the step of a sweep.
namespace carom::complementarity {

/// What of a contact's own block of G is used again and again.
struct LocalFriction {
  /// A determinant below this, relative to the product of the diagonal, leaves the inverse aside,
  /// which would lose half of the digits.
  static constexpr double well_conditioned = 1e-8;

  Sym3 G;                 ///< of its components, zero elsewhere
  Mat3 inverse{};         ///< of G, if regular, with two or three components
  bool regular = false;   ///< G is far from singular: stick may be computed by the inverse
  bool rank_one = false;  ///< in the plane
  /// P_n = -backward v_n in slip with P_t = mu P_n, -forward v_n with P_t = -mu P_n, in the plane;
  /// zero where that would be without bound.
  double backward = 0.;
  double forward = 0.;

  LocalFriction() = default;
  LocalFriction(const double* block, std::size_t components, double mu);
};

/// Solves xi = G P + v of one contact with P_n >= floor. Of several solutions: none of the impulse
/// where v_n >= 0; else the one that sticks, or the one near the P given, or the one that leaves
/// the least energy.
/// @param P  components numbers: a guess, then the solution
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

/// The same in the plane, at once for the most frequent cases: the contact opens, sticks, or slips
/// against the friction that stick would need.
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
