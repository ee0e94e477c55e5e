// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <carom/scenario/motion/reader.hpp>
#include <carom/study/fit/flight_start.hpp>

/// Trajectories of a body as a scenario predicts them.
namespace carom::study::fit {

/// A stretch of a trajectory that is predicted: from a state in flight, for some samples.
struct Window {
  std::size_t trajectory = 0;  ///< index
  std::size_t first = 0;       ///< sample from which the state at `start` is estimated
  std::size_t start = 0;       ///< sample where the prediction starts
  std::size_t samples = 0;     ///< that are predicted, the start included
};

struct PredictedMotion {
  std::vector<TrackedPose> poses;  ///< one for each sample of the window
  std::string trouble;             ///< why the computation ended early; the last pose is then kept
};

/// Means over the samples of a window.
struct MotionError {
  double position = 0.;  ///< distance of the tracked point [m, as measured]
  double rotation = 0.;  ///< angle between the orientations [rad]
};

/// The scenario of a request with certain values of its parameters. May be used by several threads
/// at once.
class BodyMotion {
 public:
  /// @param values  one for each of request.parameters
  /// @param law     instead of motion.law; empty: that of the file
  /// Throws InputError where the scenario refuses the values, or is not one body in space.
  BodyMotion(const scenario::TrajectoryRequest& request, std::span<const double> values,
             const std::string& law = {});

  [[nodiscard]] std::string_view law() const;
  [[nodiscard]] const Tracking& tracking() const { return tracking_; }

  /// Never fails: trouble is part of the result.
  /// @param stop  ends it early, with trouble
  [[nodiscard]] PredictedMotion predict(const Trajectory& trajectory, const Window& window,
                                        const std::atomic<bool>* stop = nullptr) const;

  /// The least gap at a sample, by the measured pose [m].
  [[nodiscard]] double gap(const TrackedPose& pose) const;

 private:
  [[nodiscard]] State state_of(const FlightState& flight) const;
  [[nodiscard]] double gap(const State& state) const;

  scenario::MotionScenario scenario_;
  Tracking tracking_;
};

/// The whole of a trajectory from its start on.
[[nodiscard]] Window whole(const Trajectory& trajectory, std::size_t index,
                           const scenario::TrajectoryRequest& request);

[[nodiscard]] MotionError error_of(const PredictedMotion& predicted, const Trajectory& measured,
                                   const Window& window);

}  // namespace carom::study::fit
