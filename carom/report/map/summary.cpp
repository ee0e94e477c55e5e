// SPDX-License-Identifier: Apache-2.0
#include <carom/report/map/summary.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <vector>

#include <fmt/format.h>

#include <carom/core/error.hpp>
#include <carom/report/map/words.hpp>

namespace carom::report {
namespace {

using study::Axis;
using study::Map;
using study::MapLayer;

constexpr std::size_t picture_columns = 60;
constexpr std::size_t picture_rows = 16;
constexpr std::size_t table_rows = 11;

/// `count` of `size` samples, the ends among them, as evenly as it goes.
std::vector<std::size_t> samples(std::size_t size, std::size_t count) {
  count = std::min(count, size);
  std::vector<std::size_t> chosen;
  for (std::size_t k = 0; k < count; ++k) {
    chosen.push_back(count == 1 ? 0 : (k * (size - 1) + (count - 1) / 2) / (count - 1));
  }
  return chosen;
}

/// The first letter of a text, all its bytes.
std::string first_letter(std::string_view text) {
  std::size_t end = text.empty() ? 0 : 1;
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) ++end;
  return std::string(text.substr(0, end));
}

/// A letter for each category, each its own: the first of its label if it is free.
std::vector<std::string> letters_of(const MapLayer& layer) {
  std::set<std::string> taken = {".", " ", ""};
  std::vector<std::string> all;
  for (const study::Category& c : layer.categories) {
    std::string candidates = c.label + "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    std::string letter = "?";
    for (std::size_t at = 0; at < candidates.size();) {
      const std::string candidate = first_letter(std::string_view(candidates).substr(at));
      at += candidate.size();
      const auto byte = static_cast<unsigned char>(candidate[0]);
      if ((byte < 0x80 && std::isalnum(byte) == 0) || taken.contains(candidate)) continue;
      letter = candidate;
      break;
    }
    taken.insert(letter);
    all.push_back(letter);
  }
  return all;
}

/// What is finite in a layer.
struct Extent {
  double least = std::numeric_limits<double>::infinity();
  double most = -std::numeric_limits<double>::infinity();
  double mean = 0.;
  double median = 0.;
  std::size_t least_at = 0;  ///< cell
  std::size_t most_at = 0;
  std::size_t defined = 0;  ///< cells
};

Extent extent(const MapLayer& layer) {
  Extent e;
  std::vector<double> finite;
  for (std::size_t cell = 0; cell < layer.values.size(); ++cell) {
    const double value = layer.values[cell];
    if (!std::isfinite(value)) continue;
    if (value < e.least) e.least_at = cell;
    if (value > e.most) e.most_at = cell;
    e.least = std::min(e.least, value);
    e.most = std::max(e.most, value);
    ++e.defined;
    e.mean += (value - e.mean) / static_cast<double>(e.defined);
    finite.push_back(value);
  }
  if (!finite.empty()) {
    const auto middle = finite.begin() + static_cast<std::ptrdiff_t>(finite.size() / 2);
    std::nth_element(finite.begin(), middle, finite.end());
    e.median = *middle;
  }
  return e;
}

class Summary {
 public:
  Summary(const Map& map, const Page& page) : map_(map), page_(page) {}

  std::string make() {
    if (!map_.title.empty()) text_ += printable(map_.title) + "\n\n";
    if (map_.y) {
      for (const MapLayer& layer : map_.layers) {
        about(layer);
        picture(layer);
        text_ += '\n';
      }
    } else {
      curves();
    }
    for (const std::string& note : map_.notes) {
      bool first = true;
      for (const std::string& line : wrap(note, page_.width - 6)) {
        text_ += (first ? "note: " : "      ") + line + '\n';
        first = false;
      }
    }
    while (text_.size() > 1 && text_.ends_with("\n\n")) text_.pop_back();
    return std::move(text_);
  }

 private:
  static std::string heading(const MapLayer& layer) {
    return layer.unit.empty() ? layer.title : layer.title + " [" + layer.unit + "]";
  }

  /// "angle_deg = 30, friction = 0.2".
  [[nodiscard]] std::string place(std::size_t cell) const {
    const std::size_t i = cell % map_.columns();
    std::string text = fmt::format("{} = {}", short_name(map_.x), figure(map_.x.values[i]));
    if (map_.y) {
      text += fmt::format(", {} = {}", short_name(*map_.y),
                          figure(map_.y->values[cell / map_.columns()]));
    }
    return text;
  }

  [[nodiscard]] static double share(std::size_t part, const MapLayer& layer) {
    return layer.values.empty()
               ? 0.
               : static_cast<double>(part) / static_cast<double>(layer.values.size());
  }

  void about(const MapLayer& layer) {
    text_ += heading(layer) + "\n";
    if (layer.categories.empty()) {
      numbers(layer);
    } else {
      categories(layer);
    }
  }

