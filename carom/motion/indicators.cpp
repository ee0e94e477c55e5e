// SPDX-License-Identifier: Apache-2.0
#include <carom/motion/indicators.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace carom::motion {

namespace {

/// Tolerances of indicators: forces relative to the force that would lift the contact with the
/// reference acceleration, slip relative to the reference speed. They are wider than those of the
/// mode decisions, so that none is reversed at once.
constexpr double force_tolerance = 1e-9;
constexpr double slip_tolerance = 1e-11;
/// In units of the same force: above this, forces diverge if steps become too short or if they
/// change their sign.
constexpr double diverging_force = 1e4;
/// In units of the same force: forces of several contacts that jam together have diverged, though A
/// of none vanishes. Most digits of the force are left. See `more_friction` of impacts
/// without collision, which must exceed what is left to the pole.
constexpr double most_force = 1e6;
/// A relative to G_nn below which a contact has a large force by itself.
constexpr double small_A = 1e-6;

}  // namespace

Indicators::Indicators(const Setting& setting, const Contacts& contacts,
                       const CompliantContacts& compliant, const Slip& slip, const Spins& spins,
                       Equations& equations, const Present& now)
    : setting_(setting),
      contacts_(contacts),
      compliant_(compliant),
      slip_(slip),
      spins_(spins),
      equations_(equations),
      now_(now) {}

void Indicators::grow() { unit_force_.resize(contacts_.size(), 1.); }

void Indicators::set_unit_forces(Mechanics& mechanics) {
  for (const std::size_t i : contacts_.touching) {
    unit_force_[i] = setting_.scales.acceleration / mechanics.own_coupling(i)(0, 0);
  }
}

std::size_t Indicators::jamming() const {
  double most = diverging_force;
  std::size_t found = nowhere;
  for (const std::size_t i : contacts_.touching) {
    if (!contacts_.slips(i) || contacts_.is_smooth(i) || compliant_.has(i)) continue;
    const double force = std::abs(equations_.force[i * setting_.components]) / unit_force_[i];
    if (!(force > most)) continue;
    most = force;
    found = i;
  }
  return found;
}

bool Indicators::watched_rate(double time, std::span<const double> y, std::span<double> dy) {
  if (!equations_.stage_rate(time, y, dy)) return false;
  get(values_);
  for (std::size_t k = 0; k < least_.size(); ++k) least_[k] = std::min(least_[k], values_[k]);
  return true;
}

double Indicators::tolerated(std::size_t slot) const {
  if (slot + 1 == size()) return 0.;
  if (slot / per_contact >= contacts_.touching.size()) {
    const Trigger t = spin_trigger(slot, 0.);
    return t.kind == TriggerKind::spin_limit ? force_tolerance : slip_tolerance;
  }
  const std::size_t i = contacts_.touching[slot / per_contact];
  if (slot % per_contact == 2) return compliant_.is_held(i) ? force_tolerance : 0.;
  if (slot % per_contact == 1) return contacts_.sticks(i) ? force_tolerance : slip_tolerance;
  return compliant_.is_spring(i) ? 0. : force_tolerance;
}

Trigger Indicators::trigger_of(std::size_t slot, double time) const {
  static constexpr std::array<TriggerKind, per_contact> rigid_slip{
      TriggerKind::lifts, TriggerKind::stops, TriggerKind::diverges};
  if (slot + 1 == size()) return {TriggerKind::model_end, nowhere, time};
  if (slot / per_contact >= contacts_.touching.size()) return spin_trigger(slot, time);
  const std::size_t i = contacts_.touching[slot / per_contact];
  const std::size_t which = slot % per_contact;
  TriggerKind kind = rigid_slip[which];
  if (which == 1 && contacts_.sticks(i)) kind = TriggerKind::limit;
  if (compliant_.has(i) && which == 0) kind = TriggerKind::releases;
  if (compliant_.has(i) && which == 2) kind = TriggerKind::turns;
  return {kind, i, time};
}

Trigger Indicators::spin_trigger(std::size_t slot, double time) const {
  const std::size_t place = slot - per_contact * contacts_.touching.size();
  const std::size_t i = contacts_.spinning[place / turnings.size()];
  const Turning turning = turnings[place % turnings.size()];
  const bool held = contacts_.modes.spins[i][turning].held;
  return {held ? TriggerKind::spin_limit : TriggerKind::spin_stops, i, time, turning};
}

