// SPDX-License-Identifier: Apache-2.0
#include <carom/complementarity/mode_newton.hpp>

#include <algorithm>
#include <cmath>

#include <carom/core/scalar.hpp>

namespace carom::complementarity {
namespace {

/// Up to this many unknowns the equations are solved as a full matrix.
constexpr std::size_t few_unknowns = 120;
/// Added to the diagonal, which is about one: where G is singular the step is the least one but for
/// this, and steps repeated converge all the same.
constexpr double shift = 1e-10;

}  // namespace

bool ModeNewton::choose_modes(const ScaledFriction& s, std::span<const double> P,
                              std::span<const double> xi) {
  const std::size_t d = s.components;
  bool changed = branches_.size() != s.contacts;
  branches_.resize(s.contacts);
  for (std::size_t i = 0; i < s.contacts; ++i) {
    const double* p = P.data() + i * d;
    const double* x = xi.data() + i * d;
    Branch& branch = branches_[i];
    Branch next;
    const double closed = p[0] - x[0];
    next.at_floor = !(closed > s.floor[i]);
    const double radius = s.mu[i] * (next.at_floor ? s.floor[i] : std::max(p[0], s.floor[i]));
    const double u1 = d > 1 ? p[1] - x[1] : 0.;
    const double u2 = d > 2 ? p[2] - x[2] : 0.;
    const double square = u1 * u1 + u2 * u2;
    next.sticks = d > 1 && square <= radius * radius && s.mu[i] > 0.;
    if (d > 1 && !next.sticks && square > 0.) {
      const double f = -1. / std::sqrt(square);
      next.d1 = d == 2 ? (u1 < 0. ? 1. : -1.) : u1 * f;
      next.d2 = d == 3 ? u2 * f : 0.;
    }
    const bool turned = d == 2 && !next.sticks && next.d1 != branch.d1;
    changed = changed || turned || !next.same(branch);
    branch = next;
  }
  return changed;
}

void ModeNewton::set_modes(const ScaledFriction& s, std::span<const FrictionMode> modes,
                           std::span<const double> P, std::span<const double> xi) {
  const std::size_t d = s.components;
  branches_.resize(s.contacts);
  for (std::size_t i = 0; i < s.contacts; ++i) {
    const double* p = P.data() + i * d;
    const double* x = xi.data() + i * d;
    Branch& branch = branches_[i];
    branch = {};
    branch.at_floor = modes[i] == FrictionMode::open || !(p[0] > s.floor[i]);
    branch.sticks = d > 1 && modes[i] == FrictionMode::stick && s.mu[i] > 0.;
    if (d == 1 || branch.sticks) continue;
    double u1 = -p[1];
    double u2 = d == 3 ? -p[2] : 0.;
    if (u1 == 0. && u2 == 0.) {
      u1 = x[1];
      u2 = d == 3 ? x[2] : 0.;
    }
    const double size = std::sqrt(u1 * u1 + u2 * u2);
    if (size > 0.) {
      branch.d1 = d == 2 ? (u1 > 0. ? 1. : -1.) : u1 / size;
      branch.d2 = u2 / size;
    }
  }
}

void ModeNewton::number_unknowns(const ScaledFriction& s, std::span<const double> P,
                                 std::span<const double> xi) {
  const std::size_t d = s.components;
  unknowns_ = 0;
  for (std::size_t i = 0; i < s.contacts; ++i) {
    Branch& br = branches_[i];
    const double* p = P.data() + i * d;
    const double* x = xi.data() + i * d;
    br.first = static_cast<std::uint32_t>(unknowns_);
    br.unknowns = 0;
    br.extra = 0.;
    br.free.fill(0.);
    br.test.fill(0.);
    const auto add = [&](std::array<double, 3> free, std::array<double, 3> test) {
      for (std::size_t c = 0; c < d; ++c) {
        br.free[br.unknowns * d + c] = free[c];
        br.test[br.unknowns * d + c] = test[c];
      }
      ++br.unknowns;
    };
    const double mu = s.mu[i];
    if (!br.at_floor) {
      if (br.sticks) {
        add({1., 0., 0.}, {1., 0., 0.});
      } else {
        add({1., -mu * br.d1, -mu * br.d2}, {1., 0., 0.});
      }
    }
    const double normal = br.at_floor ? s.floor[i] : p[0];
    if (br.sticks) {
      if (!br.at_floor || s.floor[i] > 0.) {
        add({0., 1., 0.}, {0., 1., 0.});
        if (d == 3) add({0., 0., 1.}, {0., 0., 1.});
      }
    } else if (d == 3 && mu * normal > 0. && (br.d1 != 0. || br.d2 != 0.)) {
      // The turn of d, as the length mu P_n times the angle: with a the unit vector across d,
      // P_T changes by -a y, and a.xi_T by a.(G dP)_T - (d.xi_T) y/(mu P_n).
      add({0., br.d2, -br.d1}, {0., br.d2, -br.d1});
      const double along = br.d1 * x[1] + br.d2 * x[2];
      br.extra = std::max(0., along) / (mu * normal);
    }
    unknowns_ += br.unknowns;
  }
}

template <std::size_t d, class Put>
void ModeNewton::assemble(const ScaledFriction& s, const Put& put) const {
  for (std::size_t i = 0; i < s.contacts; ++i) {
    const Branch& bi = branches_[i];
    if (bi.unknowns == 0) continue;
    const auto add = [&](std::size_t j, const double* block) {
      const Branch& bj = branches_[j];
      for (std::size_t c = 0; c < bj.unknowns; ++c) {
        double made[d];
        for (std::size_t r = 0; r < d; ++r) {
          made[r] = 0.;
          for (std::size_t k = 0; k < d; ++k) made[r] += block[r * d + k] * bj.free[c * d + k];
        }
        for (std::size_t r = 0; r < bi.unknowns; ++r) {
          double x = 0.;
          for (std::size_t k = 0; k < d; ++k) x += bi.test[r * d + k] * made[k];
          if (i == j && r == c) {
            x += shift;
            if (r + 1 == bi.unknowns) x += bi.extra;
          }
          put(bi.first + r, bj.first + c, x);
        }
      }
    };
    add(i, &s.diagonal[i * d * d]);
    for (std::size_t k = s.begin[i]; k < s.begin[i + 1]; ++k) {
      if (branches_[s.column[k]].unknowns != 0) add(s.column[k], &s.off[k * d * d]);
    }
  }
}

/// Gaussian elimination with the largest pivot of each column.
bool ModeNewton::solve_dense(const ScaledFriction& s) {
  const std::size_t n = unknowns_;
  matrix_.assign(n * n, 0.);
  double* const m = matrix_.data();
  const auto put = [m, n](std::size_t r, std::size_t c, double x) { m[r * n + c] = x; };
  if (s.components == 1) assemble<1>(s, put);
  if (s.components == 2) assemble<2>(s, put);
  if (s.components == 3) assemble<3>(s, put);
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t best = k;
    for (std::size_t i = k + 1; i < n; ++i) {
      if (magnitude(m[i * n + k]) > magnitude(m[best * n + k])) best = i;
    }
    if (!(magnitude(m[best * n + k]) > shift * rounding)) return false;
    if (best != k) {
      std::swap_ranges(m + k * n + k, m + k * n + n, m + best * n + k);
      std::swap(right_[k], right_[best]);
    }
    const double inverse = 1. / m[k * n + k];
    const double* const above = m + k * n;
    for (std::size_t i = k + 1; i < n; ++i) {
      double* const row = m + i * n;
      const double f = row[k] * inverse;
      if (f == 0.) continue;
      for (std::size_t j = k + 1; j < n; ++j) row[j] -= f * above[j];
      right_[i] -= f * right_[k];
    }
  }
  for (std::size_t i = n; i-- > 0;) {
    double x = right_[i];
    for (std::size_t j = i + 1; j < n; ++j) x -= m[i * n + j] * right_[j];
    right_[i] = x / m[i * n + i];
  }
  return true;
}

