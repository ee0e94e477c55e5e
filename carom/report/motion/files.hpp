// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

#include <carom/motion/simulation.hpp>

/// A motion as files in a directory, written as it goes: `trajectory.csv`, `events.csv`,
/// `energy.csv`, and `progress.toml`, from which it can go on. What is there is whole up to its
/// last line at any time.
namespace carom::report {

class MotionFiles {
 public:
  enum class Begin : std::uint8_t { anew, resumed };

  /// Makes the directory and begins the files, or goes on with those that are there. Throws
  /// std::runtime_error where that fails.
  MotionFiles(std::filesystem::path directory, const motion::Model& model, Begin begin);
  ~MotionFiles();
  MotionFiles(const MotionFiles&) = delete;
  MotionFiles& operator=(const MotionFiles&) = delete;

  void event(const motion::Event& event);
  void sample(const motion::Sample& sample);

  /// Writes what is kept back, the energy account, and how to go on.
  /// @param scenario  the text of the file, which is to be the same then
  void finish(const motion::Summary& summary, std::string_view scenario);

 private:
  struct Out;
  std::filesystem::path directory_;
  const motion::Model& model_;
  std::unique_ptr<Out> out_;
};

/// What `progress.toml` of a directory says. Throws InputError under `field` where there is none,
/// it does not fit the model, or it is of another scenario.
[[nodiscard]] motion::Progress read_progress(const std::filesystem::path& directory,
                                             const motion::Model& model, std::string_view text,
                                             std::string_view field);

}  // namespace carom::report
