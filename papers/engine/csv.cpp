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
#include <papers/engine/embedded.hpp>
#include <papers/engine/judgement.hpp>

namespace carom::papers {
namespace {

/// The cells of a line. @param place  of it, for errors
std::vector<std::string> split(std::string_view line, const std::string& place) {
  std::vector<std::string> cells;
  for (std::size_t at = 0;;) {
    at = std::min(line.find_first_not_of(' ', at), line.size());
    std::string cell;
    if (at < line.size() && line[at] == '"') {
      for (++at;; ++at) {
        if (at >= line.size()) throw InputError("", "a quote does not end", place);
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
        throw InputError("", "text after a quote", place);
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
  CsvTable table{.file = std::move(file), .columns = {}, .lines = {}};
  std::size_t number = 0;
  for (const std::string_view line : lines_of(text)) {
    ++number;
    if (trimmed(line).empty()) continue;
    const std::string place = fmt::format("{}:{}", table.file, number);
    const auto cells = split(line, place);
    if (table.columns.empty()) {
      table.columns = cells;
      continue;
    }
    if (cells.size() != table.columns.size()) {
      throw InputError(
          "", fmt::format("{} cells, but {} columns", cells.size(), table.columns.size()), place);
    }
    CsvTable::Line& row = table.lines.emplace_back();
    row.number = number;
    for (const std::string& cell : cells) row.cells.push_back(cell_of(cell));
  }
  if (table.columns.empty()) throw InputError("", "there are no columns", table.file + ":1");
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
