// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <carom/report/map_frame.hpp>

/// Lines on a map, and where their names stand.
namespace carom::report {

/// Numbers on a grid; NaN where there is none.
struct NumberGrid {
  std::size_t columns = 0;
  std::size_t rows = 0;
  std::vector<double> value;  ///< row by row

  [[nodiscard]] double at(std::size_t i, std::size_t j) const { return value[j * columns + i]; }
};

/// The lines on which the numbers pass through `level`, in shares of the panel: sample (i, j) is at
/// (i/(columns-1), j/(rows-1)). None through cells in which something is undefined or whose corners
/// differ by more than `jump`: there the numbers leap.
[[nodiscard]] std::vector<Polyline> contour(const NumberGrid& grid, double level, double jump);

/// By how much the corners of a cell may differ before it counts as a leap; infinite where leaps
/// cannot be told from slopes.
[[nodiscard]] double leap(const NumberGrid& grid, double range);

[[nodiscard]] double length(const Polyline& line);

/// What of a line lies in a panel of this size.
[[nodiscard]] std::vector<Polyline> inside(const Polyline& line, double width, double height);

/// What of a line lies outside the box: a gap for text that stands on the line.
[[nodiscard]] std::vector<Polyline> outside(const Polyline& line, const Box& box);

/// A place for text on one of the lines: straight, away from what is there.
/// @param others  lines it must not touch; @param taken  by other texts
[[nodiscard]] std::optional<Spot> place_on(const std::vector<Polyline>& lines,
                                           const std::string& text, double size, const Box& panel,
                                           const std::vector<Polyline>& others,
                                           const std::vector<Box>& taken);

/// A place for text beside one of the lines, away from the others and from what is there.
[[nodiscard]] std::optional<Spot> place_beside(const std::vector<Polyline>& lines,
                                               const std::string& text, double size,
                                               const Box& panel,
                                               const std::vector<Polyline>& others,
                                               const std::vector<Box>& taken);

}  // namespace carom::report
