// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include <fmt/format.h>

#include <carom/report/map_colours.hpp>
#include <carom/report/map_layout.hpp>
#include <carom/report/map_panels.hpp>
#include <carom/report/map_words.hpp>
#include <carom/report/palette.hpp>

namespace carom::report {
namespace {

using study::Map;
using study::MapLayer;

// [px]
constexpr double panel_width = 560.;
constexpr double band_height = 26.;
constexpr double bottom_margin = 58.;
constexpr double row_gap = 16.;
constexpr double title_height = 22.;
constexpr double label_pitch = 16.;
constexpr double thinnest_band = 4.;
constexpr std::size_t most_samples = 2400;
constexpr double letter_width = 0.58 * letter_size;
constexpr double line_width = 0.65;  // of those in Routh's diagram

/// The layers of one quantity in one panel.
struct Group {
  std::span<const MapLayer> layers;
  CategoryColours categories;
  Key key{category_key_width};
  Range range;    ///< of numbers, as shown
  Range reached;  ///< by them
  Box box;        ///< the panel [px]

  [[nodiscard]] bool categorical() const { return !layers.front().categories.empty(); }
};

const LawStyle& style_of_layer(const MapLayer& layer) {
  static constexpr LawStyle unknown{"#000000", "solid", 1.5, 7, 0, 1.};
  if (const NamedSpatialLaw* law = find_spatial_law(layer.law)) return style_of(*law);
  const NamedLaw* law = find_law(layer.law);
  return law == nullptr ? unknown : style_of(*law);
}

/// Moves places on a line apart so that none is nearer to the next than `pitch`.
/// @pre they rise
void spread(std::vector<double>& places, double pitch, double least, double most) {
  for (std::size_t k = 0; k < places.size(); ++k) {
    places[k] = std::max(places[k], k == 0 ? least : places[k - 1] + pitch);
  }
  // What was pushed beyond the upper end pushes back.
  for (std::size_t k = places.size(); k-- > 0;) {
    places[k] = std::min(places[k], k + 1 == places.size() ? most : places[k + 1] - pitch);
  }
}

class CurveScript {
 public:
  CurveScript(const Map& map, const PictureFiles& files)
      : map_(map), files_(files), x_(scale_of(map.x)), data_(map, 0) {
    CategoryPalette palette;
    for (const LayerGroup& g : report::groups(map)) {
      groups_.emplace_back();
      Group& group = groups_.back();
      group.layers = std::span(map.layers).subspan(g.first, g.size());
      if (group.categorical()) {
        group.categories = palette.colours(group.layers);
        for (const KeyEntry& entry : group.categories.entries) group.key.area(entry, "");
      } else {
        const NumberColours colours = number_colours(group.layers);
        group.range = common_range(group.layers).widened(0.05);
        group.reached = colours.reached;
      }
    }
    arrange();
  }

  MapPlot make() {
    text_ = script_head(map_, files_, width_, height_);
    text_ += "\n# --- styles: each law's line, the same in all pictures\n";
    for (std::size_t k = 0; k < map_.layers.size(); ++k) {
      const LawStyle& s = style_of_layer(map_.layers[k]);
      text_ += fmt::format("set style line {} lc rgb \"{}\" lw {} dt {}   {}", k + 1, s.colour,
                           line_width * s.width, s.dash, comment(map_.layers[k].title));
    }
    text_ +=
        R"(
set multiplot
unset key
set border 15 lw 1
set tics front out nomirror scale 0.6
set clip two
)";
    if (!map_.title.empty()) {
      text_ += fmt::format("set label {} at screen {}, screen {} center font \",15\"\n",
                           gnuplot_text(map_.title), share_text(left_ + panel_width / 2., width_),
                           share_text(height_ - 0.55 * heading_height, height_));
    }
    for (const Group& group : groups_) {
      panel(group);
      if (group.categorical()) {
        bands(group);
      } else {
        lines(group);
      }
      text_ += "unset label\nunset object\nunset arrow\n";
    }
    text_ += "\nunset multiplot\nunset output\n";
    return {.script = std::move(text_), .data = data_.take()};
  }

