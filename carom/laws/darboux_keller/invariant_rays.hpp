// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <carom/impact/spatial/problem.hpp>
#include <carom/laws/darboux_keller/slip_flow.hpp>

namespace carom {

/// An invariant direction of slip: h = 0 (see SlipFlow).
struct InvariantRay {
  Tangent direction;       ///< a unit vector
  double growth = 0.;      ///< ds/dp along it [1/kg]: negative converges to zero slip
  double attraction = 0.;  ///< dh/dphi [1/kg]: negative attracts slip in neighbouring directions

  [[nodiscard]] bool converges() const { return growth < 0.; }
  [[nodiscard]] bool attracts() const { return attraction < 0.; }
};

/// All rays, from tangent 1 towards tangent 2: two or four. At most one of them diverges, and it
/// attracts. Empty if slip keeps any direction, as on a sphere.
[[nodiscard]] std::vector<InvariantRay> invariant_rays(const SpatialProblem& problem);

}  // namespace carom
