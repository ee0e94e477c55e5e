// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <type_traits>

#include <carom/core/scalar.hpp>
#include <carom/core/spatial.hpp>

/// The tangent plane of one contact in space: pairs, and the tangential block A of G undone.
namespace carom {

/// A vector in the tangent plane.
template <class S>
struct BasicTangent {
  S t1{};
  S t2{};

  bool operator==(const BasicTangent&) const = default;
};

using Tangent = BasicTangent<double>;

template <class S>
[[nodiscard]] constexpr BasicTangent<S> operator+(const BasicTangent<S>& a,
                                                  const BasicTangent<S>& b) {
  return {.t1 = a.t1 + b.t1, .t2 = a.t2 + b.t2};
}
template <class S>
[[nodiscard]] constexpr BasicTangent<S> operator-(const BasicTangent<S>& a,
                                                  const BasicTangent<S>& b) {
  return {.t1 = a.t1 - b.t1, .t2 = a.t2 - b.t2};
}
template <class S>
[[nodiscard]] constexpr BasicTangent<S> operator*(const std::type_identity_t<S>& a,
                                                  const BasicTangent<S>& b) {
  return {.t1 = a * b.t1, .t2 = a * b.t2};
}
template <class S>
[[nodiscard]] constexpr S dot(const BasicTangent<S>& a, const BasicTangent<S>& b) {
  return a.t1 * b.t1 + a.t2 * b.t2;
}
/// A quarter turn from tangent1 to tangent2.
template <class S>
[[nodiscard]] constexpr BasicTangent<S> quarter_turn(const BasicTangent<S>& x) {
  return {.t1 = -x.t2, .t2 = x.t1};
}
/// Positive where b lies to the left of a, seen against the normal.
template <class S>
[[nodiscard]] constexpr S cross(const BasicTangent<S>& a, const BasicTangent<S>& b) {
  return a.t1 * b.t2 - a.t2 * b.t1;
}
/// Not hypot, which takes longer than a whole law: magnitudes are held within 1e-60 and 1e60.
template <class S>
[[nodiscard]] S size(const BasicTangent<S>& a) {
  using std::sqrt;
  return sqrt(dot(a, a));
}
/// The same without overflow or underflow at any magnitude, and exact along an axis.
[[nodiscard]] inline double length(const Tangent& x) {
  const double m = std::fmax(std::abs(x.t1), std::abs(x.t2));
  if (!(m > 0.)) return 0.;
  const Tangent y{.t1 = x.t1 / m, .t2 = x.t2 / m};
  return m * std::sqrt(dot(y, y));
}
template <class S>
[[nodiscard]] constexpr bool is_zero(const BasicTangent<S>& a) {
  return a.t1 == S(0.) && a.t2 == S(0.);
}

template <class S>
[[nodiscard]] constexpr BasicTangent<S> tangential(const BasicVec3<S>& v) {
  return {.t1 = v.t1, .t2 = v.t2};
}
template <class S>
[[nodiscard]] constexpr BasicVec3<S> joined(const S& n, const BasicTangent<S>& t) {
  return {.n = n, .t1 = t.t1, .t2 = t.t2};
}

/// Without derivatives.
template <class S>
[[nodiscard]] constexpr Vec3 value_of(const BasicVec3<S>& v) {
  return {.n = value_of(v.n), .t1 = value_of(v.t1), .t2 = value_of(v.t2)};
}

/// G_Tn: the slip that a unit normal impulse makes.
[[nodiscard]] constexpr Tangent coupling(const Sym3& G) { return {.t1 = G.n1, .t2 = G.n2}; }
/// A x, A = G_TT.
template <class S>
[[nodiscard]] constexpr BasicTangent<S> tangential_product(const Sym3& G,
                                                           const BasicTangent<S>& x) {
  return {.t1 = G.t11 * x.t1 + G.t12 * x.t2, .t2 = G.t12 * x.t1 + G.t22 * x.t2};
}

/// Solves A x = y for the tangential block A = G_TT, by elimination from the larger diagonal entry;
/// where A is singular, for the least x.
class TangentialInverse {
 public:
  explicit constexpr TangentialInverse(const Sym3& G)
      : a_(G.t11), b_(G.t12), c_(G.t22), swapped_(G.t22 > G.t11) {
    if (swapped_) {
      a_ = G.t22;
      c_ = G.t11;
    }
    factor_ = a_ > 0. ? b_ / a_ : 0.;
    rest_ = c_ - factor_ * b_;
    regular_ = rest_ > rounding * c_ && a_ > 0.;
  }

  [[nodiscard]] constexpr bool regular() const { return regular_; }

  template <class S>
  [[nodiscard]] constexpr BasicTangent<S> operator*(const BasicTangent<S>& y) const {
    const S first = swapped_ ? y.t2 : y.t1;
    const S second = swapped_ ? y.t1 : y.t2;
    S x(0.);
    S z(0.);
    if (regular_) {
      z = (second - factor_ * first) / rest_;
      x = (first - b_ * z) / a_;
    } else if (a_ > 0.) {
      x = first / (a_ * (1. + factor_ * factor_));
      z = factor_ * x;
    }
    return swapped_ ? BasicTangent<S>{.t1 = z, .t2 = x} : BasicTangent<S>{.t1 = x, .t2 = z};
  }

  /// Is there an x at all? Up to `tolerance`, relative.
  template <class S>
  [[nodiscard]] constexpr bool reaches(const BasicTangent<S>& y, double tolerance) const {
    if (regular_) return true;
    const S first = swapped_ ? y.t2 : y.t1;
    const S second = swapped_ ? y.t1 : y.t2;
    if (!(a_ > 0.)) return is_zero(y);
    const S made = factor_ * first;
    return magnitude(second - made) <= tolerance * (magnitude(second) + magnitude(made));
  }

 private:
  double a_;  // the larger diagonal entry
  double b_;
  double c_;
  bool swapped_;
  double factor_ = 0.;
  double rest_ = 0.;
  bool regular_ = false;
};

}  // namespace carom
