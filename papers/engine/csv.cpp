// SPDX-License-Identifier: Apache-2.0
#include <papers/engine/csv.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <regex>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include <carom/core/error.hpp>
#include <carom/scenario/csv_table.hpp>
#include <papers/engine/embedded.hpp>
#include <papers/engine/judgement.hpp>

namespace carom::papers {
namespace {

CsvCell cell_of(const std::string& text) {
  static const std::regex with_erratum(R"((.*?) *\[([A-Z]+[0-9]+)\])");
  std::smatch found;
  if (!std::regex_match(text, found, with_erratum)) return {.text = text, .known = {}};
  return {.text = found[1], .known = found[2]};
}

/// A file and its rows, which stay where they are.
struct Data {
  CsvTable table;
  std::vector<Row> rows;
};

}  // namespace

CsvTable read_csv(std::string_view text, std::string file) {
  scenario::CsvTable plain = scenario::parse_csv(text, std::move(file));
  CsvTable table{.file = std::move(plain.file), .columns = std::move(plain.columns), .lines = {}};
  for (const scenario::CsvTable::Line& line : plain.lines) {
    CsvTable::Line& row = table.lines.emplace_back();
    row.number = line.number;
    for (const std::string& cell : line.cells) row.cells.push_back(cell_of(cell));
  }
  return table;
}

std::string Row::place() const {
  return fmt::format("{}:{}", table_->file, table_->lines[index].number);
}

const std::string& Row::text(std::string_view column) const {
  const auto at = std::find(table_->columns.begin(), table_->columns.end(), column);
  if (at == table_->columns.end()) {
    throw InputError("", fmt::format("no column '{}'", column), table_->file + ":1");
  }
  return table_->lines[index].cells[static_cast<std::size_t>(at - table_->columns.begin())].text;
}

double Row::number(std::string_view column) const {
  try {
    return parse_printed(text(column)).value;
  } catch (const std::invalid_argument& e) {
    throw InputError(std::string(column), e.what(), place());
  }
}

const std::vector<Row>& printed_rows(std::string_view name) {
  static std::mutex reading;
  static std::map<std::string, std::unique_ptr<Data>, std::less<>> read;
  const std::lock_guard lock(reading);
  auto at = read.find(name);
  if (at == read.end()) {
    const std::string file = fmt::format("papers/{}.csv", name);
    auto data = std::make_unique<Data>();
    data->table = read_csv(embedded(file), file);
    for (std::size_t i = 0; i < data->table.lines.size(); ++i) {
      data->rows.emplace_back(data->table, i);
    }
    at = read.emplace(name, std::move(data)).first;
  }
  return at->second->rows;
}

}  // namespace carom::papers
