// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>
#include <numbers>
#include <random>
#include <vector>

#include <carom/mechanics/shapes/plane/shape.hpp>

/// Random convex shapes of the plane, of size 1.
namespace carom::test {

/// Numbers by our own arithmetic: distributions of the standard library differ between libraries.
class Draw {
 public:
  explicit Draw(unsigned seed) : engine_(seed) {}
  double operator()(double lo, double hi) {
    return lo + (hi - lo) * (static_cast<double>(engine_() >> 11U) * 0x1p-53);
  }
  std::size_t below(std::size_t n) { return engine_() % n; }
  shapes::plane::Point point(double size) {
    const double x = (*this)(-size, size);
    return {x, (*this)(-size, size)};
  }

 private:
  std::mt19937_64 engine_;
};

enum class Kind { disc, ellipse, capsule, bar, box, round_box, polygon, round_polygon, half_plane };
inline constexpr std::size_t finite_kinds = 8;
inline constexpr std::size_t kinds = 9;

/// A convex polygon inscribed in an ellipse: angles apart by at least a quarter of the mean.
inline std::vector<shapes::plane::Point> inscribed(Draw& draw) {
  const std::size_t n = 3 + draw.below(6);
  const double x = draw(0.3, 1.);
  const double y = draw(0.3, 1.);
  const double start = draw(0., 2. * std::numbers::pi);
  std::vector<shapes::plane::Point> points;
  for (std::size_t k = 0; k < n; ++k) {
    const double a = start + 2. * std::numbers::pi * (static_cast<double>(k) + draw(0., 0.75)) /
                                 static_cast<double>(n);
    points.push_back({x * std::cos(a), y * std::sin(a)});
  }
  return points;
}

inline shapes::plane::Shape random_shape(Kind kind, Draw& draw) {
  using namespace shapes::plane;
  const Point centre = draw.below(2) == 0 ? Point{} : draw.point(0.5);
  switch (kind) {
    case Kind::disc:
      return disc(draw(0.05, 1.), centre);
    case Kind::ellipse: {
      const double a = draw(0.2, 1.);
      const double b = a * std::pow(10., draw(-1.5, 0.));
      return draw.below(2) == 0 ? ellipse({a, b}, centre) : ellipse({b, a}, centre);
    }
    case Kind::capsule: {
      const double length = draw(0.1, 1.);
      return capsule(length, draw(0.02, 0.5), centre);
    }
    case Kind::bar:
      return bar(draw(0.2, 2.), centre);
    case Kind::box:
    case Kind::round_box: {
      const double length = draw(0.2, 2.);
      const double width = draw(0.2, 2.);
      return box(length, width, kind == Kind::box ? 0. : draw(0.001, 0.09), centre);
    }
    case Kind::polygon:
      return moved(polygon(inscribed(draw)), centre);
    case Kind::round_polygon: {
      const auto points = inscribed(draw);
      return moved(polygon(points, draw(1e-4, 5e-3)), centre);
    }
    case Kind::half_plane:
      break;
  }
  return half_plane();
}

}  // namespace carom::test
