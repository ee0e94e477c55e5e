// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace carom::cli {

/// What `carom map` is asked for.
struct MapOptions {
  std::string file;
  std::string x;
  std::string y;
  std::vector<std::string> show;
  std::vector<std::string> laws;
  std::string compare;
  std::vector<double> contours;
  std::string style;
  std::string plot;
  std::string csv;
  std::string hdf5;
  unsigned threads = 0;
  std::string simd = "best";
  bool quiet = false;
};

/// Adds the subcommand. @param work  called with the options, if they go together
void add_map_options(CLI::App& app, std::function<void(MapOptions&)> work);

}  // namespace carom::cli
