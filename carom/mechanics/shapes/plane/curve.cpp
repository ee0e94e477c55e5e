// SPDX-License-Identifier: Apache-2.0
#include <carom/mechanics/shapes/plane/curve.hpp>

#include <algorithm>
#include <cmath>

namespace carom::shapes::plane {

namespace {

/// Newton's method takes 3 to 8 steps, bisection of a quarter turn to rounding 53; a few more for
/// needles, whose normals crowd about an axis.
constexpr int most_steps = 100;

/// f' is a sum of lengths; below this part of them it is rounding.
constexpr double slope_rounding = 4. * epsilon;

double extent(const Curve<double>& c) { return std::max(c.semi_axes[0], c.semi_axes[1]); }

/// Finds the zero of f' at which f is greatest. `lo` and `hi` bracket it (lo is clockwise of hi)
/// where `bracketed`; otherwise the search goes uphill until it has one. The steps until then are
/// at most `longest_step` [rad], so that no maximum is passed unseen: f is concave where it is
/// positive.
Point climb(const Curve<double>& first, const Curve<double>& second, Point n, Point lo, Point hi,
            bool bracketed) {
  constexpr double longest_step = 0.5;
  const double noise =
      slope_rounding * (length(first.centre - second.centre) + extent(first) + extent(second));
  bool has_lo = bracketed;
  bool has_hi = bracketed;
  for (int step = 0; step < most_steps; ++step) {
    const Separation<double> at = separation(first, second, n);
    const bool summit = at.curvature > 0.;
    if (summit && std::abs(at.slope) <= noise) return tilted(n, at.slope / at.curvature);
    (at.slope > 0. ? lo : hi) = n;
    (at.slope > 0. ? has_lo : has_hi) = true;
    const double uphill = std::copysign(longest_step, at.slope);
    double angle = summit ? at.slope / at.curvature : uphill;
    if (std::abs(angle) > longest_step) angle = uphill;
    Point next = tilted(n, angle);
    if (has_lo && has_hi && !(cross(lo, next) > 0. && cross(next, hi) > 0.)) {
      next = normalised(lo + hi);
    }
    if (next == n) break;
    n = next;
  }
  return n;
}

/// The outward normal of an ellipse at the point nearest to p. All in the ellipse's axes, p from
/// its centre. That point lies in the quadrant of p, and there f' has one zero: the normals through
/// p that meet the ellipse elsewhere have their feet in other quadrants.
Point normal_towards(const std::array<double, 2>& semi_axes, const Point& p) {
  const Point folded{std::abs(p.x), std::abs(p.y)};
  const Curve<double> point{.centre = folded, .axis = {1., 0.}};
  const Curve<double> curve{.axis = {1., 0.}, .semi_axes = semi_axes};
  // The normal of the similar ellipse through p.
  const double ratio = semi_axes[1] / semi_axes[0];
  const Point similar{folded.x * ratio, folded.y / ratio};
  const bool central = !(length(similar) > 0.);
  const Point start = normalised(central ? Point{1., 1.} : similar);
  const Point n = climb(point, curve, start, {1., 0.}, {0., 1.}, true);
  return {std::copysign(n.x, p.x), std::copysign(n.y, p.y)};
}

/// A direction that separates two ellipses if any does. In coordinates in which the first is the
/// unit circle, it is the normal of the second at the point nearest to the circle's centre;
/// touching ellipses have their tangent in common in any coordinates.
Point separating(const Curve<double>& first, const Curve<double>& second) {
  const double a = first.semi_axes[0];
  const double b = first.semi_axes[1];
  const auto shrunk = [&](const Point& v) {
    const Point own = turned_back(first.axis, v);
    return Point{own.x / a, own.y / b};
  };
  // The second there: centre + x cos + y sin; half axes by the eigenvectors of x x^T + y y^T.
  const Point centre = shrunk(second.centre - first.centre);
  const Point x = second.semi_axes[0] * shrunk(second.axis);
  const Point y = second.semi_axes[1] * shrunk(quarter_turn(second.axis));
  const double xx = x.x * x.x + y.x * y.x;
  const double yy = x.y * x.y + y.y * y.y;
  const double xy = x.x * x.y + y.x * y.y;
  const double angle = 0.5 * std::atan2(2. * xy, xx - yy);
  const Point axis{std::cos(angle), std::sin(angle)};
  const double major =
      std::sqrt(0.5 * (xx + yy) + std::sqrt(0.25 * (xx - yy) * (xx - yy) + xy * xy));
  const double minor = std::abs(cross(x, y)) / major;
  const Point n = turned(axis, normal_towards({major, minor}, turned_back(axis, -centre)));
  return normalised(turned(first.axis, Point{n.x / a, n.y / b}));
}

}  // namespace

Point common_normal(const Curve<double>& first, const Curve<double>& second) {
  const Point d = first.centre - second.centre;
  if (first.is_point()) {
    return turned(second.axis, normal_towards(second.semi_axes, turned_back(second.axis, d)));
  }
  if (second.is_point()) {
    return -turned(first.axis, normal_towards(first.semi_axes, turned_back(first.axis, -d)));
  }
  return climb(first, second, separating(first, second), {}, {}, false);
}

}  // namespace carom::shapes::plane
