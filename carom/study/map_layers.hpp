// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <carom/core/spatial.hpp>
#include <carom/impact/planar_outcome.hpp>
#include <carom/impact/verdict.hpp>
#include <carom/laws/law.hpp>
#include <carom/study/map.hpp>

namespace carom::study {

/// What layers show of one impact under one law, in the plane or in space.
struct MapFacts {
  Vec3 approach;                   ///< v- [m/s]; in the plane (n, t, 0)
  Vec3 velocity;                   ///< v+ [m/s]
  double slip = 0.;                ///< before [m/s]; signed in the plane, the speed in space
  double slip_after = 0.;          ///< [m/s]; in space negative where it runs against that before
  double normal_impulse = 0.;      ///< [N s]
  double tangential_impulse = 0.;  ///< [N s]; in space its size
  double restitution = 0.;         ///< e
  double energy_before = 0.;       ///< [J]
  double energy_change = 0.;       ///< [J]
  Mode mode = Mode::no_impulse;
  Mode regime = Mode::no_impulse;  ///< [Payr & Glocker 2005]; in the plane
  Verdicts flags;
};

/// A law as layers know it.
struct MapLaw {
  std::string name;
  Labels labels = Labels::modes;
  bool in_space = false;  ///< where slip that has stopped need not go back the way it came
};

/// The layers of a map while they are being filled, row by row.
class MapLayers {
 public:
  /// Throws InputError where the request names quantities, comparisons or laws that do not go
  /// together.
  MapLayers(const scenario::MapRequest& request, std::span<const MapLaw> laws, std::size_t columns,
            std::size_t rows);

  /// Keeps what the layers show of a row. Rows may be set in any order, by several threads.
  /// @param facts  for each law, a cell a column
  void set_row(std::size_t j, const std::vector<std::vector<MapFacts>>& facts);

  /// What the slider of `compliant` did in a cell.
  void set_slider(std::size_t j, std::size_t i, const SliderStates& states);

  /// The layers, when all rows are set.
  [[nodiscard]] std::vector<MapLayer> take();

 private:
  [[nodiscard]] std::size_t index_of(const std::string& law) const;
  [[nodiscard]] bool tells_sliders(const MapLayer& layer) const;
  /// The index of the category for each thing that a slider did, in order of appearance.
  void name_sliders(MapLayer& layer) const;

  std::vector<MapLaw> laws_;
  std::size_t columns_;
  std::vector<MapLayer> layers_;
  std::vector<SliderStates> sliders_;  ///< on every cell, of the law whose mode is their story
};

}  // namespace carom::study
