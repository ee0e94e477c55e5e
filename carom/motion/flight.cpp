// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <carom/core/event_search.hpp>
#include <carom/motion/run.hpp>

// Free flight in closed form.
namespace carom::motion {

namespace {

/// Parts of a search after which it asks whether to stop: some milliseconds.
constexpr std::size_t parts_between_questions = 1024;

}  // namespace

bool Run::flying() const {
  if (!model_.flies()) return false;
  return std::none_of(active_.begin(), active_.end(),
                      [&](std::size_t i) { return is_closed(i) || level(i) < 0.; });
}

/// Sets state_ to `dt` of flight after the integration state.
void Run::flown(double dt) { model_.fly(take_off_, dt, state_); }

bool Run::lists(const BodyPair& pair, const ContactId& id) {
  model_.near_contacts(pair, state_, start_tolerance * scales_.length, listed_contacts_);
  return std::any_of(listed_contacts_.begin(), listed_contacts_.end(),
                     [&](const NearContact& c) { return c.in_range && c.id == id; });
}

// The first time in a part of the flight at which a contact of the pair closes, or infinity. As in
// search_closing, a contact that starts below zero closes where it sinks deeper.
double Run::first_touch(const BodyPair& pair, double from, double piece) {
  flown(from);
  step_start_ = state_;
  flown(from + piece);
  const double reach = model_.moved(step_start_, state_) / used_reach + scales_.closed;
  std::vector<NearContact>& near = near_contacts_;
  model_.near_contacts(pair, step_start_, reach, near);
  double first = infinite;
  for (const NearContact& c : near) {
    const std::size_t i = contacts_.number_of(c.id);
    grow();
    const double start = std::min(0., c.in_range ? c.gap : 0.);
    const auto gap_of = [&](double dt) {
      flown(dt);
      return model_.gap(c.id, state_) - start;
    };
    const auto slope = [&](double dt) {
      flown(dt);
      return mechanics_.load(i, state_).velocity(0);
    };
    const double end = std::min(from + piece, first);
    const double dt = first_closing(gap_of, slope, from, end, 1, scales_.sunk);
    if (!(dt < first)) continue;
    flown(dt);
    if (lists(pair, c.id)) first = dt;
  }
  if (first < infinite) return first;
  // Two sharp corners have no common features.
  flown(from + piece);
  const double end = model_.distance(pair, state_);
  const double start = model_.distance(pair, step_start_);
  if (!(end < -scales_.closed) || !(start > 0.) || !(start < infinite)) return infinite;
  const auto distance = [&](double dt) {
    flown(dt);
    return model_.distance(pair, state_);
  };
  return find_root(distance, from, from + piece, start, end);
}

double Run::search_flight(const BodyPair& pair, double longest) {
  const double step = model_.flight_step(take_off_);
  const double piece = step > 0. ? step : 0.05 * scales_.time;
  double from = 0.;
  for (std::size_t k = 1; from < longest; ++k) {
    if (k % parts_between_questions == 0 && stops()) break;
    flown(from);
    const double clear = model_.free_time(pair, state_);
    if (clear > piece) {
      from += clear;
      continue;
    }
    // Always searches whole parts, regardless of the end of the run, so that a run in pieces finds
    // the same root.
    const double dt = first_touch(pair, from, piece);
    if (dt < infinite) return dt;
    from += piece;
  }
  return infinite;
}

double Run::search_flight_end(double longest) {
  const auto remaining = [&](double dt) {
    flown(dt);
    return model_.end_function(state_).value_or(1.);
  };
  const double step = model_.flight_step(take_off_);
  const double piece = step > 0. ? step : 0.05 * scales_.time;
  double f_from = remaining(0.);
  double from = 0.;
  for (std::size_t k = 1; from < longest; ++k) {
    if (k % parts_between_questions == 0 && stops()) break;
    const double to = from + piece;
    const double f_to = remaining(to);
    if (f_to < 0.) return f_from > 0. ? find_root(remaining, from, to, f_from, f_to) : from;
    f_from = f_to;
    from = to;
  }
  return infinite;
}

bool Run::touches(const BodyPair& pair, const State& state) {
  model_.near_contacts(pair, state, scales_.closed, near_contacts_);
  for (const NearContact& c : near_contacts_) {
    if (!c.in_range || c.gap > scales_.closed) continue;
    touched_ = c.id;
    return true;
  }
  return false;
}

Run::Advance Run::fly(Trigger& trigger) {
  take(y_, time_);
  take_off_ = state_;
  const double longest = options_.end_time - time_;
  double dt = infinite;
  trigger = {};
  BodyPair meeting{};
  for (const BodyPair& pair : flying_) {
    const double most = std::min(dt, longest);
    const auto known = model_.flight_time(pair, take_off_, most);
    // A contact that is closed at take-off separates; rounding may indicate that it closes at once.
    const bool doubtful = known && *known <= 1e-9 * scales_.time && touches(pair, take_off_);
    const double closes = known && !doubtful ? *known : search_flight(pair, most);
    if (closes < dt) {
      dt = closes;
      trigger = {TriggerKind::closes, nowhere, time_ + closes};
      meeting = pair;
    }
  }
  if (model_.end_function(take_off_)) {
    const double ends = search_flight_end(std::min(dt, longest));
    if (ends < dt) {
      dt = ends;
      trigger = {TriggerKind::model_end, nowhere, time_ + ends};
    }
  }
  if (stopped_) return Advance::stopped;
  const auto fill = [this](double t, std::vector<double>& y) {
    flown(t - time_);
    y = y_;
    for (std::size_t j = 0; j < positions_; ++j) y[j] = state_.q(ix(j));
    for (std::size_t j = 0; j < velocities_; ++j) y[positions_ + j] = state_.u(ix(j));
  };
  if (!(time_ + dt <= options_.end_time)) {
    if (!sample_until(options_.end_time, fill)) return Advance::stopped;
    fill(options_.end_time, trial_);
    record_visible(options_.end_time, trial_);
    return Advance::end_time;
  }
  if (!sample_until(time_ + dt, fill)) return Advance::stopped;
  flown(dt);
  model_.normalise(state_);
  for (std::size_t j = 0; j < positions_; ++j) y_[j] = state_.q(ix(j));
  store_velocity();
  time_ += dt;
  find_near(usual_reach());
  if (trigger.kind == TriggerKind::closes && touches(meeting, state_)) {
    trigger.contact = contacts_.number_of(touched_);
  }
  record_visible(time_, y_);
  return Advance::event;
}

}  // namespace carom::motion
