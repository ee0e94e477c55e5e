// SPDX-License-Identifier: Apache-2.0
#include <carom/report/map_panels.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include <fmt/format.h>

#include <carom/report/map_colours.hpp>
#include <carom/report/map_contours.hpp>
#include <carom/report/map_key.hpp>
#include <carom/report/map_regions.hpp>
#include <carom/report/map_words.hpp>
#include <carom/report/table.hpp>

namespace carom::report {
namespace {

using study::BoundaryCurve;
using study::Map;
using study::MapLayer;

// [px]
constexpr double left_margin = 70.;  // ticks and label of y, at least
constexpr double right_margin = 14.;
constexpr double bottom_margin = 58.;  // ticks and label of x
constexpr double title_height = 24.;   // of a panel
constexpr double heading_height = 36.;
constexpr double panel_gap = 18.;
constexpr double row_gap = 12.;
constexpr double key_gap = 22.;
constexpr double category_key = 236.;
constexpr double number_key = 112.;
constexpr double strip_width = 13.;
constexpr double small_size = 11.;
constexpr std::size_t contour_samples = 400;

/// Layers that share colours and a key, and where their panels stand.
struct Group {
  std::span<const MapLayer> layers;
  CategoryColours categories;
  NumberColours numbers;
  Key key{category_key};
  std::vector<std::string> remarks;  ///< below the colour box
  Box area;                          ///< of all panels [px]
};

struct Panel {
  std::size_t layer = 0;
  std::size_t group = 0;
  Box box;  ///< [px] on the page
  bool leftmost = false;
  bool lowest = false;
};

class PanelScript {
 public:
  PanelScript(const Map& map, const PictureFiles& files)
      : map_(map),
        files_(files),
        x_(scale_of(map.x)),
        y_(scale_of(*map.y)),
        data_(map, map.layers.size()) {
    CategoryPalette palette;
    for (const LayerGroup& g : report::groups(map)) {
      groups_.emplace_back();
      Group& group = groups_.back();
      group.layers = std::span(map.layers).subspan(g.first, g.size());
      if (categorical(group)) {
        group.categories = palette.colours(group.layers);
        fill_key(group);
      } else {
        group.numbers = number_colours(group.layers);
        group.remarks = remarks(group.numbers);
      }
    }
    arrange();
  }

  MapPlot make() {
    text_ = script_head(map_, files_, width_, height_);
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
                           share_text(height_ - 0.55 * heading_height, height_));
    }
    for (const Group& group : groups_) {
      if (!categorical(group)) continue;
      text_ += "\n# --- a key\n";
      text_ += group.key.script({group.area.right + key_gap, group.area.top}, width_, height_);
    }
    for (const Panel& panel : panels_) this->panel(panel);
    text_ += "\nunset multiplot\nunset output\n";
    return {.script = std::move(text_), .data = data_.take()};
  }

 private:
  static bool categorical(const Group& group) { return !group.layers.front().categories.empty(); }

  // --- what the keys say

  void fill_key(Group& group) const {
    const std::size_t n = group.categories.entries.size();
    std::vector<bool> thick(n, false);  // it has cells that are in no strip
    std::vector<std::string> where(n);  // of its strips
    for (std::size_t k = 0; k < group.layers.size(); ++k) {
      const CategoryGrid grid = entries(group, k);
      std::vector<std::size_t> left(n);
      for (const int e : grid.cell) {
        if (e >= 0) ++left[static_cast<std::size_t>(e)];
      }
      for (const Strip& s : strips(grid)) {
        const auto e = static_cast<std::size_t>(s.category);
        left[e] -= s.last - s.first + 1;
        const study::Axis& across = s.row ? *map_.y : map_.x;
        const std::string place =
            fmt::format("{} = {}", short_name(across), figure(across.values[s.at]));
        if (where[e].find(place) == std::string::npos) {
          where[e] += (where[e].empty() ? "" : ", ") + place;
        }
      }
      for (std::size_t e = 0; e < n; ++e) thick[e] = thick[e] || left[e] > 0;
    }
    for (std::size_t e = 0; e < n; ++e) {
      group.key.area(group.categories.entries[e],
                     thick[e] ? "" : "only at " + where[e] + ", drawn wider");
    }
    std::vector<std::string> named;
    for (const MapLayer& layer : group.layers) {
      for (const BoundaryCurve* curve : boundaries_of(layer)) {
        if (std::find(named.begin(), named.end(), curve->name) != named.end()) continue;
        named.push_back(curve->name);
        group.key.line(curve->name, curve->meaning);
      }
    }
  }

  static std::vector<std::string> remarks(const NumberColours& c) {
    std::vector<std::string> lines;
    const auto add = [&](const std::string& text) {
      for (std::string& line : wrap(text, 18)) lines.push_back(std::move(line));
    };
    const auto two_digits = [](double value) {
      return pretty(std::stod(fmt::format("{:.2g}", value)));
    };
    std::string ends;
    std::string reached;
    const auto cut = [&](double end, double value) {
      ends += (ends.empty() ? "" : " and ") + pretty(end);
      reached += (reached.empty() ? "" : " and ") + two_digits(value);
    };
    if (c.cut_below()) cut(c.range.least, c.reached.least);
    if (c.cut_above()) cut(c.range.most, c.reached.most);
    if (!ends.empty()) add("colours end at " + ends + "; values reach " + reached);
    if (c.undefined > 0.) add("grey: undefined, " + percent(c.undefined));
    return lines;
  }

