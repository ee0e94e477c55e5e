// SPDX-License-Identifier: Apache-2.0
#include <support/spatial_problems.hpp>

#include <algorithm>
#include <cmath>

#include <Eigen/Dense>

namespace carom {

std::ostream& operator<<(std::ostream& out, const Vec3& x) {
  return out << "(" << x.n << ", " << x.t1 << ", " << x.t2 << ")";
}

std::ostream& operator<<(std::ostream& out, const SpatialProblem& p) {
  out.precision(17);
  return out << "{G = [" << p.G.nn << ", " << p.G.n1 << ", " << p.G.n2 << ", " << p.G.t11 << ", "
             << p.G.t12 << ", " << p.G.t22 << "], v = " << p.approach
             << ", e = " << p.surface.restitution << ", mu = " << p.surface.friction
             << ", mu_s = " << p.surface.static_friction << "}";
}

}  // namespace carom

namespace carom::test {

double largest(const Vec3& x) { return std::max({std::abs(x.n), std::abs(x.t1), std::abs(x.t2)}); }

double velocity_scale(const SpatialProblem& p, const Vec3& P, const Vec3& v) {
  const Vec3 size{.n = std::abs(P.n), .t1 = std::abs(P.t1), .t2 = std::abs(P.t2)};
  const Sym3 G{.nn = p.G.nn,
               .n1 = std::abs(p.G.n1),
               .n2 = std::abs(p.G.n2),
               .t11 = p.G.t11,
               .t12 = std::abs(p.G.t12),
               .t22 = p.G.t22};
  return std::max({largest(p.approach), largest(v), largest(G * size)});
}

double momentum_residual(const SpatialProblem& p, const Vec3& P, const Vec3& v) {
  return largest(p.approach + p.G * P - v) / velocity_scale(p, P, v);
}

Vec3 turned(const Vec3& x, double angle) {
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  return {.n = x.n, .t1 = c * x.t1 - s * x.t2, .t2 = s * x.t1 + c * x.t2};
}

SpatialProblem turned(const SpatialProblem& p, double angle) {
  SpatialProblem q = p;
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  const Sym3& G = p.G;
  q.G.n1 = c * G.n1 - s * G.n2;
  q.G.n2 = s * G.n1 + c * G.n2;
  q.G.t11 = c * c * G.t11 - 2. * c * s * G.t12 + s * s * G.t22;
  q.G.t22 = s * s * G.t11 + 2. * c * s * G.t12 + c * c * G.t22;
  q.G.t12 = c * s * (G.t11 - G.t22) + (c * c - s * s) * G.t12;
  q.approach = turned(p.approach, angle);
  return q;
}

SpatialProblem in_other_units(const SpatialProblem& p, double mass, double speed) {
  SpatialProblem q = p;
  q.G = {.nn = p.G.nn / mass,
         .n1 = p.G.n1 / mass,
         .n2 = p.G.n2 / mass,
         .t11 = p.G.t11 / mass,
         .t12 = p.G.t12 / mass,
         .t22 = p.G.t22 / mass};
  q.approach = speed * p.approach;
  return q;
}

double Random::uniform(double a, double b) {
  state_ += 0x9e3779b97f4a7c15;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  z ^= z >> 31;
  return a + (b - a) * static_cast<double>(z >> 11) * 0x1p-53;
}

SpatialProblem random_bodies(std::uint64_t seed, double most_friction) {
  Random random(seed * 0x2545f4914f6cdd1d + 1);
  const auto vector = [&](double most) {
    const double x = random.uniform(-most, most);
    const double y = random.uniform(-most, most);
    return Eigen::Vector3d(x, y, random.uniform(-most, most));
  };
  SpatialProblem p;
  Eigen::Matrix3d G = Eigen::Matrix3d::Zero();
  for (int body = 0; body < 2; ++body) {
    const double mass = random.uniform(0.2, 2.);
    // Point masses: an inertia that some body has, in any orientation.
    Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();
    for (int i = 0; i < 4; ++i) {
      const Eigen::Vector3d r = vector(0.7);
      inertia += mass / 4. * (r.squaredNorm() * Eigen::Matrix3d::Identity() - r * r.transpose());
    }
    const Eigen::Vector3d c = vector(1.);
    Eigen::Matrix3d arm;  // c x
    arm << 0., -c(2), c(1), c(2), 0., -c(0), -c(1), c(0), 0.;
    G += Eigen::Matrix3d::Identity() / mass - arm * inertia.inverse() * arm;
  }
  p.G = {
      .nn = G(0, 0), .n1 = G(0, 1), .n2 = G(0, 2), .t11 = G(1, 1), .t12 = G(1, 2), .t22 = G(2, 2)};
  p.approach.n = -random.uniform(0.05, 1.);
  p.approach.t1 = random.uniform(-2., 2.);
  p.approach.t2 = random.uniform(-2., 2.);
  p.surface.restitution = random.uniform(0., 1.);
  p.surface.friction = random.uniform(0., most_friction);
  p.surface.static_friction = p.surface.friction;
  return p;
}

}  // namespace carom::test
