// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>

#include <carom/complementarity/multi_friction.hpp>
#include <carom/core/planar.hpp>
#include <carom/core/spatial.hpp>

/// One contact of several, all others held: the step of a sweep.
namespace carom::complementarity {

/// What of a contact's own block of G is used again and again.
struct LocalFriction {
  Sym3 G;                 ///< of its components, zero elsewhere
  Mat3 inverse{};         ///< of G in space, if regular
  bool regular = false;   ///< G is far from singular: stick may be computed by the inverse
  bool rank_one = false;  ///< in the plane

  LocalFriction() = default;
  LocalFriction(const double* block, std::size_t components);
};

/// Solves xi = G P + v of one contact with P_n >= floor. Of several solutions: none of the impulse
/// where v_n >= 0; else the one that sticks, or the one near the P given, or the one that leaves
/// the least energy.
/// @param P  components numbers: a guess, then the solution
template <std::size_t components>
[[nodiscard]] FrictionMode solve_local(const LocalFriction& contact, const double* v, double mu,
                                       double floor, double* P);

}  // namespace carom::complementarity
