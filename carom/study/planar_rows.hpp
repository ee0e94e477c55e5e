// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <carom/impact/planar/outcome.hpp>
#include <carom/impact/planar/problem.hpp>
#include <carom/laws/workspace.hpp>
#include <carom/study/batch/batch.hpp>
#include <carom/study/map/layers.hpp>

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

  /// What laws say of the row goes to `layers`.
  void set_row(std::size_t j, const std::vector<MapCell>& row, MapLayers& layers);

 private:
  void ask_batch(const PlanarLaw& law, const PlanarBatch& batch,
                 std::vector<PlanarOutcome>& outcomes);

  std::span<const Law* const> laws_;
  Instructions instructions_;
  std::vector<std::vector<double>> inputs_;         ///< columns of a PlanarBatch
  std::vector<std::vector<double>> outputs_;        ///< of a PlanarBatchOutcome
  std::vector<std::uint8_t> mode_;                  ///< the same
  std::vector<std::uint16_t> flags_;                ///< the same
  std::vector<std::vector<PlanarOutcome>> planar_;  ///< of each law with a kernel
  ContactProblem problem_;                          ///< of one cell
  Workspace workspace_;
  std::vector<Outcome> outcomes_;   ///< of each law in that cell
  std::vector<OutcomeView> views_;  ///< the same
};

}  // namespace carom::study
