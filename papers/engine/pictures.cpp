// SPDX-License-Identifier: Apache-2.0
#include <papers/engine/pictures.hpp>

#include <utility>

#include <carom/report/map_record.hpp>
#include <carom/scenario/scenario.hpp>
#include <carom/study/map.hpp>

namespace carom::papers {
namespace {

constexpr const char* built_in = "built-in scenario";

}  // namespace

Drawing chart(std::function<Chart()> chart) {
  return [chart = std::move(chart)] { return chart_record(chart()); };
}

Drawing map(std::string_view scenario) {
  return [text = std::string(scenario)] {
    const auto request = scenario::Variation(text, built_in).map();
    const auto style =
        request.style.text == "surface" ? report::MapStyle::surface : report::MapStyle::map;
    return report::map_record(study::compute_map(text, built_in, request), style);
  };
}

}  // namespace carom::papers
