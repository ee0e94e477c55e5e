// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <carom/complementarity/multi_friction.hpp>

namespace carom::complementarity {

/// Is it shown at once that the velocities xi are the same in all solutions, whatever b and f?
/// False says nothing: there may be several or one. For up to `most_enumerated` contacts in the
/// plane; false for more.
///
/// Let x be the difference of two solutions in P, and G x that in xi. Complementarity gives
/// x_n.(G x)_n <= 0 at each contact, and Coulomb's law x_t.(G x)_t <= mu |x_n| |(G x)_t|, hence
///
///     x.G x <= sum of mu_i |x_n,i| |(G x)_t,i|
///           <= 1/2 sum of (alpha_i x_n,i^2 + mu_i^2/alpha_i (G x)_t,i^2)   for any alpha_i > 0.
///
/// Where the quadratic form on the left exceeds that on the right, G x = 0. For one contact the
/// best alpha gives mu^2 < 4 det G/G_tt^2.
[[nodiscard]] bool velocities_are_unique(const BlockMatrix& G, std::span<const double> mu);

}  // namespace carom::complementarity
