// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <carom/core/world.hpp>
#include <carom/scenario/toml_table.hpp>

/// What a fit to measured trajectories is asked for: a scenario that moves, with a table [fit].
namespace carom::scenario {

/// A number of the scenario that is fitted.
struct TrajectoryParameter {
  PlacedText path;      ///< "surface.restitution", "system.bodies.cube.mass_centre[2]"
  double written = 0.;  ///< the value that the scenario has
  double start = 0.;    ///< where the search begins
  double low = 0.;      ///< bounds of the search
  double high = 0.;
};

struct TrajectoryRequest {
  std::string name;   ///< of the file, for messages
  std::string text;   ///< of the file
  std::string title;  ///< one line, may be empty
  std::string law;    ///< motion.law; empty: the default

  // The columns of the data.
  std::filesystem::path data;           ///< as a path that can be opened
  PlacedText group;                     ///< one trajectory each
  PlacedText step;                      ///< number of the sample; empty: none
  PlacedText time;                      ///< [s], evenly spaced
  std::vector<PlacedText> position;     ///< of the tracked point, three [m]
  std::vector<PlacedText> orientation;  ///< w, x, y, z of the quaternion from body to world
  std::vector<PlacedText> velocity;     ///< of the tracked point, three or none [m/s]
  std::vector<PlacedText> spin_body;    ///< in body axes, three or none [rad/s]

  // What was tracked.
  double length_scale = 1.;  ///< measured lengths over true ones
  World3 tracked_point{};    ///< in the frame of the shape [m]
  double start_height = 0.;  ///< a prediction starts at the sample before the first whose third
                             ///< position is at most this [m, as measured]
  std::size_t flight = 10;   ///< samples, up to the start, from which the state there is estimated
  double width = 1.;         ///< of the body: positions are judged in parts of it [m, as measured]

  // The fit.
  std::vector<TrajectoryParameter> parameters;
  double window = 0.25;          ///< length of the motions compared first [s]
  std::size_t search = 120;      ///< trajectories that the search compares
  std::size_t evaluations = 45;  ///< of whole trajectories, at most
  std::size_t folds = 5;
  std::uint64_t seed = 1;
  bool stored = false;  ///< predict with the numbers that the scenario has
};

/// Is it a file for a fit to trajectories: TOML with [motion] and [fit]?
[[nodiscard]] bool is_trajectory_fit(std::string_view text);

/// Reads a file with [motion] and [fit], which must describe one body in space. Throws InputError
/// with file:line:column.
[[nodiscard]] TrajectoryRequest read_trajectory_fit(const std::filesystem::path& file);
/// The same from text; `name` stands for the file, and data are looked for beside it.
[[nodiscard]] TrajectoryRequest parse_trajectory_fit(std::string text,
                                                     const std::filesystem::path& name);

}  // namespace carom::scenario
