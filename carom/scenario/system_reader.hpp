// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <carom/mechanics/planar_system.hpp>
#include <carom/scenario/toml_table.hpp>

namespace carom::scenario {

/// A scenario's [system], whose `type` says which keys it has; see docs/systems.md.
[[nodiscard]] PlanarSystem read_system(const Table& system);

}  // namespace carom::scenario
