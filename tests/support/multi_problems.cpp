// SPDX-License-Identifier: Apache-2.0
#include <support/multi_problems.hpp>

#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

namespace carom::test {

double Dice::uniform(double a, double b) {
  state_ += 0x9e3779b97f4a7c15;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  z = z ^ (z >> 31);
  return a + (b - a) * static_cast<double>(z >> 11) * 0x1p-53;
}

double Dice::bell() {
  double sum = 0.;
  for (int i = 0; i < 12; ++i) sum += uniform(-0.5, 0.5);
  return sum;
}

std::size_t Dice::below(std::size_t n) {
  return std::min(n - 1, static_cast<std::size_t>(uniform(0., static_cast<double>(n))));
}

namespace {

Surface random_surface(Dice& dice) {
  Surface s;
  s.restitution = dice.chance(0.15) ? 0. : dice.chance(0.15) ? 1. : dice.uniform(0.2, 1.);
  s.friction = dice.chance(0.1) ? 0. : dice.uniform(0., 0.8);
  s.static_friction = s.friction * (dice.chance(0.5) ? 1. : dice.uniform(1., 1.6));
  s.stiffness = std::pow(10., dice.uniform(-1., 1.));
  s.exponent = 1.5;
  return s;
}

}  // namespace

ContactProblem random_multi_problem(std::uint64_t seed, std::size_t components, std::size_t least,
                                    std::size_t most) {
  Dice dice(seed);
  const std::size_t n = least + dice.below(most - least + 1);
  const std::size_t d = components;
  const bool few = dice.chance(0.3);
  const auto dof = static_cast<Eigen::Index>(few ? 3 * (d - 1) : n * d + 1);
  const auto columns = static_cast<Eigen::Index>(n * d);
  const auto vector = [&dice](Eigen::Index size) {
    Eigen::VectorXd v(size);
    for (double& x : v) x = dice.bell();
    return v;
  };
  const Eigen::VectorXd apart = vector(dof);
  const Eigen::VectorXd u = vector(dof);
  Eigen::MatrixXd W(dof, columns);
  for (Eigen::Index c = 0; c < columns; ++c) {
    W.col(c) = vector(dof);
    const bool normal = c % static_cast<Eigen::Index>(d) == 0;
    if (normal && W.col(c).dot(apart) < 0.) W.col(c) *= -1.;
  }
  ContactProblem p;
  p.G = BlockMatrix::from_dense(W.transpose() * W, d);
  const Eigen::VectorXd v = W.transpose() * u;
  p.approach.assign(v.begin(), v.end());
  bool approaches = false;
  for (std::size_t i = 0; i < n; ++i) {
    approaches = approaches || p.approach[i * d] < 0.;
    p.surfaces.push_back(random_surface(dice));
  }
  if (!approaches) {
    for (double& x : p.approach) x = -x;
  }
  return p;
}

ContactProblem box_on_four_corners(std::uint64_t seed) {
  Dice dice(seed);
  const double a = dice.uniform(0.2, 1.);
  const double b = dice.uniform(0.2, 1.);
  const double height = dice.uniform(0.1, 1.);
  const Eigen::Vector3d inertia =
      Eigen::Vector3d(b * b + height * height, a * a + height * height, a * a + b * b) / 3.;
  // Coordinates (x, y, z, spins); normal up, tangents x and y.
  Eigen::MatrixXd W(6, 12);
  for (int k = 0; k < 4; ++k) {
    const Eigen::Vector3d r((k & 1) != 0 ? a : -a, (k & 2) != 0 ? b : -b, -height);
    int c = 0;
    for (const Eigen::Vector3d& axis :
         {Eigen::Vector3d(0., 0., 1.), Eigen::Vector3d(1., 0., 0.), Eigen::Vector3d(0., 1., 0.)}) {
      W.col(3 * k + c) << axis, r.cross(axis);
      ++c;
    }
  }
  Eigen::VectorXd mobility(6);
  mobility << 1., 1., 1., inertia.cwiseInverse();
  Eigen::VectorXd u(6);
  u << dice.uniform(-1., 1.), dice.uniform(-1., 1.), -1., dice.uniform(-.3, .3),
      dice.uniform(-.3, .3), dice.uniform(-1., 1.);
  ContactProblem p;
  p.G = BlockMatrix::from_dense(W.transpose() * mobility.asDiagonal() * W, 3);
  const Eigen::VectorXd v = W.transpose() * u;
  p.approach.assign(v.begin(), v.end());
  Surface s = random_surface(dice);
  s.stiffness = 1.;
  p.surfaces.assign(4, s);
  return p;
}

}  // namespace carom::test
