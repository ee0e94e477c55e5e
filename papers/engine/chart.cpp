// SPDX-License-Identifier: Apache-2.0
#include <papers/engine/chart.hpp>

#include <array>
#include <utility>

#include <carom/report/json_writer.hpp>
#include <carom/report/map/record.hpp>
#include <carom/scenario/scenario.hpp>
#include <carom/study/map/map.hpp>

namespace carom::papers {
namespace {

using report::JsonWriter;

constexpr auto digits = JsonWriter::Digits::drawing;
constexpr std::array kinds{"line", "points", "line_and_points", "area"};
constexpr std::array markers{"disc", "circle", "square", "triangle", "cross"};

void write(JsonWriter& json, const Series& s) {
  json.begin_object().member("label", s.label);
  json.member("kind", kinds.at(static_cast<std::size_t>(s.kind)));
  if (s.law.empty()) {
    json.member("colour", s.colour);
  } else {
    json.member("law", s.law);
  }
  if (s.dash) json.key("dash").numbers(*s.dash);
  json.member("width", s.width);
  json.member("marker", markers.at(static_cast<std::size_t>(s.marker)));
  json.member("marker_size", s.marker_size);
  json.key("x").numbers(s.x, digits).key("y").numbers(s.y, digits).end_object();
}

void write(JsonWriter& json, const ChartAxis& axis) {
  json.begin_object().member("label", axis.label).member("log", axis.log);
  if (axis.range) json.key("range").numbers(std::array{axis.range->least, axis.range->most});
  json.end_object();
}

void write(JsonWriter& json, const ChartMark& mark) {
  json.begin_object().member("at", mark.at).member("label", mark.label);
  json.member("across", mark.across).member("colour", mark.colour).end_object();
}

void write(JsonWriter& json, const ChartSpan& span) {
  json.begin_object().member("from", span.from).member("to", span.to);
  json.member("colour", span.colour).member("label", span.label).end_object();
}

void write(JsonWriter& json, const ChartText& text) {
  json.begin_object().member("x", text.x).member("y", text.y);
  json.member("text", text.text).end_object();
}

void write(JsonWriter& json, const ChartPanel& panel);

template <class T>
void write_all(JsonWriter& json, std::string_view key, const std::vector<T>& all) {
  json.key(key).begin_array();
  for (const T& one : all) write(json, one);
  json.end_array();
}

void write(JsonWriter& json, const ChartPanel& panel) {
  json.begin_object().member("title", panel.title);
  write(json.key("x"), panel.x);
  write(json.key("y"), panel.y);
  write_all(json, "series", panel.series);
  write_all(json, "marks", panel.marks);
  write_all(json, "spans", panel.spans);
  write_all(json, "texts", panel.texts);
  json.end_object();
}

}  // namespace

Series series_of(std::string_view law, std::string label, double widest) {
  return {.label = std::move(label), .law = std::string(law), .width = widest};
}

Drawing chart(std::function<Chart()> make) {
  return [make = std::move(make)] {
    const Chart chart = make();
    JsonWriter json;
    json.begin_object().key("picture").begin_object().member("kind", "chart");
    json.member("title", chart.heading).member("subtitle", chart.subheading);
    json.member("columns", chart.columns);
    json.member("panel_width", chart.panel_width).member("panel_height", chart.panel_height);
    write_all(json, "panels", chart.panels);
    json.end_object().end_object();
    return json.take() + "\n";
  };
}

Drawing map(std::string_view scenario) {
  return [text = std::string(scenario)] {
    constexpr const char* built_in = "built-in scenario";
    const auto request = scenario::Variation(text, built_in).map();
    const auto style =
        request.style.text == "surface" ? report::MapStyle::surface : report::MapStyle::map;
    return report::map_record(study::compute_map(text, built_in, request), style);
  };
}

}  // namespace carom::papers
