// SPDX-License-Identifier: Apache-2.0
#include <carom/report/map_plot.hpp>

#include <stdexcept>

#include <carom/core/error.hpp>
#include <carom/report/map_panels.hpp>

namespace carom::report {

std::vector<LayerGroup> groups(const study::Map& map) {
  std::vector<LayerGroup> all;
  for (std::size_t k = 0; k < map.layers.size(); ++k) {
    const study::MapLayer& layer = map.layers[k];
    if (!all.empty()) {
      const study::MapLayer& before = map.layers[all.back().first];
      if (before.quantity == layer.quantity && before.compared == layer.compared &&
          before.categories.empty() == layer.categories.empty()) {
        all.back().last = k + 1;
        continue;
      }
    }
    all.push_back({.first = k, .last = k + 1});
  }
  return all;
}

std::size_t columns_for(std::size_t layers) {
  if (layers <= 3) return layers;
  if (layers == 4) return 2;
  return layers <= 9 ? 3 : 4;
}

MapPlot map_plot(const study::Map& map, MapStyle style, const PictureFiles& files) {
  if (map.layers.empty() || map.columns() == 0 || map.rows() == 0) {
    throw std::logic_error("a map without cells or layers");
  }
  if (style == MapStyle::map) return map.y ? plot_panels(map, files) : plot_curves(map, files);
  if (!map.y) throw InputError("--style", "a surface needs two axes: give --y as well");
  for (const study::MapLayer& layer : map.layers) {
    if (layer.categories.empty()) continue;
    throw InputError("--style",
                     "'" + layer.title + "' has no surface: its values are names, not numbers");
  }
  return plot_surfaces(map, files);
}

}  // namespace carom::report
