// SPDX-License-Identifier: Apache-2.0
#include <carom/impact/contact_problem.hpp>

#include <cmath>
#include <string>

#include <Eigen/SparseCholesky>

#include <carom/core/dense_factors.hpp>
#include <carom/core/error.hpp>
#include <carom/core/scalar.hpp>
#include <carom/impact/one_contact.hpp>

namespace carom {
namespace {

/// Up to this size computing eigenvalues is cheap.
constexpr std::size_t few_rows = 200;

using Sparse = Eigen::SparseMatrix<double>;

std::string entry(const char* field, std::size_t i) {
  return std::string(field) + "[" + std::to_string(i) + "]";
}

/// 1/sqrt(G_ii), or 0 for a zero row: scales the diagonal to 1, for any units.
Eigen::VectorXd scales(const BlockMatrix& G) {
  const std::size_t d = G.components();
  Eigen::VectorXd scale(static_cast<Eigen::Index>(G.size()));
  for (std::size_t i = 0; i < G.blocks(); ++i) {
    for (std::size_t c = 0; c < d; ++c) {
      const double x = G.diagonal(i)[c * d + c];
      scale(static_cast<Eigen::Index>(i * d + c)) = x > 0. ? 1. / std::sqrt(x) : 0.;
    }
  }
  return scale;
}

Sparse scaled(const BlockMatrix& G, const Eigen::VectorXd& scale, double shift) {
  const std::size_t d = G.components();
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(G.stored_blocks() * d * d);
  for (std::size_t i = 0; i < G.blocks(); ++i) {
    const auto columns = G.columns(i);
    for (std::size_t k = 0; k < columns.size(); ++k) {
      for (std::size_t e = 0; e < d * d; ++e) {
        const auto r = static_cast<Eigen::Index>(i * d + e / d);
        const auto c = static_cast<Eigen::Index>(columns[k] * d + e % d);
        const double x = scale(r) * G.block(i, k)[e] * scale(c);
        entries.emplace_back(static_cast<int>(r), static_cast<int>(c), r == c ? x + shift : x);
      }
    }
  }
  Sparse m(scale.size(), scale.size());
  m.setFromTriplets(entries.begin(), entries.end());
  return m;
}

void require_diagonal(const BlockMatrix& G) {
  const std::size_t d = G.components();
  for (std::size_t i = 0; i < G.blocks(); ++i) {
    for (std::size_t c = 0; c < d; ++c) {
      const double x = G.diagonal(i)[c * d + c];
      const std::string name = entry("inverse_inertia", i * d + c) + entry("", i * d + c);
      if (x < 0.) throw InputError(name, x, ">= 0 (G is positive semidefinite)");
      require_magnitude(x, name, "1/kg");
    }
  }
}

void require_semidefinite(const BlockMatrix& G) {
  const std::size_t d = G.components();
  const Eigen::VectorXd scale = scales(G);
  for (std::size_t i = 0; i < G.blocks(); ++i) {
    const auto columns = G.columns(i);
    for (std::size_t k = 0; k < columns.size(); ++k) {
      for (std::size_t e = 0; e < d * d; ++e) {
        const std::size_t r = i * d + e / d;
        const std::size_t c = columns[k] * d + e % d;
        const double x = G.block(i, k)[e];
        const double bound =
            scale(static_cast<Eigen::Index>(r)) * std::abs(x) * scale(static_cast<Eigen::Index>(c));
        const bool frozen =
            scale(static_cast<Eigen::Index>(r)) == 0. || scale(static_cast<Eigen::Index>(c)) == 0.;
        if (bound <= 1. + rounding && !(frozen && x != 0.)) continue;
        throw InputError("inverse_inertia", "must be positive semidefinite, got " + shortest(x) +
                                                " at [" + std::to_string(r) + "][" +
                                                std::to_string(c) + "]");
      }
    }
  }
  const auto size = static_cast<double>(G.size());
  if (G.size() <= few_rows) {
    const double smallest = symmetric_eigenvalues(scaled(G, scale, 0.))(0);
    if (!(smallest >= -rounding * size)) {
      throw InputError("inverse_inertia", "must be positive semidefinite, got an eigenvalue " +
                                              shortest(smallest) + " of its correlation matrix");
    }
    return;
  }
  // A negative eigenvalue larger than the shift appears as a negative pivot.
  const Eigen::SimplicialLDLT<Sparse> factors(scaled(G, scale, 64. * rounding * size));
  if (factors.info() != Eigen::Success || !(factors.vectorD().minCoeff() > 0.)) {
    throw InputError("inverse_inertia", "must be positive semidefinite, got a negative pivot");
  }
}

}  // namespace

void validate(const ContactProblem& p, Release release) {
  const bool sized = p.contacts() == 1 && p.approach.size() == p.G.size() && p.surfaces.size() == 1;
  if (sized && p.components() == 2) return validate(planar_problem(p), release);
  if (sized && p.components() == 3) return validate(spatial_problem(p), release);
  validate_of_system(p, release);
  require_semidefinite(p.G);
}

void validate_of_system(const ContactProblem& p, Release release) {
  if (p.contacts() == 0) throw InputError("inverse_inertia", "must have a contact, got none");
  if (p.spin_rows > 0 && p.contacts() > 1) {
    throw InputError("spin_rows",
                     "must be 0 where there are several contacts: no law for several "
                     "contacts has couples");
  }
  if (p.approach.size() != p.G.size()) {
    throw InputError("approach", "must have " + std::to_string(p.G.size()) +
                                     " components as G has rows, got " +
                                     std::to_string(p.approach.size()));
  }
  if (p.surfaces.size() != p.contacts()) {
    throw InputError("surfaces", "must be one for each of " + std::to_string(p.contacts()) +
                                     " contacts, got " + std::to_string(p.surfaces.size()));
  }
  require_diagonal(p.G);
  for (std::size_t i = 0; i < p.approach.size(); ++i) {
    require_magnitude(p.approach[i], entry("approach", i), "m/s");
  }
  for (std::size_t i = 0; i < p.surfaces.size(); ++i) {
    validate(p.surfaces[i], entry("surfaces", i), release, p.components());
  }
}

double contact_energy(const ContactProblem& p) {
  if (p.contacts() == 1 && p.components() == 2) return contact_energy(planar_problem(p));
  if (p.contacts() == 1 && p.components() == 3) return contact_energy(spatial_problem(p));
  const Eigen::VectorXd scale = scales(p.G);
  Eigen::VectorXd v(scale.size());
  for (Eigen::Index i = 0; i < v.size(); ++i) {
    v(i) = scale(i) * p.approach[static_cast<std::size_t>(i)];
  }
  if (p.G.size() <= few_rows) {
    const SymmetricEigen eigen = symmetric_eigen(scaled(p.G, scale, 0.));
    const Eigen::VectorXd y = eigen.vectors.transpose() * v;
    const double cut = rounding * static_cast<double>(p.G.size()) * eigen.values.maxCoeff();
    double energy = 0.;
    for (Eigen::Index i = 0; i < y.size(); ++i) {
      if (eigen.values(i) > cut) energy += 0.5 * y(i) * y(i) / eigen.values(i);
    }
    return energy;
  }
  const Eigen::SimplicialLDLT<Sparse> factors(
      scaled(p.G, scale, 64. * rounding * static_cast<double>(p.G.size())));
  return 0.5 * v.dot(factors.solve(v));
}

}  // namespace carom
