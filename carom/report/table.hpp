// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace carom::report {

/// A text table for people: a label, then a column for each thing compared. Long cells wrap at
/// spaces; a cell can be red.
class Table {
 public:
  struct Cell {
    std::string text;
    bool red = false;
  };

  explicit Table(std::vector<std::string> columns) : columns_(std::move(columns)) {}

  /// Control characters are made visible. @param cells  one for each column
  void row(const std::string& label, std::vector<Cell> cells);

  /// A line between groups of rows.
  void rule();

  /// @param colour  whether red is shown by terminal codes
  /// @param widest  columns that would go beyond are put below, in a block of their own
  [[nodiscard]] std::string text(bool colour, std::size_t widest) const;

 private:
  /// Columns [first, last), `total` letters wide.
  [[nodiscard]] std::string block(std::size_t label_width, const std::vector<std::size_t>& width,
                                  std::size_t first, std::size_t last, std::size_t total,
                                  bool colour) const;

  struct Row {
    std::string label;
    std::vector<Cell> cells;  ///< none: a rule
  };
  std::vector<std::string> columns_;
  std::vector<Row> rows_;
};

/// Where tables for people go.
struct Page {
  bool colour = false;
  std::size_t width = 110;
};

/// Breaks at spaces so that no line is longer than `width`, but for single words that are.
[[nodiscard]] std::vector<std::string> wrap(std::string_view text, std::size_t width);

/// Six significant digits, "-" for nothing.
[[nodiscard]] std::string figure(double value);

/// A number for pictures: six digits at most, a real minus, "7×10¹⁶".
[[nodiscard]] std::string pretty(double value);

/// Text in red, where colour is wanted.
[[nodiscard]] std::string red(std::string_view text, bool colour);

}  // namespace carom::report
