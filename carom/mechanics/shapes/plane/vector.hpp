// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include <carom/core/scalar.hpp>

/// Vectors of the plane (x right, y up) on any scalar, and turned axes. Angles counter-clockwise.
namespace carom::shapes::plane {

template <class S>
struct BasicPoint {
  S x{};
  S y{};

  bool operator==(const BasicPoint&) const = default;
};
using Point = BasicPoint<double>;

template <class S>
[[nodiscard]] constexpr BasicPoint<S> operator+(const BasicPoint<S>& a, const BasicPoint<S>& b) {
  return {a.x + b.x, a.y + b.y};
}
template <class S>
[[nodiscard]] constexpr BasicPoint<S> operator-(const BasicPoint<S>& a, const BasicPoint<S>& b) {
  return {a.x - b.x, a.y - b.y};
}
template <class S>
[[nodiscard]] constexpr BasicPoint<S> operator-(const BasicPoint<S>& a) {
  return {-a.x, -a.y};
}
template <class S>
[[nodiscard]] constexpr BasicPoint<S> operator*(const S& k, const BasicPoint<S>& a) {
  return {k * a.x, k * a.y};
}
template <class S>
[[nodiscard]] constexpr S dot(const BasicPoint<S>& a, const BasicPoint<S>& b) {
  return a.x * b.x + a.y * b.y;
}
/// Positive where b lies counter-clockwise of a.
template <class S>
[[nodiscard]] constexpr S cross(const BasicPoint<S>& a, const BasicPoint<S>& b) {
  return a.x * b.y - a.y * b.x;
}
/// A quarter turn counter-clockwise.
template <class S>
[[nodiscard]] constexpr BasicPoint<S> quarter_turn(const BasicPoint<S>& a) {
  return {-a.y, a.x};
}
/// Not hypot, which takes longer than a whole pair: magnitudes are held within 1e-60 and 1e60.
template <class S>
[[nodiscard]] S length(const BasicPoint<S>& a) {
  return root(dot(a, a));
}
template <class S>
[[nodiscard]] BasicPoint<S> normalised(const BasicPoint<S>& a) {
  const S size = length(a);
  return {a.x / size, a.y / size};
}

using carom::value_of;

/// Constants in another scalar.
template <class S>
[[nodiscard]] constexpr BasicPoint<S> as(const Point& a) {
  return {S(a.x), S(a.y)};
}
/// The numbers alone, without derivatives.
template <class S>
[[nodiscard]] constexpr Point value_of(const BasicPoint<S>& a) {
  return {value_of(a.x), value_of(a.y)};
}

/// `a` turned by the angle of the unit vector `axis` = (cos, sin), and turned back.
template <class S>
[[nodiscard]] constexpr BasicPoint<S> turned(const BasicPoint<S>& axis, const BasicPoint<S>& a) {
  return {axis.x * a.x - axis.y * a.y, axis.y * a.x + axis.x * a.y};
}
template <class S>
[[nodiscard]] constexpr BasicPoint<S> turned_back(const BasicPoint<S>& axis,
                                                  const BasicPoint<S>& a) {
  return {axis.x * a.x + axis.y * a.y, axis.x * a.y - axis.y * a.x};
}

/// Where a body is: its mass centre and its angle.
template <class S>
struct BasicPose {
  BasicPoint<S> position{};  ///< [m]
  S angle{};                 ///< [rad]
};
using Pose = BasicPose<double>;

/// Its body's x axis in the world.
template <class S>
[[nodiscard]] BasicPoint<S> axis_of(const BasicPose<S>& pose) {
  using std::cos;
  using std::sin;
  return {cos(pose.angle), sin(pose.angle)};
}

}  // namespace carom::shapes::plane
