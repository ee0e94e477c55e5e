// SPDX-License-Identifier: Apache-2.0
#include <carom/report/map_panels.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include <fmt/format.h>

#include <carom/report/map_contours.hpp>
#include <carom/report/map_layout.hpp>
#include <carom/report/map_words.hpp>
#include <carom/report/table.hpp>

namespace carom::report {
namespace {

using study::BoundaryCurve;
using study::Map;
using study::MapLayer;

// [px]
constexpr double strip_width = 13.;
constexpr double small_size = 11.;
constexpr std::size_t contour_samples = 400;

class PanelScript {
 public:
  PanelScript(const Map& map, const PictureFiles& files)
      : map_(map),
        files_(files),
        x_(scale_of(map.x)),
        y_(scale_of(*map.y)),
        data_(map, map.layers.size()),
        layout_(lay_out(map)) {}

  MapPlot make() {
    text_ = script_head(map_, files_, layout_.width, layout_.height);
    text_ += R"(
# --- lines: 1 and 2 boundaries known in closed form, and what they lie on; 3 and 4 contours
set style line 1 lc rgb "#202020" lw 1.2
set style line 2 lc rgb "#B0FFFFFF" lw 3
set style line 3 lc rgb "#000000" lw 0.9
set style line 4 lc rgb "#FFFFFF" lw 0.9

set multiplot
unset key
unset colorbox
set border 15 lw 1
set tics front out nomirror scale 0.6
)";
    if (!map_.title.empty()) {
      text_ += fmt::format("set label {} at screen 0.5, screen {} center font \",15\"\n",
                           gnuplot_text(map_.title),
                           share_text(layout_.height - 0.55 * heading_height, layout_.height));
    }
    for (const PanelGroup& group : layout_.groups) {
      if (!group.categorical()) continue;
      text_ += "\n# --- a key\n";
      text_ += group.key.script({group.area.right + key_gap, group.area.top}, layout_.width,
                                layout_.height);
    }
    for (const Panel& panel : layout_.panels) this->panel(panel);
    text_ += "\nunset multiplot\nunset output\n";
    return {.script = std::move(text_), .data = data_.take()};
  }

 private:
  // --- a panel

  void panel(const Panel& panel) {
    const MapLayer& layer = map_.layers[panel.layer];
    const PanelGroup& group = layout_.groups[panel.group];
    text_ += "\n" + comment("--- " + layer.title);
    text_ += margins(panel.box, layout_.width, layout_.height);
    text_ += fmt::format("set label {} at screen {}, screen {} center\n", typeset(layer.title),
                         share_text(0.5 * (panel.box.left + panel.box.right), layout_.width),
                         share_text(panel.box.top + 0.5 * panel_title_height, layout_.height));
    const auto below = ticks_of(map_.x, static_cast<int>(panel.box.width() / 55.));
    const auto beside = ticks_beside(map_, panel.box.height());
    text_ += range_script('x', x_) + range_script('y', y_);
    text_ += ticks_script("x", below, panel.lowest) + ticks_script("y", beside, panel.leftmost);
    if (panel.lowest)
      text_ += words_below(words_of(map_.x), panel.box, layout_.width, layout_.height);
    if (panel.leftmost) {
      text_ +=
          words_left(words_of(*map_.y), panel.box, width_of(beside), layout_.width, layout_.height);
    }
    plots_.clear();
    if (group.categorical()) {
      categories(panel, layer, group);
    } else {
      numbers(panel, layer, group);
    }
    text_ += "plot " + plots_ + "\n";
    text_ += "unset label\nunset object\nunset arrow\nunset colorbox\n";
  }

  void add_plot(const std::string& plot) { plots_ += (plots_.empty() ? "" : ", \\\n  ") + plot; }

  /// The layer's values as an image that covers the frame exactly.
  void image(const Panel& panel, const MapLayer& layer, const std::string& what,
             const std::string& colour) {
    const auto i = raster(map_.columns(), panel.box.width());
    const auto j = raster(map_.rows(), panel.box.height());
    const std::size_t block = data_.matrix(what, layer, map_.columns(), i, j);
    const auto place = [](int column, const Scale& s, std::size_t size) {
      const double step = (s.last - s.first) / static_cast<double>(size);
      return fmt::format("({:.10g} + ({:.10g})*${})", s.first + 0.5 * step, step, column);
    };
    add_plot(fmt::format("data index {} matrix using {}:{}:{}", block, place(1, x_, i.size()),
                         place(2, y_, j.size()), colour));
  }

  void label(const std::string& text, const Spot& at, double size, const std::string& more) {
    text_ += fmt::format("set label {} at graph {}, graph {} center front font \",{:g}\"{}\n",
                         typeset(text), share_text(at.x, here_.width()),
                         share_text(at.y, here_.height()), size, more);
  }