 private:
  void arrange() {
    double labels = 0.;  // the widest name beside the panels
    for (const Group& group : groups_) {
      for (const MapLayer& layer : group.layers) {
        const double w = letter_width * static_cast<double>(letters(name_of(layer).law));
        if (group.categorical()) {
          left_ = std::max(left_, w + 22.);
          labels = std::max(labels, category_key_width + key_gap - 60.);
        } else {
          labels = std::max(labels, w);
          left_ = std::max(left_, 44. + width_of(ticks_of(group.range, 10)));
        }
      }
    }
    width_ = std::ceil(left_ + panel_width + 60. + labels + 10.);
    double down = map_.title.empty() ? 12. : heading_height;
    for (Group& group : groups_) {
      const auto n = static_cast<double>(group.layers.size());
      const double h = group.categorical()   ? std::max(n * band_height, group.key.height())
                       : groups_.size() == 1 ? 360.
                                             : std::max(200., label_pitch * (n + 1.));
      if (group.categorical()) down += title_height;
      group.box = {.left = left_, .bottom = down + h, .right = left_ + panel_width, .top = down};
      // A key that is higher than the bands stands beside the row; bands need not be that high.
      if (group.categorical()) {
        group.box.bottom = down + std::min(h, n * 2. * band_height);
      }
      down += h + row_gap;
    }
    height_ = std::ceil(down - row_gap + bottom_margin);
    for (Group& group : groups_) {
      group.box.top = height_ - group.box.top;
      group.box.bottom = height_ - group.box.bottom;
    }
  }

  [[nodiscard]] static std::string quantity(const Group& group) {
    const MapLayer& layer = group.layers.front();
    std::string name = name_of(layer).quantity;
    if (!layer.unit.empty()) name += " [" + layer.unit + "]";
    return name;
  }

  void panel(const Group& group) {
    const bool lowest = &group == &groups_.back();
    text_ += "\n" + comment("--- " + quantity(group));
    text_ += margins(group.box, width_, height_);
    text_ += range_script('x', x_) + ticks_script("x", ticks_of(map_.x, 9), lowest);
    if (lowest) text_ += words_below(words_of(map_.x), group.box, width_, height_);
  }

  [[nodiscard]] std::string screen(double x, double y) const {
    return fmt::format("screen {}, screen {}", share_text(x, width_), share_text(y, height_));
  }

  // --- numbers

  /// In pieces: no line over what is undefined, nor through infinity.
  [[nodiscard]] std::vector<std::vector<Point>> pieces(const MapLayer& layer,
                                                       const Range& range) const {
    std::vector<std::vector<Point>> all;
    bool open = false;
    double before = 0.;
    for (const std::size_t i : thinned(map_.columns(), most_samples)) {
      const double value = layer.values[i];
      if (!std::isfinite(value)) {
        open = false;
        continue;
      }
      const bool over_a_pole = (before > range.most && value < range.least) ||
                               (before < range.least && value > range.most);
      if (!open || over_a_pole) all.emplace_back();
      // Far outside it does not matter how far, and gnuplot would.
      const Range far = range.widened(20.);
      all.back().push_back({x_.drawn(map_.x.values[i]), std::clamp(value, far.least, far.most)});
      before = value;
      open = true;
    }
    return all;
  }

