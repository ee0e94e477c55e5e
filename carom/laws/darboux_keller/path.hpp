// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <carom/impact/hypothesis.hpp>
#include <carom/impact/spatial/outcome.hpp>
#include <carom/impact/spatial/problem.hpp>
#include <carom/laws/darboux_keller/slip_flow.hpp>

namespace carom {

/// A point on the path of an impact in space.
struct SpatialPathPoint {
  Vec3 impulse;                      ///< so far [N s]
  Vec3 velocity;                     ///< there [m/s]
  Tangent friction{};                ///< dP_T/dP_n on the segment that ends there
  double normal_work = 0.;           ///< of the normal impulse so far [J]
  double friction_work = 0.;         ///< of the tangential impulse so far [J]
  double couple_work = 0.;           ///< of the couple, if the law has one [J]
  Stage stage = Stage::compression;  ///< of the segment that ends there
  Motion motion = Motion::slip;      ///< of the segment that ends there
  bool ends_phase = false;           ///< whether a phase ends there

  /// Change of energy so far [J].
  [[nodiscard]] double work() const { return normal_work + friction_work + couple_work; }
};

/// The path of the exact process, from the same integration steps as in `darboux_keller`. It begins
/// at the approach and ends at the outcome, with a point at the end of each phase. The normal
/// impulse increases from point to point, except where friction jumps: there two points give the
/// values before and after. Without impulse the path is the approach alone.
///
/// For pictures and tables, because it allocates. @pre the problem was validated
/// @param samples  at least 1: number on each line and each integration step; more are taken where
///   the direction of friction changes fast
[[nodiscard]] std::vector<SpatialPathPoint> spatial_path(const SpatialProblem& problem,
                                                         Hypothesis hypothesis,
                                                         const SpatialOptions& options = {},
                                                         int samples = 24);

}  // namespace carom