  // --- where things stand

  void arrange() {
    std::size_t columns = 1;
    bool any_categories = false;
    for (const Group& group : groups_) {
      columns = std::max(columns, columns_for(group.layers.size()));
      any_categories = any_categories || categorical(group);
    }
    // Many quantities of one law: two stacks of them.
    const std::size_t stacks = columns == 1 && groups_.size() > 3 ? 2 : 1;
    const std::size_t in_stack = (groups_.size() + stacks - 1) / stacks;
    const double key_width = any_categories ? category_key : number_key;
    const auto [w, h] = panel_size(columns, in_stack);
    const double panels_width = static_cast<double>(columns) * (w + panel_gap) - panel_gap;
    const double margin = std::max(left_margin, 44. + width_of(y_ticks(h)));
    const double stack_width = margin + panels_width + key_gap + key_width + right_margin;
    width_ = std::ceil(static_cast<double>(stacks) * stack_width);

    // Downwards from the top; turned upright when the height is known.
    const double top = map_.title.empty() ? 8. : heading_height;
    double lowest = top;
    for (std::size_t s = 0; s < stacks; ++s) {
      double down = top;
      const double left = static_cast<double>(s) * stack_width + margin;
      for (std::size_t g = s * in_stack; g < std::min((s + 1) * in_stack, groups_.size()); ++g) {
        down = place(g, columns, left, down, w, h) + row_gap;
      }
      lowest = std::max(lowest, down - row_gap);
    }
    height_ = std::ceil(lowest + bottom_margin);
    for (Group& group : groups_) turn(group.area);
    for (Panel& panel : panels_) turn(panel.box);
    for (Panel& panel : panels_) {
      panel.lowest = std::none_of(panels_.begin(), panels_.end(), [&](const Panel& other) {
        return other.box.left == panel.box.left && other.box.top < panel.box.bottom;
      });
    }
  }

  [[nodiscard]] std::vector<Tick> y_ticks(double panel_height) const {
    return ticks_of(*map_.y, static_cast<int>(panel_height / 40.));
  }

  static std::pair<double, double> panel_size(std::size_t columns, std::size_t rows) {
    if (columns == 1) return rows == 1 ? std::pair{520., 400.} : std::pair{480., 250.};
    if (columns == 2) return {370., 290.};
    return columns == 3 ? std::pair{290., 230.} : std::pair{250., 200.};
  }

  /// Returns where it ends.
  double place(std::size_t g, std::size_t columns, double left, double down, double w, double h) {
    Group& group = groups_[g];
    columns = std::min(columns, columns_for(group.layers.size()));
    const std::size_t n = group.layers.size();
    // Rather a higher panel than an empty place below it, within reason.
    if (n <= columns) h = std::clamp(group.key.height(), h, 1.4 * h);
    const auto first = static_cast<std::size_t>(group.layers.data() - map_.layers.data());
    Box area{.left = left, .bottom = 0., .right = left, .top = down + title_height};
    for (std::size_t k = 0; k < n; ++k) {
      const auto column = static_cast<double>(k % columns);
      const auto row = static_cast<double>(k / columns);
      Panel panel{.layer = first + k, .group = g, .box = {}, .leftmost = k % columns == 0};
      panel.box.left = left + column * (w + panel_gap);
      panel.box.right = panel.box.left + w;
      panel.box.top = down + title_height + row * (h + title_height + row_gap);
      panel.box.bottom = panel.box.top + h;
      area.right = std::max(area.right, panel.box.right);
      area.bottom = std::max(area.bottom, panel.box.bottom);
      panels_.push_back(panel);
    }
    group.area = area;
    return std::max(area.bottom, area.top + group.key.height());
  }

  void turn(Box& box) const {
    box.top = height_ - box.top;
    box.bottom = height_ - box.bottom;
  }

  // --- a panel

