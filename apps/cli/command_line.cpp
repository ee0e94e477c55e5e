// SPDX-License-Identifier: Apache-2.0
#include "command_line.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <iterator>
#include <stdexcept>
#include <vector>

#include <CLI/CLI.hpp>

#include <carom/core/error.hpp>
#include <carom/core/nearest.hpp>
#include <carom/report/table.hpp>

namespace carom::cli {
namespace {

/// The subcommand that the arguments had got to, for the hint.
const CLI::App& deepest(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? app : deepest(*chosen.back());
}

/// The first argument that looks like an option and is none of the subcommand's.
std::string unknown_option(const CLI::App& command, int argc, char** argv) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const auto& name : option->get_lnames()) names.push_back("--" + name);
    for (const auto& name : option->get_snames()) names.push_back("-" + name);
  }
  const std::vector<std::string_view> known(names.begin(), names.end());
  for (int i = 2; i < argc; ++i) {
    const std::string_view word(argv[i]);
    const std::string_view option = word.substr(0, word.find('='));
    if (option.size() < 2 || option[0] != '-') continue;
    if (std::find(known.begin(), known.end(), option) != known.end()) continue;
    return "unknown option '" + std::string(option) + "'" + did_you_mean(option, known);
  }
  return "";
}

/// CLI11 says "A subcommand is required" of one it does not know; this says which, and the nearest.
std::string usage_problem(const CLI::App& app, const CLI::ParseError& e, int argc, char** argv) {
  if (&deepest(app) == &app && argc > 1 && argv[1][0] == '-') {
    return "unknown option '" + std::string(argv[1]) + "' before a command; see carom --help";
  }
  if (&deepest(app) == &app && argc > 1) {
    std::vector<std::string> names;
    for (const CLI::App* sub : app.get_subcommands({})) names.push_back(sub->get_name());
    const std::vector<std::string_view> known(names.begin(), names.end());
    return "unknown command '" + std::string(argv[1]) + "'" + did_you_mean(argv[1], known);
  }
  std::string option = unknown_option(deepest(app), argc, argv);
  if (!option.empty()) return option;
  std::string text = e.what();
  for (char& c : text) {
    if (c == '\n') c = ' ';
  }
  return text + "; see " +
         (deepest(app).get_parent() ? "carom " + deepest(app).get_name() : "carom") + " --help";
}

}  // namespace

void complain(const std::string& what) {
  std::fprintf(stderr, "carom: error: %s\n", printable_lines(what).c_str());
}

void tell(bool quiet, const std::string& what) {
  if (!quiet) std::fprintf(stderr, "carom: %s\n", printable_lines(what).c_str());
}

void print(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
    throw std::runtime_error("cannot write to standard output");
  }
}

std::size_t page_width() {
  constexpr std::size_t least = 60;
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    return std::max<std::size_t>(size.ws_col, least);
  }
  return report::Page{}.width;
}

std::string all_of_standard_input() { return {std::istreambuf_iterator<char>(std::cin), {}}; }

void add_threads(CLI::App& command, unsigned& threads) {
  command.add_option("--threads", threads, "Threads (default: all cores); results are the same")
      ->type_name("N")
      ->check([](const std::string& n) {
        const bool whole =
            !n.empty() && n.size() < 7 && n.find_first_not_of("0123456789") == std::string::npos;
        return whole ? "" : "must be a whole number >= 0, got '" + n + "'";
      });
}

int run_app(CLI::App& app, const int& exit_code, int argc, char** argv) {
  try {
    app.parse(argc, argv);
    return exit_code;
  } catch (const CLI::CallForHelp&) {
    const CLI::App& chosen = deepest(app);
    print(&chosen == &app ? app.help() : chosen.help("carom"));
    return done;
  } catch (const CLI::CallForVersion& e) {
    print(std::string(e.what()) + "\n");
    return done;
  } catch (const CLI::ParseError& e) {
    complain(usage_problem(app, e, argc, argv));
    return wrong_input;
  } catch (const InputError& e) {
    complain(e.what());
    return wrong_input;
  } catch (const Interrupted&) {
    complain("interrupted; nothing more is written");
    return interrupted;
  } catch (const std::exception& e) {
    complain(e.what());
    return failed;
  }
}

int run_program(int argc, char** argv,
                const std::function<void(CLI::App& app, int& exit_code)>& add) {
  CLI::App app("", "carom");
  app.require_subcommand(1);
  int exit_code = done;
  add(app, exit_code);
  return run_app(app, exit_code, argc, argv);
}

}  // namespace carom::cli
