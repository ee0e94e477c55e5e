// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>

#include <carom/core/error.hpp>
#include <carom/core/scalar.hpp>
#include <carom/motion/stepping.hpp>

// A run by steps: its start, its sequence, its records.
namespace carom::motion {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// Entries of Continuation::impulses for each contact: its number, whether it sticks, its impulse
/// and couple.
constexpr std::size_t saved = 8;

/// Times that differ by less than this part of a step are the same: sums of steps are rounded.
constexpr double same_time = 1e-9;

/// Bodies that overlap after a step of this part of the nominal one are crushed.
constexpr double least_step = 1e-7;

}  // namespace

void Stepping::begin(const State& state) {
  check_state(model_, state);
  now_ = state;
  model_.normalise(now_);
  if (!mechanics_.at_step(now_)) {
    throw InputError("mass", "the mass matrix must be finite and positive definite");
  }
  const double limit = start_tolerance * model_.length_scale();
  separation_.find_at(now_, 0.);
  for (const StepContact& c : separation_.found) {
    if (-c.gap <= limit) continue;
    throw InputError(model_.contact_name(c.id) + ".gap",
                     "the bodies overlap by " + shortest(-c.gap) + " m at the start; up to " +
                         shortest(limit) + " m would be closed; move them apart");
  }
  account_ = {};
  account_.kinetic_start = mechanics_.kinetic(now_.u);
  account_.potential_start = model_.potential_energy(now_);
  end_of_step_ = now_.time;
  progress_.next.fresh = 1.;
}

Progress Stepping::save() const {
  Progress p = progress_;
  p.state = now_;
  p.found.clear();
  for (std::size_t i = model_.contacts(); i < contacts_.size(); ++i) {
    p.found.push_back(contacts_[i]);
  }
  const std::size_t n = contacts_.size();
  p.contacts.assign(n, {});
  for (const StepContact& c : last_) p.contacts[c.number] = status_of(c);
  p.energy = account_;
  p.energy.impacts.resize(n, 0.);
  p.energy.friction.resize(n, 0.);
  p.energy.potential = model_.potential_energy(now_);
  Continuation& c = p.next;
  c.time = now_.time;
  c.steps_end = end_of_step_;
  c.steps_h = last_h_;
  c.step_counts = {counts_.steps,  counts_.shorter, counts_.repeated,
                   counts_.sweeps, counts_.formed,  counts_.not_converged};
  c.impulses.clear();
  for (const StepContact& s : last_) {
    c.impulses.push_back(static_cast<double>(s.number));
    c.impulses.push_back(s.sticks ? 1. : 0.);
    c.impulses.insert(c.impulses.end(), s.impulse.begin(), s.impulse.end());
    c.impulses.insert(c.impulses.end(), s.couple.begin(), s.couple.end());
  }
  return p;
}

void Stepping::load(const Progress& p) {
  const auto refuse = [](bool wrong) {
    if (wrong) throw InputError("progress", "belongs to another model, or to other options");
  };
  for (const ContactId& id : p.found) (void)contacts_.number_of(id);
  const std::size_t n = contacts_.size();
  refuse(p.contacts.size() != n || p.energy.impacts.size() != n || p.energy.friction.size() != n);
  refuse(p.state.q.size() != ix(model_.positions()) || p.state.u.size() != ix(model_.velocities()));
  const Continuation& c = p.next;
  refuse(c.impulses.size() % saved != 0);
  progress_ = p;
  now_ = p.state;
  account_ = p.energy;
  last_.clear();
  for (std::size_t k = 0; k < c.impulses.size(); k += saved) {
    refuse(!(c.impulses[k] >= 0. && c.impulses[k] < static_cast<double>(n)));
    StepContact s;
    s.number = static_cast<std::size_t>(c.impulses[k]);
    s.id = contacts_[s.number];
    s.sticks = c.impulses[k + 1] != 0.;
    std::copy_n(c.impulses.begin() + ix(k + 2), 3, s.impulse.begin());
    std::copy_n(c.impulses.begin() + ix(k + 5), 3, s.couple.begin());
    // Of the velocity only the direction of slip is reported before the next step.
    for (std::size_t j = 1; j < components_; ++j) {
      s.after[j] = p.contacts[s.number].direction[j - 1];
    }
    last_.push_back(s);
  }
  // After events: what sticks is known.
  for (std::size_t i = 0; i < n && c.impulses.empty(); ++i) {
    if (p.contacts[i].touch == Touch::open) continue;
    StepContact s;
    s.number = i;
    s.id = contacts_[i];
    s.sticks = p.contacts[i].touch == Touch::stick;
    last_.push_back(s);
  }
  std::sort(last_.begin(), last_.end(),
            [](const StepContact& a, const StepContact& b) { return a.id < b.id; });
  last_h_ = c.steps_h;
  end_of_step_ = c.steps_end;
  if (c.step_counts.size() == 6) {
    counts_ = {c.step_counts[0], c.step_counts[1], c.step_counts[2],
               c.step_counts[3], c.step_counts[4], c.step_counts[5]};
  }
}

