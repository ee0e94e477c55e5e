// SPDX-License-Identifier: Apache-2.0
#include <carom/laws/lzb/friction.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include <carom/complementarity/friction/cone.hpp>
#include <carom/core/dense_factors.hpp>
#include <carom/core/scalar.hpp>

namespace carom::lzb {
namespace {

/// Whether contacts i and j have the same tangential directions. Then A_ii = A_ij = A_jj; with A =
/// W^T M^-1 W no other contacts satisfy this.
bool identical(const Model& m, std::size_t i, std::size_t j) {
  const double* own = m.find(i, i);
  const double* other = m.find(j, j);
  const double* mixed = m.find(i, j);
  if (mixed == nullptr) return false;
  const std::size_t d = m.components;
  double scale = 0.;
  double slip_scale = 0.;
  for (std::size_t c = 1; c < d; ++c) {
    scale = std::max(scale, own[c * d + c]);
    slip_scale = std::max(slip_scale, std::abs(m.approach[i * d + c]));
  }
  for (std::size_t c = 1; c < d; ++c) {
    const double slip_apart = m.approach[i * d + c] - m.approach[j * d + c];
    if (std::abs(slip_apart) > rounding * slip_scale) return false;
    for (std::size_t e = 1; e < d; ++e) {
      const std::size_t k = c * d + e;
      if (std::abs(own[k] - mixed[k]) > rounding * scale) return false;
      if (std::abs(other[k] - mixed[k]) > rounding * scale) return false;
    }
  }
  return scale > 0.;
}

/// Above this size dense matrices cost too much.
constexpr Eigen::Index most_dense_rows = 64;

}  // namespace

Groups make_groups(const Model& m) {
  Groups groups;
  groups.of.assign(m.size(), 0);
  if (m.components == 1) return groups;
  for (std::size_t i = 0; i < m.size(); ++i) {
    bool found = false;
    for (const std::uint32_t j : m.row(i)) {
      if (j >= i) break;
      if (groups.contacts[groups.of[j]].front() != j || !identical(m, i, j)) continue;
      groups.of[i] = groups.of[j];
      groups.contacts[groups.of[j]].push_back(static_cast<std::uint32_t>(i));
      found = true;
      break;
    }
    if (found) continue;
    groups.of[i] = static_cast<std::uint32_t>(groups.size());
    groups.contacts.push_back({static_cast<std::uint32_t>(i)});
  }
  return groups;
}

double ZeroSlip::size_of(const Eigen::VectorXd& x, std::size_t g) const {
  const auto w = static_cast<Eigen::Index>(width);
  return x.segment(static_cast<Eigen::Index>(g) * w, w).norm();
}

bool ZeroSlip::slips(std::size_t g) const { return size_of(rate, g) > negligible * scale; }

/// Where groups are many, each of them touches few others.
void ZeroSlip::find_pattern() {
  begin.assign(1, 0);
  row.clear();
  for (Eigen::Index c = 0; c < A.cols(); ++c) {
    for (Eigen::Index r = 0; r < A.rows(); ++r) {
      if (A(r, c) != 0.) row.push_back(r);
    }
    begin.push_back(row.size());
  }
}

void ZeroSlip::solve(const std::vector<double>& limits) {
  const std::size_t n = groups();
  const auto w = static_cast<Eigen::Index>(width);
  const Eigen::Index rows = b.size();
  if (f.size() != rows) f.setZero(rows);
  // Start from the last solution, within the limits.
  for (std::size_t g = 0; g < n; ++g) {
    const double size = size_of(f, g);
    if (size > limits[g]) f.segment(static_cast<Eigen::Index>(g) * w, w) *= limits[g] / size;
  }
  rate = b;
  rate.noalias() += A * f;
  scale = b.size() > 0 ? b.cwiseAbs().maxCoeff() : 0.;
  find_pattern();
  constexpr int most_sweeps = 300;
  constexpr double settled = 1e-14;
  for (int sweep = 0; sweep < most_sweeps; ++sweep) {
    double changed = 0.;
    for (std::size_t g = 0; g < n; ++g) {
      const Eigen::Index at = static_cast<Eigen::Index>(g) * w;
      const double limit = limits[g];
      std::array<double, 2> now{};
      if (width == 1) {
        const double own = A(at, at);
        const double c = rate(at) - own * f(at);
        if (own > 0.) {
          now[0] = std::clamp(-c / own, -limit, limit);
        } else if (c != 0.) {
          now[0] = c > 0. ? -limit : limit;
        }
      } else {
        const Sym3 G{.nn = 1.,
                     .n1 = 0.,
                     .n2 = 0.,
                     .t11 = A(at, at),
                     .t12 = A(at, at + 1),
                     .t22 = A(at + 1, at + 1)};
        const Vec3 c{.n = 0.,
                     .t1 = rate(at) - G.t11 * f(at) - G.t12 * f(at + 1),
                     .t2 = rate(at + 1) - G.t12 * f(at) - G.t22 * f(at + 1)};
        const auto disc = complementarity::solve_disc_friction(G, c, 1., limit);
        now = {disc.P.t1, disc.P.t2};
      }
      for (Eigen::Index e = 0; e < w; ++e) {
        const double change = now[static_cast<std::size_t>(e)] - f(at + e);
        if (change == 0.) continue;
        f(at + e) = now[static_cast<std::size_t>(e)];
        for (std::size_t k = begin[static_cast<std::size_t>(at + e)];
             k < begin[static_cast<std::size_t>(at + e) + 1]; ++k) {
          const Eigen::Index r = row[k];
          const double moved = A(r, at + e) * change;
          rate(r) += moved;
          changed = std::max(changed, std::abs(moved));
        }
      }
    }
    if (changed <= settled * scale) break;
    constexpr int sweeps_between = 12;
    if (sweep % sweeps_between == sweeps_between - 1 && polish(limits)) break;
    constexpr int patience = 3 * sweeps_between;
    if (sweep + 1 == patience && rows <= most_dense_rows) {
      follow_central_path(limits);
      polish(limits);
      break;
    }
  }
  rate = b;
  rate.noalias() += A * f;
}

/// Newton's method on f = projection of f - r (A f + b) onto the discs, r_g = 1/tr A_gg.
/// Gauss-Seidel converges slowly if groups share friction, where A is singular; there the
/// least-norm step is used.
bool ZeroSlip::polish(const std::vector<double>& limits) {
  constexpr int most_steps = 12;
  constexpr double solved = 1e-13;
  const Eigen::Index rows = b.size();
  if (rows > most_dense_rows) return false;
  const auto w = static_cast<Eigen::Index>(width);
  Eigen::VectorXd r(rows);
  for (Eigen::Index at = 0; at < rows; at += w) {
    const double own = A.block(at, at, w, w).trace();
    r.segment(at, w).setConstant(own > 0. ? 1. / own : 0.);
  }
  Eigen::MatrixXd slope(rows, rows);
  const auto residual = [&](const Eigen::VectorXd& x, bool with_slope) {
    const Eigen::VectorXd y = x - r.cwiseProduct(A * x + b);
    Eigen::VectorXd F = x - y;
    if (with_slope) slope = r.asDiagonal() * A;
    for (Eigen::Index at = 0; at < rows; at += w) {
      const double limit = limits[static_cast<std::size_t>(at / w)];
      const Eigen::VectorXd part = y.segment(at, w);
      const double size = part.norm();
      if (size <= limit) continue;
      F.segment(at, w) = x.segment(at, w) - limit / size * part;
      if (!with_slope) continue;
      // I - D (I - r A), where D is the derivative of the projection.
      const Eigen::MatrixXd D =
          limit / size *
          (Eigen::MatrixXd::Identity(w, w) - part * part.transpose() / (size * size));
      Eigen::MatrixXd inner = -(r.segment(at, w).asDiagonal() * A.middleRows(at, w));
      inner.middleCols(at, w) += Eigen::MatrixXd::Identity(w, w);
      slope.middleRows(at, w) = -D * inner;
      slope.block(at, at, w, w) += Eigen::MatrixXd::Identity(w, w);
    }
    return F;
  };
  const auto size_in_rates = [&](const Eigen::VectorXd& F) {
    if (!F.allFinite()) return HUGE_VAL;
    double most = 0.;
    for (Eigen::Index k = 0; k < rows; ++k) {
      if (r(k) > 0.) most = std::max(most, std::abs(F(k)) / r(k));
    }
    return most;
  };
  Eigen::VectorXd x = f;
  Eigen::VectorXd F = residual(x, true);
  double size = size_in_rates(F);
  for (int step = 0; step < most_steps && size > solved * scale; ++step) {
    const Eigen::VectorXd next = x - least_squares(slope, F);
    const Eigen::VectorXd next_F = residual(next, true);
    const double next_size = size_in_rates(next_F);
    if (!(next_size <= 0.7 * size)) break;
    x = next;
    F = next_F;
    size = next_size;
  }
  if (!(size <= solved * scale)) return false;
  f = x;
  for (Eigen::Index at = 0; at < rows; at += w) {
    const double limit = limits[static_cast<std::size_t>(at / w)];
    const double length = f.segment(at, w).norm();
    if (length > limit) f.segment(at, w) *= limit / length;
  }
  return true;
}

/// Interior-point method. If stick has only just become impossible and friction is shared, rates
/// are of the order of the square root of the excess, and both Gauss-Seidel and Newton's method
/// stall. With the barrier -m sum log(L_g^2 - |f_g|^2) instead of the discs the problem is smooth
/// and convex, even if A is singular. As m goes to zero the rates become A f + b to about m/L.
void ZeroSlip::follow_central_path(const std::vector<double>& limits) {
  constexpr int barriers = 15;  // each 0.1 of the one before: the last is 1e-14 of the first
  constexpr double shrinks = 0.1;
  constexpr int most_newton = 30;
  constexpr double centred = 1e-10;
  constexpr double to_the_edge = 0.95;
  const auto w = static_cast<Eigen::Index>(width);
  std::vector<Eigen::Index> free;  // discs of nonzero radius
  double most = 0.;
  for (Eigen::Index at = 0; at < b.size(); at += w) {
    const double limit = limits[static_cast<std::size_t>(at / w)];
    f.segment(at, w).setZero();
    most = std::max(most, limit);
    if (limit > 0.) free.push_back(at);
  }
  if (free.empty() || !(scale > 0.)) return;
  const auto slack = [&](const Eigen::VectorXd& x, Eigen::Index at) {
    const double limit = limits[static_cast<std::size_t>(at / w)];
    const double size = x.segment(at, w).norm();
    return (limit - size) * (limit + size);
  };
  // Discs of zero radius stay at f = 0: their rows are the identity.
  const double unit = A.diagonal().maxCoeff();
  double m = scale * most;
  Eigen::MatrixXd H(b.size(), b.size());
  Eigen::VectorXd g(b.size());
  for (int barrier = 0; barrier < barriers; ++barrier, m *= shrinks) {
    for (int step = 0; step < most_newton; ++step) {
      H.setZero();
      g.setZero();
      H.diagonal().setConstant(unit);
      for (const Eigen::Index at : free) {
        g.segment(at, w) = b.segment(at, w);
        for (const Eigen::Index to : free) {
          H.block(at, to, w, w) = A.block(at, to, w, w);
          g.segment(at, w) += A.block(at, to, w, w) * f.segment(to, w);
        }
        const double s = slack(f, at);
        const Eigen::VectorXd x = f.segment(at, w);
        g.segment(at, w) += 2. * m / s * x;
        H.block(at, at, w, w) +=
            2. * m / s * Eigen::MatrixXd::Identity(w, w) + 4. * m / (s * s) * (x * x.transpose());
      }
      const Eigen::VectorXd change = -solve_definite(H, g);
      const double decrease = -g.dot(change);
      if (!std::isfinite(decrease)) return;
      // Newton decrement, in units of the barrier: below one, the full step stays inside.
      const double decrement = std::sqrt(std::max(0., decrease) / m);
      double part = decrement > 0.25 ? 1. / (1. + decrement) : 1.;
      Eigen::VectorXd next = f + part * change;
      for (const Eigen::Index at : free) {
        while (!(slack(next, at) > (1. - to_the_edge) * slack(f, at)) && part > rounding) {
          part *= 0.5;
          next = f + part * change;
        }
      }
      if (!(part > rounding)) break;
      f = next;
      if (decrement <= centred) break;
    }
  }
}

std::vector<bool> break_loose(ZeroSlip& problem, const std::vector<double>& static_limits,
                              const std::vector<double>& kinetic_limits) {
  const std::size_t n = problem.groups();
  std::vector<bool> loose(n, false);
  std::vector<double> limits = static_limits;
  for (std::size_t pass = 0; pass <= n; ++pass) {
    problem.solve(limits);
    // The friction that the sticking groups would need, with the other groups fixed.
    std::vector<Eigen::Index> rows;
    bool violated = false;
    const auto w = static_cast<Eigen::Index>(problem.width);
    for (std::size_t g = 0; g < n; ++g) {
      if (loose[g]) continue;
      violated = violated || problem.slips(g);
      for (Eigen::Index c = 0; c < w; ++c) rows.push_back(static_cast<Eigen::Index>(g) * w + c);
    }
    if (!violated) break;
    const Eigen::MatrixXd A = problem.A(rows, rows);
    const Eigen::VectorXd rate = problem.rate(rows);
    const Eigen::VectorXd more = least_squares(A, rate);
    double most = -1.;
    std::size_t worst = n;
    for (std::size_t k = 0; k < rows.size(); k += problem.width) {
      const auto g = static_cast<std::size_t>(rows[k] / w);
      if (!problem.slips(g)) continue;
      const Eigen::VectorXd needed =
          problem.f.segment(rows[k], w) - more.segment(static_cast<Eigen::Index>(k), w);
      const double limit = static_limits[g];
      const double ratio = limit > 0. ? needed.norm() / limit : HUGE_VAL;
      if (ratio > most) {
        most = ratio;
        worst = g;
      }
    }
    if (worst == n) break;
    loose[worst] = true;
    limits[worst] = kinetic_limits[worst];
  }
  for (std::size_t g = 0; g < n; ++g) loose[g] = problem.slips(g);
  return loose;
}

}  // namespace carom::lzb
