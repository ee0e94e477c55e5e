// SPDX-License-Identifier: Apache-2.0
#include <carom/scenario/fit_request.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <carom/core/error.hpp>
#include <carom/core/nearest.hpp>
#include <carom/scenario/csv_table.hpp>
#include <carom/scenario/scenario.hpp>

namespace carom::scenario {
namespace {

constexpr std::array<std::pair<std::string_view, Loss>, 3> losses{
    {{"mean-error", Loss::mean_error},
     {"least-squares", Loss::least_squares},
     {"huber", Loss::huber}}};

constexpr double degree = std::numbers::pi / 180.;
constexpr double mile = 1609.344;
constexpr double foot = 0.3048;
constexpr double hour = 3600.;
constexpr double turn_a_minute = 2. * std::numbers::pi / 60.;

constexpr std::array<std::pair<std::string_view, double>, 25> units{{{"1", 1.},
                                                                     {"%", 0.01},
                                                                     {"m", 1.},
                                                                     {"cm", 1e-2},
                                                                     {"mm", 1e-3},
                                                                     {"um", 1e-6},
                                                                     {"in", foot / 12.},
                                                                     {"ft", foot},
                                                                     {"kg", 1.},
                                                                     {"g", 1e-3},
                                                                     {"s", 1.},
                                                                     {"ms", 1e-3},
                                                                     {"m/s", 1.},
                                                                     {"cm/s", 1e-2},
                                                                     {"mm/s", 1e-3},
                                                                     {"km/h", 1e3 / hour},
                                                                     {"mph", mile / hour},
                                                                     {"ft/s", foot},
                                                                     {"rad", 1.},
                                                                     {"deg", degree},
                                                                     {"rad/s", 1.},
                                                                     {"deg/s", degree},
                                                                     {"rpm", turn_a_minute},
                                                                     {"kg m^2", 1.},
                                                                     {"g mm^2", 1e-9}}};

/// A key of a table with its place.
PlacedText placed_key(const Table& t, const std::string& key) {
  return {.text = key, .field = t.field(key), .place = t.where(key)};
}

/// A whole number in [least, most].
std::size_t count(const Table& t, std::string_view key, std::size_t fallback, std::size_t least,
                  std::size_t most) {
  if (!t.has(key)) return fallback;
  const double x = t.number(key);
  if (!(x >= static_cast<double>(least) && x <= static_cast<double>(most)) || x != std::floor(x)) {
    t.fail(key, "must be a whole number in [" + std::to_string(least) + ", " +
                    std::to_string(most) + "], got " + shortest(x));
  }
  return static_cast<std::size_t>(x);
}

std::vector<PlacedText> columns(const Table& fit, std::string_view key) {
  std::vector<PlacedText> names = fit.texts(key, "a column's name");
  fit.require(key, "the columns of the velocities, one for each coordinate");
  if (names.empty()) fit.fail(key, "must name at least one column");
  return names;
}

/// The keys of a table, each with a text.
std::vector<std::pair<PlacedText, PlacedText>> texts_by_key(const Table& fit,
                                                            std::string_view key) {
  std::vector<std::pair<PlacedText, PlacedText>> all;
  if (!fit.has(key)) return all;
  const Table t = fit.table(key);
  for (const std::string& k : t.keys()) all.emplace_back(placed_key(t, k), t.placed_text(k));
  return all;
}

/// The rows to fit: a column and the value that it has there, a text or a number.
std::vector<std::pair<PlacedText, PlacedText>> read_keep(const Table& fit) {
  std::vector<std::pair<PlacedText, PlacedText>> all;
  if (!fit.has("keep")) return all;
  const Table t = fit.table("keep");
  for (const std::string& k : t.keys()) {
    PlacedText value;
    try {
      value = t.placed_text(k);
    } catch (const InputError&) {
      value = {.text = shortest(t.number(k)), .field = t.field(k), .place = t.where(k)};
    }
    all.emplace_back(placed_key(t, k), value);
  }
  return all;
}

std::vector<SystemNumber> numbers(const Table& t, std::initializer_list<std::string_view> skip) {
  std::vector<SystemNumber> all;
  for (const std::string& key : t.keys()) {
    if (std::ranges::find(skip, key) != skip.end()) continue;
    SystemNumber n{.key = key, .values = {}, .place = t.where(key)};
    if (t.depth(key) == 0) {
      n.values = {finite(t, key)};
    } else {
      n.values = t.row(key);
    }
    all.push_back(std::move(n));
  }
  return all;
}

std::vector<ParameterNumbers> by_parameter(const Table& fit, std::string_view key,
                                           std::size_t size) {
  std::vector<ParameterNumbers> all;
  if (!fit.has(key)) return all;
  const Table t = fit.table(key);
  for (const std::string& k : t.keys()) {
    ParameterNumbers n{.name = placed_key(t, k), .values = {}};
    if (size == 1) {
      n.values = {finite(t, k)};
    } else {
      const auto pair = t.pair(k);
      if (!(pair[0] < pair[1])) {
        t.fail(k, "must be [low, high] with low < high, got [" + shortest(pair[0]) + ", " +
                      shortest(pair[1]) + "]");
      }
      n.values.assign(pair.begin(), pair.end());
    }
    all.push_back(std::move(n));
  }
  return all;
}

void read_fit_table(const Table& fit, FitRequest& r) {
  fit.only(
      {"data",   "before",  "after",     "error_before",  "error_after",   "id",
       "group",  "columns", "units",     "keep",          "metric_radius", "parameters",
       "models", "bounds",  "start",     "loss",          "huber",         "folds",
       "seed",   "against", "resultant", "impulse_centre"});  // the last two are read as relations
  r.place = fit.here();
  fit.require("data", "the CSV file of the measured impacts");
  const std::string data = fit.text("data", "");
  if (data.empty()) fit.fail("data", "must name a CSV file, got ''");
  r.data = beside(r.name, data);
  r.before = columns(fit, "before");
  r.after = columns(fit, "after");
  if (r.after.size() != r.before.size()) {
    fit.fail("after", "must name as many columns as before, " + std::to_string(r.before.size()) +
                          ", got " + std::to_string(r.after.size()));
  }
  for (const auto& [key, where] :
       {std::pair{"error_before", &r.error_before}, std::pair{"error_after", &r.error_after}}) {
    *where = fit.texts(key, "a column's name");
    if (!where->empty() && where->size() != r.before.size()) {
      fit.fail(key, "must name as many columns as before, " + std::to_string(r.before.size()) +
                        ", got " + std::to_string(where->size()));
    }
  }
  r.id = fit.placed_text("id");
  r.group = fit.placed_text("group");
  for (auto& [number, column] : texts_by_key(fit, "columns")) {
    r.columns.push_back({.number = number, .column = column});
  }
  r.units = texts_by_key(fit, "units");
  for (const auto& [column, unit] : r.units) (void)in_si(unit);
  r.keep = read_keep(fit);
  if (fit.has("metric_radius")) r.metric_radius = fit.positive("metric_radius");
  r.parameters = fit.texts("parameters", "a parameter's name");
  r.models = fit.texts("models", "a law's name");
  r.bounds = by_parameter(fit, "bounds", 2);
  r.starts = by_parameter(fit, "start", 1);
  r.loss = fit.placed_text("loss");
  if (r.loss.text.empty()) r.loss.text = "mean-error";
  const Loss loss = find_loss(r.loss);
  if (loss == Loss::huber) {
    fit.require("huber", "the error at which the loss turns from square to linear");
    r.huber = fit.positive("huber");
  } else {
    fit.refuse("huber", "is for loss = \"huber\"");
  }
  r.folds = count(fit, "folds", r.folds, 2, 1000);
  r.seed = count(fit, "seed", r.seed, 0, 1'000'000'000);
  r.against = fit.placed_text("against");
}

}  // namespace

Loss find_loss(const PlacedText& name) {
  std::vector<std::string_view> known;
  for (const auto& [word, loss] : losses) {
    if (word == name.text) return loss;
    known.push_back(word);
  }
  throw InputError(name.field, "no loss '" + name.text + "'" + did_you_mean(name.text, known),
                   name.place);
}

std::string_view name(Loss loss) {
  return std::ranges::find(losses, loss, &std::pair<std::string_view, Loss>::second)->first;
}

double in_si(const PlacedText& unit) {
  std::vector<std::string_view> known;
  for (const auto& [word, size] : units) {
    if (word == unit.text) return size;
    known.push_back(word);
  }
  throw InputError(unit.field, "no unit '" + unit.text + "'" + did_you_mean(unit.text, known),
                   unit.place);
}

FitRequest parse_fit(std::string text, const std::filesystem::path& name) {
  FitRequest r;
  r.name = name.string();
  r.text = std::move(text);
  const Document document(r.text, r.name);
  const Table top = document.top();
  top.only({"title", "system", "surface", "fit"});
  r.title = top.text("title", "");
  if (!top.has("system") && top.has("fit")) {
    const Table fit = top.table("fit");
    if (fit.has("resultant") || fit.has("impulse_centre")) {
      r.only_relations = true;
      r.data = beside(r.name, fit.text("data", ""));
      return r;
    }
  }
  if (!top.has("system")) {
    throw InputError("system", "is missing; give [system] with type = \"plane-body\"", top.here());
  }
  if (!top.has("fit")) {
    throw InputError("fit", "is missing; give [fit] with the data and what to fit", top.here());
  }
  const Table system = top.table("system");
  system.require("type", "\"plane-body\", \"space-body\", or that of a scenario");
  r.system_type = system.text("type", "");
  r.system_place = system.here();
  if (r.system_type == "plane-body" || r.system_type == "space-body") {
    r.system = numbers(system, {"type"});
  }
  if (top.has("surface")) r.surface = numbers(top.table("surface"), {});
  read_fit_table(top.table("fit"), r);
  return r;
}

FitRequest read_fit(const std::filesystem::path& file) { return parse_fit(read_text(file), file); }

bool is_fit(std::string_view text) {
  try {
    return Document(text, "").top().has("fit");
  } catch (const InputError&) {
    return false;
  }
}

}  // namespace carom::scenario
