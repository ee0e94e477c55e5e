// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <carom/study/fit/body_motion.hpp>

/// Parameters of a scenario from measured trajectories.
///
/// The error of a prediction is the mean over its samples of the distance of the tracked point, in
/// tenths of the width, plus that of the angle of rotation, in tens of degrees. What is minimised
/// is its mean over motions, by the simplex method, since a rebound that differs a little may end
/// on another face: the mean is continuous only in parts.
///
/// 1. Windows: short motions from every stretch of free flight, over a few samples (multiple
///    shooting). The mean is then nearly smooth, whatever the start of the search.
/// 2. Whole trajectories, from the result of the windows on, with a smaller simplex.
///
/// Results are bit-identical for any number of threads: errors are computed one by one and added in
/// order.
namespace carom::study::fit {

struct TrajectoryFitOptions {
  std::string law;       ///< instead of motion.law; empty: that of the file
  unsigned threads = 0;  ///< 0: as many as there are cores
  std::function<void(double share)>
      progress{};                           ///< called now and then, not by two threads at once
  const std::atomic<bool>* stop = nullptr;  ///< set by others: throws Interrupted
};

/// Mean over trajectories, with the standard error of the mean.
struct MeanError {
  double value = 0.;
  double error = 0.;
};

struct TrajectoryScore {
  std::size_t trajectories = 0;
  MeanError position;  ///< in parts of the width
  MeanError rotation;  ///< [rad]
  std::vector<MotionError> each;
  std::vector<std::string> trouble;  ///< "toss 17: events follow each other ...", in their order
};

/// Predicts trajectories and compares them with what was measured.
/// @param which  indices, in the order of `each`
[[nodiscard]] TrajectoryScore score(const scenario::TrajectoryRequest& request,
                                    const std::vector<Trajectory>& trajectories,
                                    std::span<const std::size_t> which,
                                    std::span<const double> values,
                                    const TrajectoryFitOptions& options = {});

struct FittedValues {
  std::vector<double> values;    ///< one for each of request.parameters
  double loss = 0.;              ///< of the trajectories compared
  std::size_t windows = 0;       ///< that were compared first
  std::size_t trajectories = 0;  ///< that were compared whole
  std::size_t evaluations = 0;   ///< of both
};

/// @param which  indices of the trajectories to fit; at most request.search of them are compared,
///               chosen at random by request.seed
[[nodiscard]] FittedValues fit_trajectories(const scenario::TrajectoryRequest& request,
                                            const std::vector<Trajectory>& trajectories,
                                            std::span<const std::size_t> which,
                                            const TrajectoryFitOptions& options = {});

/// Each trajectory predicted with values fitted to the other folds.
struct TrajectoryValidation {
  std::vector<FittedValues> folds;
  std::vector<std::size_t> fold;  ///< of each trajectory: index into `folds`
  TrajectoryScore score;          ///< of all trajectories, in their order
};
[[nodiscard]] TrajectoryValidation cross_validate(const scenario::TrajectoryRequest& request,
                                                  const std::vector<Trajectory>& trajectories,
                                                  const TrajectoryFitOptions& options = {});

/// Predictions of whole trajectories, in their order.
[[nodiscard]] std::vector<PredictedMotion> predict_all(const scenario::TrajectoryRequest& request,
                                                       const std::vector<Trajectory>& trajectories,
                                                       std::span<const double> values,
                                                       const TrajectoryFitOptions& options = {});

/// How far these are from what was measured.
[[nodiscard]] TrajectoryScore score_of(const scenario::TrajectoryRequest& request,
                                       const std::vector<Trajectory>& trajectories,
                                       const std::vector<PredictedMotion>& predicted);

/// The same as CSV: group, step, position and orientation of each trajectory from its start on,
/// under the names that the data have.
[[nodiscard]] std::string prediction_csv(const scenario::TrajectoryRequest& request,
                                         const std::vector<Trajectory>& trajectories,
                                         const std::vector<PredictedMotion>& predicted);

}  // namespace carom::study::fit
