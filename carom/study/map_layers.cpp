// SPDX-License-Identifier: Apache-2.0
#include <carom/study/map_layers.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

#include <carom/core/error.hpp>
#include <carom/core/nearest.hpp>
#include <carom/impact/labels.hpp>

namespace carom::study {
namespace {

constexpr double undefined = std::numeric_limits<double>::quiet_NaN();

double quotient(double a, double b) { return b != 0. ? a / b : undefined; }

// --- categories: their lists, and which of them an outcome is ------------------------------------

std::vector<Category> mode_categories(Labels labels) {
  const auto described = [](std::string_view label, Mode m) {
    return Category{.label = std::string(label), .meaning = std::string(describe(m))};
  };
  switch (labels) {
    case Labels::modes: {
      std::vector<Category> all;
      for (int i = 0; i <= static_cast<int>(Mode::no_slip_slides); ++i) {
        all.push_back(described(std::to_string(i), static_cast<Mode>(i)));
      }
      all.push_back(described("none", Mode::no_impulse));
      return all;
    }
    case Labels::regimes:
      return {described("backward slip", Mode::backward_slip), described("stick", Mode::stick),
              described("forward slip", Mode::forward_slip),
              described("no impulse", Mode::no_impulse)};
    case Labels::sticks:
      return {described("slip", Mode::slip), described("stick", Mode::stick),
              described("no impulse", Mode::no_impulse)};
    case Labels::slider:
      break;
  }
  return {};  // told by what the sliders did
}

double mode_index(Labels labels, Mode m) {
  switch (labels) {
    case Labels::modes:
      return m <= Mode::no_slip_slides ? static_cast<double>(m) : 7.;
    case Labels::regimes:
      return m == Mode::backward_slip  ? 0.
             : m == Mode::stick        ? 1.
             : m == Mode::forward_slip ? 2.
                                       : 3.;
    case Labels::sticks:
      return m == Mode::no_impulse ? 2. : m == Mode::stick ? 1. : 0.;
    case Labels::slider:
      break;
  }
  return undefined;
}

std::vector<Category> verdict_categories() {
  static constexpr std::array<std::string_view, verdict_names.size()> meanings{
      "nothing to remark",
      "the contact separates or rests",
      "normal velocity returned to zero in restitution",
      "normal velocity grew in compression",
      "the law admits more than one answer",
      "the law creates energy",
      "the contact still closes afterwards",
      "the contact locks before the hypothesis is met",
      "no answer within the tolerance",
      "the law has no answer"};
  std::vector<Category> all;
  for (std::size_t i = 0; i < verdict_names.size(); ++i) {
    all.push_back({.label = std::string(verdict_names[i]), .meaning = std::string(meanings[i])});
  }
  return all;
}

enum Reversal : int { goes_on, stops, reverses, begins, none };

std::vector<Category> reversal_categories() {
  return {{.label = "goes on", .meaning = "slip goes on in its direction"},
          {.label = "stops", .meaning = "slip ends"},
          {.label = "reverses", .meaning = "slip comes back reversed"},
          {.label = "begins", .meaning = "no slip before, slip after"},
          {.label = "none", .meaning = "no slip before, none after"}};
}

double reversal_index(double before, double after) {
  if (before == 0.) return after == 0. ? none : begins;
  if (after == 0.) return stops;
  return (before < 0.) == (after < 0.) ? goes_on : reverses;
}

std::vector<Category> sign_categories() {
  return {{.label = "-", .meaning = "negative: slip after along −t"},
          {.label = "0", .meaning = "zero: no slip after"},
          {.label = "+", .meaning = "positive: slip after along +t"}};
}

std::vector<Category> categories_of(Quantity q, Labels labels) {
  switch (q) {
    case Quantity::mode:
      return mode_categories(labels);
    case Quantity::regime:
      return mode_categories(Labels::regimes);
    case Quantity::verdict:
      return verdict_categories();
    case Quantity::reversal:
      return reversal_categories();
    case Quantity::sign:
      return sign_categories();
    default:
      return {};
  }
}

// --- one cell -----------------------------------------------------------------------------------

/// No answer: nothing of it is a number.
bool unanswered(const MapFacts& f) {
  return f.flags.has(Verdict::no_solution) || f.flags.has(Verdict::not_converged);
}

double value_of(Quantity q, const MapFacts& f, Labels labels) {
  if (q == Quantity::verdict) return static_cast<double>(f.flags.gravest());
  if (unanswered(f)) return undefined;
  switch (q) {
    case Quantity::mode:
      return mode_index(labels, f.mode);
    case Quantity::regime:
      return mode_index(Labels::regimes, f.regime);
    case Quantity::reversal:
      return reversal_index(f.slip, f.slip_after);
    case Quantity::sign: {
      const double ratio = quotient(f.slip_after, f.velocity.n);
      return std::isnan(ratio) ? undefined : 1. + (ratio > 0.) - (ratio < 0.);
    }
    case Quantity::energy:
      return quotient(f.energy_before + f.energy_change, f.energy_before);
    case Quantity::rebound:
      if (!(f.normal_impulse > 0.)) return undefined;
      return quotient(-f.velocity.n, f.restitution * f.approach.n);
    case Quantity::ratio:
      return quotient(f.slip_after, f.velocity.n);
    case Quantity::restitution:
      if (!(f.normal_impulse > 0.)) return undefined;
      return quotient(-f.velocity.n, f.approach.n);
    case Quantity::impulse_ratio:
      return quotient(f.tangential_impulse, f.normal_impulse);
    case Quantity::normal_velocity:
      return f.velocity.n;
    case Quantity::slip:
      return f.slip_after;
    case Quantity::normal_impulse:
      return f.normal_impulse;
    case Quantity::tangential_impulse:
      return f.tangential_impulse;
    case Quantity::energy_change:
      return f.energy_change;
    default:
      return undefined;
  }
}

/// |v+ - v+| of two laws, per cent of |v-|.
double parting(const MapFacts& a, const MapFacts& b) {
  if (unanswered(a) || unanswered(b)) return undefined;
  const Vec3 apart = a.velocity - b.velocity;
  return 100. * quotient(std::sqrt(dot(apart, apart)), std::sqrt(dot(a.approach, a.approach)));
}

/// Two laws: whether they say the same, or by how much not.
double compare(const MapLayer& layer, Labels labels, const MapFacts& one, const MapFacts& two) {
  const double a = value_of(layer.quantity, one, labels);
  const double b = value_of(layer.quantity, two, labels);
  if (std::isnan(a) || std::isnan(b)) return undefined;
  if (!layer.categories.empty()) return a == b ? 0. : 1.;
  return layer.compared == Compared::ratio ? quotient(a, b) : a - b;
}

/// "slip+/stick/slip-/...": the first few states, so that there are not too many kinds.
std::string slider_label(const SliderStates& states) {
  constexpr std::size_t told = 4;
  if (states.size() == 0) return "none";
  if (states.size() <= told) return slider_text(states);
  SliderStates first;
  for (std::size_t i = 0; i < told; ++i) first.enter(states[i]);
  return slider_text(first) + "/...";
}

/// In space slip that begins anew need not run back, and there is no tangent to be along.
void put_in_words_of_space(MapLayer& layer) {
  for (Category& c : layer.categories) {
    if (const auto at = c.meaning.find("then reverses"); at != std::string::npos) {
      c.meaning.replace(at, 13, "then slips again");
    }
  }
  if (layer.quantity != Quantity::sign) return;
  layer.categories[0].meaning = "negative: slip after against that before";
  layer.categories[2].meaning = "positive: slip after along that before";
}

// --- what is asked for ---------------------------------------------------------------------------

Compared compared(const scenario::PlacedText& how) {
  if (how.text.empty()) return Compared::no;
  if (how.text == "difference") return Compared::difference;
  if (how.text == "ratio") return Compared::ratio;
  throw InputError(how.field, "must be difference or ratio, got '" + how.text + "'", how.place);
}

const QuantityInfo& quantity(const scenario::PlacedText& name) {
  try {
    return find_quantity(name.text, name.field);
  } catch (const InputError& e) {
    throw InputError(e.field(), e.problem(), name.place);
  }
}

std::string title_of(const QuantityInfo& q, const std::string& first, const std::string& second,
                     Compared how) {
  const std::string title(q.label);
  if (second.empty()) return title + ", " + first;
  if (q.quantity == Quantity::parting) return "distance of " + first + " and " + second;
  if (q.categories) return title + ": do " + first + " and " + second + " differ?";
  if (how == Compared::ratio) return title + ", " + first + " over " + second;
  return title + ", " + first + " minus " + second;
}

MapLayer layer_of_two(const QuantityInfo& q, std::span<const MapLaw> laws, Compared how,
                      const scenario::PlacedText& asked) {
  if (laws.size() != 2) {
    throw InputError(
        asked.field,
        "'" + asked.text + "' is of two laws: name two, got " + std::to_string(laws.size()),
        asked.place);
  }
  if (q.categories && how == Compared::ratio) {
    throw InputError(asked.field,
                     "a ratio of " + std::string(q.name) + " means nothing; compare by difference",
                     asked.place);
  }
  MapLayer layer;
  layer.quantity = q.quantity;
  layer.law = laws[0].name;
  layer.other = laws[1].name;
  layer.compared = how;
  layer.title = title_of(q, layer.law, layer.other, how);
  layer.unit = how == Compared::ratio ? "" : std::string(q.unit);
  if (q.categories) {
    layer.categories = {{.label = "same", .meaning = "both laws say the same"},
                        {.label = "differ", .meaning = "the laws differ"}};
  }
  return layer;
}

}  // namespace

MapLayers::MapLayers(const scenario::MapRequest& request, std::span<const MapLaw> laws,
                     std::size_t columns, std::size_t rows)
    : laws_(laws.begin(), laws.end()), columns_(columns) {
  for (std::size_t k = 0; k < laws_.size(); ++k) {
    if (index_of(laws_[k].name) == k) continue;
    throw InputError("laws", "names '" + laws_[k].name + "' twice");
  }
  std::vector<scenario::PlacedText> shown = request.show;
  if (shown.empty()) shown.push_back({.text = "mode", .field = "show", .place = ""});
  const Compared how = compared(request.compare);
  for (const scenario::PlacedText& name : shown) {
    const QuantityInfo& q = quantity(name);
    if (q.quantity == Quantity::parting) {
      layers_.push_back(layer_of_two(q, laws, Compared::no, name));
    } else if (how != Compared::no) {
      layers_.push_back(layer_of_two(q, laws, how, request.compare));
    } else {
      for (const MapLaw& law : laws) {
        MapLayer layer;
        layer.quantity = q.quantity;
        layer.law = law.name;
        layer.title = title_of(q, law.name, "", how);
        layer.unit = q.unit;
        layer.categories = categories_of(q.quantity, law.labels);
        if (law.in_space) put_in_words_of_space(layer);
        layers_.push_back(std::move(layer));
      }
    }
  }
  constexpr std::size_t most = 200'000'000;  // numbers: 1.6 GB
  if (columns * rows * layers_.size() > most) {
    throw InputError("map", std::to_string(columns) + " x " + std::to_string(rows) + " points of " +
                                std::to_string(layers_.size()) +
                                " quantities and laws are too many; at most 200 million numbers");
  }
  for (MapLayer& layer : layers_) {
    layer.values.resize(columns * rows);
    if (tells_sliders(layer)) sliders_.resize(columns * rows);
  }
}

std::size_t MapLayers::index_of(const std::string& law) const {
  const auto at = std::find_if(laws_.begin(), laws_.end(), [&](auto& l) { return l.name == law; });
  return static_cast<std::size_t>(at - laws_.begin());
}

bool MapLayers::tells_sliders(const MapLayer& layer) const {
  return layer.quantity == Quantity::mode && layer.other.empty() &&
         laws_[index_of(layer.law)].labels == Labels::slider;
}

void MapLayers::set_row(std::size_t j, const std::vector<std::vector<MapFacts>>& facts) {
  for (MapLayer& layer : layers_) {
    const std::size_t law = index_of(layer.law);
    const std::vector<MapFacts>& one = facts[law];
    const Labels labels = laws_[law].labels;
    double* const values = &layer.values[j * columns_];
    if (layer.other.empty()) {
      for (std::size_t i = 0; i < columns_; ++i) {
        values[i] = value_of(layer.quantity, one[i], labels);
      }
      continue;
    }
    const std::vector<MapFacts>& two = facts[index_of(layer.other)];
    for (std::size_t i = 0; i < columns_; ++i) {
      values[i] = layer.quantity == Quantity::parting ? parting(one[i], two[i])
                                                      : compare(layer, labels, one[i], two[i]);
    }
  }
}

void MapLayers::set_slider(std::size_t j, std::size_t i, const SliderStates& states) {
  if (!sliders_.empty()) sliders_[j * columns_ + i] = states;
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
  for (MapLayer& layer : layers_) {
    if (tells_sliders(layer)) name_sliders(layer);
  }
  return std::move(layers_);
}

}  // namespace carom::study
