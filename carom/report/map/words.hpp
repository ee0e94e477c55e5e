// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <carom/study/map/map.hpp>

/// What the axes and layers of a map are called, in every kind of report.
namespace carom::report {

/// A layer's title in two: "mode, poisson" is the mode under poisson.
struct LayerName {
  std::string quantity;  ///< "mode"
  std::string law;       ///< "poisson", or "poisson − newton" where two are compared
};

[[nodiscard]] LayerName name_of(const study::MapLayer& layer);

/// "angle φ [deg]".
[[nodiscard]] std::string words_of(const study::Axis& axis);

/// "φ", or what else is short: the label, the path.
[[nodiscard]] const std::string& short_name(const study::Axis& axis);

/// "system.angle_deg [deg]".
[[nodiscard]] std::string path_with_unit(const study::Axis& axis);

/// What the scenario holds fixed, in one line: "restitution e = 0.7, friction μ = 0.4; bar: mass =
/// 1 kg, velocity = (0.4, −1) m/s".
[[nodiscard]] std::string fixed_words(const study::Map& map);

/// The category of a cell; nothing (-1) where it is undefined.
[[nodiscard]] int category_of(const study::MapLayer& layer, std::size_t cell);

/// How many cells each category has; the last entry counts the undefined ones.
[[nodiscard]] std::vector<std::size_t> counts(const study::MapLayer& layer);

/// "34 %", "3.4 %", "< 0.1 %".
[[nodiscard]] std::string percent(double share);

/// How many letters a text shows: bytes of UTF-8 that begin one.
[[nodiscard]] std::size_t letters(std::string_view text);

}  // namespace carom::report
