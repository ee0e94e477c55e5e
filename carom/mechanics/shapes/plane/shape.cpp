// SPDX-License-Identifier: Apache-2.0
#include <carom/mechanics/shapes/plane/shape.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include <carom/core/error.hpp>

namespace carom::shapes::plane {

namespace {

/// Edges shorter than this part of the shape, and turns smaller than this angle [rad], are refused:
/// rounding would decide their direction.
constexpr double least_part = 1e-9;

void require_length(double x, const std::string& field) {
  require_positive(x, field);
  require_magnitude(x, field, "m");
}

void require_point(const Point& p, const std::string& field) {
  require_finite(p.x, field + "[0]");
  require_finite(p.y, field + "[1]");
  require_magnitude(p.x, field + "[0]", "m");
  require_magnitude(p.y, field + "[1]", "m");
}

double largest_distance(std::span<const Point> points) {
  double most = 0.;
  for (const Point& p : points) most = std::max(most, length(p));
  return most;
}

/// The core, counter-clockwise, with its edges; two points have an edge on either side.
Shape with_core(std::vector<Point> vertices, double radius, double smallest_length) {
  Shape s;
  const std::size_t n = vertices.size();
  for (std::size_t k = 0; n > 1 && k < n; ++k) {
    const Point along = vertices[(k + 1) % n] - vertices[k];
    s.edges.push_back({.start = vertices[k],
                       .normal = -quarter_turn(normalised(along)),
                       .length = length(along)});
  }
  s.radius = radius;
  s.smallest_length = smallest_length;
  s.bounding_radius = largest_distance(vertices) + radius;
  s.vertices = std::move(vertices);
  return s;
}

/// tan of half the angle by which a polygon turns between edges with these normals.
double half_turn(const Point& before, const Point& after) {
  return cross(before, after) / (1. + dot(before, after));
}

}  // namespace

Shape disc(double radius, Point centre) {
  require_length(radius, "radius");
  require_point(centre, "centre");
  return with_core({centre}, radius, radius);
}

Shape ellipse(std::array<double, 2> semi_axes, Point centre) {
  require_length(semi_axes[0], "semi_axes[0]");
  require_length(semi_axes[1], "semi_axes[1]");
  require_point(centre, "centre");
  Shape s = with_core({centre}, 0., std::min(semi_axes[0], semi_axes[1]));
  s.semi_axes = semi_axes;
  s.bounding_radius += std::max(semi_axes[0], semi_axes[1]);
  return s;
}

Shape capsule(double length, double radius, Point centre) {
  require_length(length, "length");
  require_length(radius, "radius");
  require_point(centre, "centre");
  const Point half{length / 2., 0.};
  return with_core({centre - half, centre + half}, radius, std::min(length, radius));
}

Shape bar(double length, Point centre) {
  require_length(length, "length");
  require_point(centre, "centre");
  const Point half{length / 2., 0.};
  return with_core({centre - half, centre + half}, 0., length);
}

Shape box(double length, double width, double rounding, Point centre) {
  require_length(length, "length");
  require_length(width, "width");
  require_point(centre, "centre");
  const double shorter = std::min(length, width);
  if (!(rounding >= 0. && rounding < (0.5 - least_part) * shorter)) {
    throw InputError("rounding", rounding,
                     ">= 0 and < half the shorter side, " + shortest(shorter / 2.) + " m");
  }
  const double x = length / 2. - rounding;
  const double y = width / 2. - rounding;
  return with_core(
      {centre + Point{-x, -y}, centre + Point{x, -y}, centre + Point{x, y}, centre + Point{-x, y}},
      rounding, shorter);
}

Shape polygon(std::span<const Point> given, double rounding) {
  const std::size_t n = given.size();
  if (n < 3) {
    throw InputError("vertices", "must be at least 3 points, got " + std::to_string(n));
  }
  const auto name = [](std::size_t i) { return "vertices[" + std::to_string(i) + "]"; };
  std::vector<Point> vertices(given.begin(), given.end());
  double twice_area = 0.;
  for (std::size_t k = 0; k < n; ++k) require_point(vertices[k], name(k));
  for (std::size_t k = 1; k + 1 < n; ++k) {
    twice_area += cross(vertices[k] - vertices[0], vertices[k + 1] - vertices[0]);
  }
  const bool clockwise = twice_area < 0.;
  if (clockwise) std::reverse(vertices.begin() + 1, vertices.end());
  const auto index = [&](std::size_t k) { return clockwise ? (n - k) % n : k; };  // as given

  const double size = largest_distance(vertices);
  for (std::size_t k = 0; k < n; ++k) {
    if (!(length(vertices[(k + 1) % n] - vertices[k]) > least_part * size)) {
      throw InputError(name(index(k)),
                       "must not coincide with its neighbour " + name(index((k + 1) % n)));
    }
  }
  Shape sharp = with_core(vertices, 0., 0.);
  double total = 0.;                                      // turned, of a full turn
  double most = std::numeric_limits<double>::infinity();  // rounding that leaves each edge
  double shortest_edge = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < n; ++k) {
    const Point& before = sharp.edges[(k + n - 1) % n].normal;
    const Point& normal = sharp.edges[k].normal;
    const Point& after = sharp.edges[(k + 1) % n].normal;
    if (!(cross(before, normal) > least_part)) {
      throw InputError(name(index(k)),
                       "must be a corner of a convex polygon; it lies on or inside the line "
                       "through its neighbours");
    }
    total += std::atan2(cross(before, normal), dot(before, normal)) / (2. * std::numbers::pi);
    const double edge = sharp.edges[k].length;
    most = std::min(most, edge / (half_turn(before, normal) + half_turn(normal, after)));
    shortest_edge = std::min(shortest_edge, edge);
  }
  if (total > 1.5) throw InputError("vertices", "must go around once; the sides cross each other");
  if (!(rounding >= 0. && rounding < (1. - least_part) * most)) {
    throw InputError("rounding", rounding,
                     ">= 0 and < " + shortest(most) + " m, which leaves each side a straight part");
  }
  // A core vertex lies at `rounding` from both sides.
  for (std::size_t k = 0; k < n; ++k) {
    const Point& before = sharp.edges[(k + n - 1) % n].normal;
    const Point& after = sharp.edges[k].normal;
    vertices[k] = vertices[k] - (rounding / (1. + dot(before, after))) * (before + after);
  }
  return with_core(std::move(vertices), rounding, shortest_edge);
}

