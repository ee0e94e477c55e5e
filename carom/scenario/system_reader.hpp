// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include <carom/mechanics/planar_system.hpp>
#include <carom/scenario/toml_table.hpp>

namespace carom::scenario {

/// A scenario's [system], whose `type` says which keys it has; see docs/systems.md.
[[nodiscard]] PlanarSystem read_system(const Table& system);

/// The unit vector at `degrees` from +x: cosine and sine, exact along the axes, where those of the
/// standard library are not.
[[nodiscard]] std::array<double, 2> direction(double degrees);

}  // namespace carom::scenario
