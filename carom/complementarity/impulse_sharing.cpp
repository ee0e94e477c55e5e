// SPDX-License-Identifier: Apache-2.0
#include <carom/complementarity/impulse_sharing.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include <carom/core/dense_factors.hpp>
#include <carom/core/scalar.hpp>

namespace carom::complementarity {
namespace {

/// Velocities, and impulses beyond the least, below this are zero, relative: the tolerance of
/// solutions by enumeration (`slack` in modes/enumeration.cpp).
constexpr double negligible = 1e-11;
/// Pivots of G below this, relative, are zero: ten times what may be wrong of velocities.
constexpr double singular = 10. * negligible;

/// A change of P that keeps the modes: one unit at component `at`, and `tied` units of friction.
struct Freedom {
  std::size_t at = 0;
  double tied = 0.;
};

constexpr std::size_t most_rows = 2 * most_enumerated;

static_assert(most_rows <= SmallMatrix::MaxRowsAtCompileTime);
using SmallVector = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, 16, 1>;
constexpr std::size_t most_inequalities = 3 * most_enumerated;
/// An inequality C z >= d in at most `most_rows` unknowns.
using Row = std::array<double, most_rows>;

struct Freedoms {
  std::array<Freedom, most_rows> all;
  std::size_t count = 0;

  void push_back(const Freedom& f) { all[count++] = f; }
};

Freedoms freedoms(const ScaledFriction& s, std::span<const double> xi, double zero) {
  const std::size_t d = s.components;
  Freedoms all;
  for (std::size_t i = 0; i < s.contacts; ++i) {
    const bool closed = !s.pushes(i) && magnitude(xi[i * d]) <= zero;
    if (!closed && !(s.floor[i] > 0.)) continue;
    const double slip = d == 2 ? xi[i * d + 1] : 0.;
    const bool slips = magnitude(slip) > zero;
    if (s.slides(i)) {
      if (closed) {
        all.push_back({.at = i * d, .tied = -s.mu[i] * s.prescribed[i].direction[0]});
      }
      continue;
    }
    if (closed) {
      all.push_back({.at = i * d, .tied = slips ? (slip > 0. ? -s.mu[i] : s.mu[i]) : 0.});
    }
    if (d == 2 && !slips && s.mu[i] > 0.) all.push_back({.at = i * d + 1, .tied = 0.});
  }
  return all;
}

/// G as a dense matrix, scaled.
SmallMatrix dense(const ScaledFriction& s) {
  const std::size_t d = s.components;
  const auto rows = static_cast<Eigen::Index>(s.size());
  SmallMatrix G = SmallMatrix::Zero(rows, rows);
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
SmallMatrix silent_changes(const ScaledFriction& s, const SmallMatrix& G, const Freedoms& free) {
  const std::size_t d = s.components;
  const auto rows = static_cast<Eigen::Index>(s.size());
  const auto columns = static_cast<Eigen::Index>(free.count);
  SmallMatrix change = SmallMatrix::Zero(rows, columns);
  for (Eigen::Index c = 0; c < columns; ++c) {
    const Freedom& f = free.all[static_cast<std::size_t>(c)];
    const auto at = static_cast<Eigen::Index>(f.at);
    change(at, c) = 1.;
    if (f.tied != 0.) change(at + 1, c) = f.tied;
  }
  const SmallMatrix silent = kernel(G * change, singular);
  if (silent.cols() == 0) return SmallMatrix(rows, 0);
  SmallMatrix V = change * silent;
  for (Eigen::Index k = 0; k < rows; ++k) V.row(k) *= s.scale[static_cast<std::size_t>(k) / d];
  return orthonormal(V);
}

}  // namespace

/// With P = P_0 + V z, V orthonormal and P_0 perpendicular to it, the least P is that of the least
/// z that satisfies C z >= d: z = C^T u with 0 <= u _|_ C C^T u - d >= 0.
void share_impulses(const ScaledFriction& s, std::span<double> P, std::span<const double> xi,
                    Lemke& lemke) {
  const std::size_t d = s.components;
  double largest = 1.;
  for (const double p : P) largest = std::max(largest, magnitude(p));
  const Freedoms free = freedoms(s, xi, negligible * largest);
  if (free.count == 0) return;
  SmallMatrix factors = dense(s);
  if (least_pivot(factors) > singular) return;
  const SmallMatrix V = silent_changes(s, dense(s), free);
  if (V.cols() == 0) return;
  SmallVector least(V.rows());
  for (Eigen::Index k = 0; k < V.rows(); ++k) {
    least(k) = P[static_cast<std::size_t>(k)] * s.scale[static_cast<std::size_t>(k) / d];
  }
  least -= V * (V.transpose() * least);

  std::array<Row, most_inequalities> rows{};
  std::array<double, most_inequalities> q{};
  std::size_t m = 0;
  const Eigen::Index columns = V.cols();
  const auto product = [&](const Row& x, const Row& y) {
    double sum = x[0] * y[0];
    for (std::size_t k = 1; k < static_cast<std::size_t>(columns); ++k) sum += x[k] * y[k];
    return sum;
  };
  const auto require = [&](const auto& entry, double at_least) {
    Row& row = rows[m];
    for (Eigen::Index k = 0; k < columns; ++k) row[static_cast<std::size_t>(k)] = entry(k);
    if (std::sqrt(product(row, row)) > singular) q[m++] = -at_least;  // otherwise z does nothing
  };
  for (std::size_t i = 0; i < s.contacts; ++i) {
    const auto n = static_cast<Eigen::Index>(i * d);
    require([&](Eigen::Index k) { return V(n, k); }, s.floor[i] * s.scale[i] - least(n));
    if (d == 1) continue;
    for (const double sign : {-1., 1.}) {
      require([&](Eigen::Index k) { return s.mu[i] * V(n, k) + sign * V(n + 1, k); },
              -(s.mu[i] * least(n) + sign * least(n + 1)));
    }
  }
  std::array<double, most_inequalities * most_inequalities> M{};
  for (std::size_t r = 0; r < m; ++r) {
    for (std::size_t c = 0; c < m; ++c) M[r * m + c] = product(rows[r], rows[c]);
  }
  if (m > 0 && lemke.solve(std::span(M).first(m * m), std::span(q).first(m)) != LemkeStatus::solved)
    return;
  SmallVector z = SmallVector::Zero(columns);
  for (std::size_t r = 0; r < m; ++r) {
    for (Eigen::Index k = 0; k < columns; ++k) {
      z(k) += lemke.z()[r] * rows[r][static_cast<std::size_t>(k)];
    }
  }
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
