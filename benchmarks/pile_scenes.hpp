// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include <carom/mechanics/model.hpp>

#include "piles.hpp"

/// Piles as models, and what is measured of a pile in any program.
namespace carom::benchmarks {

[[nodiscard]] const char* name(Kind kind);

/// Bodies nearly packed: in rows or layers, each above the gaps of the one below, a little apart
/// and moved a little at random, the same in every run.
[[nodiscard]] Pile packed(Kind kind, std::size_t n);

/// @param braking  rate at which drag slows bodies down and stops their spin [1/s]
[[nodiscard]] std::unique_ptr<Model> model_of(const Pile& pile, double braking = 0.);
[[nodiscard]] State state_of(Kind kind, const std::vector<Placed>& bodies);
void read_state(Kind kind, const State& s, std::vector<Placed>& bodies);

/// [J]
[[nodiscard]] double kinetic_energy(Kind kind, const std::vector<Placed>& bodies);
[[nodiscard]] double energy_of(Kind kind, const std::vector<Placed>& bodies);
/// Kinetic energy per body over m g r.
[[nodiscard]] double unrest(const Pile& pile);

/// The deepest overlap, relative to a radius.
[[nodiscard]] double overlap_of(const Model& model, const State& state);

}  // namespace carom::benchmarks