bool ModeNewton::solve_sparse(const ScaledFriction& s) {
  const auto n = static_cast<Eigen::Index>(unknowns_);
  triplets_.clear();
  const auto put = [this](std::size_t r, std::size_t c, double x) {
    triplets_.emplace_back(static_cast<int>(r), static_cast<int>(c), x);
  };
  if (s.components == 1) assemble<1>(s, put);
  if (s.components == 2) assemble<2>(s, put);
  if (s.components == 3) assemble<3>(s, put);
  sparse_.resize(n, n);
  sparse_.setFromTriplets(triplets_.begin(), triplets_.end());
  sparse_.makeCompressed();
  lu_.compute(sparse_);
  if (lu_.info() != Eigen::Success) return false;
  const Eigen::Map<Eigen::VectorXd> right(right_.data(), n);
  const Eigen::VectorXd y = lu_.solve(right);
  std::copy_n(y.data(), unknowns_, right_.data());
  return true;
}

/// P as the branches have it: at the floor, and on the edge of the cone in slip.
void ModeNewton::conform(const ScaledFriction& s, std::span<double> P) const {
  const std::size_t d = s.components;
  for (std::size_t i = 0; i < s.contacts; ++i) {
    const Branch& br = branches_[i];
    double* p = P.data() + i * d;
    if (br.at_floor) p[0] = s.floor[i];
    if (d == 1) continue;
    const double bound = s.mu[i] * p[0];
    if (!br.sticks) {
      p[1] = -bound * br.d1;
      if (d == 3) p[2] = -bound * br.d2;
    } else if (br.at_floor && !(s.floor[i] > 0.)) {
      std::fill(p + 1, p + d, 0.);
    }
  }
}

