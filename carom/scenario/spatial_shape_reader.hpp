// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include <carom/core/spatial.hpp>
#include <carom/mechanics/shapes/space/shape.hpp>
#include <carom/scenario/toml_table.hpp>

/// What bodies in space have in common, whether one strikes or many.
namespace carom::scenario {

[[nodiscard]] Mat3 matrix3(const Table& t, std::string_view key);

/// The solid that `shape` names, with its keys, all checked; it is required.
[[nodiscard]] shapes::space::Solid read_solid(const Table& t);

/// The same for one impact; nothing where no shape is given. Refuses cones, polyhedra and rounding.
[[nodiscard]] std::optional<shapes::space::Solid> read_striking_shape(const Table& t);

/// `direction`, or a table `orientation`; else as the world.
[[nodiscard]] Mat3 read_orientation(const Table& t);

/// A number (all moments alike), three principal moments, or 3 x 3; in body axes.
[[nodiscard]] Mat3 read_inertia(const Table& t);

}  // namespace carom::scenario
