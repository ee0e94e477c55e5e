// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

#include <carom/mechanics/planar_model.hpp>
#include <carom/mechanics/system_at_impact.hpp>
#include <carom/scenario/surface_reader.hpp>
#include <carom/scenario/toml_table.hpp>

namespace carom::scenario {

/// Types of one contact in the plane, but for vehicles.
inline constexpr std::array<std::string_view, 8> system_types = {
    "bar", "rod", "disc", "sphere", "bodies", "linkage", "contact", "generalized"};

/// An impact and its surfaces, which are those of its problem, too.
struct Struck {
  SystemAtImpact impact;
  Surfaces surfaces;
};

/// A scenario's [system], whose `type` says which keys it has; see docs/systems.md.
[[nodiscard]] SystemAtImpact read_system(const Table& system);

/// The same of a bar, rod, disc, sphere or bodies, ready to move.
[[nodiscard]] PlacedScene read_scene(const Table& system);

/// The unit vector at `degrees` from +x: cosine and sine, exact along the axes, where those of the
/// standard library are not.
[[nodiscard]] std::array<double, 2> direction(double degrees);

}  // namespace carom::scenario
