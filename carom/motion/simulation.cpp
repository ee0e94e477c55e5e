// SPDX-License-Identifier: Apache-2.0
#include <carom/motion/simulation.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include <carom/core/error.hpp>
#include <carom/core/scalar.hpp>
#include <carom/motion/run.hpp>
#include <carom/motion/stepping.hpp>

namespace carom::motion {

namespace {

constexpr double most_stalls = 200.;

/// Overlap that may remain at the start, relative to the reference length: contacts that contradict
/// each other cannot all be closed.
constexpr double most_overlap_left = 1e-10;

void check_options(const Options& o) {
  require_finite(o.end_time, "end_time");
  if (!(o.tolerance >= 1e-14 && o.tolerance <= 1e-2)) {
    throw InputError("tolerance", o.tolerance, "in [1e-14, 1e-2]");
  }
  if (!(o.sample_interval >= 0.)) throw InputError("sample_interval", o.sample_interval, ">= 0");
  const double least = o.end_time / static_cast<double>(o.most_samples);
  if (o.sample_interval > 0. && o.sample_interval < least) {
    throw InputError("sample_interval", o.sample_interval,
                     ">= end_time/most_samples = " + shortest(least) + " s");
  }
  if (o.settling == Settling::contact_time && o.contact_time == ContactTime::given &&
      !(o.given_contact_time > 0. && std::isfinite(o.given_contact_time))) {
    throw InputError("given_contact_time", o.given_contact_time, "> 0");
  }
}

}  // namespace

Scales::Scales(const Model& model)
    : length(model.length_scale()),
      acceleration(model.acceleration_scale()),
      speed(std::sqrt(acceleration * length)),
      time(std::sqrt(length / acceleration)),
      closed(1e-12 * length),
      sunk(1e-13 * length),
      still(1e-12 * speed),
      faint(std::sqrt(128. * epsilon) * speed) {}

Run::Run(const Model& model, const std::vector<Surface>& surfaces, const Options& options)
    : model_(model),
      surfaces_(surfaces),
      options_(options),
      scales_(model),
      positions_(model.positions()),
      velocities_(model.velocities()),
      components_(model.components()),
      drives_at_(positions_ + velocities_),
      dampers_at_(drives_at_ + 1),
      contacts_(model),
      mechanics_(model, contacts_) {
  check_options(options);
  if (surfaces.size() != model.surfaces() && surfaces.size() != 1) {
    throw InputError("surfaces", static_cast<double>(surfaces.size()),
                     "one for each of " + std::to_string(model.surfaces()) + " contacts");
  }
  for (std::size_t k = 0; k < surfaces.size() && k < model.surfaces(); ++k) {
    validate(surfaces[k], "surfaces." + model.surface_name(k));
    any_couples_ = any_couples_ || surfaces[k].rolling_friction() > 0. ||
                   (components_ == 3 && surfaces[k].drilling_friction() > 0.);
    const bool soft = options.compliant.size() == 1
                          ? options.compliant[0]
                          : k < options.compliant.size() && options.compliant[k];
    if (soft && !(surfaces[k].stiffness > 0. && surfaces[k].exponent > 0.)) {
      throw InputError("surfaces." + model.surface_name(k) + ".stiffness", surfaces[k].stiffness,
                       "> 0 where a contact is compliant");
    }
  }
  if (!(scales_.length > 0.) || !std::isfinite(scales_.length)) {
    throw InputError("length_scale", scales_.length, "> 0");
  }
  if (!(scales_.acceleration > 0.) || !std::isfinite(scales_.acceleration)) {
    throw InputError("acceleration_scale", scales_.acceleration, "> 0");
  }
  if (any_couples_ && !model.has_spins()) refuse_couples();
  for (State* s : {&state_, &unit_state_, &take_off_}) {
    s->q.setZero(ix(positions_));
    s->u.setZero(ix(velocities_));
  }
  acceleration_.setZero(ix(velocities_));
  q_rate_.setZero(ix(positions_));
  told_contacts_ = contacts_.size();
  set_layout();
  grow();
  if (model.flies()) model.flying_pairs(flying_);
  h_ = 0.05 * scales_.time;
}

void Run::take(std::span<const double> y, double time) {
  state_.time = std::min(time, latest_);
  for (std::size_t j = 0; j < positions_; ++j) state_.q(ix(j)) = y[j];
  for (std::size_t j = 0; j < velocities_; ++j) state_.u(ix(j)) = y[positions_ + j];
  for (std::size_t k = 0; k < compliant_count_; ++k) deformation_[k] = y[deformation_at(k)];
}

void Run::store_velocity() {
  for (std::size_t j = 0; j < velocities_; ++j) y_[positions_ + j] = state_.u(ix(j));
}

bool Run::fail(Failure failure, std::string reason) {
  if (failure_ == Failure::none) {
    failure_ = failure;
    reason_ = std::move(reason);
  }
  return false;
}

bool Run::fail_acceleration() {
  return fail(Failure::no_acceleration,
              "no finite acceleration at t = " + shortest(time_) + " s; try a smaller tolerance");
}

bool Run::fail_stalled(std::size_t contact) {
  return fail(Failure::stalled,
              "events keep occurring at t = " + shortest(time_) + " s without time advancing" +
                  (contact < contacts_.size() ? ", the last at " + contact_name(contact) : "") +
                  "; try another tolerance or restitution 0");
}

void Run::record_visible(double time, const std::vector<double>& y) {
  visible_time_ = time;
  visible_ = y;
}

void Run::begin(const State& state) {
  const auto refuse_overlap = [&](std::size_t i, double overlap, double limit) {
    if (!(overlap > limit * scales_.length)) return;
    throw InputError(
        contact_name(i) + ".gap",
        "the bodies overlap by " + shortest(overlap) + " m at the start; up to " +
            shortest(limit * scales_.length) + " m " +
            (limit < start_tolerance ? "may remain where gaps are closed" : "would be closed") +
            "; move them apart");
  };
  require_finite(state.time, "time");
  if (state.q.size() != ix(positions_)) {
    throw InputError("q", static_cast<double>(state.q.size()),
                     std::to_string(positions_) + " numbers");
  }
  if (state.u.size() != ix(velocities_)) {
    throw InputError("u", static_cast<double>(state.u.size()),
                     std::to_string(velocities_) + " numbers");
  }
  for (std::size_t j = 0; j < positions_; ++j) {
    require_finite(state.q(ix(j)), model_.position_name(j));
  }
  for (std::size_t j = 0; j < velocities_; ++j) {
    require_finite(state.u(ix(j)), model_.velocity_name(j));
  }
  state_ = state;
  model_.normalise(state_);
  time_ = state.time;
  for (std::size_t j = 0; j < positions_; ++j) y_[j] = state_.q(ix(j));
  store_velocity();
  if (!mechanics_.at(state_)) {
    throw InputError("mass", "the mass matrix must be finite and positive definite");
  }
  find_near(usual_reach());
  const double reach = start_tolerance * scales_.length;
  std::vector<std::size_t> near;
  list_touching(reach, near);
  for (const std::size_t i : near) {
    require_finite(gap(i), contact_name(i) + ".gap");
    refuse_overlap(i, -gap(i), start_tolerance);
  }
  close_gaps_at_start();
  list_touching(reach, near);
  for (const std::size_t i : near) refuse_overlap(i, -gap(i), most_overlap_left);
  for (std::size_t j = 0; j < positions_; ++j) y_[j] = state_.q(ix(j));
  account_.kinetic_start = mechanics_.kinetic(state_.u);
  account_.potential_start = model_.potential_energy(state_);
  record_visible(time_, y_);
  // Modes at the start, unless an impact comes first.
  for (const std::size_t i : near) {
    if (is_compliant(i) && gap(i) <= 0.) status_[i] = {Touch::stick, {}};
  }
  if (!gather_closed()) return;
  const bool strikes = std::any_of(closed_.begin(), closed_.end(), [&](std::size_t i) {
    return !is_compliant(i) && mechanics_.motion(i).velocity(0) < -scales_.still;
  });
  if (strikes || !decide({})) {
    for (ContactStatus& s : status_) s = {};
  }
}

void Run::find_next_sample(double after) {
  const double interval = options_.sample_interval;
  if (!(interval > 0.) || !std::isfinite(interval)) {
    next_sample_ = infinite;
    return;
  }
  // k is at most `most_samples` beyond the start, far below 2^53, above which k + 1 = k.
  double k = std::floor(after / interval);
  while (k * interval <= after) k += 1.;
  next_sample_ = k * interval;
}

// Samples in the time of infinitely many impacts that are passed over, from `from` at `start` to
// the present state. Contacts have the modes of then. The time is short, so that straight lines
// suffice.
void Run::sample_passed_over(double start, const std::vector<double>& from,
                             std::vector<ContactStatus> modes) {
  if (!(next_sample_ < time_)) return;
  const double end = time_;
  status_.swap(modes);
  const auto between = [&](double t, std::vector<double>& y) {
    const double share = (t - start) / (end - start);
    for (std::size_t k = 0; k < size_; ++k) y[k] = from[k] + share * (y_[k] - from[k]);
  };
  while (!sample_until(std::nextafter(end, start), between)) {  // also if the run is to stop
  }
  status_.swap(modes);
}

bool Run::stops() {
  stopped_ = stopped_ || (recorder_ != nullptr && recorder_->stop());
  return stopped_;
}

// All works up to a state. state_ and mechanics_ are at that state.
void Run::account_at(const std::vector<double>& y, EnergyAccount& account) const {
  account = account_;
  account.kinetic = mechanics_.kinetic(state_.u);
  account.potential = model_.potential_energy(state_);
  for (const std::size_t i : works_) account.friction[i] += y[work_at_[i]];
  for (std::size_t i = 0; i < contacts_.size() && compliant_count_ > 0; ++i) {
    if (is_compliant(i)) account.impacts[i] += y[normal_work_at(compliant_[i])];
  }
  account.drives = y[drives_at_];
  account.dampers = y[dampers_at_];
}

// A state within a step has gaps of the size of the tolerance at closed contacts. What is shown has
// none.
void Run::sample(double time, const std::vector<double>& y, Told kind) {
  if (recorder_ == nullptr) return;
  watch_ = false;
  take(y, time);
  note_touching();
  shown_ = y;
  if (close_touching()) {
    for (std::size_t j = 0; j < positions_; ++j) shown_[j] = state_.q(ix(j));
  }
  shows_forces_ = true;
  const bool possible = rate(time, shown_, dy_);
  shows_forces_ = false;
  if (!possible) return;
  tell_contacts();
  const auto tell = [&](std::size_t i) {
    const ContactMotion& m = is_closed(i) ? mechanics_.motion(i) : mechanics_.load(i, state_);
    sample_gap_[i] = m.gap;
    for (std::size_t j = 0; j < components_; ++j) {
      sample_velocity_[i * components_ + j] = m.velocity(ix(j));
      if (!is_closed(i)) force_[i * components_ + j] = 0.;
    }
  };
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  const std::size_t known = model_.contacts();
  std::fill(sample_gap_.begin() + ix(known), sample_gap_.end(), unknown);
  std::fill(sample_velocity_.begin() + ix(known * components_), sample_velocity_.end(), unknown);
  for (std::size_t i = 0; i < known; ++i) tell(i);
  for (std::size_t i = known; i < contacts_.size(); ++i) {  // not what it was when it opened
    if (is_closed(i)) continue;
    std::fill_n(force_.begin() + ix(i * components_), components_, 0.);
  }
  for (const std::size_t i : touching_) {
    if (i >= known) tell(i);
  }
  account_at(shown_, sample_energy_);
  if (any_couples_) {
    std::fill(sample_couple_.begin(), sample_couple_.end(), 0.);
    std::fill(sample_spin_.begin(), sample_spin_.end(), 0.);
    for (const std::size_t i : spinning_) {
      for (std::size_t j = 0; j < mechanics_.spins; ++j) {
        sample_couple_[i * 3 + j] = couple_[i * 3 + j] * scales_.length;
        sample_spin_[i * 3 + j] = mechanics_.velocity(i, first_spin + j) / scales_.length;
      }
    }
  }
  const Sample told{.state = state_,
                    .contacts = status_,
                    .force = force_,
                    .velocity = sample_velocity_,
                    .gap = sample_gap_,
                    .kinetic = sample_energy_.kinetic,
                    .potential = sample_energy_.potential,
                    .energy = sample_energy_,
                    .couple = sample_couple_,
                    .spin = sample_spin_};
  switch (kind) {
    case Told::before:
      return recorder_->side(told, Side::before);
    case Told::after:
      return recorder_->side(told, Side::after);
    case Told::last:
      return recorder_->last(told);
    case Told::sample:
      last_sample_ = time;
      return recorder_->sample(told);
  }
}

Progress Run::save() {
  Progress p;
  take(visible_, visible_time_);
  p.state = state_;
  p.contacts = creep_.ended_within ? creep_.status_before : status_;
  p.contacts.resize(contacts_.size());  // more may have been found since the step began
  const bool possible = mechanics_.at(state_);
  account_at(visible_, p.energy);
  if (!possible) p.energy.kinetic = account_.kinetic;
  p.events = events_;
  p.impacts = impacts_;
  p.steps = steps_;
  p.sample_interval = sample_interval_;
  p.next_sample = next_sample_;
  p.last_sample = last_sample_;
  p.other_law = other_law_;
  for (std::size_t i = model_.contacts(); i < contacts_.size(); ++i) {
    p.found.push_back(contacts_[i]);
  }
  Continuation& c = p.next;
  c.fresh = fresh_ ? 1. : 0.;
  c.time = time_;
  c.step = h_;
  c.stalls = stalls_;
  c.last_event_time = last_event_time_;
  c.closed_at_start = closed_at_start_;
  c.moved_at_start = moved_at_start_;
  c.y = y_;
  c.shown = visible_;
  c.works.assign(works_.begin(), works_.end());
  c.impact_work = account_.impacts;
  c.friction_work = account_.friction;
  c.impacts = memory_;
  c.creeping = creep_.ended_within ? creep_.creeping_before : creeping_;
  c.creeping.resize(contacts_.size(), 0.);
  // Forces just after an event depend on it, until the next step begins.
  for (const auto& slip : slip_at_start_) c.slip.insert(c.slip.end(), slip.begin(), slip.end());
  c.spin = saved_spins();
  c.level = level_;
  c.stage = stage_;
  c.peak = peak_;
  if (creep_.ended_within) {
    c.shared = creep_.shared_before;
  } else if (is_warm_) {
    c.shared = near_;
  }
  c.listed_time = listed_.time;
  c.listed.assign(listed_.q.begin(), listed_.q.end());
  c.reach = reach_;
  return p;
}

void Run::load(const Progress& p) {
  const auto refuse = [](bool wrong) {
    if (wrong) throw InputError("progress", "belongs to another model, or to other options");
  };
  for (const ContactId& id : p.found) (void)contacts_.number_of(id);
  grow();
  const Continuation& c = p.next;
  const std::size_t n = contacts_.size();
  refuse(p.contacts.size() != n || p.energy.impacts.size() != n || p.energy.friction.size() != n);
  refuse(p.state.q.size() != ix(positions_) || p.state.u.size() != ix(velocities_));
  for (const auto* v : {&c.impact_work, &c.friction_work, &c.impacts.last, &c.impacts.slow,
                        &c.impacts.when, &c.creeping}) {
    refuse(v->size() != n);
  }
  refuse(c.slip.size() != 2 * n || c.listed.size() != positions_);
  refuse(c.impacts.time.size() != ImpactMemory::kept ||
         c.impacts.speed.size() != ImpactMemory::kept);
  for (const auto* v : {&c.level, &c.stage, &c.peak}) refuse(v->size() != compliant_count_);
  for (const double i : c.works) {
    refuse(!(i >= 0. && i < static_cast<double>(n)));
    works_.push_back(static_cast<std::size_t>(i));
  }
  set_layout();
  refuse(c.y.size() != size_ || c.shown.size() != size_);
  fresh_ = c.fresh != 0.;
  time_ = c.time;
  h_ = c.step;
  stalls_ = c.stalls;
  last_event_time_ = c.last_event_time;
  closed_at_start_ = c.closed_at_start;
  moved_at_start_ = c.moved_at_start;
  y_ = c.y;
  visible_ = c.shown;
  visible_time_ = p.state.time;
  memory_ = c.impacts;
  creeping_ = c.creeping;
  for (std::size_t i = 0; i < n; ++i) slip_at_start_[i] = {c.slip[2 * i], c.slip[2 * i + 1]};
  refuse(!load_spins_of(c.spin));
  level_ = c.level;
  stage_ = c.stage;
  peak_ = c.peak;
  status_ = p.contacts;
  account_ = p.energy;
  account_.impacts = c.impact_work;
  account_.friction = c.friction_work;
  for (std::size_t i = 0; i < n; ++i) {
    if (is_closed(i)) active_.push_back(i);
  }
  near_ = c.shared;
  is_warm_ = !near_.empty();
  listed_ = p.state;
  listed_.time = c.listed_time;
  listed_.q = Eigen::Map<const Vector>(c.listed.data(), ix(positions_));
  reach_ = c.reach;
  list_near();
  events_ = p.events;
  impacts_ = p.impacts;
  steps_ = p.steps;
  other_law_ = p.other_law;
  sample_interval_ = p.sample_interval;
  next_sample_ = p.next_sample;
  last_sample_ = p.last_sample;
}

void Run::tell_contacts() {
  for (; told_contacts_ < contacts_.size(); ++told_contacts_) {
    if (recorder_ != nullptr) recorder_->contact(told_contacts_, contacts_[told_contacts_]);
  }
}

Summary Run::go(Recorder& recorder) {
  recorder_ = &recorder;
  told_contacts_ = model_.contacts();
  tell_contacts();
  follow_status();
  Ending ending = Ending::time;
  if (sample_interval_ != options_.sample_interval) find_next_sample(visible_time_);
  sample_interval_ = options_.sample_interval;
  const bool each_step = options_.sample_interval == 0.;
  const bool sampled = std::isfinite(options_.sample_interval);
  const auto ends = [&](Ending e) {
    ending = e;
    return true;
  };
  if (fresh_) {
    if (sampled) sample(time_, y_);
    tell_side(Side::before);
    Event start;
    start.kind = EventKind::start;
    for (const std::size_t i : active_) {
      if (is_closed(i)) start.contacts.push_back(i);
    }
    if (closed_at_start_ > 0.) start.note = start_note();
    conclude(std::move(start), std::vector<ContactStatus>(contacts_.size()));
    fresh_ = false;
    if (!instant({})) ending = Ending::failed;
    record_visible(time_, y_);
    if (ending != Ending::failed) tell_side(Side::after);
  }
  bool done = ending == Ending::failed;
  while (!done) {
    if (options_.most_events > 0 && events_ >= options_.most_events && ends(Ending::events)) break;
    if (!(visible_time_ < options_.end_time) && ends(Ending::time)) break;
    if (stops() && ends(Ending::stopped)) break;
    if (recorder.wants_progress()) recorder.progress(save());
    Trigger trigger;
    const Advance advance = flying() ? fly(trigger) : step(trigger);
    if (advance == Advance::failed && ends(Ending::failed)) break;
    if (advance == Advance::stopped && ends(Ending::stopped)) break;
    if (advance == Advance::end_time) {
      ending = Ending::time;
      break;
    }
    if (each_step) sample(time_, y_);
    if (advance == Advance::stepped) continue;
    if (trigger.kind == TriggerKind::model_end) {
      ending = Ending::model;
      reason_ = model_.end_name();
      break;
    }
    // Events without progress in time are reported as a failure.
    const double apart = 8. * epsilon * std::max(std::abs(time_), 1e-9 * scales_.time);
    stalls_ = time_ - last_event_time_ > apart ? 0. : stalls_ + 1.;
    last_event_time_ = time_;
    tell_side(Side::before);
    done = (stalls_ > most_stalls && !fail_stalled(trigger.contact)) || !instant(trigger) ||
           !accumulate();
    record_visible(time_, y_);
    if (done) ending = Ending::failed;
    if (!done) tell_side(Side::after);
    if (each_step && !done) sample(time_, y_);
  }
  if (sampled && last_sample_ != visible_time_) sample(visible_time_, visible_, Told::last);
  if (ending == Ending::time || ending == Ending::model) {
    Event end;
    end.kind = EventKind::end;
    end.time = visible_time_;
    end.note = ending == Ending::model ? reason_ : "";
    if (recorder.wants_sides()) sample(visible_time_, visible_, Told::before);
    recorder.event(end);
  }
  Summary summary;
  summary.ending = ending;
  summary.failure = failure_;
  summary.reason = reason_;
  summary.progress = save();
  return summary;
}

std::string_view name(Failure failure) {
  constexpr std::array<std::string_view, 9> names{
      "none",       "mass-matrix",     "no-acceleration", "step-size", "no-forces",
      "no-outcome", "endless-impacts", "stalled",         "crushed"};
  return names[static_cast<std::size_t>(failure)];
}

Progress start(const Model& model, const State& state, const std::vector<Surface>& surfaces,
               const Options& options) {
  if (options.method == MotionMethod::stepping) {
    Stepping stepping(model, surfaces, options);
    stepping.begin(state);
    return stepping.save();
  }
  Run run(model, surfaces, options);
  run.begin(state);
  return run.save();
}

Summary simulate(const Model& model, const std::vector<Surface>& surfaces, const Options& options,
                 const Progress& progress, Recorder& recorder) {
  if (options.method == MotionMethod::stepping) {
    Stepping stepping(model, surfaces, options);
    stepping.load(progress);
    return stepping.go(recorder);
  }
  Run run(model, surfaces, options);
  run.load(progress);
  return run.go(recorder);
}

}  // namespace carom::motion
