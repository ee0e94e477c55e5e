// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>

#include <carom/laws/lzb/process.hpp>

/// Part of process.cpp: detection of events in a step, and their effect.
namespace carom::lzb {

template <int D>
auto Process<D>::judge(double h) -> Judgement {
  earliest_ = h;
  rebuild_ = false;
  at_start_.clear();
  late_.clear();
  for (std::size_t i = 0; i < system_.contacts(); ++i) judge_spring(i, h);
  for (std::size_t k = 0; k < system_.watched(); ++k) judge_watched(k, h);
  if constexpr (D > 1) {
    for (std::size_t g = 0; g < system_.groups().size(); ++g) judge_slip(g, h);
    judge_stick(h);
    if constexpr (D == 3) judge_creep(h);
  }
  if (!(earliest_ < h)) return {};
  fired_.clear();
  late_.clear();
  return {.retry = true, .step = earliest_};
}

template <int D>
void Process<D>::earlier(double step) {
  earliest_ = std::min(earliest_, step);
}

/// Fraction of a step's error tolerance that corrections may leave.
constexpr double share = 0.3;

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
  // A switch that is late by (1 - part) h, during which the velocity rose to `after`, changes the
  // deformation by half their product. If this is within the error tolerance of a step, the event
  // need not be located.
  if (c.after > 0. && 0.5 * weight * c.after * (1. - part) * h <= share * tolerance_.local) {
    fired_.push_back({event, index});
    return;
  }
  // In the plane, events closer than the resolution of time count as at the start. In space, a
  // changing direction of slip does not.
  const double resolved = D == 2 ? epsilon * (t_ + h) : 0.;
  if (!(part * h > resolved)) {
    at_start_.push_back({event, index});
  } else if (h <= least * h_) {
    fired_.push_back({event, index});
  } else {
    earlier(std::min(part, 0.999) * h);
  }
}

/// Gauss's three-point rule on [0, 1].
constexpr std::array<double, 3> gauss_nodes{0.1127016653792583, 0.5, 0.8872983346207417};
constexpr std::array<double, 3> gauss_weights{5. / 18., 8. / 18., 5. / 18.};

/// Deformation of a closed contact within the step.
template <int D>
Quintic Process<D>::deformation(std::size_t i, double h) const {
  const double bend = -system_.pace(i) * h * h;
  return {{.value = y0_[i], .rate = h * f0_[i], .bend = bend * system_.rate(i, 0, F0_.data())},
          {.value = y1_[i], .rate = h * f1_[i], .bend = bend * system_.rate(i, 0, F1_.data())}};
}

/// The same by the cubic interpolant, as an error estimate.
template <int D>
Crossing Process<D>::coarse_deformation(std::size_t i, double h) const {
  return {.before = y0_[i], .rate_before = h * f0_[i], .after = y1_[i], .rate_after = h * f1_[i]};
}

/// Error of the quintic interpolant as a fraction of its difference to the cubic. Smooth steps have
/// far less.
constexpr double better = 0.1;

/// Lower bound of the effect of a deformation on velocity.
constexpr double least_swing = 0.1;

/// The velocity by which a switch of stage may be missed so that the impulse is wrong by `impulse`:
/// the effect is of second order. `rate` is that of the velocity, `swing` the contact's frequency.
inline double switch_tolerance(double impulse, double rate, double swing) {
  constexpr double least = 1e-3;  // keeps the quotient finite
  return std::sqrt(impulse * std::abs(rate) / std::max(swing, least));
}

/// The fraction of a missing impulse that would have changed the forces since then.
template <int D>
double Process<D>::left_out(double time) const {
  const double turn = std::max(least_swing, top_swing_) * time;
  return turn * turn / 20.;
}

