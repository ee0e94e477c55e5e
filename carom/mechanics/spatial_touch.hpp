// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <carom/core/spatial.hpp>
#include <carom/core/world.hpp>
#include <carom/mechanics/spatial_bodies.hpp>
#include <carom/mechanics/spatial_shapes.hpp>

/// Where spheres and boxes touch. World axes, lengths [m].
namespace carom {

struct PlacedShape {
  SpatialShape shape{};
  World3 position{};             ///< of the centre
  Mat3 orientation = identity3;  ///< columns: the body's axes in the world
};

struct SpatialTouchPoint {
  World3 point{};
  World3 normal{};  ///< into the first
};

struct SpatialTouch {
  double gap = 0.;                        ///< negative where they overlap
  std::vector<SpatialTouchPoint> points;  ///< none where the gap exceeds the tolerance
};

/// Are contacts of this shape found?
[[nodiscard]] bool can_be_found(const SpatialShape& shape);

/// What tolerances are relative to. @pre can_be_found
[[nodiscard]] double smallest_length(const SpatialShape& shape);

/// The radius of the ball about the centre that holds it. @pre can_be_found
[[nodiscard]] double reach(const SpatialShape& shape);

/// Where two touch: a sphere in one point, faces in the corners of the region that they share, an
/// edge on a face in its two ends, a corner or crossed edges in one point.
/// @param tolerance  a gap or an overlap up to this is none [m]
/// @pre can_be_found
[[nodiscard]] SpatialTouch touch(const PlacedShape& first, const PlacedShape& second,
                                 double tolerance);

/// Where one touches the floor z = 0, below it.
[[nodiscard]] SpatialTouch touch_floor(const PlacedShape& body, double tolerance);

/// Two boxes; see touch.
[[nodiscard]] SpatialTouch touch_boxes(const PlacedShape& first, const PlacedShape& second,
                                       double tolerance);

}  // namespace carom
