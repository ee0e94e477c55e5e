// SPDX-License-Identifier: Apache-2.0
#include <papers/brach/sphere.hpp>

#include <carom/laws/spatial_brach.hpp>

namespace carom::papers::br {
namespace {

// World axes of SpatialSphere: normal +z, tangents +x and +y.
World3 in_world(const Vec3& v) { return {v.t1, v.t2, v.n}; }
Vec3 in_contact(const World3& v) { return {.n = v[2], .t1 = v[0], .t2 = v[1]}; }

SpatialSphere system_of(const Sphere& s) {
  return {.mass = s.mass,
          .radius = s.radius,
          .inertia_factor = K,
          .velocity = in_world(s.velocity),
          .spin = in_world(s.spin)};
}

Sphere random_sphere(FixedRandom& random) {
  Sphere s;
  s.mass = random(0.2, 2.);
  s.radius = random(0.2, 2.);
  s.velocity = {.n = random(-3., -0.3), .t1 = random(-3., 3.), .t2 = random(-3., 3.)};
  s.spin = {.n = random(-3., 3.), .t1 = random(-3., 3.), .t2 = random(-3., 3.)};
  return s;
}

}  // namespace

double Sphere::energy() const {
  return 0.5 * mass * (dot(velocity, velocity) + k2() * dot(spin, spin));
}

SpatialProblem problem_of(const Sphere& sphere, const SpatialSurface& surface) {
  const SpatialContact contact = at_impact(system_of(sphere)).contact;
  return {.G = contact.G, .approach = contact.approach, .surface = surface, .spin = contact.spin};
}

Struck direct(const Sphere& sphere, const SpatialSurface& surface) {
  const SpatialOutcome o = brach(problem_of(sphere, surface));
  const BodiesAtImpact body(bodies_of(system_of(sphere)));
  const SpatialMotion after = body.after(0, o.impulse, o.couple);
  return {.velocity = in_contact(after.velocity),
          .spin = in_contact(after.spin),
          .impulse = o.impulse,
          .couple = o.couple,
          .loss = body.energy(0, body.before(0)).total() - body.energy(0, after).total()};
}

std::array<double, 2> critical(const Sphere& sphere, double e_n) {
  const Vec3 v = sphere.contact_velocity();
  const double divisor = 7. * v.n * (1. + e_n);
  return {2. * v.t1 / divisor, 2. * v.t2 / divisor};
}

SpatialSurface surface_of(double e_n, const std::array<double, 2>& ratio, double e_m) {
  SpatialSurface s{.restitution = e_n};
  s.impulse_ratio = ratio;
  s.moment_coefficients = {-1., -1., e_m};
  return s;
}

Sample sample_in_space(FixedRandom& random) {
  return {.sphere = random_sphere(random),
          .e_n = random(0., 1.),
          .part = {random(0., 1.), random(0., 1.)},
          .e_m = -1.};
}

Sample sample_in_plane(FixedRandom& random) {
  Sample s{.sphere = random_sphere(random),
           .e_n = random(0., 1.),
           .part = {random(0., 1.), 0.},
           .e_m = random(-1., 0.3)};
  s.sphere.velocity.t2 = 0.;
  s.sphere.spin.n = 0.;
  s.sphere.spin.t1 = 0.;
  return s;
}

}  // namespace carom::papers::br
