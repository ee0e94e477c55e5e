// SPDX-License-Identifier: Apache-2.0
#include <carom/motion/event_search.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include <carom/core/event_search.hpp>
#include <carom/core/scalar.hpp>

namespace carom::motion {

namespace {

/// Gaps decrease by what two bodies approach each other; a little more, because normals turn.
constexpr double approaching = 1.2;

/// Parts of a step in which gaps are searched: a minimum and a maximum in each at most.
constexpr int parts_of_step = 8;

/// Bodies with a closed contact overlap where they do so by more than this, relative to the
/// reference length: a tenth of what is allowed of any state.
constexpr double most_overlap = 1e-10;

/// Parts of a step in which an indicator is looked at where it may be negative for a while: stages
/// leave out up to a quarter of a step. It may be if a stage has less than `near_zero` of its first
/// value; those that were missed in tests had less than a tenth.
constexpr std::size_t looks = 16;
constexpr double near_zero = 0.2;

/// Forces relative to their unit that are not zero at a root: see Indicators.
constexpr double pole = 1e3;

}  // namespace

EventSearch::EventSearch(const Setting& setting, const Contacts& contacts,
                         const CompliantContacts& compliant, Neighbours& neighbours,
                         Equations& equations, const Indicators& indicators, Course& course,
                         Present& now)
    : setting_(setting),
      contacts_(contacts),
      compliant_(compliant),
      neighbours_(neighbours),
      equations_(equations),
      indicators_(indicators),
      course_(course),
      now_(now) {}

bool EventSearch::find_indicators(double time) {
  course_.at(time, trial_, now_.size());
  if (!equations_.rate(time, trial_, dy_)) return false;
  indicators_.get(values_);
  return true;
}

double EventSearch::indicator_at(double time, std::size_t slot) {
  return find_indicators(time) ? values_[slot] : -1.;
}

double EventSearch::indicator_seen_at(double time, std::size_t slot) {
  const auto at = [time](const Seen& s) { return s.time == time; };
  auto seen = std::find_if(seen_.begin(), seen_.end(), at);
  if (seen == seen_.end()) {
    if (seen_.size() < most_seen) seen_.emplace_back();
    seen = seen_.begin() + ix(next_seen_++ % most_seen);
    seen->time = time;
    seen->possible = find_indicators(time);
    seen->values = values_;
  }
  return seen->possible ? seen->values[slot] : -1.;
}

bool EventSearch::first_event(double t1, Trigger& trigger) {
  trigger = {};
  for (Seen& s : seen_) s.time = infinite;
  trial_.resize(now_.size());
  dy_.resize(now_.size());
  const std::size_t slots = course_.at_end().size();
  for (std::size_t slot = 0; slot < slots; ++slot) {
    const double wrong = -indicators_.tolerated(slot);
    const bool ended = course_.at_end()[slot] < wrong;
    const bool dipped = indicators_.least()[slot] < wrong;
    // What friction has left may vanish and return within a step, between its stages. So may slip.
    const TriggerKind kind = indicators_.trigger_of(slot, t1).kind;
    const bool is_limit = kind == TriggerKind::limit;
    const bool dips = (is_limit || kind == TriggerKind::stops) && may_dip(slot);
    if (!ended && !dipped && !dips) continue;
    if (!course_.know()) return false;
    search_indicator(slot, std::min(t1, trigger.time), !ended || is_limit, trigger);
  }
  search_before(trigger);
  const double by_indicators = trigger.time;
  for (Known& k : known_) k.time = infinite;
  now_.take(course_.end(), t1);
  step_end_ = now_.state;
  now_.take();
  step_start_ = now_.state;
  if (neighbours_.is_used_up(step_end_)) neighbours_.find(step_start_, step_end_);
  approach_.known = false;
  looked_at_ = infinite;
  for (const std::size_t i : contacts_.active) {
    const bool possible =
        contacts_.is_closed(i) ? search_margin(i, t1, trigger) : search_closing(i, t1, trigger);
    if (!possible) return false;
  }
  if (!search_overlap(t1, trigger)) return false;
  if (trigger.time < by_indicators) search_before(trigger);
  return true;
}

bool EventSearch::may_dip(std::size_t slot) const {
  const double least = std::min(indicators_.least()[slot], course_.at_end()[slot]);
  return least < near_zero * course_.at_start()[slot];
}

void EventSearch::search_indicator(std::size_t slot, double t1, bool finely, Trigger& trigger) {
  const double t0 = now_.time;
  double low = t0;
  double f_low = course_.at_start()[slot];
  double high = t0;
  double f_high = 0.;
  // If the indicator starts at zero or has a dip in between, sample more finely.
  const std::size_t pieces = finely || f_low <= 0. ? looks : 1;
  const double wrong = -indicators_.tolerated(slot);
  bool found = false;
  const auto look = [&](double t) {
    const double f = indicator_seen_at(t, slot);
    if (f < wrong) {
      high = t;
      f_high = f;
      found = true;
    } else if (f > 0.) {
      low = t;
      f_low = f;
    }
    return f;
  };
  std::array<double, looks + 1> seen{f_low};
  for (std::size_t j = 1; j <= pieces && !found; ++j) {
    seen[j] = look(j == pieces ? t1 : t0 + (t1 - t0) * static_cast<double>(j) / looks);
  }
  // Between three looks its least value is that of their parabola.
  if (!found && pieces == looks) {
    const auto k = std::min_element(seen.begin() + 1, seen.end() - 1);
    const double bend = k[-1] - 2. * k[0] + k[1];
    if (bend > 0. && k[0] <= std::min(k[-1], k[1])) {
      const double place = static_cast<double>(k - seen.begin()) + 0.5 * (k[-1] - k[1]) / bend;
      low = t0;
      f_low = seen[0];
      look(t0 + (t1 - t0) * place / looks);
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
  // One that does not rise at all is followed to where it is clearly wrong: where the next modes
  // are decided time has advanced, or they might be the same again.
  const double zero = f_low > 0. ? 0. : wrong;
  double before = t0;
  double at = t0;
  if (f_low > zero) {
    std::tie(before, at) = enclose_root([&](double t) { return indicator_at(t, slot) - zero; }, low,
                                        high, f_low - zero, f_high - zero);
  }
  if (!(at < trigger.time)) return;
  trigger = indicators_.trigger_of(slot, at);
  trigger.before = before;
  // Where a force changes its sign at a pole, it diverges. The event is just before.
  if (trigger.kind != TriggerKind::lifts && trigger.kind != TriggerKind::limit) return;
  if (!(std::abs(indicator_at(at, slot)) > pole)) return;
  const std::size_t jams = indicators_.jamming();
  if (jams == nowhere) return;
  // Forces of others diverge there, too, some towards the wrong side.
  const auto is_before = [&](double t) {
    if (!(indicator_at(t, slot) > 0.)) return false;
    for (std::size_t k = 0; k < values_.size(); ++k) {
      if (values_[k] < -indicators_.tolerated(k)) return false;
    }
    return true;
  };
  for (int k = 0; k < 8 && at > t0 && !is_before(at); ++k) {
    at = std::max(t0, at - std::ldexp(epsilon * std::max(std::abs(at), at - t0), k));
  }
  trigger = {TriggerKind::diverges, jams, at};
}

// What neither the stages nor the end of the step have shown may have come before what they have:
// slip that passes near zero turns within a small part of a step, and forces with it. Where one
// contact has no force, hyperstatic forces of others have no distribution either: all are searched.
void EventSearch::search_before(Trigger& trigger) {
  for (std::size_t searches = 0; searches < course_.at_end().size(); ++searches) {
    if (trigger.kind == TriggerKind::none || !(trigger.before > now_.time)) return;
    const double until = trigger.before;
    static_cast<void>(indicator_at(until, 0));
    wrong_.clear();
    for (std::size_t slot = 0; slot < values_.size(); ++slot) {
      if (values_[slot] < -indicators_.tolerated(slot)) wrong_.push_back(slot);
    }
    for (const std::size_t slot : wrong_) {
      search_indicator(slot, std::min(until, trigger.time), true, trigger);
    }
    if (!(trigger.before < until)) return;
  }
}

// Searches of several contacts ask for the same instants.
void EventSearch::state_in_step(double time) {
  if (time == looked_at_) return;
  looked_at_ = time;
  for (const Known& k : known_) {
    if (k.time != time) continue;
    now_.take(k.y, time);
    return;
  }
  course_.at(time, trial_, now_.moving());
  now_.take(trial_, time);
  if (known_.size() < most_known) known_.emplace_back();
  Known& kept = known_[next_known_++ % most_known];
  kept.time = time;
  kept.y.assign(trial_.begin(), trial_.begin() + ix(now_.moving()));
}

double EventSearch::gap_at(double time, std::size_t contact) {
  state_in_step(time);
  return contacts_.gap(contact, now_.state) - compliant_.level_of(contact);
}

double EventSearch::gap_rate_at(double time, std::size_t contact) {
  state_in_step(time);
  return now_.mechanics.load(contact, now_.state).velocity(0);
}

double EventSearch::margin_at(double time, std::size_t contact) {
  state_in_step(time);
  return setting_.model.margin(contacts_[contact], now_.state);
}

// A closed contact ends where its closest points leave its features: others take over.
bool EventSearch::search_margin(std::size_t i, double t1, Trigger& trigger) {
  const double end = setting_.model.margin(contacts_[i], step_end_);
  if (!(end < 0.)) return true;
  if (!course_.know()) return false;
  const double start = setting_.model.margin(contacts_[i], step_start_);
  const double at =
      start > 0. ? find_root([&](double t) { return margin_at(t, i); }, now_.time, t1, start, end)
                 : now_.time;
  if (at < trigger.time) trigger = {TriggerKind::hands_over, i, at};
  return true;
}

// Contacts of a pair follow each other.
double EventSearch::approach_of(const BodyPair& pair) {
  if (!approach_.known || approach_.pair != pair) {
    approach_ = {true, pair, setting_.model.approached(pair, step_start_, step_end_)};
  }
  return approach_.by;
}

// A gap closes while it decreases and the closest points lie within the features. In every part of
// the step: it ends below zero, or it has a minimum below zero inside.
bool EventSearch::search_closing(std::size_t i, double t1, Trigger& trigger) {
  const ContactId& id = contacts_[i];
  const double start = setting_.model.gap(id, step_start_) - compliant_.level_of(i);
  const double most = approaching * approach_of(id.pair);
  if (start > most) return true;
  const double end = setting_.model.gap(id, step_end_) - compliant_.level_of(i);
  const double margin = setting_.model.margin(id, step_start_);
  const double end_margin = setting_.model.margin(id, step_end_);
  if (margin < -most && end_margin < -most) return true;  // stays out of range
  const bool in_range = margin >= 0.;
  // Both ends and the slope at the start show how much the gap bends; where it stays clear of
  // zero by more than that there is nothing to search.
  const double rate = now_.mechanics.load(i, step_start_).velocity(0);
  const double bend = std::abs(end - start - rate * (t1 - now_.time));
  if (std::min(start, end) > 4. * bend) return true;
  if (!course_.know()) return false;
  const double until = std::min(t1, trigger.time);
  const double at = first_closing_in_range(
      {[&](double t) { return gap_at(t, i); }, [&](double t) { return gap_rate_at(t, i); },
       [&](double t) {
         state_in_step(t);
         return neighbours_.lists(id, now_.state);
       }},
      in_range, now_.time, until, parts_of_step, setting_.scales.sunk,
      start_tolerance * setting_.scales.length);
  if (at < trigger.time) trigger = {TriggerKind::closes, i, at};
  return true;
}

// What features have missed: sharp corners that meet, and what comes into range and leaves it
// within a part of a step. Bodies without a closed contact touch where their distance vanishes;
// others where they overlap by more than what the closed ones drift within a step.
bool EventSearch::search_overlap(double t1, Trigger& trigger) {
  const Model& model = setting_.model;
  const double tolerated = most_overlap * setting_.scales.length;
  for (const BodyPair& pair : neighbours_.pairs()) {
    const bool closed = neighbours_.is_closed(pair);
    const double most = approaching * approach_of(pair);
    if (closed && most < tolerated) continue;
    const double start = model.distance(pair, step_start_);
    if (start > most) continue;  // also where contacts alone say all
    // Bodies that part may start below zero by rounding: they touch where they sink deeper.
    double zero = start > 0. ? 0. : start - setting_.scales.closed;
    if (closed) zero = std::min(zero, -tolerated);
    const double until = std::min(t1, trigger.time);
    if (until < t1 && !course_.know()) return false;
    const auto distance = [&](double t) {
      if (t == t1) return model.distance(pair, step_end_);
      state_in_step(t);
      return model.distance(pair, now_.state);
    };
    const double end = distance(until);
    // Where both ends are clear the least between them is above the mean less half of the approach.
    const bool may_dip = start + end - zero < most;
    if (!may_dip && !(end < std::min(zero, -setting_.scales.closed))) continue;
    if (!course_.know()) return false;
    double before = now_.time;
    double d_before = start;
    const int parts = may_dip ? parts_of_step : 1;
    for (int k = 1; k <= parts; ++k) {
      const double after = k == parts ? until : now_.time + (until - now_.time) * k / parts;
      const double d = k == parts ? end : distance(after);
      if (d < std::min(zero, -setting_.scales.closed)) {
        const double at = find_root([&](double t) { return distance(t) - zero; }, before, after,
                                    d_before - zero, d - zero);
        state_in_step(at);
        const auto id = neighbours_.touching(pair, now_.state);
        if (id || !closed) {
          trigger = {TriggerKind::closes, id ? neighbours_.number_of(*id) : nowhere, at};
        }
        break;
      }
      if (!(d > zero)) continue;  // they graze
      before = after;
      d_before = d;
    }
  }
  return true;
}

}  // namespace carom::motion
