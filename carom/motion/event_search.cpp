// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <carom/core/event_search.hpp>
#include <carom/motion/run.hpp>

// Locates events within a step: the first time at which an indicator changes sign or a gap closes.
namespace carom::motion {

double Run::indicator_at(double time, std::size_t slot) {
  course_at(time, trial_, size_);
  if (!rate(time, trial_, dy_)) return -1.;
  indicate(trial_indicators_);
  return trial_indicators_[slot];
}

bool Run::first_event(double t1, Trigger& trigger) {
  trigger = {};
  const std::size_t slots = at_end_.size();
  for (std::size_t slot = 0; slot < slots; ++slot) {
    const double wrong = -tolerated(slot);
    const bool ended = at_end_[slot] < wrong;
    const bool dipped = least_[slot] < wrong;
    if (!ended && !dipped) continue;
    if (!know_course()) return fail("no finite acceleration");
    search_indicator(slot, std::min(t1, trigger.time), dipped && !ended, trigger);
  }
  const double h = t1 - time_;
  for (std::size_t i = 0; i < contacts_; ++i) {
    if (is_closed(i)) continue;
    // Both ends and the slope at the start show how much the gap bends; where it stays clear of
    // zero by more than that there is nothing to search.
    take(end_, t1);
    const double end = model_.gap(i, state_) - level(i);
    const double start = gap_[i] - level(i);
    const double bend = std::abs(end - start - gap_rate_[i] * h);
    if (std::min(start, end) > 4. * bend) continue;
    if (!know_course()) return fail("no finite acceleration");
    search_gap(i, std::min(t1, trigger.time), trigger);
  }
  return true;
}

void Run::search_indicator(std::size_t slot, double t1, bool finely, Trigger& trigger) {
  static constexpr std::array<TriggerKind, 3> rigid_slip{TriggerKind::lifts, TriggerKind::stops,
                                                         TriggerKind::diverges};
  const double t0 = time_;
  double low = t0;
  double f_low = at_start_[slot];
  double high = t0;
  double f_high = 0.;
  // If the indicator starts at zero or has a dip in between, sample more finely.
  const int pieces = finely || f_low <= 0. ? 16 : 1;
  const double wrong = -tolerated(slot);
  bool found = false;
  for (int j = 1; j <= pieces && !found; ++j) {
    const double t = j == pieces ? t1 : t0 + (t1 - t0) * j / pieces;
    const double f = indicator_at(t, slot);
    if (f < wrong) {
      high = t;
      f_high = f;
      found = true;
    } else if (f > 0.) {
      low = t;
      f_low = f;
    }
  }
  if (!found) return;
  // An indicator that starts at zero may rise only for a short time.
  for (int k = 1; k <= 30 && f_low <= 0.; ++k) {
    const double t = t0 + std::ldexp(high - t0, -k);
    const double f = indicator_at(t, slot);
    if (!(f > 0.)) continue;
    low = t;
    f_low = f;
  }
  double at = t0;
  if (f_low > 0.) {
    at = find_root([&](double t) { return indicator_at(t, slot); }, low, high, f_low, f_high);
  }
  if (!(at < trigger.time)) return;
  if (slot + 1 == at_end_.size()) {
    trigger = {TriggerKind::model_end, nowhere, at};
    return;
  }
  const std::size_t contact = slot / 3;
  TriggerKind kind = rigid_slip[slot % 3];
  if (slot % 3 == 1 && status_[contact].touch == Touch::stick) kind = TriggerKind::limit;
  if (is_compliant(contact) && slot % 3 == 0) kind = TriggerKind::releases;
  if (is_compliant(contact) && slot % 3 == 2) kind = TriggerKind::turns;
  trigger = {kind, contact, at};
}

double Run::gap_at(double time, std::size_t contact) {
  course_at(time, trial_, moving_);
  take(trial_, time);
  return model_.gap(contact, state_) - level(contact);
}

double Run::gap_rate_at(double time, std::size_t contact) {
  course_at(time, trial_, moving_);
  take(trial_, time);
  return mechanics_.load(contact, state_).velocity(0);
}

// A gap closes while it decreases. In every part of the step: it ends below zero, or it has a
// minimum below zero inside. A contact that opens from rest may start below zero by rounding: it
// closes where it sinks deeper.
void Run::search_gap(std::size_t contact, double t1, Trigger& trigger) {
  const double start = std::min(0., gap_[contact] - level(contact));
  const auto gap = [&](double t) { return gap_at(t, contact) - start; };
  const auto slope = [&](double t) { return gap_rate_at(t, contact); };
  const double at = first_closing(gap, slope, time_, t1, 8, scales_.sunk);
  if (at < trigger.time) trigger = {TriggerKind::closes, contact, at};
}

}  // namespace carom::motion
