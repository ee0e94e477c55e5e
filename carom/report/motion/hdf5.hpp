// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>

#include <carom/motion/simulation.hpp>

namespace carom::report {

/// The trajectory as HDF5, written as it goes: `/trajectory`, a row a sample, its attributes
/// `columns` and `units` naming what stands in them; of a contact's status 0 is open, 1 slip, 2
/// stick.
class MotionHdf5 {
 public:
  /// @param resumed  go on with the file that is there
  MotionHdf5(const std::filesystem::path& file, const motion::Model& model, bool resumed);
  ~MotionHdf5();
  MotionHdf5(const MotionHdf5&) = delete;
  MotionHdf5& operator=(const MotionHdf5&) = delete;

  void sample(const motion::Sample& sample);

  /// Writes what is kept back and closes. Throws std::runtime_error.
  void finish();

 private:
  struct File;
  const motion::Model& model_;
  std::unique_ptr<File> file_;
};

}  // namespace carom::report
