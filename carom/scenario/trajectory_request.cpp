// SPDX-License-Identifier: Apache-2.0
#include <carom/scenario/trajectory_request.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <carom/core/error.hpp>
#include <carom/core/nearest.hpp>
#include <carom/scenario/csv_table.hpp>
#include <carom/scenario/multi_reader.hpp>
#include <carom/scenario/scenario.hpp>

namespace carom::scenario {
namespace {

std::size_t whole(const Table& t, std::string_view key, std::size_t fallback, std::size_t least,
                  std::size_t most) {
  if (!t.has(key)) return fallback;
  return located(t, [&] { return whole_number(t.number(key), least, most, key); });
}

PlacedText column(const Table& fit, std::string_view key, const char* what) {
  fit.require(key, what);
  PlacedText name = fit.placed_text(key);
  if (name.text.empty()) fit.fail(key, "must name a column, got ''");
  return name;
}

std::vector<PlacedText> columns(const Table& fit, std::string_view key, std::size_t count,
                                const char* what) {
  std::vector<PlacedText> names = fit.texts(key, "a column's name");
  if (names.size() != count) {
    fit.fail(key, "must name " + std::to_string(count) + " columns, " + what + "; got " +
                      std::to_string(names.size()));
  }
  return names;
}

void read_columns(const Table& fit, TrajectoryRequest& r) {
  fit.require("data", "the CSV file of the measured trajectories");
  const std::string data = fit.text("data", "");
  if (data.empty()) fit.fail("data", "must name a CSV file, got ''");
  r.data = beside(r.name, data);
  r.group = column(fit, "group", "the column that says to which trajectory a sample belongs");
  r.step = fit.placed_text("step");
  r.time = column(fit, "time", "the column of the time [s]");
  fit.require("position", "the columns of the tracked point, x, y and z [m]");
  r.position = columns(fit, "position", 3, "x, y and z [m]");
  fit.require("orientation", "the columns of the quaternion from body to world, w, x, y and z");
  r.orientation = columns(fit, "orientation", 4, "w, x, y and z of a quaternion");
  if (fit.has("velocity")) r.velocity = columns(fit, "velocity", 3, "x, y and z [m/s]");
  if (fit.has("spin_body")) {
    r.spin_body = columns(fit, "spin_body", 3, "about the axes of the body [rad/s]");
  }
}

void read_tracking(const Table& fit, TrajectoryRequest& r) {
  if (fit.has("length_scale")) r.length_scale = fit.positive("length_scale");
  r.tracked_point = fit.triple("tracked_point", r.tracked_point);
  located(fit, [&] { require_finite(r.tracked_point, "tracked_point"); });
  fit.require(
      "start_height",
      "a prediction starts at the sample before the first whose height is at most this [m]");
  r.start_height = finite(fit, "start_height");
  r.flight = whole(fit, "flight_samples", r.flight, 1, 10'000);
  fit.require("width", "of the body: errors of positions are given in per cent of it [m]");
  r.width = fit.positive("width");
}

/// A pair low < high for each parameter under `key`, or a number.
template <class Read>
void read_by_path(const Table& fit, std::string_view key, TrajectoryRequest& r, const Read& read) {
  if (!fit.has(key)) return;
  const Table t = fit.table(key);
  for (const std::string& path : t.keys()) {
    const auto found = std::find_if(r.parameters.begin(), r.parameters.end(),
                                    [&](const auto& p) { return p.path.text == path; });
    if (found == r.parameters.end()) t.fail(path, "is not among fit.parameters");
    read(t, path, *found);
  }
}

void read_parameters(const Table& fit, TrajectoryRequest& r) {
  Document document(r.text, r.name);
  for (const PlacedText& path : fit.texts("parameters", "the path of a number")) {
    const bool twice = std::any_of(r.parameters.begin(), r.parameters.end(),
                                   [&](const auto& p) { return p.path.text == path.text; });
    if (twice) throw InputError(path.field, "'" + path.text + "' is listed twice", path.place);
    TrajectoryParameter p{.path = path};
    try {
      p.written = document.number(path.text);
    } catch (const InputError& e) {
      throw InputError(path.field, e.problem(), path.place);
    }
    p.start = p.written;
    r.parameters.push_back(std::move(p));
  }
  fit.require("parameters", "the paths of the numbers to fit, such as \"surface.restitution\"");
  if (r.parameters.empty()) fit.fail("parameters", "must name at least one number");
  std::vector<std::string> bounded;
  read_by_path(fit, "bounds", r, [&](const Table& t, const std::string& path, auto& p) {
    const auto pair = t.pair(path);
    if (!(pair[0] < pair[1])) {
      t.fail(path, "must be [low, high] with low < high, got [" + shortest(pair[0]) + ", " +
                       shortest(pair[1]) + "]");
    }
    p.low = pair[0];
    p.high = pair[1];
    bounded.push_back(path);
  });
  read_by_path(fit, "start", r, [&](const Table& t, const std::string& path, auto& p) {
    p.start = finite(t, path);
  });
  for (const TrajectoryParameter& p : r.parameters) {
    if (std::find(bounded.begin(), bounded.end(), p.path.text) == bounded.end()) {
      fit.fail("bounds", "must give [low, high] for '" + p.path.text + "'");
    }
    if (p.start >= p.low && p.start <= p.high) continue;
    fit.fail("bounds", "of '" + p.path.text + "' must include its start " + shortest(p.start) +
                           ", got [" + shortest(p.low) + ", " + shortest(p.high) + "]");
  }
}

void read_search(const Table& fit, TrajectoryRequest& r) {
  if (fit.has("window")) r.window = fit.positive("window");
  r.search = whole(fit, "search", r.search, 1, 1'000'000);
  r.evaluations = whole(fit, "evaluations", r.evaluations, 1, 100'000);
  r.folds = whole(fit, "folds", r.folds, 2, 1000);
  r.seed = whole(fit, "seed", r.seed, 0, 1'000'000'000);
  const std::string with = fit.text("predict_with", "fit");
  if (with != "fit" && with != "file") {
    fit.fail("predict_with", "must be \"fit\" or \"file\", got '" + with + "'");
  }
  r.stored = with == "file";
}

}  // namespace

bool is_trajectory_fit(std::string_view text) {
  try {
    const Document document(text, "");
    return document.top().has("fit") && document.top().has("motion");
  } catch (const InputError&) {
    return false;
  }
}

TrajectoryRequest parse_trajectory_fit(std::string text, const std::filesystem::path& name) {
  TrajectoryRequest r;
  r.name = name.string();
  r.text = std::move(text);
  const Document document(r.text, r.name);
  const Table top = document.top();
  r.title = top.text("title", "");
  r.law = top.table("motion").text("law", "");
  const Table fit = top.table("fit");
  fit.only({"data",         "group",          "step",      "time",         "position",
            "orientation",  "velocity",       "spin_body", "length_scale", "tracked_point",
            "start_height", "flight_samples", "width",     "parameters",   "bounds",
            "start",        "window",         "search",    "evaluations",  "folds",
            "seed",         "predict_with"});
  read_columns(fit, r);
  read_tracking(fit, r);
  read_parameters(fit, r);
  read_search(fit, r);
  return r;
}

TrajectoryRequest read_trajectory_fit(const std::filesystem::path& file) {
  return parse_trajectory_fit(read_text(file), file);
}

}  // namespace carom::scenario
