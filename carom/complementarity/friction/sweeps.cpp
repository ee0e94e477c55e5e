// SPDX-License-Identifier: Apache-2.0
#include <carom/complementarity/friction/sweeps.hpp>

#include <algorithm>
#include <cmath>

#include <carom/core/lanes.hpp>
#include <carom/core/scalar.hpp>

namespace carom::complementarity {
namespace {

/// Newton's method is tried after this many sweeps. The number doubles each time it fails.
constexpr std::size_t first_sweeps = 4;
/// Within the right modes one step solves the plane, and five square 0.1 down to rounding in space;
/// as many again are for modes that change on the way.
constexpr std::size_t most_newton_steps = 12;
/// They are given up where the first so many have gained nothing.
constexpr std::size_t patience = 3;
/// A step of Newton's that gains less than this does not converge any more: it is at rounding.
constexpr double least_gain = 0.5;
constexpr std::size_t most_damped_steps = 60;
/// After so many failures in a row the shift has grown by 6^4, about a thousand.
constexpr std::size_t most_failures = 4;
/// How the shift of damped steps begins, and how it changes with success and failure: a few
/// failures undo as many successes [Levenberg 1944].
constexpr double shift_of_root = 0.1;  ///< of the residual
constexpr double least_first_shift = 1e-6;
constexpr double most_first_shift = 0.1;
constexpr double shift_shrinks = 0.2;
constexpr double shift_grows = 6.;
constexpr double most_shift = 1.;  ///< as large as the diagonal itself
/// Sweeps after each damped step, which make the modes agree with the impulses: many contacts need
/// more, since a sweep carries what it changes from one to the next.
constexpr std::size_t smoothing_few = 1;
constexpr std::size_t smoothing_many = 10;
constexpr std::size_t default_sweeps = 20'000;
/// With at least this many contacts the residual is computed only every `between_looks` sweeps, and
/// sweeps continue while they converge fast enough.
constexpr std::size_t many_contacts = 50;
constexpr std::size_t between_looks = 8;
/// What Newton's method costs in sweeps: over a full matrix of n rows four steps of n/2 unknowns,
/// (n/2)^3/3 each beside n^2 of a sweep, are n/6 at least. Estimates, which decide about time only.
constexpr double newton_cost_per_row = 0.3;
constexpr double sparse_newton_cost = 200.;
/// In the plane, where one of Newton's steps solves what has the right modes, it is tried after so
/// many sweeps over a full G.
constexpr std::size_t planar_sweeps = 9;
/// Velocities that are kept up to date by changes are computed anew after so many sweeps, since the
/// rounding of each adds up.
constexpr std::size_t refreshed_after = 32;
/// A tolerance that does not ask for the last digits.
constexpr double coarse = 1e-9;
/// Over-relaxation for a full G of many contacts. Factors from 1.15 to 1.25 save about a quarter of
/// the sweeps.
constexpr double over_relaxed = 1.2;
/// With at least this many contacts Newton's method is damped from the start.
constexpr std::size_t very_many = 300;

template <std::size_t d>
FrictionMode local(const ScaledFriction& s, std::size_t i, const LocalFriction& contact,
                   const double* v, double* P) {
  const double mu = s.mu[i];
  const double floor = s.floor[i];
  if (s.slides(i)) return solve_local_slide(contact, d, v, mu, floor, s.prescribed[i], P);
  if (s.pushes(i)) return solve_local_push(contact, d, v, mu, floor, P);
  if constexpr (d == 2) return solve_local_plane(contact, v, mu, floor, P);
  return solve_local<d>(contact, v, mu, floor, P);
}

/// Over-relaxation from `before` past the solution P of the contact, projected onto its cone [Cryer
/// 1971]. Slip in the plane keeps its direction. Returns the mode, which may change to open.
template <std::size_t d>
FrictionMode relax(double factor, FrictionMode mode, const double* before, double mu, double floor,
                   double* P) {
  if (mode == FrictionMode::open) return mode;
  [[maybe_unused]] const double solved = P[d - 1];
  for (std::size_t r = 0; r < d; ++r) P[r] = before[r] + factor * (P[r] - before[r]);
  P[0] = std::max(P[0], floor);
  if (!(P[0] > 0.)) {
    std::fill_n(P, d, 0.);
    return FrictionMode::open;
  }
  const double bound = mu * P[0];
  if constexpr (d == 2) {
    if (mode == FrictionMode::slip) {
      P[1] = solved > 0. ? bound : -bound;
    } else if (magnitude(P[1]) > bound) {
      P[1] = P[1] > 0. ? bound : -bound;
    }
  }
  if constexpr (d == 3) {
    const double square = P[1] * P[1] + P[2] * P[2];
    const bool on_edge = mode == FrictionMode::slip || square > bound * bound;
    const double f = on_edge && square > 0. ? bound / std::sqrt(square) : 1.;
    P[1] *= f;
    P[2] *= f;
  }
  return mode;
}

}  // namespace

void FrictionSweeps::start(const ScaledFriction& s) {
  const std::size_t d = s.components;
  local_.resize(s.contacts);
  for (std::size_t i = 0; i < s.contacts; ++i) local_[i] = {&s.diagonal[i * d * d], d, s.mu[i]};
  modes_.assign(s.contacts, FrictionMode::open);
  P_.assign(s.size(), 0.);
  for (std::size_t i = 0; i < s.contacts; ++i) P_[i * d] = s.floor[i];
  xi_.resize(s.full ? s.step() : s.size());
  if (s.full) s.velocities(P_, xi_);
  count_ = 0;
}

/// One sweep. Returns whether any contact changed its mode.
template <std::size_t d>
bool FrictionSweeps::sweep_of(const ScaledFriction& s) {
  bool changed = false;
  for (std::size_t i = 0; i < s.contacts; ++i) {
    double v[d];
    s.free_velocity<d>(i, P_.data(), v);
    const FrictionMode mode = local<d>(s, i, local_[i], v, &P_[i * d]);
    changed = changed || mode != modes_[i];
    modes_[i] = mode;
  }
  ++count_;
  return changed;
}

/// The same for a full G: xi is updated by whole columns.
template <std::size_t d>
bool FrictionSweeps::sweep_full(const ScaledFriction& s) {
  const std::size_t apart = s.step();
  bool changed = false;
  for (std::size_t i = 0; i < s.contacts; ++i) {
    double* const P = &P_[i * d];
    const double* const own = &s.diagonal[i * d * d];
    double v[d];
    double before[d];
    for (std::size_t r = 0; r < d; ++r) {
      double made = own[r * d] * P[0];
      for (std::size_t c = 1; c < d; ++c) made += own[r * d + c] * P[c];
      v[r] = xi_[i * d + r] - made;
      before[r] = P[r];
    }
    FrictionMode mode = local<d>(s, i, local_[i], v, P);
    if (relaxation_ != 1. && !s.has_prescribed)
      mode = relax<d>(relaxation_, mode, before, s.mu[i], s.floor[i], P);
    changed = changed || mode != modes_[i];
    modes_[i] = mode;
    bool moved = false;
    double change[d];
    for (std::size_t r = 0; r < d; ++r) {
      change[r] = P[r] - before[r];
      moved = moved || change[r] != 0.;
    }
    if (!moved) continue;
    const double* const rows = &s.all[i * d * apart];
    if constexpr (d == 1) add_multiple(xi_.data(), apart, change[0], rows);
    if constexpr (d == 2) add_two(xi_.data(), apart, change, rows, apart);
    if constexpr (d == 3) add_three(xi_.data(), apart, change, rows, apart);
  }
  ++count_;
  return changed;
}

/// One sweep. Updates P, and for a full G also xi.
bool FrictionSweeps::sweep(const ScaledFriction& s) {
  switch (s.components) {
    case 1:
      return s.full ? sweep_full<1>(s) : sweep_of<1>(s);
    case 2:
      return s.full ? sweep_full<2>(s) : sweep_of<2>(s);
    default:
      return s.full ? sweep_full<3>(s) : sweep_of<3>(s);
  }
}

/// Newton's method from P, first with the current modes, then with those that follow from each
/// step. Returns whether the residual is within the tolerance. Otherwise P is the better of the old
/// and the new one.
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
    // Continue below the tolerance while the residual decreases, so that cones and signs hold to
    // rounding.
    if (best <= tolerance && (!better || r <= rounding)) break;
    if (i >= patience && best == residual_) break;  // no improvement
    const bool changed = newton_.choose_modes(s, trial_, trial_xi_);
    if (!changed && !(r < least_gain * last)) break;
    last = r;
  }
  residual_ = best;
  return best <= tolerance;
}

