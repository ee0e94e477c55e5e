// SPDX-License-Identifier: Apache-2.0
#include <command/process.hpp>

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace carom::test {
namespace {

/// A folder of this test alone, so that tests may run side by side.
std::filesystem::path folder() {
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  std::string name = std::string(test->test_suite_name()) + "." + test->name();
  for (char& c : name) {
    if (c == '/') c = '_';
  }
  const auto path = std::filesystem::temp_directory_path() / "carom-tests" / name;
  std::filesystem::create_directories(path);
  return path;
}

}  // namespace

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::string write_file(const std::string& name, const std::string& text) {
  const auto path = folder() / name;
  std::ofstream(path, std::ios::binary) << text;
  return path.string();
}

Finished run_shell(const std::string& line, const std::string& input) {
  const std::string in = write_file("stdin", input);
  const auto out = folder() / "stdout";
  const auto err = folder() / "stderr";
  const std::string command = "cd '" CAROM_SOURCE_DIR "' && ( " + line + " ) <'" + in + "' >'" +
                              out.string() + "' 2>'" + err.string() + "'";
  const int status = std::system(command.c_str());
  return {.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1,
          .out = read_file(out.string()),
          .err = read_file(err.string())};
}

Finished run_carom(const std::string& arguments, const std::string& input) {
  return run_shell("'" CAROM_COMMAND_FILE "' " + arguments, input);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

}  // namespace carom::test
