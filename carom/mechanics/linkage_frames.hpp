// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include <carom/mechanics/linkage.hpp>

/// Frames of the links of a linkage: shared by impacts and motion.
namespace carom::linkages {

using Pair = std::array<double, 2>;

constexpr Pair operator+(const Pair& a, const Pair& b) { return {a[0] + b[0], a[1] + b[1]}; }
constexpr Pair operator-(const Pair& a, const Pair& b) { return {a[0] - b[0], a[1] - b[1]}; }
constexpr Pair operator*(double k, const Pair& a) { return {k * a[0], k * a[1]}; }
constexpr double dot(const Pair& a, const Pair& b) { return a[0] * b[0] + a[1] * b[1]; }
constexpr double cross(const Pair& a, const Pair& b) { return a[0] * b[1] - a[1] * b[0]; }
/// k x a, the velocity of a point at `a` from the centre of a unit spin.
constexpr Pair turned(const Pair& a) { return {-a[1], a[0]}; }

constexpr std::size_t index(int link) { return static_cast<std::size_t>(link); }

/// Position and orientation of a link's frame.
struct Frame {
  Pair origin{};  ///< at the link's joint
  double angle = 0.;
  double c = 1.;  ///< cos angle
  double s = 0.;  ///< sin angle

  [[nodiscard]] Pair direction(const Pair& a) const {
    return {c * a[0] - s * a[1], s * a[0] + c * a[1]};
  }
  [[nodiscard]] Pair point(const Pair& a) const { return origin + direction(a); }
};

inline Frame frame_at(const Pair& origin, double angle) {
  return {.origin = origin, .angle = angle, .c = std::cos(angle), .s = std::sin(angle)};
}

/// The frame of a link at `position`, from its parent's.
inline Frame frame_of(const Link& link, double position, const Frame& parent,
                      bool relative_angles) {
  const Pair at = parent.point(link.at);
  if (link.joint == JointKind::revolute) {
    return frame_at(at, position + (relative_angles ? parent.angle : 0.));
  }
  Frame f = frame_at(at, parent.angle + link.axis);
  f.origin = at + position * Pair{f.c, f.s};
  return f;
}

}  // namespace carom::linkages
