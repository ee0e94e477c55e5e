// SPDX-License-Identifier: Apache-2.0
#include <carom/report/map/record.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <stdexcept>

#include <carom/core/error.hpp>
#include <carom/report/json_writer.hpp>
#include <carom/report/map/words.hpp>
#include <carom/report/packed.hpp>

namespace carom::report {
namespace {

using study::BoundaryCurve;
using study::BoundaryKind;
using study::Map;
using study::MapLayer;

constexpr auto drawing = JsonWriter::Digits::drawing;

/// At most this many cells are drawn of all layers together, ...
constexpr double most_cells = 2e6;
/// ... and at most this many along an axis.
constexpr double most_samples = 1400.;

void require_drawable(const Map& map, MapStyle style) {
  if (map.layers.empty() || map.columns() == 0 || map.rows() == 0) {
    throw std::logic_error("a map without cells or layers");
  }
  if (style == MapStyle::map) return;
  if (!map.y) throw InputError("--style", "a surface needs two axes: give --y as well");
  for (const MapLayer& layer : map.layers) {
    if (layer.categories.empty()) continue;
    throw InputError("--style",
                     "'" + layer.title + "' has no surface: its values are names, not numbers");
  }
}

/// At most `most` of them, evenly spaced, the ends among them.
std::vector<std::size_t> thinned(std::size_t samples, std::size_t most) {
  const std::size_t size = std::min(samples, most);
  std::vector<std::size_t> chosen(size);
  for (std::size_t p = 1; p < size; ++p) {
    chosen[p] = (p * (samples - 1) + (size - 1) / 2) / (size - 1);
  }
  return chosen;
}

/// Does what changes across the curve show in the layer?
bool belongs(const BoundaryCurve& curve, const MapLayer& layer) {
  if (curve.law != layer.law && curve.law != layer.other) return false;
  switch (curve.kind) {
    case BoundaryKind::mode:
      return true;
    case BoundaryKind::slip_sign:
      return layer.quantity->name == "sign" || layer.quantity->name == "reversal";
    case BoundaryKind::reference:
      return !layer.categories.empty();
  }
  return true;
}

class Record {
 public:
  Record(const Map& map, MapStyle style) : map_(map), style_(style) {
    const double each = most_cells / static_cast<double>(map.layers.size());
    const double side = map.y ? std::min(most_samples, std::sqrt(each)) : most_samples;
    const auto most = static_cast<std::size_t>(std::max(2., side));
    columns_ = thinned(map.columns(), most);
    rows_ = thinned(map.rows(), most);
  }

  std::string make() {
    json_.begin_object();
    json_.member("version", map_.provenance.version).member("command", map_.provenance.command);
    json_.key("scenario").begin_object();
    json_.member("file", map_.provenance.scenario_name)
        .member("text", map_.provenance.scenario_text)
        .member("system", map_.system)
        .end_object();
    json_.key("fixed").begin_array();
    for (const study::FixedNumbers& numbers : map_.fixed) fixed(numbers);
    json_.end_array();
    json_.key("x");
    axis(map_.x, columns_);
    json_.key("y");
    if (map_.y) {
      axis(*map_.y, rows_);
    } else {
      json_.null();
    }
    json_.key("layers").begin_array();
    for (const MapLayer& layer : map_.layers) this->layer(layer);
    json_.end_array().key("boundaries").begin_array();
    for (const BoundaryCurve& curve : map_.boundaries) boundary(curve);
    json_.end_array().key("contours").numbers(map_.contours);
    json_.key("notes").texts(map_.notes);
    json_.key("picture").begin_object();
    json_.member("kind", "map").member("title", map_.title).member("subtitle", fixed_words(map_));
    json_.member("style", style_ == MapStyle::surface ? "surface" : "map").end_object();
    json_.end_object();
    return json_.take() + "\n";
  }

 private:
  void fixed(const study::FixedNumbers& numbers) {
    json_.begin_object().member("path", numbers.path).member("of", numbers.of);
    json_.member("label", numbers.label).member("symbol", numbers.symbol);
    json_.member("unit", numbers.unit).key("value");
    if (numbers.depth == 0) json_.number(numbers.rows.front().front());
    if (numbers.depth == 1) json_.numbers(numbers.rows.front());
    if (numbers.depth == 2) {
      json_.begin_array();
      for (const auto& row : numbers.rows) json_.numbers(row);
      json_.end_array();
    }
    json_.end_object();
  }

