// SPDX-License-Identifier: Apache-2.0
#include <carom/laws/lzb_system.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/QR>

#include <carom/core/scalar.hpp>
#include <carom/core/tangent.hpp>

namespace carom::lzb {
namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

}  // namespace

template <int D>
System<D>::System(const Model& model, const Groups& groups) : model_(model), all_groups_(groups) {
  local_.assign(model.size(), none);
  group_at_.assign(groups.size(), none);
}

template <int D>
void System<D>::rebuild(const State& state) {
  for (const std::uint32_t i : contact_) local_[i] = none;
  for (const LocalGroup& g : groups_) group_at_[g.group] = none;
  contact_.clear();
  for (std::size_t i = 0; i < model_.size(); ++i) {
    if (state.springs[i] == Spring::open) continue;
    local_[i] = static_cast<std::uint32_t>(contact_.size());
    contact_.push_back(static_cast<std::uint32_t>(i));
  }
  const std::size_t m = contact_.size();
  coefficients_.clear();
  pace_.clear();
  expands_.clear();
  begin_.assign(1, 0);
  column_.clear();
  block_.clear();
  base_.assign(m * d, 0.);
  watch_.clear();
  for (std::size_t i = 0; i < m; ++i) {
    const std::size_t at = contact_[i];
    coefficients_.push_back(model_.contacts[at]);
    const bool expands = state.springs[at] == Spring::expand;
    expands_.push_back(expands ? 1 : 0);
    pace_.push_back(expands ? coefficients_.back().expansion : 1.);
    double* base = base_.data() + i * d;
    for (std::size_t c = 0; c < d; ++c) base[c] = model_.approach[at * d + c];
    const auto row = model_.row(at);
    for (std::size_t k = 0; k < row.size(); ++k) {
      const double* b = model_.block(at, k);
      if (local_[row[k]] != none) {
        column_.push_back(local_[row[k]]);
        block_.insert(block_.end(), b, b + d * d);
        continue;
      }
      watch_.push_back(row[k]);
      const double* P = state.P.data() + row[k] * d;
      for (std::size_t c = 0; c < d; ++c) {
        for (std::size_t e = 0; e < d; ++e) base[c] += b[c * d + e] * P[e];
      }
    }
    begin_.push_back(column_.size());
  }
  std::sort(watch_.begin(), watch_.end());
  watch_.erase(std::unique(watch_.begin(), watch_.end()), watch_.end());
  watch_begin_.assign(1, 0);
  watch_column_.clear();
  watch_block_.clear();
  watch_base_.clear();
  for (const std::uint32_t at : watch_) {
    double base = model_.approach[at * d];
    const auto row = model_.row(at);
    for (std::size_t k = 0; k < row.size(); ++k) {
      const double* b = model_.block(at, k);
      if (local_[row[k]] != none) {
        watch_column_.push_back(local_[row[k]]);
        watch_block_.insert(watch_block_.end(), b, b + d);
        continue;
      }
      for (std::size_t e = 0; e < d; ++e) base += b[e] * state.P[row[k] * d + e];
    }
    watch_base_.push_back(base);
    watch_begin_.push_back(watch_column_.size());
  }
  v_.assign(m * d, 0.);
  F_.assign(m * d, 0.);

  groups_.clear();
  sticking_.clear();
  creeping_.clear();
  hyperstatic_ = false;
  if (D == 1) return;
  group_.assign(m, 0);
  for (std::size_t i = 0; i < m; ++i) {
    const std::uint32_t g = all_groups_.of[contact_[i]];
    if (group_at_[g] == none) {
      group_at_[g] = static_cast<std::uint32_t>(groups_.size());
      groups_.push_back({.group = g, .members = {}, .friction = state.frictions[g]});
    }
    group_[i] = group_at_[g];
    LocalGroup& group = groups_[group_at_[g]];
    group.members.push_back(static_cast<std::uint32_t>(i));
    group.rough = group.rough || coefficients_[i].static_friction > 0.;
  }
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    if (groups_[g].friction.sliding == Sliding::stick) sticking_.push_back(g);
    if (groups_[g].friction.sliding == Sliding::creep) creeping_.push_back(g);
  }
  factor_stick();
  factor_creep();
}

