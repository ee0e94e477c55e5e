// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <carom/laws/catalogue.hpp>
#include <carom/laws/spatial_catalogue.hpp>

namespace carom::report {

/// How a law is drawn, in every picture. Colour, dash and point shape each tell it apart, for those
/// who see no colours. Laws that share a line have different widths, so that the wider shows on
/// both sides of the narrower; points are hollow, so that one shows inside the other.
struct LawStyle {
  std::string_view colour;  ///< "#D55E00"
  std::string_view dash;    ///< gnuplot's dash type: solid, or a pattern of its own
  double width = 1.;        ///< of lines
  int point = 0;            ///< gnuplot's point type: 4 square, 6 circle, 8 triangle, ...
  int filled_point = 0;     ///< the same, filled; 0 where there is none
  double point_size = 1.;   ///< relative to gnuplot's
};

/// By name; an alias looks like the law it stands for.
[[nodiscard]] const LawStyle& style_of(const NamedLaw& law);
[[nodiscard]] const LawStyle& style_of(const NamedSpatialLaw& law);

/// By the name of a law, of whichever catalogue; one that none has looks plain.
[[nodiscard]] const LawStyle& style_of_law(std::string_view name);

}  // namespace carom::report
