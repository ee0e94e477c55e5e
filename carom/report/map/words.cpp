// SPDX-License-Identifier: Apache-2.0
#include <carom/report/map/words.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace carom::report {
namespace {

std::string laws_of(const study::MapLayer& layer) {
  if (layer.other.empty()) return layer.law;
  if (layer.compared == study::Compared::no) return layer.law + " and " + layer.other;
  return layer.law + (layer.compared == study::Compared::ratio ? " / " : " − ") + layer.other;
}

/// Six digits at most, a real minus; "varied" where an axis varies it.
std::string number_words(double value) {
  if (std::isnan(value)) return "varied";
  std::string text = fmt::format("{:.6g}", std::abs(value));
  return value < 0. ? "−" + text : text;
}

/// "0.4", "(0.4, −1)", "((1, 0.9), (0.9, 1))"; a matrix with many entries by its size alone.
std::string value_words(const study::FixedNumbers& numbers) {
  constexpr std::size_t most_entries = 9;
  if (numbers.depth == 0) return number_words(numbers.rows.front().front());
  std::string text;
  std::size_t entries = 0;
  for (const auto& row : numbers.rows) {
    std::string words;
    for (const double value : row) words += (words.empty() ? "" : ", ") + number_words(value);
    text += (text.empty() ? "(" : ", (") + words + ")";
    entries += row.size();
  }
  if (numbers.depth == 1) return text;
  if (entries <= most_entries) return "(" + text + ")";
  return fmt::format("{} × {} matrix", numbers.rows.size(), numbers.rows.front().size());
}

}  // namespace

std::string fixed_words(const study::Map& map) {
  std::string text;
  std::string part = "surface";  // whose numbers are being listed
  bool named = false;            // has the system's type been named?
  for (const study::FixedNumbers& n : map.fixed) {
    const bool of_system = n.path.starts_with("system.");
    std::string here = of_system ? "system" : "surface";
    if (!n.of.empty()) here += "." + n.of;  // a body, a link, or the contact of a surface
    if (here == part) {
      text += text.empty() ? "" : ", ";
    } else {
      text += text.empty() ? "" : "; ";
      if (of_system && !named) text += map.system + (n.of.empty() ? ": " : "; ");
      if (!n.of.empty()) text += n.of + ": ";
      named = named || of_system;
      part = here;
    }
    text += n.label + (n.symbol.empty() ? "" : " " + n.symbol) + " = " + value_words(n);
    if (!n.unit.empty()) text += " " + n.unit;
  }
  if (!named && !map.system.empty()) text += (text.empty() ? "" : "; ") + map.system;
  const auto derived = [](const study::Axis& axis) {
    return axis.path.find('.') == std::string::npos;
  };
  if (derived(map.x) || (map.y && derived(*map.y))) text += ", slip varied";
  return text;
}

LayerName name_of(const study::MapLayer& layer) {
  LayerName name{.quantity = layer.title, .law = laws_of(layer)};
  const auto comma = layer.title.rfind(", ");
  if (layer.law.empty() || comma == std::string::npos) return name;
  const std::string rest = layer.title.substr(comma + 2);
  if (rest.find(layer.law) == std::string::npos) return name;
  return {.quantity = layer.title.substr(0, comma), .law = rest};
}

std::string words_of(const study::Axis& axis) {
  std::string text = axis.label.empty() ? axis.path : axis.label;
  if (!axis.symbol.empty()) text += " " + axis.symbol;
  if (!axis.unit.empty()) text += " [" + axis.unit + "]";
  return text;
}

const std::string& short_name(const study::Axis& axis) {
  if (!axis.symbol.empty()) return axis.symbol;
  return axis.label.empty() ? axis.path : axis.label;
}

std::string path_with_unit(const study::Axis& axis) {
  return axis.unit.empty() ? axis.path : axis.path + " [" + axis.unit + "]";
}

int category_of(const study::MapLayer& layer, std::size_t cell) {
  const double value = layer.values[cell];
  if (!(value >= 0. && value < static_cast<double>(layer.categories.size()))) return -1;
  return static_cast<int>(value);
}

std::vector<std::size_t> counts(const study::MapLayer& layer) {
  std::vector<std::size_t> count(layer.categories.size() + 1);
  for (std::size_t cell = 0; cell < layer.values.size(); ++cell) {
    const int category = category_of(layer, cell);
    ++count[category < 0 ? layer.categories.size() : static_cast<std::size_t>(category)];
  }
  return count;
}

std::string percent(double share) {
  const double p = 100. * share;
  if (p == 0.) return "0 %";
  if (p < 0.1) return "< 0.1 %";
  if (p == 100.) return "100 %";
  if (p > 99.95) return "> 99.9 %";
  return fmt::format("{:.1f} %", p);
}

std::size_t letters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

}  // namespace carom::report
