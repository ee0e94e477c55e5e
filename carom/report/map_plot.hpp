// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include <carom/report/gnuplot.hpp>
#include <carom/study/map.hpp>

/// Pictures of maps: regions of categories with their names in them, numbers as colours with
/// contours, curves where only one number varies, surfaces.
namespace carom::report {

/// A script for gnuplot and the data it draws.
struct MapPlot {
  std::string script;
  std::string data;
};

enum class MapStyle : std::uint8_t { map, surface };

/// Throws InputError under "--style" where a surface is asked for of what has none: categories,
/// curves.
[[nodiscard]] MapPlot map_plot(const study::Map& map, MapStyle style, const PictureFiles& files);

}  // namespace carom::report
