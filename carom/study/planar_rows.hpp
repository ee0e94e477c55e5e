// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <carom/impact/planar_outcome.hpp>
#include <carom/impact/planar_problem.hpp>
#include <carom/study/batch.hpp>
#include <carom/study/map_layers.hpp>

namespace carom::study {

/// A cell of a planar map before any law is asked.
struct MapCell {
  PlanarProblem problem;
  double energy_before = 0.;  ///< [J]
};

/// Asks laws about rows of planar impacts. One for each thread.
class PlanarRows {
 public:
  PlanarRows(std::span<const Law* const> laws, std::size_t columns, Instructions instructions);

  /// The row's facts, and what sliders did, go to `layers`.
  void set_row(std::size_t j, const std::vector<MapCell>& row, MapLayers& layers);

 private:
  void ask_batch(const PlanarLaw& law, const PlanarBatch& batch);

  std::span<const Law* const> laws_;
  Instructions instructions_;
  std::vector<std::vector<double>> inputs_;   ///< columns of a PlanarBatch
  std::vector<std::vector<double>> outputs_;  ///< of a PlanarBatchOutcome
  std::vector<std::uint8_t> mode_;            ///< the same
  std::vector<std::uint16_t> flags_;          ///< the same
  std::vector<PlanarOutcome> outcomes_;       ///< of one law, without phases
  std::vector<std::vector<MapFacts>> facts_;  ///< of each law
};

}  // namespace carom::study
