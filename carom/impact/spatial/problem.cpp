// SPDX-License-Identifier: Apache-2.0
#include <carom/impact/spatial/problem.hpp>

#include <cmath>
#include <string>
#include <utility>

#include <Eigen/Eigenvalues>

#include <carom/core/error.hpp>
#include <carom/core/scalar.hpp>
#include <carom/impact/semidefinite.hpp>

namespace carom {
namespace {

Eigen::Matrix3d matrix(const Sym3& G) {
  Eigen::Matrix3d m;
  m << G.nn, G.n1, G.n2, G.n1, G.t11, G.t12, G.n2, G.t12, G.t22;
  return m;
}

void require_entries(const Sym3& G, const std::string& field, const char* unit) {
  const Eigen::Matrix3d m = matrix(G);
  for (int i = 0; i < 3; ++i) {
    const std::string name = field + "[" + std::to_string(i) + "][" + std::to_string(i) + "]";
    if (m(i, i) < 0.) throw InputError(name, m(i, i), ">= 0 (G is positive semidefinite)");
    require_magnitude(m(i, i), name, unit);
    for (int j = 0; j < i; ++j) {
      require_finite(m(i, j), field + "[" + std::to_string(i) + "][" + std::to_string(j) + "]");
    }
  }
}

/// The spin rows. G with them is positive semidefinite.
void validate_spin(const SpatialProblem& p) {
  require_magnitude(p.spin.approach.n, "spin[0]", "rad/s");
  require_magnitude(p.spin.approach.t1, "spin[1]", "rad/s");
  require_magnitude(p.spin.approach.t2, "spin[2]", "rad/s");
  if (!p.spin.known) return;
  require_entries(p.spin.G, "spin", "1/(kg m^2)");
  Eigen::Matrix<double, 6, 6> all;
  all.topLeftCorner<3, 3>() = matrix(p.G);
  all.bottomRightCorner<3, 3>() = matrix(p.spin.G);
  for (Eigen::Index i = 0; i < 3; ++i) {
    for (Eigen::Index j = 0; j < 3; ++j) {
      const double x = p.spin.cross[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
      require_finite(x, "spin");
      all(i, 3 + j) = all(3 + j, i) = x;
    }
  }
  require_semidefinite(all, "spin");
}

}  // namespace

void validate(const SpatialProblem& p, Release release) {
  require_entries(p.G, "inverse_inertia", "1/kg");
  require_semidefinite(matrix(p.G), "inverse_inertia");
  require_magnitude(p.approach.n, "approach[0]", "m/s");
  require_magnitude(p.approach.t1, "approach[1]", "m/s");
  require_magnitude(p.approach.t2, "approach[2]", "m/s");
  validate_spin(p);
  validate(p.surface, "surface", release, 3);
}

Sym3 symmetric(const Mat3& G) {
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      // The scale of the entry, so that the test does not depend on units.
      const double scale = std::sqrt(std::abs(G[i][i])) * std::sqrt(std::abs(G[j][j]));
      if (std::abs(G[i][j] - G[j][i]) <= rounding * scale) continue;
      throw InputError("inverse_inertia", "must be symmetric, got " + shortest(G[j][i]) + " at [" +
                                              std::to_string(j) + "][" + std::to_string(i) +
                                              "] and " + shortest(G[i][j]) + " across");
    }
  }
  return {
      .nn = G[0][0], .n1 = G[0][1], .n2 = G[0][2], .t11 = G[1][1], .t12 = G[1][2], .t22 = G[2][2]};
}

double contact_energy(const SpatialProblem& p) {
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> eigen(matrix(p.G));
  const Eigen::Vector3d v = eigen.eigenvectors().transpose() *
                            Eigen::Vector3d(p.approach.n, p.approach.t1, p.approach.t2);
  const double largest = eigen.eigenvalues()(2);
  double energy = 0.;
  for (int i = 0; i < 3; ++i) {
    const double mobility = eigen.eigenvalues()(i);
    if (mobility > rounding * largest) energy += 0.5 * v(i) * v(i) / mobility;
  }
  return energy;
}

}  // namespace carom
