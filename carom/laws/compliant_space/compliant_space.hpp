// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <carom/impact/spatial/outcome.hpp>
#include <carom/impact/spatial/problem.hpp>
#include <carom/laws/darboux_keller/path.hpp>

/// `compliant` for one contact in space: lumped contact compliance [Stronge, James & Ravani 2001],
/// with an isotropic tangential spring.
///
/// Normal: a spring of stiffness k in compression and k/e^2 in restitution. Tangential: a spring of
/// stiffness k_t = k/eta^2 in each direction, in series with a slider that keeps |F_T| <= mu F_n.
/// With dv/dt = G F:
///
///     dF_n/dt = -k_n v_n
///     stick:             dF_T/dt = -k_t v_T                    while |F_T| <= mu F_n
///     slip along s:      F_T = -mu F_n s                       while w >= 0,
///                        ds/dt = k_t/(mu F_n) (v_T.s') s',     s' = s turned by a quarter,
///                        w = v_T.s + mu (k_n/k_t) v_n          the speed of the slider
///
/// The slider slips at first if |v_T| > mu eta^2 |v_n|. Stick has a closed form (stick_waves.hpp).
/// Slip is integrated along the normal impulse to the tolerance (slip_step.hpp); where s does not
/// turn, the only error is rounding. Work done by the normal spring in restitution is e^2 times
/// that done on it in compression, exactly. Recompression as in the plane (laws/compliant.hpp). If
/// e = 0, the impact ends with the first compression.
namespace carom {

/// @pre the problem was validated, and its surface has a compliance ratio
[[nodiscard]] SpatialOutcome compliant(const SpatialProblem& problem,
                                       const SpatialOptions& options = {});

/// The path of the impact, as `spatial_path` of the exact process: from the approach to the
/// outcome, with a point at the end of each phase. Without impulse it is the approach alone. For
/// pictures and tables, because it allocates.
/// @param samples  at least 1: number in each stretch of stick. Slip is sampled at the stages of
///   its integration.
[[nodiscard]] std::vector<SpatialPathPoint> compliant_path(const SpatialProblem& problem,
                                                           const SpatialOptions& options = {},
                                                           int samples = 24);

/// `compliant` in space: the law as a value.
struct SpatialCompliant {
  [[nodiscard]] SpatialOutcome operator()(const SpatialProblem& problem,
                                          const SpatialOptions& options) const {
    return compliant(problem, options);
  }
  bool operator==(const SpatialCompliant&) const = default;
};

}  // namespace carom
