// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include <carom/core/dense_factors.hpp>
#include <carom/core/scalar.hpp>
#include <carom/core/tangent.hpp>
#include <carom/laws/lzb/system.hpp>

/// Part of system.cpp: friction of slip, stick and creep for given normal forces.
namespace carom::lzb {

/// Friction of slip and stick for given normal forces and velocities.
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
  if (regular_) {  // in place: `released` would allocate, and this is evaluated most
    stick_force_ = -stick_rate_;
    stick_.solve(stick_force_);
  } else {
    stick_force_.noalias() = -(release_ * stick_rate_);
  }
  for (std::size_t s = 0; s < sticking_.size(); ++s) {
    share(groups_[sticking_[s]], stick_force_.data() + s * (d - 1), F_.data());
  }
}

/// Friction of creeping groups: mu F_n against the rate of slip, including its own effect. Sticking
/// groups react: f_S = -A_SS^+ (b_S + A_SC f_C) leaves A_CC - A_CS A_SS^+ A_SC and b_C - A_CS
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
    stick_force_ = released(stick_rate_);
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
  creep_.A -= creep_by_stick_ * released(all.A.bottomLeftCorner(s, c));
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

/// While slip is small, its direction follows that of its rate at once, except for an angle of the
/// order of slip itself. Friction has a perpendicular impulse that causes this.
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

/// Distributes the friction of a group over its contacts in proportion to mu_s F_n.
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
  place_.assign(contacts(), n);
  for (std::size_t s = 0; s < n; ++s) place_[groups_[which[s]].one()] = s;
  for (std::size_t s = 0; s < n; ++s) {
    const std::size_t i = groups_[which[s]].one();
    for (std::size_t c = 0; c < w; ++c) {
      problem.b(static_cast<Eigen::Index>(s * w + c)) = rate(i, c + 1, without.data());
    }
    for (std::size_t k = begin_[i]; k < begin_[i + 1]; ++k) {
      const std::size_t t = place_[column_[k]];
      if (t == n) continue;
      const double* b = block_.data() + k * d * d;
      for (std::size_t c = 0; c < w; ++c) {
        for (std::size_t e = 0; e < w; ++e) {
          problem.A(static_cast<Eigen::Index>(s * w + c), static_cast<Eigen::Index>(t * w + e)) =
              b[(c + 1) * d + e + 1];
        }
      }
    }
  }
}

/// Singular values that are zero to rounding count as zero.
inline PseudoInverse inverse_of(const Eigen::MatrixXd& A) {
  return pseudo_inverse(A, rounding * static_cast<double>(A.rows()));
}

template <int D>
Eigen::MatrixXd System<D>::released(Eigen::MatrixXd x) const {
  if (!regular_) return release_ * x;
  stick_.solve(x);
  return x;
}

template <int D>
void System<D>::factor_stick() {
  if (sticking_.empty()) return;
  ZeroSlip problem;
  zero_slip(sticking_, F_.data(), problem);
  // For many groups this takes a small part of the time if A is far from singular, which is the
  // usual case.
  constexpr Eigen::Index many = 16;
  constexpr double clearly = 1e-8;
  regular_ = problem.A.rows() > many && stick_.factorize(problem.A, 0.) &&
             stick_.D().minCoeff() > clearly * problem.A.diagonal().maxCoeff();
  hyperstatic_ = false;
  if (!regular_) {
    PseudoInverse inverse = inverse_of(problem.A);
    hyperstatic_ = inverse.rank < problem.A.rows();
    release_ = std::move(inverse.matrix);
  }
  stick_rate_.setZero(problem.A.rows());
  stick_force_.setZero(problem.A.rows());
}

/// An operator that gives some f instead of the least one if slip would begin at the rate b: A (f -
/// f_least) = 0.
inline Eigen::MatrixXd release_towards(const Eigen::MatrixXd& least, const Eigen::VectorXd& b,
                                       const Eigen::VectorXd& f) {
  return least - (f + least * b) * b.transpose() / b.squaredNorm();
}

/// Lawson's algorithm for min max |f_g|/L_g subject to A f = -b: least squares with weights l_g,
/// which are multiplied by the ratios in each iteration. If the weights add up to one, the square
/// root of the weighted sum of squared ratios is a lower bound of the minimum.
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
    const Eigen::MatrixXd release = S.asDiagonal() * problem.A * inverse_of(weighted).matrix;
    const Eigen::VectorXd f = -(release * problem.b);
    if ((problem.A * f + problem.b).cwiseAbs().maxCoeff() > ZeroSlip::negligible * scale) {
      break;  // the limits differ too much for these weights
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
    regular_ = false;
    if (largest <= 1.) return true;
    if (bound > 1.) break;
    if (!(sum > 0.)) return true;
    for (double& x : weights) x /= sum;
  }
  // Use the same decision as for the release of groups.
  std::vector<double> limits(n);
  for (std::size_t g = 0; g < n; ++g) limits[g] = static_limit(groups_[sticking_[g]], F);
  problem.solve(limits);
  for (std::size_t g = 0; g < n; ++g) {
    if (problem.slips(g)) return false;
  }
  if (scale > 0.) {
    regular_ = false;
    release_ = release_towards(inverse_of(problem.A).matrix, problem.b, problem.f);
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
  const Eigen::VectorXd impulse = -released(slip);
  for (std::size_t s = 0; s < sticking_.size(); ++s) {
    const std::size_t i = groups_[sticking_[s]].one();
    for (std::size_t c = 1; c < d; ++c) {
      y[m + i * d + c] += impulse(static_cast<Eigen::Index>(s * (d - 1) + c - 1));
    }
  }
}

}  // namespace carom::lzb