  void lines(const Group& group) {
    text_ += fmt::format("set yrange [{:.10g}:{:.10g}]\n", group.range.least, group.range.most);
    const auto ticks = ticks_of(group.range, static_cast<int>(group.box.height() / 36.));
    text_ += ticks_script("y", ticks);
    text_ += words_left(quantity(group), group.box, width_of(ticks), width_, height_);
    law_labels(group);

    // Dashed over solid, narrow over wide: none hides another.
    std::vector<std::size_t> order(group.layers.size());
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      const auto rank = [&](std::size_t k) {
        const LawStyle& s = style_of_layer(group.layers[k]);
        return s.dash == "solid" ? 1000. + s.width : s.width;
      };
      return rank(a) > rank(b);
    });
    std::string plots;
    for (const std::size_t k : order) {
      const MapLayer& layer = group.layers[k];
      auto parts = pieces(layer, group.range);
      if (parts.empty()) continue;
      const std::size_t block = data_.lines(layer.title, parts);
      plots += fmt::format("{}data index {} using 1:2 with lines ls {}",
                           plots.empty() ? "" : ", \\\n  ", block, style_number(layer));
    }
    text_ += "plot " + (plots.empty() ? "NaN" : plots) + "\n";
  }

  [[nodiscard]] std::size_t style_number(const MapLayer& layer) const {
    return static_cast<std::size_t>(&layer - map_.layers.data()) + 1;
  }

  /// Where a line ends at the right [px on the page]; nothing if it is undefined everywhere.
  [[nodiscard]] std::optional<double> end_of(const MapLayer& layer, const Group& group) const {
    for (std::size_t i = layer.values.size(); i-- > 0;) {
      if (!std::isfinite(layer.values[i])) continue;
      const double share = (layer.values[i] - group.range.least) / group.range.size();
      return group.box.bottom + std::clamp(share, 0., 1.) * group.box.height();
    }
    return std::nullopt;
  }

  /// The laws' names at the ends of their lines, with a sample of the line.
  void law_labels(const Group& group) {
    struct Named {
      const MapLayer* layer;
      double end;
    };
    std::vector<Named> named;
    for (const MapLayer& layer : group.layers) {
      if (const auto end = end_of(layer, group)) named.push_back({&layer, *end});
    }
    // Of lines with a common end the first stands above, as in every table.
    std::reverse(named.begin(), named.end());
    std::stable_sort(named.begin(), named.end(),
                     [&](const Named& a, const Named& b) { return a.end < b.end - 1e-3; });
    std::vector<double> y;
    for (const Named& n : named) y.push_back(n.end);
    spread(y, label_pitch, group.box.bottom + 6., group.box.top - 6.);
    const double right = group.box.right;
    for (std::size_t k = 0; k < named.size(); ++k) {
      text_ += fmt::format("set arrow from {} to {} nohead lc rgb \"#909090\" lw 0.6\n",
                           screen(right + 2., named[k].end), screen(right + 16., y[k]));
      text_ += fmt::format("set arrow from {} to {} nohead ls {}\n", screen(right + 18., y[k]),
                           screen(right + 48., y[k]), style_number(*named[k].layer));
      text_ += fmt::format("set label {} at {} left\n", typeset(name_of(*named[k].layer).law),
                           screen(right + 54., y[k]));
    }
    if (group.reached.most > group.range.most || group.reached.least < group.range.least) {
      text_ +=
          fmt::format("set label {} at {} right front font \",10\" tc rgb \"#404040\"\n",
                      gnuplot_text("cut off: values from " + short_figure(group.reached.least) +
                                   " to " + short_figure(group.reached.most)),
                      screen(right - 6., group.box.top - 9.));
    }
  }

  static std::string short_figure(double value) {
    return pretty(std::stod(fmt::format("{:.2g}", value)));
  }

  // --- categories

  /// A stretch of one category.
  struct Run {
    int entry = 0;
    double from = 0.;  ///< shares of the panel
    double to = 0.;
  };

  [[nodiscard]] std::vector<Run> runs(const Group& group, std::size_t k) const {
    const MapLayer& layer = group.layers[k];
    const std::size_t n = map_.columns();
    const auto edge = [&](std::size_t i) {  // between samples i-1 and i
      if (i == 0) return 0.;
      if (i == n) return 1.;
      return (static_cast<double>(i) - 0.5) / static_cast<double>(n - 1);
    };
    const auto entry = [&](std::size_t i) {
      const int c = category_of(layer, i);
      return c < 0 ? group.categories.undefined
                   : group.categories.entry_of[k][static_cast<std::size_t>(c)];
    };
    std::vector<Run> all;
    for (std::size_t i = 0; i < n; ++i) {
      if (all.empty() || all.back().entry != entry(i)) {
        all.push_back({.entry = entry(i), .from = edge(i), .to = 0.});
      }
      all.back().to = edge(i + 1);
    }
    return all;
  }

  void bands(const Group& group) {
    const std::size_t n = group.layers.size();
    const double width = group.box.width();
    std::string ticks;
    std::vector<std::vector<double>> rows;
    std::vector<std::vector<double>> thin;  // drawn last, wide enough to be seen
    for (std::size_t k = 0; k < n; ++k) {
      const auto row = static_cast<double>(n - k);  // the first above
      ticks +=
          fmt::format("{}{} {}", k == 0 ? "" : ", ", typeset(name_of(group.layers[k]).law), row);
      for (const Run& run : runs(group, k)) {
        double from = run.from;
        double to = std::min(1., run.to + 0.4 / width);  // under the next: no seam
        const bool is_thin = (run.to - run.from) * width < thinnest_band;
        if (is_thin) {
          const double half = 0.5 * thinnest_band / width;
          const double middle = std::clamp(0.5 * (run.from + run.to), half, 1. - half);
          from = middle - half;
          to = middle + half;
        }
        (is_thin ? thin : rows)
            .push_back(
                {x_.at(from), x_.at(to), row - 0.42, row + 0.42, static_cast<double>(run.entry)});
        const KeyEntry& entry = group.categories.entries[static_cast<std::size_t>(run.entry)];
        if (text_box(entry.label, {}).width() + 6. > (run.to - run.from) * width) continue;
        text_ += fmt::format("set label {} at {:.10g}, {} center front\n", typeset(entry.label),
                             x_.at(0.5 * (run.from + run.to)), row);
      }
    }
    rows.insert(rows.end(), thin.begin(), thin.end());
    std::string colours;
    for (const KeyEntry& entry : group.categories.entries) {
      colours += fmt::format("{}0x{}", colours.empty() ? "" : ", ", entry.colour.substr(1));
    }
    const std::string name = fmt::format("colour_{}", style_number(group.layers.front()));
    text_ += fmt::format("array {}[{}] = [{}]\n", name, group.categories.entries.size(), colours);
    text_ += fmt::format("set yrange [0.5:{}.5]\nset ytics ({})\n", n, ticks);
    text_ += fmt::format("set label {} at {} center\n", typeset(quantity(group)),
                         screen(0.5 * (group.box.left + group.box.right), group.box.top + 11.));
    text_ += group.key.script({group.box.right + key_gap, group.box.top}, width_, height_);
    std::string what = quantity(group) + ": from, to, below, above, number of the colour:";
    for (std::size_t e = 0; e < group.categories.entries.size(); ++e) {
      what += fmt::format(" {} = {};", e, group.categories.entries[e].label);
    }
    const std::size_t block = data_.table(what, rows);
    text_ += fmt::format(
        "plot data index {} using 1:3:1:2:3:4:({}[int($5) + 1]) with boxxyerror fs solid noborder "
        "lc rgb variable\n",
        block, name);
  }

  const Map& map_;
  const PictureFiles& files_;
  Scale x_;
  MapData data_;
  std::vector<Group> groups_;
  double left_ = 70.;   ///< [px]
  double width_ = 0.;   ///< of the page [px]
  double height_ = 0.;  ///< [px]
  std::string text_;
};

}  // namespace

MapPlot plot_curves(const Map& map, const PictureFiles& files) {
  return CurveScript(map, files).make();
}

}  // namespace carom::report
