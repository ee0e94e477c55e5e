// SPDX-License-Identifier: Apache-2.0
#include <carom/study/map/layers.hpp>

#include <algorithm>
#include <cmath>
#include <map>

#include <carom/core/error.hpp>
#include <carom/core/nearest.hpp>
#include <carom/impact/labels.hpp>

namespace carom::study {
namespace {

/// More layers of one quantity and law than this are asked for one by one.
constexpr std::size_t most_entries = 8;

/// Two laws: whether they say the same, or by how much not.
double compare(const MapLayer& layer, const OutcomeView& one, const OutcomeView& two) {
  const double a = value_of(*layer.quantity, one, layer.index);
  const double b = value_of(*layer.quantity, two, layer.index);
  if (std::isnan(a) || std::isnan(b)) return undefined;
  if (!layer.categories.empty()) return a == b ? 0. : 1.;
  if (layer.compared != Compared::ratio) return a - b;
  return b != 0. ? a / b : undefined;
}

/// "slip+/stick/slip-/...": the first few states, so that there are not too many kinds.
std::string slider_label(const SliderStates& states) {
  constexpr std::size_t most_states = 4;
  if (states.size() == 0) return "none";
  if (states.size() <= most_states) return slider_text(states);
  SliderStates first;
  for (std::size_t i = 0; i < most_states; ++i) first.enter(states[i]);
  return slider_text(first) + "/...";
}

Compared compared(const scenario::PlacedText& how) {
  if (how.text.empty()) return Compared::no;
  if (how.text == "difference") return Compared::difference;
  if (how.text == "ratio") return Compared::ratio;
  throw InputError(how.field, "must be difference or ratio, got '" + how.text + "'", how.place);
}

/// "NAME" or "NAME:OF".
const Quantity& find(const scenario::PlacedText& asked, ContactKind kind) {
  const std::string_view text = asked.text;
  try {
    const Quantity& q = find_quantity(text.substr(0, text.find(':')), asked.field);
    if (q.refuses != nullptr) {
      const std::string_view why = q.refuses(kind);
      if (!why.empty()) throw InputError(asked.field, std::string(why));
    }
    return q;
  } catch (const InputError& e) {
    throw InputError(e.field(), e.problem(), asked.place);
  }
}

/// "normal velocity after, wall": without the law.
std::string title_of(const Quantity& q, const std::string& of) {
  const std::string label(q.label.empty() ? q.meaning : q.label);
  return of.empty() ? label : label + ", " + of;
}

std::string title_of_two(const Quantity& q, const std::string& of, const std::string& first,
                         const std::string& second, Compared how) {
  const std::string title = title_of(q, of);
  if (q.over == Over::pair) return "distance of " + first + " and " + second;
  if (q.categories != nullptr) return title + ": do " + first + " and " + second + " differ?";
  if (how == Compared::ratio) return title + ", " + first + " over " + second;
  return title + ", " + first + " minus " + second;
}

}  // namespace

std::vector<QuantityEntry> asked_entries(const scenario::PlacedText& asked,
                                         const SystemAtImpact& system) {
  const Quantity& q = find(asked, kind_of(system.problem));
  std::vector<QuantityEntry> all = entries_of(q, system.problem, &system);
  const auto colon = asked.text.find(':');
  if (colon != std::string::npos) {
    const std::string of = asked.text.substr(colon + 1);
    std::vector<std::string_view> names;
    for (const QuantityEntry& e : all) {
      if (e.key == of) return {e};
      if (!e.key.empty()) names.push_back(e.key);
    }
    if (names.empty()) {
      throw InputError(asked.field,
                       std::string(q.name) + " has one value here; leave out ':" + of + "'",
                       asked.place);
    }
    throw InputError(
        asked.field,
        "there is no " + std::string(q.name) + " of '" + of + "'" + did_you_mean(of, names),
        asked.place);
  }
  if (all.empty()) {
    throw InputError(asked.field, "this system has no " + std::string(q.name), asked.place);
  }
  if (all.size() > most_entries) {
    throw InputError(asked.field,
                     std::string(q.name) + " has " + std::to_string(all.size()) +
                         " values here; name one, such as " + std::string(q.name) + ":" +
                         all.front().key,
                     asked.place);
  }
  return all;
}

MapLayers::MapLayers(const scenario::MapRequest& request, std::span<const Law* const> laws,
                     const SystemAtImpact& system, std::size_t columns, std::size_t rows)
    : laws_(laws.begin(), laws.end()), kind_(kind_of(system.problem)), columns_(columns) {
  for (std::size_t k = 0; k < laws_.size(); ++k) {
    if (std::find(laws_.begin(), laws_.end(), laws_[k]) ==
        laws_.begin() + static_cast<std::ptrdiff_t>(k))
      continue;
    throw InputError("laws", "names '" + std::string(laws_[k]->name) + "' twice");
  }
  std::vector<scenario::PlacedText> shown = request.show;
  if (shown.empty()) shown.push_back({.text = "mode", .field = "show", .place = ""});
  for (const scenario::PlacedText& asked : shown) {
    add_layers(asked, request.compare, system);
  }
  constexpr std::size_t most = 200'000'000;  // numbers: 1.6 GB
  if (columns * rows * layers_.size() > most) {
    throw InputError("map", std::to_string(columns) + " x " + std::to_string(rows) + " points of " +
                                std::to_string(layers_.size()) +
                                " quantities and laws are too many; at most 200 million numbers");
  }
  for (std::size_t k = 0; k < layers_.size(); ++k) {
    layers_[k].values.resize(columns * rows);
    if (asked_[k].sliders) sliders_.resize(columns * rows);
  }
}

void MapLayers::add_layers(const scenario::PlacedText& asked,
                           const scenario::PlacedText& comparison, const SystemAtImpact& system) {
  const Quantity& q = find(asked, kind_);
  const Compared how = q.over == Over::pair ? Compared::no : compared(comparison);
  const bool two = q.over == Over::pair || how != Compared::no;
  const MapLayer common =
      two ? layer_of_two(q, how, q.over == Over::pair ? asked : comparison) : MapLayer{};
  for (const QuantityEntry& e : asked_entries(asked, system)) {
    MapLayer layer = common;
    layer.quantity = &q;
    layer.of = e.key;
    layer.index = e.index;
    if (two) {
      layer.title = title_of_two(q, e.of, layer.law, layer.other, how);
      layer.unit = how == Compared::ratio ? "" : e.unit;
      add(std::move(layer), 0, 1);
      continue;
    }
    for (std::size_t k = 0; k < laws_.size(); ++k) {
      layer.law = laws_[k]->name;
      layer.title = title_of(q, e.of) + ", " + layer.law;
      layer.unit = e.unit;
      if (q.categories != nullptr) {
        layer.categories = q.categories(info_for(*laws_[k], kind_), kind_);
      }
      add(layer, k, k);
    }
  }
}

void MapLayers::add(MapLayer layer, std::size_t law, std::size_t other) {
  // A category quantity without categories: they follow from what the slider did.
  const bool sliders = layer.quantity->categories != nullptr && layer.categories.empty();
  asked_.push_back({.law = law, .other = other, .sliders = sliders});
  layers_.push_back(std::move(layer));
}

MapLayer MapLayers::layer_of_two(const Quantity& q, Compared how,
                                 const scenario::PlacedText& asked) const {
  if (laws_.size() != 2) {
    throw InputError(
        asked.field,
        "'" + asked.text + "' is of two laws: name two, got " + std::to_string(laws_.size()),
        asked.place);
  }
  if (q.categories != nullptr && how == Compared::ratio) {
    throw InputError(asked.field,
                     "a ratio of " + std::string(q.name) + " means nothing; compare by difference",
                     asked.place);
  }
  MapLayer layer;
  layer.law = laws_[0]->name;
  layer.other = laws_[1]->name;
  layer.compared = how;
  if (q.categories != nullptr) {
    layer.categories = {{.label = "same", .meaning = "both laws say the same"},
                        {.label = "differ", .meaning = "the laws differ"}};
  }
  return layer;
}

bool MapLayers::show_the_system() const {
  return std::any_of(layers_.begin(), layers_.end(),
                     [](const MapLayer& layer) { return is_of_system(layer.quantity->over); });
}

bool MapLayers::need_whole_outcomes() const {
  return std::any_of(layers_.begin(), layers_.end(),
                     [](const MapLayer& layer) { return !layer.quantity->of_totals; });
}

void MapLayers::set_cell(std::size_t j, std::size_t i, std::span<OutcomeView> views) {
  const std::size_t cell = j * columns_ + i;
  for (std::size_t k = 0; k < layers_.size(); ++k) {
    MapLayer& layer = layers_[k];
    OutcomeView& one = views[asked_[k].law];
    if (asked_[k].sliders) {
      sliders_[cell] = one.contact(layer.index).slider;
    } else if (layer.other.empty()) {
      layer.values[cell] = value_of(*layer.quantity, one, layer.index);
    } else if (layer.quantity->over == Over::pair) {
      one.other = views[asked_[k].other].outcome;
      layer.values[cell] = value_of(*layer.quantity, one, layer.index);
    } else {
      layer.values[cell] = compare(layer, one, views[asked_[k].other]);
    }
  }
}

void MapLayers::name_sliders(MapLayer& layer) const {
  std::map<std::string, std::size_t> known;
  const SliderStates* last = nullptr;
  double index = undefined;
  for (std::size_t cell = 0; cell < sliders_.size(); ++cell) {
    if (last == nullptr || !(sliders_[cell] == *last)) {
      const std::string label = slider_label(sliders_[cell]);
      const auto [at, is_new] = known.try_emplace(label, known.size());
      if (is_new) {
        layer.categories.push_back({.label = label, .meaning = "what the slider did"});
      }
      last = &sliders_[cell];
      index = static_cast<double>(at->second);
    }
    layer.values[cell] = index;
  }
}

std::vector<MapLayer> MapLayers::take() {
  for (std::size_t k = 0; k < layers_.size(); ++k) {
    if (asked_[k].sliders) name_sliders(layers_[k]);
  }
  return std::move(layers_);
}

}  // namespace carom::study
