// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <carom/study/map/map.hpp>
#include <carom/study/quantity.hpp>

namespace carom::study {

/// The entries of a quantity that are asked for as "NAME" or "NAME:OF": one, or all if they are
/// few. Throws InputError.
/// @param system  its contacts, coordinates, ... have the names
[[nodiscard]] std::vector<QuantityEntry> asked_entries(const scenario::PlacedText& asked,
                                                       const SystemAtImpact& system);

/// The layers of a map while they are being filled, cell by cell.
class MapLayers {
 public:
  /// Throws InputError where the request names quantities, comparisons or laws that do not go
  /// together.
  /// @param system  at some point of the map: its contacts, coordinates, ... are the same all over
  MapLayers(const scenario::MapRequest& request, std::span<const Law* const> laws,
            const SystemAtImpact& system, std::size_t columns, std::size_t rows);

  /// Do layers show what is not of contacts: coordinates, bodies or joints?
  [[nodiscard]] bool show_the_system() const;

  /// Do layers show more than impulse, velocity, energy change and mode?
  [[nodiscard]] bool need_whole_outcomes() const;

  /// Keeps what the layers show of a cell. Cells may be set in any order, by several threads.
  /// @param views  for each law
  void set_cell(std::size_t j, std::size_t i, std::span<OutcomeView> views);

  /// The layers, when all cells are set.
  [[nodiscard]] std::vector<MapLayer> take();

 private:
  /// A layer's laws as indices of `laws_`.
  struct Asked {
    std::size_t law = 0;
    std::size_t other = 0;  ///< where two laws are compared
    bool sliders = false;   ///< it shows what the slider of `compliant` did
  };

  void add_layers(const scenario::PlacedText& asked, const scenario::PlacedText& compare,
                  const SystemAtImpact& system);
  [[nodiscard]] MapLayer layer_of_two(const Quantity& quantity, Compared how,
                                      const scenario::PlacedText& asked) const;
  void add(MapLayer layer, std::size_t law, std::size_t other);
  /// The index of the category for each thing that a slider did, in order of appearance.
  void name_sliders(MapLayer& layer) const;

  std::vector<const Law*> laws_;
  ContactKind kind_;
  std::size_t columns_;
  std::vector<MapLayer> layers_;
  std::vector<Asked> asked_;           ///< one a layer
  std::vector<SliderStates> sliders_;  ///< on every cell, of the law whose mode is their story
};

}  // namespace carom::study
