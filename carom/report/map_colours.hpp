// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <carom/report/plot_view.hpp>
#include <carom/study/map.hpp>

/// Colours of areas.
namespace carom::report {

/// One colour of a map of categories and what the key says of it.
struct KeyEntry {
  std::string label;
  std::string meaning;
  std::string colour;          ///< "#77AADD"
  std::vector<double> shares;  ///< of the map, layer by layer
};

/// How the layers of one quantity are coloured: the same label alike in all of them.
struct CategoryColours {
  std::vector<KeyEntry> entries;           ///< of what occurs, in the order of the key
  std::vector<std::vector<int>> entry_of;  ///< by layer and category; -1: does not occur
  int undefined = -1;                      ///< the entry of undefined cells, if there are any
};

/// Gives out colours, and remembers them, so that a label keeps its colour in all of a picture.
class CategoryPalette {
 public:
  [[nodiscard]] CategoryColours colours(std::span<const study::MapLayer> layers);

 private:
  std::map<std::string, std::string> known_;  ///< by label
};

/// Colours for numbers.
struct NumberColours {
  Range range;    ///< from the first colour to the last
  Range reached;  ///< what the values reach
  bool diverging = false;
  double undefined = 0.;  ///< share of the cells

  [[nodiscard]] bool cut_below() const { return reached.least < range.least; }
  [[nodiscard]] bool cut_above() const { return reached.most > range.most; }
};

/// For all layers together. A few extreme values do not count; differences are coloured from 0 in
/// both directions, ratios from 1.
[[nodiscard]] NumberColours number_colours(std::span<const study::MapLayer> layers);

/// The same of numbers that are not shown as colours: what is neither extreme nor undefined.
[[nodiscard]] Range common_range(std::span<const study::MapLayer> layers);

/// "set palette ..." of gnuplot.
[[nodiscard]] std::string palette_script(bool diverging);

/// Whether the colour at this share of the palette is so dark that lines on it must be white.
[[nodiscard]] bool is_dark(double share, bool diverging);

inline constexpr std::string_view undefined_colour = "#D3D3D3";

}  // namespace carom::report
