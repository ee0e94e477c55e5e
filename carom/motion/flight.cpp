// SPDX-License-Identifier: Apache-2.0
#include <carom/motion/flight.hpp>

#include <algorithm>
#include <cmath>

#include <carom/core/event_search.hpp>

namespace carom::motion {

namespace {

/// Parts of a search after which it asks whether to stop: some milliseconds.
constexpr std::size_t parts_between_questions = 1024;

/// Parts of a search where the model has no length for them, relative to the reference time.
constexpr double usual_part = 0.05;

/// Parts of a piece of a search in which bodies that may touch are looked at.
constexpr int parts_of_piece = 8;

/// A flight of this, relative to the reference time, is rounding.
constexpr double no_flight = 1e-9;

}  // namespace

Flight::Flight(const Setting& setting, const Contacts& contacts, const CompliantContacts& compliant,
               Neighbours& neighbours, Sampler& sampler, Present& now)
    : setting_(setting),
      contacts_(contacts),
      compliant_(compliant),
      neighbours_(neighbours),
      sampler_(sampler),
      now_(now) {
  if (setting.model.flies()) setting.model.flying_pairs(pairs_);
}

bool Flight::is_possible() const {
  if (!setting_.model.flies()) return false;
  return std::none_of(contacts_.active.begin(), contacts_.active.end(), [&](std::size_t i) {
    return contacts_.is_closed(i) || compliant_.level_of(i) < 0.;
  });
}

void Flight::look(double dt) { setting_.model.fly(take_off_, dt, now_.state); }

// The first time in a part of the flight at which a contact of the pair closes, or infinity.
double Flight::first_touch(const BodyPair& pair, double from, double piece) {
  look(from);
  piece_start_ = now_.state;
  look(from + piece);
  const double reach =
      reach_for(setting_.model.approached(pair, piece_start_, now_.state)) + setting_.scales.closed;
  setting_.model.near_contacts(pair, piece_start_, reach, near_);
  double first = infinite;
  for (const NearContact& c : near_) {
    const GapInRange of{[&](double dt) {
                          look(dt);
                          return setting_.model.gap(c.id, now_.state);
                        },
                        [&](double dt) {
                          look(dt);
                          setting_.model.contact(c.id, now_.state, motion_);
                          return motion_.velocity(0);
                        },
                        [&](double dt) {
                          look(dt);
                          return neighbours_.lists(c.id, now_.state);
                        }};
    const double dt =
        first_closing_in_range(of, c.in_range, from, std::min(from + piece, first), 1,
                               setting_.scales.sunk, start_tolerance * setting_.scales.length);
    first = std::min(first, dt);
  }
  return std::min(first, first_overlap(pair, from, std::min(from + piece, first)));
}

// What features have missed: two sharp corners, which have no common features, and what comes into
// range and leaves it within a part of a piece.
double Flight::first_overlap(const BodyPair& pair, double from, double until) {
  const auto distance_at = [&](double dt) {
    look(dt);
    return setting_.model.distance(pair, now_.state);
  };
  const double start = distance_at(from);
  if (start == infinite) return infinite;
  // Bodies that part may start below zero by rounding: they touch where they sink deeper.
  const double closed = setting_.scales.closed;
  const double zero = start > 0. ? 0. : start - closed;
  look(until);
  const State end = now_.state;
  const double most = setting_.model.approached(pair, piece_start_, end);
  const double d_end = setting_.model.distance(pair, end);
  // Where both ends are clear the least between them is above the mean less half of the approach.
  const int parts = start + d_end < most ? parts_of_piece : 1;
  double before = from;
  double d_before = start - zero;
  for (int k = 1; k <= parts; ++k) {
    const double after = k == parts ? until : from + (until - from) * k / parts;
    const double d = (k == parts ? d_end : distance_at(after)) - zero;
    if (d < 0. && d + zero < -closed) {
      return find_root([&](double dt) { return distance_at(dt) - zero; }, before, after, d_before,
                       d);
    }
    if (!(d > 0.)) continue;  // they graze
    before = after;
    d_before = d;
  }
  return infinite;
}

double Flight::piece_of_search() const {
  const double step = setting_.model.flight_step(take_off_);
  return step > 0. ? step : usual_part * setting_.scales.time;
}

double Flight::search(const BodyPair& pair, double longest) {
  const double piece = piece_of_search();
  double from = 0.;
  for (std::size_t k = 1; from < longest; ++k) {
    if (k % parts_between_questions == 0 && sampler_.stops()) break;
    look(from);
    const double clear = setting_.model.free_time(pair, now_.state);
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

double Flight::search_end(double longest) {
  const auto remaining = [&](double dt) {
    look(dt);
    return setting_.model.end_function(now_.state).value_or(1.);
  };
  const double piece = piece_of_search();
  double f_from = remaining(0.);
  double from = 0.;
  for (std::size_t k = 1; from < longest; ++k) {
    if (k % parts_between_questions == 0 && sampler_.stops()) break;
    const double to = from + piece;
    const double f_to = remaining(to);
    if (f_to < 0.) return f_from > 0. ? find_root(remaining, from, to, f_from, f_to) : from;
    f_from = f_to;
    from = to;
  }
  return infinite;
}

Advance Flight::fly(Trigger& trigger) {
  now_.take();
  take_off_ = now_.state;
  const double longest = setting_.options.end_time - now_.time;
  double dt = infinite;
  trigger = {};
  BodyPair meeting{};
  for (const BodyPair& pair : pairs_) {
    const double most = std::min(dt, longest);
    const auto known = setting_.model.flight_time(pair, take_off_, most);
    // A contact that is closed at take-off separates; rounding may indicate that it closes at once.
    const bool doubtful = known && *known <= no_flight * setting_.scales.time &&
                          neighbours_.touching(pair, take_off_);
    const double closes = known && !doubtful ? *known : search(pair, most);
    if (closes < dt) {
      dt = closes;
      trigger = {TriggerKind::closes, nowhere, now_.time + closes};
      meeting = pair;
    }
  }
  if (setting_.model.end_function(take_off_)) {
    const double ends = search_end(std::min(dt, longest));
    if (ends < dt) {
      dt = ends;
      trigger = {TriggerKind::model_end, nowhere, now_.time + ends};
    }
  }
  if (sampler_.was_stopped()) return Advance::stopped;
  const auto fill = [this](double t, std::vector<double>& y) {
    look(t - now_.time);
    y = now_.y;
    for (std::size_t j = 0; j < setting_.positions; ++j) y[j] = now_.state.q(ix(j));
    for (std::size_t j = 0; j < setting_.velocities; ++j)
      y[setting_.positions + j] = now_.state.u(ix(j));
  };
  if (!(now_.time + dt <= setting_.options.end_time)) {
    if (!sampler_.sample_until(setting_.options.end_time, fill)) return Advance::stopped;
    fill(setting_.options.end_time, trial_);
    now_.show(setting_.options.end_time, trial_);
    return Advance::end_time;
  }
  if (!sampler_.sample_until(now_.time + dt, fill)) return Advance::stopped;
  look(dt);
  setting_.model.normalise(now_.state);
  now_.store_positions();
  now_.store_velocity();
  now_.time += dt;
  now_.take();
  if (neighbours_.is_used_up(now_.state)) neighbours_.find(now_.state);
  if (trigger.kind == TriggerKind::closes) {
    if (const auto id = neighbours_.touching(meeting, now_.state)) {
      trigger.contact = neighbours_.number_of(*id);
    }
  }
  now_.show();
  return Advance::event;
}

}  // namespace carom::motion
