// SPDX-License-Identifier: Apache-2.0
#include <carom/mechanics/system_at_impact.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <carom/core/dense_factors.hpp>
#include <carom/core/error.hpp>
#include <carom/core/scalar.hpp>
#include <carom/impact/one_contact.hpp>

namespace carom {
namespace {

using Sparse = Eigen::SparseMatrix<double>;
using SparseRows = Eigen::SparseMatrix<double, Eigen::RowMajor>;

std::string entry(const char* name, Eigen::Index i, Eigen::Index j) {
  return std::string(name) + "[" + std::to_string(i) + "][" + std::to_string(j) + "]";
}

std::string size_of(const Sparse& m) {
  return std::to_string(m.rows()) + " x " + std::to_string(m.cols());
}

void require_finite_entries(const Sparse& m, const char* name) {
  for (Eigen::Index j = 0; j < m.outerSize(); ++j) {
    for (Sparse::InnerIterator it(m, j); it; ++it) {
      if (!std::isfinite(it.value())) require_finite(it.value(), entry(name, it.row(), it.col()));
    }
  }
}

void require_finite_entries(const std::vector<double>& v, const char* name) {
  for (std::size_t i = 0; i < v.size(); ++i) {
    if (!std::isfinite(v[i])) {
      require_finite(v[i], std::string(name) + "[" + std::to_string(i) + "]");
    }
  }
}

void require_symmetric(const Sparse& M) {
  for (Eigen::Index j = 0; j < M.outerSize(); ++j) {
    for (Sparse::InnerIterator it(M, j); it; ++it) {
      if (it.row() == it.col()) continue;
      // Allows only the rounding of an entry computed in two ways, for any units.
      const double across = M.coeff(it.col(), it.row());
      const double scale = std::sqrt(std::abs(M.coeff(it.row(), it.row()))) *
                           std::sqrt(std::abs(M.coeff(it.col(), it.col())));
      if (std::abs(it.value() - across) <= rounding * scale) continue;
      throw InputError("mass", "must be symmetric, got " + shortest(it.value()) + " at [" +
                                   std::to_string(it.row()) + "][" + std::to_string(it.col()) +
                                   "] and " + shortest(across) + " across");
    }
  }
}

void require_sizes(const SystemAtImpact& c, std::size_t components) {
  const auto n = static_cast<Eigen::Index>(c.u.size());
  if (components < 1 || components > 3) {
    throw InputError("components", "must be 1 (frictionless), 2 (plane) or 3 (space), got " +
                                       std::to_string(components));
  }
  if (n == 0) throw InputError("velocity", "must have at least one entry, got none");
  if (c.M.rows() != n || c.M.cols() != n) {
    throw InputError("mass", "must be " + std::to_string(n) + " x " + std::to_string(n) +
                                 " as velocity has " + std::to_string(n) + " entries, got " +
                                 size_of(c.M));
  }
  const auto d = static_cast<Eigen::Index>(components);
  if (c.W.rows() != n || c.W.cols() == 0 || c.W.cols() % d != 0) {
    throw InputError("directions", "must be " + std::to_string(n) + " x a multiple of " +
                                       std::to_string(d) + " (columns by contact), got " +
                                       size_of(c.W));
  }
  if (!c.support_velocity.empty() &&
      static_cast<Eigen::Index>(c.support_velocity.size()) != c.W.cols()) {
    throw InputError("support_velocity", "must have " + std::to_string(c.W.cols()) +
                                             " entries as directions has columns, got " +
                                             std::to_string(c.support_velocity.size()));
  }
}

/// Coordinates that M couples with each other and with no others (a body has its own), and their
/// part of M = S L D L^T S.
struct MassBlock {
  std::vector<Eigen::Index> coordinates;  ///< ascending
  Eigen::VectorXd scale;                  ///< S^-1
  Ldlt factors;

