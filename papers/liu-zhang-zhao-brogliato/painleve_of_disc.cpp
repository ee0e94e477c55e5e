// SPDX-License-Identifier: Apache-2.0
#include <papers/liu-zhang-zhao-brogliato/painleve_of_disc.hpp>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include <carom/motion/disc_model.hpp>

namespace carom::papers {
namespace {

/// By golden section.
double least_at(double from, double to, const std::function<double(double)>& f) {
  constexpr double golden = std::numbers::phi - 1.;
  double a = to - golden * (to - from), b = from + golden * (to - from);
  double fa = f(a), fb = f(b);
  while (to - from > 1e-9) {
    if (fa <= fb) {
      to = b;
      b = a;
      fb = fa;
      a = to - golden * (to - from);
      fa = f(a);
    } else {
      from = a;
      a = b;
      fa = fb;
      b = from + golden * (to - from);
      fb = f(b);
    }
  }
  return 0.5 * (from + to);
}

}  // namespace

// Slip along +t has F_t = -mu F_n: A = G_nn - mu G_nt.
double DiscShape::critical_friction(double theta) const {
  const motion::DiscModel model({.mass = 1., .radius = r_over_h, .half_thickness = 1.});
  motion::State s;
  s.q = Eigen::Vector3d(0., r_over_h, theta);
  s.u = Eigen::Vector3d::Zero();
  motion::ContactMotion A;
  A.W.resize(3, 3);
  model.contact(0, s, A);
  const Eigen::Vector3d inverse_mass(1., 1., 1. / model.inertia());
  const Eigen::Vector3d n = A.W.col(0), t = A.W.col(1);
  const double nn = n.dot(inverse_mass.cwiseProduct(n));
  const double nt = n.dot(inverse_mass.cwiseProduct(t));
  return nt > 0. ? nn / nt : std::numeric_limits<double>::infinity();
}

double DiscShape::printed_bound(double theta) const {
  const double l2 = r_over_h * r_over_h + 1.;  // in units of h and m
  const double I = r_over_h * r_over_h / 4. + 1. / 3.;
  const double twice = 2. * (theta + std::atan(1. / r_over_h));
  return -(2. * I + l2 * (1. + std::cos(twice))) / (l2 * std::sin(twice));
}

double DiscShape::upright_bound() const { return r_over_h / 4. + 4. / (3. * r_over_h); }

double DiscShape::easiest_angle() const {
  const double first = 0.5 * std::numbers::pi - std::atan(1. / r_over_h);  // none below
  return least_at(first + 1e-6, 0.5 * std::numbers::pi,
                  [this](double theta) { return critical_friction(theta); });
}

double DiscShape::detaching_spin(double theta, double half_thickness, double gravity) const {
  const double l = half_thickness * std::sqrt(r_over_h * r_over_h + 1.);
  return std::sqrt(gravity / (l * std::sin(theta + std::atan(1. / r_over_h))));
}

DiscShape easiest_shape() {
  return {least_at(
      0.5, 20., [](double x) { return DiscShape{x}.critical_friction(0.5 * std::numbers::pi); })};
}

}  // namespace carom::papers