/// Corrections for a switch within the step, added at its end. The step continues with the wrong
/// pace after the switch. After a time s the deformation is off by dx(s), (pace'/pace - 1) times
/// the distance since the switch. The impulse is off by dP = int F(x + dx) - F(x) ds. Other
/// deformations are off by -pace G int dP ds, its own with pace'. The effect of these on the forces
/// is neglected; it is (swing s)^2/20 of dP. Returns false if the corrections are too large.
template <int D>
bool Process<D>::make_up(std::size_t i, const Crossing& c, double h) {
  const Contact& contact = system_.coefficients(i);
  if (!contact.smooth()) return false;
  const double pace = system_.pace(i);
  const double other = system_.expands(i) ? 1. : contact.expansion;
  const double more = other / pace - 1.;
  const double swing = std::max(least_swing, top_swing_);
  if (!(c.after > 0.)) {  // switches and returns
    const double gone = h * c.above();
    const double dx = (system_.expands(i) ? 1. : -1.) * (other - pace) * gone;
    if (std::abs(dx) * swing > tolerance_.local) return false;
    late_.push_back({.contact = i, .at = 0.5 * (y0_[i] + y1_[i]), .passed = gone, .x = dx});
    return true;
  }
  const double part = c.part(0.);
  if (!(part > 0.)) return false;
  const Quintic x = deformation(i, h);
  Late late{.contact = i, .part = part, .at = x.at(part), .switches = true};
  const double off = better * std::abs(more * (coarse_deformation(i, h).at(part) - late.at));
  if (swing * off > share * tolerance_.local) return false;
  late.x = more * (y1_[i] - late.at);
  const double time = (1. - part) * h;
  if (!(late.at > 0.)) return system_.expands(i) && make_up_opening(i, h);
  if (!(y1_[i] + late.x > 0.)) {  // pressed and open again, while forces are small
    if (contact.mobility * contact.force(std::max(y1_[i], late.at)) * time > tolerance_.local) {
      return false;
    }
    fired_.push_back({Event::expanded, system_.contact(i)});
    late_.push_back(late);
    return true;
  }
  for (std::size_t n = 0; n < gauss_nodes.size(); ++n) {
    const double now = x.at(part + (1. - part) * gauss_nodes[n]);
    const double dF = contact.force(now + more * (now - late.at)) - contact.force(now);
    late.P += gauss_weights[n] * time * dF;
    late.P_time += gauss_weights[n] * time * dF * (1. - gauss_nodes[n]) * time;
  }
  if (contact.mobility * std::abs(late.P) * left_out(time) > share * tolerance_.local) return false;
  late.x -= other * contact.mobility * late.P_time;
  late_.push_back(late);
  return true;
}

/// Whether a contact loses all or nearly all of its deformation in this step.
template <int D>
bool Process<D>::opens_soon(std::size_t i) const {
  constexpr double left = 0.3;
  return system_.coefficients(i).smooth() && system_.expands(i) && y0_[i] > 0. &&
         y1_[i] < left * y0_[i];
}

/// If a contact opens in or near the step, its force has a kink. Its impulse, and the integral of
/// the impulse over the step, are corrected by integrating x^a with the zero of x at the fraction z
/// of the step, by Gauss's rule in the square root of z - s. The effect on the forces is neglected.
/// Returns false if the correction is too large.
template <int D>
bool Process<D>::make_up_opening(std::size_t i, double h) {
  const Contact& contact = system_.coefficients(i);
  const Quintic x = deformation(i, h);
  const bool closes = !(v1_[i * d] > 0.);  // it opens and closes again
  double part = 1.;
  if (closes) {
    const Crossing approach{.before = -v0_[i * d],
                            .rate_before = -h * system_.rate(i, 0, F0_.data()),
                            .after = -v1_[i * d],
                            .rate_after = -h * system_.rate(i, 0, F1_.data())};
    if (!(approach.before < 0.) || !(approach.after > 0.)) return false;
    part = approach.part(0.);
    if (!(x.at(part) < 0.)) return false;
  }
  double zero = part;
  if (!closes && y1_[i] > 0.) {
    if (!(f1_[i] < 0.)) return true;
    zero = 1. + y1_[i] / (-h * f1_[i]);
  } else {
    zero = rise([&](double s) { return Slope{-x.at(s), -x.slope(s)}; }, 0., part);
  }
  // Gauss's five-point rule.
  constexpr std::array<double, 5> nodes{0.046910077030668, 0.2307653449471585, 0.5,
                                        0.7692346550528415, 0.953089922969332};
  constexpr std::array<double, 5> weights{0.1184634425280945, 0.2393143352496832,
                                          0.2844444444444444, 0.2393143352496832,
                                          0.1184634425280945};
  const double first = std::sqrt(std::max(0., zero - 1.));
  const double last = std::sqrt(zero);
  double P = 0.;
  double P_time = 0.;
  double by_cubic = 0.;
  const Crossing cubic = coarse_deformation(i, h);
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    const double root = first + (last - first) * nodes[n];
    const double s = zero - root * root;
    const double weight = weights[n] * 2. * root * (last - first) * h;
    const double impulse = weight * contact.force(x.at(s));
    P += impulse;
    P_time += impulse * (1. - s) * h;
    by_cubic += weight * contact.force(cubic.at(s));
  }
  if (contact.mobility * better * std::abs(P - by_cubic) > share * tolerance_.local) return false;
  Late late{.contact = i, .part = part};
  if (closes) {
    const double least = x.at(part);
    const double pace = system_.pace(i);
    for (std::size_t n = 0; n < gauss_nodes.size(); ++n) {
      const double s = part + (1. - part) * gauss_nodes[n];
      const double impulse =
          gauss_weights[n] * (1. - part) * h * contact.force((x.at(s) - least) / pace);
      P += impulse;
      P_time += impulse * (1. - s) * h;
    }
    late.x = (y1_[i] - least) / pace - y1_[i];
    late.switches = late.parted = true;
  }
  const std::size_t number = system_.contacts() + i * d;
  late.P = P - (y1_[number] - y0_[number]);
  late.P_time = P_time - twice_integrated(number);
  if (contact.mobility * std::abs(late.P) * left_out(h) > share * tolerance_.local) return false;
  late.x -= (closes ? 1. : system_.pace(i)) * contact.mobility * late.P_time;
  late_.push_back(late);
  return true;
}

