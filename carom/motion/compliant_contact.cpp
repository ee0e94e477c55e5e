// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <carom/motion/run.hpp>

// Compliant contacts: F = k x^a, with the deformation x as a state variable,
//
//     x' = -v_n (loading),    x' = -v_n/e^2 (unloading, and reloading up to the largest x so far),
//
// so that e^2 of the work done on the contact is returned [Liu, Zhang, Zhao & Brogliato 2013, eqs
// 2.22 and 2.31], whatever e in (0, 1]. A residual deformation (1 - e^2) x remains. At e = 0 the
// unloading is rigid: the contact holds v_n = 0 with any force between 0 and the largest so far.
//
// A constant acceleration a towards the contact (the weight) does not change v_n+ = e v_n-. But
// from v_n = 0 it loads the contact to x_s = ((1 + exponent) a/(G_nn k))^(1/exponent), and a
// residual deformation of each such cycle would let the body sink without end. A contact that
// releases with less energy than the weight has over x_s, v_n^2/2 < a x_s, therefore holds, too.
namespace carom::motion {

namespace {

/// A rebound slower than this part of the approach is below the accuracy of any run: the unloading
/// counts as rigid.
constexpr double rigid_unloading = 1e-12;

}  // namespace

double Run::compliant_force(std::size_t i) const {
  const double x = deformation_[compliant_[i]];
  return x > 0. ? surface(i).stiffness * std::pow(x, surface(i).exponent) : 0.;
}

double Run::compliant_rate(std::size_t i, double normal_velocity) const {
  switch (stage_of(i)) {
    case Stage::loading:
      return -normal_velocity;
    case Stage::unloading: {
      const double e = surface(i).restitution;
      return -normal_velocity / (e * e);
    }
    case Stage::held:
      break;
  }
  return 0.;
}

// A residual deformation lasts until the bodies have separated.
void Run::recover_levels() {
  for (const std::size_t i : active_) {
    if (!is_compliant(i) || is_closed(i) || level_[compliant_[i]] == 0.) continue;
    take(y_, time_);
    if (gap(i) > 0.) level_[compliant_[i]] = 0.;
  }
}

void Run::set_stage(std::size_t i, Stage stage, double deformation) {
  const std::size_t k = compliant_[i];
  stage_[k] = static_cast<double>(stage);
  y_[deformation_at(k)] = deformation;
  if (stage != Stage::loading) peak_[k] = std::max(peak_[k], deformation);
}

/// Opens a compliant contact. It has a force again below the gap that it has now.
void Run::release(std::size_t i) {
  const std::size_t k = compliant_[i];
  set_stage(i, Stage::loading, 0.);
  peak_[k] = 0.;
  take(y_, time_);
  level_[k] = std::min(0., gap(i));
  status_[i] = {};
}

/// Whether a contact that has returned its energy moves away too slowly to be released.
bool Run::rests_at_release(std::size_t i) {
  const Surface& s = surface(i);
  if (!(s.restitution < 1.)) return false;
  const ContactStatus kept = status_[i];
  status_[i] = {};
  const bool possible = rate(time_, y_, dy_);
  status_[i] = kept;
  if (!possible) return false;
  const ContactMotion& m = mechanics_.load(i, state_);
  const double a = -mechanics_.acceleration(i, 0, acceleration_);
  if (!(a > 0.)) return false;
  const double G = mechanics_.coupling(i, i)(0, 0);
  const double x = std::pow((1. + s.exponent) * a / (G * s.stiffness), 1. / s.exponent);
  const double v = std::max(0., m.velocity(0));
  return 0.5 * v * v < a * x;
}

/// Removes the normal velocity of a contact that is held from now on, together with what this would
/// change at contacts that are held or stick already.
void Run::hold(std::size_t i, Event& event) {
  set_stage(i, Stage::held, peak_[compliant_[i]]);
  if (!gather_closed()) return;
  const double kinetic = mechanics_.kinetic(state_.u);
  std::vector<std::size_t> closed;
  for (const std::size_t k : closed_) {
    if (is_closed(k)) closed.push_back(k);
  }
  project_velocities(closed);
  event.kind = EventKind::impact_to_contact;
  event.contacts.push_back(i);
  event.energy_change = mechanics_.kinetic(state_.u) - kinetic;
  account_.dropped += event.energy_change;
}

void Run::apply_compliant_trigger(const Trigger& trigger, std::optional<Event>& settled) {
  if (trigger.contact == nowhere || !is_compliant(trigger.contact)) return;
  const std::size_t i = trigger.contact;
  const double x = y_[deformation_at(compliant_[i])];
  switch (trigger.kind) {
    case TriggerKind::closes:
      set_stage(i, Stage::loading, 0.);
      peak_[compliant_[i]] = 0.;
      status_[i] = {Touch::stick, {}};  // until the modes are decided
      break;
    case TriggerKind::turns:
      if (stage_of(i) != Stage::loading) {
        set_stage(i, Stage::loading, peak_[compliant_[i]]);
      } else {
        set_stage(i, surface(i).restitution > rigid_unloading ? Stage::unloading : Stage::held, x);
      }
      break;
    case TriggerKind::releases:
      if (stage_of(i) == Stage::unloading && rests_at_release(i)) {
        hold(i, settled.emplace());
      } else {
        release(i);
      }
      break;
    default:
      break;
  }
}

/// A contact that is held and opens is released.
void Run::release_held() {
  for (const std::size_t i : active_) {
    if (is_held(i) && !is_closed(i)) release(i);
  }
}

}  // namespace carom::motion
