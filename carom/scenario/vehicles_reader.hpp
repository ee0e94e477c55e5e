// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <carom/scenario/surface_reader.hpp>
#include <carom/scenario/system_reader.hpp>
#include <carom/scenario/toml_table.hpp>

/// Scenarios of vehicles that collide; see docs/vehicles.md.
namespace carom::scenario {

inline constexpr std::string_view vehicles_type = "vehicles";

/// The whole of such a file: [system], [surface]. Velocities before are given, or found from
/// velocities after; the coefficients are then those of the impulse that is found, and may be out
/// of range.
[[nodiscard]] Struck read_vehicles(const Table& top);

}  // namespace carom::scenario
