// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// Printed numbers: comma-separated values (scenario/csv_table.hpp) whose cells may name an
/// erratum.
namespace carom::papers {

struct CsvCell {
  std::string text{};   ///< "0.1034"
  std::string known{};  ///< "ST9" of the cell `0.1034 [ST9]`: the erratum that explains it
};

struct CsvTable {
  std::string file{};
  std::vector<std::string> columns{};
  struct Line {
    std::vector<CsvCell> cells{};  ///< one for each column
    std::size_t number = 0;        ///< of the file, from 1
  };
  std::vector<Line> lines{};
};

/// Throws InputError with file and line.
[[nodiscard]] CsvTable read_csv(std::string_view text, std::string file);

/// A row of a file, for computations. Refers to the table, which must outlive it.
class Row {
 public:
  Row(const CsvTable& table, std::size_t line) : index(line), table_(&table) {}

  std::size_t index;  ///< from 0

  /// Without its erratum. Throws InputError where there is no such column.
  [[nodiscard]] const std::string& text(std::string_view column) const;
  /// The same as a number. Throws InputError where it is none.
  [[nodiscard]] double number(std::string_view column) const;
  [[nodiscard]] std::string place() const;  ///< "papers/brach/fig-5.csv:3"

 private:
  const CsvTable* table_;
};

/// The rows of a built-in file of papers/: "shen-townsend/table-3". Read once.
[[nodiscard]] const std::vector<Row>& printed_rows(std::string_view name);

}  // namespace carom::papers