/// A contact that closed within the step: x = int -v_n ds, about a s^2/2, F about s^2a.
template <int D>
bool Process<D>::make_up_closing(std::size_t k, const Crossing& c, double h) {
  const std::size_t at = system_.watched_contact(k);
  const Contact& contact = model_.contacts[at];
  if (!contact.smooth()) return false;
  if (!(c.after > 0.)) {  // touches for a moment
    return contact.mobility * contact.force(h * c.above()) * h <= share * tolerance_.local;
  }
  const double part = c.part(0.);
  if (!(part > 0.)) return false;
  const double bend = -h * h;
  const Quintic v{{.value = c.before,
                   .rate = c.rate_before,
                   .bend = bend * system_.watched_bend(k, y0_.data(), f0_.data())},
                  {.value = c.after,
                   .rate = c.rate_after,
                   .bend = bend * system_.watched_bend(k, y1_.data(), f1_.data())}};
  const Quintic cubic{
      {.value = c.before,
       .rate = c.rate_before,
       .bend = 6. * (c.after - c.before) - 4. * c.rate_before - 2. * c.rate_after},
      {.value = c.after,
       .rate = c.rate_after,
       .bend = -6. * (c.after - c.before) + 2. * c.rate_before + 4. * c.rate_after}};
  const double x = h * v.integral(part, 1.);
  if (!(x > 0.)) return false;
  const double swing = std::max(least_swing, top_swing_);
  const double off = better * std::abs(h * cubic.integral(part, 1.) - x);
  if (swing * off > share * tolerance_.local) return false;
  const double time = (1. - part) * h;
  double P = 0.;
  double P_time = 0.;
  for (std::size_t n = 0; n < gauss_nodes.size(); ++n) {
    const double s = part + (1. - part) * gauss_nodes[n];
    const double impulse = gauss_weights[n] * time * contact.force(h * v.integral(part, s));
    P += impulse;
    P_time += impulse * (1. - gauss_nodes[n]) * time;
  }
  constexpr double quadrature = 1e-2;
  if (contact.mobility * P * (quadrature + left_out(time)) > share * tolerance_.local) return false;
  fired_.push_back({Event::closes, at, x, P, P_time});
  return true;
}

/// Adds the corrections to the step and recomputes the derivative.
template <int D>
void Process<D>::apply_late() {
  if (late_.empty()) return;
  const std::size_t m = system_.contacts();
  for (const Late& late : late_) {
    y1_[late.contact] += late.x;
    y1_[m + late.contact * d] += late.P;
    system_.deform_around(late.contact, late.P_time, y1_.data());
  }
  system_.derivative(y1_.data(), f1_.data());
  v1_ = system_.velocity();
  F1_ = system_.force();
}

/// Effect on velocity of a unit of deformation in the wrong stage. It is not zero even if e = 1, so
/// that phases are accurate.
inline double switch_weight(const Contact& c, double x) {
  return std::max(c.expansion - 1., 0.1) * std::max(1., c.swing(x));
}

