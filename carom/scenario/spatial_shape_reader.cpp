// SPDX-License-Identifier: Apache-2.0
#include <carom/scenario/spatial_shape_reader.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include <carom/core/error.hpp>
#include <carom/core/nearest.hpp>
#include <carom/mechanics/spatial_bodies.hpp>
#include <carom/scenario/system_reader.hpp>

namespace carom::scenario {
namespace {

namespace space = shapes::space;

using Names = std::span<const std::string_view>;

constexpr std::array<std::string_view, 8> solids = {"sphere", "box",  "cylinder", "capsule",
                                                    "rod",    "disc", "cone",     "polyhedron"};
/// Those that one impact knows.
constexpr Names striking = Names(solids).first(6);

std::string listed(Names names) {
  std::string all;
  for (const std::string_view name : names) all += (all.empty() ? "" : ", ") + std::string(name);
  return all;
}

/// The name under `shape`, empty where it is not given. Refuses what is not among `known`, and keys
/// that belong to other shapes.
std::string read_shape_name(const Table& t, Names known) {
  const std::string shape = t.text("shape", "");
  if (t.has("shape") && std::find(known.begin(), known.end(), shape) == known.end()) {
    if (std::find(solids.begin(), solids.end(), shape) != solids.end()) {
      t.fail("shape", "'" + shape + "' is for systems that move, with a table [motion]; here: " +
                          listed(known));
    }
    t.fail("shape", "unknown shape '" + shape + "'" + did_you_mean(shape, known));
  }
  const auto belongs = [&](std::initializer_list<std::string_view> to, std::string_view key) {
    if (std::find(to.begin(), to.end(), shape) != to.end()) return;
    t.refuse(key, shape.empty() ? "means nothing without a shape"
                                : "means nothing for the shape '" + shape + "'");
  };
  belongs({"sphere", "cylinder", "capsule", "disc", "cone"}, "radius");
  belongs({"cylinder", "capsule", "rod"}, "length");
  belongs({"box"}, "size");
  belongs({"cone"}, "height");
  belongs({"polyhedron"}, "vertices");
  belongs({"box", "cylinder", "polyhedron"}, "rounding");
  belongs({"cylinder", "capsule", "rod", "disc", "cone"}, "direction");
  return shape;
}

World3 read_size(const Table& t) {
  const World3 size = t.triple("size");
  for (std::size_t k = 0; k < 3; ++k) {
    if (size[k] > 0. && std::isfinite(size[k])) continue;
    t.fail("size[" + std::to_string(k) + "]",
           "must be a finite number > 0, got " + shortest(size[k]));
  }
  return size;
}

std::vector<World3> read_vertices(const Table& t) {
  t.require("vertices", "the corners, four or more vectors [x, y, z]");
  const Eigen::MatrixXd m = t.matrix("vertices");
  if (m.cols() != 3 || m.rows() < 4) {
    t.fail("vertices", "must be at least four vectors [x, y, z], got " + std::to_string(m.rows()) +
                           " x " + std::to_string(m.cols()));
  }
  std::vector<World3> all;
  for (Eigen::Index i = 0; i < m.rows(); ++i) all.push_back({m(i, 0), m(i, 1), m(i, 2)});
  return all;
}

space::Solid read_named(const Table& t, const std::string& shape) {
  const double rounding = t.number("rounding", 0.);
  if (shape == "sphere") return space::Sphere{.radius = t.positive("radius")};
  if (shape == "cylinder") {
    return space::Cylinder{
        .radius = t.positive("radius"), .length = t.positive("length"), .rounding = rounding};
  }
  if (shape == "capsule") {
    return space::Capsule{.radius = t.positive("radius"), .length = t.positive("length")};
  }
  if (shape == "rod") return space::Rod{.length = t.positive("length")};
  if (shape == "disc") return space::Disc{.radius = t.positive("radius")};
  if (shape == "cone") {
    return space::Cone{.radius = t.positive("radius"), .height = t.positive("height")};
  }
  if (shape == "box") return space::Box{.size = read_size(t), .rounding = rounding};
  return space::Polyhedron{.vertices = read_vertices(t), .rounding = rounding};
}

}  // namespace

Mat3 matrix3(const Table& t, std::string_view key) {
  const Eigen::MatrixXd m = t.matrix(key);
  if (m.rows() != 3 || m.cols() != 3) {
    t.fail(key,
           "must be 3 x 3, got " + std::to_string(m.rows()) + " x " + std::to_string(m.cols()));
  }
  Mat3 all{};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      all[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = m(i, j);
    }
  }
  return all;
}

space::Solid read_solid(const Table& t) {
  t.require("shape", "one of " + listed(solids));
  space::Solid solid = read_named(t, read_shape_name(t, solids));
  located(t, [&] { static_cast<void>(space::shape_of(solid)); });
  return solid;
}

std::optional<space::Solid> read_striking_shape(const Table& t) {
  const std::string shape = read_shape_name(t, striking);
  t.refuse("rounding", "is for systems that move, with a table [motion]");
  if (shape.empty()) return std::nullopt;
  return read_named(t, shape);
}

Mat3 read_orientation(const Table& t) {
  if (t.has("direction")) {
    t.refuse("orientation", "must not stand beside direction");
    return located(t, [&] { return rotation_to(t.triple("direction"), "direction"); });
  }
  if (!t.has("orientation")) return identity3;
  const Table o = t.table("orientation");
  o.only({"axis", "angle_deg", "quaternion"});
  if (o.has("quaternion")) {
    o.refuse("axis", "must not stand beside quaternion");
    o.refuse("angle_deg", "must not stand beside quaternion");
    const std::vector<double> q = o.row("quaternion");
    if (q.size() != 4) {
      o.fail("quaternion", "must have 4 numbers (w, x, y, z), got " + std::to_string(q.size()));
    }
    return located(o, [&] {
      return rotation(std::array{q[0], q[1], q[2], q[3]}, std::string("quaternion"));
    });
  }
  const World3 axis = o.triple("axis");
  const auto [cosine, sine] = direction(finite(o, "angle_deg"));
  return located(o, [&, c = cosine, s = sine] { return rotation(axis, c, s, "axis"); });
}

Mat3 read_inertia(const Table& t) {
  t.require("inertia", "3 x 3 numbers, three principal moments, or a shape");
  const int depth = t.depth("inertia");
  if (depth == 2) return matrix3(t, "inertia");
  World3 moments{};
  if (depth == 1) {
    moments = t.triple("inertia");
  } else {
    moments.fill(t.number("inertia"));
  }
  return {{{moments[0], 0., 0.}, {0., moments[1], 0.}, {0., 0., moments[2]}}};
}

}  // namespace carom::scenario
