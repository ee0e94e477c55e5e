// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <carom/laws/table.hpp>
#include <carom/scenario/toml_table.hpp>
#include <carom/scenario/varied_number.hpp>

/// What a map is asked to show, as a scenario's [map] or the command line says it.
namespace carom::scenario {

/// A number of the scenario, or one derived from it, over a range.
struct MapAxis {
  static constexpr std::size_t default_points = 401;
  static constexpr std::size_t most_points = 20'000;

  std::string path;  ///< "system.angle_deg", "surface.friction", or derived: "approach_ratio"
  double from = 0.;
  double to = 0.;
  std::size_t points = default_points;  ///< both ends included
  bool log = false;                     ///< equal ratios instead of equal distances
  std::string field;                    ///< for errors: "map.x", "--x"
  std::string place;                    ///< file:line:column; empty for the command line

  /// The value of each point; the ends are exact.
  [[nodiscard]] std::vector<double> values() const;
  [[nodiscard]] VariedNumber number() const {
    return {.path = path, .from = from, .to = to, .field = field, .place = place};
  }
};

struct MapRequest {
  std::optional<MapAxis> x;
  std::optional<MapAxis> y;      ///< empty: curves along x
  std::vector<PlacedText> show;  ///< names of quantities; empty: the mode
  std::vector<PlacedText> laws;  ///< names; empty: the scenario's own, or all that apply
  PlacedText compare{};          ///< "", "difference" or "ratio": of the first two laws
  std::vector<double> contours;  ///< lines of these values, in the unit of what is shown
  PlacedText style{};            ///< "", "map" or "surface"
};

/// The laws that a table's key `laws` names, in order. Throws InputError.
[[nodiscard]] std::vector<const Law*> read_laws(const Table& table, ContactKind kind);

/// Reads [map]. Throws InputError.
[[nodiscard]] MapRequest read_map(const Table& map);

/// "PATH=FROM:TO", "PATH=FROM:TO:POINTS" or "PATH=FROM:TO:POINTS:log". Throws InputError under
/// `field`.
[[nodiscard]] MapAxis parse_axis(std::string_view text, std::string_view field);

}  // namespace carom::scenario
