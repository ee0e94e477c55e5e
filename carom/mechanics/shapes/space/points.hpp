// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <carom/core/spatial.hpp>
#include <carom/core/world.hpp>
#include <carom/mechanics/shapes/space/shape.hpp>

/// Points of solids at an impact: which one strikes, and whether a given one belongs to the solid.
namespace carom::shapes::space {

/// The point of the solid farthest along `towards`, a unit vector in the world: opposite to the
/// normal for the body into which the normal points, along it for the other. World axes, from the
/// solid's origin. Throws InputError under `contact_offset` if an edge or a face touches (to 1e-9
/// rad), because the point is then not unique, and for a half space.
[[nodiscard]] World3 furthest_point(const Solid& solid, const Mat3& orientation,
                                    const World3& towards);

/// Whether `point` (world axes, from the solid's origin) lies in or on the solid, to a per cent of
/// its size, because given points are rounded.
[[nodiscard]] bool holds(const Solid& solid, const Mat3& orientation, const World3& point);

}  // namespace carom::shapes::space
