// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Pairs and symmetric matrices in the plane of one contact: (normal, tangential).
namespace carom {

/// A velocity [m/s] or an impulse [N s] at a contact.
template <class S>
struct BasicVec2 {
  S n{};  ///< normal: positive separates (velocity), pushes apart (impulse)
  S t{};  ///< tangential

  bool operator==(const BasicVec2&) const = default;
};

/// A symmetric 2 x 2 matrix, such as the contact inverse inertia G [1/kg].
template <class S>
struct BasicSym2 {
  S nn{};
  S nt{};
  S tt{};

  bool operator==(const BasicSym2&) const = default;
};

using Vec2 = BasicVec2<double>;
using Sym2 = BasicSym2<double>;

template <class S>
[[nodiscard]] constexpr BasicVec2<S> operator*(const BasicSym2<S>& G, const BasicVec2<S>& p) {
  return {.n = G.nn * p.n + G.nt * p.t, .t = G.nt * p.n + G.tt * p.t};
}

template <class S>
[[nodiscard]] constexpr BasicVec2<S> operator+(const BasicVec2<S>& a, const BasicVec2<S>& b) {
  return {.n = a.n + b.n, .t = a.t + b.t};
}

template <class S>
[[nodiscard]] constexpr BasicVec2<S> operator-(const BasicVec2<S>& a, const BasicVec2<S>& b) {
  return {.n = a.n - b.n, .t = a.t - b.t};
}

template <class S>
[[nodiscard]] constexpr BasicVec2<S> operator*(const S& a, const BasicVec2<S>& b) {
  return {.n = a * b.n, .t = a * b.t};
}

template <class S>
[[nodiscard]] constexpr S dot(const BasicVec2<S>& a, const BasicVec2<S>& b) {
  return a.n * b.n + a.t * b.t;
}

template <class S>
[[nodiscard]] constexpr S determinant(const BasicSym2<S>& G) {
  return G.nn * G.tt - G.nt * G.nt;
}

}  // namespace carom
