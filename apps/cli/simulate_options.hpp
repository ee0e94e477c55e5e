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

/// What `carom simulate` is asked for.
struct SimulateOptions {
  std::string file;
  std::string out;
  std::string resume;
  std::string plot;
  std::string animate;
  std::vector<std::string> show;
  std::vector<double> at;
  std::string method;
  std::optional<double> step;
  std::optional<double> end;
  std::optional<double> tolerance;
  std::optional<double> interval;
  std::optional<double> checkpoint;  ///< time between states from which a run can be resumed [s]
  unsigned threads = 0;              ///< 0: all cores
  bool json = false;
  bool csv = false;
  bool quiet = false;
  bool full = false;   ///< every event in the log
  bool force = false;  ///< a run that is there may go
};

/// Adds the subcommand. @param work  called with the options, if they go together
void add_simulate_options(CLI::App& app, std::function<void(SimulateOptions&)> work);

}  // namespace carom::cli
