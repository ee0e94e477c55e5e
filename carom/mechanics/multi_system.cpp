// SPDX-License-Identifier: Apache-2.0
#include <carom/mechanics/multi_system.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <carom/core/dense_factors.hpp>
#include <carom/core/error.hpp>
#include <carom/core/scalar.hpp>

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

void require_sizes(const MultiConfiguration& c) {
  const auto n = static_cast<Eigen::Index>(c.u.size());
  if (c.components < 1 || c.components > 3) {
    throw InputError("components", "must be 1 (frictionless), 2 (plane) or 3 (space), got " +
                                       std::to_string(c.components));
  }
  if (n == 0) throw InputError("velocity", "must have at least one entry, got none");
  if (c.M.rows() != n || c.M.cols() != n) {
    throw InputError("mass", "must be " + std::to_string(n) + " x " + std::to_string(n) +
                                 " as velocity has " + std::to_string(n) + " entries, got " +
                                 size_of(c.M));
  }
  const auto d = static_cast<Eigen::Index>(c.components);
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
/// part of M.
struct MassBlock {
  std::vector<Eigen::Index> coordinates;  ///< ascending
  Ldlt factors;
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

void factor(const Sparse& M, MassBlock& block) {
  const auto n = static_cast<Eigen::Index>(block.coordinates.size());
  Eigen::MatrixXd part(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const Eigen::Index at = block.coordinates[static_cast<std::size_t>(i)];
    for (Eigen::Index j = 0; j <= i; ++j) {
      part(i, j) = M.coeff(at, block.coordinates[static_cast<std::size_t>(j)]);
    }
    if (!(part(i, i) > 0.)) throw InputError(entry("mass", at, at), part(i, i), "> 0");
  }
  if (!block.factors.factorize(part)) {
    throw InputError("mass", "must be positive definite, got an indefinite or singular matrix");
  }
}

std::vector<MassBlock> factor_mass(const Sparse& M) {
  const std::vector<Eigen::Index> leader = leaders(M);
  std::vector<std::size_t> block_of(leader.size(), 0);
  std::vector<MassBlock> blocks;
  for (std::size_t i = 0; i < leader.size(); ++i) {
    const auto first = static_cast<std::size_t>(leader[i]);
    if (first == i) {
      block_of[i] = blocks.size();
      blocks.emplace_back();
    }
    blocks[block_of[first]].coordinates.push_back(static_cast<Eigen::Index>(i));
  }
  for (MassBlock& block : blocks) factor(M, block);
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

Eigen::Map<const Eigen::VectorXd> mapped(const std::vector<double>& v) {
  return {v.data(), static_cast<Eigen::Index>(v.size())};
}

}  // namespace

MultiContact contact_space(const MultiConfiguration& c) {
  require_sizes(c);
  require_finite_entries(c.M, "mass");
  require_finite_entries(c.W, "directions");
  require_finite_entries(c.u, "velocity");
  require_finite_entries(c.support_velocity, "support_velocity");
  require_symmetric(c.M);
  const SparseRows W = c.W;
  std::vector<BlockMatrix::Triplet> G;
  for (const MassBlock& block : factor_mass(c.M)) add_part(block, W, G);
  MultiContact contact{.G = BlockMatrix::from_triplets(c.contacts(), c.components, G),
                       .approach = std::vector<double>(static_cast<std::size_t>(c.W.cols()))};
  const Eigen::VectorXd v = c.W.transpose() * mapped(c.u);
  for (std::size_t i = 0; i < contact.approach.size(); ++i) {
    contact.approach[i] = v(static_cast<Eigen::Index>(i));
    if (!c.support_velocity.empty()) contact.approach[i] -= c.support_velocity[i];
  }
  return contact;
}

std::vector<double> velocity_after(const MultiConfiguration& c,
                                   const std::vector<double>& impulse) {
  const Eigen::VectorXd push = c.W * mapped(impulse);
  std::vector<double> after = c.u;
  for (const MassBlock& block : factor_mass(c.M)) {
    Eigen::VectorXd part(block.factors.D().size());
    for (Eigen::Index i = 0; i < part.size(); ++i) {
      part(i) = push(block.coordinates[static_cast<std::size_t>(i)]);
    }
    block.factors.solve(part);
    for (Eigen::Index i = 0; i < part.size(); ++i) {
      after[static_cast<std::size_t>(block.coordinates[static_cast<std::size_t>(i)])] += part(i);
    }
  }
  return after;
}

double kinetic_energy(const MultiConfiguration& c, const std::vector<double>& u) {
  return 0.5 * mapped(u).dot(c.M * mapped(u));
}

std::vector<std::string> numbered(std::size_t contacts) {
  std::vector<std::string> names(contacts);
  for (std::size_t i = 0; i < contacts; ++i) names[i] = std::to_string(i + 1);
  return names;
}

MultiAtImpact at_impact(MultiConfiguration configuration, std::vector<std::string> names) {
  auto contact = contact_space(configuration);
  return {.contact = std::move(contact),
          .names = std::move(names),
          .configuration = std::move(configuration)};
}

}  // namespace carom
