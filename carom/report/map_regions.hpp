// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <carom/report/map_frame.hpp>

/// The regions of a map of categories, and where their names stand.
namespace carom::report {

/// What each cell shows: a number for each kind, -1 for nothing.
struct CategoryGrid {
  std::size_t columns = 0;
  std::size_t rows = 0;
  std::vector<int> cell;  ///< row by row

  [[nodiscard]] int at(std::size_t i, std::size_t j) const { return cell[j * columns + i]; }
};

/// A region one cell thick, such as that of a mode which exists only where slip is exactly zero:
/// cells first..last of a row, or of a column.
struct Strip {
  int category = 0;
  bool row = true;  ///< else a column
  std::size_t at = 0;
  std::size_t first = 0;
  std::size_t last = 0;
};

[[nodiscard]] std::vector<Strip> strips(const CategoryGrid& grid);

/// A name in a region.
struct RegionLabel {
  int category = 0;
  Spot centre;  ///< [px] from the panel's lower left corner
  double size = letter_size;
  bool upright = false;  ///< reads from below to above
  Box box;               ///< what it covers
};

/// One label for each region that can hold it, large regions first, at the place farthest from all
/// that is not the region; none touches the frame, a line, an obstacle or another.
/// @param names      of the categories
/// @param width, height  of the panel [px]
[[nodiscard]] std::vector<RegionLabel> place_labels(const CategoryGrid& grid,
                                                    const std::vector<std::string>& names,
                                                    double width, double height,
                                                    const std::vector<Box>& obstacles,
                                                    const std::vector<Polyline>& lines);

}  // namespace carom::report