template <int D>
void System<D>::gather(const State& state, double* y) const {
  const std::size_t m = contacts();
  for (std::size_t i = 0; i < m; ++i) {
    const std::size_t at = contact_[i];
    y[i] = state.x[at];
    for (std::size_t c = 0; c < d; ++c) y[m + i * d + c] = state.P[at * d + c];
    if (D > 1) y[m + m * d + i] = state.work[at];
  }
}

template <int D>
void System<D>::scatter(const double* y, State& state) const {
  const std::size_t m = contacts();
  for (std::size_t i = 0; i < m; ++i) {
    const std::size_t at = contact_[i];
    state.x[at] = y[i];
    for (std::size_t c = 0; c < d; ++c) state.P[at * d + c] = y[m + i * d + c];
    if (D > 1) state.work[at] = y[m + m * d + i];
  }
}

template <int D>
void System<D>::derivative(const double* y, double* f) {
  const std::size_t m = contacts();
  const double* P = y + m;
  for (std::size_t i = 0; i < m; ++i) {
    double v[d];
    for (std::size_t c = 0; c < d; ++c) v[c] = base_[i * d + c];
    for (std::size_t k = begin_[i]; k < begin_[i + 1]; ++k) {
      const double* b = block_.data() + k * d * d;
      const double* p = P + column_[k] * d;
      for (std::size_t c = 0; c < d; ++c) {
        for (std::size_t e = 0; e < d; ++e) v[c] += b[c * d + e] * p[e];
      }
    }
    for (std::size_t c = 0; c < d; ++c) v_[i * d + c] = v[c];
    f[i] = -v[0] * pace_[i];
    F_[i * d] = coefficients_[i].force(y[i]);
  }
  if constexpr (D == 1) {
    for (std::size_t i = 0; i < m; ++i) f[m + i] = F_[i];
  } else {
    add_friction();
    double* work = f + m + m * d;
    for (std::size_t i = 0; i < m; ++i) {
      work[i] = 0.;
      for (std::size_t c = 1; c < d; ++c) work[i] += F_[i * d + c] * v_[i * d + c];
      if (groups_[group_[i]].friction.sliding == Sliding::stick) work[i] = 0.;
    }
    std::copy(F_.begin(), F_.end(), f + m);
  }
}

/// Friction of slip and of stick where normal forces and velocities are known.
template <int D>
void System<D>::add_friction() {
  for (const LocalGroup& g : groups_) {
    double direction[2] = {g.friction.direction[0], g.friction.direction[1]};
    const bool slips = g.friction.sliding == Sliding::slip;
    if (D == 3 && slips) {
      const double* v = v_.data() + g.one() * d + 1;
      for (std::size_t c = 0; c < d - 1; ++c) {
        direction[c] = v[c] + g.friction.offset * g.friction.direction[c];
      }
      const double size = std::sqrt(direction[0] * direction[0] + direction[1] * direction[1]);
      for (double& x : direction) x = size > 0. ? x / size : 0.;
    }
    for (const std::uint32_t i : g.members) {
      const double limit = slips ? coefficients_[i].friction * F_[i * d] : 0.;
      for (std::size_t c = 1; c < d; ++c) F_[i * d + c] = -limit * direction[c - 1];
    }
  }
  if (!creeping_.empty()) solve_creep();
  if (sticking_.empty()) return;
  for (std::size_t s = 0; s < sticking_.size(); ++s) {
    const std::size_t i = groups_[sticking_[s]].one();
    for (std::size_t c = 1; c < d; ++c) {
      stick_rate_(static_cast<Eigen::Index>(s * (d - 1) + c - 1)) = rate(i, c, F_.data());
    }
  }
  stick_force_.noalias() = -(release_ * stick_rate_);
  for (std::size_t s = 0; s < sticking_.size(); ++s) {
    share(groups_[sticking_[s]], stick_force_.data() + s * (d - 1), F_.data());
  }
}

