// SPDX-License-Identifier: Apache-2.0
#include <carom/scenario/map_request.hpp>

#include <charconv>
#include <cmath>
#include <limits>

#include <carom/core/error.hpp>

namespace carom::scenario {
namespace {

/// Refuses ranges that are none.
void validate(const MapAxis& axis) {
  const auto refuse = [&](std::string_view key, const std::string& problem) {
    throw InputError(axis.field, std::string(key) + problem, axis.place);
  };
  for (const auto& [key, value] : {std::pair{"from", axis.from}, std::pair{"to", axis.to}}) {
    if (!std::isfinite(value)) {
      refuse(key, " must be a finite number, got " + shortest(value));
    }
    if (axis.log && !(value > 0.)) {
      refuse(key, " must be > 0 on a logarithmic axis, got " + shortest(value));
    }
  }
  if (axis.from == axis.to) {
    refuse("from", " and to must differ, got " + shortest(axis.from) + " twice");
  }
  if (axis.points < 2 || axis.points > MapAxis::most_points) {
    refuse("points", " must be in [2, " + std::to_string(MapAxis::most_points) + "], got " +
                         std::to_string(axis.points));
  }
}

/// A count of points that was given as a number.
std::size_t whole(double points) {
  const bool fits = points >= 0. && points <= 1e9 && points == std::floor(points);
  return fits ? static_cast<std::size_t>(points) : 0;
}

MapAxis read_axis(const Table& map, std::string_view key) {
  const Table t = map.table(key);
  t.only({"vary", "from", "to", "points", "log"});
  t.require("vary", "the dotted path of a number of the scenario");
  MapAxis axis{.path = t.text("vary", ""),
               .from = t.number("from"),
               .to = t.number("to"),
               .field = map.field(key),
               .place = t.here()};
  if (axis.path.empty()) t.fail("vary", "must be the dotted path of a number, got ''");
  if (t.has("points")) {
    axis.points = whole(t.number("points"));
    if (axis.points == 0) {
      t.fail("points", "must be a whole number in [2, " + std::to_string(MapAxis::most_points) +
                           "], got " + shortest(t.number("points")));
    }
  }
  axis.log = t.flag("log", false);
  validate(axis);
  return axis;
}

/// "linear" is what a range is anyway.
[[noreturn]] void refuse_axis(std::string_view text, std::string_view field) {
  throw InputError(std::string(field),
                   "must be PATH=FROM:TO, PATH=FROM:TO:POINTS or PATH=FROM:TO:POINTS:log, as in "
                   "system.angle_deg=10:80:141, got '" +
                       std::string(text) + "'");
}

std::optional<double> number_in(std::string_view text) {
  double value = 0.;
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::vector<double> MapAxis::values() const {
  std::vector<double> all(points);
  const double last = static_cast<double>(points - 1);
  for (std::size_t i = 0; i < points; ++i) {
    // Weights of both ends, so that 0 between -a and a is exactly 0.
    const double b = static_cast<double>(i);
    const double a = last - b;
    all[i] =
        log ? std::exp((a * std::log(from) + b * std::log(to)) / last) : (a * from + b * to) / last;
  }
  all.front() = from;
  all.back() = to;
  return all;
}

std::vector<const Law*> read_laws(const Table& table, ContactKind kind) {
  std::vector<const Law*> laws;
  for (const PlacedText& name : table.texts("laws", "a law's name")) {
    try {
      laws.push_back(&find_law(name.text, name.field, kind));
    } catch (const InputError& e) {
      throw InputError(e.field(), e.problem(), name.place);
    }
  }
  return laws;
}

MapRequest read_map(const Table& map) {
  map.only({"x", "y", "show", "laws", "compare", "contours", "style"});
  MapRequest r;
  if (map.has("x")) r.x = read_axis(map, "x");
  if (map.has("y")) {
    map.require("x", "the other axis, too; y alone draws nothing");
    r.y = read_axis(map, "y");
  }
  r.show = map.texts("show", "the name of a quantity");
  r.laws = map.texts("laws", "a law's name");
  r.compare = map.placed_text("compare");
  r.style = map.placed_text("style");
  if (map.has("contours")) r.contours = map.row("contours");
  for (std::size_t i = 0; i < r.contours.size(); ++i) {
    if (std::isfinite(r.contours[i])) continue;
    map.fail("contours", "must be finite numbers, got " + shortest(r.contours[i]));
  }
  return r;
}

MapAxis parse_axis(std::string_view text, std::string_view field) {
  const auto equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0) refuse_axis(text, field);
  MapAxis axis{
      .path = std::string(text.substr(0, equals)), .field = std::string(field), .place = {}};
  std::vector<std::string_view> parts;
  for (std::string_view rest = text.substr(equals + 1);;) {
    const auto colon = std::min(rest.find(':'), rest.size());
    parts.push_back(rest.substr(0, colon));
    if (colon == rest.size()) break;
    rest.remove_prefix(colon + 1);
  }
  if (parts.back() == "log" && parts.size() > 2) {
    axis.log = true;
    parts.pop_back();
  }
  if (parts.size() != 2 && parts.size() != 3) refuse_axis(text, field);
  const auto from = number_in(parts[0]);
  const auto to = number_in(parts[1]);
  if (!from || !to) refuse_axis(text, field);
  axis.from = *from;
  axis.to = *to;
  if (parts.size() == 3) {
    const auto points = number_in(parts[2]);
    if (!points) refuse_axis(text, field);
    axis.points = whole(*points);
    if (axis.points == 0) {
      throw InputError(std::string(field), "points must be a whole number in [2, " +
                                               std::to_string(MapAxis::most_points) + "], got " +
                                               std::string(parts[2]));
    }
  }
  validate(axis);
  return axis;
}

}  // namespace carom::scenario
