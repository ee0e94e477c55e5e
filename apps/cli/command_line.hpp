// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace CLI {
class App;
}

namespace carom::cli {

/// Exit codes of every subcommand.
enum Exit : int { done = 0, failed = 1, wrong_input = 2, interrupted = 130 };

/// Parses the command line, runs the subcommand, returns the exit code. Data goes to standard
/// output, words to standard error; wrong usage or input is one line and `wrong_input`.
int run(int argc, char** argv);

// One function a subcommand, each in its own file: adds it to its program and what it does. Those
// of the program carom-study have their options in a file beside it, because `carom` lists them,
// too.
void add_solve(CLI::App& app, int& exit_code);
void add_map(CLI::App& app, const std::string& command);
void add_simulate(CLI::App& app, int& exit_code);
void add_examples(CLI::App& app, int& exit_code);
void add_laws(CLI::App& app, int& exit_code);
void add_check(CLI::App& app, int& exit_code);
void add_completions(CLI::App& app, int& exit_code);

/// Adds --threads N: 0, the default, stands for all cores.
void add_threads(CLI::App& command, unsigned& threads);

/// Parses the command line by an app named "carom" with subcommands, reports what is wrong with it.
/// @return the exit code: what the subcommand set, or that of what was thrown
int run_app(CLI::App& app, const int& exit_code, int argc, char** argv);

/// The main function of a program that does the work of some subcommands (programs.hpp): `add` adds
/// them.
int run_program(int argc, char** argv,
                const std::function<void(CLI::App& app, int& exit_code)>& add);

/// The command's page for man(1), made of the help texts.
[[nodiscard]] std::string man_page(const CLI::App& app);

/// "carom: error: WHAT" on standard error.
void complain(const std::string& what);

/// "carom: WHAT" on standard error, unless `quiet`.
void tell(bool quiet, const std::string& what);

/// Columns of the terminal, or where there is none a width that most places take.
[[nodiscard]] std::size_t page_width();

[[nodiscard]] std::string all_of_standard_input();

/// Writes all of it to standard output; throws if that fails (a full disk, a closed pipe).
void print(const std::string& text);

}  // namespace carom::cli