  /// The rows of its coordinates, scaled.
  [[nodiscard]] Eigen::MatrixXd rows(const Eigen::MatrixXd& X) const {
    Eigen::MatrixXd Y(scale.size(), X.cols());
    for (Eigen::Index i = 0; i < Y.rows(); ++i) {
      Y.row(i) = scale(i) * X.row(coordinates[static_cast<std::size_t>(i)]);
    }
    return Y;
  }
};

/// The smallest coordinate that each is coupled with, directly or through others.
std::vector<Eigen::Index> leaders(const Sparse& M) {
  std::vector<Eigen::Index> leader(static_cast<std::size_t>(M.rows()));
  std::iota(leader.begin(), leader.end(), 0);
  const auto find = [&](Eigen::Index i) {
    while (leader[static_cast<std::size_t>(i)] != i) {
      auto& up = leader[static_cast<std::size_t>(i)];
      up = leader[static_cast<std::size_t>(up)];
      i = up;
    }
    return i;
  };
  for (Eigen::Index j = 0; j < M.outerSize(); ++j) {
    for (Sparse::InnerIterator it(M, j); it; ++it) {
      if (it.value() == 0.) continue;
      const Eigen::Index a = find(it.row());
      const Eigen::Index b = find(it.col());
      leader[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
    }
  }
  for (Eigen::Index i = 0; i < M.rows(); ++i) leader[static_cast<std::size_t>(i)] = find(i);
  return leader;
}

void factor(const Sparse& M, bool unit_diagonal, MassBlock& block) {
  const auto n = static_cast<Eigen::Index>(block.coordinates.size());
  Eigen::MatrixXd part(n, n);
  block.scale = Eigen::VectorXd::Ones(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const Eigen::Index at = block.coordinates[static_cast<std::size_t>(i)];
    const double diagonal = M.coeff(at, at);
    if (!(diagonal > 0.)) throw InputError(entry("mass", at, at), diagonal, "> 0");
    if (unit_diagonal) block.scale(i) = 1. / std::sqrt(diagonal);
    for (Eigen::Index j = 0; j <= i; ++j) {
      const double x = M.coeff(at, block.coordinates[static_cast<std::size_t>(j)]);
      part(i, j) = block.scale(i) * x * block.scale(j);
    }
  }
  if (!block.factors.factorize(part)) {
    throw InputError("mass", "must be positive definite, got an indefinite or singular matrix");
  }
}

/// One contact in the plane has few coordinates: they are one block, scaled to a unit diagonal.
std::vector<MassBlock> factor_mass(const Sparse& M, bool one) {
  std::vector<MassBlock> blocks;
  if (one) {
    blocks.resize(1);
    blocks[0].coordinates.resize(static_cast<std::size_t>(M.rows()));
    std::iota(blocks[0].coordinates.begin(), blocks[0].coordinates.end(), 0);
  } else {
    const std::vector<Eigen::Index> leader = leaders(M);
    std::vector<std::size_t> block_of(leader.size(), 0);
    for (std::size_t i = 0; i < leader.size(); ++i) {
      const auto first = static_cast<std::size_t>(leader[i]);
      if (first == i) {
        block_of[i] = blocks.size();
        blocks.emplace_back();
      }
      blocks[block_of[first]].coordinates.push_back(static_cast<Eigen::Index>(i));
    }
  }
  for (MassBlock& block : blocks) factor(M, one, block);
  return blocks;
}

/// The contribution of the coordinates of a block to G = W^T M^-1 W: Y^T D^-1 Y with Y = L^-1 W,
/// positive semidefinite by construction. Entries on and above the diagonal.
void add_part(const MassBlock& block, const SparseRows& W, std::vector<BlockMatrix::Triplet>& G) {
  std::vector<Eigen::Index> columns;
  for (const Eigen::Index at : block.coordinates) {
    for (SparseRows::InnerIterator it(W, at); it; ++it) columns.push_back(it.col());
  }
  if (columns.empty()) return;  // no contact acts on it
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  const auto n = static_cast<Eigen::Index>(block.coordinates.size());
  Eigen::MatrixXd Y = Eigen::MatrixXd::Zero(n, static_cast<Eigen::Index>(columns.size()));
  for (Eigen::Index i = 0; i < n; ++i) {
    for (SparseRows::InnerIterator it(W, block.coordinates[static_cast<std::size_t>(i)]); it;
         ++it) {
      const auto at = std::lower_bound(columns.begin(), columns.end(), it.col());
      Y(i, at - columns.begin()) = it.value();
    }
  }
  block.factors.forward(Y);
  for (Eigen::Index a = 0; a < Y.cols(); ++a) {
    for (Eigen::Index b = a; b < Y.cols(); ++b) {
      const double x = (Y.col(a).array() * Y.col(b).array() / block.factors.D().array()).sum();
      if (x == 0.) continue;
      G.push_back({.row = static_cast<std::size_t>(columns[static_cast<std::size_t>(a)]),
                   .column = static_cast<std::size_t>(columns[static_cast<std::size_t>(b)]),
                   .value = x});
    }
  }
}

Eigen::Map<const Eigen::VectorXd> mapped(std::span<const double> v) {
  return {v.data(), static_cast<Eigen::Index>(v.size())};
}

bool is_one_in_plane(const SystemAtImpact& s, std::size_t components) {
  return components == 2 && s.W.cols() == 2;
}

// G = Y^T Y with Y = D^-1/2 L^-1 S^-1 W: positive semidefinite by construction, and of rank one to
// rounding where W is, however ill-conditioned M may be. The third column is of the spin.
void reduce_one(SystemAtImpact& s, const MassBlock& mass, const Eigen::VectorXd& v) {
  const bool spins = s.W_spin.rows() == s.M.rows();
  Eigen::MatrixXd X(s.M.rows(), spins ? 3 : 2);
  X.leftCols(2) = Eigen::MatrixXd(s.W);
  if (spins) X.col(2) = s.W_spin;
  Eigen::MatrixXd Y = mass.rows(X);
  mass.factors.forward(Y);
  for (Eigen::Index i = 0; i < Y.rows(); ++i) Y.row(i) /= std::sqrt(mass.factors.D()(i));
  PlanarProblem p{.G = {.nn = Y.col(0).dot(Y.col(0)),
                        .nt = Y.col(0).dot(Y.col(1)),
                        .tt = Y.col(1).dot(Y.col(1))},
                  .approach = {.n = v(0), .t = v(1)},
                  .surface = {}};
  if (spins) {
    p.spin = {.nr = Y.col(0).dot(Y.col(2)),
              .tr = Y.col(1).dot(Y.col(2)),
              .rr = Y.col(2).squaredNorm(),
              .approach = s.W_spin.col(0).dot(mapped(s.u))};
  }
  assign(s.problem, p);
}

}  // namespace

SystemAtImpact reduced(SystemAtImpact s, std::size_t components) {
  require_sizes(s, components);
  require_finite_entries(s.M, "mass");
  require_finite_entries(s.W, "directions");
  require_finite_entries(s.u, "velocity");
  require_finite_entries(s.support_velocity, "support_velocity");
  require_symmetric(s.M);
  Eigen::VectorXd v = s.W.transpose() * mapped(s.u);
  if (!s.support_velocity.empty()) v -= mapped(s.support_velocity);
  const bool one = is_one_in_plane(s, components);
  const std::vector<MassBlock> mass = factor_mass(s.M, one);
  if (one) {
    reduce_one(s, mass.front(), v);
    return s;
  }
  const SparseRows W = s.W;
  std::vector<BlockMatrix::Triplet> G;
  for (const MassBlock& block : mass) add_part(block, W, G);
  const std::size_t contacts = static_cast<std::size_t>(W.cols()) / components;
  s.problem.G = BlockMatrix::from_triplets(contacts, components, G);
  s.problem.approach.assign(v.begin(), v.end());
  return s;
}

SystemAtImpact at_impact(const Eigen::MatrixXd& M, const Eigen::MatrixXd& W, std::vector<double> u,
                         std::size_t components, std::vector<std::string> names) {
  SystemAtImpact s;
  s.names = std::move(names);
  s.u = std::move(u);
  s.M = M.sparseView();
  s.W = W.sparseView();
  return reduced(std::move(s), components);
}

void SystemAtImpact::forget_system() {
  if (!has_velocities()) return names.clear();
  ContactProblem kept = std::move(problem);
  *this = {};
  problem = std::move(kept);
}

std::vector<double> SystemAtImpact::velocity_after(std::span<const double> impulse) const {
  std::vector<double> after = u;
  if (response.size() > 0) {
    const Eigen::VectorXd change =
        response.leftCols(static_cast<Eigen::Index>(impulse.size())) * mapped(impulse);
    for (std::size_t i = 0; i < u.size(); ++i) after[i] += change(static_cast<Eigen::Index>(i));
    return after;
  }
  const auto pushes = static_cast<std::size_t>(W.cols());
  Eigen::VectorXd push = W * mapped(impulse.first(pushes));
  if (impulse.size() > pushes) push += W_spin * mapped(impulse.subspan(pushes));
  for (const MassBlock& block : factor_mass(M, is_one_in_plane(*this, problem.components()))) {
    Eigen::MatrixXd part = block.rows(push);
    block.factors.solve(part);
    for (Eigen::Index i = 0; i < part.rows(); ++i) {
      after[static_cast<std::size_t>(block.coordinates[static_cast<std::size_t>(i)])] +=
          block.scale(i) * part(i, 0);
    }
  }
  return after;
}

double SystemAtImpact::energy_before() const {
  return knows_kinetic_energy() ? kinetic_energy(u) : contact_energy(problem);
}

double SystemAtImpact::kinetic_energy(std::span<const double> velocities) const {
  return 0.5 * mapped(velocities).dot(M * mapped(velocities));
}

KineticParts SystemAtImpact::energy(std::size_t body, std::span<const double> velocities) const {
  const BodyCoordinates& b = bodies[body];
  const auto part = [&](std::size_t first, std::size_t size) {
    double T = 0.;
    for (std::size_t i = first; i < first + size; ++i) {
      for (std::size_t j = first; j < first + size; ++j) {
        const double m = M.coeff(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
        if (m != 0.) T += 0.5 * m * velocities[i] * velocities[j];
      }
    }
    return T;
  };
  return {.translation = part(b.first, b.translations),
          .rotation = part(b.first + b.translations, b.rotations)};
}

std::string body_name(const std::string& given, Eigen::Index i, Eigen::Index bodies) {
  if (!given.empty()) return given;
  return bodies == 1 ? "body" : "body " + std::to_string(i + 1);
}

std::vector<std::string> numbered(std::size_t contacts) {
  std::vector<std::string> names(contacts);
  for (std::size_t i = 0; i < contacts; ++i) names[i] = std::to_string(i + 1);
  return names;
}

}  // namespace carom
