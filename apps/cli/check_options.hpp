// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace carom::cli {

/// Adds the subcommand `check`. @param work  called with the names of files or examples
void add_check_options(CLI::App& app, std::function<void(const std::vector<std::string>&)> work);

}  // namespace carom::cli
