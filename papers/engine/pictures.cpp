// SPDX-License-Identifier: Apache-2.0
#include <papers/engine/pictures.hpp>

#include <utility>

#include <carom/report/map_plot.hpp>
#include <carom/scenario/scenario.hpp>
#include <papers/engine/publication.hpp>

namespace carom::papers {
namespace {

constexpr const char* built_in = "built-in scenario";

}  // namespace

Drawing chart(std::function<report::Chart()> chart) {
  return [chart = std::move(chart)](const report::PictureFiles& files) {
    return report::chart_plot(chart(), files);
  };
}

Drawing map(std::string_view scenario) {
  return [text = std::string(scenario)](const report::PictureFiles& files) {
    const auto request = scenario::Variation(text, built_in).map();
    const auto style =
        request.style.text == "surface" ? report::MapStyle::surface : report::MapStyle::map;
    report::MapPlot plot =
        report::map_plot(study::compute_map(text, built_in, request), style, files);
    return report::Plot{.script = std::move(plot.script), .data = std::move(plot.data)};
  };
}

study::Map map_of(std::string_view scenario) {
  const std::string text(scenario);
  return study::compute_map(text, built_in, scenario::Variation(text, built_in).map());
}

Picture chart_picture(std::string name, std::string caption,
                      std::function<report::Chart()> curves) {
  return {.name = std::move(name), .caption = std::move(caption), .draw = chart(std::move(curves))};
}

Picture map_picture(std::string name, std::string caption, std::string_view scenario) {
  return {.name = std::move(name), .caption = std::move(caption), .draw = map(scenario)};
}

}  // namespace carom::papers
