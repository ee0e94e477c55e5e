// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <carom/report/table.hpp>
#include <carom/scenario/trajectory_request.hpp>
#include <carom/study/fit/trajectory_fit.hpp>

/// What a fit to trajectories found.
namespace carom::report {

struct TrajectoryReport {
  const scenario::TrajectoryRequest& request;
  std::string law;
  study::fit::FittedValues fitted;                   ///< of the file, where nothing was fitted
  std::optional<study::fit::TrajectoryScore> score;  ///< of all trajectories with these values
  std::optional<study::fit::TrajectoryValidation> validation;
  std::optional<study::fit::TrajectoryScore> predicted;  ///< of other data
  std::vector<std::string> names;                        ///< of the trajectories
};

[[nodiscard]] std::string trajectories_summary(const TrajectoryReport& report, const Page& page);

/// One line.
[[nodiscard]] std::string trajectories_json(const TrajectoryReport& report);

/// The errors of each trajectory: fitted, and if there was one, of the cross-validation.
[[nodiscard]] std::string errors_csv(const TrajectoryReport& report);

/// A record for pictures: three trajectories, one with a small error, one in the middle and one
/// with a large one; their heights and paths from above, measured and predicted, and how far the
/// predicted orientations are off.
[[nodiscard]] std::string trajectories_record(
    const TrajectoryReport& report, const std::vector<study::fit::Trajectory>& trajectories,
    const std::vector<study::fit::PredictedMotion>& predicted);

}  // namespace carom::report
