// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdio>

#include <CLI/CLI.hpp>

#include "check_options.hpp"
#include "command_line.hpp"
#include "fit_options.hpp"
#include "map_options.hpp"
#include "papers_options.hpp"
#include "programs.hpp"
#include "simulate_options.hpp"
#include "sweep_options.hpp"

namespace carom::cli {

namespace {

int run_command(int argc, char** argv) {
  CLI::App app("Computes impacts of rigid bodies with friction, and compares impact laws.",
               "carom");
  app.set_version_flag("--version", "carom " CAROM_VERSION);
  app.require_subcommand(1);
  app.footer("Example: carom solve bar\nEach command has its own --help.");
  int exit_code = done;
  add_solve(app, exit_code);
  const auto arguments = std::span<char* const>(argv, static_cast<std::size_t>(argc)).subspan(1);
  const auto study = [&](const auto&) { become(study_program, arguments); };
  const auto sweep = [&](const auto&) { become(sweep_program, arguments); };
  add_map_options(app, study);
  add_simulate_options(app, study);
  add_sweep_options(app, sweep, sweep);
  add_fit_options(app, [&](const auto&) { become(fit_program, arguments); });
  add_papers_options(app, [&](const auto&) { become(papers_program, arguments); });
  add_examples(app, exit_code);
  add_laws(app, exit_code);
  add_check_options(app, study);
  add_completions(app, exit_code);
  return run_app(app, exit_code, argc, argv);
}

}  // namespace

int run(int argc, char** argv) {
  if (argc > 1) return run_command(argc, argv);
  std::array<std::string, 3> showcase{"carom", "solve", "kane-levinson"};
  std::array<char*, 4> words{showcase[0].data(), showcase[1].data(), showcase[2].data(), nullptr};
  const int exit_code = run_command(static_cast<int>(showcase.size()), words.data());
  if (exit_code == done) {
    std::fputs(
        "carom: this was 'carom solve kane-levinson'; 'carom examples' lists more, "
        "'carom --help' the commands\n",
        stderr);
  }
  return exit_code;
}

}  // namespace carom::cli
