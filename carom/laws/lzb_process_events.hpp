// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>

#include <carom/laws/lzb_process.hpp>

/// Part of lzb_process.cpp: which events a step has met, and what becomes of them.
namespace carom::lzb {

template <int D>
auto Process<D>::judge(double h) -> Judgement {
  earliest_ = h;
  rebuild_ = false;
  at_start_.clear();
  for (std::size_t i = 0; i < system_.contacts(); ++i) judge_spring(i, h);
  for (std::size_t k = 0; k < system_.watched(); ++k) judge_watched(k, h);
  if constexpr (D > 1) {
    for (std::size_t g = 0; g < system_.groups().size(); ++g) judge_slip(g, h);
    judge_stick(h);
    if constexpr (D == 3) judge_creep(h);
  }
  if (!(earliest_ < h)) return {};
  fired_.clear();
  return {.retry = true, .step = earliest_};
}

template <int D>
void Process<D>::earlier(double step) {
  earliest_ = std::min(earliest_, step);
}

template <int D>
void Process<D>::consider(const Crossing& c, double tolerance, double h, Event event,
                          std::size_t index, double weight) {
  switch (c.what(tolerance)) {
    case Crossing::What::nothing:
      return;
    case Crossing::What::happens:
      fired_.push_back({event, index});
      return;
    case Crossing::What::earlier:
      break;
  }
  const double part = c.part(tolerance);
  constexpr double least = 1e-12;
  // A switch too late by (1 - part) h, during which it rose to `after`, has deformed the contact by
  // half their product too much or too little: where that is within the error of a step, it may be.
  if (c.after > 0. && 0.5 * weight * c.after * (1. - part) * h <= 0.3 * tolerance_.local) {
    fired_.push_back({event, index});
    return;
  }
  if (!(part > 0.)) {
    at_start_.push_back({event, index});
  } else if (h <= least * h_) {
    fired_.push_back({event, index});
  } else {
    earlier(std::min(part, 0.999) * h);
  }
}

/// What a unit of deformation in the wrong stage counts in velocity; not nothing even with e = 1,
/// for the sake of the phases told.
inline double switch_weight(const Contact& c, double x) {
  return std::max(c.expansion - 1., 0.1) * std::max(1., c.swing(x));
}

/// End of compression, of expansion, and compression anew.
template <int D>
void Process<D>::judge_spring(std::size_t i, double h) {
  const Contact& c = system_.coefficients(i);
  const double x = y1_[i];
  const double v = v1_[i * d];
  const std::size_t at = system_.contact(i);
  if (!system_.expands(i)) {
    if (!(x > 0.) && !(v > tolerance_.rest)) return;
    const double rate = system_.rate(i, 0, F1_.data());
    const Crossing crossing{.before = v0_[i * d],
                            .rate_before = h * system_.rate(i, 0, F0_.data()),
                            .after = v,
                            .rate_after = h * rate};
    if (!(x > 0.)) {
      // Lost again; was it pressed in between?
      if (crossing.least() < -tolerance_.rest) {
        consider(crossing, tolerance_.rest, h, Event::compressed, at);
      }
      return;
    }
    // Where energy is given back, a switch a little off counts in the second order only.
    double tolerance = tolerance_.slip;
    if (c.restitution > 0.) {
      const double swing = c.swing(x);
      tolerance = std::sqrt(tolerance_.impulse * std::abs(rate) / std::max(swing, 1e-3));
    }
    consider(crossing, tolerance, h, Event::compressed, at,
             c.restitution > 0. ? switch_weight(c, x) : HUGE_VAL);
    return;
  }
  // In expansion: what force is left at x would give the impulse F x e^2/((a + 1) v_n).
  const double left = c.mobility * c.force(x) * x / ((c.exponent + 1.) * c.expansion);
  if (v > 0. && left <= tolerance_.impulse * v && x > 0.) {
    fired_.push_back({Event::expanded, at});
  } else if (!(x > 0.)) {
    const Crossing crossing{
        .before = -y0_[i], .rate_before = -h * f0_[i], .after = -x, .rate_after = -h * f1_[i]};
    // Beyond x = 0 there is no force: only the kink of it is within the step.
    const double beyond = c.mobility * c.force(-x) * h;
    if (v > 0. && beyond <= 0.3 * tolerance_.local) {
      fired_.push_back({Event::expanded, at});
    } else {
      consider(crossing, 0., h, Event::expanded, at);
    }
  } else {
    const double rate = system_.rate(i, 0, F1_.data());
    const Crossing crossing{.before = -v0_[i * d],
                            .rate_before = -h * system_.rate(i, 0, F0_.data()),
                            .after = -v,
                            .rate_after = -h * rate};
    const double swing = c.swing(x);
    const double tolerance = std::sqrt(tolerance_.impulse * std::abs(rate) / std::max(swing, 1e-3));
    consider(crossing, tolerance, h, Event::recompresses, at, switch_weight(c, x));
  }
}

/// An open contact that closes.
template <int D>
void Process<D>::judge_watched(std::size_t k, double h) {
  const std::size_t at = system_.watched_contact(k);
  const std::size_t m = system_.contacts();
  const double after = system_.watched_velocity(k, y1_.data() + m);
  const double before = system_.watched_velocity(k, y0_.data() + m);
  if (before > -tolerance_.rest && before <= tolerance_.rest) {
    // At rest so far, too far from where things move to take part: was it?
    if (!(after < -tolerance_.rest)) return;
    if (after < -3. * tolerance_.rest) earlier(0.5 * h);
    fired_.push_back({Event::closes, at});
    return;
  }
  if (after > 0. && !(before < 0.)) {
    const double rate_before = system_.watched_rate(k, F0_.data());
    if (!(rate_before < 0.)) return;
  }
  const Contact& c = model_.contacts[at];
  const double rate = system_.watched_rate(k, F1_.data());
  const Crossing crossing{.before = -before,
                          .rate_before = -h * system_.watched_rate(k, F0_.data()),
                          .after = -after,
                          .rate_after = -h * rate};
  const double swing = std::sqrt(c.mobility * c.stiffness);
  const double tolerance = std::max(
      tolerance_.rest, std::sqrt(tolerance_.impulse * std::abs(rate) / std::max(swing, 1e-3)));
  consider(crossing, tolerance, h, Event::closes, at, std::max(1., swing));
}

/// Contacts that lost touch before they were pressed, and rest that is rest no longer.
template <int D>
void Process<D>::settle() {
  for (std::size_t i = 0; i < system_.contacts(); ++i) {
    if (system_.expands(i) || y0_[i] > 0.) continue;
    const std::size_t at = system_.contact(i);
    if (v0_[i * d] > tolerance_.rest) {
      record_.enter(at, Spring::open, motion(at), t_, 0., 0.,
                    y0_.data() + system_.contacts() + i * d, v0_.data() + i * d);
      y0_[i] = 0.;
      state_.springs[at] = Spring::open;
      awake_[at] = 0;
      rebuild_ = true;
    } else if (y0_[i] < 0.) {
      y0_[i] = 0.;
    }
  }
}

/// Neighbours at rest of contacts that have begun to move take part.
template <int D>
void Process<D>::wake() {
  bool woken = false;
  for (std::size_t i = 0; i < system_.contacts(); ++i) {
    const std::size_t at = system_.contact(i);
    if (awake_[at] != 0 || std::abs(v0_[i * d]) <= tolerance_.rest) continue;
    if (!woken) synchronize();
    woken = true;
    if (wake_rings(at)) rebuild_ = true;
  }
}

/// Lets the contacts at rest beside one that moves take part, and those beside them. True if there
/// were any.
template <int D>
bool Process<D>::wake_rings(std::size_t contact) {
  constexpr int rings = 2;
  awake_[contact] = 1;
  bool any = false;
  std::vector<std::size_t> front{contact};
  std::array<double, 3> v{};
  for (int ring = 0; ring < rings; ++ring) {
    std::vector<std::size_t> next;
    for (const std::size_t i : front) {
      for (const std::uint32_t j : model_.row(i)) {
        if (j == i) continue;
        if (state_.springs[j] == Spring::open) {
          model_.velocity(j, state_.P.data(), v.data());
          if (std::abs(v[0]) > tolerance_.rest) continue;
          state_.springs[j] = Spring::compress;
          any = true;
          next.push_back(j);
        } else if (awake_[j] == 0) {
          next.push_back(j);
        }
      }
    }
    front = std::move(next);
  }
  return any;
}

/// Takes away what velocity is left at a contact that has lost its energy.
template <int D>
void Process<D>::stop_normal(std::size_t contact) {
  std::array<double, 3> v{};
  model_.velocity(contact, state_.P.data(), v.data());
  const double mobility = model_.contacts[contact].mobility;
  if (mobility > 0.) state_.P[contact * d] -= v[0] / mobility;
}

/// The transitions of springs; those of friction follow in restart().
template <int D>
void Process<D>::fire() {
  synchronize();
  released_.clear();
  stopped_.clear();
  passed_.clear();
  std::array<double, 3> v{};
  for (const Fired& f : fired_) {
    const std::size_t i = f.index;
    Spring next = Spring::open;
    double x = 0.;
    switch (f.event) {
      case Event::compressed:
        if (model_.contacts[i].restitution > 0.) {
          next = Spring::expand;
          x = state_.x[i];
        } else {
          next = Spring::compress;  // at rest: the energy is lost at once
          stop_normal(i);
        }
        break;
      case Event::expanded:
        next = Spring::open;
        break;
      case Event::recompresses:
        next = Spring::compress;
        x = state_.x[i];
        break;
      case Event::closes:
        next = Spring::compress;
        break;
      case Event::passes:
        passed_.push_back(i);
        stop(i);
        continue;
      case Event::stops:
        stop(i);
        continue;
      case Event::breaks:
        released_.push_back(i);
        continue;
      case Event::slips:
        begin_slip(i);
        continue;
    }
    model_.velocity(i, state_.P.data(), v.data());
    record_.enter(i, next, motion(i), t_, state_.x[i], x, state_.P.data() + i * d, v.data());
    state_.springs[i] = next;
    state_.x[i] = x;
    if (next == Spring::open) awake_[i] = 0;
  }
  for (const Fired& f : fired_) {
    if (f.event == Event::closes || f.event == Event::recompresses) wake_rings(f.index);
  }
  restart();
}

}  // namespace carom::lzb
