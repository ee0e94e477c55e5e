// SPDX-License-Identifier: Apache-2.0
#include <carom/complementarity/mode_newton.hpp>

#include <algorithm>
#include <cmath>

#include <carom/core/scalar.hpp>

namespace carom::complementarity {
namespace {

/// Up to this many unknowns, or with most of G full, the equations are solved as a full matrix.
constexpr std::size_t few_unknowns = 60;

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

/// test G free of two contacts, unknowns x unknowns, padded with zeros to components x components.
template <std::size_t d>
void ModeNewton::block_of(const Branch& row, const Branch& column, const double* G,
                          double* block) const {
  for (std::size_t c = 0; c < column.unknowns; ++c) {
    const double* free = &column.free[c * d];
    double made[d];
    for (std::size_t r = 0; r < d; ++r) {
      made[r] = G[r * d] * free[0];
      for (std::size_t k = 1; k < d; ++k) made[r] += G[r * d + k] * free[k];
    }
    for (std::size_t r = 0; r < row.unknowns; ++r) {
      const double* test = &row.test[r * d];
      double x = test[0] * made[0];
      for (std::size_t k = 1; k < d; ++k) x += test[k] * made[k];
      block[r * d + c] = x;
    }
  }
}

/// In the plane, without loops: of each contact the row of xi_n, where it is free, and of xi_t,
/// where it sticks; the column of P_n with the friction tied to it.
template <>
void ModeNewton::assemble_dense<2>(const ScaledFriction& s) {
  const std::size_t n = unknowns_;
  for (std::size_t i = 0; i < s.contacts; ++i) {
    const Branch& bi = branches_[i];
    if (bi.unknowns == 0) continue;
    const bool normal = !bi.at_floor;
    double* const row_n = &matrix_[bi.first * n];
    double* const row_t = row_n + (normal ? n : 0);
    const bool tangential = bi.unknowns > (normal ? 1 : 0);
    const auto add = [&](const Branch& bj, const double* G) {
      std::size_t c = bj.first;
      if (!bj.at_floor) {
        const double tied = bj.free[1];
        if (normal) row_n[c] = G[0] + tied * G[1];
        if (tangential) row_t[c] = G[2] + tied * G[3];
        ++c;
      }
      if (c == bj.first + bj.unknowns) return;
      if (normal) row_n[c] = G[1];
      if (tangential) row_t[c] = G[3];
    };
    add(bi, &s.diagonal[i * 4]);
    if (normal) row_n[bi.first] += shift_;
    if (tangential) row_t[bi.first + (normal ? 1U : 0U)] += shift_;
    for (std::size_t k = s.begin[i]; k < s.begin[i + 1]; ++k) {
      const Branch& bj = branches_[s.column[k]];
      if (bj.unknowns != 0) add(bj, &s.off[k * 4]);
    }
  }
}

template <std::size_t d>
void ModeNewton::assemble_dense(const ScaledFriction& s) {
  const std::size_t n = unknowns_;
  for (std::size_t i = 0; i < s.contacts; ++i) {
    const Branch& bi = branches_[i];
    if (bi.unknowns == 0) continue;
    const auto add = [&](const Branch& bj, const double* G) {
      double block[d * d];
      block_of<d>(bi, bj, G, block);
      double* to = &matrix_[bi.first * n + bj.first];
      for (std::size_t r = 0; r < bi.unknowns; ++r, to += n) {
        for (std::size_t c = 0; c < bj.unknowns; ++c) to[c] = block[r * d + c];
      }
    };
    add(bi, &s.diagonal[i * d * d]);
    for (std::size_t r = bi.first; r < bi.first + bi.unknowns; ++r) matrix_[r * n + r] += shift_;
    const std::size_t last = bi.first + bi.unknowns - 1U;
    matrix_[last * n + last] += bi.extra;
    for (std::size_t k = s.begin[i]; k < s.begin[i + 1]; ++k) {
      const Branch& bj = branches_[s.column[k]];
      if (bj.unknowns != 0) add(bj, &s.off[k * d * d]);
    }
  }
}

/// Gaussian elimination with the largest pivot of each column.
bool ModeNewton::solve_dense(const ScaledFriction& s) {
  const std::size_t n = unknowns_;
  matrix_.assign(n * n, 0.);
  double* const m = matrix_.data();
  if (s.components == 1) assemble_dense<1>(s);
  if (s.components == 2) assemble_dense<2>(s);
  if (s.components == 3) assemble_dense<3>(s);
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t best = k;
    for (std::size_t i = k + 1; i < n; ++i) {
      if (magnitude(m[i * n + k]) > magnitude(m[best * n + k])) best = i;
    }
    if (!(magnitude(m[best * n + k]) > least_shift * rounding)) return false;
    if (best != k) {
      std::swap_ranges(m + k * n + k, m + k * n + n, m + best * n + k);
      std::swap(right_[k], right_[best]);
    }
    const double inverse = 1. / m[k * n + k];
    const double* __restrict const above = m + k * n;
    // Two rows at a time: what stands above is read once for both.
    std::size_t i = k + 1;
    for (; i + 1 < n; i += 2) {
      double* __restrict const row = m + i * n;
      double* __restrict const next = row + n;
      const double f = row[k] * inverse;
      const double g = next[k] * inverse;
      if (f == 0. && g == 0.) continue;
      for (std::size_t j = k + 1; j < n; ++j) {
        row[j] -= f * above[j];
        next[j] -= g * above[j];
      }
      right_[i] -= f * right_[k];
      right_[i + 1] -= g * right_[k];
    }
    if (i < n) {
      double* __restrict const row = m + i * n;
      const double f = row[k] * inverse;
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

/// By blocks: a contact with fewer unknowns than components has ones in their place.
template <std::size_t d>
bool ModeNewton::solve_blocks(const ScaledFriction& s) {
  lu_.analyze(d, {s.begin.data(), s.contacts + 1}, {s.column.data(), s.begin[s.contacts]});
  lu_.clear();
  padded_.assign(s.contacts * d, 0.);
  for (std::size_t i = 0; i < s.contacts; ++i) {
    const Branch& bi = branches_[i];
    double* own = lu_.diagonal(i);
    block_of<d>(bi, bi, &s.diagonal[i * d * d], own);
    for (std::size_t r = 0; r < d; ++r) own[r * d + r] += r < bi.unknowns ? shift_ : 1.;
    if (bi.unknowns > 0) own[(bi.unknowns - 1U) * (d + 1)] += bi.extra;
    std::copy_n(right_.data() + bi.first, bi.unknowns, &padded_[i * d]);
    if (bi.unknowns == 0) continue;
    for (std::size_t k = s.begin[i]; k < s.begin[i + 1]; ++k) {
      block_of<d>(bi, branches_[s.column[k]], &s.off[k * d * d], lu_.off_diagonal(k));
    }
  }
  if (!lu_.factorize()) return false;
  lu_.solve(padded_);
  for (std::size_t i = 0; i < s.contacts; ++i) {
    const Branch& bi = branches_[i];
    std::copy_n(&padded_[i * d], bi.unknowns, right_.data() + bi.first);
  }
  return true;
}

bool ModeNewton::solve_sparse(const ScaledFriction& s) {
  return s.components == 1   ? solve_blocks<1>(s)
         : s.components == 2 ? solve_blocks<2>(s)
                             : solve_blocks<3>(s);
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

bool ModeNewton::step(const ScaledFriction& s, std::span<double> P, std::span<double> xi,
                      double shift) {
  shift_ = shift;
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
    const bool full = 2 * s.begin[s.contacts] > s.contacts * (s.contacts - 1);
    if (!(full || unknowns_ <= few_unknowns ? solve_dense(s) : solve_sparse(s))) return false;
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
