// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <carom/impact/spatial_problem.hpp>
#include <carom/laws/slip_flow.hpp>

namespace carom {

/// A direction that slip keeps once it has it: h = 0 (see SlipFlow).
struct InvariantRay {
  Tangent direction;       ///< a unit vector
  double growth = 0.;      ///< ds/dp along it [1/kg]: negative converges to zero slip
  double attraction = 0.;  ///< dh/dphi [1/kg]: negative draws slip beside it to itself

  [[nodiscard]] bool converges() const { return growth < 0.; }
  [[nodiscard]] bool attracts() const { return attraction < 0.; }
};

/// All rays, from tangent 1 round by tangent 2: two, or four, of which a diverging one (there is
/// one at most) attracts. None where slip keeps whatever direction it has, as on a sphere.
[[nodiscard]] std::vector<InvariantRay> invariant_rays(const SpatialProblem& problem);

}  // namespace carom
