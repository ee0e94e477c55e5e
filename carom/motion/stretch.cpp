// SPDX-License-Identifier: Apache-2.0
#include <carom/motion/stretch.hpp>

#include <algorithm>
#include <cmath>

#include <carom/core/scalar.hpp>

namespace carom::motion {

namespace {

/// The first step, and the shortest one that is tried after an event, relative to the reference
/// time.
constexpr double first_step = 0.05;
constexpr double step_after_event = 1e-3;
/// EventSearch looks at so many parts of a step.
constexpr double searched_parts = 8.;
/// A release is over after this, relative to the reference time.
constexpr double release_time = 1e-6;
/// Slip above this many times vanishing_slip() has a direction of its own.
constexpr double clear_slip = 4.;
/// The first side of an event at which slip stops is at most this earlier, relative to the
/// reference time.
constexpr double side_time = 1e-6;
/// The shortest step relative to the time, or to this part of the reference time.
constexpr double shortest_step = 16. * epsilon;
constexpr double shortest_time = 1e-6;

}  // namespace

Stretch::Stretch(const Setting& setting, Contacts& contacts, CompliantContacts& compliant,
                 Slip& slip, Spins& spins, Equations& equations, Projection& projection,
                 Neighbours& neighbours, Sampler& sampler, Present& now, Trouble& trouble)
    : setting_(setting),
      contacts_(contacts),
      compliant_(compliant),
      slip_(slip),
      spins_(spins),
      equations_(equations),
      projection_(projection),
      sampler_(sampler),
      now_(now),
      trouble_(trouble),
      indicators_(setting, contacts, compliant, slip, spins, equations, now),
      course_(setting, contacts, compliant, slip, spins, equations, indicators_, now, trouble),
      search_(setting, contacts, compliant, neighbours, equations, indicators_, course_, now),
      h_(first_step * setting.scales.time) {}

// Slip or rolling that is about to vanish does so at once, in a step that is too short for anything
// else to happen.
Advance Stretch::vanish(Trigger& trigger) {
  double left = 0.;
  trigger = {};
  if (const std::size_t i = slip_.vanishing(equations_.acceleration, left); i != nowhere) {
    trigger = {TriggerKind::stops, i, now_.time};
  } else if (contacts_.spinning.empty() || !spins_.vanish(equations_.acceleration, trigger, left)) {
    return Advance::stepped;
  }
  slip_.follow_clear_slip();
  double end = now_.time + left;
  if (!(left > 0.) || !course_.advance_by(left)) end = now_.time;
  const bool ends = end > setting_.options.end_time;
  const double last = ends ? setting_.options.end_time : std::nextafter(end, now_.time);
  if (end > now_.time && (ends || sampler_.is_due(last))) {
    if (!course_.know()) return Advance::failed;
    const auto at = [this](double t, std::vector<double>& y) { course_.at(t, y, now_.size()); };
    while (!sampler_.sample_until(last, at)) {  // also if the run is to stop: the time is short
    }
  }
  if (ends) {  // a run that continues repeats the step
    trial_.resize(now_.size());
    course_.at(last, trial_, now_.size());
    now_.show(last, trial_);
    start_.ended_within = true;
    return Advance::end_time;
  }
  // The first side has the slip at the start: at the end its direction is that of errors.
  sampler_.before(end, now_.y, now_.time);
  if (end > now_.time) now_.y = course_.end();
  now_.time = end;
  projection_.project();
  now_.show();
  trigger.time = now_.time;
  return Advance::event;
}

// Steps that become too short while the forces of several contacts grow without bound: slip jams,
// though no contact by itself would. The one with the largest force gives its name to the event.
bool Stretch::diverges(Trigger& trigger) {
  if (trouble_.failure != Failure::step_size) return false;
  const Trouble failure = trouble_;
  if (!course_.start()) return false;
  trouble_ = failure;
  trigger = {TriggerKind::diverges, indicators_.jamming(), now_.time};
  if (trigger.contact == nowhere) return false;
  trouble_ = {};
  return true;
}

// Bodies that spin fast without acceleration would turn several times in a step, more than the
// search for contacts that close sees.
double Stretch::longest_search() const {
  const double part = setting_.model.flight_step(now_.state);
  return part > 0. ? searched_parts * part : infinite;
}

Advance Stretch::step(Trigger& trigger) {
  contacts_.note_touching();
  now_.lay_out();
  course_.note_slip();
  start_.status = contacts_.modes.status;
  start_.creeping = contacts_.modes.creeping;
  start_.shared = equations_.distribution.last();
  if (!course_.start()) return Advance::failed;
  // Slip that fell took short steps, which do not matter any more.
  const double least_next = step_after_event * setting_.scales.time;
  if (const Advance vanished = vanish(trigger); vanished != Advance::stepped) {
    if (vanished == Advance::event) h_ = std::max(h_, least_next);
    return vanished;
  }
  const double least =
      shortest_step * std::max(std::abs(now_.time), shortest_time * setting_.scales.time);
  const double jump = setting_.model.next_jump(now_.time);
  if (jump - now_.time < least) return jumped(jump, trigger);
  now_.latest = std::nextafter(jump, now_.time);
  const double longest = std::min({h_, setting_.scales.time, jump - now_.time, longest_search()});
  if (!course_.advance(longest, least)) return diverges(trigger) ? Advance::event : Advance::failed;
  ++steps_;
  // Events and samples ask for more distributions of forces, which the next step must not see: a
  // run in pieces asks for others.
  shared_at_end_ = equations_.distribution.last();
  const bool depends = equations_.distribution.decides();
  const double end = now_.time + course_.h();
  if (!search_.first_event(end, trigger)) return Advance::failed;
  const double reached = std::min(trigger.time, end);
  const bool ends = reached > setting_.options.end_time;
  const double until = ends ? setting_.options.end_time : reached;
  if ((until < end || sampler_.is_due(until)) && !course_.know()) return Advance::failed;
  const auto at = [this](double t, std::vector<double>& y) { course_.at(t, y, now_.size()); };
  if (!sampler_.sample_until(until, at)) {
    start_.ended_within = true;
    --steps_;  // the step is repeated
    return Advance::stopped;
  }
  const bool has_gap =
      trigger.kind == TriggerKind::closes || trigger.kind == TriggerKind::hands_over;
  if (reached < end && !ends && !has_gap && sampler_.wants_sides()) {
    if (!course_.know()) return Advance::failed;
    const double of = take_first_side(trigger, std::min(trigger.before, until));
    sampler_.before(until, trial_, of);
  }
  trial_ = course_.end();
  if (until < end) at(until, trial_);
  if (ends) {
    now_.show(until, trial_);
    start_.ended_within = true;
    return Advance::end_time;
  }
  auto& reported = equations_.distribution.reported;
  if (depends && !reported.depends && until == end) reported = {true, now_.time};
  accept(until, trigger);
  const double next = course_.next();
  if (trigger.kind != TriggerKind::none) {
    if (trigger.kind == TriggerKind::stops) contacts_.modes.creeping[trigger.contact] = 0.;
    h_ = std::max(std::min(h_, next), least_next);
    return Advance::event;
  }
  // A jump may have cut the step short.
  h_ = std::max(next, course_.h() < h_ && !course_.was_rejected() ? h_ : 0.);
  return now_.time >= now_.latest ? jumped(jump, trigger) : Advance::stepped;
}

// At the instant at which slip stops in space its direction is that of errors. The first side of
// the event is a little earlier, where slip is faster than these, unless it takes long to fall.
double Stretch::take_first_side(const Trigger& trigger, double time) {
  trial_.resize(now_.size());
  course_.at(time, trial_, now_.size());
  if (trigger.kind != TriggerKind::stops || setting_.components != 3) return time;
  const double start = now_.time;
  double of = time;
  const double clear = clear_slip * setting_.vanishing_slip();
  const double most = side_time * setting_.scales.time;
  for (double earlier = std::min(clear / setting_.scales.acceleration, 0.5 * most);
       earlier < most && time - earlier > start; earlier *= 2.) {
    of = time - earlier;
    course_.at(of, trial_, now_.size());
    now_.take(trial_, of);
    const Eigen::Vector3d& v = now_.mechanics.load(trigger.contact, now_.state).velocity;
    if (std::hypot(v(1), v(2)) > clear) break;
  }
  now_.take();
  return of;
}

void Stretch::accept(double until, const Trigger& trigger) {
  const double start = now_.time;
  now_.y = trial_;
  equations_.distribution.set_last(shared_at_end_);
  course_.keep_directions(!(until < start + course_.h()));
  if (until - start > release_time * setting_.scales.time) {
    // In the plane a release is over as soon as time advances: slip that is zero then has come to
    // zero.
    auto& creeping = contacts_.modes.creeping;
    if (setting_.components == 2) std::fill(creeping.begin(), creeping.end(), 0.);
    spins_.forget_releases();
  }
  now_.time = until;
  projection_.project(trigger.kind == TriggerKind::closes ? trigger.contact : nowhere);
  compliant_.recover(now_.state);
  now_.show();
}

// Where a prescribed acceleration jumps, modes are decided again.
Advance Stretch::jumped(double time, Trigger& trigger) {
  now_.time = time;
  now_.latest = infinite;
  now_.show();
  trigger = {TriggerKind::jumps, nowhere, now_.time};
  return Advance::event;
}

void Stretch::save(Progress& p) const {
  const bool back = start_.ended_within;
  p.contacts = back ? start_.status : contacts_.modes.status;
  p.contacts.resize(contacts_.size());  // more may have been found since the step began
  p.steps = steps_;
  Continuation& c = p.next;
  c.step = h_;
  c.creeping = back ? start_.creeping : contacts_.modes.creeping;
  c.creeping.resize(contacts_.size(), 0.);
  c.depends = equations_.distribution.reported.depends ? 1. : 0.;
  c.depends_since = equations_.distribution.reported.since;
  c.shared = back ? start_.shared : equations_.distribution.last();
}

void Stretch::load(const Progress& p) {
  steps_ = p.steps;
  h_ = p.next.step;
  contacts_.modes.status = p.contacts;
  contacts_.modes.creeping = p.next.creeping;
  contacts_.modes.status.resize(contacts_.size());  // more may have been found after steps
  contacts_.modes.creeping.resize(contacts_.size(), 0.);
  equations_.distribution.set_last(p.next.shared);
  equations_.distribution.reported = {p.next.depends != 0., p.next.depends_since};
}

}  // namespace carom::motion
