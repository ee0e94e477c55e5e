// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <carom/motion/run.hpp>

// Compliant contacts: F = k x^a, with the deformation x as a state variable,
//
//     x' = -v_n (compression),    x' = -v_n/e^2 (expansion),
//
// so that e^2 of the work done on the contact is returned [Liu, Zhang, Zhao & Brogliato 2013, eqs
// 2.22 and 2.31].
namespace carom::motion {

namespace {

/// A smaller value would make expansion instantaneous, and the body would creep into the ground.
constexpr double least_restitution = 0.1;

}  // namespace

double Run::compliant_force(std::size_t i) const {
  const double x = deformation_[compliant_[i]];
  return x > 0. ? surfaces_[i].stiffness * std::pow(x, surfaces_[i].exponent) : 0.;
}

double Run::compliant_rate(std::size_t i, double normal_velocity) const {
  if (expanding_[compliant_[i]] == 0.) return -normal_velocity;
  const double e = std::max(least_restitution, surfaces_[i].restitution);
  return -normal_velocity / (e * e);
}

// A residual deformation lasts until the bodies have separated.
void Run::recover_levels() {
  for (std::size_t i = 0; i < contacts_; ++i) {
    if (!is_compliant(i) || is_closed(i) || level_[compliant_[i]] == 0.) continue;
    take(y_, time_);
    if (model_.gap(i, state_) > 0.) level_[compliant_[i]] = 0.;
  }
}

void Run::apply_compliant_trigger(const Trigger& trigger) {
  if (trigger.contact == nowhere || !is_compliant(trigger.contact)) return;
  const std::size_t k = compliant_[trigger.contact];
  switch (trigger.kind) {
    case TriggerKind::closes:
      y_[deformation_at_ + k] = 0.;
      expanding_[k] = 0.;
      status_[trigger.contact] = {Touch::stick, {}};  // until the modes are decided
      break;
    case TriggerKind::turns:
      expanding_[k] = expanding_[k] == 0. ? 1. : 0.;
      break;
    case TriggerKind::releases:
      y_[deformation_at_ + k] = 0.;
      expanding_[k] = 0.;
      take(y_, time_);
      level_[k] = std::min(0., model_.gap(trigger.contact, state_));
      status_[trigger.contact] = {};
      break;
    default:
      break;
  }
}

}  // namespace carom::motion
