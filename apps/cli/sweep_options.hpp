// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace carom::cli {

/// Where a sweep's results go.
struct SweepFiles {
  std::string out;  ///< HDF5, or a part
  std::string csv;
  std::string plot;
  bool json = false;
  bool force = false;
  bool quiet = false;
};

/// What `carom sweep` is asked for.
struct SweepOptions {
  std::string file;
  std::vector<std::string> vary;
  std::vector<std::string> show;
  std::vector<std::string> laws;
  std::string method;
  std::optional<double> samples;
  std::optional<double> seed;
  std::vector<double> quantiles;
  std::optional<double> bins;
  bool indices = false;
  std::string keep;
  std::string shard;
  bool resume = false;
  unsigned threads = 0;
  bool threads_given = false;
  SweepFiles files;
};

/// What `carom merge` is asked for.
struct MergeOptions {
  std::vector<std::string> parts;
  SweepFiles files;
};

/// Adds the subcommands `sweep` and `merge`: to `carom`, which runs the program carom-sweep, and to
/// that program.
void add_sweep_options(CLI::App& app, std::function<void(const SweepOptions&)> sweep,
                       std::function<void(const MergeOptions&)> merge);

}  // namespace carom::cli
