// SPDX-License-Identifier: Apache-2.0
#include <carom/motion/slip.hpp>

#include <cmath>

namespace carom::motion {

namespace {

/// Slip across its direction below this, relative to slip at the start of the step, or to the
/// reference speed, is rounding.
constexpr double straight_slip = 1e-11;
constexpr double no_slip = 1e-15;
/// Slip that turns may not fall below this part of what it was in one step: what falls further
/// keeps its direction.
constexpr double straight_fall = 0.5;
/// A step that is chosen by that takes this part of the fall, because friction changes meanwhile.
constexpr double nearly = 0.95;
/// Slip that vanishes within this, relative to the reference time, is brought to zero at once: no
/// body moves by more than this part of a length meanwhile.
constexpr double vanishes_soon = 1e-6;

}  // namespace

std::array<double, 2> Slip::direction(std::size_t i) const {
  const ContactStatus& s = contacts_.modes.status[i];
  if (setting_.components == 2) return s.direction;
  // In space the direction of slip changes. Near zero slip it is the direction of the status. It
  // stays constant while slip is along it, because slip may pass through zero within a step.
  if (contacts_.creeps(i)) return contacts_.direction[i];
  const Eigen::Vector3d& v = now_.mechanics.motion(i).velocity;
  const double size = std::hypot(v(1), v(2));
  const std::array<double, 2>& start = contacts_.slip_at_start[i];
  const double start_size = std::hypot(start[0], start[1]);
  // Slip that begins or turns within the step has the direction for which the step was computed.
  const bool fades = contacts_.keeps_directions && size < straight_fall * start_size;
  if (size <= (fades ? setting_.vanishing_slip() : setting_.scales.still)) return s.direction;
  const double across = std::abs(v(1) * s.direction[1] - v(2) * s.direction[0]);
  if (across <= straight_slip * start_size + no_slip * setting_.scales.speed) return s.direction;
  return {v(1) / size, v(2) / size};
}

double Slip::acceleration_in(std::size_t i, const std::array<double, 2>& d,
                             const Vector& acceleration) const {
  return d[0] * now_.mechanics.acceleration(i, 1, acceleration) +
         d[1] * now_.mechanics.acceleration(i, 2, acceleration);
}

void Slip::note_at_start() {
  if (setting_.components != 3) return;
  now_.take();
  for (const std::size_t i : contacts_.active) {
    if (!contacts_.slips(i)) continue;
    const Eigen::Vector3d& v = now_.mechanics.load(i, now_.state).velocity;
    const double size = std::hypot(v(1), v(2));
    contacts_.slip_at_start[i] = {v(1), v(2)};
    if (!(size > setting_.scales.still) || contacts_.creeps(i)) continue;
    // Slip that a step has taken a little beyond zero, within the tolerance of its indicator, is
    // about to stop; it has not turned.
    std::array<double, 2>& d = contacts_.modes.status[i].direction;
    const bool reversed = v(1) * d[0] + v(2) * d[1] < 0. && size <= setting_.vanishing_slip();
    if (!reversed) d = {v(1) / size, v(2) / size};
  }
}

void Slip::follow_clear_slip() {
  if (setting_.components != 3) return;
  for (const std::size_t i : contacts_.active) {
    if (!contacts_.slips(i) || !contacts_.creeps(i)) continue;
    const Eigen::Vector3d& v = now_.mechanics.motion(i).velocity;
    if (std::hypot(v(1), v(2)) > setting_.vanishing_slip()) contacts_.modes.creeping[i] = 0.;
  }
  note_at_start();
}

// In space zero slip is reached only along rays. Until slip keeps its direction, it may not
// decrease to less than `straight_fall` in a step.
bool Slip::falls_too_fast() const {
  if (setting_.components != 3) return false;
  for (const std::size_t i : contacts_.active) {
    if (!contacts_.slips(i) || contacts_.is_smooth(i)) continue;
    const Eigen::Vector3d& v = now_.mechanics.motion(i).velocity;
    const std::array<double, 2>& d = contacts_.modes.status[i].direction;
    const std::array<double, 2>& start = contacts_.slip_at_start[i];
    const double before = start[0] * d[0] + start[1] * d[1];  // below zero: it is about to stop
    const double after = v(1) * d[0] + v(2) * d[1];
    const double across = std::abs(v(1) * d[1] - v(2) * d[0]);
    const double straight = straight_slip * before + no_slip * setting_.scales.speed;
    if (across > straight && after < straight_fall * before && before > setting_.scales.still)
      return true;
  }
  return false;
}

double Slip::longest_fall(double h, const Vector& acceleration, bool creeps) const {
  if (setting_.components != 3) return h;
  const double most = creeps ? 1. : 1. - straight_fall;
  for (const std::size_t i : contacts_.active) {
    if (!contacts_.slips(i) || contacts_.is_smooth(i)) continue;
    const Eigen::Vector3d& v = now_.mechanics.motion(i).velocity;
    const double before = std::hypot(v(1), v(2));
    if (!(before > setting_.scales.still)) continue;
    const std::array<double, 2> d{v(1) / before, v(2) / before};
    const double fall = -acceleration_in(i, d, acceleration);
    const double turn = std::abs(acceleration_in(i, {-d[1], d[0]}, acceleration));
    const double straight = straight_slip * before + no_slip * setting_.scales.speed;
    if (!(fall * h > most * before) || !(turn * h > straight)) continue;
    h = nearly * most * before / fall;
  }
  return h;
}

// Slip so slow that its direction is determined by errors, and decreasing: it vanishes after
// `left`, at once if it is zero or has passed a little beyond.
std::size_t Slip::vanishing(const Vector& acceleration, double& left) const {
  if (setting_.components != 3) return nowhere;
  for (const std::size_t i : contacts_.active) {
    if (!contacts_.slips(i) || contacts_.is_smooth(i)) continue;
    const ContactMotion& m = now_.mechanics.motion(i);
    const double size = std::hypot(m.velocity(1), m.velocity(2));
    if (size > setting_.vanishing_slip()) continue;
    const auto d = contacts_.modes.status[i].direction;
    const double rate = acceleration_in(i, d, acceleration);
    if (!(rate < 0.)) continue;
    const double along = m.velocity(1) * d[0] + m.velocity(2) * d[1];
    if (contacts_.creeps(i) && !(along > setting_.scales.still)) continue;  // it begins
    left = along > setting_.scales.still ? size / -rate : 0.;
    if (left < vanishes_soon * setting_.scales.time) return i;
  }
  return nowhere;
}

void Slip::stop(std::size_t contact, bool others) {
  contacts_.modes.status[contact] = {Touch::stick, {}};
  if (!others) return;
  now_.take();
  for (const std::size_t i : contacts_.active) {
    if (setting_.components != 3 || !contacts_.slips(i)) continue;
    const Eigen::Vector3d& v = now_.mechanics.load(i, now_.state).velocity;
    if (std::hypot(v(1), v(2)) <= setting_.vanishing_slip()) {
      contacts_.modes.status[i] = {Touch::stick, {}};
    }
  }
}

}  // namespace carom::motion
