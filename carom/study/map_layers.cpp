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

// --- categories: their lists, and which of them an outcome is
// --------------------------------------

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
  return {{.label = "−", .meaning = "negative: slip after along −t"},
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

// --- one cell
// ---------------------------------------------------------------------------------------

/// No answer: nothing of it is a number.
bool unanswered(const PlanarOutcome& o) {
  return o.flags.has(Verdict::no_solution) || o.flags.has(Verdict::not_converged);
}

double value_of(Quantity q, const MapCell& cell, const PlanarOutcome& o, Labels labels) {
  const PlanarProblem& p = cell.problem;
  const Vec2& v = p.approach;
  switch (q) {
    case Quantity::mode:
      return unanswered(o) ? undefined : mode_index(labels, o.mode);
    case Quantity::verdict:
      return static_cast<double>(o.flags.gravest());
    default:
      break;
  }
  if (unanswered(o)) return undefined;
  switch (q) {
    case Quantity::regime:
      return mode_index(Labels::regimes, payr_glocker_regime(p, o));
    case Quantity::reversal:
      return reversal_index(v.t, o.velocity.t);
    case Quantity::sign: {
      const double ratio = quotient(o.velocity.t, o.velocity.n);
      return std::isnan(ratio) ? undefined : 1. + (ratio > 0.) - (ratio < 0.);
    }
    case Quantity::energy:
      return quotient(cell.energy_before + o.energy.change, cell.energy_before);
    case Quantity::rebound:
      return quotient(-o.velocity.n, p.surface.restitution * v.n);
    case Quantity::ratio:
      return quotient(o.velocity.t, o.velocity.n);
    case Quantity::restitution:
      return quotient(-o.velocity.n, v.n);
    case Quantity::impulse_ratio:
      return quotient(o.impulse.t, o.impulse.n);
    case Quantity::normal_velocity:
      return o.velocity.n;
    case Quantity::slip:
      return o.velocity.t;
    case Quantity::normal_impulse:
      return o.impulse.n;
    case Quantity::tangential_impulse:
      return o.impulse.t;
    case Quantity::energy_change:
      return o.energy.change;
    default:
      return undefined;
  }
}

/// |v+ - v+| of two laws, per cent of |v-|.
double parting(const MapCell& cell, const PlanarOutcome& a, const PlanarOutcome& b) {
  if (unanswered(a) || unanswered(b)) return undefined;
  const Vec2 apart = a.velocity - b.velocity;
  const Vec2& v = cell.problem.approach;
  return 100. * quotient(std::sqrt(dot(apart, apart)), std::sqrt(dot(v, v)));
}

/// Two laws: whether they say the same, or by how much not.
double compare(const MapLayer& layer, const MapCell& cell, const PlanarOutcome& one,
               const PlanarOutcome& two) {
  const Labels labels = info(layer.law->law).labels;
  const double a = value_of(layer.quantity, cell, one, labels);
  const double b = value_of(layer.quantity, cell, two, labels);
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

// --- a row of problems, column by column
// ------------------------------------------------------------

constexpr std::size_t input_columns = 15;
constexpr std::size_t output_columns = 5;

PlanarBatch as_columns(const std::vector<MapCell>& row, std::vector<std::vector<double>>& columns) {
  const Surface& first = row.front().problem.surface;
  const BrachRule rule = brach_rule(first).rule;  // the file decides, so it is the same for all
  for (std::size_t i = 0; i < row.size(); ++i) {
    const PlanarProblem& p = row[i].problem;
    const std::array<double, input_columns> numbers{p.G.nn,
                                                    p.G.nt,
                                                    p.G.tt,
                                                    p.approach.n,
                                                    p.approach.t,
                                                    p.surface.restitution,
                                                    p.surface.friction,
                                                    p.surface.static_friction,
                                                    p.surface.tangential_restitution,
                                                    brach_rule(p.surface).value,
                                                    p.surface.moment_coefficient,
                                                    p.spin.nr,
                                                    p.spin.tr,
                                                    p.spin.rr,
                                                    p.spin.approach};
    for (std::size_t c = 0; c < input_columns; ++c) columns[c][i] = numbers[c];
  }
  const auto column = [&](std::size_t c) { return Column(std::span<const double>(columns[c])); };
  PlanarBatch b;
  b.size = row.size();
  b.nn = column(0);
  b.nt = column(1);
  b.tt = column(2);
  b.normal = column(3);
  b.slip = column(4);
  b.restitution = column(5);
  b.friction = column(6);
  b.static_friction = column(7);
  b.tangential_restitution = column(8);
  b.rule = rule;
  b.tangential = column(9);
  b.moment_coefficient = column(10);
  b.spin_nr = column(11);
  b.spin_tr = column(12);
  b.spin_rr = column(13);
  b.spin = column(14);
  return b;
}

void ask_batch(const PlanarLaw& law, const PlanarBatch& batch, MapLayers::Scratch& s,
               std::vector<PlanarOutcome>& outcomes, Instructions instructions) {
  solve_batch(law, batch,
              {.impulse_n = s.outputs[0].data(),
               .impulse_t = s.outputs[1].data(),
               .velocity_n = s.outputs[2].data(),
               .velocity_t = s.outputs[3].data(),
               .energy_change = s.outputs[4].data(),
               .energy_friction = nullptr,
               .mode = s.mode.data(),
               .flags = s.flags.data()},
              {.instructions = instructions, .threads = 1});
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    PlanarOutcome& o = outcomes[i];
    o.impulse = {.n = s.outputs[0][i], .t = s.outputs[1][i]};
    o.velocity = {.n = s.outputs[2][i], .t = s.outputs[3][i]};
    o.energy.change = s.outputs[4][i];
    o.mode = static_cast<Mode>(s.mode[i]);
    o.flags = Verdicts::from_bits(s.flags[i]);
  }
}

// --- what is asked for
// ------------------------------------------------------------------------------

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

std::string title_of(const QuantityInfo& q, const NamedLaw& law, const NamedLaw* other,
                     Compared how) {
  std::string title(q.label);
  const std::string first(law.name);
  if (other == nullptr) return title + ", " + first;
  const std::string second(other->name);
  if (q.quantity == Quantity::parting) return "distance of " + first + " and " + second;
  if (q.categories) return title + ": do " + first + " and " + second + " differ?";
  if (how == Compared::ratio) return title + ", " + first + " over " + second;
  return title + ", " + first + " minus " + second;
}

MapLayer layer_of_two(const QuantityInfo& q, std::span<const NamedLaw* const> laws, Compared how,
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
  layer.law = laws[0];
  layer.other = laws[1];
  layer.compared = how;
  layer.title = title_of(q, *laws[0], laws[1], how);
  layer.unit = how == Compared::ratio ? "" : std::string(q.unit);
  if (q.categories) {
    layer.categories = {{.label = "same", .meaning = "both laws say the same"},
                        {.label = "differ", .meaning = "the laws differ"}};
  }
  return layer;
}

}  // namespace

