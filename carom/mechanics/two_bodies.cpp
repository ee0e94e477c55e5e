// SPDX-License-Identifier: Apache-2.0
#include <carom/mechanics/two_bodies.hpp>

#include <cmath>

#include <carom/core/error.hpp>
#include <carom/mechanics/model_at_impact.hpp>
#include <carom/mechanics/planar_bodies.hpp>

namespace carom {
namespace {

using Pair = std::array<double, 2>;

double dot(const Pair& a, const Pair& b) { return a[0] * b[0] + a[1] * b[1]; }
double cross(const Pair& a, const Pair& b) { return a[0] * b[1] - a[1] * b[0]; }

void require_finite_pair(const Pair& v, const std::string& field) {
  for (std::size_t k = 0; k < 2; ++k) {
    if (!std::isfinite(v[k])) {
      throw InputError(field + "[" + std::to_string(k) + "]", v[k], "a finite number");
    }
  }
}

void validate(const FreeBody& b, const std::string& field) {
  if (!(b.mass > 0. && std::isfinite(b.mass))) {
    throw InputError(field + ".mass", b.mass, "a finite number > 0");
  }
  if (!(b.inertia > 0. && std::isfinite(b.inertia))) {
    throw InputError(field + ".inertia", b.inertia, "a finite number > 0");
  }
  require_finite_pair(b.contact_offset, field + ".contact_offset");
  require_finite_pair(b.velocity, field + ".velocity");
  require_finite(b.spin, field + ".spin");
}

}  // namespace

std::array<double, 2> unit_direction(double degrees) {
  const double turn = std::remainder(degrees, 360.);
  if (turn == 0.) return {1., 0.};
  if (turn == 90.) return {0., 1.};
  if (turn == -90.) return {0., -1.};
  if (std::abs(turn) == 180.) return {-1., 0.};
  return {std::cos(turn * degree), std::sin(turn * degree)};
}

std::array<double, 2> unit_vector(const std::array<double, 2>& v, const std::string& field) {
  require_finite_pair(v, field);
  constexpr double six_digits = 1e-6;
  const double length = std::hypot(v[0], v[1]);
  if (!(std::abs(length - 1.) <= six_digits)) {
    throw InputError(field, "must have length 1, got " + shortest(length));
  }
  return {v[0] / length, v[1] / length};
}

SystemAtImpact at_impact(const TwoBodies& s, bool left_handed) {
  const Pair n = unit_vector(s.normal, "normal");
  const Pair right = tangent_of(n);
  const Pair t = left_handed ? Pair{-right[0], -right[1]} : right;
  const Eigen::Index bodies = s.second ? 2 : 1;
  SystemAtImpact c;
  c.names = {""};
  c.first_moves_free = true;
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(3 * bodies, 3 * bodies);
  Eigen::MatrixXd W(3 * bodies, 2);
  c.W_spin = Eigen::VectorXd::Zero(3 * bodies);
  for (Eigen::Index i = 0; i < bodies; ++i) {
    const FreeBody& b = i == 0 ? s.first : *s.second;
    validate(b, i == 0 ? "bodies[0]" : "bodies[1]");
    const double side = i == 0 ? 1. : -1.;  // relative velocity is first minus second
    const Eigen::Index at = 3 * i;
    M(at, at) = M(at + 1, at + 1) = b.mass;
    M(at + 2, at + 2) = b.inertia;
    // The contact moves with v + w x r, so d.(v + w x r) = d.v + (r x d) w for a direction d.
    for (Eigen::Index k = 0; k < 2; ++k) {
      const Pair& d = k == 0 ? n : t;
      W(at, k) = side * d[0];
      W(at + 1, k) = side * d[1];
      W(at + 2, k) = side * cross(b.contact_offset, d);
    }
    c.u.insert(c.u.end(), {b.velocity[0], b.velocity[1], b.spin});
    c.W_spin(at + 2) = side;
    const std::string number = bodies == 1 ? "" : std::to_string(i + 1);
    const bool named = !b.name.empty();
    c.coordinates.push_back({named ? b.name + " v_x" : "v" + number + "_x", "m/s"});
    c.coordinates.push_back({named ? b.name + " v_y" : "v" + number + "_y", "m/s"});
    c.coordinates.push_back({named ? b.name + " spin" : "spin" + number, "rad/s"});
    c.bodies.push_back({.name = body_name(b.name, i, bodies),
                        .first = static_cast<std::size_t>(at),
                        .translations = 2,
                        .rotations = 1});
  }
  require_finite_pair(s.surface_velocity, "surface_velocity");
  if (s.surface_velocity != Pair{}) {
    if (s.second) {
      throw InputError("surface_velocity",
                       "is for one body that strikes a surface, got two bodies");
    }
    c.support_velocity = {dot(n, s.surface_velocity), dot(t, s.surface_velocity)};
  }
  c.M = M.sparseView();
  c.W = W.sparseView();
  return reduced(std::move(c), 2);
}

PlacedScene scene_of(const TwoBodies& s) {
  static_cast<void>(at_impact(s));  // throws if something is invalid
  PlacedScene placed;
  const Eigen::Index bodies = s.second ? 2 : 1;
  placed.state.q.resize(3 * bodies);
  placed.state.u.resize(3 * bodies);
  for (Eigen::Index i = 0; i < bodies; ++i) {
    const FreeBody& b = i == 0 ? s.first : *s.second;
    if (b.shape.vertices.empty()) throw_shapeless(static_cast<std::size_t>(i));
    placed.scene.bodies.push_back({.name = body_name(b.name, i, bodies),
                                   .mass = b.mass,
                                   .inertia = b.inertia,
                                   .shape = b.shape});
    placed.state.q.segment<3>(3 * i) << -b.contact_offset[0], -b.contact_offset[1], b.angle;
    placed.state.u.segment<3>(3 * i) << b.velocity[0], b.velocity[1], b.spin;
  }
  const Pair n = unit_vector(s.normal, "normal");
  if (!s.second) {
    const auto [x, y] = s.surface_velocity;
    placed.scene.ground.push_back({.name = "surface",
                                   .shape = shapes::plane::half_plane(),
                                   .pose = {.angle = std::atan2(-n[0], n[1])},
                                   .motion = {.velocity = {x, y, 0.}}});
  }
  const Pair& r = s.first.contact_offset;
  require_contact(PlanarModel(placed.scene), placed.state, {n[0], n[1], 0.}, {r[0], r[1], 0.});
  return placed;
}

}  // namespace carom
