// SPDX-License-Identifier: Apache-2.0
#include <carom/mechanics/spatial_shapes.hpp>

#include <algorithm>
#include <cmath>
#include <string>

#include <carom/core/error.hpp>

namespace carom {
namespace {

Mat3 diagonal(double x, double y, double z) { return {{{x, 0., 0.}, {0., y, 0.}, {0., 0., z}}}; }

Mat3 inertia(const SphereShape& s, double m) {
  const double I = 0.4 * m * s.radius * s.radius;
  return diagonal(I, I, I);
}

Mat3 inertia(const BoxShape& s, double m) {
  const double x = s.size[0] * s.size[0], y = s.size[1] * s.size[1], z = s.size[2] * s.size[2];
  return diagonal(m * (y + z) / 12., m * (x + z) / 12., m * (x + y) / 12.);
}

Mat3 inertia(const CylinderShape& s, double m) {
  const double r2 = s.radius * s.radius;
  const double across = m * (r2 / 4. + s.length * s.length / 12.);
  return diagonal(across, across, m * r2 / 2.);
}

Mat3 inertia(const CapsuleShape& s, double m) {
  const double r = s.radius, h = s.length;
  const double caps = 4. * r / 3.;  // volumes over pi r^2
  const double m_cylinder = m * h / (h + caps);
  const double m_caps = m * caps / (h + caps);
  const double across = m_cylinder * (r * r / 4. + h * h / 12.) +
                        m_caps * (0.4 * r * r + h * h / 4. + 3. * h * r / 8.);
  return diagonal(across, across, m_cylinder * r * r / 2. + m_caps * 0.4 * r * r);
}

Mat3 inertia(const RodShape& s, double m) {
  const double across = m * s.length * s.length / 12.;
  return diagonal(across, across, 0.);
}

Mat3 inertia(const DiscShape& s, double m) {
  const double across = m * s.radius * s.radius / 4.;
  return diagonal(across, across, 2. * across);
}

/// Angle from an edge or a face below which the edge or face is in contact.
constexpr double flat = 1e-9;

[[noreturn]] void ambiguous(const char* what) {
  throw InputError("contact_offset",
                   std::string("is needed: ") + what + " touches along this normal, not one point");
}

// In body axes, `d` of length 1.

World3 furthest(const SphereShape& s, const World3& d) {
  return {s.radius * d[0], s.radius * d[1], s.radius * d[2]};
}

World3 furthest(const BoxShape& s, const World3& d) {
  int across = 0;
  for (const double x : d) across += std::abs(x) <= flat ? 1 : 0;
  if (across == 2) ambiguous("a face of the box");
  if (across == 1) ambiguous("an edge of the box");
  return {std::copysign(s.size[0] / 2., d[0]), std::copysign(s.size[1] / 2., d[1]),
          std::copysign(s.size[2] / 2., d[2])};
}

World3 furthest(const CylinderShape& s, const World3& d) {
  const double across = std::hypot(d[0], d[1]);
  if (across <= flat) ambiguous("an end face of the cylinder");
  if (std::abs(d[2]) <= flat) ambiguous("a line on the side of the cylinder");
  return {s.radius * d[0] / across, s.radius * d[1] / across, std::copysign(s.length / 2., d[2])};
}

World3 furthest(const CapsuleShape& s, const World3& d) {
  if (std::abs(d[2]) <= flat) ambiguous("a line on the side of the capsule");
  return {s.radius * d[0], s.radius * d[1], s.radius * d[2] + std::copysign(s.length / 2., d[2])};
}

World3 furthest(const RodShape& s, const World3& d) {
  if (std::abs(d[2]) <= flat) ambiguous("the whole rod");
  return {0., 0., std::copysign(s.length / 2., d[2])};
}

World3 furthest(const DiscShape& s, const World3& d) {
  const double across = std::hypot(d[0], d[1]);
  if (across <= flat) ambiguous("a face of the disc");
  return {s.radius * d[0] / across, s.radius * d[1] / across, 0.};
}

constexpr double slack = 1.01;

bool inside(const SphereShape& s, const World3& p) { return length(p) <= slack * s.radius; }

bool inside(const BoxShape& s, const World3& p) {
  return std::abs(p[0]) <= slack * s.size[0] / 2. && std::abs(p[1]) <= slack * s.size[1] / 2. &&
         std::abs(p[2]) <= slack * s.size[2] / 2.;
}

bool inside(const CylinderShape& s, const World3& p) {
  return std::hypot(p[0], p[1]) <= slack * s.radius && std::abs(p[2]) <= slack * s.length / 2.;
}

bool inside(const CapsuleShape& s, const World3& p) {
  const double beyond = std::max(std::abs(p[2]) - s.length / 2., 0.);
  return std::hypot(p[0], p[1], beyond) <= slack * s.radius;
}

bool inside(const RodShape& s, const World3& p) {
  return length(p) <= slack * s.length / 2.;  // that it lies on the axis is checked elsewhere
}

bool inside(const DiscShape& s, const World3& p) {
  return std::hypot(p[0], p[1]) <= slack * s.radius && std::abs(p[2]) <= (slack - 1.) * s.radius;
}

World3 in_body(const Mat3& R, const World3& v) {
  World3 local{};
  for (std::size_t k = 0; k < 3; ++k) local[k] = R[0][k] * v[0] + R[1][k] * v[1] + R[2][k] * v[2];
  return local;
}

}  // namespace

Mat3 inertia_of(const SpatialShape& shape, double mass) {
  return std::visit([&](const auto& s) { return inertia(s, mass); }, shape);
}

World3 furthest_point(const SpatialShape& shape, const Mat3& R, const World3& towards) {
  const World3 local = in_body(R, towards);
  const World3 p = std::visit([&](const auto& s) { return furthest(s, local); }, shape);
  World3 world{};
  for (std::size_t i = 0; i < 3; ++i) {
    world[i] = R[i][0] * p[0] + R[i][1] * p[1] + R[i][2] * p[2];
  }
  return world;
}

bool holds(const SpatialShape& shape, const Mat3& orientation, const World3& point) {
  const World3 local = in_body(orientation, point);
  return std::visit([&](const auto& s) { return inside(s, local); }, shape);
}

std::string_view name(const SpatialShape& shape) {
  static constexpr std::string_view names[] = {"sphere",  "box", "cylinder",
                                               "capsule", "rod", "disc"};
  return names[shape.index()];
}

}  // namespace carom