ContactStatus Stepping::status_of(const StepContact& c) const {
  if (!(c.impulse[0] > 0.)) return {};
  if (c.sticks) return {.touch = Touch::stick};
  double slip = 0.;
  for (std::size_t j = 1; j < components_; ++j) slip += c.after[j] * c.after[j];
  slip = std::sqrt(slip);
  ContactStatus status{.touch = Touch::slip};
  for (std::size_t j = 1; j < components_ && slip > 0.; ++j) {
    status.direction[j - 1] = c.after[j] / slip;
  }
  return status;
}

void Stepping::tell_contacts() {
  for (; told_contacts_ < contacts_.size(); ++told_contacts_) {
    recorder_->contact(told_contacts_, contacts_[told_contacts_]);
  }
}

// Forces are means over the last step, velocities those at its end, or mean ones where its law is
// for them. A contact of the step that is not closed any more has none.
void Stepping::sample(Told kind) {
  tell_contacts();
  const std::size_t n = contacts_.size();
  const std::size_t d = components_;
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  status_.assign(n, {});
  force_.assign(n * d, 0.);
  velocity_.assign(n * d, unknown);
  gap_.assign(n, unknown);
  couple_.clear();
  spin_told_.clear();
  if (setting_.any_couples) {
    couple_.assign(3 * n, 0.);
    spin_told_.assign(3 * n, 0.);
  }
  if (!mechanics_.at_step(now_)) return;
  for (std::size_t i = 0; i < model_.contacts(); ++i) {
    model_.contact(contacts_[i], now_, spin_);
    gap_[i] = spin_.gap;
    for (std::size_t j = 0; j < d; ++j) velocity_[i * d + j] = spin_.velocity(ix(j));
  }
  for (const StepContact& c : last_) {
    const std::size_t i = c.number;
    status_[i] = status_of(c);
    if (status_[i].touch == Touch::open) continue;
    gap_[i] = model_.gap(c.id, now_);
    for (std::size_t j = 0; j < d; ++j) {
      force_[i * d + j] = c.impulse[j] / last_h_;
      const bool mean = j == 0 ? c.mean_normal && !c.is_near : c.mean_tangential;
      velocity_[i * d + j] = mean ? 0.5 * (c.before[j] + c.after[j]) : c.after[j];
    }
    if (!setting_.any_couples) continue;
    for (std::size_t j = 0; j < friction_.spins(); ++j) couple_[3 * i + j] = c.couple[j] / last_h_;
    model_.relative_spin(c.id, now_, spin_);
    for (std::size_t j = 0; j < friction_.spins(); ++j)
      spin_told_[3 * i + j] = spin_.velocity(ix(j));
  }
  EnergyAccount energy = account_;
  energy.impacts.resize(n, 0.);
  energy.friction.resize(n, 0.);
  energy.kinetic = mechanics_.kinetic(now_.u);
  energy.potential = model_.potential_energy(now_);
  const Sample told{.state = now_,
                    .contacts = status_,
                    .force = force_,
                    .velocity = velocity_,
                    .gap = gap_,
                    .kinetic = energy.kinetic,
                    .potential = energy.potential,
                    .energy = energy,
                    .couple = couple_,
                    .spin = spin_told_};
  switch (kind) {
    case Told::before:
      return recorder_->side(told, Side::before);
    case Told::after:
      return recorder_->side(told, Side::after);
    case Told::last:
      return recorder_->last(told);
    case Told::sample:
      progress_.last_sample = now_.time;
      return recorder_->sample(told);
  }
}

// Impacts of the step that was accepted: each island is an event.
void Stepping::tell_impacts() {
  tell_contacts();
  for (const Islands::Island& island : islands_.all()) {
    Event event;
    event.kind = EventKind::impact;
    for (const std::size_t i : islands_.members(island)) {
      const StepContact& c = step_.found[i];
      if (!c.strikes) continue;
      event.contacts.push_back(c.number);
      event.from.push_back({});
      event.to.push_back(c.struck && c.done ? ContactStatus{} : status_of(c));
      std::array<double, 3> impulse = c.impulse;
      event.energy_change += work_of(c);
      for (const Struck& s : struck_) {
        if (s.contact != i) continue;
        event.energy_change += s.change;
        event.flags = s.flags;
        for (std::size_t j = 0; j < 3; ++j) impulse[j] += s.impulse[j];
      }
      event.impulse.insert(event.impulse.end(), impulse.begin(), impulse.begin() + ix(components_));
    }
    if (event.contacts.empty()) continue;
    if (event.flags.empty() && event.energy_change > 0.)
      event.flags.add(carom::Verdict::energy_gained);
    event.time = now_.time;
    ++progress_.events;
    ++progress_.impacts;
    recorder_->event(event);
  }
}

