// SPDX-License-Identifier: Apache-2.0
#include "check_options.hpp"

#include <memory>
#include <utility>

#include <CLI/CLI.hpp>

namespace carom::cli {

void add_check_options(CLI::App& app, std::function<void(const std::vector<std::string>&)> work) {
  auto* cmd = app.add_subcommand("check", "Validate scenario files and list the laws that apply");
  auto files = std::make_shared<std::vector<std::string>>();
  cmd->add_option("FILE", *files, "Scenarios (TOML), or names of examples")
      ->required()
      ->type_name("");
  cmd->footer("Example: carom check bar motion/rocking-block");
  cmd->callback([files, work = std::move(work)] { work(*files); });
}

}  // namespace carom::cli
