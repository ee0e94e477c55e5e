// SPDX-License-Identifier: Apache-2.0
#include <carom/report/plot_view.hpp>

#include <cmath>

#include <fmt/format.h>

namespace carom::report {

double unit_of(const Range& r) {
  const double largest = std::max(std::abs(r.least), std::abs(r.most));
  if (!(largest > 0.) || (largest >= 0.01 && largest < 10'000.)) return 1.;
  return std::pow(10., 3. * std::floor(std::log10(largest) / 3.));
}

std::string with_unit(double unit, std::string_view si) {
  if (unit == 1.) return std::string(si);
  return fmt::format("10^{{{}}} {}", static_cast<int>(std::lround(std::log10(unit))), si);
}

double tick_distance(const Range& r, double unit, int most) {
  const double least = r.size() / unit / most;
  const double power = std::pow(10., std::floor(std::log10(least)));
  for (const double round : {1., 2., 5.}) {
    if (round * power >= least) return round * power;
  }
  return 10. * power;
}

std::vector<Point> clipped(std::vector<Point> polygon, const View& view) {
  const auto keep = [&](std::size_t axis, double bound, double side) {
    std::vector<Point> kept;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
      const Point& a = polygon[i];
      const Point& b = polygon[(i + 1) % polygon.size()];
      const double in_a = side * (a[axis] - bound);
      const double in_b = side * (b[axis] - bound);
      if (in_a >= 0.) kept.push_back(a);
      if (in_a * in_b < 0.) {
        const double s = in_a / (in_a - in_b);
        kept.push_back({a[0] + s * (b[0] - a[0]), a[1] + s * (b[1] - a[1])});
      }
    }
    polygon = std::move(kept);
  };
  keep(0, view.t.least, 1.);
  keep(0, view.t.most, -1.);
  keep(1, view.n.least, 1.);
  keep(1, view.n.most, -1.);
  return polygon;
}

std::vector<Point> line(double a, double b, double c, const View& view) {
  const double height = view.n.size();
  const double width = view.t.size();
  if (!(std::abs(a) * height + std::abs(b) * width > 0.)) return {};
  // Across the direction in which it changes less; never divided by what is smaller.
  if (std::abs(a) * height >= std::abs(b) * width) {
    const double left = view.t.least - width;
    const double right = view.t.most + width;
    return {{left, -(c + b * left) / a}, {right, -(c + b * right) / a}};
  }
  const double low = view.n.least - height;
  const double high = view.n.most + height;
  return {{-(c + a * low) / b, low}, {-(c + a * high) / b, high}};
}

bool crosses(const std::vector<Point>& line, const View& view) {
  double from = 0.;
  double to = line.empty() ? -1. : 1.;
  for (std::size_t axis = 0; axis < 2 && from <= to; ++axis) {
    const Range& r = axis == 0 ? view.t : view.n;
    const double along = line[1][axis] - line[0][axis];
    if (along == 0.) {
      if (line[0][axis] < r.least || line[0][axis] > r.most) return false;
      continue;
    }
    const double a = (r.least - line[0][axis]) / along;
    const double b = (r.most - line[0][axis]) / along;
    from = std::max(from, std::min(a, b));
    to = std::min(to, std::max(a, b));
  }
  return from <= to;
}

}  // namespace carom::report
