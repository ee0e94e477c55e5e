// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

#include <carom/mechanics/planar_model.hpp>
#include <carom/mechanics/shapes/plane/shape.hpp>
#include <carom/scenario/toml_table.hpp>

/// Shapes of the plane in scenario files.
namespace carom::scenario {

/// Keys of shapes: `only` of bodies and pieces of the ground must know them.
inline constexpr std::array<std::string_view, 10> shape_keys = {
    "shape", "radius",   "semi_axes", "half_length", "length",
    "width", "rounding", "corners",   "from",        "to"};

/// The shape of a body about its mass centre, and its inertia: that of a uniform body, or as given.
/// @pre `mass` is set
void read_body_shape(const Table& t, PlanarBody& body);

/// The shape of a piece of the ground in its own frame.
[[nodiscard]] shapes::plane::Shape read_ground_shape(const Table& t);

}  // namespace carom::scenario
