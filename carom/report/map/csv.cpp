// SPDX-License-Identifier: Apache-2.0
#include <carom/report/map/csv.hpp>

#include <string>
#include <vector>

#include <carom/report/law_words.hpp>
#include <carom/report/map/words.hpp>

namespace carom::report {
namespace {

constexpr std::size_t csv_piece = std::size_t{1} << 20U;

std::string heading(const study::MapLayer& layer) {
  const LayerName name = name_of(layer);
  std::string text = layer.name();
  if (!name.law.empty()) text += " (" + name.law + ")";
  if (!layer.unit.empty()) text += " [" + layer.unit + "]";
  return text;
}

}  // namespace

void write_map_csv(const study::Map& map, const std::function<void(std::string_view)>& sink) {
  std::string out = csv_field(path_with_unit(map.x));
  if (map.y) out += "," + csv_field(path_with_unit(*map.y));
  for (const study::MapLayer& layer : map.layers) out += "," + csv_field(heading(layer));
  out += '\n';

  std::vector<std::vector<std::string>> labels;  // of each layer's categories
  for (const study::MapLayer& layer : map.layers) {
    labels.emplace_back();
    for (const study::Category& c : layer.categories) labels.back().push_back(csv_field(c.label));
  }
  std::vector<std::string> x;  // written once for all rows
  for (const double value : map.x.values) append_csv_number(x.emplace_back(), value);

  for (std::size_t j = 0; j < map.rows(); ++j) {
    std::string y;
    if (map.y) {
      y = ",";
      append_csv_number(y, map.y->values[j]);
    }
    for (std::size_t i = 0; i < map.columns(); ++i) {
      const std::size_t cell = j * map.columns() + i;
      out += x[i];
      out += y;
      for (std::size_t k = 0; k < map.layers.size(); ++k) {
        out += ',';
        if (labels[k].empty()) {
          append_csv_number(out, map.layers[k].values[cell]);
        } else if (const int category = category_of(map.layers[k], cell); category >= 0) {
          out += labels[k][static_cast<std::size_t>(category)];
        }
      }
      out += '\n';
      if (out.size() >= csv_piece) {
        sink(out);
        out.clear();
      }
    }
  }
  sink(out);
}

}  // namespace carom::report
