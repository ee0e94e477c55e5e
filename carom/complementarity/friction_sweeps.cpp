// SPDX-License-Identifier: Apache-2.0
#include <carom/complementarity/friction_sweeps.hpp>

#include <algorithm>
#include <cmath>

#include <carom/core/scalar.hpp>

namespace carom::complementarity {
namespace {

/// Newton's method is tried after this many sweeps; where it fails, after as many again, doubled.
constexpr std::size_t first_sweeps = 4;
constexpr std::size_t most_newton_steps = 12;
constexpr std::size_t default_sweeps = 20'000;

}  // namespace

void FrictionSweeps::start(const ScaledFriction& s) {
  const std::size_t d = s.components;
  local_.resize(s.contacts);
  for (std::size_t i = 0; i < s.contacts; ++i) local_[i] = {&s.diagonal[i * d * d], d};
  modes_.assign(s.contacts, FrictionMode::open);
  P_.assign(s.size(), 0.);
  for (std::size_t i = 0; i < s.contacts; ++i) P_[i * d] = s.floor[i];
  xi_.resize(s.size());
  count_ = 0;
}

/// Has any contact changed its mode?
template <std::size_t d>
bool FrictionSweeps::sweep_of(const ScaledFriction& s) {
  bool changed = false;
  for (std::size_t i = 0; i < s.contacts; ++i) {
    double v[d];
    s.free_velocity<d>(i, P_.data(), v);
    const FrictionMode mode = solve_local<d>(local_[i], v, s.mu[i], s.floor[i], &P_[i * d]);
    changed = changed || mode != modes_[i];
    modes_[i] = mode;
  }
  ++count_;
  return changed;
}

bool FrictionSweeps::sweep(const ScaledFriction& s) {
  switch (s.components) {
    case 1:
      return sweep_of<1>(s);
    case 2:
      return sweep_of<2>(s);
    default:
      return sweep_of<3>(s);
  }
}

/// From P, within the modes it has, then within those that come of it. True where the residual is
/// within the tolerance; else P is the better of the two.
bool FrictionSweeps::try_newton(const ScaledFriction& s, double tolerance) {
  newton_.set_modes(s, modes_, P_, xi_);
  return newton_steps(s, tolerance);
}

bool FrictionSweeps::newton_steps(const ScaledFriction& s, double tolerance) {
  trial_ = P_;
  trial_xi_ = xi_;
  double best = residual_;
  double last = HUGE_VAL;
  for (std::size_t i = 0; i < most_newton_steps; ++i) {
    if (!newton_.step(s, trial_, trial_xi_)) break;
    const double r = s.residual(trial_, trial_xi_);
    const bool better = r < best;
    if (better) {
      best = r;
      P_ = trial_;
      xi_ = trial_xi_;
      newton_.tell_modes(s, P_, modes_);
    }
    // Steps go on below the tolerance while they help: cones and signs come out of it exactly.
    if (best <= tolerance && (!better || r <= rounding)) break;
    const bool changed = newton_.choose_modes(s, trial_, trial_xi_);
    if (!changed && !(r < 0.5 * last)) break;
    last = r;
  }
  residual_ = best;
  return best <= tolerance;
}

bool FrictionSweeps::solve(const ScaledFriction& s, const FrictionOptions& options,
                           bool accelerated) {
  start(s);
  return go_on(s, options, accelerated);
}

bool FrictionSweeps::resume(const ScaledFriction& s, const FrictionOptions& options,
                            std::span<const double> P) {
  start(s);
  std::copy(P.begin(), P.end(), P_.begin());
  s.velocities(P_, xi_);
  residual_ = s.residual(P_, xi_);
  newton_.choose_modes(s, P_, xi_);
  newton_.tell_modes(s, P_, modes_);
  return newton_steps(s, options.tolerance) || go_on(s, options, true);
}

bool FrictionSweeps::go_on(const ScaledFriction& s, const FrictionOptions& options,
                           bool accelerated) {
  const std::size_t most = options.most_sweeps > 0 ? options.most_sweeps : default_sweeps;
  std::size_t next_try = first_sweeps;
  std::size_t wait = first_sweeps;
  while (count_ < most) {
    const bool changed = sweep(s);
    const bool at_try = accelerated && count_ >= next_try;
    if (!at_try && changed && count_ % 8 != 0) continue;
    s.velocities(P_, xi_);
    residual_ = s.residual(P_, xi_);
    if (!std::isfinite(residual_)) return false;
    if (residual_ <= options.tolerance) {
      try_newton(s, options.tolerance);
      return true;
    }
    if (!at_try) continue;
    if (try_newton(s, options.tolerance)) return true;
    wait *= 2;
    next_try = count_ + wait;
  }
  s.velocities(P_, xi_);
  residual_ = s.residual(P_, xi_);
  return residual_ <= options.tolerance;
}

}  // namespace carom::complementarity