/// Friction of creeping groups, mu F_n against the rate that slip has with it, while sticking
/// groups give way: f_S = -A_SS^+ (b_S + A_SC f_C) leaves A_CC - A_CS A_SS^+ A_SC and b_C - A_CS
/// A_SS^+ b_S.
template <int D>
void System<D>::solve_creep() {
  const std::size_t w = d - 1;
  for (std::size_t s = 0; s < sticking_.size(); ++s) {
    const std::size_t i = groups_[sticking_[s]].one();
    for (std::size_t c = 0; c < w; ++c) {
      stick_rate_(static_cast<Eigen::Index>(s * w + c)) = rate(i, c + 1, F_.data());
    }
  }
  for (std::size_t s = 0; s < creeping_.size(); ++s) {
    const LocalGroup& g = groups_[creeping_[s]];
    for (std::size_t c = 0; c < w; ++c) {
      creep_.b(static_cast<Eigen::Index>(s * w + c)) = rate(g.one(), c + 1, F_.data());
    }
    creep_limits_[s] = kinetic_limit(g, F_.data());
  }
  if (!sticking_.empty()) {
    stick_force_.noalias() = release_ * stick_rate_;
    creep_.b.noalias() -= creep_by_stick_ * stick_force_;
  }
  creep_.solve(creep_limits_);
  for (std::size_t s = 0; s < creeping_.size(); ++s) {
    const LocalGroup& g = groups_[creeping_[s]];
    const double limit = creep_limits_[s];
    for (const std::uint32_t i : g.members) {
      const double part = limit > 0. ? coefficients_[i].friction * F_[i * d] / limit : 0.;
      for (std::size_t c = 0; c < w; ++c) {
        F_[i * d + 1 + c] = part * creep_.f(static_cast<Eigen::Index>(s * w + c));
      }
    }
  }
}

template <int D>
void System<D>::factor_creep() {
  if (creeping_.empty()) return;
  creep_.f.resize(0);
  zero_slip(creeping_, F_.data(), creep_);
  creep_limits_.assign(creeping_.size(), 0.);
  if (sticking_.empty()) return;
  std::vector<std::size_t> both = creeping_;
  both.insert(both.end(), sticking_.begin(), sticking_.end());
  ZeroSlip all;
  zero_slip(both, F_.data(), all);
  const Eigen::Index c = creep_.A.rows();
  const Eigen::Index s = all.A.rows() - c;
  creep_by_stick_ = all.A.topRightCorner(c, s);
  creep_.A -= creep_by_stick_ * release_ * all.A.bottomLeftCorner(s, c);
}

template <int D>
std::array<double, 2> System<D>::creep_direction(std::size_t k) const {
  const auto at = static_cast<Eigen::Index>(2 * k);
  Eigen::Vector2d direction = creep_.rate.segment<2>(at);
  if (!creep_.slips(k)) direction = -creep_.f.segment<2>(at);
  const double size = direction.norm();
  if (!(size > 0.)) return {};
  return {direction(0) / size, direction(1) / size};
}

/// While slip is small, its direction follows that of its rate at once, but for an angle of the
/// order of slip itself: friction has an impulse across to do that.
template <int D>
void System<D>::align(double* y) const {
  if constexpr (D == 3) {
    const std::size_t m = contacts();
    for (std::size_t s = 0; s < creeping_.size(); ++s) {
      const std::size_t i = groups_[creeping_[s]].one();
      const auto towards = creep_direction(s);
      const Eigen::Vector2d direction(towards[0], towards[1]);
      if (direction.isZero(0.)) continue;
      const Eigen::Vector2d slip(base_[i * d + 1] + rate(i, 1, y + m),
                                 base_[i * d + 2] + rate(i, 2, y + m));
      const Eigen::Vector2d off = std::max(0., slip.dot(direction)) * direction - slip;
      const double* own = local_block(i, i);
      const Sym3 G{.nn = 1.,
                   .n1 = 0.,
                   .n2 = 0.,
                   .t11 = own[d + 1],
                   .t12 = own[d + 2],
                   .t22 = own[2 * d + 2]};
      const Tangent impulse = TangentialInverse(G) * Tangent{.t1 = off(0), .t2 = off(1)};
      y[m + i * d + 1] += impulse.t1;
      y[m + i * d + 2] += impulse.t2;
    }
    hold(y);
  }
}

