// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <carom/complementarity/friction/multi.hpp>

namespace carom::complementarity {

/// A sufficient condition for the velocities xi to be the same in all solutions, for any b and f.
/// If it returns false, there may be one solution or several. It supports up to `most_enumerated`
/// contacts in the plane and returns false for more.
///
/// Let x be the difference of two solutions in P, and G x that in xi. Complementarity gives
/// x_n.(G x)_n <= 0 at each contact, and Coulomb's law x_t.(G x)_t <= mu |x_n| |(G x)_t|, hence
///
///     x.G x <= sum of mu_i |x_n,i| |(G x)_t,i|
///           <= 1/2 sum of (alpha_i x_n,i^2 + mu_i^2/alpha_i (G x)_t,i^2)   for any alpha_i > 0.
///
/// If the quadratic form on the left exceeds that on the right for every x with G x != 0, then G x
/// = 0. For one contact the best alpha gives mu^2 < 4 det G/G_tt^2.
[[nodiscard]] bool velocities_are_unique(const BlockMatrix& G, std::span<const double> mu);

}  // namespace carom::complementarity
