// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace carom::cli {

/// What `carom papers` is asked for.
struct PapersOptions {
  std::vector<std::string> names;
  bool all = false;
  std::string out;
  bool errata = false;
  bool json = false;
  bool full = false;
  unsigned threads = 0;
  bool quiet = false;
};

/// Adds the subcommand `papers`: to `carom`, which runs the program carom-papers, and to that
/// program. @param work  called with the options, if they go together
void add_papers_options(CLI::App& app, std::function<void(const PapersOptions&)> work);

}  // namespace carom::cli
