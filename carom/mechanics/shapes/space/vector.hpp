// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include <carom/core/scalar.hpp>
#include <carom/core/world.hpp>
#include <carom/mechanics/shapes/rate.hpp>

/// Vectors, rotations and poses on any scalar.
namespace carom::shapes::space {

using carom::value_of;

using Rate = WithRate;

template <class S>
struct Vector {
  S x{};
  S y{};
  S z{};

  friend constexpr Vector operator-(const Vector& a) { return {-a.x, -a.y, -a.z}; }
  friend constexpr Vector operator+(const Vector& a, const Vector& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
  }
  friend constexpr Vector operator-(const Vector& a, const Vector& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
  }
  friend constexpr Vector operator*(const S& s, const Vector& a) {
    return {s * a.x, s * a.y, s * a.z};
  }
  friend constexpr S dot(const Vector& a, const Vector& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
  }
  friend constexpr Vector cross(const Vector& a, const Vector& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
  }
  friend S norm(const Vector& a) {
    using std::sqrt;
    return sqrt(dot(a, a));
  }
  /// @pre not zero
  friend Vector unit(const Vector& a) { return (S(1.) / norm(a)) * a; }
};

using V3 = Vector<double>;

[[nodiscard]] constexpr V3 vector(const World3& a) { return {a[0], a[1], a[2]}; }
[[nodiscard]] constexpr World3 world(const V3& a) { return {a.x, a.y, a.z}; }
template <class S>
[[nodiscard]] constexpr V3 value_of(const Vector<S>& a) {
  return {value_of(a.x), value_of(a.y), value_of(a.z)};
}

/// A rotation: its columns are the body's axes in the world.
template <class S>
struct Rotation {
  std::array<Vector<S>, 3> axes{Vector<S>{1., 0., 0.}, Vector<S>{0., 1., 0.},
                                Vector<S>{0., 0., 1.}};

  /// A vector fixed in the body, in world axes.
  [[nodiscard]] constexpr Vector<S> operator*(const V3& a) const {
    return S(a.x) * axes[0] + S(a.y) * axes[1] + S(a.z) * axes[2];
  }
  /// A vector of world axes, in body axes.
  [[nodiscard]] constexpr Vector<S> back(const Vector<S>& a) const {
    return {dot(axes[0], a), dot(axes[1], a), dot(axes[2], a)};
  }
};

/// Where a body is: its mass centre [m] and its axes.
template <class S>
struct BasicPose {
  Vector<S> position{};
  Rotation<S> turn{};
};

using Pose = BasicPose<double>;

/// The rotation of a quaternion (w, x, y, z) of any nonzero length.
[[nodiscard]] constexpr Rotation<double> rotation_of(const std::array<double, 4>& q) {
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  const double k = 2. / (w * w + x * x + y * y + z * z);
  return {{V3{1. - k * (y * y + z * z), k * (x * y + w * z), k * (x * z - w * y)},
           V3{k * (x * y - w * z), 1. - k * (x * x + z * z), k * (y * z + w * x)},
           V3{k * (x * z + w * y), k * (y * z - w * x), 1. - k * (x * x + y * y)}}};
}

}  // namespace carom::shapes::space
