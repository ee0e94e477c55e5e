// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Pictures: curves and points in one or more panels, and maps.
namespace carom::papers {

enum class SeriesKind : std::uint8_t {
  line,
  points,
  line_and_points,
  area,  ///< filled down (or up) to zero
};

enum class Marker : std::uint8_t { disc, circle, square, triangle, cross };

/// Lengths of dash and gap in turn; none: solid.
using Dash = std::vector<double>;

struct Series {
  std::string label{};  ///< in the key, plain UTF-8; empty: not in the key
  std::vector<double> x{};
  std::vector<double> y{};  ///< NaN: a gap
  std::string law{};        ///< drawn in the law's own colour and dashes; empty: as follows
  std::string colour = "#0072B2";
  std::optional<Dash> dash{};  ///< none: as the law, or solid
  double width = 2.;           ///< [px of an SVG]; with a law, at most
  Marker marker = Marker::disc;
  double marker_size = 0.7;
  SeriesKind kind = SeriesKind::line;
};

/// In the law's own colour and dashes, with a line no wider than `widest`.
[[nodiscard]] Series series_of(std::string_view law, std::string label, double widest = 3.);

struct Range {
  double least = 0.;
  double most = 0.;
};

struct ChartAxis {
  std::string label{};           ///< with its unit, plain UTF-8: "angle θ  [deg]"
  std::optional<Range> range{};  ///< none: what the series need
  bool log = false;
};

/// A straight line across the panel at a value, with a word beside it.
struct ChartMark {
  double at = 0.;
  std::string label{};
  bool across = false;  ///< horizontal, at a value of y; else vertical, at one of x
  std::string colour = "#606060";
};

/// A stretch of x behind the curves.
struct ChartSpan {
  double from = 0.;
  double to = 0.;
  std::string colour = "#E8E8E8";
  std::string label{};  ///< at its top; empty: none
};

struct ChartText {
  double x = 0.;
  double y = 0.;
  std::string text{};
};

struct ChartPanel {
  std::string title{};  ///< "(a) case 2"; may be empty
  ChartAxis x{};
  ChartAxis y{};
  std::vector<Series> series{};
  std::vector<ChartMark> marks{};
  std::vector<ChartSpan> spans{};
  std::vector<ChartText> texts{};
};

struct Chart {
  std::string heading{};     ///< plain UTF-8
  std::string subheading{};  ///< plain UTF-8; parameters, law
  std::vector<ChartPanel> panels{};
  std::size_t columns = 1;  ///< of panels
  int panel_width = 620;    ///< [px of an SVG]
  int panel_height = 400;
};

/// Computes a picture and returns its record (docs/records.md), from which carom.plot draws it.
/// Called from several threads at once for different pictures.
using Drawing = std::function<std::string()>;

/// A picture of curves, a record of kind "chart"; `chart` is called when it is drawn.
[[nodiscard]] Drawing chart(std::function<Chart()> chart);

/// The picture of the map that a scenario's [map] asks for. @param scenario  the text of its file
[[nodiscard]] Drawing map(std::string_view scenario);

}  // namespace carom::papers
