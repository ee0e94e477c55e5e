// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <carom/impact/hypothesis.hpp>
#include <carom/impact/spatial_outcome.hpp>
#include <carom/impact/spatial_problem.hpp>
#include <carom/laws/slip_flow.hpp>

namespace carom {

/// A point on the way through an impact in space.
struct SpatialPathPoint {
  Vec3 impulse;                      ///< so far [N s]
  Vec3 velocity;                     ///< there [m/s]
  Tangent friction{};                ///< dP_T/dP_n on the stretch that ends there
  double normal_work = 0.;           ///< of the normal impulse so far [J]
  double friction_work = 0.;         ///< of the tangential impulse so far [J]
  double couple_work = 0.;           ///< of the couple, for a law that has one [J]
  Stage stage = Stage::compression;  ///< of the stretch that ends there
  Motion motion = Motion::slip;      ///< the same
  bool ends_phase = false;           ///< whether a phase ends there

  /// Change of energy so far [J].
  [[nodiscard]] double work() const { return normal_work + friction_work + couple_work; }
};

/// The exact process that `darboux_keller` goes through, step by step of the same integration:
/// begins at the approach, ends at its outcome, with a point at the end of each phase. Normal
/// impulse grows from point to point but where friction jumps: two points there tell of before and
/// after. Where there is no impulse it is the approach alone.
///
/// For pictures and tables: it allocates. @pre the problem was validated
/// @param samples  at least 1: on each straight stretch and each step of the integration; more are
/// taken where friction swings round fast
[[nodiscard]] std::vector<SpatialPathPoint> spatial_path(const SpatialProblem& problem,
                                                         Hypothesis hypothesis,
                                                         const SpatialOptions& options = {},
                                                         int samples = 24);

}  // namespace carom
