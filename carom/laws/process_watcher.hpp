// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <carom/impact/hypothesis.hpp>
#include <carom/impact/spatial/outcome.hpp>
#include <carom/impact/spatial/problem.hpp>
#include <carom/laws/darboux_keller/slip_flow.hpp>

namespace carom {

/// Current state of the exact process in space, in its own units (ImpactUnits).
struct ProcessState {
  Vec3 impulse;
  Vec3 velocity;
  double normal_work = 0.;
  double friction_work = 0.;
  Stage stage = Stage::compression;  ///< of the segment that ends here
  Motion motion = Motion::slip;
};

/// Observer of the exact process.
class ProcessWatcher {
 public:
  virtual ~ProcessWatcher() = default;

  /// The process follows this from here on. The reference is valid until the last `advance` along
  /// it.
  virtual void begin(const ImpulseLine& line) = 0;
  virtual void begin(const SlipSeries& series) = 0;
  /// The process has advanced, to this tau of the series. On a line `tau` has no meaning.
  virtual void advance(double tau, const ProcessState& state) = 0;
  /// A phase ends here. Velocities that are zero to rounding have been set to zero.
  virtual void end_phase(const ProcessState& state) = 0;
};

/// `darboux_keller` with an observer.
SpatialOutcome darboux_keller(const SpatialProblem& problem, Hypothesis hypothesis,
                              const SpatialOptions& options, ProcessWatcher* watcher);

}  // namespace carom
