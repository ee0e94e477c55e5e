// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <carom/core/error.hpp>
#include <carom/motion/run.hpp>

// Handles an event: impacts while closed contacts approach, then new modes for all contacts
// together.
namespace carom::motion {

namespace {

constexpr int most_rounds = 100;
constexpr int most_settlings = 3;

/// Accelerations below this times the reference acceleration count as zero, as those that the mode
/// decision leaves.
constexpr double neutral = 1e-9;

/// Gap of a closed contact relative to that of one that closes, and of one that lands with others:
/// 1e-9 of the reference length. In a flat landing laws leave differences of velocity of 1e-10.
constexpr double stays_closed = 1e3;

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

}  // namespace

bool Run::gather_closed() {
  take(y_, time_);
  if (!mechanics_.at(state_))
    return fail(Failure::mass_matrix, "the mass matrix is not positive definite");
  // A contact that was closed stays so while integration may have opened it. One that lands
  // together with another of its pair closes with it.
  list_touching(stays_closed * scales_.closed, closed_);
  const auto touches = [&](std::size_t i) { return is_closed(i) || gap(i) <= scales_.closed; };
  const auto approaches = [&](std::size_t i) {
    return mechanics_.load(i, state_).velocity(0) < -scales_.faint;
  };
  landing_.clear();
  for (const std::size_t i : closed_) {
    if (gap(i) <= scales_.closed && approaches(i)) landing_.push_back(contacts_[i].pair);
  }
  std::erase_if(closed_, [&](std::size_t i) {
    if (is_compliant(i)) return true;
    if (touches(i)) return false;
    const auto& pair = contacts_[i].pair;
    return std::find(landing_.begin(), landing_.end(), pair) == landing_.end() || !approaches(i);
  });
  if (compliant_count_ > 0) {
    for (const std::size_t i : active_) {
      if (is_compliant(i) && is_closed(i)) closed_.push_back(i);
    }
    std::sort(closed_.begin(), closed_.end());
  }
  for (const std::size_t i : closed_) mechanics_.load(i, state_);
  return true;
}

// Solves the complementarity problem of accelerations for all closed contacts with zero normal
// velocity.
bool Run::decide(const Trigger& trigger) {
  candidate_.clear();
  for (const std::size_t i : closed_) {
    if (is_compliant(i) || mechanics_.motion(i).velocity(0) <= scales_.still) {
      candidate_.push_back(i);
    }
  }
  conflict_ = {};
  is_warm_ = false;
  const std::vector<ContactStatus> before = status_;
  const std::vector<SpinStatus> spins_before = spins_;
  for (const std::size_t i : active_) {
    status_[i] = {};
    if (before[i].touch == Touch::open) creeping_[i] = 0.;
    if (any_couples_) spins_[i] = {};
  }
  if (candidate_.empty()) return true;
  problem_.components = components_;
  problem_.scale = scales_.acceleration;
  mechanics_.contact_space(candidate_, problem_.G, problem_.b);
  problem_.contacts.assign(candidate_.size(), {});
  for (std::size_t k = 0; k < candidate_.size(); ++k) {
    const std::size_t i = candidate_[k];
    const Eigen::Vector3d& v = mechanics_.motion(i).velocity;
    AccelerationContact& c = problem_.contacts[k];
    c.mu = surface(i).friction;
    c.mu_s = surface(i).static_friction;
    const bool concerned = trigger.contact == i;
    const double size = components_ == 3 ? std::hypot(v(1), v(2)) : std::abs(v(1));
    // Without friction a contact never sticks.
    c.slips = c.mu_s == 0. ||
              (size > scales_.still && !(concerned && trigger.kind == TriggerKind::stops));
    if (c.slips) {
      const bool known = components_ == 3 && size > scales_.still;
      c.direction = known ? std::array{v(1) / size, v(2) / size}
                          : std::array{components_ == 2 && v(1) < -scales_.still ? -1. : 1., 0.};
    }
    // A contact that was just released continues to slip. One whose slip has come to zero is
    // decided again.
    if (!c.slips && before[i].touch == Touch::slip && creeping_[i] != 0.) {
      c.starts_slipping = true;
      c.direction = before[i].direction;
    }
    if (is_spring(i)) c.normal = compliant_force(i);
    c.starts_open = concerned && trigger.kind == TriggerKind::lifts;
    c.leaves_stick = concerned && trigger.kind == TriggerKind::limit;
  }
  if (any_couples_) pose_spins(trigger, spins_before);
  find_conflict(trigger);
  if (conflict_.needs_impact) return false;
  answer_ = solve(problem_);
  if (!answer_.found) {
    for (const std::size_t k : answer_.failed) {
      if (!problem_.contacts[k].slips || problem_.contacts[k].normal) continue;
      const auto s = slip_coefficients(problem_, k, Vector::Zero(problem_.b.size()));
      if (s.A > 0. && answer_.failed.size() == 1) continue;
      conflict_ = {Paradox::inconsistent, candidate_[k], s.A, s.B, true};
      break;
    }
    return false;
  }
  if (trigger.kind == TriggerKind::closes) close_neutral_contacts();
  for (std::size_t k = 0; k < candidate_.size(); ++k) {
    status_[candidate_[k]] = answer_.status[k];
    if (!problem_.contacts[k].slips) {
      creeping_[candidate_[k]] = answer_.status[k].touch == Touch::slip ? 1. : 0.;
    }
    ratio_[candidate_[k]] = answer_.ratio[k];
  }
  if (!problem_.spins.empty()) take_spins();
  return true;
}

// Two bodies that fall side by side touch without a force: whether they count as in contact is
// open. Where such a gap was found to close they do, or it would close again at once.
void Run::close_neutral_contacts() {
  const double slack = neutral * problem_.scale;
  for (std::size_t k = 0; k < candidate_.size(); ++k) {
    ContactStatus& s = answer_.status[k];
    const AccelerationContact& c = problem_.contacts[k];
    const auto n = ix(k * components_);
    if (s.touch != Touch::open || c.starts_open || c.normal) continue;
    if (std::abs(answer_.acceleration(n)) > slack) continue;
    if (c.slips) {
      s = {Touch::slip, c.direction};
      continue;
    }
    const double a1 = answer_.acceleration(n + 1);
    const double a2 = components_ == 3 ? answer_.acceleration(n + 2) : 0.;
    const double size = std::hypot(a1, a2);
    s = size > slack ? ContactStatus{Touch::slip, {a1 / size, a2 / size}}
                     : ContactStatus{Touch::stick, {}};
  }
}

double Run::decided_force(std::size_t contact) const {
  for (std::size_t k = 0; k < candidate_.size(); ++k) {
    if (candidate_[k] == contact) return answer_.force(ix(k * components_));
  }
  return 0.;
}

bool Run::instant(Trigger trigger) {
  std::vector<ContactStatus> before = status_;
  std::vector<SpinStatus> spins_before = spins_;
  std::optional<Event> pending;
  apply_compliant_trigger(trigger, pending);
  if (trigger.kind == TriggerKind::stops) {
    // Removes its remaining slip, in whichever direction it may slip next.
    status_[trigger.contact] = {Touch::stick, {}};
    take(y_, time_);
    for (const std::size_t i : active_) {
      if (components_ != 3 || status_[i].touch != Touch::slip)
        continue;  // others may stop at the same time
      const Eigen::Vector3d& v = mechanics_.load(i, state_).velocity;
      if (std::hypot(v(1), v(2)) <= vanishing_slip()) status_[i] = {Touch::stick, {}};
    }
    project();
  }
  if (trigger.kind == TriggerKind::spin_stops) stop_spin(trigger);
  int settled = 0;  // times in a row
  for (int round = 0; round < most_rounds; ++round) {
    if (!gather_closed()) return false;
    before.resize(contacts_.size());
    spins_before.resize(spins_.size());
    // Contacts that share directions may contradict each other by rounding. What settling does not
    // remove of an approach stays. Where nothing closes an approach of rounding size is left to the
    // next modes.
    const bool ignores = settled > most_settlings || trigger.kind > TriggerKind::closes;
    const double rests = ignores ? scales_.faint : scales_.still;
    const bool strikes = std::any_of(closed_.begin(), closed_.end(), [&](std::size_t i) {
      return !is_compliant(i) && mechanics_.motion(i).velocity(0) < -rests;
    });
    if (strikes) {
      if (pending) conclude(std::move(*pending), before);
      pending.emplace();
      trigger = {};
      if (const double speed = settling_speed(); speed > 0.) {
        settle(*pending, speed, true,
               speed > scales_.faint ? "many slow impacts would follow each other"
                                     : "slower than positions resolve");
        ++settled;
        continue;
      }
      settled = 0;
      if (!impact(*pending, nowhere)) return false;
      if (options_.settling == Settling::contact_time && !settle_by_contact_time(*pending)) {
        return false;
      }
      continue;
    }
    const bool decided = decide(trigger);
    if (!decided && !conflict_.needs_impact) {
      return fail(Failure::no_forces, "no contact forces satisfy Coulomb's law at " +
                                          std::to_string(answer_.failed.size()) +
                                          " closed contacts around " +
                                          contact_name(candidate_[answer_.failed[0]]) +
                                          "; try another friction coefficient");
    }
    if (!decided && is_compliant(conflict_.contact)) {
      // A spring has a force where rigid contact has none.
      set_stage(conflict_.contact, Stage::loading, peak_[compliant_[conflict_.contact]]);
      continue;
    }
    if (!decided) {
      if (pending) conclude(std::move(*pending), before);
      pending.emplace();
      const Conflict conflict = conflict_;
      if (const double speed = slow_slip(true); speed > 0.) {
        settle(*pending, speed, false, "no forces satisfy Coulomb's law: slow slip stops");
        trigger = {};
        continue;
      }
      if (!impact(*pending, conflict.contact)) return false;
      if (!pushes(*pending, components_)) {
        // Slip that is slow beside others has stopped in the limit.
        if (const double speed = slow_slip(false); speed > 0. && settled++ < most_settlings) {
          settle(*pending, speed, false, "no forces satisfy Coulomb's law: slow slip stops");
          trigger = {};
          continue;
        }
        return fail(Failure::no_forces, "rigid contact at " + contact_name(conflict.contact) +
                                            " has no force, and the law gives no impulse");
      }
      pending->kind = EventKind::painleve;
      pending->paradox = conflict.paradox;
      pending->A = conflict.A;
      pending->B = conflict.B;
      append_note(*pending, "an impact without collision");
      trigger = {};
      continue;
    }
    release_held();
    Event event = pending ? std::move(*pending) : Event{};
    const bool lifts = conflict_.paradox != Paradox::none && !is_closed(conflict_.contact);
    if (lifts && !pending) {
      event.kind = EventKind::painleve;
      event.paradox = conflict_.paradox;
      event.A = conflict_.A;
      event.B = conflict_.B;
      event.contacts = {conflict_.contact};
      event.note = "it lifts off, though a force could hold it";
    }
    if (!candidate_.empty() && answer_.several && event.note.empty()) {
      event.note = "other contact forces solve the problem, too";
    }
    const bool struck = pending.has_value() || event.kind == EventKind::painleve;
    if (!struck) {
      // The contact that caused the event determines its name.
      std::size_t first = nowhere;
      for (const std::size_t i : active_) {
        const bool stopped = trigger.kind == TriggerKind::stops && trigger.contact == i;
        if (same(before[i], status_[i], components_) &&
            !(stopped && components_ == 3 && status_[i].touch == Touch::slip)) {
          continue;
        }
        event.contacts.push_back(i);
        if (first == nowhere || i == trigger.contact) first = i;
      }
      if (first != nowhere) {
        event.kind = kind_of(before[first], status_[first]);
        event.ratio = ratio_[first];
        if (event.kind == EventKind::touch_down && is_compliant(first)) {
          event.approach = std::max(0., -mechanics_.motion(first).velocity(0));
        }
      }
    }
    if (!struck && any_couples_) name_spin_event(trigger, before, spins_before, event);
    follow_status();
    project();
    if (!event.contacts.empty()) conclude(std::move(event), before);
    return failure_ == Failure::none;
  }
  return fail(Failure::endless_impacts, "more than " + std::to_string(most_rounds) +
                                            " impacts follow each other at t = " + shortest(time_) +
                                            " s; try restitution 0");
}

void Run::conclude(Event event, const std::vector<ContactStatus>& before) {
  event.time = time_;
  event.from.clear();
  event.to.clear();
  for (const std::size_t i : event.contacts) {
    event.from.push_back(before[i]);
    event.to.push_back(status_[i]);
  }
  emit(event);
}

void Run::emit(Event& event) {
  ++events_;
  tell_contacts();
  if (recorder_ != nullptr) recorder_->event(event);
}

}  // namespace carom::motion
