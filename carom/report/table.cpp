// SPDX-License-Identifier: Apache-2.0
#include <carom/report/table.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include <carom/core/error.hpp>

namespace carom::report {
namespace {

constexpr std::size_t widest_cell = 16;  // five laws in a terminal of 120 columns

}  // namespace

std::vector<std::string> wrap(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  std::string line;
  std::size_t at = 0;
  while (at <= text.size()) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word(text.substr(at, end - at));
    if (!line.empty() && line.size() + 1 + word.size() > width) {
      lines.push_back(line);
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
    at = end + 1;
  }
  lines.push_back(line);
  return lines;
}

std::string figure(double value) {
  if (!std::isfinite(value)) return "-";
  if (value == 0.) return "0";  // not -0
  return fmt::format("{:.6g}", value);
}

std::string pretty(double value) {
  std::string text = fmt::format("{:.6g}", value == 0. ? 0. : value);
  std::string out;
  if (text[0] == '-') {
    out = "−";
    text.erase(0, 1);
  }
  const auto e = text.find('e');
  if (e == std::string::npos) return out + text;
  static constexpr std::array<std::string_view, 10> raised = {"⁰", "¹", "²", "³", "⁴",
                                                              "⁵", "⁶", "⁷", "⁸", "⁹"};
  out += text.substr(0, e) == "1" ? "10" : text.substr(0, e) + "×10";
  for (const char c : std::to_string(std::stoi(text.substr(e + 1)))) {
    out += c == '-' ? "⁻" : raised[static_cast<std::size_t>(c - '0')];
  }
  return out;
}

std::string red(std::string_view text, bool colour) {
  return colour ? fmt::format("\033[1;31m{}\033[0m", text) : std::string(text);
}

void Table::row(const std::string& label, std::vector<Cell> cells) {
  for (Cell& cell : cells) cell.text = printable(cell.text);
  rows_.push_back({.label = printable(label), .cells = std::move(cells)});
}

void Table::rule() { rows_.push_back({}); }

std::string Table::text(bool colour, std::size_t widest) const {
  std::size_t label_width = 0;
  for (const Row& row : rows_) label_width = std::max(label_width, row.label.size());
  std::vector<std::size_t> width;
  for (std::size_t j = 0; j < columns_.size(); ++j) {
    std::size_t w = columns_[j].size();
    for (const Row& row : rows_) {
      if (row.cells.empty()) continue;
      for (const std::string& line : wrap(row.cells[j].text, widest_cell)) {
        w = std::max(w, line.size());
      }
    }
    width.push_back(w);
  }
  // As many columns side by side as fit, the rest below.
  std::string out;
  for (std::size_t first = 0; first < columns_.size();) {
    std::size_t total = label_width;
    std::size_t last = first;
    while (last < columns_.size() && (last == first || total + 2 + width[last] <= widest)) {
      total += 2 + width[last++];
    }
    if (first > 0) out += '\n';
    out += block(label_width, width, first, last, total, colour);
    first = last;
  }
  return out;
}

std::string Table::block(std::size_t label_width, const std::vector<std::size_t>& width,
                         std::size_t first, std::size_t last, std::size_t total,
                         bool colour) const {
  std::string out = fmt::format("{:{}}", "", label_width);
  for (std::size_t j = first; j < last; ++j) {
    out += fmt::format("  {:>{}}", columns_[j], width[j]);
  }
  out += '\n';
  for (const Row& row : rows_) {
    if (row.cells.empty()) {
      out += std::string(total, '-') + '\n';
      continue;
    }
    std::vector<std::vector<std::string>> lines(columns_.size());
    std::size_t height = 1;
    for (std::size_t j = first; j < last; ++j) {
      lines[j] = wrap(row.cells[j].text, std::max(width[j], widest_cell));
      height = std::max(height, lines[j].size());
    }
    for (std::size_t i = 0; i < height; ++i) {
      std::string line = fmt::format("{:{}}", i == 0 ? row.label : "", label_width);
      for (std::size_t j = first; j < last; ++j) {
        const std::string& cell = i < lines[j].size() ? lines[j][i] : "";
        const std::string padded = fmt::format("{:>{}}", cell, width[j]);
        line += "  " + (row.cells[j].red && !cell.empty() ? red(padded, colour) : padded);
      }
      line.erase(line.find_last_not_of(' ') + 1);
      out += line + '\n';
    }
  }
  return out;
}

}  // namespace carom::report
