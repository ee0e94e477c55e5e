// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include <carom/report/map_frame.hpp>
#include <carom/report/map_plot.hpp>

namespace carom::report {

/// Layers of one quantity, [first, last): they share colours and a key.
struct LayerGroup {
  std::size_t first = 0;
  std::size_t last = 0;

  [[nodiscard]] std::size_t size() const { return last - first; }
};

[[nodiscard]] std::vector<LayerGroup> groups(const study::Map& map);

/// Panels in columns for a number of layers of the same quantity.
[[nodiscard]] std::size_t columns_for(std::size_t layers);

[[nodiscard]] MapPlot plot_panels(const study::Map& map, const PictureFiles& files);
[[nodiscard]] MapPlot plot_curves(const study::Map& map, const PictureFiles& files);
[[nodiscard]] MapPlot plot_surfaces(const study::Map& map, const PictureFiles& files);

}  // namespace carom::report
