// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include <carom/core/spatial.hpp>
#include <carom/mechanics/spatial_shapes.hpp>
#include <carom/scenario/toml_table.hpp>

/// What bodies in space have in common, whether one strikes or many.
namespace carom::scenario {

[[nodiscard]] Mat3 matrix3(const Table& t, std::string_view key);

/// The shape that `shape` names, with its keys; nothing where there is none.
[[nodiscard]] std::optional<SpatialShape> read_shape(const Table& t);

/// `direction`, or a table `orientation`; else as the world.
[[nodiscard]] Mat3 read_orientation(const Table& t);

/// A number (all moments alike), three principal moments, or 3 x 3; in body axes.
[[nodiscard]] Mat3 read_inertia(const Table& t);

}  // namespace carom::scenario