  void panel(const Panel& panel) {
    const MapLayer& layer = map_.layers[panel.layer];
    const Group& group = groups_[panel.group];
    text_ += "\n" + comment("--- " + layer.title);
    text_ += margins(panel.box, width_, height_);
    text_ += fmt::format("set label {} at screen {}, screen {} center\n", typeset(layer.title),
                         share_text(0.5 * (panel.box.left + panel.box.right), width_),
                         share_text(panel.box.top + 0.5 * title_height, height_));
    const auto below = ticks_of(map_.x, static_cast<int>(panel.box.width() / 55.));
    const auto beside = y_ticks(panel.box.height());
    text_ += range_script('x', x_) + range_script('y', y_);
    text_ += ticks_script("x", below, panel.lowest) + ticks_script("y", beside, panel.leftmost);
    if (panel.lowest) text_ += words_below(words_of(map_.x), panel.box, width_, height_);
    if (panel.leftmost) {
      text_ += words_left(words_of(*map_.y), panel.box, width_of(beside), width_, height_);
    }
    plots_.clear();
    if (categorical(group)) {
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

  [[nodiscard]] std::vector<const BoundaryCurve*> boundaries_of(const MapLayer& layer) const {
    std::vector<const BoundaryCurve*> all;
    for (const BoundaryCurve& curve : map_.boundaries) {
      if (curve.law == layer.law && matters(curve, layer)) all.push_back(&curve);
    }
    return all;
  }

  /// Does what changes across the curve show in the layer?
  static bool matters(const BoundaryCurve& curve, const MapLayer& layer) {
    const bool of_slip =
        layer.quantity == study::Quantity::sign || layer.quantity == study::Quantity::reversal;
    switch (curve.kind) {
      case study::BoundaryKind::mode:
        return true;
      case study::BoundaryKind::slip_sign:
        return of_slip;
      case study::BoundaryKind::reference:
        return !layer.categories.empty();
    }
    return true;
  }

  /// A boundary, as much of it as the panel shows.
  struct Line {
    const BoundaryCurve* curve = nullptr;
    std::vector<Polyline> pieces;
  };

  [[nodiscard]] std::vector<Line> lines_of(const MapLayer& layer) const {
    std::vector<Line> all;
    for (const BoundaryCurve* curve : boundaries_of(layer)) {
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

  void boundaries(const std::vector<Line>& lines, std::vector<Box>& taken, bool on_numbers) {
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
      std::vector<Polyline> others;
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

  /// The entry of the key that each cell of a layer belongs to.
  [[nodiscard]] CategoryGrid entries(const Group& group, std::size_t k) const {
    const MapLayer& layer = group.layers[k];
    CategoryGrid grid{.columns = map_.columns(), .rows = map_.rows(), .cell = {}};
    grid.cell.resize(layer.values.size());
    for (std::size_t cell = 0; cell < grid.cell.size(); ++cell) {
      const int c = category_of(layer, cell);
      grid.cell[cell] = c < 0 ? group.categories.undefined
                              : group.categories.entry_of[k][static_cast<std::size_t>(c)];
    }
    return grid;
  }

  void categories(const Panel& panel, const MapLayer& layer, const Group& group) {
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
    const CategoryGrid grid = entries(group, k);

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
    boundaries(lines, taken, false);
  }

  /// Regions one cell thick, made thick enough to be seen. Returns what they cover.
  std::vector<Box> draw_strips(const CategoryGrid& grid, const Group& group) {
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

  void numbers(const Panel& panel, const MapLayer& layer, const Group& group) {
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
    contours(layer, colours, all_pieces(lines), taken);
    boundaries(lines, taken, true);
  }

  void colour_box(const Group& group) {
    const double left = group.area.right + key_gap;
    const double remarks = 15. * static_cast<double>(group.remarks.size());
    const double bottom = group.area.bottom + (remarks > 0. ? remarks + 8. : 0.);
    text_ += fmt::format(
        "set colorbox user origin screen {}, screen {} size screen {}, screen {} front\n",
        share_text(left, width_), share_text(bottom, height_), share_text(15., width_),
        share_text(group.area.top - bottom, height_));
    const auto ticks =
        ticks_of(group.numbers.range, static_cast<int>((group.area.top - bottom) / 35.));
    text_ += ticks_script("cb", ticks) + "set cbtics scale 0.6\n";
    const MapLayer& layer = group.layers.front();
    std::string name = name_of(layer).quantity;
    if (!layer.unit.empty()) name += " [" + layer.unit + "]";
    // gnuplot's own label of the box knows nothing of the width of ticks that are texts.
    text_ += fmt::format("set label {} at screen {}, screen {} center rotate by 90\n",
                         typeset(name), share_text(left + 15. + width_of(ticks) + 26., width_),
                         share_text(0.5 * (bottom + group.area.top), height_));
    double y = group.area.bottom + remarks - 7.5;
    for (const std::string& line : group.remarks) {
      text_ += fmt::format("set label {} at screen {}, screen {} left font \",10\"\n",
                           gnuplot_text(line), share_text(left, width_), share_text(y, height_));
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

  void contours(const MapLayer& layer, const NumberColours& colours,
                const std::vector<Polyline>& others, std::vector<Box>& taken) {
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
    }
  }

  const Map& map_;
  const PictureFiles& files_;
  Scale x_;
  Scale y_;
  MapData data_;
  std::vector<Group> groups_;
  std::vector<Panel> panels_;
  double width_ = 0.;   ///< of the page [px]
  double height_ = 0.;  ///< [px]
  Box here_;            ///< the panel that is being drawn
  std::string plots_;   ///< of it
  std::string text_;
};

}  // namespace

MapPlot plot_panels(const Map& map, const PictureFiles& files) {
  return PanelScript(map, files).make();
}

}  // namespace carom::report
