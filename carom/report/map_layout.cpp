// SPDX-License-Identifier: Apache-2.0
#include <carom/report/map_layout.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include <carom/report/map_panels.hpp>
#include <carom/report/map_words.hpp>
#include <carom/report/table.hpp>

namespace carom::report {
namespace {

/// Does what changes across the curve show in the layer?
bool matters(const study::BoundaryCurve& curve, const study::MapLayer& layer) {
  switch (curve.kind) {
    case study::BoundaryKind::mode:
      return true;
    case study::BoundaryKind::slip_sign:
      return layer.quantity == study::Quantity::sign || layer.quantity == study::Quantity::reversal;
    case study::BoundaryKind::reference:
      return !layer.categories.empty();
  }
  return true;
}

using study::BoundaryCurve;
using study::Map;
using study::MapLayer;

// [px]
constexpr double left_margin = 70.;  // ticks and label of y, at least
constexpr double right_margin = 14.;
constexpr double bottom_margin = 58.;  // ticks and label of x
constexpr double panel_gap = 18.;
constexpr double row_gap = 12.;
constexpr double number_key_width = 112.;

class Arranger {
 public:
  explicit Arranger(const Map& map) : map_(map) {
    CategoryPalette palette;
    for (const LayerGroup& g : report::groups(map)) {
      page_.groups.emplace_back();
      PanelGroup& group = page_.groups.back();
      group.layers = std::span(map.layers).subspan(g.first, g.size());
      if (group.categorical()) {
        group.categories = palette.colours(group.layers);
        fill_key(group);
      } else {
        group.numbers = number_colours(group.layers);
        group.remarks = remarks(group.numbers);
      }
    }
    arrange();
  }

  PanelLayout take() { return std::move(page_); }

 private:
  // --- what the keys say

  void fill_key(PanelGroup& group) const {
    const std::size_t n = group.categories.entries.size();
    std::vector<bool> thick(n, false);  // it has cells that are in no strip
    std::vector<std::string> where(n);  // of its strips
    for (std::size_t k = 0; k < group.layers.size(); ++k) {
      const CategoryGrid grid = entries(map_, group, k);
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
      for (const BoundaryCurve* curve : boundaries_of(map_, layer)) {
        if (std::find(named.begin(), named.end(), curve->name) != named.end()) continue;
        named.push_back(curve->name);
        group.key.line(*curve);
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
    for (const PanelGroup& group : page_.groups) {
      columns = std::max(columns, columns_for(group.layers.size()));
      any_categories = any_categories || group.categorical();
    }
    // Many quantities of one law: two stacks of them.
    const std::size_t stacks = columns == 1 && page_.groups.size() > 3 ? 2 : 1;
    const std::size_t in_stack = (page_.groups.size() + stacks - 1) / stacks;
    const double key_width = any_categories ? category_key_width : number_key_width;
    const auto [w, h] = panel_size(columns, in_stack);
    const double panels_width = static_cast<double>(columns) * (w + panel_gap) - panel_gap;
    const double margin = std::max(left_margin, 44. + width_of(ticks_beside(map_, h)));
    const double stack_width = margin + panels_width + key_gap + key_width + right_margin;
    page_.width = std::ceil(static_cast<double>(stacks) * stack_width);

    // Downwards from the top; turned upright when the height is known.
    const double top = map_.title.empty() ? 8. : heading_height;
    double lowest = top;
    for (std::size_t s = 0; s < stacks; ++s) {
      double down = top;
      const double left = static_cast<double>(s) * stack_width + margin;
      for (std::size_t g = s * in_stack; g < std::min((s + 1) * in_stack, page_.groups.size());
           ++g) {
        down = place(g, columns, left, down, w, h) + row_gap;
      }
      lowest = std::max(lowest, down - row_gap);
    }
    page_.height = std::ceil(lowest + bottom_margin);
    for (PanelGroup& group : page_.groups) turn(group.area);
    for (Panel& panel : page_.panels) turn(panel.box);
    for (Panel& panel : page_.panels) {
      panel.lowest =
          std::none_of(page_.panels.begin(), page_.panels.end(), [&](const Panel& other) {
            return other.box.left == panel.box.left && other.box.top < panel.box.bottom;
          });
    }
  }

  static std::pair<double, double> panel_size(std::size_t columns, std::size_t rows) {
    if (columns == 1) return rows == 1 ? std::pair{520., 400.} : std::pair{480., 250.};
    if (columns == 2) return {370., 290.};
    return columns == 3 ? std::pair{290., 230.} : std::pair{250., 200.};
  }

  /// Returns where it ends.
  double place(std::size_t g, std::size_t columns, double left, double down, double w, double h) {
    PanelGroup& group = page_.groups[g];
    columns = std::min(columns, columns_for(group.layers.size()));
    const std::size_t n = group.layers.size();
    // Rather a higher panel than an empty place below it, within reason.
    if (n <= columns) h = std::clamp(group.key.height(), h, 1.4 * h);
    const auto first = static_cast<std::size_t>(group.layers.data() - map_.layers.data());
    Box area{.left = left, .bottom = 0., .right = left, .top = down + panel_title_height};
    for (std::size_t k = 0; k < n; ++k) {
      const auto column = static_cast<double>(k % columns);
      const auto row = static_cast<double>(k / columns);
      Panel panel{.layer = first + k, .group = g, .box = {}, .leftmost = k % columns == 0};
      panel.box.left = left + column * (w + panel_gap);
      panel.box.right = panel.box.left + w;
      panel.box.top = down + panel_title_height + row * (h + panel_title_height + row_gap);
      panel.box.bottom = panel.box.top + h;
      area.right = std::max(area.right, panel.box.right);
      area.bottom = std::max(area.bottom, panel.box.bottom);
      page_.panels.push_back(panel);
    }
    group.area = area;
    return std::max(area.bottom, area.top + group.key.height());
  }

  void turn(Box& box) const {
    box.top = page_.height - box.top;
    box.bottom = page_.height - box.bottom;
  }

  const Map& map_;
  PanelLayout page_;
};

}  // namespace

PanelLayout lay_out(const study::Map& map) { return Arranger(map).take(); }

std::vector<Tick> ticks_beside(const study::Map& map, double panel_height) {
  return ticks_of(*map.y, static_cast<int>(panel_height / 40.));
}

CategoryGrid entries(const study::Map& map, const PanelGroup& group, std::size_t k) {
  const MapLayer& layer = group.layers[k];
  CategoryGrid grid{.columns = map.columns(), .rows = map.rows(), .cell = {}};
  grid.cell.resize(layer.values.size());
  for (std::size_t cell = 0; cell < grid.cell.size(); ++cell) {
    const int c = category_of(layer, cell);
    grid.cell[cell] = c < 0 ? group.categories.undefined
                            : group.categories.entry_of[k][static_cast<std::size_t>(c)];
  }
  return grid;
}

std::vector<const study::BoundaryCurve*> boundaries_of(const study::Map& map,
                                                       const study::MapLayer& layer) {
  std::vector<const study::BoundaryCurve*> all;
  for (const study::BoundaryCurve& curve : map.boundaries) {
    if (curve.law == layer.law && matters(curve, layer)) all.push_back(&curve);
  }
  return all;
}

}  // namespace carom::report
