// SPDX-License-Identifier: Apache-2.0
#include <carom/motion/mode_decision.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

namespace carom::motion {

namespace {

/// Accelerations below this times the reference acceleration count as zero, as those that the mode
/// decision leaves.
constexpr double neutral = 1e-9;

/// Gap of a closed contact relative to that of one that closes, and of one that lands with others:
/// 1e-9 of the reference length. In a flat landing laws leave differences of velocity of 1e-10.
constexpr double stays_closed = 1e3;

/// It must close within this, relative to the reference time: later impacts follow each other.
constexpr double at_once = 1e-7;

/// |A| below this, relative to G_nn, is rounding.
constexpr double no_A = 1e-14;
/// Where forces diverge though A of the contact is above this, several contacts jam together.
constexpr double clearly_positive = 10. * diverging;

}  // namespace

bool ModeDecision::gather() {
  now_.take();
  if (!now_.mechanics.at(now_.state)) {
    return trouble_.fail(Failure::mass_matrix, "the mass matrix is not positive definite");
  }
  // A contact that was closed stays so while integration may have opened it. One that lands
  // together with another of its pair closes with it.
  neighbours_.list_touching(now_.state, stays_closed * setting_.scales.closed, closed_);
  const auto approaches = [&](std::size_t i) {
    return now_.mechanics.motion(i).velocity(0) < -setting_.scales.faint;
  };
  landing_.clear();
  rigid_.clear();
  for (const std::size_t i : closed_) {
    now_.mechanics.load(i, now_.state);
    const bool is_shut = contacts_.gap(i, now_.state) <= setting_.scales.closed;
    if (is_shut && approaches(i)) landing_.push_back(contacts_[i].pair);
    if (is_shut && !compliant_.has(i)) rigid_.push_back(i);
  }
  std::erase_if(closed_, [&](std::size_t i) {
    if (compliant_.has(i)) return true;
    if (contacts_.is_closed(i) || std::binary_search(rigid_.begin(), rigid_.end(), i)) return false;
    const auto& pair = contacts_[i].pair;
    if (std::find(landing_.begin(), landing_.end(), pair) == landing_.end()) return true;
    const double approach = -now_.mechanics.motion(i).velocity(0);
    return !approaches(i) ||
           contacts_.gap(i, now_.state) > at_once * setting_.scales.time * approach;
  });
  rigid_ = closed_;
  if (compliant_.size() == 0) return true;
  for (const std::size_t i : contacts_.active) {
    if (!compliant_.has(i) || !contacts_.is_closed(i)) continue;
    now_.mechanics.load(i, now_.state);
    closed_.push_back(i);
  }
  std::sort(closed_.begin(), closed_.end());
  return true;
}

bool ModeDecision::approaches(double speed) const {
  return std::any_of(rigid_.begin(), rigid_.end(),
                     [&](std::size_t i) { return now_.mechanics.motion(i).velocity(0) < -speed; });
}

bool ModeDecision::decide(const Trigger& trigger, bool counts) {
  candidates_.clear();
  for (const std::size_t i : closed_) {
    if (compliant_.has(i) || now_.mechanics.motion(i).velocity(0) <= setting_.scales.still) {
      candidates_.push_back(i);
    }
  }
  if (opening_.empty()) conflict_ = {};
  Modes& modes = contacts_.modes;
  before_ = modes;
  for (const std::size_t i : contacts_.active) {
    modes.status[i] = {};
    if (before_.status[i].touch == Touch::open) modes.creeping[i] = 0.;
    if (setting_.any_couples) modes.spins[i] = {};
  }
  if (candidates_.empty()) {
    opening_.clear();
    return true;
  }
  problem_.components = setting_.components;
  problem_.scale = setting_.scales.acceleration;
  problem_.counts = counts;
  now_.mechanics.contact_space(candidates_, problem_.G, problem_.b);
  problem_.contacts.assign(candidates_.size(), {});
  for (std::size_t k = 0; k < candidates_.size(); ++k) pose(k, trigger);
  opening_.clear();
  if (setting_.any_couples) spins_.pose(trigger, before_.spins, candidates_, problem_);
  find_conflict(trigger);
  if (conflict_.needs_impact) return false;
  answer_ = solve(problem_);
  if (!answer_.found) {
    blame_failed();
    return false;
  }
  if (trigger.kind == TriggerKind::closes) close_neutral_contacts();
  for (std::size_t k = 0; k < candidates_.size(); ++k) {
    const std::size_t i = candidates_[k];
    modes.status[i] = answer_.status[k];
    if (!problem_.contacts[k].slips) modes.creeping[i] = contacts_.slips(i) ? 1. : 0.;
  }
  if (!problem_.spins.empty()) spins_.take(candidates_, problem_, answer_);
  return true;
}

void ModeDecision::pose(std::size_t place, const Trigger& trigger) {
  const std::size_t i = candidates_[place];
  const Eigen::Vector3d& v = now_.mechanics.motion(i).velocity;
  AccelerationContact& c = problem_.contacts[place];
  c.mu = contacts_.surface(i).friction;
  c.mu_s = contacts_.surface(i).static_friction;
  const bool concerned = trigger.contact == i;
  const double size = setting_.components == 3 ? std::hypot(v(1), v(2)) : std::abs(v(1));
  // Without friction a contact never sticks.
  // In space slip below this has a direction that errors determine. It counts as zero.
  const double no_slip =
      setting_.components == 3 ? setting_.vanishing_slip() : setting_.scales.still;
  c.slips = c.mu_s == 0. || (size > no_slip && !(concerned && trigger.kind == TriggerKind::stops));
  if (c.slips) {
    const bool known = setting_.components == 3 && size > setting_.scales.still;
    c.direction =
        known
            ? std::array{v(1) / size, v(2) / size}
            : std::array{setting_.components == 2 && v(1) < -setting_.scales.still ? -1. : 1., 0.};
  }
  // A contact that was just released continues to slip. One whose slip has come to zero is
  // decided again.
  if (!c.slips && before_.status[i].touch == Touch::slip && contacts_.modes.creeping[i] != 0.) {
    c.starts_slipping = true;
    c.direction = before_.status[i].direction;
  }
  if (compliant_.is_spring(i)) c.normal = compliant_.force(i);
  c.starts_open = (concerned && trigger.kind == TriggerKind::lifts) ||
                  std::find(opening_.begin(), opening_.end(), i) != opening_.end();
  c.leaves_stick = concerned && trigger.kind == TriggerKind::limit;
}

// A contact that slips and has no force is in conflict.
void ModeDecision::blame_failed() {
  for (const std::size_t k : answer_.failed) {
    if (!problem_.contacts[k].slips || problem_.contacts[k].normal) continue;
    const auto s = slip_coefficients(problem_, k, Vector::Zero(problem_.b.size()));
    if (s.A > 0. && answer_.failed.size() == 1) continue;
    conflict_ = {Paradox::inconsistent, candidates_[k], s.A, s.B, true};
    return;
  }
}

// Painleve's paradoxes: rigid sliding contact has no force or several, gap'' = A F + B with A <= 0
// [Liu, Zhang, Zhao & Brogliato 2013, eqs 2.38-2.40].
// A < 0, B < 0 (inconsistent): no force is consistent with contact, and opening is not consistent
// either: an impact without collision.
// A < 0, B > 0 (indeterminate): F = 0 and F = -B/A are both consistent: it opens or strikes, as the
// options say.
// A -> 0+: the force diverges, and slip decelerates without bound: treated as the first case. So
// are forces of several contacts that diverge together.
void ModeDecision::find_conflict(const Trigger& trigger) {
  const Vector nothing = Vector::Zero(problem_.b.size());
  std::optional<AccelerationProblem> by_forces;
  if (!problem_.spins.empty()) by_forces = without_spins(problem_);
  const AccelerationProblem& posed = by_forces ? *by_forces : problem_;
  for (std::size_t k = 0; k < candidates_.size(); ++k) {
    const AccelerationContact& c = problem_.contacts[k];
    if (!c.slips || c.normal) continue;
    const SlipCoefficients s = slip_coefficients(posed, k, nothing);
    const std::size_t i = candidates_[k];
    const auto n = ix(k * setting_.components);
    const bool diverges = trigger.kind == TriggerKind::diverges && trigger.contact == i;
    if (s.A > 0. && !diverges) continue;
    if (diverges && s.A > clearly_positive * problem_.G(n, n)) {
      conflict_ = {Paradox::diverging, i, s.A, s.B, true};
      return;
    }
    if (diverges && s.B >= 0.) {
      problem_.contacts[k].starts_open = true;
      continue;
    }
    if (!diverges && std::abs(s.A) <= no_A * problem_.G(n, n)) continue;
    const bool pushed_in = s.B < 0.;
    if (candidates_.size() > 1 && pushed_in && !diverges) continue;  // other contacts may hold it
    conflict_ = {diverges    ? Paradox::diverging
                 : pushed_in ? Paradox::inconsistent
                             : Paradox::indeterminate,
                 i, s.A, s.B,
                 pushed_in || diverges || setting_.options.indeterminate == Indeterminate::impact};
    if (!pushed_in && !conflict_.needs_impact) problem_.contacts[k].starts_open = true;
    return;
  }
}

// Two bodies that fall side by side touch without a force: whether they count as in contact is
// open. Where such a gap was found to close they do, or it would close again at once.
void ModeDecision::close_neutral_contacts() {
  const double slack = neutral * problem_.scale;
  for (std::size_t k = 0; k < candidates_.size(); ++k) {
    ContactStatus& s = answer_.status[k];
    const AccelerationContact& c = problem_.contacts[k];
    const auto n = ix(k * setting_.components);
    if (s.touch != Touch::open || c.starts_open || c.normal) continue;
    if (std::abs(answer_.acceleration(n)) > slack) continue;
    if (c.slips) {
      s = {Touch::slip, c.direction};
      continue;
    }
    const double a1 = answer_.acceleration(n + 1);
    const double a2 = setting_.components == 3 ? answer_.acceleration(n + 2) : 0.;
    const double size = std::hypot(a1, a2);
    s = size > slack ? ContactStatus{Touch::slip, {a1 / size, a2 / size}}
                     : ContactStatus{Touch::stick, {}};
  }
}

std::size_t ModeDecision::place_of(std::size_t contact) const {
  const auto found = std::find(candidates_.begin(), candidates_.end(), contact);
  return static_cast<std::size_t>(found - candidates_.begin());
}

double ModeDecision::force(std::size_t contact) const {
  const std::size_t k = place_of(contact);
  return k < candidates_.size() ? answer_.force(ix(k * setting_.components)) : 0.;
}

double ModeDecision::ratio(std::size_t contact) const {
  const std::size_t k = place_of(contact);
  return k < candidates_.size() ? answer_.ratio[k] : 0.;
}

bool ModeDecision::had_slip(std::size_t contact) const {
  const std::size_t k = place_of(contact);
  return k < candidates_.size() && problem_.contacts[k].slips;
}

bool ModeDecision::fail() {
  return trouble_.fail(Failure::no_forces, "no contact forces satisfy Coulomb's law at " +
                                               std::to_string(answer_.failed.size()) +
                                               " closed contacts around " +
                                               contacts_.name(candidates_[answer_.failed[0]]) +
                                               "; try another friction coefficient");
}

}  // namespace carom::motion
