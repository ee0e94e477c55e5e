// SPDX-License-Identifier: Apache-2.0
#include <carom/motion/run.hpp>

#include <algorithm>
#include <cmath>

#include <carom/core/error.hpp>
#include <carom/core/scalar.hpp>
#include <carom/motion/automatic.hpp>

namespace carom::motion {

namespace {

constexpr double most_stalls = 200.;
constexpr double few_stalls = 10.;

/// Events are apart if time has advanced by more than this, relative to the time, or to this part
/// of the reference time.
constexpr double apart_in_time = 8. * epsilon;
constexpr double least_time = 1e-9;

}  // namespace

Run::Run(const Model& model, const std::vector<Surface>& surfaces, const Options& options)
    : setting_(model, surfaces, options),
      contacts_(setting_),
      compliant_(setting_, contacts_),
      now_(setting_, contacts_, compliant_),
      neighbours_(setting_, contacts_, [this] { grow(); }),
      slip_(setting_, contacts_, now_),
      spins_(setting_, contacts_, now_),
      equations_(setting_, contacts_, compliant_, slip_, spins_, now_),
      projection_(setting_, contacts_, compliant_, spins_, now_),
      sampler_(setting_, contacts_, equations_, projection_, now_),
      start_(setting_, contacts_, compliant_, neighbours_, projection_, now_),
      flight_(setting_, contacts_, compliant_, neighbours_, sampler_, now_),
      stretch_(setting_, contacts_, compliant_, slip_, spins_, equations_, projection_, neighbours_,
               sampler_, now_, trouble_),
      instant_(setting_, contacts_, compliant_, slip_, spins_, equations_, projection_, neighbours_,
               sampler_, now_, trouble_) {
  contacts_.grow();
  grow();
  now_.make_room();
}

// Makes room for contacts that were found.
void Run::grow() {
  compliant_.grow();
  now_.grow();
  equations_.grow();
  stretch_.grow();
  instant_.grow();
}

void Run::begin(const State& state) {
  start_.begin(state);
  crowd_.since = state.time;
  instant_.decide_at_start();
}

bool Run::begin_again(const Progress& p) {
  for (const ContactId& id : p.found) (void)neighbours_.number_of(id);
  contacts_.list().load_use(p.next.use);
  std::vector<std::size_t> closed;
  for (std::size_t i = 0; i < p.contacts.size(); ++i) {
    if (p.contacts[i].touch != Touch::open) closed.push_back(i);
  }
  if (!start_.begin_again(p, closed)) return false;
  crowd_.since = p.state.time;
  sampler_.load(p);
  instant_.load_counts(p);
  stretch_.load(p);
  fresh_ = false;
  again_ = true;
  instant_.decide_at_start();
  return true;
}

Progress Run::save() {
  Progress p;
  now_.save(p);
  stretch_.save(p);
  instant_.save(p);
  sampler_.save(p);
  start_.save(p.next);
  for (std::size_t i = setting_.model.contacts(); i < contacts_.size(); ++i) {
    p.found.push_back(contacts_[i]);
  }
  Continuation& c = p.next;
  c.fresh = fresh_ ? 1. : 0.;
  c.stalls = stalls_;
  c.last_event_time = last_event_time_;
  c.work = crowd_.work;
  c.work_time = crowd_.since;
  // Forces just after an event depend on it, until the next step begins.
  for (const auto& slip : contacts_.slip_at_start) {
    c.slip.insert(c.slip.end(), slip.begin(), slip.end());
  }
  c.spin = spins_.save_modes();
  c.level = compliant_.level;
  c.stage = compliant_.stage;
  c.peak = compliant_.peak;
  c.use = contacts_.list().save_use();
  const State& listed = neighbours_.listed();
  c.listed_time = listed.time;
  c.listed.assign(listed.q.begin(), listed.q.end());
  c.reach = neighbours_.reach();
  c.reaches = neighbours_.reaches();
  return p;
}

void Run::load(const Progress& p) {
  const auto refuse = [](bool wrong) {
    if (wrong) throw InputError("progress", "belongs to another model, or to other options");
  };
  for (const ContactId& id : p.found) (void)neighbours_.number_of(id);
  contacts_.list().load_use(p.next.use);
  const Continuation& c = p.next;
  const std::size_t n = contacts_.size();
  refuse(p.contacts.size() != n || c.creeping.size() != n || c.slip.size() != 2 * n);
  for (const auto* v : {&c.level, &c.stage, &c.peak}) refuse(v->size() != compliant_.size());
  refuse(c.listed.size() != setting_.positions);
  refuse(!now_.load(p));
  refuse(!instant_.load(p));
  stretch_.load(p);
  sampler_.load(p);
  start_.load(c);
  fresh_ = c.fresh != 0.;
  stalls_ = c.stalls;
  last_event_time_ = c.last_event_time;
  crowd_.work = c.work;
  crowd_.since = c.work_time;
  for (std::size_t i = 0; i < n; ++i) {
    contacts_.slip_at_start[i] = {c.slip[2 * i], c.slip[2 * i + 1]};
  }
  refuse(!spins_.load_modes(c.spin));
  compliant_.level = c.level;
  compliant_.stage = c.stage;
  compliant_.peak = c.peak;
  for (std::size_t i = 0; i < n; ++i) {
    if (contacts_.is_closed(i)) contacts_.active.push_back(i);
  }
  State listed = p.state;
  listed.time = c.listed_time;
  listed.q = Eigen::Map<const Vector>(c.listed.data(), ix(setting_.positions));
  refuse(!neighbours_.load(listed, c.reach, c.reaches));
}

bool Run::start_event() {
  sampler_.side(Sampler::As::before);
  Event start;
  start.kind = EventKind::start;
  for (const std::size_t i : contacts_.active) {
    if (contacts_.is_closed(i)) start.contacts.push_back(i);
  }
  start.note = start_.note();
  instant_.note_distribution(start);
  instant_.conclude(start, std::vector<ContactStatus>(contacts_.size()));
  fresh_ = false;
  const bool possible = instant_.handle({});
  now_.show();
  if (possible) sampler_.side(Sampler::As::after);
  return possible;
}

// Events without progress in time are reported as a failure.
bool Run::is_stalled(const Trigger& trigger) {
  const double apart =
      apart_in_time * std::max(std::abs(now_.time), least_time * setting_.scales.time);
  stalls_ = now_.time - last_event_time_ > apart ? 0. : stalls_ + 1.;
  last_event_time_ = now_.time;
  if (!(stalls_ > most_stalls)) return false;
  trouble_.fail(
      Failure::stalled,
      "events keep occurring at t = " + shortest(now_.time) + " s without time advancing" +
          (trigger.contact < contacts_.size() ? ", the last at " + contacts_.name(trigger.contact)
                                              : "") +
          "; try another tolerance or restitution 0");
  return true;
}

Load Run::load_of_present() {
  islands_.clear();
  const Mechanics& mechanics = now_.mechanics;
  for (const std::size_t i : contacts_.touching) islands_.add(i, mechanics.blocks_of(i));
  islands_.find(mechanics.blocks());
  Load load{.bodies = static_cast<double>(mechanics.blocks()),
            .pairs = static_cast<double>(neighbours_.pairs().size()),
            .listed = static_cast<double>(contacts_.active.size()),
            .touching = static_cast<double>(contacts_.touching.size()),
            .shared = equations_.distribution.decides()};
  for (const Islands::Island& i : islands_.all()) {
    const auto unknowns = static_cast<double>(i.size() * setting_.components);
    load.cubes += unknowns * unknowns * unknowns;
  }
  return load;
}

bool Run::is_crowded(bool happens) {
  if (crowd_.time == 0.) return false;
  const bool behind = crowd_.add(load_of_present(), now_.time, happens);
  if (behind) {
    trouble_.fail(Failure::crowded, "events take more work than steps");
    return true;
  }
  const std::size_t island = islands_.largest();
  if (island <= most_in_island) return false;
  trouble_.fail(Failure::crowded, std::to_string(island) + " contacts touch together");
  return true;
}

bool Run::handle(Trigger trigger) {
  const bool stalled = is_stalled(trigger);
  // A contact that reaches its limit again and again at one instant, because it can stick as well
  // as open, opens.
  if (stalls_ > few_stalls && trigger.kind == TriggerKind::limit) trigger.kind = TriggerKind::lifts;
  sampler_.side(Sampler::As::before);
  const bool possible = !stalled && instant_.handle(trigger) && instant_.accumulate();
  now_.show();
  if (possible) sampler_.side(Sampler::As::after);
  return possible;
}

Ending Run::follow(Recorder& recorder) {
  const Options& options = setting_.options;
  const bool each_step = options.sample_interval == 0.;
  while (true) {
    if (options.most_events > 0 && sampler_.events >= options.most_events) return Ending::events;
    if (!(now_.shown_time < options.end_time)) return Ending::time;
    if (sampler_.stops()) return Ending::stopped;
    if (recorder.wants_progress()) recorder.progress(save());
    Trigger trigger;
    const Advance advance = flight_.is_possible() ? flight_.fly(trigger) : stretch_.step(trigger);
    if (advance == Advance::failed) return Ending::failed;
    if (advance == Advance::stopped) return Ending::stopped;
    if (advance == Advance::end_time) return Ending::time;
    if (each_step) sampler_.sample_present();
    if (is_crowded(advance == Advance::event)) return Ending::failed;
    if (advance == Advance::stepped) continue;
    if (trigger.kind == TriggerKind::model_end) {
      trouble_.reason = setting_.model.end_name();
      return Ending::model;
    }
    if (!handle(trigger)) return Ending::failed;
    if (each_step) sampler_.sample_present();
  }
}

Summary Run::go(Recorder& recorder) {
  sampler_.begin(recorder);
  contacts_.follow_status();
  const bool sampled = std::isfinite(setting_.options.sample_interval);
  if (fresh_ && sampled) sampler_.sample_present();
  Summary summary;
  const bool begins = fresh_ ? start_event() : !again_ || handle({});
  again_ = false;
  summary.ending = begins ? follow(recorder) : Ending::failed;
  const bool goes_on = summary.ending == Ending::failed && crowd_.time > 0.;
  if (sampled && !goes_on) sampler_.sample_last();
  if (summary.ending == Ending::time || summary.ending == Ending::model) {
    Event end;
    end.kind = EventKind::end;
    end.time = now_.shown_time;
    end.note = summary.ending == Ending::model ? trouble_.reason : "";
    instant_.note_dependence(end);
    if (recorder.wants_sides()) {
      sampler_.sample(now_.shown_time, now_.shown, Sampler::As::before);
    }
    recorder.event(end);
  }
  summary.failure = trouble_.failure;
  summary.reason = trouble_.reason;
  summary.progress = save();
  return summary;
}

}  // namespace carom::motion
