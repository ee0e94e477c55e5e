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
  for (std::size_t i = 0; i < contacts_; ++i) {
    if (is_closed(i) || level(i) < 0.) return false;
  }
  return true;
}

/// Sets state_ to `dt` of flight after the integration state.
void Run::flown(double dt) { model_.fly(take_off_, dt, state_); }

// As in search_gap, a contact that starts below zero closes where it sinks deeper.
double Run::search_flight(std::size_t contact, double longest) {
  const double start = std::min(0., model_.gap(contact, take_off_));
  const auto gap = [&](double dt) {
    flown(dt);
    return model_.gap(contact, state_) - start;
  };
  const auto slope = [&](double dt) {
    flown(dt);
    return mechanics_.load(contact, state_).velocity(0);
  };
  const double step = model_.flight_step(take_off_);
  const double piece = step > 0. ? step : 0.05 * scales_.time;
  double from = 0.;
  for (std::size_t k = 1; from < longest; ++k) {
    if (k % parts_between_questions == 0 && stops()) break;
    // Always searches whole parts, regardless of the end of the run, so that a run in pieces finds
    // the same root.
    const double dt = first_closing(gap, slope, from, from + piece, 1, scales_.sunk);
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

Run::Advance Run::fly(Trigger& trigger) {
  take(y_, time_);
  take_off_ = state_;
  const double longest = options_.end_time - time_;
  double dt = infinite;
  trigger = {};
  for (std::size_t i = 0; i < contacts_; ++i) {
    const double most = std::min(dt, longest);
    const auto known = model_.flight_time(i, take_off_, most);
    // A contact that is closed at take-off separates; rounding may indicate that it closes at once.
    const bool doubtful =
        known && *known <= 1e-9 * scales_.time && model_.gap(i, take_off_) <= scales_.closed;
    const double closes = known && !doubtful ? *known : search_flight(i, most);
    if (closes < dt) {
      dt = closes;
      trigger = {TriggerKind::closes, i, time_ + closes};
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
  record_visible(time_, y_);
  return Advance::event;
}

}  // namespace carom::motion
