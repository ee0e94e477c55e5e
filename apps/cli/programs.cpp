// SPDX-License-Identifier: Apache-2.0
#include "programs.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace carom::cli {
namespace {

std::string find_program(const Program& program) {
  const char* named = std::getenv(program.variable);
  if (named != nullptr && *named != '\0') return named;
  std::error_code none;
  const auto here = std::filesystem::read_symlink("/proc/self/exe", none).parent_path();
  if (!none) {
    for (const auto& folder : {here, here.parent_path() / "libexec/carom"}) {
      const auto file = folder / program.name;
      if (access(file.c_str(), X_OK) == 0) return file.string();
    }
  }
  return program.name;
}

}  // namespace

void become(const Program& program, std::span<char* const> arguments) {
  std::string file = find_program(program);
  std::vector<char*> all{file.data()};
  all.insert(all.end(), arguments.begin(), arguments.end());
  all.push_back(nullptr);
  execvp(file.c_str(), all.data());
  const std::string why = std::strerror(errno);
  if (file != program.name) throw std::runtime_error("cannot run " + file + ": " + why);
  const std::string subcommand = arguments.empty() ? "" : arguments.front();
  throw std::runtime_error(
      "this needs the program " + file +
      ", which is neither beside carom nor in PATH; in the source tree './run " + subcommand +
      "' builds and runs it; an installed Carom gets it if it is built before "
      "'cmake --install' ('cmake --build --preset release --target " +
      program.target + "'); " + program.variable + " may name it elsewhere");
}

}  // namespace carom::cli
