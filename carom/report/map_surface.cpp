// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <span>

#include <fmt/format.h>

#include <carom/report/map_layout.hpp>
#include <carom/report/map_panels.hpp>
#include <carom/report/map_words.hpp>

namespace carom::report {
namespace {

using study::Map;
using study::MapLayer;

constexpr std::size_t most_lines = 72;  // of the mesh, each way

class SurfaceScript {
 public:
  SurfaceScript(const Map& map, const PictureFiles& files)
      : map_(map),
        files_(files),
        x_(scale_of(map.x)),
        y_(scale_of(*map.y)),
        data_(map, map.layers.size()),
        groups_(report::groups(map)) {
    for (const LayerGroup& g : groups_) columns_ = std::max(columns_, columns_for(g.size()));
    std::size_t rows = 0;
    for (const LayerGroup& g : groups_) rows += (g.size() + columns_ - 1) / columns_;
    panel_width_ = columns_ == 1 ? 640. : columns_ == 2 ? 480. : 380.;
    panel_height_ = 0.74 * panel_width_;
    width_ = std::ceil(static_cast<double>(columns_) * panel_width_);
    height_ = std::ceil(top() + static_cast<double>(rows) * panel_height_);
  }

  MapPlot make() {
    text_ = script_head(map_, files_, width_, height_);
    text_ += R"(
# --- the view: angles from the vertical and about it
set view 60, 325
set xyplane relative 0.05
set pm3d depthorder border lc rgb "#90000000" lw 0.3
set pm3d clip z
unset colorbox

set multiplot
unset key
set border 895 lw 0.8
set tics out scale 0.6
)";
    if (!map_.title.empty()) {
      text_ += fmt::format("set label {} at screen 0.5, screen {} center font \",15\"\n",
                           gnuplot_text(map_.title),
                           share_text(height_ - 0.55 * heading_height, height_));
    }
    double down = top();
    for (const LayerGroup& g : groups_) {
      const auto layers = std::span(map_.layers).subspan(g.first, g.size());
      const NumberColours colours = number_colours(layers);
      for (std::size_t k = 0; k < layers.size(); ++k) {
        const auto column = static_cast<double>(k % columns_);
        const auto row = static_cast<double>(k / columns_);
        panel(layers[k], colours, column * panel_width_, down + row * panel_height_);
      }
      down += static_cast<double>((g.size() + columns_ - 1) / columns_) * panel_height_;
    }
    text_ += "\nunset multiplot\nunset output\n";
    return {.script = std::move(text_), .data = data_.take()};
  }

 private:
  [[nodiscard]] double top() const { return map_.title.empty() ? 6. : heading_height; }

  /// An array of gnuplot's with the places of the chosen samples, which need not be evenly spaced.
  static std::string places(std::string_view name, const study::Axis& axis,
                            const std::vector<std::size_t>& chosen) {
    std::string text = fmt::format("array {}[{}] = [", name, chosen.size());
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      const double value = axis.values[chosen[k]];
      text += fmt::format("{}{:.10g}", k == 0 ? "" : ", ", axis.log ? std::log10(value) : value);
    }
    return text + "]\n";
  }

  void panel(const MapLayer& layer, const NumberColours& colours, double left, double down) {
    text_ += "\n" + comment("--- " + layer.title);
    const double upper = height_ - down;
    text_ += fmt::format(
        "set origin {}, {}\nset size {}, {}\n", share_text(left + 0.05 * panel_width_, width_),
        share_text(upper - 0.97 * panel_height_, height_), share_text(0.96 * panel_width_, width_),
        share_text(0.98 * panel_height_, height_));
    text_ += fmt::format("set label {} at screen {}, screen {} center\n", typeset(layer.title),
                         share_text(left + 0.5 * panel_width_, width_),
                         share_text(upper - 0.5 * panel_title_height, height_));
    text_ += range_script('x', x_) + ticks_script("x", ticks_of(map_.x, 6));
    text_ += range_script('y', y_) + ticks_script("y", ticks_of(*map_.y, 6));
    const Range shown{.least = std::max(colours.range.least, colours.reached.least),
                      .most = std::min(colours.range.most, colours.reached.most)};
    const Range z = shown.size() > 0. ? shown : colours.range;
    text_ += fmt::format("set zrange [{:.10g}:{:.10g}]\n", z.least, z.most);
    text_ += ticks_script("z", ticks_of(z, 6));
    std::string name = name_of(layer).quantity;
    if (!layer.unit.empty()) name += " [" + layer.unit + "]";
    text_ += fmt::format(
        "set xlabel {} rotate parallel offset 0,-0.3 font \",12\"\nset ylabel {} rotate parallel "
        "offset 0,-0.3 font \",12\"\nset zlabel {} rotate parallel\n",
        typeset(words_of(map_.x)), typeset(words_of(*map_.y)), typeset(name));
    text_ += palette_script(colours.diverging);
    text_ +=
        fmt::format("set cbrange [{:.10g}:{:.10g}]\n", colours.range.least, colours.range.most);
    const auto i = thinned(map_.columns(), most_lines);
    const auto j = thinned(map_.rows(), most_lines);
    const std::size_t block = data_.matrix(layer.title, layer, map_.columns(), i, j);
    text_ += places("px", map_.x, i) + places("py", *map_.y, j);
    text_ += fmt::format(
        "splot data index {} matrix using (px[int($1)+1]):(py[int($2)+1]):(known($3)) with pm3d\n",
        block);
    text_ += "unset label\n";
  }

  const Map& map_;
  const PictureFiles& files_;
  Scale x_;
  Scale y_;
  MapData data_;
  std::vector<LayerGroup> groups_;
  std::size_t columns_ = 1;
  double panel_width_ = 0.;   ///< with all that belongs to it [px]
  double panel_height_ = 0.;  ///< [px]
  double width_ = 0.;         ///< of the page [px]
  double height_ = 0.;        ///< [px]
  std::string text_;
};

}  // namespace

MapPlot plot_surfaces(const Map& map, const PictureFiles& files) {
  return SurfaceScript(map, files).make();
}

}  // namespace carom::report
