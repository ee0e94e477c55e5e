// SPDX-License-Identifier: Apache-2.0
#include <carom/mechanics/spatial_rod.hpp>

#include <cmath>
#include <numbers>

#include <carom/core/error.hpp>
#include <carom/mechanics/model_at_impact.hpp>
#include <carom/mechanics/planar_bodies.hpp>
#include <carom/mechanics/shapes/space/mass.hpp>

namespace carom {
namespace {

void require_angle(double x, const char* field) {
  if (!(std::abs(x) < std::numbers::pi / 2.)) throw InputError(field, x / degree, "in (-90, 90)");
}

/// In a system with a single body its keys belong to the system itself.
SystemAtImpact ready(const SpatialBodies& bodies) {
  try {
    return at_impact(bodies);
  } catch (const InputError& e) {
    constexpr std::string_view prefix = "bodies[0].";
    if (!e.field().starts_with(prefix)) throw;
    throw InputError(e.field().substr(prefix.size()), e.problem(), e.where());
  }
}

}  // namespace

SpatialRod rod_at(const World3& g) {
  for (std::size_t k = 0; k < 3; ++k) {
    if (std::isfinite(g[k])) continue;
    throw InputError("mass_centre[" + std::to_string(k) + "]", g[k], "a finite number");
  }
  if (!(g[1] < 0.)) {
    throw InputError("mass_centre[1]", g[1], "< 0 (above the contact, as y points down)");
  }
  SpatialRod rod;
  rod.half_length = std::hypot(g[0], g[1], g[2]);
  rod.angle1 = std::atan2(g[0], -g[1]);
  rod.angle2 = std::atan2(-g[2], std::hypot(g[0], g[1]));
  return rod;
}

SpatialBodies bodies_of(const SpatialRod& r) {
  require_positive(r.mass, "mass");
  require_positive(r.half_length, "half_length");
  if (!(r.radius >= 0. && std::isfinite(r.radius))) {
    throw InputError("radius", r.radius, "a finite number >= 0");
  }
  require_angle(r.angle1, "angle1_deg");
  require_angle(r.angle2, "angle2_deg");
  const double c1 = std::cos(r.angle1), s1 = std::sin(r.angle1);
  const double c2 = std::cos(r.angle2), s2 = std::sin(r.angle2);
  const double L = r.half_length;
  // [Sun & Baruh 2022, eq. 69]: the axis is the body's Y.
  const double across = r.mass * (r.radius * r.radius / 4. + L * L / 3.);
  const double along = r.mass * r.radius * r.radius / 2.;
  SpatialBodies s;
  s.first.mass = r.mass;
  s.first.inertia = {{{across, 0., 0.}, {0., along, 0.}, {0., 0., across}}};
  // Q^T = Q1^T Q2^T of eq. 67.
  s.first.orientation = {{{c1, -s1 * c2, s1 * s2}, {s1, c1 * c2, -c1 * s2}, {0., s2, c2}}};
  s.first.contact_offset = {-L * c2 * s1, L * c2 * c1, L * s2};
  s.first.velocity = r.velocity;
  s.first.spin = r.spin;
  s.frame = {.normal = {0., -1., 0.}, .tangent1 = {1., 0., 0.}, .tangent2 = {0., 0., 1.}};
  return s;
}

SpatialBodies bodies_of(const SpatialSphere& b) {
  require_positive(b.mass, "mass");
  require_positive(b.radius, "radius");
  require_positive(b.inertia_factor, "inertia_factor");
  const double I = b.inertia_factor * b.mass * b.radius * b.radius;
  SpatialBodies s;
  s.first.mass = b.mass;
  s.first.inertia = {{{I, 0., 0.}, {0., I, 0.}, {0., 0., I}}};
  s.first.contact_offset = {0., 0., -b.radius};
  s.first.velocity = b.velocity;
  s.first.spin = b.spin;
  return s;
}

SpatialScene scene_of(const SpatialBodies& s) {
  static_cast<void>(at_impact(s));  // throws if something is invalid
  SpatialScene scene;
  const Eigen::Index bodies = s.second ? 2 : 1;
  for (Eigen::Index i = 0; i < bodies; ++i) {
    const SpatialBody& b = i == 0 ? s.first : *s.second;
    if (!b.solid) throw_shapeless(static_cast<std::size_t>(i));
    const auto [x, y, z] = b.contact_offset;
    scene.bodies.push_back({.name = body_name(b.name, i, bodies),
                            .mass = b.mass,
                            .solid = *b.solid,
                            .position = {-x, -y, -z},
                            .orientation = b.orientation,
                            .velocity = b.velocity,
                            .spin = b.spin});
    // A rod without inertia about its axis is the model's own.
    if (b.inertia != inertia_of(*b.solid, b.mass)) scene.bodies.back().inertia = b.inertia;
  }
  if (!s.second) {
    scene.ground.push_back({.name = "surface",
                            .solid = shapes::space::HalfSpace{s.frame.normal},
                            .motion = {.velocity = s.surface_velocity}});
  }
  const SpatialModel model(scene);
  require_contact(model, model.start(), s.frame.normal, s.first.contact_offset);
  return scene;
}

SpatialScene scene_of(const SpatialSphere& sphere) {
  SpatialBodies s = bodies_of(sphere);
  s.first.name = "sphere";
  s.first.solid = shapes::space::Sphere{.radius = sphere.radius};
  return scene_of(s);
}

SpatialScene scene_of(const SpatialRod& rod) {
  SpatialBodies s = bodies_of(rod);
  static_cast<void>(ready(s));  // throws if something is invalid
  const auto upright = [](const World3& v) { return World3{v[0], v[2], -v[1]}; };
  SpatialBody& b = s.first;
  const World3 tip = upright(b.contact_offset);
  const double across = b.inertia[0][0], along = b.inertia[1][1];
  b.name = "rod";
  b.solid = shapes::space::Rod{.length = 2. * rod.half_length};
  b.inertia = {{{across, 0., 0.}, {0., across, 0.}, {0., 0., along}}};
  if (along == 0.) b.inertia = inertia_of(*b.solid, b.mass);
  b.orientation = rotation_to({-tip[0], -tip[1], -tip[2]}, "angle1_deg");
  b.contact_offset = tip;
  b.velocity = upright(b.velocity);
  b.spin = upright(b.spin);
  s.frame = {};
  return scene_of(s);
}

SystemAtImpact at_impact(const SpatialRod& rod) { return ready(bodies_of(rod)); }

SystemAtImpact at_impact(const SpatialSphere& sphere) { return ready(bodies_of(sphere)); }

}  // namespace carom
