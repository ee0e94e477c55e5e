// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <carom/mechanics/planar_model.hpp>
#include <carom/mechanics/spatial_model.hpp>
#include <carom/scenario/toml_table.hpp>

/// Bodies and ground of an assembly, whether they strike at one instant or move.
namespace carom::scenario {

/// `floor`, [[system.lines]], [[system.ground]] and [[system.bodies]], all with a shape. Refuses
/// other keys than these, `type`, and those that one impact and motion read themselves.
[[nodiscard]] PlacedScene read_planar_scene(const Table& system);

/// The same in space, with [[system.planes]].
[[nodiscard]] SpatialScene read_spatial_scene(const Table& system);

}  // namespace carom::scenario
