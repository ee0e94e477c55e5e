// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <carom/report/fit/files.hpp>
#include <carom/report/json_writer.hpp>

namespace carom::report {
namespace {

using study::fit::FittedModel;
using study::fit::MeasuredImpacts;
using study::fit::Objective;

constexpr std::string_view blue = "#0072B2";
constexpr std::string_view orange = "#D55E00";
constexpr std::string_view grey = "#57606a";

struct Points {
  std::vector<double> x;
  std::vector<double> y;
};

void write_numbers(JsonWriter& out, std::string_view key, const std::vector<double>& x) {
  out.key(key).numbers(x, JsonWriter::Digits::drawing);
}

void write_points(JsonWriter& out, const Points& p, std::string_view colour, double size) {
  out.begin_object()
      .member("kind", "points")
      .member("colour", colour)
      .member("marker", "disc")
      .member("marker_size", size);
  write_numbers(out, "x", p.x);
  write_numbers(out, "y", p.y);
  out.end_object();
}

void write_line(JsonWriter& out, const Points& p, std::string_view colour, double width) {
  out.begin_object().member("kind", "line").member("colour", colour).member("width", width);
  write_numbers(out, "x", p.x);
  write_numbers(out, "y", p.y);
  out.end_object();
}

void begin_panel(JsonWriter& out, const std::string& title, const std::string& x,
                 const std::string& y) {
  out.begin_object().member("title", title);
  out.key("x").begin_object().member("label", x).end_object();
  out.key("y").begin_object().member("label", y).end_object();
  out.key("series").begin_array();
}

void end_panel(JsonWriter& out) { out.end_array().end_object(); }

/// Medians of y over equal counts along x.
Points medians(const Points& p) {
  constexpr std::size_t bins = 10;
  std::vector<std::size_t> order(p.x.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return p.x[a] < p.x[b]; });
  Points m;
  for (std::size_t b = 0; b < bins; ++b) {
    const std::size_t begin = b * order.size() / bins;
    const std::size_t end = (b + 1) * order.size() / bins;
    if (begin == end) continue;
    std::vector<double> y;
    for (std::size_t i = begin; i < end; ++i) y.push_back(p.y[order[i]]);
    std::ranges::sort(y);
    m.x.push_back(p.x[order[(begin + end) / 2]]);
    m.y.push_back(y[y.size() / 2]);
  }
  return m;
}

constexpr double small_dots = 0.35;
constexpr double thin = 1.2;
constexpr double thick = 2.5;

}  // namespace

std::string fit_record(const FitReport& r) {
  const FittedModel& f = r.ranking.models.front();
  const Objective objective(r.data, *f.model.answering, f.parameters);
  const std::size_t n = r.data.coordinates.size();
  std::vector<Points> velocity(n);
  std::vector<Points> error(r.data.numbers.size());
  std::vector<double> after(n);
  for (std::size_t k = 0; k < r.ranking.impacts.size(); ++k) {
    const std::size_t i = r.ranking.impacts[k];
    (void)objective.predict(i, f.minimum.p, after);
    for (std::size_t j = 0; j < n; ++j) {
      velocity[j].x.push_back(r.data.impacts[i].after[j]);
      velocity[j].y.push_back(after[j]);
    }
    for (std::size_t j = 0; j < error.size(); ++j) {
      error[j].x.push_back(r.data.impacts[i].numbers[j]);
      error[j].y.push_back(f.errors[k]);
    }
  }
  JsonWriter out;
  out.begin_object();
  out.key("picture").begin_object().member("kind", "chart");
  out.member("title", r.request.title.empty() ? r.data.name : r.request.title);
  std::string subtitle = fmt::format("{}, {} impacts, mean error {:.4f}", f.model.name,
                                     r.ranking.impacts.size(), f.minimum.mean_error);
  for (std::size_t k = 0; k < f.parameters.size(); ++k) {
    subtitle += fmt::format(", {} = {}", f.parameters.list[k].name,
                            pretty(std::stod(fmt::format("{:.4g}", f.minimum.p[k]))));
  }
  out.member("subtitle", subtitle);
  constexpr int columns = 3;
  constexpr int panel_width = 400;
  constexpr int panel_height = 340;
  out.member("columns", columns)
      .member("panel_width", panel_width)
      .member("panel_height", panel_height);
  out.key("panels").begin_array();
  for (std::size_t j = 0; j < n; ++j) {
    begin_panel(out, "", fmt::format("measured {} [{}]", r.data.coordinates[j], r.data.units[j]),
                fmt::format("predicted {} [{}]", r.data.coordinates[j], r.data.units[j]));
    const auto [low, high] = std::ranges::minmax(velocity[j].x);
    write_line(out, {{low, high}, {low, high}}, grey, thin);
    write_points(out, velocity[j], blue, small_dots);
    end_panel(out);
  }
  for (std::size_t j = 0; j < error.size(); ++j) {
    const std::string& column = r.data.numbers[j];
    const bool speed = column.ends_with("_speed");
    begin_panel(out, "",
                (column == "approach_speed" ? "approach speed"
                 : column == "slip_speed"   ? "slip speed"
                                            : column) +
                    (speed ? " [m/s]" : ""),
                "error");
    write_points(out, error[j], blue, small_dots);
    write_line(out, medians(error[j]), orange, thick);
    end_panel(out);
  }
  out.end_array().end_object();
  out.key("fit").raw(fit_json(r));
  out.end_object();
  return out.take();
}

}  // namespace carom::report
