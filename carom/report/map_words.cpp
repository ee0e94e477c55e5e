// SPDX-License-Identifier: Apache-2.0
#include <carom/report/map_words.hpp>

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

}  // namespace

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
