// SPDX-License-Identifier: Apache-2.0
#include <carom/scenario/csv_table.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include <carom/core/error.hpp>
#include <carom/core/nearest.hpp>
#include <carom/core/text.hpp>

namespace carom::scenario {
namespace {

std::string placed(const std::string& file, std::size_t number) {
  return file + ":" + std::to_string(number);
}

/// The cells of a line. @param number  of the line, for errors
std::vector<std::string> split(std::string_view line, const std::string& file, std::size_t number) {
  std::vector<std::string> cells;
  for (std::size_t at = 0;;) {
    at = std::min(line.find_first_not_of(' ', at), line.size());
    std::string cell;
    if (at < line.size() && line[at] == '"') {
      for (++at;; ++at) {
        if (at >= line.size()) throw InputError("", "a quote does not end", placed(file, number));
        if (line[at] != '"') {
          cell += line[at];
        } else if (at + 1 < line.size() && line[at + 1] == '"') {
          cell += line[at++];
        } else {
          break;
        }
      }
      const auto end = std::min(line.find(',', at), line.size());
      if (!trimmed(line.substr(at + 1, end - at - 1)).empty()) {
        throw InputError("", "text after a quote", placed(file, number));
      }
      at = end;
    } else {
      const auto end = std::min(line.find(',', at), line.size());
      cell = std::string(trimmed(line.substr(at, end - at)));
      at = end;
    }
    cells.push_back(std::move(cell));
    if (at++ >= line.size()) return cells;
  }
}

}  // namespace

bool CsvTable::has(std::string_view column) const {
  return std::ranges::find(columns, column) != columns.end();
}

std::size_t CsvTable::index(std::string_view column, std::string_view field) const {
  const auto at = std::ranges::find(columns, column);
  if (at == columns.end()) {
    const std::vector<std::string_view> known(columns.begin(), columns.end());
    throw InputError(std::string(field),
                     "no column '" + std::string(column) + "'" + did_you_mean(column, known),
                     file + ":1");
  }
  return static_cast<std::size_t>(at - columns.begin());
}

double CsvTable::number(std::size_t line, std::size_t column) const {
  const std::string& cell = lines[line].cells[column];
  const std::size_t sign = cell.starts_with('+') ? 1 : 0;
  double value = 0.;
  const char* last = cell.data() + cell.size();
  const auto [end, error] = std::from_chars(cell.data() + sign, last, value);
  if (error != std::errc() || end != last || !std::isfinite(value)) {
    throw InputError(columns[column], "must be a finite number, got '" + cell + "'", place(line));
  }
  return value;
}

std::string CsvTable::place(std::size_t line) const { return placed(file, lines[line].number); }

CsvTable parse_csv(std::string_view text, std::string file) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";  // spreadsheets write it
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  CsvTable table{.file = std::move(file), .columns = {}, .lines = {}};
  std::size_t number = 0;
  for (const std::string_view line : lines_of(text)) {
    ++number;
    if (trimmed(line).empty()) continue;
    auto cells = split(line, table.file, number);
    if (table.columns.empty()) {
      table.columns = std::move(cells);
      continue;
    }
    if (cells.size() != table.columns.size()) {
      throw InputError("",
                       std::to_string(cells.size()) + " cells, but " +
                           std::to_string(table.columns.size()) + " columns",
                       placed(table.file, number));
    }
    table.lines.push_back({.cells = std::move(cells), .number = number});
  }
  if (table.columns.empty()) throw InputError("", "there are no columns", table.file + ":1");
  return table;
}

std::filesystem::path beside(const std::filesystem::path& scenario,
                             const std::filesystem::path& data) {
  if (data.is_absolute()) return data;
  return (scenario.parent_path() / data).lexically_normal();
}

}  // namespace carom::scenario