MapLayers::MapLayers(const scenario::MapRequest& request, std::span<const NamedLaw* const> laws,
                     std::size_t columns, std::size_t rows)
    : laws_(laws.begin(), laws.end()), columns_(columns) {
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
      for (const NamedLaw* law : laws) {
        MapLayer layer;
        layer.quantity = q.quantity;
        layer.law = law;
        layer.title = title_of(q, *law, nullptr, how);
        layer.unit = q.unit;
        layer.categories = categories_of(q.quantity, info(law->law).labels);
        layers_.push_back(std::move(layer));
      }
    }
  }
  for (MapLayer& layer : layers_) {
    layer.values.resize(columns * rows);
    if (layer.quantity == Quantity::mode && info(layer.law->law).labels == Labels::slider) {
      sliders_.resize(columns * rows);
    }
  }
}

MapLayers::Scratch::Scratch(std::size_t laws, std::size_t columns)
    : inputs(input_columns, std::vector<double>(columns)),
      outputs(output_columns, std::vector<double>(columns)),
      mode(columns),
      flags(columns),
      outcomes(laws, std::vector<PlanarOutcome>(columns)) {}

void MapLayers::set_row(std::size_t j, const std::vector<MapCell>& row, Scratch& scratch,
                        Instructions instructions) {
  const PlanarBatch batch = as_columns(row, scratch.inputs);
  for (std::size_t k = 0; k < laws_.size(); ++k) {
    const PlanarLaw& law = laws_[k]->law;
    if (has_batch_kernel(law)) {
      ask_batch(law, batch, scratch, scratch.outcomes[k], instructions);
    } else {
      for (std::size_t i = 0; i < row.size(); ++i) {
        scratch.outcomes[k][i] = solve(law, row[i].problem);
      }
    }
    if (!sliders_.empty() && info(law).labels == Labels::slider) {
      for (std::size_t i = 0; i < row.size(); ++i) {
        sliders_[j * columns_ + i] = scratch.outcomes[k][i].slider;
      }
    }
  }
  const auto outcomes_of = [&](const NamedLaw* law) -> const std::vector<PlanarOutcome>& {
    const auto at = std::find(laws_.begin(), laws_.end(), law) - laws_.begin();
    return scratch.outcomes[static_cast<std::size_t>(at)];
  };
  for (MapLayer& layer : layers_) {
    const std::vector<PlanarOutcome>& one = outcomes_of(layer.law);
    const Labels labels = info(layer.law->law).labels;
    double* const values = &layer.values[j * columns_];
    if (layer.other == nullptr) {
      for (std::size_t i = 0; i < row.size(); ++i) {
        values[i] = value_of(layer.quantity, row[i], one[i], labels);
      }
      continue;
    }
    const std::vector<PlanarOutcome>& two = outcomes_of(layer.other);
    for (std::size_t i = 0; i < row.size(); ++i) {
      values[i] = layer.quantity == Quantity::parting ? parting(row[i], one[i], two[i])
                                                      : compare(layer, row[i], one[i], two[i]);
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
  for (MapLayer& layer : layers_) {
    const bool slider = layer.quantity == Quantity::mode && layer.other == nullptr &&
                        info(layer.law->law).labels == Labels::slider;
    if (slider) name_sliders(layer);
  }
  return std::move(layers_);
}

}  // namespace carom::study
