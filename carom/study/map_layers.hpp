// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <carom/impact/planar_outcome.hpp>
#include <carom/impact/planar_problem.hpp>
#include <carom/study/batch.hpp>
#include <carom/study/map.hpp>

namespace carom::study {

/// A cell of a map before any law is asked.
struct MapCell {
  PlanarProblem problem;
  double energy_before = 0.;  ///< [J]
};

/// The layers of a map while they are being filled, row by row.
class MapLayers {
 public:
  /// Throws InputError where the request names quantities, comparisons or laws that do not go
  /// together.
  MapLayers(const scenario::MapRequest& request, std::span<const NamedLaw* const> laws,
            std::size_t columns, std::size_t rows);

  [[nodiscard]] std::span<const NamedLaw* const> laws() const { return laws_; }

  /// What the work on a row needs; one for each thread.
  struct Scratch {
    Scratch(std::size_t laws, std::size_t columns);

    std::vector<std::vector<double>> inputs;           ///< columns of a PlanarBatch
    std::vector<std::vector<double>> outputs;          ///< of a PlanarBatchOutcome
    std::vector<std::uint8_t> mode;                    ///< the same
    std::vector<std::uint16_t> flags;                  ///< the same
    std::vector<std::vector<PlanarOutcome>> outcomes;  ///< of each law, without phases
  };

  /// Asks the laws about a row and keeps what the layers show. Rows may be set in any order, by
  /// several threads.
  void set_row(std::size_t j, const std::vector<MapCell>& row, Scratch& scratch,
               Instructions instructions);

  /// The layers, when all rows are set.
  [[nodiscard]] std::vector<MapLayer> take();

 private:
  /// The index of the category for each thing that a slider did, in order of appearance.
  void name_sliders(MapLayer& layer) const;

  std::vector<const NamedLaw*> laws_;
  std::size_t columns_;
  std::vector<MapLayer> layers_;
  std::vector<SliderStates> sliders_;  ///< on every cell, of the law whose mode is their story
};

}  // namespace carom::study
