// SPDX-License-Identifier: Apache-2.0
#include <carom/scenario/motion/plane_shape_reader.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include <carom/core/error.hpp>
#include <carom/core/nearest.hpp>
#include <carom/mechanics/planar_bodies.hpp>

namespace carom::scenario {
namespace {

namespace plane = shapes::plane;
using plane::Point;
using plane::Shape;

struct NamedShape {
  std::string_view name;
  std::span<const std::string_view> keys;
};

constexpr std::array<std::string_view, 1> round_keys = {"radius"};
constexpr std::array<std::string_view, 1> ellipse_keys = {"semi_axes"};
constexpr std::array<std::string_view, 2> capsule_keys = {"length", "radius"};
constexpr std::array<std::string_view, 1> bar_keys = {"half_length"};
constexpr std::array<std::string_view, 3> box_keys = {"length", "width", "rounding"};
constexpr std::array<std::string_view, 2> polygon_keys = {"corners", "rounding"};
constexpr std::array<std::string_view, 2> segment_keys = {"from", "to"};

constexpr std::array<NamedShape, 7> body_shapes = {{{"disc", round_keys},
                                                    {"sphere", round_keys},
                                                    {"ellipse", ellipse_keys},
                                                    {"capsule", capsule_keys},
                                                    {"bar", bar_keys},
                                                    {"box", box_keys},
                                                    {"polygon", polygon_keys}}};
constexpr std::array<NamedShape, 7> ground_shapes = {{{"segment", segment_keys},
                                                      {"disc", round_keys},
                                                      {"ellipse", ellipse_keys},
                                                      {"capsule", capsule_keys},
                                                      {"bar", bar_keys},
                                                      {"box", box_keys},
                                                      {"polygon", polygon_keys}}};

/// The name under `shape`; refuses keys that belong to other shapes only.
std::string_view read_shape_name(const Table& t, std::span<const NamedShape> known) {
  std::vector<std::string_view> names;
  std::string all;
  for (const NamedShape& s : known) {
    names.push_back(s.name);
    all += (all.empty() ? "one of " : ", ") + std::string(s.name);
  }
  t.require("shape", all);
  const std::string name = t.text("shape", "");
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    t.fail("shape", "unknown shape '" + name + "'" + did_you_mean(name, names));
  }
  const auto& own = known[static_cast<std::size_t>(found - names.begin())].keys;
  for (const std::string_view key : shape_keys) {
    if (key == "shape" || std::find(own.begin(), own.end(), key) != own.end()) continue;
    t.refuse(key, "means nothing for the shape '" + name + "'");
  }
  return *found;
}

Point read_point(const Table& t, std::string_view key) {
  const auto p = t.pair(key);
  return {p[0], p[1]};
}

Shape read_polygon(const Table& t) {
  const Eigen::MatrixXd m = t.matrix("corners");
  if (m.cols() != 2 || m.rows() < 3) {
    t.fail("corners", "must be at least three pairs [x, y], got " + std::to_string(m.rows()) +
                          " x " + std::to_string(m.cols()));
  }
  std::vector<Point> corners;
  for (Eigen::Index i = 0; i < m.rows(); ++i) corners.push_back({m(i, 0), m(i, 1)});
  return plane::polygon(corners, t.number("rounding", 0.));
}

/// What the library calls vertices, a file calls corners.
InputError renamed(const InputError& e) {
  const auto replaced = [](std::string text) {
    constexpr std::string_view from = "vertices";
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos;) {
      text.replace(at, from.size(), "corners");
    }
    return text;
  };
  return InputError(replaced(e.field()), replaced(e.problem()));
}

/// In its own frame: about its centre, or that of its corners or ends.
Shape read_shape(const Table& t, std::string_view name) {
  return located(t, [&]() -> Shape {
    if (name == "disc" || name == "sphere") return plane::disc(t.number("radius"));
    if (name == "ellipse") return plane::ellipse(t.pair("semi_axes"));
    if (name == "capsule") return plane::capsule(t.number("length"), t.number("radius"));
    if (name == "bar") return plane::bar(2. * t.positive("half_length"));
    if (name == "segment") return plane::segment(read_point(t, "from"), read_point(t, "to"));
    if (name == "box") {
      return plane::box(t.number("length"), t.number("width"), t.number("rounding", 0.));
    }
    try {
      return read_polygon(t);
    } catch (const InputError& e) {
      if (!e.where().empty()) throw;
      throw renamed(e);
    }
  });
}

/// Inertia per mass of a uniform body about its centroid [m^2]; in closed form where it has one.
double squared_gyration(const Table& t, const Shape& s, std::string_view name) {
  if (name == "disc") return disc_inertia_factor * s.radius * s.radius;
  if (name == "sphere") return sphere_inertia_factor * s.radius * s.radius;
  if (name == "bar") {
    const double half = t.number("half_length");
    return half * half / 3.;
  }
  if (name == "box" && s.radius == 0.) {
    const double l = t.number("length"), w = t.number("width");
    return (l * l + w * w) / 12.;
  }
  return plane::uniform(s).squared_gyration;
}

}  // namespace

void read_body_shape(const Table& t, PlanarBody& b) {
  const std::string_view name = read_shape_name(t, body_shapes);
  Shape s = read_shape(t, name);
  Point centre{};
  if (name == "polygon") centre = plane::uniform(s).centroid;
  if (t.has("mass_centre")) {
    t.require("inertia", "the inertia about the mass centre, which is not that of a uniform body");
    centre = read_point(t, "mass_centre");
    for (const double x : {centre.x, centre.y}) {
      if (!std::isfinite(x)) t.fail("mass_centre", "must be finite, got " + shortest(x));
    }
  }
  b.inertia = t.has("inertia") ? t.positive("inertia") : b.mass * squared_gyration(t, s, name);
  b.shape = plane::moved(std::move(s), -centre);
}

Shape read_ground_shape(const Table& t) { return read_shape(t, read_shape_name(t, ground_shapes)); }

}  // namespace carom::scenario