void FrictionSweeps::cut_to_cones(const ScaledFriction& s) {
  const std::size_t d = s.components;
  for (std::size_t i = 0; i < s.contacts; ++i) {
    double* p = &P_[i * d];
    p[0] = std::max(p[0], s.floor[i]);
    const double bound = s.mu[i] * p[0];
    double square = 0.;
    for (std::size_t c = 1; c < d; ++c) square += p[c] * p[c];
    if (!(square > bound * bound)) continue;
    const double f = bound / std::sqrt(square);
    for (std::size_t c = 1; c < d; ++c) p[c] *= f;
  }
}

/// Newton steps, each followed by sweeps, with Levenberg-Marquardt damping: a diagonal shift that
/// decreases on success and increases on failure [Levenberg 1944]. Without it the undetermined
/// impulses of many hyperstatic contacts would change wildly.
bool FrictionSweeps::damped_newton(const ScaledFriction& s, double tolerance) {
  double shift =
      std::clamp(shift_of_root * std::sqrt(residual_), least_first_shift, most_first_shift);
  std::size_t failures = 0;
  const std::size_t smoothing = s.contacts < many_contacts ? smoothing_few : smoothing_many;
  for (std::size_t i = 0; i < most_damped_steps && failures < most_failures; ++i) {
    trial_ = P_;
    trial_xi_ = xi_;
    kept_ = modes_;
    const double before = residual_;
    newton_.set_modes(s, modes_, P_, xi_);
    const bool moved = newton_.step(s, P_, xi_, shift);
    if (moved) {
      cut_to_cones(s);
      if (s.full) s.velocities(P_, xi_);
      for (std::size_t k = 0; k < smoothing; ++k) sweep(s);
      s.velocities(P_, xi_);
      residual_ = s.residual(P_, xi_);
    }
    if (moved && residual_ < before) {
      if (residual_ <= tolerance) return true;
      failures = 0;
      shift = std::max(ModeNewton::least_shift, shift_shrinks * shift);
    } else {
      P_ = trial_;
      xi_ = trial_xi_;
      modes_ = kept_;
      residual_ = before;
      shift = std::min(most_shift, shift_grows * shift);
      ++failures;
    }
  }
  return false;
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

/// Called within the tolerance: one or two Newton steps with the modes found reduce the residual to
/// rounding. With many contacts this is done only if the tolerance requires it.
bool FrictionSweeps::polished(const ScaledFriction& s, double tolerance) {
  if (residual_ <= rounding) return true;
  if (s.contacts < many_contacts || tolerance < coarse) try_newton(s, tolerance);
  return true;
}

/// Estimated number of sweeps to the tolerance, from the convergence rate of the last ones.
double FrictionSweeps::sweeps_left(double before, double tolerance) const {
  if (!(residual_ < before)) return HUGE_VAL;
  return static_cast<double>(between_looks) * std::log(residual_ / tolerance) /
         std::log(before / residual_);
}

/// How many sweeps Newton's method costs.
double FrictionSweeps::newton_cost(const ScaledFriction& s) {
  return s.full ? newton_cost_per_row * static_cast<double>(s.size()) : sparse_newton_cost;
}

bool FrictionSweeps::go_on(const ScaledFriction& s, const FrictionOptions& options,
                           bool accelerated) {
  const std::size_t most = options.most_sweeps > 0 ? options.most_sweeps : default_sweeps;
  const bool many = s.contacts >= many_contacts;
  const bool linear = s.full && s.components < 3;
  relaxation_ = accelerated && many && s.full ? over_relaxed : 1.;
  std::size_t wait = !many ? first_sweeps : linear ? planar_sweeps : 2 * between_looks;
  std::size_t next_try = count_ + wait;
  double before = HUGE_VAL;
  while (count_ < most) {
    const bool changed = sweep(s);
    const bool look = count_ % between_looks == 0 || (!many && !changed) || s.contacts == 1;
    const bool at_try = accelerated && count_ >= next_try;
    if (!look && !at_try && count_ < most) continue;
    // The updated xi accumulates rounding errors, so recompute it from time to time.
    if (!s.full || count_ % refreshed_after == 0) s.velocities(P_, xi_);
    residual_ = s.residual(P_, xi_);
    if (s.full && residual_ <= options.tolerance) {
      s.velocities(P_, xi_);
      residual_ = s.residual(P_, xi_);
    }
    if (!std::isfinite(residual_)) return false;
    if (residual_ <= options.tolerance) return polished(s, options.tolerance);
    const double left = many ? sweeps_left(before, options.tolerance) : HUGE_VAL;
    before = residual_;
    if (!at_try || (many && !linear && left <= newton_cost(s))) continue;
    if (s.contacts < very_many && try_newton(s, options.tolerance)) return true;
    relaxation_ = 1.;  // the problem is hard
    if (damped_newton(s, options.tolerance)) return polished(s, options.tolerance);
    before = HUGE_VAL;
    wait *= 2;
    next_try = count_ + wait;
  }
  return residual_ <= options.tolerance;
}

}  // namespace carom::complementarity
