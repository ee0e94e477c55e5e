// SPDX-License-Identifier: Apache-2.0
#include <carom/complementarity/modes/newton.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <carom/core/lanes.hpp>
#include <carom/core/scalar.hpp>

namespace carom::complementarity {

bool ModeNewton::choose_modes(const ScaledFriction& s, std::span<const double> P,
                              std::span<const double> xi) {
  const std::size_t d = s.components;
  bool changed = branches_.size() != s.contacts;
  branches_.resize(s.contacts);
  for (std::size_t i = 0; i < s.contacts; ++i) {
    const double* p = P.data() + i * d;
    const double* x = xi.data() + i * d;
    Mode& branch = branches_[i];
    Mode next;
    const double closed = p[0] - x[0];
    next.at_floor = s.pushes(i) || !(closed > s.floor[i]);
    if (s.slides(i)) {
      next.d1 = s.prescribed[i].direction[0];
      next.d2 = s.prescribed[i].direction[1];
      changed = changed || !next.same(branch);
      branch = next;
      continue;
    }
    const double radius = s.mu[i] * (next.at_floor ? s.floor[i] : std::max(p[0], s.floor[i]));
    const double u1 = d > 1 ? p[1] - x[1] : 0.;
    const double u2 = d > 2 ? p[2] - x[2] : 0.;
    const double square = u1 * u1 + u2 * u2;
    next.sticks = d > 1 && square <= radius * radius && s.mu[i] > 0.;
    if (d == 2 && !next.sticks && u1 != 0.) next.d1 = u1 < 0. ? 1. : -1.;
    if (d == 3 && !next.sticks && square > 0.) {
      const double f = -1. / std::sqrt(square);
      next.d1 = u1 * f;
      next.d2 = u2 * f;
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
    Mode& branch = branches_[i];
    branch = {};
    branch.at_floor = s.pushes(i) || modes[i] == FrictionMode::open || !(p[0] > s.floor[i]);
    if (s.slides(i)) {
      branch.d1 = s.prescribed[i].direction[0];
      branch.d2 = s.prescribed[i].direction[1];
      continue;
    }
    branch.sticks = d > 1 && modes[i] == FrictionMode::stick && s.mu[i] > 0.;
    if (d == 1 || branch.sticks) continue;
    if (d == 2) {
      const double u = p[1] != 0. ? -p[1] : x[1];
      if (u != 0.) branch.d1 = u > 0. ? 1. : -1.;
      continue;
    }
    double u1 = -p[1];
    double u2 = -p[2];
    if (u1 == 0. && u2 == 0.) {
      u1 = x[1];
      u2 = x[2];
    }
    const double size = std::sqrt(u1 * u1 + u2 * u2);
    if (size > 0.) {
      branch.d1 = u1 / size;
      branch.d2 = u2 / size;
    }
  }
}

template <std::size_t d>
void ModeNewton::number_unknowns(const ScaledFriction& s, std::span<const double> P,
                                 std::span<const double> xi) {
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
    } else if (d == 3 && !s.slides(i) && mu * normal > 0. && (br.d1 != 0. || br.d2 != 0.)) {
      // The rotation of d, as the angle times mu P_n. With a the unit vector perpendicular to d,
      // P_T changes by -a y, and a.xi_T by a.(G dP)_T - (d.xi_T) y/(mu P_n).
      add({0., br.d2, -br.d1}, {0., br.d2, -br.d1});
      const double along = br.d1 * x[1] + br.d2 * x[2];
      br.extra = std::max(0., along) / (mu * normal);
    }
    unknowns_ += br.unknowns;
  }
}