bool ModeNewton::step(const ScaledFriction& s, std::span<double> P, std::span<double> xi) {
  const std::size_t d = s.components;
  conform(s, P);
  s.velocities(P, xi);
  number_unknowns(s, P, xi);
  right_.assign(unknowns_, 0.);
  for (std::size_t i = 0; i < s.contacts; ++i) {
    const Branch& br = branches_[i];
    for (std::size_t r = 0; r < br.unknowns; ++r) {
      double x = 0.;
      for (std::size_t k = 0; k < d; ++k) x += br.test[r * d + k] * xi[i * d + k];
      right_[br.first + r] = -x;
    }
  }
  if (unknowns_ > 0) {
    if (!(unknowns_ <= few_unknowns ? solve_dense(s) : solve_sparse(s))) return false;
  }
  for (std::size_t i = 0; i < s.contacts; ++i) {
    Branch& br = branches_[i];
    double* p = P.data() + i * d;
    const double before = p[0];
    for (std::size_t r = 0; r < br.unknowns; ++r) {
      for (std::size_t k = 0; k < d; ++k) p[k] += br.free[r * d + k] * right_[br.first + r];
    }
    const bool turns = d == 3 && !br.sticks && br.unknowns == (br.at_floor ? 1 : 2);
    if (!turns) continue;
    // By the angle y/(mu P_n), with the P_n at which it was computed: P_T changed by (d2, -d1) y,
    // and P_T = -mu P_n d.
    const double reference = s.mu[i] * (br.at_floor ? s.floor[i] : before);
    const double angle = std::clamp(right_[br.first + br.unknowns - 1U] / reference, -1., 1.);
    const double e1 = br.d1 - br.d2 * angle;
    const double e2 = br.d2 + br.d1 * angle;
    const double size = std::sqrt(e1 * e1 + e2 * e2);
    br.d1 = e1 / size;
    br.d2 = e2 / size;
  }
  conform(s, P);
  s.velocities(P, xi);
  return std::all_of(P.begin(), P.end(), [](double x) { return std::isfinite(x); });
}

bool ModeNewton::consistent(const ScaledFriction& s, std::span<const double> P,
                            std::span<const double> xi, double slack) const {
  const std::size_t d = s.components;
  for (std::size_t i = 0; i < s.contacts; ++i) {
    const Branch& br = branches_[i];
    const double* p = P.data() + i * d;
    const double* x = xi.data() + i * d;
    if (br.at_floor ? x[0] < -slack : p[0] < s.floor[i] - slack) return false;
    if (d == 1) continue;
    const double t1 = p[1];
    const double t2 = d == 3 ? p[2] : 0.;
    const double bound = s.mu[i] * p[0];
    if (br.sticks) {
      if (std::sqrt(t1 * t1 + t2 * t2) > bound + slack) return false;
    } else if (bound > slack) {
      if (br.d1 * x[1] + (d == 3 ? br.d2 * x[2] : 0.) < -slack) return false;
    }
  }
  return true;
}

void ModeNewton::tell_modes(const ScaledFriction& s, std::span<const double> P,
                            std::span<FrictionMode> modes) const {
  for (std::size_t i = 0; i < s.contacts; ++i) {
    const bool pushes = P[i * s.components] > 0.;
    const Branch& br = branches_[i];
    modes[i] = !pushes             ? FrictionMode::open
               : s.components == 1 ? FrictionMode::closed
               : br.sticks         ? FrictionMode::stick
                                   : FrictionMode::slip;
  }
}

}  // namespace carom::complementarity