  void categories(const MapLayer& layer) {
    const auto count = counts(layer);
    const auto letter = letters_of(layer);
    std::vector<std::size_t> order;
    std::size_t width = 0;
    for (std::size_t c = 0; c < layer.categories.size(); ++c) {
      if (count[c] == 0) continue;
      order.push_back(c);
      width = std::max(width, letters(layer.categories[c].label));
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return count[a] > count[b]; });
    const bool signs = map_.y && std::any_of(order.begin(), order.end(), [&](std::size_t c) {
                         return letter[c] != layer.categories[c].label;
                       });
    for (const std::size_t c : order) {
      const study::Category& category = layer.categories[c];
      const std::string sign = signs ? letter[c] + "  " : std::string();
      text_ += fmt::format("  {:>8}  {}{}", percent(share(count[c], layer)), sign, category.label);
      if (!category.meaning.empty()) {
        text_ += std::string(width - letters(category.label), ' ') + "  " + category.meaning;
      }
      text_ += '\n';
    }
    undefined(layer, count.back());
  }

  void undefined(const MapLayer& layer, std::size_t cells) {
    if (cells == 0) return;
    text_ +=
        fmt::format("  {:>8}  {}undefined\n", percent(share(cells, layer)), map_.y ? ".  " : "");
  }

  void numbers(const MapLayer& layer) {
    const Extent e = extent(layer);
    if (e.defined == 0) {
      text_ += "  undefined everywhere\n";
      return;
    }
    text_ += fmt::format("  least     {:<12} at {}\n", figure(e.least), place(e.least_at));
    text_ += fmt::format("  greatest  {:<12} at {}\n", figure(e.most), place(e.most_at));
    text_ += fmt::format("  mean      {:<12} median {}\n", figure(e.mean), figure(e.median));
    for (const double level : map_.contours) {
      const auto above = static_cast<std::size_t>(std::count_if(
          layer.values.begin(), layer.values.end(), [&](double value) { return value > level; }));
      text_ += fmt::format("  {:>8}  above {}\n", percent(share(above, layer)), figure(level));
    }
    undefined(layer, layer.values.size() - e.defined);
  }

  /// A letter for a cell: that of its category, or the tenth of the range it lies in.
  struct Signs {
    std::vector<std::string> letter;
    Extent extent;

    [[nodiscard]] std::string of(const MapLayer& layer, std::size_t cell) const {
      if (!layer.categories.empty()) {
        const int category = category_of(layer, cell);
        return category < 0 ? "." : letter[static_cast<std::size_t>(category)];
      }
      const double value = layer.values[cell];
      if (!std::isfinite(value)) return ".";
      const double size = extent.most - extent.least;
      const double tenth = size > 0. ? 10. * ((value - extent.least) / size) : 0.;
      return std::to_string(static_cast<int>(std::clamp(tenth, 0., 9.)));
    }
  };

  void picture(const MapLayer& layer) {
    const Signs signs{.letter = letters_of(layer), .extent = extent(layer)};
    if (layer.categories.empty() && signs.extent.defined > 0) {
      text_ += "  in letters: 0 .. 9 are tenths from the least to the greatest\n";
    }
    const auto columns = samples(map_.columns(), picture_columns);
    const auto rows = samples(map_.rows(), picture_rows);
    const std::string top = figure(map_.y->values.back());
    const std::string bottom = figure(map_.y->values.front());
    const std::size_t margin = std::max(top.size(), bottom.size());
    for (std::size_t k = rows.size(); k-- > 0;) {
      const bool first = k + 1 == rows.size();
      text_ += fmt::format("  {:>{}} |", first ? top : k == 0 ? bottom : "", margin);
      for (const std::size_t i : columns) text_ += signs.of(layer, rows[k] * map_.columns() + i);
      text_ += first ? "|  " + path_with_unit(*map_.y) + "\n" : "|\n";
    }
    const std::string left = figure(map_.x.values.front());
    const std::string right = figure(map_.x.values.back());
    const std::size_t between = columns.size() > left.size() + right.size()
                                    ? columns.size() - left.size() - right.size()
                                    : 1;
    text_ += fmt::format("  {:{}}  {}{:{}}{}   {}\n", "", margin, left, "", between, right,
                         path_with_unit(map_.x));
  }

  /// Layers of one quantity share a table.
  void curves() {
    for (std::size_t first = 0; first < map_.layers.size();) {
      std::size_t last = first + 1;
      while (last < map_.layers.size() &&
             map_.layers[last].quantity == map_.layers[first].quantity &&
             map_.layers[last].compared == map_.layers[first].compared) {
        ++last;
      }
      for (std::size_t k = first; k < last; ++k) about(map_.layers[k]);
      table(first, last);
      text_ += '\n';
      first = last;
    }
  }

  void table(std::size_t first, std::size_t last) {
    std::vector<std::string> columns;
    for (std::size_t k = first; k < last; ++k) columns.push_back(name_of(map_.layers[k]).law);
    Table table(columns);
    table.row(path_with_unit(map_.x), std::vector<Table::Cell>(columns.size()));
    for (const std::size_t i : samples(map_.columns(), table_rows)) {
      std::vector<Table::Cell> cells;
      for (std::size_t k = first; k < last; ++k) {
        const MapLayer& layer = map_.layers[k];
        const int category = category_of(layer, i);
        cells.push_back({.text = layer.categories.empty() ? figure(layer.values[i])
                                 : category < 0
                                     ? "-"
                                     : layer.categories[static_cast<std::size_t>(category)].label});
      }
      table.row("  " + figure(map_.x.values[i]), cells);
    }
    text_ += table.text(page_.colour, page_.width);
  }

  const Map& map_;
  const Page& page_;
  std::string text_;
};

}  // namespace

std::string map_summary(const Map& map, const Page& page) { return Summary(map, page).make(); }

}  // namespace carom::report
