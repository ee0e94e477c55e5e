// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <type_traits>

/// Triples and symmetric matrices in the frame of one contact in space: (normal, tangent1,
/// tangent2), right-handed, normal x tangent1 = tangent2.
namespace carom {

/// A velocity [m/s], an impulse [N s], a spin [rad/s] or a couple [N m s] at a contact.
template <class S>
struct BasicVec3 {
  S n{};   ///< normal: positive separates (velocity), pushes apart (impulse)
  S t1{};  ///< along the first tangent
  S t2{};  ///< along the second tangent

  bool operator==(const BasicVec3&) const = default;
};

using Vec3 = BasicVec3<double>;

/// A symmetric 3 x 3 matrix, such as the contact inverse inertia G [1/kg].
struct Sym3 {
  double nn = 0.;
  double n1 = 0.;
  double n2 = 0.;
  double t11 = 0.;
  double t12 = 0.;
  double t22 = 0.;

  bool operator==(const Sym3&) const = default;
};

/// Any 3 x 3 matrix, row by row.
using Mat3 = std::array<std::array<double, 3>, 3>;

template <class S>
[[nodiscard]] constexpr BasicVec3<S> operator*(const Sym3& G, const BasicVec3<S>& p) {
  return {.n = G.nn * p.n + G.n1 * p.t1 + G.n2 * p.t2,
          .t1 = G.n1 * p.n + G.t11 * p.t1 + G.t12 * p.t2,
          .t2 = G.n2 * p.n + G.t12 * p.t1 + G.t22 * p.t2};
}

template <class S>
[[nodiscard]] constexpr BasicVec3<S> operator*(const Mat3& m, const BasicVec3<S>& p) {
  const auto row = [&](const std::array<double, 3>& r) {
    return r[0] * p.n + r[1] * p.t1 + r[2] * p.t2;
  };
  return {.n = row(m[0]), .t1 = row(m[1]), .t2 = row(m[2])};
}

template <class S>
[[nodiscard]] constexpr BasicVec3<S> operator+(const BasicVec3<S>& a, const BasicVec3<S>& b) {
  return {.n = a.n + b.n, .t1 = a.t1 + b.t1, .t2 = a.t2 + b.t2};
}

template <class S>
[[nodiscard]] constexpr BasicVec3<S> operator-(const BasicVec3<S>& a, const BasicVec3<S>& b) {
  return {.n = a.n - b.n, .t1 = a.t1 - b.t1, .t2 = a.t2 - b.t2};
}

template <class S>
[[nodiscard]] constexpr BasicVec3<S> operator*(const std::type_identity_t<S>& a,
                                               const BasicVec3<S>& b) {
  return {.n = a * b.n, .t1 = a * b.t1, .t2 = a * b.t2};
}

template <class S>
[[nodiscard]] constexpr S dot(const BasicVec3<S>& a, const BasicVec3<S>& b) {
  return a.n * b.n + a.t1 * b.t1 + a.t2 * b.t2;
}

/// The speed of slip.
[[nodiscard]] inline double tangential_size(const Vec3& v) { return std::hypot(v.t1, v.t2); }

}  // namespace carom
