// SPDX-License-Identifier: Apache-2.0
// `carom papers` runs the program carom-papers.
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <vector>

#include <CLI/CLI.hpp>

#include "command_line.hpp"
#include "papers_options.hpp"

namespace carom::cli {
namespace {

constexpr const char* papers_variable = "CAROM_PAPERS";
constexpr const char* program = "carom-papers";

/// What to run: as the environment says, beside this program, or in its libexec; else the name
/// alone, to be looked for in PATH.
std::string papers_program() {
  if (const char* named = std::getenv(papers_variable); named != nullptr && *named != '\0')
    return named;
  std::error_code none;
  const auto here = std::filesystem::read_symlink("/proc/self/exe", none).parent_path();
  if (!none) {
    for (const auto& file : {here / program, here.parent_path() / "libexec/carom" / program}) {
      if (access(file.c_str(), X_OK) == 0) return file.string();
    }
  }
  return program;
}

/// Becomes that program; returns only by an exception.
[[noreturn]] void run_program(std::span<char* const> arguments) {
  std::string name = papers_program();
  std::vector<char*> all{name.data()};
  all.insert(all.end(), arguments.begin(), arguments.end());
  all.push_back(nullptr);
  execvp(name.c_str(), all.data());
  const std::string why = std::strerror(errno);
  if (name != program) throw std::runtime_error("cannot run " + name + ": " + why);
  throw std::runtime_error(
      "this needs the program carom-papers, which is neither beside carom nor in PATH; in the "
      "source "
      "tree './run papers' builds and runs it; an installed Carom gets it if it is built before "
      "'cmake --install' ('cmake --build --preset release --target carom_papers_cli'); "
      "CAROM_PAPERS may name it elsewhere");
}

}  // namespace

void add_papers(CLI::App& app, std::span<char* const> arguments) {
  add_papers_options(app, [arguments](const PapersOptions&) { run_program(arguments); });
}

}  // namespace carom::cli
