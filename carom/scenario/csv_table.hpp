// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

/// Comma-separated values: the first line has the names of the columns. Spaces around a cell do not
/// count; a cell that holds a comma or a quote stands in quotes, "1, 2". Empty lines are skipped.
namespace carom::scenario {

struct CsvTable {
  struct Line {
    std::vector<std::string> cells{};  ///< one for each column
    std::size_t number = 0;            ///< of the file, from 1
  };
  std::string file{};
  std::vector<std::string> columns{};
  std::vector<Line> lines{};

  [[nodiscard]] bool has(std::string_view column) const;

  /// The index of a column. Throws InputError with the file, and the name that may be meant.
  /// @param field  what asks for it, "fit.before[1]"; may be empty
  [[nodiscard]] std::size_t index(std::string_view column, std::string_view field = {}) const;

  /// A cell as a number. Throws InputError with column and place where it is none, or not finite.
  [[nodiscard]] double number(std::size_t line, std::size_t column) const;

  [[nodiscard]] std::string place(std::size_t line) const;  ///< "drops.csv:3"
};

/// Throws InputError with file and line.
[[nodiscard]] CsvTable parse_csv(std::string_view text, std::string file);

/// A file of data that a scenario names: as it stands, or if it is relative, in the folder of the
/// scenario.
[[nodiscard]] std::filesystem::path beside(const std::filesystem::path& scenario,
                                           const std::filesystem::path& data);

}  // namespace carom::scenario
