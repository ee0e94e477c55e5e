// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <carom/scenario/scenario.hpp>
#include <carom/study/comparison.hpp>

#include "command_line.hpp"

namespace carom::cli {

void add_check(CLI::App& app, int& exit_code) {
  auto* cmd = app.add_subcommand("check", "Validate scenario files without solving them");
  auto files = std::make_shared<std::vector<std::string>>();
  cmd->add_option("FILE", *files, "Scenarios (TOML)")->required()->type_name("");
  cmd->footer("Example: carom check examples/*.toml");
  cmd->callback([files, &exit_code] {
    for (const std::string& file : *files) {
      const auto scenario = scenario::read(file);
      const auto comparison = study::compare_laws(scenario);
      std::string laws;
      for (const auto& a : comparison.answers)
        laws += (laws.empty() ? "" : ", ") + std::string(a.law->name);
      print(fmt::format("{}: ok: {}, laws {}\n", file, scenario.system_type, laws));
    }
    exit_code = done;
  });
}

}  // namespace carom::cli
