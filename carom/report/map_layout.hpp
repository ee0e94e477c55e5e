// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <carom/report/map_colours.hpp>
#include <carom/report/map_frame.hpp>
#include <carom/report/map_key.hpp>
#include <carom/report/map_regions.hpp>
#include <carom/study/map.hpp>

/// Where the panels of a map with two axes stand, and what their keys say.
namespace carom::report {

// [px]
constexpr double panel_title_height = 24.;
constexpr double heading_height = 36.;
constexpr double key_gap = 22.;  // between panels and key
constexpr double category_key_width = 236.;

/// Layers that share colours and a key.
struct PanelGroup {
  std::span<const study::MapLayer> layers;
  CategoryColours categories;
  NumberColours numbers;
  Key key{category_key_width};       ///< of categories
  std::vector<std::string> remarks;  ///< below the colour box of numbers
  Box area;                          ///< of all panels [px]

  [[nodiscard]] bool categorical() const { return !layers.front().categories.empty(); }
};

struct Panel {
  std::size_t layer = 0;
  std::size_t group = 0;
  Box box;  ///< [px] on the page
  bool leftmost = false;
  bool lowest = false;
};

struct PanelLayout {
  std::vector<PanelGroup> groups;
  std::vector<Panel> panels;
  double width = 0.;   ///< of the page [px]
  double height = 0.;  ///< [px]
};

/// @pre the map has two axes; it must outlive the layout
[[nodiscard]] PanelLayout lay_out(const study::Map& map);

/// As many as a panel of this height has room for.
[[nodiscard]] std::vector<Tick> ticks_beside(const study::Map& map, double panel_height);

/// The entry of the key that each cell of the group's k-th layer belongs to.
[[nodiscard]] CategoryGrid entries(const study::Map& map, const PanelGroup& group, std::size_t k);

/// The boundaries that belong to a layer.
[[nodiscard]] std::vector<const study::BoundaryCurve*> boundaries_of(const study::Map& map,
                                                                     const study::MapLayer& layer);

}  // namespace carom::report
