// SPDX-License-Identifier: Apache-2.0
// The program carom-study: the subcommands that study impacts at many points or over time.
#include <string>

#include "command_line.hpp"

int main(int argc, char** argv) {
  using namespace carom::cli;
  std::string command = "carom";
  for (int i = 1; i < argc; ++i) command += " " + std::string(argv[i]);
  return run_program(argc, argv, [&command](CLI::App& app, int& exit_code) {
    add_map(app, command);
    add_simulate(app, exit_code);
    add_check(app, exit_code);
  });
}
