// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <carom/mechanics/shapes/plane/shape.hpp>

/// What a vertex and an ellipse have in common: a convex curve about a centre, known by its support
/// function in the direction of a unit vector n,
///
///     h(n) = sqrt(a^2 n_x^2 + b^2 n_y^2)    in the ellipse's axes,
///
/// so that c + grad h(n) is its farthest point along n, and rho = a^2 b^2/h^3 its radius of
/// curvature there. A vertex has a = b = 0. The rounding of corners is left to the callers: it adds
/// to h and changes neither the common normal nor where along an edge the curve touches.
namespace carom::shapes::plane {

template <class S>
struct Curve {
  BasicPoint<S> centre{};
  BasicPoint<S> axis{};  ///< the ellipse's x axis
  std::array<double, 2> semi_axes{};

  [[nodiscard]] bool is_point() const { return semi_axes[0] == 0.; }
};

/// The support of a curve in one direction.
template <class S>
struct Support {
  S height{};             ///< h
  BasicPoint<S> point{};  ///< grad h, from the centre
  S curvature_radius{};   ///< rho
};

template <class S>
[[nodiscard]] Support<S> support(const Curve<S>& curve, const BasicPoint<S>& n) {
  if (curve.is_point()) return {};
  const BasicPoint<S> m = turned_back(curve.axis, n);
  const S a2(curve.semi_axes[0] * curve.semi_axes[0]);
  const S b2(curve.semi_axes[1] * curve.semi_axes[1]);
  const BasicPoint<S> g{a2 * m.x, b2 * m.y};
  const S h = root(dot(m, g));
  return {h, turned(curve.axis, BasicPoint<S>{g.x / h, g.y / h}), a2 * b2 / (h * h * h)};
}

/// The separation of two curves along n, which points from the second to the first,
///
///     f(n) = n . (c1 - c2) - h1(n) - h2(n),
///
/// and its derivatives by the angle of n; f'' + f = -(rho1 + rho2). The distance is the greatest f,
/// and there n is the common normal.
template <class S>
struct Separation {
  S f{};
  S slope{};      ///< f'
  S curvature{};  ///< -f''
};

template <class S>
[[nodiscard]] Separation<S> separation(const Curve<S>& first, const Curve<S>& second,
                                       const BasicPoint<S>& n) {
  const BasicPoint<S> d = first.centre - second.centre;
  const Support<S> one = support(first, n);
  const Support<S> two = support(second, n);
  const S f = dot(n, d) - (one.height + two.height);
  return {f, dot(quarter_turn(n), d - (one.point + two.point)),
          f + (one.curvature_radius + two.curvature_radius)};
}

/// n turned by a small angle, up to its third power.
template <class S>
[[nodiscard]] BasicPoint<S> tilted(const BasicPoint<S>& n, const S& angle) {
  return normalised(n + angle * quarter_turn(n));
}

/// The common normal of two curves, from the second to the first, to rounding: Newton's method on
/// f' = 0, kept within a bracket. Where they overlap it is the direction of least overlap as long
/// as the overlap is less than the radii of curvature; deeper, a direction of locally least
/// overlap.
[[nodiscard]] Point common_normal(const Curve<double>& first, const Curve<double>& second);

/// The same on any scalar. A Newton step in that scalar from the solution carries first
/// derivatives over: the solution's own derivative is -(df'/dt)/f''.
template <class S>
[[nodiscard]] BasicPoint<S> common_normal_of(const Curve<S>& first, const Curve<S>& second) {
  if (first.is_point() && second.is_point()) {
    const BasicPoint<S> d = first.centre - second.centre;
    if (value_of(d) == Point{}) return {S(0.), S(1.)};  // any direction
    return normalised(d);
  }
  const auto plain = [](const Curve<S>& c) {
    return Curve<double>{value_of(c.centre), value_of(c.axis), c.semi_axes};
  };
  const BasicPoint<S> n = as<S>(common_normal(plain(first), plain(second)));
  const Separation<S> at = separation(first, second, n);
  if (!(value_of(at.curvature) > 0.)) return n;  // at a centre of curvature: far inside
  return tilted(n, at.slope / at.curvature);
}

}  // namespace carom::shapes::plane
