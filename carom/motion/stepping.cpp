// SPDX-License-Identifier: Apache-2.0
#include <carom/motion/stepping.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include <carom/core/error.hpp>
#include <carom/core/scalar.hpp>

namespace carom::motion {

namespace {

/// Step by default, relative to the time in which a body falls by about its own length.
constexpr double usual_step = 0.005;

/// Entries of Continuation::impulses for each contact: its number, whether it sticks, its impulse
/// and couple, and the guess of both.
constexpr std::size_t saved = 14;

/// Times that differ by less than this part of a step are the same: sums of steps are rounded.
constexpr double same_part = 1e-9;

/// Bodies that overlap after a step of this part of the nominal one are crushed.
constexpr double least_step = 1e-7;

double dot(const std::array<double, 3>& a, const std::array<double, 3>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

}  // namespace

double nominal_step(const Model& model, const Options& options) {
  if (options.step > 0.) return options.step;
  const double h = default_step(model);
  const double interval = options.sample_interval;
  if (!(interval > 0.) || !std::isfinite(interval)) return h;
  return interval / std::ceil(interval / h);  // so that samples are at the ends of steps
}

double default_step(const Model& model) {
  return usual_step * std::sqrt(model.length_scale() / model.acceleration_scale());
}

Stepping::Stepping(const Model& model, const std::vector<Surface>& surfaces, const Options& options)
    : setting_(model, surfaces, options),
      contacts_(model),
      mechanics_(model, contacts_),
      step_(model),
      solver_(setting_, mechanics_, step_),
      positions_(setting_, contacts_, mechanics_, step_),
      sampler_(setting_, contacts_, mechanics_) {}

// --- start, save, continue

void Stepping::begin(const State& state) {
  check_state(setting_.model, state);
  now_ = state;
  setting_.model.normalise(now_);
  if (!mechanics_.at_step(now_)) {
    throw InputError("mass", "the mass matrix must be finite and positive definite");
  }
  positions_.check_start(now_);
  refuse_sunk_bodies(setting_, now_);
  account_ = {};
  account_.kinetic_start = mechanics_.kinetic(now_.u);
  account_.potential_start = setting_.model.potential_energy(now_);
  end_of_step_ = now_.time;
  progress_.next.fresh = 1.;
}

std::size_t Stepping::largest_island_at_start() {
  step_.h = 0.;
  step_.middle = now_;
  solver_.find_contacts(now_, last_);
  return largest_island();
}

Progress Stepping::save() const {
  Progress p = progress_;
  sampler_.save(p);
  p.state = now_;
  p.found.clear();
  for (std::size_t i = setting_.model.contacts(); i < contacts_.size(); ++i) {
    p.found.push_back(contacts_[i]);
  }
  const std::size_t n = contacts_.size();
  p.contacts.assign(n, {});
  p.energy = account_;
  p.energy.impacts.resize(n, 0.);
  p.energy.friction.resize(n, 0.);
  p.energy.potential = setting_.model.potential_energy(now_);
  Continuation& c = p.next;
  c.use = contacts_.save_use();
  c.time = now_.time;
  c.steps_end = end_of_step_;
  c.steps_h = last_.h;
  const StepSolver::Counts& islands = solver_.counts();
  c.step_counts = {counts_.steps,  counts_.shorter, islands.repeated,
                   islands.sweeps, islands.formed,  islands.not_converged};
  c.impulses.clear();
  for (const StepContact& s : last_.contacts) {
    p.contacts[s.number] = s.status();
    c.impulses.push_back(static_cast<double>(s.number));
    c.impulses.push_back(s.sticks ? 1. : 0.);
    for (const auto* const three : {&s.impulse, &s.couple, &s.guess, &s.guess_couple}) {
      c.impulses.insert(c.impulses.end(), three->begin(), three->end());
    }
  }
  return p;
}

void Stepping::load(const Progress& p) {
  const auto refuse = [](bool wrong) {
    if (wrong) throw InputError("progress", "belongs to another model, or to other options");
  };
  for (const ContactId& id : p.found) (void)contacts_.number_of(id);
  contacts_.load_use(p.next.use);
  const std::size_t n = contacts_.size();
  refuse(p.contacts.size() != n || p.energy.impacts.size() != n || p.energy.friction.size() != n);
  refuse(p.state.q.size() != ix(setting_.positions) || p.state.u.size() != ix(setting_.velocities));
  const Continuation& c = p.next;
  refuse(c.impulses.size() % saved != 0);
  progress_ = p;
  sampler_.load(p);
  now_ = p.state;
  account_ = p.energy;
  last_.contacts.clear();
  for (std::size_t k = 0; k < c.impulses.size(); k += saved) {
    refuse(!(c.impulses[k] >= 0. && c.impulses[k] < static_cast<double>(n)));
    StepContact s;
    s.number = static_cast<std::size_t>(c.impulses[k]);
    s.id = contacts_[s.number];
    s.sticks = c.impulses[k + 1] != 0.;
    auto from = c.impulses.begin() + ix(k + 2);
    for (auto* const three : {&s.impulse, &s.couple, &s.guess, &s.guess_couple}) {
      std::copy_n(from, 3, three->begin());
      from += 3;
    }
    // Of the velocity only the direction of slip is reported before the next step.
    for (std::size_t j = 1; j < setting_.components; ++j) {
      s.after[j] = p.contacts[s.number].direction[j - 1];
    }
    last_.contacts.push_back(s);
  }
  // After events: what sticks is known.
  for (std::size_t i = 0; i < n && c.impulses.empty(); ++i) {
    if (p.contacts[i].touch == Touch::open) continue;
    StepContact s;
    s.number = i;
    s.id = contacts_[i];
    s.sticks = p.contacts[i].touch == Touch::stick;
    last_.contacts.push_back(s);
  }
  std::sort(last_.contacts.begin(), last_.contacts.end(),
            [](const StepContact& a, const StepContact& b) { return a.id < b.id; });
  last_.h = c.steps_h;
  end_of_step_ = c.steps_end;
  const std::vector<double>& counts = c.step_counts;
  if (counts.size() != 6) return;
  counts_ = {counts[0], counts[1]};
  solver_.counts() = {counts[2], counts[3], counts[4], counts[5]};
}

// --- a step

// M and forces in the middle of the step. Forces that depend on velocities are those of a velocity
// there, where M does not change alone.
bool Stepping::look_at_middle(double h) {
  const Model& model = setting_.model;
  State& middle = step_.middle;
  step_.h = h;
  middle = now_;
  middle.time = now_.time + 0.5 * h;
  model.displace(middle, now_.u, 0.5 * h);
  model.coast(now_, 0.5 * h, middle);
  if (!mechanics_.at_step(middle, h)) return false;
  if (model.keeps_kinetic_energy()) return true;
  step_.u = middle.u;
  middle.u += 0.5 * h * mechanics_.free();
  const bool possible = mechanics_.at_step(middle, h);
  middle.u = step_.u;
  return possible;
}

Stepping::Attempt Stepping::attempt(double h) {
  const auto fails = [&](Failure failure, const std::string& what, const char* advice) {
    trouble_.fail(failure, what + " at t = " + shortest(now_.time) + " s" + advice);
    return Attempt::failed;
  };
  if (!look_at_middle(h)) {
    return fails(Failure::mass_matrix, "the mass matrix is not positive definite", "");
  }
  solver_.find_contacts(now_, last_);
  if (!solver_.solve()) return Attempt::shorter;
  if (const std::size_t i = solver_.unsolvable(); i != nowhere) {
    return fails(Failure::no_forces,
                 "no finite forces satisfy Coulomb's law at " +
                     setting_.model.contact_name(step_.contacts.found[i].id) +
                     " and the contacts connected with it",
                 "; supports may draw a body in between them: try less friction, or leave it room");
  }
  if (!step_.u.allFinite()) {
    return fails(Failure::no_acceleration, "no finite force exists", "; try a smaller step");
  }
  if (!positions_.find_end(now_, end_)) return Attempt::shorter;
  power_ = setting_.model.step_power(step_.middle, step_.u_start, step_.u);
  step_.middle.u = step_.u;
  setting_.model.coast(step_.middle, 0.5 * h, end_);
  return Attempt::accepted;
}

bool Stepping::take_step(double h) {
  const double least = least_step * nominal_step(setting_.model, setting_.options);
  Attempt result = attempt(h);
  while (result == Attempt::shorter) {
    counts_.shorter += 1.;
    h *= 0.5;
    if (!(h > least)) {
      return trouble_.fail(
          Failure::crushed,
          "bodies overlap at t = " + shortest(now_.time) +
              " s however short the step is; a body may be crushed between supports: "
              "leave it room");
    }
    result = attempt(h);
  }
  return result == Attempt::accepted;
}

// What the next step remembers of this one.
void Stepping::remember() {
  last_.h = step_.h;
  last_.contacts.clear();
  for (StepContact& c : step_.contacts.found) {
    if (!c.acts) continue;
    if (c.number == nowhere) c.number = contacts_.number_of(c.id);
    contacts_.keep(c.number);
    last_.contacts.push_back(c);
  }
}

// The works of the step.
void Stepping::account_for() {
  account_.impacts.resize(contacts_.size(), 0.);
  account_.friction.resize(contacts_.size(), 0.);
  double drives = 0.;
  for (const StepContact& c : last_.contacts) {
    if (c.struck) drives += dot(c.law_impulse, c.support);
  }
  for (const StepContact& c : last_.contacts) {
    if (c.struck) account_.impacts[c.number] += c.law_change;
    account_.impacts[c.number] += c.normal_work() + (c.strikes ? c.friction_work : 0.);
    if (!c.strikes) account_.friction[c.number] += c.friction_work;
    drives += dot(c.impulse, c.support);
    if (c.unanswered) ++progress_.other_law;
  }
  account_.drives += drives;
  account_.drives += step_.h * power_.drives;
  account_.dampers += step_.h * power_.dampers;
  account_.corrections += positions_.corrected();
  counts_.steps += 1.;
  ++progress_.steps;
}

// --- the run

double Stepping::same_time() const {
  return same_part * nominal_step(setting_.model, setting_.options);
}

void Stepping::side(StepSampler::As kind) {
  if (sampler_.wants_sides()) sample(kind);
}

void Stepping::start_event() {
  if (std::isfinite(setting_.options.sample_interval)) sample(StepSampler::As::sample);
  Event start;
  start.kind = EventKind::start;
  start.time = now_.time;
  if (setting_.options.method == MotionMethod::automatic) {
    start.note = "by steps: many contacts touch";
  }
  side(StepSampler::As::before);
  sampler_.event(start);
  side(StepSampler::As::after);
  progress_.next.fresh = 0.;
}

void Stepping::advance() {
  const double same = same_time();
  const std::vector<StepContact>& found = step_.contacts.found;
  const bool strikes =
      std::any_of(found.begin(), found.end(), [](const StepContact& c) { return c.strikes; });
  remember();
  if (strikes) side(StepSampler::As::before);
  account_for();
  std::swap(now_, end_);
  if (std::abs(now_.time - end_of_step_) <= same) now_.time = end_of_step_;
  if (strikes) {
    progress_.impacts += sampler_.report_impacts(step_, now_.time);
    side(StepSampler::As::after);
  }
  if (setting_.options.sample_interval == 0.) {
    sample(StepSampler::As::sample);
  } else if (now_.time >= sampler_.next() - same) {
    sample(StepSampler::As::sample);
    sampler_.find_next(now_.time + same);
  }
}

Ending Stepping::follow(Recorder& recorder, double until) {
  const Options& options = setting_.options;
  const double h = nominal_step(setting_.model, options);
  const double same = same_time();
  while (now_.time < until - same) {
    if (options.most_events > 0 && sampler_.events >= options.most_events) return Ending::events;
    if (sampler_.stops()) return Ending::stopped;
    if (recorder.wants_progress()) recorder.progress(save());
    if (!(now_.time < end_of_step_ - same)) {
      end_of_step_ = now_.time + h;
      if (!(end_of_step_ < until - same)) end_of_step_ = until;
    }
    if (!take_step(end_of_step_ - now_.time)) return Ending::failed;
    advance();
    if (const auto f = setting_.model.end_function(now_); f && *f <= 0.) {
      trouble_.reason = setting_.model.end_name();
      return Ending::model;
    }
  }
  return Ending::time;
}

Summary Stepping::go(Recorder& recorder, double stretch_end) {
  const Options& options = setting_.options;
  sampler_.begin(recorder, now_.time);
  if (progress_.next.fresh != 0.) start_event();
  Summary summary;
  summary.ending = follow(recorder, std::min(options.end_time, stretch_end));
  const bool at_time = summary.ending == Ending::time;
  const bool goes_on = at_time && now_.time < options.end_time - same_time();
  if (std::isfinite(options.sample_interval) && sampler_.last() != now_.time && !goes_on) {
    sample(StepSampler::As::last);
  }
  if ((at_time && !goes_on) || summary.ending == Ending::model) {
    Event end;
    end.kind = EventKind::end;
    end.time = now_.time;
    end.note = trouble_.reason;
    side(StepSampler::As::before);
    recorder.event(end);
  }
  if (mechanics_.at_step(now_)) account_.kinetic = mechanics_.kinetic(now_.u);
  summary.failure = trouble_.failure;
  summary.reason = trouble_.reason;
  summary.progress = save();
  return summary;
}

}  // namespace carom::motion