  /// In pixels of the panel.
  [[nodiscard]] Polyline in_panel(const std::vector<std::array<double, 2>>& line) const {
    Polyline out;
    for (const auto& p : line) {
      out.push_back({x_.share(p[0]) * here_.width(), y_.share(p[1]) * here_.height()});
    }
    return out;
  }

  /// As the axes are drawn.
  [[nodiscard]] std::vector<Point> drawn(const Polyline& line) const {
    std::vector<Point> out;
    for (const Spot& s : line)
      out.push_back({x_.at(s.x / here_.width()), y_.at(s.y / here_.height())});
    return out;
  }

  /// A boundary, as much of it as the panel shows.
  struct Line {
    const BoundaryCurve* curve = nullptr;
    std::vector<Polyline> pieces;
  };

  [[nodiscard]] std::vector<Line> lines_of(const MapLayer& layer) const {
    std::vector<Line> all;
    for (const BoundaryCurve* curve : boundaries_of(map_, layer)) {
      Line line{.curve = curve, .pieces = {}};
      for (const auto& points : curve->lines) {
        for (Polyline& piece : inside(in_panel(points), here_.width(), here_.height())) {
          line.pieces.push_back(std::move(piece));
        }
      }
      if (!line.pieces.empty()) all.push_back(std::move(line));
    }
    return all;
  }

  static std::vector<Polyline> all_pieces(const std::vector<Line>& lines) {
    std::vector<Polyline> all;
    for (const Line& line : lines) all.insert(all.end(), line.pieces.begin(), line.pieces.end());
    return all;
  }

  /// @param contours  that names must not touch
  void boundaries(const std::vector<Line>& lines, const std::vector<Polyline>& contours,
                  std::vector<Box>& taken, bool on_numbers) {
    for (const Line& line : lines) {
      std::vector<std::vector<Point>> points;
      for (const Polyline& piece : line.pieces) points.push_back(drawn(piece));
      const std::size_t block = data_.lines("boundary " + line.curve->name, points);
      if (on_numbers) {
        add_plot(fmt::format("data index {} using 1:2 with lines ls 2", block));
        add_plot(fmt::format("data index {} using 1:2 with lines ls 1 dt (8,5)", block));
      } else {
        const bool reference = line.curve->kind == study::BoundaryKind::reference;
        add_plot(fmt::format("data index {} using 1:2 with lines ls 1{}", block,
                             reference ? " dt (2,4)" : ""));
      }
    }
    for (const Line& line : lines) {
      std::vector<Polyline> others = contours;
      for (const Line& other : lines) {
        if (other.curve == line.curve) continue;
        others.insert(others.end(), other.pieces.begin(), other.pieces.end());
      }
      const auto at = place_beside(line.pieces, line.curve->name, small_size,
                                   {.right = here_.width(), .top = here_.height()}, others, taken);
      if (!at) continue;
      const Box box = text_box(line.curve->name, *at, small_size);
      taken.push_back(box);
      if (on_numbers) {
        text_ += fmt::format(
            "set object rectangle from graph {}, graph {} to graph {}, graph {} front fc rgb "
            "\"white\" fs transparent solid 0.6 noborder\n",
            share_text(box.left, here_.width()), share_text(box.bottom, here_.height()),
            share_text(box.right, here_.width()), share_text(box.top, here_.height()));
      }
      label(line.curve->name, *at, small_size, " tc rgb \"#202020\"");
    }
  }

  // --- categories

  void categories(const Panel& panel, const MapLayer& layer, const PanelGroup& group) {
    here_ = panel.box;
    const auto k = static_cast<std::size_t>(&layer - group.layers.data());
    const std::string name = fmt::format("colour_{}", panel.layer + 1);
    std::string what = layer.title + ", by number:";
    std::string list;
    for (std::size_t c = 0; c < layer.categories.size(); ++c) {
      const int e = group.categories.entry_of[k][c];
      const std::string colour =
          e < 0 ? "#000000" : group.categories.entries[static_cast<std::size_t>(e)].colour;
      list += fmt::format("{}0x{}", c == 0 ? "" : ", ", colour.substr(1));
      what += fmt::format(" {} = {};", c, layer.categories[c].label);
    }
    text_ += fmt::format("array {}[{}] = [{}]\n", name, layer.categories.size(), list);
    const CategoryGrid grid = entries(map_, group, k);

    const std::vector<Line> lines = lines_of(layer);
    std::vector<Box> taken = draw_strips(grid, group);
    std::vector<std::string> names;
    for (const KeyEntry& entry : group.categories.entries) names.push_back(entry.label);
    for (const RegionLabel& l :
         place_labels(grid, names, here_.width(), here_.height(), taken, all_pieces(lines))) {
      label(names[static_cast<std::size_t>(l.category)], l.centre, l.size,
            l.upright ? " rotate by 90" : "");
      taken.push_back(l.box);
    }
    image(panel, layer, what,
          fmt::format("($3 < nowhere ? {}[int($3) + 1] : 0xFFFFFF) with rgbimage", name));
    boundaries(lines, {}, taken, false);
  }

