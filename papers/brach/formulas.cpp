// SPDX-License-Identifier: Apache-2.0
#include <papers/brach/formulas.hpp>

namespace carom::papers::br {
namespace {

double square(double x) { return x * x; }

}  // namespace

Struck struck_in_space(const Sample& s) {
  const auto mu_0 = critical(s.sphere, s.e_n);
  return direct(s.sphere, surface_of(s.e_n, {s.part[0] * mu_0[0], s.part[1] * mu_0[1]}));
}

Struck struck_in_plane(const Sample& s) {
  const double mu = s.part[0] * critical_rolling(s, Form::corrected);
  return direct(s.sphere, surface_of(s.e_n, {mu, 0.}, s.e_m));
}

Sample along_slip(FixedRandom& random) {
  Sample s = sample_in_space(random);
  s.part[1] = s.part[0];
  return s;
}

Sample without_couple(FixedRandom& random) {
  Sample s = sample_in_plane(random);
  s.e_m = -1.;
  return s;
}

Vec3 velocity_after(const Sample& s) {
  const Vec3 v = s.sphere.velocity;
  const Vec3 c = s.sphere.contact_velocity();
  return {.n = -s.e_n * v.n,
          .t1 = v.t1 - s.part[0] * lambda_sphere * c.t1,
          .t2 = v.t2 - s.part[1] * lambda_sphere * c.t2};
}

Vec3 spin_after(const Sample& s, Form form) {
  const double gamma = 5. / (7. * s.sphere.radius);
  const Vec3 w = s.sphere.spin;
  const Vec3 c = s.sphere.contact_velocity();
  const double sign = form == Form::printed ? -1. : 1.;
  return {.n = w.n,
          .t1 = w.t1 - s.part[1] * gamma * c.t2,
          .t2 = w.t2 + sign * s.part[0] * gamma * c.t1};
}

double loss_16(const Sample& s, Form form) {
  const Vec3 c = s.sphere.contact_velocity();
  const auto mu_0 = critical(s.sphere, s.e_n);
  // Printed: mu_t' mu_t0 in place of mu_t/mu_t0.
  const double first = form == Form::printed ? s.part[1] * mu_0[1] * mu_0[0] : s.part[0];
  return 0.5 * s.sphere.mass *
         ((1. - square(s.e_n)) * square(c.n) + lambda_sphere * first * (2. - first) * square(c.t1) +
          lambda_sphere * s.part[1] * (2. - s.part[1]) * square(c.t2));
}

double loss_17(const Sample& s, Form form) {
  const Vec3 c = s.sphere.contact_velocity();
  // Printed: v_C^2, the square of the whole contact velocity, in place of v_Ct^2.
  const double first = form == Form::printed ? dot(c, c) : square(c.t1);
  const double r = s.part[0];
  return 0.5 * s.sphere.mass *
         ((1. - square(s.e_n)) * square(c.n) +
          lambda_sphere * r * (2. - r) * (first + square(c.t2)));
}

double lambda(double e_m) { return 1. / (1. - e_m / K); }

double critical_rolling(const Sample& s, Form form) {
  const Sphere& b = s.sphere;
  const double velocity = lambda(s.e_m) * (b.velocity.t1 + s.e_m * b.radius * b.spin.t2);
  return form == Form::printed ? velocity : velocity / ((1. + s.e_n) * b.velocity.n);
}

double slide_after(const Sample& s) {
  const Sphere& b = s.sphere;
  return b.velocity.t1 - s.part[0] * lambda(s.e_m) * (b.velocity.t1 + s.e_m * b.radius * b.spin.t2);
}

double roll_after(const Sample& s) {
  const Sphere& b = s.sphere;
  const double w = b.spin.t2;
  return -s.e_m * w - s.e_m * s.part[0] * b.radius * lambda(s.e_m) *
                          (b.velocity.t1 + s.e_m * b.radius * w) / b.k2();
}

double couple_23(const Sample& s, double P_t) {
  const Sphere& b = s.sphere;
  return -(1. + s.e_m) * (b.mass * b.k2() * b.spin.t2 - b.radius * P_t);
}

double loss_24(const Sample& s, Form form) {
  const Sphere& b = s.sphere;
  const double v = b.velocity.t1;
  const double aw = b.radius * b.spin.t2;
  const double r = s.part[0];
  const double l = lambda(s.e_m);
  const double normal = (1. - square(s.e_n)) * square(b.velocity.n);
  if (form == Form::printed) {
    // w^2 is missing, e_n stands for e_m twice, and e_m 2 for e_m^2.
    return 0.5 * b.mass *
           (normal + b.k2() * (1. - square(s.e_m)) +
            l * r * (v + s.e_n * aw) *
                (2. * (v - square(s.e_n) * aw) - r * l * (v + s.e_m * aw) * (1. + 2. * s.e_m / K)));
  }
  return 0.5 * b.mass *
         (normal + b.k2() * (1. - square(s.e_m)) * square(b.spin.t2) +
          l * r * (v + s.e_m * aw) *
              (2. * (v - square(s.e_m) * aw) -
               r * l * (v + s.e_m * aw) * (1. + square(s.e_m) / K)));
}

double loss_25(const Sample& s, Form form) {
  const Sphere& b = s.sphere;
  const double slip = b.velocity.t1 - b.radius * b.spin.t2;
  const double r = s.part[0];
  return 0.5 * b.mass *
         ((1. - square(s.e_n)) * square(b.velocity.n) +
          lambda_sphere * r * (form == Form::printed ? slip : square(slip)) * (2. - r));
}

double remaining_27(const Sphere& s, double e_m, Form form) {
  const double rolling = s.velocity.t1 + s.k2() * s.spin.t2 / s.radius;
  const double twice = square(s.velocity.n) + square(s.velocity.t1) + s.k2() * square(s.spin.t2);
  return square(e_m) / square(K - e_m) * (form == Form::printed ? rolling : square(rolling)) *
         (1. + K) / twice;
}

double bound_28(const Sphere& s, Form form) {
  // Printed: k^2 a w/a^2 is k^2 w/a; the square is missing.
  return remaining_27(s, -1., form);
}

double remaining(const Sphere& s, double e_m) {
  SpatialSurface surface{.restitution = 0.};
  surface.tangential_coefficient = std::array<double, 2>{0., 0.};
  surface.moment_coefficients = {-1., -1., e_m};
  return 1. - direct(s, surface).loss / s.energy();
}

}  // namespace carom::papers::br
