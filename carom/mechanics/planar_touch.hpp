// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <variant>
#include <vector>

/// Contact of plane shapes. World axes, lengths [m].
namespace carom {

struct DiscOutline {
  double radius = 1.;
};

/// A rectangle; with zero width a thin bar.
struct BoxOutline {
  double length = 1.;  ///< along the body's x
  double width = 1.;   ///< along the body's y
};

/// monostate: a body without outline, whose contacts must be given.
using Outline = std::variant<std::monostate, DiscOutline, BoxOutline>;

struct PlacedOutline {
  Outline outline{};
  std::array<double, 2> position{};            ///< of the centre
  std::array<double, 2> direction = {1., 0.};  ///< of the body's x, a unit vector
};

struct PlanarTouchPoint {
  std::array<double, 2> point{};
  std::array<double, 2> normal{};  ///< points into the first
};

struct PlanarTouch {
  double gap = 0.;                       ///< negative if they overlap
  std::vector<PlanarTouchPoint> points;  ///< empty if the gap exceeds the tolerance
};

/// Moment of inertia about the centre [kg m^2]. @pre it has an outline
[[nodiscard]] double inertia_of(const Outline& outline, double mass);

/// The smallest nonzero length of an outline, to which tolerances are relative.
[[nodiscard]] double smallest_length(const Outline& outline);

/// The radius of the circle about the centre that contains it.
[[nodiscard]] double reach(const Outline& outline);

/// Contact of two outlines: discs touch in one point, sides in the two ends of the shared segment.
/// @param tolerance  gaps and overlaps up to this count as zero [m]
/// @pre both have an outline
[[nodiscard]] PlanarTouch touch(const PlacedOutline& first, const PlacedOutline& second,
                                double tolerance);

/// Contact with the floor y = 0 below it.
[[nodiscard]] PlanarTouch touch_floor(const PlacedOutline& body, double tolerance);

}  // namespace carom