  /// Regions one cell thick, made thick enough to be seen. Returns what they cover.
  std::vector<Box> draw_strips(const CategoryGrid& grid, const PanelGroup& group) {
    std::vector<Box> taken;
    for (const Strip& s : strips(grid)) {
      const double across = s.row ? here_.height() : here_.width();
      const double along = s.row ? here_.width() : here_.height();
      const auto cells = [](std::size_t n) { return static_cast<double>(n - 1); };
      const double cell_across = across / cells(s.row ? grid.rows : grid.columns);
      const double cell_along = along / cells(s.row ? grid.columns : grid.rows);
      const double place = static_cast<double>(s.at) * cell_across;
      const double seen =
          std::min(across, place + 0.5 * cell_across) - std::max(0., place - 0.5 * cell_across);
      const double half = 0.5 * std::max(seen, strip_width);
      const double middle = std::clamp(place, half, across - half);
      const double from = std::max(0., (static_cast<double>(s.first) - 0.5) * cell_along);
      const double to = std::min(along, (static_cast<double>(s.last) + 0.5) * cell_along);
      const Spot a{from, middle - half};
      const Spot b{to, middle + half};
      const Box box = s.row ? Box{.left = a.x, .bottom = a.y, .right = b.x, .top = b.y}
                            : Box{.left = a.y, .bottom = a.x, .right = b.y, .top = b.x};
      const KeyEntry& entry = group.categories.entries[static_cast<std::size_t>(s.category)];
      text_ += fmt::format(
          "set object rectangle from graph {}, graph {} to graph {}, graph {} front fc rgb \"{}\" "
          "fs solid noborder\n",
          share_text(box.left, here_.width()), share_text(box.bottom, here_.height()),
          share_text(box.right, here_.width()), share_text(box.top, here_.height()), entry.colour);
      outline(box);
      if (text_box(entry.label, {}, small_size).width() + 4. < to - from) {
        const Spot centre{0.5 * (box.left + box.right), 0.5 * (box.bottom + box.top)};
        label(entry.label, centre, small_size, s.row ? "" : " rotate by 90");
      }
      taken.push_back(box);
    }
    return taken;
  }

  /// White around a strip, but not over the frame.
  void outline(const Box& box) {
    const auto side = [&](double x0, double y0, double x1, double y1) {
      text_ += fmt::format(
          "set arrow from graph {}, graph {} to graph {}, graph {} nohead front lc rgb \"white\"\n",
          share_text(x0, here_.width()), share_text(y0, here_.height()),
          share_text(x1, here_.width()), share_text(y1, here_.height()));
    };
    if (box.bottom > 1.) side(box.left, box.bottom, box.right, box.bottom);
    if (box.top < here_.height() - 1.) side(box.left, box.top, box.right, box.top);
    if (box.left > 1.) side(box.left, box.bottom, box.left, box.top);
    if (box.right < here_.width() - 1.) side(box.right, box.bottom, box.right, box.top);
  }

  // --- numbers

  void numbers(const Panel& panel, const MapLayer& layer, const PanelGroup& group) {
    here_ = panel.box;
    const NumberColours& colours = group.numbers;
    text_ += palette_script(colours.diverging);
    text_ +=
        fmt::format("set cbrange [{:.10g}:{:.10g}]\n", colours.range.least, colours.range.most);
    text_ += fmt::format(
        "set object rectangle from graph 0,0 to graph 1,1 behind fc rgb \"{}\" fs solid noborder\n",
        undefined_colour);
    if (&layer == group.layers.data()) colour_box(group);
    image(panel, layer, layer.title, "(known($3)) with image");
    const std::vector<Line> lines = lines_of(layer);
    std::vector<Box> taken;
    const auto drawn_already = contours(layer, colours, all_pieces(lines), taken);
    boundaries(lines, drawn_already, taken, true);
  }

