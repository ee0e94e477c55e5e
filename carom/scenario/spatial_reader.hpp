// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include <carom/impact/spatial/problem.hpp>
#include <carom/laws/table.hpp>
#include <carom/mechanics/spatial_rod.hpp>
#include <carom/scenario/toml_table.hpp>

/// Scenarios in space; see docs/systems.md.
namespace carom::scenario {

inline constexpr std::array<std::string_view, 4> spatial_types = {"space", "space-rod",
                                                                  "space-sphere", "space-contact"};

/// Is this type of system one in space?
[[nodiscard]] bool is_spatial(std::string_view type);

/// A scenario's [system] of such a type.
[[nodiscard]] SystemAtImpact read_spatial_system(const Table& system);

/// The same ready to move; not of contact space alone.
[[nodiscard]] SpatialScene read_spatial_striker(const Table& system);

}  // namespace carom::scenario
