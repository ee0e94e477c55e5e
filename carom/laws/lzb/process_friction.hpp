// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>

#include <carom/core/scalar.hpp>
#include <carom/laws/lzb/process.hpp>

/// Part of process.cpp: slip and stick.
namespace carom::lzb {

/// Whether friction is strong enough to align slip with its rate at once. Otherwise the problem is
/// not stiff.
inline bool turns_slip(double friction, double rate) { return friction > 3. * rate; }

template <int D>
Motion Process<D>::motion(std::size_t contact) const {
  if (D == 1) return Motion::slip;
  const Friction& f = state_.frictions[groups_.of[contact]];
  if (f.sliding == Sliding::stick) return Motion::stick;
  const bool reversed = D == 2 && f.direction[0] * model_.approach[contact * d + 1] < 0.;
  return reversed ? Motion::reverse_slip : Motion::slip;
}

/// Whether a closed contact of the group has friction.
template <int D>
bool Process<D>::is_rough(std::size_t group) const {
  for (const std::uint32_t i : groups_.contacts[group]) {
    if (state_.springs[i] != Spring::open && model_.contacts[i].static_friction > 0.) return true;
  }
  return false;
}

template <int D>
void Process<D>::stop(std::size_t group) {
  stopped_.push_back(group);
}

/// Creeping slip continues as ordinary slip.
template <int D>
void Process<D>::begin_slip(std::size_t group) {
  Friction& f = state_.frictions[group];
  std::array<double, 3> v{};
  model_.velocity(groups_.contacts[group].front(), state_.P.data(), v.data());
  const double slip = std::hypot(v[1], v[2]);
  f.sliding = Sliding::slip;
  f.offset = slip > tolerance_.slip ? 0. : tolerance_.slip;
  if (!(slip > 0.)) return;
  f.direction = {v[1] / slip, v[2] / slip};
}

/// Slip that has its own direction, or decelerates, no longer needs the initial direction. That
/// direction would hide the end of slip, which another direction never reaches.
template <int D>
void Process<D>::drop_offsets() {
  constexpr double enough = 30.;
  constexpr double some = 0.1;
  for (const auto& group : system_.groups()) {
    if (group.friction.sliding != Sliding::slip || !(group.friction.offset > 0.)) continue;
    const std::size_t i = group.one();
    const double* v = v0_.data() + i * d;
    const double slip = std::hypot(v[1], v[D - 1]) / group.friction.offset;
    const bool slows =
        v[1] * system_.rate(i, 1, F0_.data()) + v[D - 1] * system_.rate(i, D - 1, F0_.data()) < 0.;
    if (!(slip > enough || (slows && slip > some))) continue;
    state_.frictions[group.group].offset = 0.;
    rebuild_ = true;
  }
}

/// Along the direction e of slip, with the rate g = e.(b - mu F A e) < 0 towards zero, the angle of
/// slip leaves e at the rate |g| - mu F n.A.n, n perpendicular to e. If this is positive, slip does
/// not stop but changes its direction [ERRATA, edge cases in space, 2], and static friction does
/// not matter.
template <int D>
bool Process<D>::turns_away(std::size_t g, const std::array<double, 2>& slip) const {
  if constexpr (D == 3) {
    const auto& group = system_.groups()[g];
    const std::size_t i = group.one();
    const double size = std::hypot(slip[0], slip[1]);
    const std::array<double, 2> e{slip[0] / size, slip[1] / size};
    const double* G = model_.find(system_.contact(i), system_.contact(i));
    const double across =
        e[1] * e[1] * G[d + 1] - 2. * e[0] * e[1] * G[d + 2] + e[0] * e[0] * G[2 * d + 2];
    const double towards =
        -(e[0] * system_.rate(i, 1, F0_.data()) + e[1] * system_.rate(i, 2, F0_.data()));
    const double strength = system_.kinetic_limit(group, F0_.data()) * across;
    constexpr double clearly = 1e-6;
    return towards > strength * (1. + clearly);
  } else {
    return false;
  }
}

/// End of slip. In the plane its sign changes. In space its direction changes faster as slip
/// decreases; unless it keeps its direction, steps are limited to half of its remaining time. A
/// near miss of zero ends like a hit, so a small remainder counts as zero.
template <int D>
void Process<D>::judge_slip(std::size_t g, double h) {
  const auto& group = system_.groups()[g];
  if (group.friction.sliding != Sliding::slip || !group.rough) return;
  const std::size_t i = group.one();
  if constexpr (D == 2) {
    const double s = -group.friction.direction[0];
    const Crossing crossing{.before = s * v0_[i * d + 1],
                            .rate_before = s * h * system_.rate(i, 1, F0_.data()),
                            .after = s * v1_[i * d + 1],
                            .rate_after = s * h * system_.rate(i, 1, F1_.data())};
    consider(crossing, tolerance_.slip, h, Event::stops, group.group);
  } else if constexpr (D == 3) {
    std::array<double, 2> w0{};
    std::array<double, 2> w1{};
    for (std::size_t c = 0; c < 2; ++c) {
      const double offset = group.friction.offset * group.friction.direction[c];
      w0[c] = v0_[i * d + 1 + c] + offset;
      w1[c] = v1_[i * d + 1 + c] + offset;
    }
    const double before = std::hypot(w0[0], w0[1]);
    const double after = std::hypot(w1[0], w1[1]);
    if (!(before > 0.)) return;
    const double along = (w0[0] * w1[0] + w0[1] * w1[1]) / before;
    const double across = std::abs(w0[0] * w1[1] - w0[1] * w1[0]) / before;
    if (along < before && after <= tolerance_.slip) {
      fired_.push_back({turns_away(g, w0) ? Event::passes : Event::stops, group.group});
      return;
    }
    constexpr double least_left = 0.5;  // of slip, after a step
    if (along > least_left * before) return;
    if (across <= 0.1 * tolerance_.slip) {
      if (along > 0.) return;
      double rate0 = 0.;
      double rate1 = 0.;
      for (std::size_t c = 0; c < 2; ++c) {
        rate0 -= w0[c] / before * system_.rate(i, c + 1, F0_.data());
        rate1 -= w0[c] / before * system_.rate(i, c + 1, F1_.data());
      }
      const Crossing crossing{
          .before = -before, .rate_before = h * rate0, .after = -along, .rate_after = h * rate1};
      earlier(std::min(0.999, crossing.part(0.)) * h);
      return;
    }
    // Aims at a little more than that: each attempt is then at least a tenth shorter.
    constexpr double part = 0.9 * (1. - least_left);
    earlier(part * before / (before - along) * h);
  }
}

/// Stick that needs more friction than its limit.
template <int D>
void Process<D>::judge_stick(double h) {
  if (system_.sticking().empty()) return;
  if (system_.hyperstatic()) {
    if (sticking_is_possible()) return;
    // Far enough beyond the limit to determine which groups are released.
    constexpr double times_beyond = 300.;
    if (h <= times_beyond * tolerance_.slip) {
      fired_.push_back({Event::breaks, groups_.size()});
    } else {
      earlier(0.5 * h);
    }
    return;
  }
  // Rounding of a friction force, of the order of the greatest force; near the end of the impact,
  // where all are small, of a thousandth of the unit of force.
  constexpr double least_force = 1e-3;
  const double floor =
      16. * epsilon * std::max(least_force, *std::max_element(F1_.begin(), F1_.end()));
  for (const std::size_t s : system_.sticking()) {
    const auto& group = system_.groups()[s];
    const auto excess = [&](const std::vector<double>& F) {
      const auto f = system_.friction(group, F.data());
      return std::hypot(f[0], f[1]) - system_.static_limit(group, F.data()) - floor;
    };
    const double after = excess(F1_);
    const double tolerance = tolerance_.slip * system_.static_limit(group, F1_.data());
    if (after < -tolerance) continue;
    const double before = excess(F0_);
    const Crossing crossing{.before = before,
                            .rate_before = after - before,
                            .after = after,
                            .rate_after = after - before};
    // A group with next to no load has a limit of about zero, which location would approach in
    // endless small steps. Its release may be late by s while friction exceeds its limit by up to
    // `after`: that changes slip by less than mobility after s/2.
    const double* own = model_.find(system_.contact(group.one()), system_.contact(group.one()));
    const double mobility = std::max(own[d + 1], own[d * d - 1]);
    const double limit = system_.static_limit(group, F1_.data());
    const bool loaded = mobility * limit * h > share * tolerance_.local;
    consider(crossing, tolerance, h, Event::breaks, group.group, loaded ? HUGE_VAL : mobility);
  }
}

/// Positive if the slip of a creeping group decelerates: friction at its limit would be too large.
template <int D>
double Process<D>::slowing(std::size_t k) const {
  const ZeroSlip& creep = system_.creep();
  const auto& group = system_.groups()[system_.creeping()[k]];
  const double limit = system_.kinetic_limit(group, system_.force().data());
  const auto at = static_cast<Eigen::Index>(2 * k);
  const double own = creep.A(at, at) + creep.A(at + 1, at + 1);
  return own * (limit - creep.size_of(creep.f, k)) - creep.size_of(creep.rate, k);
}

template <int D>
void Process<D>::mark_creep() {
  slowing_.clear();
  creeping_towards_.clear();
  for (std::size_t k = 0; k < system_.creeping().size(); ++k) {
    slowing_.push_back(slowing(k));
    creeping_towards_.push_back(system_.creep_direction(k));
  }
}

/// Slip that is large enough to have its own direction, or that decelerates. While the rate turns
/// by an angle a in the time h, slip s lags behind by s a/(h mu F_n A). The velocity error is s
/// times that.
template <int D>
void Process<D>::judge_creep(double h) {
  for (std::size_t k = 0; k < system_.creeping().size(); ++k) {
    const auto& group = system_.groups()[system_.creeping()[k]];
    const ZeroSlip& creep = system_.creep();
    const double* v = v1_.data() + group.one() * d;
    const double slip = std::hypot(v[1], v[D - 1]);
    const double after = slowing(k);
    const double rate = after - slowing_[k];
    const Crossing crossing{
        .before = slowing_[k], .rate_before = rate, .after = after, .rate_after = rate};
    consider(crossing, tolerance_.slip * creep.scale, h,
             slip > tolerance_.slip ? Event::slips : Event::stops, group.group);
    const auto at = static_cast<Eigen::Index>(2 * k);
    const double own = creep.A(at, at) + creep.A(at + 1, at + 1);
    const double strength = own * system_.kinetic_limit(group, F1_.data());
    const auto towards = system_.creep_direction(k);
    const double turned =
        std::hypot(towards[0] - creeping_towards_[k][0], towards[1] - creeping_towards_[k][1]);
    const double lag = slip * slip * turned;  // times h and the strength of friction
    const double allowed = 0.03 * tolerance_.asked * h * strength;
    const bool large = slip > tolerance_.creep || lag > allowed;
    if (!large) continue;
    if (slip <= tolerance_.slip || (slip <= 1.5 * tolerance_.creep && lag <= 4. * allowed)) {
      fired_.push_back({Event::slips, group.group});
      continue;
    }
    const double* w = v0_.data() + group.one() * d;
    const double before = std::hypot(w[1], w[D - 1]);
    double part = 0.5;
    if (slip > 1.5 * tolerance_.creep) {
      constexpr double target = 1.2;  // of the limit, between 1 and the 1.5 that are accepted
      part = std::clamp((target * tolerance_.creep - before) / (slip - before), 1e-4, 0.9);
    }
    constexpr double unresolved = 1e-12;  // of the last step: shorter ones are not tried
    if (part * h <= unresolved * h_) {
      fired_.push_back({Event::slips, group.group});
    } else {
      earlier(part * h);
    }
  }
}

/// Whether a distribution of friction within the limits exists, even if the current one is not.
template <int D>
bool Process<D>::sticking_is_possible() {
  bool within = true;
  for (const std::size_t s : system_.sticking()) {
    const auto& group = system_.groups()[s];
    const auto f = system_.friction(group, F1_.data());
    within = within && std::hypot(f[0], f[1]) <= system_.static_limit(group, F1_.data());
  }
  if (within) return true;
  return system_.reshare(F1_.data());
}

/// Decides after an event which groups slip and which stick. Slipping groups continue; for groups
/// at zero slip the forces decide. The slip of a body that slides and spins ends at all its
/// contacts at once. So if one group stops, those that have nearly stopped are decided with it. One
/// by one, each would find the others still slipping, and would start and stop for ever.
template <int D>
bool Process<D>::update_friction() {
  std::vector<std::size_t> resting;
  std::vector<std::size_t> begun;  // those with kinetic friction only
  std::array<double, 3> v{};
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    Friction& f = state_.frictions[g];
    bool closed = false;
    for (const std::uint32_t i : groups_.contacts[g]) {
      closed = closed || state_.springs[i] != Spring::open;
    }
    const bool rough = is_rough(g);
    const bool stopped = std::find(stopped_.begin(), stopped_.end(), g) != stopped_.end();
    if (!closed) {
      f = {};
    } else if (!rough) {
      f = {.sliding = Sliding::slip};
    } else if (f.sliding == Sliding::stick || stopped) {
      resting.push_back(g);
    } else if (f.sliding == Sliding::none) {
      model_.velocity(groups_.contacts[g].front(), state_.P.data(), v.data());
      const double slip = D == 2 ? std::abs(v[1]) : std::hypot(v[1], v[D - 1]);
      if (slip > tolerance_.slip) {
        f.sliding = Sliding::slip;
        for (std::size_t c = 1; c < d; ++c) f.direction[c - 1] = v[c] / slip;
      } else {
        resting.push_back(g);
      }
    }
  }
  stopped_.clear();
  if (resting.empty()) return false;
  if constexpr (D == 3) {
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const Friction& f = state_.frictions[g];
      const bool slips = f.sliding == Sliding::slip || f.sliding == Sliding::creep;
      if (!slips || std::find(resting.begin(), resting.end(), g) != resting.end()) continue;
      model_.velocity(groups_.contacts[g].front(), state_.P.data(), v.data());
      if (!is_rough(g) || !(std::hypot(v[1], v[D - 1]) <= tolerance_.slip)) continue;
      resting.push_back(g);
      if (f.sliding == Sliding::creep || f.offset > 0.) begun.push_back(g);
    }
  }
  for (const std::size_t g : resting) state_.frictions[g] = {};
  // What held the groups until now: most of them go on to stick.
  held_.assign(groups_.size(), {});
  for (const auto& group : system_.groups()) {
    if (!F0_.empty()) held_[group.group] = system_.friction(group, F0_.data());
  }
  system_.rebuild(state_);
  y1_.resize(system_.size());
  f1_.resize(system_.size());
  system_.gather(state_, y1_.data());
  system_.derivative(y1_.data(), f1_.data());
  const double* F = system_.force().data();

  std::vector<std::size_t> which;
  std::vector<double> static_limits;
  std::vector<double> kinetic_limits;
  for (std::size_t l = 0; l < system_.groups().size(); ++l) {
    const auto& group = system_.groups()[l];
    if (group.friction.sliding != Sliding::none) continue;
    which.push_back(l);
    kinetic_limits.push_back(system_.kinetic_limit(group, F));
    const bool released =
        std::find(released_.begin(), released_.end(), group.group) != released_.end() ||
        std::find(passed_.begin(), passed_.end(), group.group) != passed_.end() ||
        std::find(begun.begin(), begun.end(), group.group) != begun.end();
    static_limits.push_back(released ? kinetic_limits.back() : system_.static_limit(group, F));
  }
  ZeroSlip problem;
  system_.zero_slip(which, F, problem);
  problem.f.resize(problem.b.size());
  for (std::size_t k = 0; k < which.size(); ++k) {
    for (std::size_t c = 0; c + 1 < d; ++c) {
      problem.f(static_cast<Eigen::Index>(k * (d - 1) + c)) =
          held_[system_.groups()[which[k]].group][c];
    }
  }
  const std::vector<bool> loose = break_loose(problem, static_limits, kinetic_limits);
  for (std::size_t k = 0; k < which.size(); ++k) {
    const std::size_t g = system_.groups()[which[k]].group;
    Friction& f = state_.frictions[g];
    const Eigen::VectorXd* source = nullptr;
    double sign = 1.;
    if (loose[k]) {
      source = &problem.rate;
    } else if (std::find(released_.begin(), released_.end(), g) != released_.end()) {
      // At its limit slip is about to begin against it; without a limit the forces drive it.
      const bool pressed = D == 3 || problem.size_of(problem.f, k) > 0.;
      source = pressed ? &problem.f : &problem.rate;
      sign = pressed ? -1. : 1.;
    }
    const double size = source == nullptr ? 0. : problem.size_of(*source, k);
    if (!(size > 0.)) {
      f.sliding = Sliding::stick;
      continue;
    }
    f.sliding = Sliding::slip;
    if constexpr (D == 3) {
      const auto at = static_cast<Eigen::Index>(2 * k);
      const double own = problem.A(at, at) + problem.A(at + 1, at + 1);
      if (turns_slip(own * kinetic_limits[k], problem.size_of(problem.rate, k))) {
        f.sliding = Sliding::creep;
      } else {
        f.offset = tolerance_.slip;
      }
    }
    for (std::size_t c = 0; c + 1 < d; ++c) {
      f.direction[c] = sign * (*source)(static_cast<Eigen::Index>(k * (d - 1) + c)) / size;
    }
  }
  released_.clear();
  passed_.clear();
  return true;
}

