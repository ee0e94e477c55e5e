// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <carom/mechanics/drag.hpp>
#include <carom/mechanics/prescribed_path.hpp>
#include <carom/scenario/toml_table.hpp>

/// Parts of scenarios in the plane and in space: how ground moves, and what a medium resists.
namespace carom::scenario {

/// { velocity, amplitude, frequency, phase_deg, times, positions, velocities } under `key`, checked
/// and with the velocities of its table filled in; at rest where the key is not given.
/// @param dimensions  numbers of a vector: 2, and z is zero, or 3
[[nodiscard]] PrescribedPath read_path(const Table& t, std::string_view key,
                                       std::size_t dimensions);

/// drag = { linear, quadratic, spin_linear, spin_quadratic }; none where it is not given.
[[nodiscard]] Drag read_drag(const Table& t);

}  // namespace carom::scenario
