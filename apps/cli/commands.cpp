// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>

#include "command_line.hpp"

namespace carom::cli {

int run(int argc, char** argv) {
  std::string command = "carom";
  for (int i = 1; i < argc; ++i) command += " " + std::string(argv[i]);
  CLI::App app("What happens when rigid bodies strike each other with friction, under every law.",
               "carom");
  app.set_version_flag("--version", "carom " CAROM_VERSION);
  app.require_subcommand(1);
  app.footer("Example: carom solve examples/bar.toml\nEach command has its own --help.");
  int exit_code = done;
  add_solve(app, exit_code);
  add_map(app, exit_code, command);
  add_simulate(app, exit_code);
  add_papers(app, std::span(argv, static_cast<std::size_t>(argc)).subspan(argc < 2 ? 0 : 2));
  add_laws(app, exit_code);
  add_check(app, exit_code);
  add_completions(app, exit_code);
  return run_app(app, exit_code, argc, argv);
}

}  // namespace carom::cli
