// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <carom/impact/spatial/outcome.hpp>
#include <carom/impact/spatial/problem.hpp>

namespace carom {

/// What the process of `compliant` in space reports as it goes on, for pictures.
class CompliantWatcher {
 public:
  virtual ~CompliantWatcher() = default;
  /// @param friction  dP_T/dP_n here
  virtual void reach(const Vec3& impulse, const Vec3& velocity, const Tangent& friction,
                     double normal_work, Stage stage, Motion motion) = 0;
  virtual void end_phase() = 0;
};

/// `compliant` with an observer, which may be null.
/// @param samples  in each stretch of stick
[[nodiscard]] SpatialOutcome compliant(const SpatialProblem& problem, const SpatialOptions& options,
                                       CompliantWatcher* watcher, int samples);

}  // namespace carom
