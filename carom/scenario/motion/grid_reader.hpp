// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <carom/core/world.hpp>
#include <carom/scenario/toml_table.hpp>

/// One table of a scenario that stands for many bodies, or pieces of the ground, in rows.
namespace carom::scenario {

/// Where one of them is, relative to what its table says.
struct Placement {
  std::string name;
  World3 shift{};           ///< [m]
  World3 axis{0., 0., 1.};  ///< of the turn; in the plane always z
  double turn_deg = 0.;     ///< [degrees]
};

/// The placements of a body or piece: one, or those of its
/// grid = { count, spacing, jitter, jitter_deg, seed }, the first direction counting fastest, named
/// "NAME 1", "NAME 2", ... Random shifts and turns are the same everywhere for the same seed.
/// @param dimensions  2, and z is zero, or 3
/// @param number      of the table among its kind, from 1: the default of `seed`
/// @param fallback    its name where none is given
/// @param taken       names, to which those of the placements are added
[[nodiscard]] std::vector<Placement> read_grid(const Table& t, std::size_t dimensions,
                                               std::size_t number, const std::string& fallback,
                                               std::vector<std::string>& taken);

}  // namespace carom::scenario
