// SPDX-License-Identifier: Apache-2.0
#include <papers/brach/sphere.hpp>

#include <utility>

#include <carom/laws/spatial_brach.hpp>
#include <carom/mechanics/spatial_system.hpp>

namespace carom::papers::br {
namespace {

// World axes of SpatialSphere: normal +z, tangents +x and +y.
SpatialAtImpact at_barrier(const Sphere& s) {
  return at_impact(SpatialSphere{.mass = s.mass,
                                 .radius = s.radius,
                                 .inertia_factor = K,
                                 .velocity = {s.velocity.t1, s.velocity.t2, s.velocity.n},
                                 .spin = {s.spin.t1, s.spin.t2, s.spin.n}});
}

}  // namespace

Vec3 Sphere::contact_velocity() const {
  return velocity + radius * Vec3{.t1 = -spin.t2, .t2 = spin.t1};
}

double Sphere::energy() const {
  return 0.5 * mass * (dot(velocity, velocity) + k2() * dot(spin, spin));
}

Sphere in_space(FixedRandom& random) {
  return {.mass = random(0.2, 2.),
          .radius = random(0.2, 2.),
          .velocity = {.n = random(-3., -0.3), .t1 = random(-3., 3.), .t2 = random(-3., 3.)},
          .spin = {.n = random(-3., 3.), .t1 = random(-3., 3.), .t2 = random(-3., 3.)},
          .e_n = random(0., 1.),
          .part = {random(0., 1.), random(0., 1.)}};
}

Sphere along_slip(FixedRandom& random) {
  Sphere s = in_space(random);
  s.part[1] = s.part[0];
  return s;
}

Sphere in_plane(FixedRandom& random) {
  Sphere s = in_space(random);
  s.velocity.t2 = s.spin.n = s.spin.t1 = 0.;
  s.e_m = -1. + 1.3 * std::exchange(s.part[1], 0.);
  return s;
}

Sphere without_couple(FixedRandom& random) {
  Sphere s = in_plane(random);
  s.e_m = -1.;
  return s;
}

Sphere skidding(double spin) { return {.velocity = {.n = -1., .t1 = 1.}, .spin = {.t2 = spin}}; }

std::array<double, 2> lost_with_slip(const Sphere& s) {
  return {(s.velocity.t1 + s.e_m * s.radius * s.spin.t2) / (1. - s.e_m / K),
          2. / 7. * s.contact_velocity().t2};
}

std::array<double, 2> critical(const Sphere& s) {
  const double divisor = (1. + s.e_n) * s.velocity.n;
  const auto [t, t2] = lost_with_slip(s);
  return {t / divisor, t2 / divisor};
}

std::array<double, 2> Struck::ratio() const {
  return {impulse.t1 / impulse.n, impulse.t2 / impulse.n};
}

SpatialProblem problem_of(const Sphere& s, const Surface& surface) {
  const SpatialContact contact = at_barrier(s).contact;
  return {.G = contact.G, .approach = contact.approach, .surface = surface, .spin = contact.spin};
}

Struck struck(const Sphere& s, const Surface& surface) {
  const SpatialOutcome o = brach(problem_of(s, surface));
  const auto [v, w] = at_barrier(s).bodies->after(0, o.impulse, o.couple);
  Sphere after = s;
  after.velocity = {.n = v[2], .t1 = v[0], .t2 = v[1]};
  after.spin = {.n = w[2], .t1 = w[0], .t2 = w[1]};
  return {after, o.impulse, o.couple, s.energy() - after.energy()};
}

Struck struck(const Sphere& s) {
  const auto mu_0 = critical(s);
  return struck(s, {.restitution = s.e_n,
                    .impulse_ratio = {{s.part[0] * mu_0[0], s.part[1] * mu_0[1]}},
                    .moment_coefficients = {-1., -1., s.e_m}});
}

Struck rolled(const Sphere& s) {
  return struck(s, {.restitution = s.e_n,
                    .tangential_coefficient = {{0., 0.}},
                    .moment_coefficients = {-1., -1., s.e_m}});
}

}  // namespace carom::papers::br