/// Contacts with zero normal velocity whose own friction pulls them in [Painleve]. They start, as
/// the limit of vanishing approach.
template <int D>
void Process<D>::seed_jams() {
  if constexpr (D > 1) {
    for (std::size_t i = 0; i < model_.size(); ++i) {
      const double* v = model_.approach.data() + i * d;
      if (std::abs(v[0]) > tolerance_.rest) continue;
      const Contact& c = model_.contacts[i];
      const double slip = D == 2 ? std::abs(v[1]) : std::hypot(v[1], v[D - 1]);
      if (!(slip > tolerance_.slip)) continue;
      const double* G = model_.find(i, i);
      double slope = G[0];
      for (std::size_t e = 1; e < d; ++e) slope -= c.friction * G[e] * v[e] / slip;
      if (!(slope < -rounding * G[0])) continue;
      constexpr double times_rest = 10.;  // so that it counts as an approach
      const double speed = times_rest * tolerance_.rest;
      const double a = c.exponent + 1.;
      state_.springs[i] = Spring::compress;
      state_.x[i] = std::pow(0.5 * a * speed * speed / (c.mobility * c.stiffness), 1. / a);
    }
  }
}

/// Whether a contact's own friction pulls it in during its first compression.
template <int D>
void Process<D>::watch_jams() {
  if (jams_) return;
  for (const auto& group : system_.groups()) {
    if (group.friction.sliding != Sliding::slip || !group.rough) continue;
    for (const std::uint32_t i : group.members) {
      const std::size_t at = system_.contact(i);
      if (system_.expands(i) || record_.compressions(at) > 0) continue;
      if (!(v1_[i * d] < v0_[i * d] - tolerance_.rest)) continue;
      const double* G = model_.find(at, at);
      double normal = 0.;
      for (std::size_t e = 0; e < d; ++e) normal += G[e] * F1_[i * d + e];
      if (normal < 0.) jams_ = true;
    }
  }
}

}  // namespace carom::lzb
