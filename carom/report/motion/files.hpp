// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <carom/motion/simulation.hpp>
#include <carom/report/motion/trajectory.hpp>

/// A motion as files in a directory, written as it goes: `trajectory.csv`, `contacts.csv`,
/// `events.csv`, `energy.csv`, and `progress.toml`, from which it can be resumed.
///
/// `progress.toml` is replaced as a whole. It has the state, and how many bytes of the growing
/// files belong to that state: these were written before. A run that is killed at any moment is
/// resumed from there; what the files have beyond is cut off and computed again.
namespace carom::report {

/// What tells a run from others, and its options.
struct RunIdentity {
  std::string scenario;  ///< the text of its file
  motion::MotionMethod method = motion::MotionMethod::events;
  double step = 0.;             ///< of stepping [s]; 0: the default
  double end_time = 0.;         ///< [s]
  double tolerance = 0.;        ///< of the integration
  double sample_interval = 0.;  ///< [s]
};

/// Of trajectory.csv, events.csv and contacts.csv.
using FileSizes = std::array<std::uintmax_t, 3>;

class MotionFiles {
 public:
  MotionFiles(std::filesystem::path directory, const motion::ContactNames& names,
              const TrajectoryTable& table, RunIdentity run);
  ~MotionFiles();
  MotionFiles(const MotionFiles&) = delete;
  MotionFiles& operator=(const MotionFiles&) = delete;

  /// Makes the directory, writes the first progress and begins the files. Throws
  /// std::runtime_error where that fails.
  void begin(const motion::Progress& progress);

  /// Goes on with the files that are there, of which `bytes` are kept, and
  /// passes the rows of the trajectory so far to `row`. Throws std::runtime_error where they are
  /// shorter or of another run.
  void resume(const FileSizes& bytes, const std::function<void(const std::vector<double>&)>& row);

  void row(const std::vector<double>& row);
  void event(const motion::Event& event);

  /// What follows belongs to the end of this run only: a run that is resumed does not have it.
  void end();

  /// Writes what is kept back, and the progress that belongs to it.
  void checkpoint(const motion::Progress& progress);

  /// Writes what is kept back, the energy account, and the last progress.
  void finish(const motion::Summary& summary);

 private:
  void begin_files();

  struct Out;
  std::filesystem::path directory_;
  const motion::ContactNames& names_;
  const TrajectoryTable& table_;
  RunIdentity run_;
  std::unique_ptr<Out> out_;
};

/// A run that can be resumed.
struct ResumedRun {
  motion::Progress progress{};
  motion::MotionMethod method = motion::MotionMethod::events;
  double step = 0.;             ///< of stepping [s]; 0: the default
  double end_time = 0.;         ///< which it was to reach [s]
  double tolerance = 0.;        ///< of the integration
  double sample_interval = 0.;  ///< [s]
  FileSizes bytes{};
};

/// Whether the directory is there and has no more than a run that was killed before its first
/// progress can leave.
[[nodiscard]] bool is_run_without_progress(const std::filesystem::path& directory);

/// How the motion in a directory is computed, which decides how its scenario is read. Throws
/// InputError under `field` where there is none, or it is of another scenario.
[[nodiscard]] motion::MotionMethod read_method(const std::filesystem::path& directory,
                                               std::string_view text, std::string_view field);

/// What `progress.toml` of a directory says. Throws InputError under `field` where there is none,
/// it does not fit the model, or it is of another scenario.
[[nodiscard]] ResumedRun read_progress(const std::filesystem::path& directory, const Model& model,
                                       std::string_view text, std::string_view field);

}  // namespace carom::report
