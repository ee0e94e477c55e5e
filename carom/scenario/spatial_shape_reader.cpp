// SPDX-License-Identifier: Apache-2.0
#include <carom/scenario/spatial_shape_reader.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include <carom/core/error.hpp>
#include <carom/core/nearest.hpp>
#include <carom/mechanics/spatial_bodies.hpp>
#include <carom/scenario/system_reader.hpp>

namespace carom::scenario {
namespace {

constexpr std::array<std::string_view, 6> shapes = {"sphere",  "box", "cylinder",
                                                    "capsule", "rod", "disc"};

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

std::optional<SpatialShape> read_shape(const Table& t) {
  const std::string shape = t.text("shape", "");
  const auto belongs = [&](std::initializer_list<std::string_view> to, std::string_view key) {
    if (std::find(to.begin(), to.end(), shape) != to.end()) return;
    t.refuse(key, shape.empty() ? "means nothing without a shape"
                                : "means nothing for the shape '" + shape + "'");
  };
  if (t.has("shape") && std::find(shapes.begin(), shapes.end(), shape) == shapes.end()) {
    t.fail("shape", "unknown shape '" + shape + "'" + did_you_mean(shape, shapes));
  }
  belongs({"sphere", "cylinder", "capsule", "disc"}, "radius");
  belongs({"cylinder", "capsule", "rod"}, "length");
  belongs({"box"}, "size");
  belongs({"cylinder", "capsule", "rod", "disc"}, "direction");
  if (shape.empty()) return std::nullopt;
  if (shape == "sphere") return SphereShape{.radius = t.positive("radius")};
  if (shape == "cylinder") {
    return CylinderShape{.radius = t.positive("radius"), .length = t.positive("length")};
  }
  if (shape == "capsule") {
    return CapsuleShape{.radius = t.positive("radius"), .length = t.positive("length")};
  }
  if (shape == "rod") return RodShape{.length = t.positive("length")};
  if (shape == "disc") return DiscShape{.radius = t.positive("radius")};
  const BoxShape box{.size = t.triple("size")};
  for (std::size_t k = 0; k < 3; ++k) {
    if (box.size[k] > 0. && std::isfinite(box.size[k])) continue;
    t.fail("size[" + std::to_string(k) + "]",
           "must be a finite number > 0, got " + shortest(box.size[k]));
  }
  return box;
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
