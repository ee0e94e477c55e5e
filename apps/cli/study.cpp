// SPDX-License-Identifier: Apache-2.0
// The program carom-study: the subcommands that study impacts at many points or over time.
#include <string>

#include <CLI/CLI.hpp>

#include "command_line.hpp"

int main(int argc, char** argv) {
  using namespace carom::cli;
  std::string command = "carom";
  for (int i = 1; i < argc; ++i) command += " " + std::string(argv[i]);
  CLI::App app("", "carom");
  app.require_subcommand(1);
  int exit_code = done;
  add_map(app, exit_code, command);
  add_simulate(app, exit_code);
  add_check(app, exit_code);
  return run_app(app, exit_code, argc, argv);
}
