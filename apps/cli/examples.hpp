// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace carom::cli {

/// A scenario that comes with Carom.
struct Example {
  /// The path below the directory of examples, without ".toml": "motion/rocking-block". One at the
  /// top whose name others end in is "examples/superball".
  std::string name;
  std::filesystem::path file;
};

/// All of them by folder, in alphabetical order. They are in the directory that the variable
/// CAROM_EXAMPLES names, else beside the installed program, else in the source tree or where they
/// were to be installed. Throws InputError where there is none.
[[nodiscard]] std::vector<Example> examples();

/// The example of that name; the last part of it suffices where no other that `command` can use
/// ends in it. Throws InputError that names the candidates, or what may have been meant.
[[nodiscard]] const Example& find_example(const std::vector<Example>& all, const std::string& name,
                                          std::string_view command);

/// The file that `given` names, or if there is none the example for `command`. What ends in ".toml"
/// is a file; if it is missing and there is an example of that name, throws InputError that says
/// so.
[[nodiscard]] std::string scenario_file(const std::string& given, std::string_view command);

/// The command that an example is for: "solve", "map" or "simulate".
[[nodiscard]] std::string command_for(const Example& example);

}  // namespace carom::cli
