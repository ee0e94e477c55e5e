// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include <carom/report/chart.hpp>
#include <carom/report/gnuplot.hpp>
#include <carom/report/plot_script.hpp>
#include <carom/study/map.hpp>

/// How publications make their pictures. This file and html_report.cpp alone know what draws them.
namespace carom::papers {

struct Picture;

/// Computes a picture, for files of that name. Called from several threads at once for different
/// pictures.
using Drawing = std::function<report::Plot(const report::PictureFiles&)>;

/// A picture of curves; `chart` is called when it is drawn.
[[nodiscard]] Drawing chart(std::function<report::Chart()> chart);

/// The picture of the map that a scenario's [map] asks for. @param scenario  the text of its file
[[nodiscard]] Drawing map(std::string_view scenario);

/// The map itself.
[[nodiscard]] study::Map map_of(std::string_view scenario);

[[nodiscard]] Picture chart_picture(std::string name, std::string caption,
                                    std::function<report::Chart()> chart);
[[nodiscard]] Picture map_picture(std::string name, std::string caption, std::string_view scenario);

}  // namespace carom::papers
