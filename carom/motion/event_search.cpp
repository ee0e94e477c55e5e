// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <carom/core/event_search.hpp>
#include <carom/motion/run.hpp>

// Locates events within a step: the first time at which an indicator changes sign or a gap closes.
namespace carom::motion {

namespace {

/// Two bodies approach each other by at most twice what any point moves; a little more, because
/// normals turn.
constexpr double approaching = 2.4;

}  // namespace

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
    if (!know_course()) return fail_acceleration();
    search_indicator(slot, std::min(t1, trigger.time), dipped && !ended, trigger);
  }
  for (Instant& known : instants_) known.time = infinite;
  take(end_, t1);
  step_end_ = state_;
  take(y_, time_);
  step_start_ = state_;
  const double moves = model_.moved(step_start_, step_end_);
  if (model_.moved(listed_, step_end_) > used_reach * reach_) {
    find_near(usual_reach() + moves / used_reach);
  }
  for (const std::size_t i : active_) {
    const bool possible =
        is_closed(i) ? search_margin(i, t1, trigger) : search_closing(i, moves, t1, trigger);
    if (!possible) return false;
  }
  return search_overlap(t1, trigger);
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
  if (slot / 3 >= touching_.size()) {
    trigger = spin_trigger(slot, at);
    return;
  }
  const std::size_t contact = touching_[slot / 3];
  TriggerKind kind = rigid_slip[slot % 3];
  if (slot % 3 == 1 && status_[contact].touch == Touch::stick) kind = TriggerKind::limit;
  if (is_compliant(contact) && slot % 3 == 0) kind = TriggerKind::releases;
  if (is_compliant(contact) && slot % 3 == 2) kind = TriggerKind::turns;
  trigger = {kind, contact, at};
}

// Searches of several contacts ask for the same instants.
void Run::state_in_step(double time) {
  for (const Instant& known : instants_) {
    if (known.time != time) continue;
    take(known.y, time);
    return;
  }
  course_at(time, trial_, moving_);
  take(trial_, time);
  if (instants_.size() < most_instants) instants_.emplace_back();
  Instant& kept = instants_[next_instant_++ % most_instants];
  kept.time = time;
  kept.y.assign(trial_.begin(), trial_.begin() + ix(moving_));
}

double Run::gap_at(double time, std::size_t contact) {
  state_in_step(time);
  return gap(contact) - level(contact);
}

double Run::gap_rate_at(double time, std::size_t contact) {
  state_in_step(time);
  return mechanics_.load(contact, state_).velocity(0);
}

double Run::margin_at(double time, std::size_t contact) {
  state_in_step(time);
  return model_.margin(contacts_[contact], state_);
}

// A closed contact ends where its closest points leave its features: others take over.
bool Run::search_margin(std::size_t i, double t1, Trigger& trigger) {
  const double end = model_.margin(contacts_[i], step_end_);
  if (!(end < 0.)) return true;
  if (!know_course()) return fail_acceleration();
  const double start = model_.margin(contacts_[i], step_start_);
  const double at =
      start > 0. ? find_root([&](double t) { return margin_at(t, i); }, time_, t1, start, end)
                 : time_;
  if (at < trigger.time) trigger = {TriggerKind::hands_over, i, at};
  return true;
}

// A gap closes while it decreases and the closest points lie within the features. In every part of
// the step: it ends below zero, or it has a minimum below zero inside. A contact that opens from
// rest may start below zero by rounding: it closes where it sinks deeper.
bool Run::search_closing(std::size_t i, double moves, double t1, Trigger& trigger) {
  const ContactId& id = contacts_[i];
  const double start = model_.gap(id, step_start_) - level(i);
  const double most = approaching * moves;
  if (start > most) return true;
  const double end = model_.gap(id, step_end_) - level(i);
  const double margin = model_.margin(id, step_start_);
  const double end_margin = model_.margin(id, step_end_);
  if (margin < -most && end_margin < -most) return true;  // stays out of range
  const bool in_range = margin >= 0.;
  // Both ends and the slope at the start show how much the gap bends; where it stays clear of
  // zero by more than that there is nothing to search.
  const double rate = mechanics_.load(i, step_start_).velocity(0);
  const double bend = std::abs(end - start - rate * (t1 - time_));
  if (std::min(start, end) > 4. * bend) return true;
  if (!know_course()) return fail_acceleration();
  const double until = std::min(t1, trigger.time);
  const double zero = in_range ? std::min(0., start) : 0.;
  double at = time_;
  if (in_range || start > 0.) {
    at = first_closing([&](double t) { return gap_at(t, i) - zero; },
                       [&](double t) { return gap_rate_at(t, i); }, time_, until, 8, scales_.sunk);
    if (!(at < trigger.time)) return true;
  }
  if (!is_in_range(i, at)) at = enters_range(i, at, until);
  if (at < trigger.time) trigger = {TriggerKind::closes, i, at};
  return true;
}

// Whether a contact is among those that its pair lists. It is so a little earlier than its margin
// vanishes, so that a contact which ends does not begin again.
bool Run::is_in_range(std::size_t i, double time) {
  state_in_step(time);
  return lists(contacts_[i].pair, contacts_[i]);
}

// A gap that is below zero by less than `start_tolerance` where its points enter the range of the
// features: corner on corner. Deeper, other features touch.
double Run::enters_range(std::size_t i, double from, double until) {
  constexpr int pieces = 8;
  double low = from;
  for (int k = 1; k <= pieces; ++k) {
    double high = k == pieces ? until : from + (until - from) * k / pieces;
    if (!is_in_range(i, high)) {
      low = high;
      continue;
    }
    for (double middle = 0.5 * (low + high); low < middle && middle < high;
         middle = 0.5 * (low + high)) {
      if (is_in_range(i, middle)) {
        high = middle;
      } else {
        low = middle;
      }
    }
    const double overlap = -gap_at(high, i);
    return overlap >= 0. && overlap < start_tolerance * scales_.length ? high : infinite;
  }
  return infinite;
}

// What features have missed: two sharp corners that meet. Bodies without a closed contact touch
// where their distance vanishes.
bool Run::search_overlap(double t1, Trigger& trigger) {
  const double until = std::min(t1, trigger.time);
  bool placed = false;
  for (const BodyPair& pair : pairs_) {
    if (model_.distance(pair, step_start_) == infinite || pair_touches(pair)) continue;
    if (!placed && until < t1) {
      if (!know_course()) return fail_acceleration();
      state_in_step(until);
      step_end_ = state_;
    }
    placed = true;
    const double end = model_.distance(pair, step_end_);
    if (!(end < -scales_.closed)) continue;
    const double start = model_.distance(pair, step_start_);
    if (!(start > 0.)) continue;
    if (!know_course()) return fail_acceleration();
    const auto distance = [&](double t) {
      state_in_step(t);
      return model_.distance(pair, state_);
    };
    const double at = find_root(distance, time_, until, start, end);
    if (at < trigger.time) trigger = {TriggerKind::closes, nowhere, at};
  }
  return true;
}

}  // namespace carom::motion
