// SPDX-License-Identifier: Apache-2.0
#include <carom/complementarity/impulse_sharing.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include <carom/complementarity/lemke.hpp>
#include <carom/core/dense_factors.hpp>
#include <carom/core/scalar.hpp>

namespace carom::complementarity {
namespace {

/// Velocities, and impulses beyond the least, below this are zero, relative: the tolerance of
/// solutions by enumeration (`slack` in mode_enumeration.cpp).
constexpr double negligible = 1e-11;
/// Pivots of G below this, relative, are zero: ten times what may be wrong of velocities.
constexpr double singular = 10. * negligible;

/// A change of P that keeps the modes: one unit at component `at`, and `tied` units of friction.
struct Freedom {
  std::size_t at = 0;
  double tied = 0.;
};

std::vector<Freedom> freedoms(const ScaledFriction& s, std::span<const double> xi, double zero) {
  const std::size_t d = s.components;
  std::vector<Freedom> all;
  for (std::size_t i = 0; i < s.contacts; ++i) {
    const bool closed = magnitude(xi[i * d]) <= zero;
    if (!closed && !(s.floor[i] > 0.)) continue;
    const double slip = d == 2 ? xi[i * d + 1] : 0.;
    const bool slips = magnitude(slip) > zero;
    if (closed) {
      all.push_back({.at = i * d, .tied = slips ? (slip > 0. ? -s.mu[i] : s.mu[i]) : 0.});
    }
    if (d == 2 && !slips && s.mu[i] > 0.) all.push_back({.at = i * d + 1, .tied = 0.});
  }
  return all;
}

/// G as a dense matrix, scaled.
Eigen::MatrixXd dense(const ScaledFriction& s) {
  const std::size_t d = s.components;
  const auto rows = static_cast<Eigen::Index>(s.size());
  Eigen::MatrixXd G = Eigen::MatrixXd::Zero(rows, rows);
  for (std::size_t i = 0; i < s.contacts; ++i) {
    const auto set = [&](std::size_t j, const double* block, std::size_t step) {
      for (std::size_t e = 0; e < d * d; ++e) {
        G(static_cast<Eigen::Index>(i * d + e / d), static_cast<Eigen::Index>(j * d + e % d)) =
            block[e / d * step + e % d];
      }
    };
    set(i, &s.diagonal[i * d * d], d);
    s.for_blocks(i, [&](std::size_t j, const double* block) { set(j, block, s.step()); });
  }
  return G;
}

/// Changes of the impulses, in the units of the problem, that leave all velocities as they are:
/// orthonormal columns. None where G determines the impulses.
Eigen::MatrixXd silent_changes(const ScaledFriction& s, const Eigen::MatrixXd& G,
                               const std::vector<Freedom>& free) {
  const std::size_t d = s.components;
  const auto rows = static_cast<Eigen::Index>(s.size());
  const auto columns = static_cast<Eigen::Index>(free.size());
  Eigen::MatrixXd change = Eigen::MatrixXd::Zero(rows, columns);
  for (Eigen::Index c = 0; c < columns; ++c) {
    const Freedom& f = free[static_cast<std::size_t>(c)];
    const auto at = static_cast<Eigen::Index>(f.at);
    change(at, c) = 1.;
    if (f.tied != 0.) change(at + 1, c) = f.tied;
  }
  const Eigen::MatrixXd silent = kernel(G * change, singular);
  if (silent.cols() == 0) return {rows, 0};
  Eigen::MatrixXd V = change * silent;
  for (Eigen::Index k = 0; k < rows; ++k) V.row(k) *= s.scale[static_cast<std::size_t>(k) / d];
  return orthonormal(V);
}

}  // namespace

/// With P = P_0 + V z, V orthonormal and P_0 perpendicular to it, the least P is that of the least
/// z that satisfies C z >= d: z = C^T u with 0 <= u _|_ C C^T u - d >= 0.
void share_impulses(const ScaledFriction& s, std::span<double> P, std::span<const double> xi) {
  const std::size_t d = s.components;
  double largest = 1.;
  for (const double p : P) largest = std::max(largest, magnitude(p));
  const std::vector<Freedom> free = freedoms(s, xi, negligible * largest);
  if (free.empty()) return;
  const Eigen::MatrixXd G = dense(s);
  if (least_pivot(G) > singular) return;
  const Eigen::MatrixXd V = silent_changes(s, G, free);
  if (V.cols() == 0) return;
  Eigen::VectorXd least(V.rows());
  for (Eigen::Index k = 0; k < V.rows(); ++k) {
    least(k) = P[static_cast<std::size_t>(k)] * s.scale[static_cast<std::size_t>(k) / d];
  }
  least -= V * (V.transpose() * least);

  std::vector<Eigen::RowVectorXd> rows;
  std::vector<double> q;
  const auto require = [&](const Eigen::RowVectorXd& row, double at_least) {
    if (row.norm() > singular) {  // otherwise z has no influence
      rows.push_back(row);
      q.push_back(-at_least);
    }
  };
  for (std::size_t i = 0; i < s.contacts; ++i) {
    const auto n = static_cast<Eigen::Index>(i * d);
    require(V.row(n), s.floor[i] * s.scale[i] - least(n));
    if (d == 1) continue;
    for (const double sign : {-1., 1.}) {
      require(s.mu[i] * V.row(n) + sign * V.row(n + 1),
              -(s.mu[i] * least(n) + sign * least(n + 1)));
    }
  }
  std::vector<double> M(q.size() * q.size());
  for (std::size_t r = 0; r < q.size(); ++r) {
    for (std::size_t c = 0; c < q.size(); ++c) M[r * q.size() + c] = rows[r].dot(rows[c]);
  }
  Lemke lemke;
  if (!q.empty() && lemke.solve(M, q) != LemkeStatus::solved) return;
  Eigen::VectorXd z = Eigen::VectorXd::Zero(V.cols());
  for (std::size_t r = 0; r < q.size(); ++r) z += lemke.z()[r] * rows[r].transpose();
  least += V * z;
  if (!least.allFinite()) return;
  for (std::size_t k = 0; k < P.size(); ++k) {
    P[k] = least(static_cast<Eigen::Index>(k)) / s.scale[k / d];
  }
  for (std::size_t i = 0; i < s.contacts; ++i) {
    double* p = &P[i * d];
    if (p[0] - s.floor[i] <= negligible * largest) p[0] = s.floor[i];
    if (d == 2) p[1] = std::clamp(p[1], -s.mu[i] * p[0], s.mu[i] * p[0]);
  }
}

}  // namespace carom::complementarity
