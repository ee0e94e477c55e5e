// SPDX-License-Identifier: Apache-2.0
#include <carom/mechanics/planar_bodies.hpp>

#include <cmath>
#include <numbers>
#include <utility>

#include <carom/core/error.hpp>

namespace carom {
namespace {

void require_motion(const std::array<double, 2>& velocity, double spin) {
  require_finite(velocity[0], "velocity[0]");
  require_finite(velocity[1], "velocity[1]");
  require_finite(spin, "spin");
}

/// A free planar body: M = diag(m, m, I), u = (x, y, rotation).
SystemAtImpact free_body(double mass, double inertia, const std::array<double, 2>& velocity,
                         double spin, const Eigen::Vector3d& w_n, const Eigen::Vector3d& w_t,
                         std::vector<Coordinate> coordinates, bool counter_clockwise) {
  SystemAtImpact s;
  s.names = {""};
  s.u = {velocity[0], velocity[1], spin};
  s.coordinates = std::move(coordinates);
  s.M = Eigen::Matrix3d(Eigen::Vector3d(mass, mass, inertia).asDiagonal()).sparseView();
  s.W = (Eigen::MatrixXd(3, 2) << w_n, w_t).finished().sparseView();
  s.W_spin = Eigen::Vector3d(0., 0., counter_clockwise ? 1. : -1.);
  s.first_moves_free = true;
  return reduced(std::move(s), 2);
}

void validate(const Bar& b) {
  require_positive(b.mass, "mass");
  require_positive(b.half_length, "half_length");
  require_positive(b.inertia_factor, "inertia_factor");
  if (!(b.angle > 0. && b.angle < std::numbers::pi)) {
    throw InputError("angle_deg", b.angle / degree, "in (0, 180)");
  }
  require_motion(b.velocity, b.spin);
}

void validate(const Rod& r) {
  require_positive(r.mass, "mass");
  require_positive(r.half_length, "half_length");
  require_positive(r.inertia_factor, "inertia_factor");
  if (!(std::abs(r.angle) < std::numbers::pi / 2.)) {
    throw InputError("angle_deg", r.angle / degree, "in (-90, 90)");
  }
  require_motion(r.velocity, r.spin);
}

void validate(const Round& r) {
  require_positive(r.mass, "mass");
  require_positive(r.radius, "radius");
  require_positive(r.inertia_factor, "inertia_factor");
  require_motion(r.velocity, r.spin);
}

/// A body on the floor, y = 0.
PlacedScene on_floor(PlanarBody body, double height, double angle,
                     const std::array<double, 2>& velocity, double spin) {
  PlacedScene s;
  s.scene.bodies.push_back(std::move(body));
  s.scene.ground.push_back({.name = "floor", .shape = shapes::plane::half_plane()});
  s.state = {.q = Eigen::Vector3d(0., height, angle),
             .u = Eigen::Vector3d(velocity[0], velocity[1], spin)};
  return s;
}

}  // namespace

SystemAtImpact at_impact(const Bar& b) {
  validate(b);
  // [Payr & Glocker 2005, eq. 19]
  const double s = b.half_length;
  return free_body(b.mass, b.inertia_factor * b.mass * s * s, b.velocity, b.spin,
                   {0., 1., -s * std::cos(b.angle)}, {1., 0., -s * std::sin(b.angle)},
                   {{"u_x", "m/s"}, {"u_y", "m/s"}, {"u_phi", "rad/s"}},
                   /*counter_clockwise=*/false);
}

SystemAtImpact at_impact(const Rod& r) {
  validate(r);
  // v_C = (v_x - omega L_y, v_y + omega L_x) with L_x = -L sin theta, L_y = L cos theta
  // [Sun & Baruh 2022, eqs 1, 3]; v_n = -v_Cy, v_t = v_Cx.
  const double L = r.half_length;
  return free_body(r.mass, r.inertia_factor * r.mass * L * L, r.velocity, r.spin,
                   {0., -1., L * std::sin(r.angle)}, {1., 0., -L * std::cos(r.angle)},
                   {{"v_x", "m/s"}, {"v_y", "m/s"}, {"omega_z", "rad/s"}},
                   /*counter_clockwise=*/false);
}

SystemAtImpact at_impact(const Round& r) {
  validate(r);
  return free_body(r.mass, r.inertia_factor * r.mass * r.radius * r.radius, r.velocity, r.spin,
                   {0., 1., 0.}, {1., 0., r.radius},
                   {{"u_x", "m/s"}, {"u_y", "m/s"}, {"spin", "rad/s"}}, /*counter_clockwise=*/true);
}

PlacedScene scene_of(const Bar& b) {
  validate(b);
  const double s = b.half_length;
  return on_floor({.mass = b.mass,
                   .inertia = b.inertia_factor * b.mass * s * s,
                   .shape = shapes::plane::bar(2. * s)},
                  s * std::sin(b.angle), -b.angle, b.velocity, -b.spin);
}

PlacedScene scene_of(const Rod& r) {
  validate(r);
  return scene_of(Bar{.mass = r.mass,
                      .half_length = r.half_length,
                      .inertia_factor = r.inertia_factor,
                      .angle = std::numbers::pi / 2. + r.angle,
                      .velocity = {r.velocity[0], -r.velocity[1]},
                      .spin = r.spin});
}

PlacedScene scene_of(const Round& r) {
  validate(r);
  return on_floor({.mass = r.mass,
                   .inertia = r.inertia_factor * r.mass * r.radius * r.radius,
                   .shape = shapes::plane::disc(r.radius)},
                  r.radius, 0., r.velocity, r.spin);
}

}  // namespace carom