Summary Stepping::go(Recorder& recorder, double stretch_end) {
  recorder_ = &recorder;
  told_contacts_ = model_.contacts();
  tell_contacts();
  Ending ending = Ending::time;
  const double interval = options_.sample_interval;
  const bool sampled = std::isfinite(interval);
  const auto find_next_sample = [&](double after) {
    if (!(interval > 0.) || !sampled) {
      progress_.next_sample = infinite;
      return;
    }
    double k = std::floor(after / interval);
    while (k * interval <= after) k += 1.;
    progress_.next_sample = k * interval;
  };
  if (progress_.sample_interval != interval) find_next_sample(now_.time);
  progress_.sample_interval = interval;
  const double h = nominal_step();
  const double same = same_time * h;
  if (progress_.next.fresh != 0.) {
    if (sampled) sample(Told::sample);
    Event start;
    start.kind = EventKind::start;
    start.time = now_.time;
    if (options_.method == MotionMethod::automatic) start.note = "by steps: many contacts touch";
    ++progress_.events;
    if (recorder.wants_sides()) sample(Told::before);
    recorder.event(start);
    if (recorder.wants_sides()) sample(Told::after);
    progress_.next.fresh = 0.;
  }
  const double until = std::min(options_.end_time, stretch_end);
  while (true) {
    if (!(now_.time < until - same)) break;
    if (options_.most_events > 0 && progress_.events >= options_.most_events) {
      ending = Ending::events;
      break;
    }
    if (recorder.stop()) {
      ending = Ending::stopped;
      break;
    }
    if (recorder.wants_progress()) recorder.progress(save());
    if (!(now_.time < end_of_step_ - same)) end_of_step_ = std::min(now_.time + h, until);
    double length = end_of_step_ - now_.time;
    Verdict verdict = attempt(length);
    while (verdict == Verdict::shorter) {
      counts_.shorter += 1.;
      length = shorter_;
      if (!(length > least_step * h)) {
        (void)fail(Failure::crushed,
                   "bodies overlap at t = " + shortest(now_.time) +
                       " s however short the step is; a body may be crushed between supports: "
                       "leave it room");
        verdict = Verdict::failed;
        break;
      }
      verdict = attempt(length);
    }
    if (verdict == Verdict::failed) {
      ending = Ending::failed;
      break;
    }
    accept(length);
    counts_.steps += 1.;
    ++progress_.steps;
    const bool strikes = std::any_of(step_.found.begin(), step_.found.end(),
                                     [](const StepContact& c) { return c.strikes; });
    if (strikes && recorder.wants_sides()) sample(Told::before);
    const double last_end = std::abs(end_.time - end_of_step_) <= same ? end_of_step_ : end_.time;
    std::swap(now_, end_);
    now_.time = last_end;
    if (strikes) tell_impacts();
    if (strikes && recorder.wants_sides()) sample(Told::after);
    if (interval == 0.) {
      sample(Told::sample);
    } else if (now_.time >= progress_.next_sample - same) {
      sample(Told::sample);
      find_next_sample(now_.time + same);
    }
    if (const auto f = model_.end_function(now_); f && *f <= 0.) {
      ending = Ending::model;
      reason_ = model_.end_name();
      break;
    }
  }
  const bool ends = ending == Ending::time && !(now_.time < options_.end_time - same);
  if (sampled && progress_.last_sample != now_.time && (ends || ending != Ending::time)) {
    sample(Told::last);
  }
  if (ends || ending == Ending::model) {
    Event end;
    end.kind = EventKind::end;
    end.time = now_.time;
    end.note = ending == Ending::model ? reason_ : "";
    if (recorder.wants_sides()) sample(Told::before);
    recorder.event(end);
  }
  if (mechanics_.at_step(now_)) account_.kinetic = mechanics_.kinetic(now_.u);
  Summary summary;
  summary.ending = ending;
  summary.failure = failure_;
  summary.reason = reason_;
  summary.progress = save();
  return summary;
}

}  // namespace carom::motion
