// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace carom::test {

/// What a finished program left.
struct Finished {
  int code = -1;  ///< exit code; -1: killed by a signal
  std::string out;
  std::string err;
};

/// Runs the carom command with `arguments` (split by the shell) in the source folder.
[[nodiscard]] Finished run_carom(const std::string& arguments, const std::string& input = "");

/// Runs a shell command line.
[[nodiscard]] Finished run_shell(const std::string& line, const std::string& input = "");

/// Writes a file in this test's own folder and returns its path.
[[nodiscard]] std::string write_file(const std::string& name, const std::string& text);

[[nodiscard]] std::string read_file(const std::string& path);

[[nodiscard]] std::vector<std::string> lines_of(const std::string& text);

}  // namespace carom::test
