// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <carom/core/spatial.hpp>
#include <carom/core/world.hpp>
#include <carom/mechanics/shapes/space/shape.hpp>
#include <carom/mechanics/spatial_bodies.hpp>

/// Contact of spheres and boxes. World axes, lengths [m].
namespace carom {

struct PlacedShape {
  shapes::space::Solid shape{};
  World3 position{};             ///< of the centre
  Mat3 orientation = identity3;  ///< columns: the body's axes in the world
};

struct SpatialTouchPoint {
  World3 point{};
  World3 normal{};  ///< points into the first
};

struct SpatialTouch {
  double gap = 0.;                        ///< negative if they overlap
  std::vector<SpatialTouchPoint> points;  ///< empty if the gap exceeds the tolerance
};

/// Whether contacts of this shape can be detected: a sphere, or a box with sharp edges.
[[nodiscard]] bool can_be_found(const shapes::space::Solid& shape);

/// The length to which tolerances are relative. @pre can_be_found
[[nodiscard]] double smallest_length(const shapes::space::Solid& shape);

/// The radius of the ball about the centre that contains it. @pre can_be_found
[[nodiscard]] double reach(const shapes::space::Solid& shape);

/// Contact of two shapes: a sphere touches in one point, faces in the corners of the shared region,
/// an edge on a face in its two ends, a corner or crossed edges in one point.
/// @param tolerance  gaps and overlaps up to this count as zero [m]
/// @pre can_be_found
[[nodiscard]] SpatialTouch touch(const PlacedShape& first, const PlacedShape& second,
                                 double tolerance);

/// Contact with the floor z = 0 below it.
[[nodiscard]] SpatialTouch touch_floor(const PlacedShape& body, double tolerance);

/// Two boxes; see touch.
[[nodiscard]] SpatialTouch touch_boxes(const PlacedShape& first, const PlacedShape& second,
                                       double tolerance);

}  // namespace carom
