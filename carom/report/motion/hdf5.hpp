// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include <carom/report/motion/trajectory.hpp>

namespace carom::report {

/// The trajectory as HDF5, written as it goes. `/time` has the times, with the attribute `unit`.
/// Each group of columns (`/positions`, `/contact_forces`, ...) has `values`, a row a sample and a
/// column a quantity, and the lists `names` and `units` of its columns. These are datasets, not
/// attributes, so that the number of columns is not limited. `/side` and `/contact_status` hold
/// whole numbers, whose attribute `meaning` explains them.
///
/// The file gets its name when it is finished; until then it has the ending `.partial`. The same
/// rows give the same bytes.
class MotionHdf5 {
 public:
  MotionHdf5(std::filesystem::path file, const TrajectoryTable& table);
  ~MotionHdf5();
  MotionHdf5(const MotionHdf5&) = delete;
  MotionHdf5& operator=(const MotionHdf5&) = delete;

  void row(const std::vector<double>& row);

  /// Writes what is kept back, closes and names the file. Throws std::runtime_error.
  void finish();

 private:
  struct File;
  std::filesystem::path name_;
  std::unique_ptr<File> file_;
};

}  // namespace carom::report