Shape half_plane() {
  Shape s;
  s.edges.push_back({.start = {}, .normal = {0., 1.}});
  s.smallest_length = std::numeric_limits<double>::infinity();
  s.bounding_radius = std::numeric_limits<double>::infinity();
  return s;
}

Shape segment(Point from, Point to) {
  require_point(from, "from");
  require_point(to, "to");
  const double size = length(to - from);
  if (!(size > least_part * std::max(length(from), length(to)))) {
    throw InputError("to", "must not coincide with from");
  }
  return with_core({from, to}, 0., size);
}

// The core by triangles, a strip outside each edge, and a sector at each vertex. Moments about the
// first vertex.
Uniform uniform(const Shape& s) {
  const Point origin = s.vertices[0];
  if (s.is_ellipse()) {
    const auto [a, b] = s.semi_axes;
    return {std::numbers::pi * a * b, origin, (a * a + b * b) / 4.};
  }
  const std::size_t n = s.vertices.size();
  const double r = s.radius;
  if (n == 2 && r == 0.) {
    const double L = s.edges[0].length;
    return {0., 0.5 * (origin + s.vertices[1]), L * L / 12.};
  }
  double area = 0.;
  Point first{};       // integral of position
  double second = 0.;  // integral of its square
  const auto add = [&](double part, const Point& centre, double about_centre) {
    area += part;
    first = first + part * centre;
    second += about_centre + part * dot(centre, centre);
  };
  if (n == 1) add(std::numbers::pi * r * r, {}, std::numbers::pi * r * r * r * r / 2.);
  for (std::size_t k = 0; k < s.edges.size(); ++k) {
    const Edge& e = s.edges[k];
    const Point p = e.start - origin;
    const Point q = s.vertices[(k + 1) % n] - origin;
    const double triangle = cross(p, q) / 2.;
    area += triangle;
    first = first + (triangle / 3.) * (p + q);
    second += triangle / 6. * (dot(p, p) + dot(p, q) + dot(q, q));
    const double strip = e.length * r;
    add(strip, 0.5 * (p + q) + (r / 2.) * e.normal, strip * (e.length * e.length + r * r) / 12.);
    // The sector about p, of half angle alpha, has its centroid at 2 r sin(alpha)/(3 alpha).
    const Point& before = s.edges[(k + n - 1) % n].normal;
    const double alpha = std::abs(std::atan2(cross(before, e.normal), dot(before, e.normal))) / 2.;
    const double sector = alpha * r * r;
    const double out = 2. * r * std::sin(alpha) / (3. * alpha);
    const Point middle = turned(Point{std::cos(alpha), std::sin(alpha)}, before);
    add(sector, p + out * middle, sector * (r * r / 2. - out * out));
  }
  const Point centroid = (1. / area) * first;
  return {area, origin + centroid, second / area - dot(centroid, centroid)};
}

Shape moved(Shape s, Point by) {
  require_point(by, "by");
  for (Point& p : s.vertices) p = p + by;
  for (Edge& e : s.edges) e.start = e.start + by;
  if (!s.vertices.empty()) {
    s.bounding_radius =
        largest_distance(s.vertices) + s.radius + std::max(s.semi_axes[0], s.semi_axes[1]);
  }
  return s;
}

}  // namespace carom::shapes::plane