/// Shares a group's friction over its contacts in proportion to mu_s F_n.
template <int D>
void System<D>::share(const LocalGroup& g, const double* total, double* F) const {
  const double limit = g.members.size() > 1 ? static_limit(g, F) : 0.;
  for (const std::uint32_t i : g.members) {
    double part = limit > 0. ? coefficients_[i].static_friction * F[i * d] / limit : 0.;
    if (!(limit > 0.) && i == g.one()) part = 1.;
    for (std::size_t c = 1; c < d; ++c) F[i * d + c] = part * total[c - 1];
  }
}

template <int D>
double System<D>::rate(std::size_t i, std::size_t component, const double* F) const {
  double sum = 0.;
  for (std::size_t k = begin_[i]; k < begin_[i + 1]; ++k) {
    const double* b = block_.data() + k * d * d + component * d;
    const double* p = F + column_[k] * d;
    for (std::size_t e = 0; e < d; ++e) sum += b[e] * p[e];
  }
  return sum;
}

template <int D>
double System<D>::watched_velocity(std::size_t k, const double* P) const {
  return watch_base_[k] + watched_rate(k, P);
}

template <int D>
double System<D>::watched_rate(std::size_t w, const double* F) const {
  double sum = 0.;
  for (std::size_t k = watch_begin_[w]; k < watch_begin_[w + 1]; ++k) {
    const double* p = F + watch_column_[k] * d;
    for (std::size_t e = 0; e < d; ++e) sum += watch_block_[k * d + e] * p[e];
  }
  return sum;
}

template <int D>
double System<D>::static_limit(const LocalGroup& g, const double* F) const {
  double sum = 0.;
  for (const std::uint32_t i : g.members) sum += coefficients_[i].static_friction * F[i * d];
  return sum;
}

template <int D>
double System<D>::kinetic_limit(const LocalGroup& g, const double* F) const {
  double sum = 0.;
  for (const std::uint32_t i : g.members) sum += coefficients_[i].friction * F[i * d];
  return sum;
}

template <int D>
std::array<double, 2> System<D>::friction(const LocalGroup& g, const double* F) const {
  std::array<double, 2> sum{};
  for (const std::uint32_t i : g.members) {
    for (std::size_t c = 1; c < d; ++c) sum[c - 1] += F[i * d + c];
  }
  return sum;
}

template <int D>
const double* System<D>::local_block(std::size_t i, std::size_t j) const {
  const auto first = column_.begin() + static_cast<std::ptrdiff_t>(begin_[i]);
  const auto last = column_.begin() + static_cast<std::ptrdiff_t>(begin_[i + 1]);
  const auto found = std::lower_bound(first, last, static_cast<std::uint32_t>(j));
  if (found == last || *found != j) return nullptr;
  return block_.data() + static_cast<std::size_t>(found - column_.begin()) * d * d;
}

template <int D>
void System<D>::zero_slip(const std::vector<std::size_t>& which, const double* F,
                          ZeroSlip& problem) const {
  const std::size_t w = d - 1;
  const std::size_t n = which.size();
  problem.width = w;
  problem.A.setZero(static_cast<Eigen::Index>(n * w), static_cast<Eigen::Index>(n * w));
  problem.b.setZero(static_cast<Eigen::Index>(n * w));
  std::vector<double> without(F, F + contacts() * d);
  for (const std::size_t g : which) {
    for (const std::uint32_t i : groups_[g].members) {
      for (std::size_t c = 1; c < d; ++c) without[i * d + c] = 0.;
    }
  }
  for (std::size_t s = 0; s < n; ++s) {
    const std::size_t i = groups_[which[s]].one();
    for (std::size_t c = 0; c < w; ++c) {
      problem.b(static_cast<Eigen::Index>(s * w + c)) = rate(i, c + 1, without.data());
    }
    for (std::size_t t = 0; t < n; ++t) {
      const double* b = local_block(i, groups_[which[t]].one());
      if (b == nullptr) continue;
      for (std::size_t c = 0; c < w; ++c) {
        for (std::size_t e = 0; e < w; ++e) {
          problem.A(static_cast<Eigen::Index>(s * w + c), static_cast<Eigen::Index>(t * w + e)) =
              b[(c + 1) * d + e + 1];
        }
      }
    }
  }
}

