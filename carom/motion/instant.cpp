// SPDX-License-Identifier: Apache-2.0
#include <carom/motion/instant.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include <carom/core/error.hpp>

namespace carom::motion {

namespace {

constexpr int most_rounds = 100;
constexpr int most_settlings = 3;
constexpr int most_retakes = 3;

/// Angle between slip and the direction for which modes were decided, below which they are the same
/// [rad].
constexpr double same_direction = 1e-9;

bool same(const ContactStatus& a, const ContactStatus& b, std::size_t components) {
  if (a.touch != b.touch) return false;
  return components == 3 || a.touch != Touch::slip || a.direction[0] == b.direction[0];
}

EventKind kind_of(const ContactStatus& from, const ContactStatus& to) {
  if (from.touch == Touch::open) return EventKind::touch_down;
  if (to.touch == Touch::open) return EventKind::lift_off;
  if (to.touch == Touch::stick) return EventKind::slip_to_stick;
  return from.touch == Touch::stick ? EventKind::stick_to_slip : EventKind::slip_to_slip;
}

/// Whether an impact pushes at any of its contacts.
bool pushes(const Event& impact, std::size_t components) {
  for (std::size_t k = 0; k < impact.impulse.size(); k += components) {
    if (impact.impulse[k] > 0.) return true;
  }
  return false;
}

bool has_stopped(const Trigger& trigger) {
  return trigger.kind == TriggerKind::stops || trigger.kind == TriggerKind::spin_stops;
}

void set_paradox(Event& event, const Conflict& conflict) {
  event.kind = EventKind::painleve;
  event.paradox = conflict.paradox;
  event.A = conflict.A;
  event.B = conflict.B;
}

}  // namespace

Instant::Instant(const Setting& setting, Contacts& contacts, CompliantContacts& compliant,
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
      decision_(setting, contacts, compliant, spins, neighbours, now, trouble),
      resolver_(setting, contacts),
      settler_(setting, contacts, compliant, equations, projection, decision_, resolver_, now,
               trouble),
      compliant_events_(contacts, compliant, equations, projection, decision_, now) {}

void Instant::decide_at_start() {
  if (!decision_.gather()) return;
  if (decision_.approaches(setting_.scales.still) || !decision_.decide({})) {
    for (ContactStatus& s : contacts_.modes.status) s = {};
  }
}

bool Instant::handle(Trigger trigger) {
  now_.make_room();
  before_ = contacts_.modes;
  event_.clear();
  settled_ = 0;
  opened_ = false;
  retaken_ = 0;
  has_struck_ = compliant_events_.apply(trigger, event_);
  if (has_stopped(trigger)) stop(trigger);
  for (int k = 0; k < most_rounds; ++k) {
    const Round result = round(trigger);
    if (result != Round::again) return result == Round::done;
  }
  return trouble_.fail(Failure::endless_impacts, "more than " + std::to_string(most_rounds) +
                                                     " impacts follow each other at t = " +
                                                     shortest(now_.time) + " s; try restitution 0");
}

// Removes remaining slip or spin, in whichever direction it may go next. What is as slow beside it
// stops with it, unless that contradicts what is at rest already.
void Instant::stop(const Trigger& trigger) {
  stopped_from_ = now_.y;
  for (const bool others : {true, false}) {
    if (trigger.kind == TriggerKind::stops) {
      slip_.stop(trigger.contact, others);
    } else {
      spins_.stop(trigger, others);
    }
    projection_.project();
    if (!others || !projection_.leaves_any()) return;
    now_.y = stopped_from_;
    contacts_.restore(before_);
  }
}

Instant::Round Instant::round(Trigger& trigger) {
  if (!decision_.gather()) return Round::failed;
  before_.status.resize(contacts_.size());
  before_.spins.resize(contacts_.modes.spins.size());
  // Contacts that share directions may contradict each other by rounding. What settling does not
  // remove of an approach stays. Where nothing closes an approach of rounding size is left to the
  // next modes.
  const bool ignores = settled_ > most_settlings || trigger.kind > TriggerKind::closes;
  if (decision_.approaches(ignores ? setting_.scales.faint : setting_.scales.still)) {
    return strike(trigger);
  }
  if (decision_.decide(trigger, true)) return take_modes(trigger);
  const Conflict& conflict = decision_.conflict();
  if (!conflict.needs_impact) {
    decision_.fail();
    return Round::failed;
  }
  if (!compliant_.has(conflict.contact)) return resolve_conflict(trigger);
  // A spring has a force where rigid contact has none.
  compliant_events_.load_again(conflict.contact);
  return Round::again;
}

void Instant::begin_strike() {
  if (has_struck_) conclude(event_, before_.status);
  event_.clear();
  has_struck_ = true;
}

Instant::Round Instant::strike(Trigger& trigger) {
  trigger = {};
  settler_.count_slow(decision_.rigid());
  find_islands();
  if (settle_islands()) {
    ++settled_;
    return Round::again;
  }
  begin_strike();
  settled_ = 0;
  if (!impact(event_, nullptr)) return Round::failed;
  const bool by_contact_time = setting_.options.settling == Settling::contact_time;
  if (by_contact_time && !settler_.settle_by_contact_time(event_)) return Round::failed;
  return Round::again;
}

// Islands whose impacts are too slow, or too many, come to rest before others strike.
bool Instant::settle_islands() {
  bool begun = false;
  bool any = false;
  for (const Islands::Island& island : islands_.all()) {
    const auto members = islands_.members(island);
    members_.assign(members.begin(), members.end());
    const double speed = settler_.settling_speed(members_);
    if (!(speed > 0.)) continue;
    any = true;
    const bool chatters = speed > setting_.scales.faint;
    if (!chatters && !begun && has_struck_ && !event_.impulse.empty()) {
      stop_rest(speed);
      continue;
    }
    if (!begun) begin_strike();
    begun = true;
    settler_.settle(
        members_, event_, speed, true,
        chatters ? "many slow impacts would follow each other" : "slower than positions resolve");
  }
  return any;
}

// What laws leave of an approach by rounding, as where a box lands flat, is part of the impact.
void Instant::stop_rest(double speed) {
  Event rest;
  settler_.settle(members_, rest, speed, true, "");
  for (const std::size_t i : rest.contacts) {
    if (std::find(event_.contacts.begin(), event_.contacts.end(), i) != event_.contacts.end()) {
      continue;
    }
    event_.contacts.push_back(i);
    event_.impulse.insert(event_.impulse.end(), setting_.components, 0.);
  }
}

// An impact without collision, where rigid contact has no force.
Instant::Round Instant::resolve_conflict(Trigger& trigger) {
  begin_strike();
  trigger = {};
  const Conflict conflict = decision_.conflict();
  // Contacts that inertia couples to it. What others do does not matter.
  find_islands();
  std::vector<std::size_t> coupled;
  for (const Islands::Island& island : islands_.all()) {
    const auto members = islands_.members(island);
    if (std::find(members.begin(), members.end(), conflict.contact) == members.end()) continue;
    coupled.assign(members.begin(), members.end());
  }
  const auto stop_slip = [&](double speed) {
    settler_.settle(coupled, event_, speed, false,
                    "no forces satisfy Coulomb's law: slow slip stops");
    return Round::again;
  };
  if (const double speed = settler_.slow_slip(coupled, true); speed > 0.) return stop_slip(speed);
  const Jam jam{conflict.contact, opened_};
  if (!impact(event_, &jam)) return Round::failed;
  if (!pushes(event_, setting_.components)) {
    // Other contacts may open, and finite forces hold the rest.
    if (!impact_.opens.empty() && !opened_) {
      opened_ = true;
      decision_.open_first(impact_.opens, conflict);
      event_.clear();
      has_struck_ = false;
      return Round::again;
    }
    // Slip that is slow beside others has stopped in the limit.
    const double speed = settler_.slow_slip(coupled, false);
    if (speed > 0. && settled_++ < most_settlings) return stop_slip(speed);
    trouble_.fail(Failure::no_forces, "rigid contact at " + contacts_.name(conflict.contact) +
                                          " has no force, and the law gives no impulse");
    return Round::failed;
  }
  set_paradox(event_, conflict);
  append_note(event_, "an impact without collision");
  return Round::again;
}

Instant::Round Instant::take_modes(Trigger& trigger) {
  contacts_.follow_status();
  projection_.project();
  stop_stray_slip();
  if ((turned_slip() || spins_.have_turned()) && retaken_ < most_retakes) {
    ++retaken_;
    contacts_.restore(decision_.before());
    if (has_stopped(trigger)) trigger = {};  // what has turned has not stopped
    return Round::again;
  }
  compliant_events_.release_held();
  Event& event = event_;
  const Conflict& conflict = decision_.conflict();
  const bool lifts = conflict.paradox != Paradox::none && !contacts_.is_closed(conflict.contact);
  if (lifts && !has_struck_) {
    name_event(trigger, event);
    if (event.contacts.empty()) event.contacts = {conflict.contact};  // at the start
    set_paradox(event, conflict);
    event.note = "it lifts off, though a force could hold it";
  }
  if (decision_.has_others() && event.note.empty()) {
    event.note = "other contact forces solve the problem, too";
  }
  if (!has_struck_ && event.kind != EventKind::painleve) name_event(trigger, event);
  if (!event.contacts.empty()) {
    note_distribution(event);
    conclude(event, before_.status);
  }
  return trouble_.failure == Failure::none ? Round::done : Round::failed;
}

// Slip so slow that the decision took it for zero has the direction that it begins to have, unless
// contacts that stick contradict that: then it is zero, or forces would not be those of the
// decision.
void Instant::stop_stray_slip() {
  const double still = setting_.scales.still;
  const auto strays = [&](std::size_t i) {
    if (!contacts_.creeps(i) || contacts_.is_smooth(i)) return false;
    const Eigen::Vector3d& v = now_.mechanics.load(i, now_.state).velocity;
    const auto& d = contacts_.modes.status[i].direction;
    const bool off =
        std::abs(v(1) * d[1] - v(2) * d[0]) > still || v(1) * d[0] + v(2) * d[1] < -still;
    return off && std::hypot(v(1), v(2)) <= setting_.vanishing_slip();
  };
  stray_.clear();
  while (true) {
    // Where slip stops that of others may change: they stop with it.
    const std::size_t before = stray_.size();
    for (const std::size_t i : contacts_.touching) {
      const bool known = std::find(stray_.begin(), stray_.end(), i) != stray_.end();
      if (!known && strays(i)) stray_.push_back(i);
    }
    if (stray_.size() == before) return;
    stopped_from_ = now_.y;
    decided_ = contacts_.modes.status;
    for (const std::size_t i : stray_) contacts_.modes.status[i] = {Touch::stick, {}};
    projection_.project();
    contacts_.modes.status = decided_;
    if (!projection_.leaves_any()) continue;
    now_.y = stopped_from_;  // it contradicts what is closed
    now_.take();
    return;
  }
}

// Whether what the modes exclude of the velocities, once it is removed, has turned slip away from
// the direction of friction for which the modes were decided, or has stopped it.
bool Instant::turned_slip() const {
  const bool in_space = setting_.components == 3;
  const double no_slip = in_space ? setting_.vanishing_slip() : setting_.scales.still;
  for (const std::size_t i : contacts_.touching) {
    if (!contacts_.slips(i) || contacts_.is_smooth(i)) continue;
    const Eigen::Vector3d& v = now_.mechanics.load(i, now_.state).velocity;
    const auto& d = contacts_.modes.status[i].direction;
    const double along = v(1) * d[0] + (in_space ? v(2) * d[1] : 0.);
    const double across = in_space ? std::abs(v(1) * d[1] - v(2) * d[0]) : 0.;
    if (decision_.had_slip(i) && std::abs(along) + across <= no_slip) return true;
    if (std::abs(along) + across > no_slip && !(across <= same_direction * along)) return true;
  }
  return false;
}

// The contact that caused the event determines its name.
void Instant::name_event(const Trigger& trigger, Event& event) const {
  const auto& status = contacts_.modes.status;
  std::size_t first = nowhere;
  for (const std::size_t i : contacts_.active) {
    const bool stopped = trigger.kind == TriggerKind::stops && trigger.contact == i;
    if (same(before_.status[i], status[i], setting_.components) &&
        !(stopped && setting_.components == 3 && contacts_.slips(i))) {
      continue;
    }
    event.contacts.push_back(i);
    if (first == nowhere || i == trigger.contact) first = i;
  }
  if (first != nowhere) {
    event.kind = kind_of(before_.status[first], status[first]);
    event.ratio = decision_.ratio(first);
    if (event.kind == EventKind::touch_down && compliant_.has(first)) {
      event.approach = std::max(0., -now_.mechanics.motion(first).velocity(0));
    }
  }
  if (setting_.any_couples) spins_.name_event(trigger, before_.status, before_.spins, event);
}

// Bodies that closed contacts connect.
void Instant::find_islands() {
  islands_.clear();
  const Mechanics& mechanics = now_.mechanics;
  for (const std::size_t i : decision_.rigid()) islands_.add(i, mechanics.blocks_of(i));
  islands_.find(mechanics.blocks());
}

// Contacts that are not coupled by inertia are solved separately, each coupled group together,
// after find_islands().
bool Instant::impact(Event& event, const Jam* jam) {
  event.kind = EventKind::impact;
  const std::vector<std::size_t>& rigid = decision_.rigid();
  double speed = 0.;
  for (const std::size_t i : rigid) {
    speed = std::max(speed, -now_.mechanics.motion(i).velocity(0));
  }
  const Mechanics& mechanics = now_.mechanics;
  bool struck = false;
  for (const Islands::Island& island : islands_.all()) {
    const auto members = islands_.members(island);
    members_.assign(members.begin(), members.end());
    bool strikes = false;
    bool collides = true;
    for (const std::size_t i : members) {
      collides = collides && (jam == nullptr || i != jam->contact);
      strikes = strikes || mechanics.motion(i).velocity(0) < -setting_.scales.still;
    }
    if (!strikes && collides) continue;
    struck = true;
    if (!strike_island(members_, collides ? nullptr : jam, event)) return false;
  }
  if (!struck) {
    return trouble_.fail(Failure::no_outcome,
                         "an impact without approach at t = " + shortest(now_.time) + " s");
  }
  for (const std::size_t i : contacts_.active) {
    contacts_.modes.creeping[i] = 0.;  // accelerations have changed
  }
  for (SpinStatus& s : contacts_.modes.spins) s = {};
  ++impacts_;
  settler_.remember(event, speed);
  return true;
}

bool Instant::strike_island(const std::vector<std::size_t>& contacts, const Jam* jam,
                            Event& event) {
  if (!resolver_.strike(contacts, jam, now_.mechanics, now_.state, impact_, trouble_)) {
    return false;
  }
  now_.y[now_.drives_at()] += push(now_.mechanics, contacts, impact_.impulse, now_.state.u);
  now_.store_velocity();
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    now_.account.impacts[contacts[k]] += impact_.work[k];
  }
  other_law_ += impact_.other_law;
  event.contacts.insert(event.contacts.end(), contacts.begin(), contacts.end());
  event.impulse.insert(event.impulse.end(), impact_.impulse.data(),
                       impact_.impulse.data() + impact_.impulse.size());
  event.energy_change += impact_.energy_change;
  // An event has the verdicts of all impacts of its instant, whatever their order.
  event.flags =
      Verdicts::from_bits(static_cast<std::uint16_t>(event.flags.bits() | impact_.flags.bits()));
  if (!impact_.note.empty()) append_note(event, impact_.note);
  return true;
}

bool Instant::accumulate() {
  auto passed = settler_.accumulate();
  if (!passed) return trouble_.failure == Failure::none;
  sampler_.sample_passed_over(passed->start, passed->from, passed->modes.status);
  note_distribution(passed->event);
  conclude(passed->event, passed->modes.status);
  return handle({});
}

void Instant::note_distribution(Event& event) {
  const bool depends = equations_.depend_on_distribution();
  equations_.distribution.reported.depends = depends;
  if (!depends) return;
  append_note(event, "the motion depends on how forces are distributed: the least are taken");
}

void Instant::note_dependence(Event& event) const {
  const double since = equations_.distribution.reported.since;
  if (!(since < infinite)) return;
  append_note(event, "from " + shortest(since) +
                         " s on the motion depended on how forces are distributed: the least were "
                         "taken");
}

void Instant::conclude(Event& event, const std::vector<ContactStatus>& before) {
  event.time = now_.time;
  note_dependence(event);
  equations_.distribution.reported.since = infinite;
  event.from.clear();
  event.to.clear();
  for (const std::size_t i : event.contacts) {
    event.from.push_back(before[i]);
    event.to.push_back(contacts_.modes.status[i]);
  }
  sampler_.event(event);
}

void Instant::save(Progress& p) const {
  p.impacts = impacts_;
  p.other_law = other_law_;
  p.next.impacts = settler_.memory();
}

void Instant::load_counts(const Progress& p) {
  impacts_ = p.impacts;
  other_law_ = p.other_law;
}

bool Instant::load(const Progress& p) {
  load_counts(p);
  return settler_.load(p.next.impacts);
}

}  // namespace carom::motion