/// End of compression, end of expansion, and recompression.
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
      // Open again: was it pressed in between?
      if (crossing.least() < -tolerance_.rest) {
        consider(crossing, tolerance_.rest, h, Event::compressed, at);
      }
      return;
    }
    // If energy is returned, a small error of the switch has only a second-order effect.
    double tolerance = tolerance_.slip;
    if (c.restitution > 0.) {
      tolerance = switch_tolerance(tolerance_.impulse, rate, c.swing(x));
    }
    if constexpr (D == 1) {
      if (c.restitution > 0. && crossing.before < 0. &&
          crossing.what(tolerance) == Crossing::What::earlier && make_up(i, crossing, h)) {
        return;
      }
    }
    consider(crossing, tolerance, h, Event::compressed, at,
             c.restitution > 0. ? switch_weight(c, x) : HUGE_VAL);
    return;
  }
  if constexpr (D == 1) {
    if (opens_soon(i) && (v > 0. || !(x > 0.)) && make_up_opening(i, h)) {
      if (!(x > 0.)) {
        if (v > 0.) fired_.push_back({Event::expanded, at});
        return;
      }
    }
  }
  // In expansion the remaining force at x would give the impulse F x e^2/((a + 1) v_n).
  const double left = c.mobility * c.force(x) * x / ((c.exponent + 1.) * c.expansion);
  if (v > 0. && left <= tolerance_.impulse * v && x > 0.) {
    fired_.push_back({Event::expanded, at});
  } else if (!(x > 0.)) {
    const Crossing crossing{
        .before = -y0_[i], .rate_before = -h * f0_[i], .after = -x, .rate_after = -h * f1_[i]};
    // Beyond x = 0 there is no force: only its kink is within the step.
    const double beyond = c.mobility * c.force(-x) * h;
    if (v > 0. && beyond <= share * tolerance_.local) {
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
    const double tolerance = switch_tolerance(tolerance_.impulse, rate, c.swing(x));
    if constexpr (D == 1) {
      if (crossing.before < 0. && crossing.what(tolerance) == Crossing::What::earlier &&
          make_up(i, crossing, h)) {
        return;
      }
    }
    consider(crossing, tolerance, h, Event::recompresses, at, switch_weight(c, x));
  }
}

/// Closing of an open contact.
template <int D>
void Process<D>::judge_watched(std::size_t k, double h) {
  const std::size_t at = system_.watched_contact(k);
  const std::size_t m = system_.contacts();
  const double after = system_.watched_velocity(k, y1_.data() + m);
  const double before = system_.watched_velocity(k, y0_.data() + m);
  if (before > -tolerance_.rest && before <= tolerance_.rest) {
    // It was at rest and inactive, because it was too far from moving contacts: is it still at
    // rest?
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
  const double tolerance =
      std::max(tolerance_.rest, switch_tolerance(tolerance_.impulse, rate, swing));
  if constexpr (D == 1) {
    if (crossing.before < 0. && crossing.what(tolerance) == Crossing::What::earlier &&
        make_up_closing(k, crossing, h)) {
      return;
    }
  }
  consider(crossing, tolerance, h, Event::closes, at, std::max(1., swing));
}

/// Contacts that opened before they were pressed, and contacts at rest that have begun to move.
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

/// Activates the resting neighbours of contacts that have begun to move.
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

/// Activates the resting contacts next to a moving one, and those next to them. Returns whether
/// there were any.
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

/// Removes the remaining velocity of a contact that has lost its energy.
template <int D>
void Process<D>::stop_normal(std::size_t contact) {
  std::array<double, 3> v{};
  model_.velocity(contact, state_.P.data(), v.data());
  const double mobility = model_.contacts[contact].mobility;
  if (mobility > 0.) state_.P[contact * d] -= v[0] / mobility;
}

/// Adds the effect of an impulse at a contact, integrated over a time, to the deformations.
template <int D>
void Process<D>::deform_around(std::size_t contact, double impulse_time) {
  const auto row = model_.row(contact);
  for (std::size_t k = 0; k < row.size(); ++k) {
    const std::size_t j = row[k];
    if (j == contact || !(state_.x[j] > 0.)) continue;
    const double pace = state_.springs[j] == Spring::expand ? model_.contacts[j].expansion : 1.;
    state_.x[j] = std::max(0., state_.x[j] - pace * *model_.block(contact, k) * impulse_time);
  }
}

/// The transitions of springs. Those of friction follow in restart().
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
          next = Spring::compress;  // at rest: the energy is dissipated at once
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
        state_.P[i * d] += f.P;
        if (f.P_time > 0.) deform_around(i, f.P_time);
        x = f.x - model_.contacts[i].mobility * f.P_time;
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
