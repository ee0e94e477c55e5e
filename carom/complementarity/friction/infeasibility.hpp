// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <carom/complementarity/friction/scaled.hpp>
#include <carom/complementarity/lemke.hpp>

namespace carom::complementarity {

/// Proves that a problem has no solution, where a certificate in the manner of Farkas' lemma
/// exists: y >= 0, one number per contact, with
///
///     G N y = 0  and  b.N y < 0,    N y: normal impulses y without friction.
///
/// For any P, whether within the cones or not, xi.N y = P.G N y + b.N y < 0, but xi_n >= 0 needs
/// xi.N y >= 0. Where there is none, impulses without friction make all xi_n >= 0; a solution with
/// friction may exist or not.
///
/// Lemke's method finds y: on the normal rows w = G_nn z + b_n, with G_nn positive semidefinite, it
/// solves the problem or ends on a ray y >= 0 with y.G_nn y = 0 and b_n.y < 0 [Cottle, Pang & Stone
/// 1992, Sec. 4.4]. Since G is positive semidefinite, too, y.G_nn y = 0 implies G N y = 0.
///
/// With rounding, G N y is not exactly zero. What is tested then holds for impulses that are not
/// too large: xi_n >= 0 needs |P|_1 >= -b.N y/max|G N y|.
class FrictionInfeasibility {
 public:
  /// True is a proof, but for solutions with impulses so large that their velocities are rounding
  /// errors. False says nothing.
  [[nodiscard]] bool proved(const ScaledFriction& s);

 private:
  Lemke lemke_;
  std::vector<double> normal_rows_;
  std::vector<double> normal_b_;
  std::vector<double> impulses_;  // N y
  std::vector<double> velocities_;
};

}  // namespace carom::complementarity
