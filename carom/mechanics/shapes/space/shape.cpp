// SPDX-License-Identifier: Apache-2.0
#include <carom/mechanics/shapes/space/shape.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include <carom/core/circular.hpp>
#include <carom/core/error.hpp>

namespace carom::shapes::space {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// Makes shapes about the solid's own origin.
struct Maker {
  const ShapeOptions& options;
  const std::string& prefix;

  void positive(double x, const char* key) const {
    require_positive(x, prefix + key);
    require_magnitude(x, prefix + key, "m");
  }
  void rounding(double x, double limit) const {
    if (!(x >= 0. && x < limit)) {
      throw InputError(prefix + "rounding",
                       "must be in [0, " + shortest(limit) + "), got " + shortest(x));
    }
  }
  [[nodiscard]] Polytope hull(const std::vector<V3>& points) const {
    return hull_of(points, prefix + "vertices");
  }

  Shape operator()(const Sphere& s) const {
    positive(s.radius, "radius");
    return {.core = hull({V3{}}), .radius = s.radius, .smallest_length = 2. * s.radius};
  }
  Shape operator()(const Capsule& s) const {
    positive(s.radius, "radius");
    positive(s.length, "length");
    return {.core = hull({V3{0., 0., -0.5 * s.length}, V3{0., 0., 0.5 * s.length}}),
            .radius = s.radius,
            .smallest_length = 2. * s.radius};
  }
  Shape operator()(const Rod& s) const {
    positive(s.length, "length");
    return {.core = hull({V3{0., 0., -0.5 * s.length}, V3{0., 0., 0.5 * s.length}}),
            .smallest_length = s.length};
  }
  Shape operator()(const Box& s) const {
    for (std::size_t k = 0; k < 3; ++k) {
      positive(s.size[k], ("size[" + std::to_string(k) + "]").c_str());
    }
    const double least = std::min({s.size[0], s.size[1], s.size[2]});
    rounding(s.rounding, 0.5 * least);
    const V3 half = 0.5 * vector(s.size) - V3{s.rounding, s.rounding, s.rounding};
    std::vector<V3> corners;
    for (const double z : {-half.z, half.z}) {
      for (const double y : {-half.y, half.y}) {
        for (const double x : {-half.x, half.x}) corners.push_back({x, y, z});
      }
    }
    return {.core = hull(corners), .radius = s.rounding, .smallest_length = least};
  }
  Shape operator()(const Cylinder& s) const {
    positive(s.radius, "radius");
    positive(s.length, "length");
    rounding(s.rounding, std::min(s.radius, 0.5 * s.length));
    const double r = s.radius - s.rounding, h = 0.5 * s.length - s.rounding;
    return turned({{.radius = r, .height = -h}, {.radius = r, .height = h}},
                  {{.from = 0, .to = 1, .out = 1., .up = 0.},
                   {.from = 1, .to = 1, .out = 0., .up = 1.},
                   {.from = 0, .to = 0, .out = 0., .up = -1.}},
                  s.rounding, std::min(2. * s.radius, s.length));
  }
  Shape operator()(const Disc& s) const {
    positive(s.radius, "radius");
    return turned(
        {{.radius = s.radius, .height = 0.}},
        {{.from = 0, .to = 0, .out = 0., .up = 1.}, {.from = 0, .to = 0, .out = 0., .up = -1.}}, 0.,
        2. * s.radius);
  }
  Shape operator()(const Cone& s) const {
    positive(s.radius, "radius");
    positive(s.height, "height");
    const double slant = norm(V3{s.radius, s.height, 0.});
    return turned({{.radius = s.radius, .height = -0.25 * s.height},
                   {.radius = 0., .height = 0.75 * s.height}},
                  {{.from = 0, .to = 1, .out = s.height / slant, .up = s.radius / slant},
                   {.from = 0, .to = 0, .out = 0., .up = -1.}},
                  0., std::min(2. * s.radius, s.height));
  }
  Shape operator()(const Polyhedron& s) const {
    std::vector<V3> points;
    for (const World3& v : s.vertices) points.push_back(vector(v));
    Polytope outer = hull(points);
    if (outer.faces.size() < 4) {
      throw InputError(prefix + "vertices", "must not all lie in one plane");
    }
    // Its least width is between a face and the vertex opposite, or between two edges; the faces
    // tell it well enough for a scale.
    double least = infinite;
    for (const Face& f : outer.faces) {
      double depth = 0.;
      for (const V3& v : outer.vertices) depth = std::max(depth, f.offset - dot(f.normal, v));
      least = std::min(least, depth);
    }
    rounding(s.rounding, 0.5 * least);
    if (s.rounding > 0.) outer = inset(outer, s.rounding, prefix + "rounding");
    return {.core = std::move(outer), .radius = s.rounding, .smallest_length = least};
  }
  Shape operator()(const HalfSpace& s) const {
    return {.core = half_space(vector(unit(s.normal, prefix + "normal"))),
            .bounding_radius = infinite,
            .smallest_length = infinite};
  }

  /// A round solid, with the polytope of its rim points.
  [[nodiscard]] Shape turned(std::vector<Rim> rims, std::vector<Band> bands, double radius,
                             double smallest) const {
    if (options.rim_points < 3 || options.rim_points > 1000) {
      throw InputError(prefix + "rim_points",
                       "must be in [3, 1000], got " + std::to_string(options.rim_points));
    }
    std::vector<V3> points;
    for (const Rim& rim : rims) {
      const std::size_t count = rim.radius > 0. ? options.rim_points : 1;
      for (std::size_t k = 0; k < count; ++k) {
        const auto [c, s] =
            cos_sin(2. * std::numbers::pi * static_cast<double>(k) / static_cast<double>(count));
        points.push_back({rim.radius * c, rim.radius * s, rim.height});
      }
    }
    return {.core = hull(points),
            .radius = radius,
            .smallest_length = smallest,
            .rims = std::move(rims),
            .bands = std::move(bands)};
  }
};

/// Moves the solid's own origin away from the mass centre.
void move(Shape& shape, const V3& by) {
  Polytope& t = shape.core;
  for (V3& v : t.vertices) v = v + by;
  for (Face& f : t.faces) f.offset += dot(f.normal, by);
  for (Rim& r : shape.rims) r.height += by.z;
  shape.axis_point = {by.x, by.y, 0.};
}

}  // namespace

std::string_view name(const Solid& solid) {
  static constexpr std::array<std::string_view, 9> names{
      "sphere", "capsule", "box", "cylinder", "disc", "rod", "cone", "polyhedron", "half-space"};
  return names[solid.index()];
}

Shape shape_of(const Solid& solid, const ShapeOptions& options, const std::string& prefix) {
  require_finite(options.offset, prefix + "offset");
  Shape shape = std::visit(Maker{options, prefix}, solid);
  move(shape, vector(options.offset));
  if (shape.unbounded()) return shape;
  for (const V3& v : shape.core.vertices) {
    shape.bounding_radius = std::max(shape.bounding_radius, norm(v) + shape.radius);
  }
  if (shape.round()) {  // its rims reach farther than their points, where the axis is off centre
    for (const Rim& r : shape.rims) {
      const double out = norm(shape.axis_point) + r.radius;
      shape.bounding_radius =
          std::max(shape.bounding_radius, norm(V3{out, r.height, 0.}) + shape.radius);
    }
  }
  return shape;
}

}  // namespace carom::shapes::space