void Indicators::get(std::vector<double>& values) const {
  values.assign(size(), 1.);
  for (std::size_t place = 0; place < contacts_.touching.size(); ++place) {
    get_contact(contacts_.touching[place], &values[per_contact * place]);
  }
  if (!contacts_.spinning.empty()) get_spins(&values[per_contact * contacts_.touching.size()]);
  if (const auto end = setting_.model.end_function(now_.state)) values.back() = *end;
}

void Indicators::get_contact(std::size_t i, double* out) const {
  const Scales& scales = setting_.scales;
  const bool in_space = setting_.components == 3;
  const double* F = &equations_.held_force[i * setting_.components];
  const Eigen::Vector3d& v = now_.mechanics.motion(i).velocity;
  const ContactStatus& s = contacts_.modes.status[i];
  if (compliant_.is_spring(i)) {
    const std::size_t k = compliant_.place(i);
    const double x = compliant_.deformation[k];
    out[0] = x / scales.length;
    out[2] = compliant_.stage_of(i) == CompliantContacts::Stage::loading
                 ? -v(0) / scales.speed
                 : (compliant_.peak[k] - x) / scales.length;
  } else {
    out[0] = F[0] / unit_force_[i];
    // its deformation is the largest so far
    if (compliant_.is_held(i)) out[2] = (compliant_.force(i) - F[0]) / unit_force_[i];
  }
  if (s.touch != Touch::slip) {
    const double size = in_space ? std::hypot(F[1], F[2]) : std::abs(F[1]);
    out[1] = (contacts_.surface(i).static_friction * F[0] - size) / unit_force_[i];
    return;
  }
  out[1] = v(1) * s.direction[0] + (in_space ? v(2) * s.direction[1] : 0.);
  // In space, slip that changes its direction does not pass through zero.
  if (contacts_.creeps(i)) {
    out[1] = v(1) * contacts_.direction[i][0] + v(2) * contacts_.direction[i][1];
  } else if (in_space && slip_.direction(i) != s.direction) {
    out[1] = std::hypot(v(1), v(2));
  }
  out[1] = contacts_.is_smooth(i) ? 1. : out[1] / scales.speed;
  if (compliant_.has(i)) return;
  const double A = equations_.slip_A[i] / (scales.acceleration / unit_force_[i]);
  out[2] = A - diverging;
  if (A > small_A && std::abs(F[0]) > most_force * unit_force_[i]) {
    // Nearly parallel edges that cross accelerate their gap as much without forces.
    const double own = std::abs(now_.mechanics.acceleration(i, 0, now_.mechanics.free()));
    const double unit = unit_force_[i] * (1. + own / scales.acceleration);
    out[2] = std::min(out[2], 1. - std::abs(F[0]) / (most_force * unit));
  }
}

void Indicators::get_spins(double* out_of) const {
  for (std::size_t place = 0; place < contacts_.spinning.size(); ++place) {
    const std::size_t i = contacts_.spinning[place];
    for (const Turning turning : turnings) {
      const double bound = spins_.bound_of(i, turning);
      if (bound == 0.) continue;
      double& out = out_of[place * turnings.size() + static_cast<std::size_t>(turning)];
      const SpinStatus::Mode& mode = contacts_.modes.spins[i][turning];
      const Spins::Rows rows = spins_.rows_of(turning);
      if (mode.held) {
        const double* M = &equations_.held_couple[i * 3 + rows.first - first_spin];
        const double size = rows.size == 2 ? std::hypot(M[0], M[1]) : std::abs(M[0]);
        out = (bound * equations_.held_force[i * setting_.components] - size) / unit_force_[i];
        continue;
      }
      if (rows.size == 2 && spins_.direction(i, turning) != mode.direction) {
        out = spins_.size(i, turning) / setting_.scales.speed;
        continue;
      }
      out = 0.;
      for (std::size_t j = 0; j < rows.size; ++j) {
        out +=
            now_.mechanics.velocity(i, rows.first + j) * mode.direction[j] / setting_.scales.speed;
      }
    }
  }
}

}  // namespace carom::motion