template <int D>
void System<D>::factor_stick() {
  if (sticking_.empty()) return;
  ZeroSlip problem;
  zero_slip(sticking_, F_.data(), problem);
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> factors;
  factors.setThreshold(rounding * static_cast<double>(problem.A.rows()));
  factors.compute(problem.A);
  hyperstatic_ = factors.rank() < problem.A.rows();
  release_ = factors.pseudoInverse();
  stick_rate_.setZero(problem.A.rows());
  stick_force_.setZero(problem.A.rows());
}

/// Lawson's algorithm for min max |f_g|/L_g over A f = -b: least squares with weights l_g that are
/// multiplied by the ratios. With the weights adding up to one, the square root of the weighted sum
/// of squared ratios bounds the least largest ratio from below.
template <int D>
bool System<D>::reshare(const double* F) {
  constexpr int most_rounds = 60;
  ZeroSlip problem;
  zero_slip(sticking_, F, problem);
  const std::size_t n = sticking_.size();
  const std::size_t w = d - 1;
  const double scale = problem.b.size() > 0 ? problem.b.cwiseAbs().maxCoeff() : 0.;
  std::vector<double> weights(n, 1. / static_cast<double>(n));
  Eigen::VectorXd S(problem.b.size());
  for (int round = 0; round < most_rounds; ++round) {
    for (std::size_t g = 0; g < n; ++g) {
      const double limit = static_limit(groups_[sticking_[g]], F);
      S.segment(static_cast<Eigen::Index>(g * w), static_cast<Eigen::Index>(w))
          .setConstant(weights[g] > 0. ? limit * limit / weights[g] : 0.);
    }
    if (!(S.maxCoeff() > 0.)) return !(scale > 0.);
    S /= S.maxCoeff();
    const Eigen::MatrixXd weighted = problem.A * S.asDiagonal() * problem.A;
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> factors;
    factors.setThreshold(rounding * static_cast<double>(weighted.rows()));
    factors.compute(weighted);
    const Eigen::MatrixXd release = S.asDiagonal() * problem.A * factors.pseudoInverse();
    const Eigen::VectorXd f = -(release * problem.b);
    if ((problem.A * f + problem.b).cwiseAbs().maxCoeff() > ZeroSlip::negligible * scale) {
      return round > 0;  // contacts without force are needed: none may be left out, or all hold
    }
    double largest = 0.;
    double bound = 0.;
    double sum = 0.;
    for (std::size_t g = 0; g < n; ++g) {
      const double limit = static_limit(groups_[sticking_[g]], F);
      const double ratio = limit > 0. ? problem.size_of(f, g) / limit : 0.;
      largest = std::max(largest, ratio);
      bound += weights[g] * ratio * ratio;
      weights[g] *= ratio;
      sum += weights[g];
    }
    release_ = release;
    if (largest <= 1.) return true;
    if (bound > 1.) return false;
    if (!(sum > 0.)) return true;
    for (double& x : weights) x /= sum;
  }
  return true;
}

template <int D>
void System<D>::hold(double* y) const {
  if (sticking_.empty()) return;
  const std::size_t m = contacts();
  Eigen::VectorXd slip(stick_rate_.size());
  for (std::size_t s = 0; s < sticking_.size(); ++s) {
    const std::size_t i = groups_[sticking_[s]].one();
    for (std::size_t c = 1; c < d; ++c) {
      slip(static_cast<Eigen::Index>(s * (d - 1) + c - 1)) = base_[i * d + c] + rate(i, c, y + m);
    }
  }
  const Eigen::VectorXd impulse = -(release_ * slip);
  for (std::size_t s = 0; s < sticking_.size(); ++s) {
    const std::size_t i = groups_[sticking_[s]].one();
    for (std::size_t c = 1; c < d; ++c) {
      y[m + i * d + c] += impulse(static_cast<Eigen::Index>(s * (d - 1) + c - 1));
    }
  }
}

template class System<1>;
template class System<2>;
template class System<3>;

}  // namespace carom::lzb