  void colour_box(const PanelGroup& group) {
    const double left = group.area.right + key_gap;
    const double remarks = 15. * static_cast<double>(group.remarks.size());
    const double bottom = group.area.bottom + (remarks > 0. ? remarks + 8. : 0.);
    text_ += fmt::format(
        "set colorbox user origin screen {}, screen {} size screen {}, screen {} front\n",
        share_text(left, layout_.width), share_text(bottom, layout_.height),
        share_text(15., layout_.width), share_text(group.area.top - bottom, layout_.height));
    const auto ticks =
        ticks_of(group.numbers.range, static_cast<int>((group.area.top - bottom) / 35.));
    text_ += ticks_script("cb", ticks) + "set cbtics scale 0.6\n";
    const MapLayer& layer = group.layers.front();
    std::string name = name_of(layer).quantity;
    if (!layer.unit.empty()) name += " [" + layer.unit + "]";
    // gnuplot's own label of the box knows nothing of the width of ticks that are texts.
    text_ +=
        fmt::format("set label {} at screen {}, screen {} center rotate by 90\n", typeset(name),
                    share_text(left + 15. + width_of(ticks) + 26., layout_.width),
                    share_text(0.5 * (bottom + group.area.top), layout_.height));
    double y = group.area.bottom + remarks - 7.5;
    for (const std::string& line : group.remarks) {
      text_ += fmt::format("set label {} at screen {}, screen {} left font \",10\"\n",
                           gnuplot_text(line), share_text(left, layout_.width),
                           share_text(y, layout_.height));
      y -= 15.;
    }
  }

  [[nodiscard]] NumberGrid sampled(const MapLayer& layer) const {
    const auto i = thinned(map_.columns(), contour_samples);
    const auto j = thinned(map_.rows(), contour_samples);
    NumberGrid grid{.columns = i.size(), .rows = j.size(), .value = {}};
    grid.value.reserve(i.size() * j.size());
    for (const std::size_t row : j) {
      for (const std::size_t column : i) {
        grid.value.push_back(layer.values[row * map_.columns() + column]);
      }
    }
    return grid;
  }

  /// Where many cells have the very value, its line would be a scribble around them.
  static bool is_plateau(const NumberGrid& grid, double level) {
    const auto same = std::count_if(grid.value.begin(), grid.value.end(), [&](double value) {
      return std::abs(value - level) <= 1e-9 * std::abs(level);
    });
    return static_cast<double>(same) > 0.02 * static_cast<double>(grid.value.size());
  }

  /// Asked for, or a few round ones.
  [[nodiscard]] std::vector<double> levels(const NumberColours& colours) const {
    if (!map_.contours.empty()) return map_.contours;
    const Range within{.least = std::max(colours.range.least, colours.reached.least),
                       .most = std::min(colours.range.most, colours.reached.most)};
    return round_values(within, 7);
  }

  /// Writes the level on each line that is long enough, and returns the lines with gaps there.
  std::vector<Polyline> with_labels(std::vector<Polyline> lines, const std::string& text, bool dark,
                                    const std::vector<Polyline>& others, std::vector<Box>& taken) {
    const Box panel{.left = 0., .bottom = 0., .right = here_.width(), .top = here_.height()};
    std::vector<Polyline> cut;
    for (Polyline& line : lines) {
      const auto at = place_on({line}, text, small_size, panel, others, taken);
      if (!at) {
        cut.push_back(std::move(line));
        continue;
      }
      const Box box = text_box(text, *at, small_size);
      taken.push_back(box);
      label(text, *at, small_size, dark ? " tc rgb \"white\"" : "");
      for (Polyline& piece : outside(line, box)) cut.push_back(std::move(piece));
    }
    return cut;
  }

  /// Returns the lines that it draws.
  std::vector<Polyline> contours(const MapLayer& layer, const NumberColours& colours,
                                 const std::vector<Polyline>& others, std::vector<Box>& taken) {
    std::vector<Polyline> all;
    const NumberGrid grid = sampled(layer);
    const double jump = leap(grid, colours.range.size());
    for (const double level : levels(colours)) {
      if (map_.contours.empty() && is_plateau(grid, level)) continue;
      std::vector<Polyline> lines;
      for (Polyline& line : contour(grid, level, jump)) {
        for (Spot& s : line) s = {s.x * here_.width(), s.y * here_.height()};
        if (length(line) > 8.) lines.push_back(std::move(line));
      }
      if (lines.empty()) continue;
      const double share = (level - colours.range.least) / colours.range.size();
      const bool dark = is_dark(share, colours.diverging);
      lines = with_labels(std::move(lines), pretty(level), dark, others, taken);
      std::vector<std::vector<Point>> points;
      for (const Polyline& line : lines) points.push_back(drawn(line));
      const std::size_t block =
          data_.lines(fmt::format("contour {} of {}", figure(level), layer.title), points);
      add_plot(fmt::format("data index {} using 1:2 with lines ls {}", block, dark ? 4 : 3));
      all.insert(all.end(), lines.begin(), lines.end());
    }
    return all;
  }

  const Map& map_;
  const PictureFiles& files_;
  Scale x_;
  Scale y_;
  MapData data_;
  PanelLayout layout_;
  Box here_;           ///< the panel that is being drawn
  std::string plots_;  ///< of it
  std::string text_;
};

}  // namespace

MapPlot plot_panels(const Map& map, const PictureFiles& files) {
  return PanelScript(map, files).make();
}

}  // namespace carom::report