/// test G free for two contacts, unknowns x unknowns, padded with zeros to components x components.
template <std::size_t d>
void ModeNewton::block_of(const Branch& row, const Branch& column, const double* G,
                          double* block) const {
  std::fill_n(block, d * d, 0.);
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

/// The equations with the right-hand side as their last column. @pre s.full
template <std::size_t d>
void ModeNewton::assemble(const ScaledFriction& s) {
  const std::size_t apart = s.step();
  columns_.resize(unknowns_);
  for (std::size_t j = 0; j < s.contacts; ++j) {
    const Branch& bj = branches_[j];
    for (std::size_t c = 0; c < bj.unknowns; ++c) {
      Column& to = columns_[bj.first + c];
      to.at = j * d;
      for (std::size_t k = 0; k < d; ++k) to.free[k] = bj.free[c * d + k];
    }
  }
  row_.resize(s.size());
  for (std::size_t i = 0; i < s.contacts; ++i) {
    const Branch& bi = branches_[i];
    for (std::size_t r = 0; r < bi.unknowns; ++r) {
      const double* test = &bi.test[r * d];
      const double* g = &s.all[i * d * apart];  // test G, by columns
      for (std::size_t k = 1; k < d; ++k) {
        if (test[k] == 1.) g = &s.all[(i * d + k) * apart];
      }
      if (d == 3 && r + 1U == bi.unknowns && !bi.sticks && r + bi.at_floor > 0) {  // the rotation
        std::fill(row_.begin(), row_.end(), 0.);
        add_two(row_.data(), s.size(), test + 1, &s.all[(i * d + 1) * apart], apart);
        g = row_.data();
      }
      const std::size_t at = bi.first + r;
      double* const to = system_.equation(at);
      for (std::size_t c = 0; c < unknowns_; ++c) {
        const Column& column = columns_[c];
        double x = column.free[0] * g[column.at];
        for (std::size_t k = 1; k < d; ++k) x += column.free[k] * g[column.at + k];
        to[c] = x;
      }
      to[at] += shift_;
      to[unknowns_] = right_[at];
    }
    if (bi.unknowns > 0) {
      const std::size_t last = bi.first + bi.unknowns - 1U;
      system_.equation(last)[last] += bi.extra;
    }
  }
}

bool ModeNewton::solve_full(const ScaledFriction& s) {
  system_.resize(unknowns_);
  const auto solve = [&](double least_pivot) {
    if (s.components == 1) assemble<1>(s);
    if (s.components == 2) assemble<2>(s);
    if (s.components == 3) assemble<3>(s);
    return system_.solve(least_pivot);
  };
  const double shift = std::exchange(shift_, shift_ > least_shift ? shift_ : 0.);
  bool solved = shift_ == 0. && solve(good_pivot);
  shift_ = shift;
  solved = solved || solve(least_shift * rounding);
  if (!solved) return false;
  std::copy_n(system_.solution().begin(), unknowns_, right_.begin());
  return true;
}

/// The equations by blocks. A contact with fewer unknowns than components has ones on the remaining
/// diagonal. A contact with none is inactive.
template <std::size_t d>
bool ModeNewton::solve_blocks(const ScaledFriction& s) {
  lu_.analyze(d, {s.begin.data(), s.contacts + 1}, {s.column.data(), s.begin[s.contacts]});
  moves_.resize(s.contacts);
  for (std::size_t i = 0; i < s.contacts; ++i) moves_[i] = branches_[i].unknowns > 0 ? 1 : 0;
  lu_.keep(moves_);
  padded_.assign(s.contacts * d, 0.);
  for (std::size_t i = 0; i < s.contacts; ++i) {
    if (moves_[i] == 0) continue;
    const Branch& bi = branches_[i];
    double* own = lu_.diagonal(i);
    block_of<d>(bi, bi, &s.diagonal[i * d * d], own);
    for (std::size_t r = 0; r < d; ++r) own[r * d + r] += r < bi.unknowns ? shift_ : 1.;
    own[(bi.unknowns - 1U) * (d + 1)] += bi.extra;
    std::copy_n(right_.data() + bi.first, bi.unknowns, &padded_[i * d]);
    for (std::size_t k = s.begin[i]; k < s.begin[i + 1]; ++k) {
      if (moves_[s.column[k]] == 0) continue;
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

/// Projects P onto the branches: to the floor, and in slip to the edge of the cone. Returns whether
/// it changed.
template <std::size_t d>
bool ModeNewton::conform(const ScaledFriction& s, std::span<double> P) const {
  bool changed = false;
  const auto set = [&](double& p, double x) {
    changed = changed || p != x;
    p = x;
  };
  for (std::size_t i = 0; i < s.contacts; ++i) {
    const Branch& br = branches_[i];
    double* p = P.data() + i * d;
    if (br.at_floor) set(p[0], s.floor[i]);
    if (d == 1) continue;
    const double bound = s.mu[i] * p[0];
    if (!br.sticks) {
      set(p[1], -bound * br.d1);
      if (d == 3) set(p[2], -bound * br.d2);
    } else if (br.at_floor && !(s.floor[i] > 0.)) {
      for (std::size_t c = 1; c < d; ++c) set(p[c], 0.);
    }
  }
  return changed;
}

bool ModeNewton::step(const ScaledFriction& s, std::span<double> P, std::span<double> xi,
                      double shift) {
  shift_ = shift;
  return s.components == 1   ? step_of<1>(s, P, xi)
         : s.components == 2 ? step_of<2>(s, P, xi)
                             : step_of<3>(s, P, xi);
}

template <std::size_t d>
bool ModeNewton::step_of(const ScaledFriction& s, std::span<double> P, std::span<double> xi) {
  if (conform<d>(s, P)) s.velocities(P, xi);
  number_unknowns<d>(s, P, xi);
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
    if (!(s.full ? solve_full(s) : solve_sparse(s))) return false;
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
    // Rotates by the angle y/(mu P_n), with the P_n at which it was computed: P_T changed by (d2,
    // -d1) y, and P_T = -mu P_n d.
    const double reference = s.mu[i] * (br.at_floor ? s.floor[i] : before);
    constexpr double largest_turn = 1.;  // beyond a radian the linear step says nothing
    const double angle =
        std::clamp(right_[br.first + br.unknowns - 1U] / reference, -largest_turn, largest_turn);
    const double e1 = br.d1 - br.d2 * angle;
    const double e2 = br.d2 + br.d1 * angle;
    const double size = std::sqrt(e1 * e1 + e2 * e2);
    br.d1 = e1 / size;
    br.d2 = e2 / size;
  }
  conform<d>(s, P);
  s.velocities(P, xi);
  return std::all_of(P.begin(), P.end(), [](double x) { return std::isfinite(x); });
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