  void axis(const study::Axis& axis, const std::vector<std::size_t>& samples) {
    json_.begin_object().member("path", axis.path).member("label", axis.label);
    json_.member("symbol", axis.symbol).member("unit", axis.unit).member("log", axis.log);
    json_.member("points", axis.values.size()).key("values").begin_array();
    for (const std::size_t i : samples) json_.number(axis.values[i], drawing);
    json_.end_array().end_object();
  }

  void layer(const MapLayer& layer) {
    static constexpr const char* compared[] = {"no", "difference", "ratio"};
    const study::Quantity& quantity = *layer.quantity;
    const LayerName name = name_of(layer);
    json_.begin_object().member("quantity", layer.name()).member("name", name.quantity);
    json_.member("symbol", layer.other.empty() ? quantity.symbol : "").member("unit", layer.unit);
    json_.member("law", layer.law).member("other", layer.other).member("laws", name.law);
    json_.member("compared", compared[static_cast<std::size_t>(layer.compared)]);
    json_.member("title", layer.title);
    json_.key("boundaries").begin_array();
    for (std::size_t b = 0; b < map_.boundaries.size(); ++b) {
      if (belongs(map_.boundaries[b], layer)) json_.integer(b);
    }
    json_.end_array();
    layer.categories.empty() ? numbers(layer) : categories(layer);
    json_.end_object();
  }

  /// What of the whole map is in each category, and the categories of the cells that are drawn.
  void categories(const MapLayer& layer) {
    const auto count = counts(layer);
    const auto share = [&](std::size_t c) {
      return static_cast<double>(count[c]) / static_cast<double>(layer.values.size());
    };
    json_.key("categories").begin_array();
    for (std::size_t c = 0; c < layer.categories.size(); ++c) {
      json_.begin_object().member("label", layer.categories[c].label);
      json_.member("meaning", layer.categories[c].meaning).key("share").number(share(c), drawing);
      json_.end_object();
    }
    json_.end_array().key("undefined").number(share(layer.categories.size()), drawing);
    std::vector<std::uint8_t> cells;
    cells.reserve(rows_.size() * columns_.size());
    each_cell([&](std::size_t cell) {
      const int category = category_of(layer, cell);
      cells.push_back(category >= 0 && category < 255 ? static_cast<std::uint8_t>(category) : 255);
    });
    json_.key("values");
    write_packed(json_, std::span<const std::uint8_t>(cells), shape());
  }

  void numbers(const MapLayer& layer) {
    double least = std::numeric_limits<double>::infinity();
    double greatest = -least;
    std::size_t without_value = 0;
    for (const double value : layer.values) {
      if (!std::isfinite(value)) {
        ++without_value;
        continue;
      }
      least = std::min(least, value);
      greatest = std::max(greatest, value);
    }
    json_.key("least").number(least, drawing).key("greatest").number(greatest, drawing);
    json_.key("undefined")
        .number(static_cast<double>(without_value) / static_cast<double>(layer.values.size()),
                drawing);
    std::vector<double> cells;
    cells.reserve(rows_.size() * columns_.size());
    each_cell([&](std::size_t cell) { cells.push_back(layer.values[cell]); });
    json_.key("values");
    write_packed(json_, std::span<const double>(cells), shape());
  }

  template <class Visit>
  void each_cell(const Visit& visit) const {
    for (const std::size_t j : rows_) {
      for (const std::size_t i : columns_) visit(j * map_.columns() + i);
    }
  }

  [[nodiscard]] std::vector<std::size_t> shape() const {
    if (!map_.y) return {columns_.size()};
    return {rows_.size(), columns_.size()};
  }

  void boundary(const BoundaryCurve& curve) {
    static constexpr const char* kinds[] = {"mode", "slip_sign", "reference"};
    json_.begin_object().member("law", curve.law).member("name", curve.name);
    json_.member("meaning", curve.meaning);
    json_.member("kind", kinds[static_cast<std::size_t>(curve.kind)]);
    json_.key("lines").begin_array();
    for (const auto& line : curve.lines) {
      json_.begin_object();
      for (const std::size_t k : {0U, 1U}) {
        json_.key(k == 0 ? "x" : "y").begin_array();
        for (const auto& point : line) json_.number(point[k], drawing);
        json_.end_array();
      }
      json_.end_object();
    }
    json_.end_array().end_object();
  }

  const Map& map_;
  MapStyle style_;
  std::vector<std::size_t> columns_;  ///< that are drawn
  std::vector<std::size_t> rows_;
  JsonWriter json_;
};

}  // namespace

std::string map_record(const Map& map, MapStyle style) {
  require_drawable(map, style);
  return Record(map, style).make();
}

}  // namespace carom::report
