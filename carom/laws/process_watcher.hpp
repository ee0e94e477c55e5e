// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <carom/impact/hypothesis.hpp>
#include <carom/impact/spatial_outcome.hpp>
#include <carom/impact/spatial_problem.hpp>
#include <carom/laws/slip_flow.hpp>

namespace carom {

/// Where the exact process in space has got to, in its own units (ImpactUnits).
struct ProcessState {
  Vec3 impulse;
  Vec3 velocity;
  double normal_work = 0.;
  double friction_work = 0.;
  Stage stage = Stage::compression;  ///< of the stretch that ends here
  Motion motion = Motion::slip;
};

/// Is told of everything that the exact process goes along, as it goes.
class ProcessWatcher {
 public:
  virtual ~ProcessWatcher() = default;

  /// What it goes along from here. It is gone after the last `advance` along it.
  virtual void begin(const ImpulseLine& line) = 0;
  virtual void begin(const SlipSeries& series) = 0;
  /// It has gone on, to this tau of the series; of a line `tau` says nothing.
  virtual void advance(double tau, const ProcessState& state) = 0;
  /// A phase ends here. What rounding left of a velocity that is zero by now is gone.
  virtual void end_phase(const ProcessState& state) = 0;
};

/// `darboux_keller`, watched.
SpatialOutcome darboux_keller(const SpatialProblem& problem, Hypothesis hypothesis,
                              const SpatialOptions& options, ProcessWatcher* watcher);

}  // namespace carom
