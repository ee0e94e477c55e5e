// SPDX-License-Identifier: Apache-2.0
#include <carom/mechanics/configuration.hpp>

#include <cmath>

#include <carom/core/dense_factors.hpp>
#include <carom/core/error.hpp>
#include <carom/core/scalar.hpp>

namespace carom {
namespace {

std::string entry(const std::string& name, Eigen::Index i, Eigen::Index j) {
  return name + "[" + std::to_string(i) + "][" + std::to_string(j) + "]";
}

void require_finite(const Eigen::MatrixXd& m, const std::string& name) {
  if (m.allFinite()) return;  // no names are built
  for (Eigen::Index i = 0; i < m.rows(); ++i) {
    for (Eigen::Index j = 0; j < m.cols(); ++j) {
      carom::require_finite(m(i, j), entry(name, i, j));
    }
  }
}

void require_symmetric(const Eigen::MatrixXd& m, const std::string& name) {
  for (Eigen::Index i = 0; i < m.rows(); ++i) {
    for (Eigen::Index j = 0; j < i; ++j) {
      // Allows only the rounding of an entry computed in two ways, for any units.
      const double scale = std::sqrt(std::abs(m(i, i))) * std::sqrt(std::abs(m(j, j)));
      if (std::abs(m(i, j) - m(j, i)) <= rounding * scale) continue;
      throw InputError(name, "must be symmetric, got " + shortest(m(i, j)) + " at [" +
                                 std::to_string(i) + "][" + std::to_string(j) + "] and " +
                                 shortest(m(j, i)) + " across");
    }
  }
}

std::string size_of(const Eigen::MatrixXd& m) {
  return std::to_string(m.rows()) + " x " + std::to_string(m.cols());
}

/// M = S L D L^T S, with rows and columns scaled to a unit diagonal.
struct MassFactor {
  Eigen::VectorXd scale;  ///< S^-1
  Ldlt factors;

  /// D^-1/2 L^-1 S^-1 X
  [[nodiscard]] Eigen::MatrixXd half(const Eigen::MatrixXd& X) const {
    Eigen::MatrixXd Y = scale.asDiagonal() * X;
    factors.forward(Y);
    for (Eigen::Index i = 0; i < Y.rows(); ++i) Y.row(i) /= std::sqrt(factors.D()(i));
    return Y;
  }
};

MassFactor factor_mass(const Eigen::MatrixXd& mass, const std::string& name) {
  const Eigen::VectorXd diagonal = mass.diagonal();
  for (Eigen::Index i = 0; i < diagonal.size(); ++i) {
    if (!(diagonal(i) > 0.)) throw InputError(entry(name, i, i), diagonal(i), "> 0");
  }
  MassFactor f;
  f.scale = diagonal.cwiseSqrt().cwiseInverse();
  if (!f.factors.factorize(f.scale.asDiagonal() * mass * f.scale.asDiagonal())) {
    throw InputError(name, "must be positive definite, got an indefinite or singular matrix");
  }
  return f;
}

}  // namespace

ContactSpace contact_space(const Configuration& c, const std::string& prefix) {
  const auto n = c.velocity.size();
  const std::string mass = prefix + "mass";
  const std::string directions = prefix + "directions";
  if (n == 0) throw InputError(prefix + "velocity", "must have at least one entry, got none");
  if (c.mass.rows() != n || c.mass.cols() != n) {
    throw InputError(mass, "must be " + std::to_string(n) + " x " + std::to_string(n) +
                               " as velocity has " + std::to_string(n) + " entries, got " +
                               size_of(c.mass));
  }
  if (c.directions.rows() != n || c.directions.cols() != 2) {
    throw InputError(directions, "must be " + std::to_string(n) +
                                     " x 2 (columns normal, tangential), got " +
                                     size_of(c.directions));
  }
  require_finite(c.mass, mass);
  require_finite(c.directions, directions);
  for (Eigen::Index i = 0; i < n; ++i) {
    if (std::isfinite(c.velocity(i))) continue;
    carom::require_finite(c.velocity(i), prefix + "velocity[" + std::to_string(i) + "]");
  }
  require_symmetric(c.mass, mass);
  // G = Y^T Y: positive semidefinite by construction, and of rank one to
  // rounding where W is, however ill-conditioned M may be.
  const MassFactor f = factor_mass(c.mass, mass);
  const Eigen::MatrixXd Y = f.half(c.directions);
  const Eigen::Matrix2d G = Y.transpose() * Y;
  const Eigen::VectorXd v = c.directions.transpose() * c.velocity;
  ContactSpace contact{.G = {.nn = G(0, 0), .nt = G(0, 1), .tt = G(1, 1)},
                       .approach = Vec2{.n = v(0), .t = v(1)} + c.drift.velocity,
                       .spin = {}};
  if (c.spin_direction.size() == n) {
    const Eigen::VectorXd r = f.half(c.spin_direction);
    contact.spin = {.nr = Y.col(0).dot(r),
                    .tr = Y.col(1).dot(r),
                    .rr = r.squaredNorm(),
                    .approach = c.spin_direction.dot(c.velocity) + c.drift.spin};
  }
  return contact;
}

Eigen::VectorXd velocity_after(const Configuration& c, const Vec2& impulse, double couple) {
  Eigen::VectorXd push = c.directions * Eigen::Vector2d(impulse.n, impulse.t);
  if (couple != 0.) push += couple * c.spin_direction;
  const MassFactor f = factor_mass(c.mass, "mass");
  push.array() *= f.scale.array();
  f.factors.solve(push);
  return c.velocity + f.scale.asDiagonal() * push;
}

double kinetic_energy(const Configuration& c, const Eigen::VectorXd& velocity) {
  return 0.5 * velocity.dot(c.mass * velocity);
}

}  // namespace carom
