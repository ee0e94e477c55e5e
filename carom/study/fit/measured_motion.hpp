// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <Eigen/Core>
#include <Eigen/Geometry>

#include <carom/scenario/csv_table.hpp>
#include <carom/scenario/trajectory_request.hpp>

/// Measured trajectories of one body in space.
namespace carom::study::fit {

using Point = Eigen::Matrix<double, 3, 1, Eigen::DontAlign>;
using Turn = Eigen::Quaternion<double, Eigen::DontAlign>;

/// Where the tracked point is, in measured lengths, and how the body is turned (body to world).
struct TrackedPose {
  Point position = Point::Zero();  ///< [m]
  Turn orientation = Turn::Identity();
};

struct Trajectory {
  std::string group{};               ///< as the data have it
  std::vector<std::string> steps{};  ///< as the data have them, or the times
  std::vector<double> time{};        ///< since the first sample [s]
  std::vector<TrackedPose> poses{};
  std::vector<Point> velocity{};  ///< of the tracked point, in measured lengths; may be empty [m/s]
  std::vector<Point> spin_body{};  ///< in body axes; may be empty [rad/s]
  double interval = 0.;            ///< between samples [s]
  std::size_t start = 0;           ///< index of the sample where predictions start
};

/// The trajectories of a table, in the order of the file. Throws InputError with the line where
/// times are not evenly spaced, or a quaternion has no direction.
[[nodiscard]] std::vector<Trajectory> read_trajectories(const scenario::CsvTable& table,
                                                        const scenario::TrajectoryRequest& request);

/// The angle between two orientations, in [0, pi] [rad].
[[nodiscard]] double angle_between(const Turn& a, const Turn& b);

/// The rotation vector of a quaternion, of length in [0, pi] [rad], and its inverse.
[[nodiscard]] Point rotation_vector(const Turn& q);
[[nodiscard]] Turn turn_by(const Point& rotation);

}  // namespace carom::study::fit
