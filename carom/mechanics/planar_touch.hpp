// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <variant>
#include <vector>

/// Where plane shapes touch. World axes, lengths [m].
namespace carom {

struct DiscOutline {
  double radius = 1.;
};

/// A rectangle; without width a thin bar.
struct BoxOutline {
  double length = 1.;  ///< along the body's x
  double width = 1.;   ///< along the body's y
};

/// None: a body whose contacts can only be given.
using Outline = std::variant<std::monostate, DiscOutline, BoxOutline>;

struct PlacedOutline {
  Outline outline{};
  std::array<double, 2> position{};            ///< of the centre
  std::array<double, 2> direction = {1., 0.};  ///< of the body's x, a unit vector
};

struct PlanarTouchPoint {
  std::array<double, 2> point{};
  std::array<double, 2> normal{};  ///< into the first
};

struct PlanarTouch {
  double gap = 0.;                       ///< negative where they overlap
  std::vector<PlanarTouchPoint> points;  ///< none where the gap exceeds the tolerance
};

/// About the centre [kg m^2]. @pre it has an outline
[[nodiscard]] double inertia_of(const Outline& outline, double mass);

/// The smallest length of an outline that is not zero: what tolerances are relative to.
[[nodiscard]] double smallest_length(const Outline& outline);

/// The radius of the circle about the centre that holds it.
[[nodiscard]] double reach(const Outline& outline);

/// Where two touch: discs in one point, sides in the two ends of what they share.
/// @param tolerance  a gap or an overlap up to this is none [m]
/// @pre both have an outline
[[nodiscard]] PlanarTouch touch(const PlacedOutline& first, const PlacedOutline& second,
                                double tolerance);

/// Where one touches the floor y = 0, below it.
[[nodiscard]] PlanarTouch touch_floor(const PlacedOutline& body, double tolerance);

}  // namespace carom
