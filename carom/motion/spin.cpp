// SPDX-License-Identifier: Apache-2.0
#include <carom/motion/spin.hpp>

#include <cmath>

// Rolling and drilling friction: couples at closed contacts that obey Coulomb's law with the
// relative spin w of the bodies and bounds of a length times the normal force,
//
//     |M_t| <= d_r F_n,  M_t = -d_r F_n w_t/|w_t|  where w_t is not zero,
//     |M_n| <= d_d F_n,  M_n = -d_d F_n sign(w_n)  where w_n is not zero
//
// [Le Saux, Leine & Glocker 2005]. Here w stands for the spin times the reference length L, M for
// the couple over L, and the bounds are d/L: all are velocities, forces and ratios of forces, as
// those of slip.
namespace carom::motion {

namespace {

/// Spin across its direction below this, relative to the spin at the start of the step, is
/// rounding: as that of slip.
constexpr double straight = 1e-11;
/// Spin that turns may not fall below this part of what it was in one step, and keeps its direction
/// while it is shown: as slip.
constexpr double least_left = 0.5;
/// Spin that vanishes within this, relative to the reference time, is brought to zero at once: as
/// slip.
constexpr double soon = 1e-6;
/// Angle between a spin and the direction for which modes were decided, below which they are the
/// same [rad]: as that of slip.
constexpr double same_way = 1e-9;

/// held, released, direction and spin at the start, of rolling and of drilling.
constexpr std::size_t numbers_per_mode = 6;

}  // namespace

Spins::Rows Spins::rows_of(Turning turning) const {
  if (setting_.components == 2) return {first_spin, 1};
  return turning == Turning::rolling ? Rows{first_spin + 1, 2} : Rows{first_spin, 1};
}

double Spins::bound_of(std::size_t i, Turning turning) const {
  if (turning == Turning::rolling)
    return contacts_.surface(i).rolling_friction() / setting_.scales.length;
  return setting_.components == 3
             ? contacts_.surface(i).drilling_friction() / setting_.scales.length
             : 0.;
}

void Spins::load(const std::vector<std::size_t>& contacts) {
  for (const std::size_t i : contacts)
    now_.mechanics.load_spin(i, now_.state, setting_.scales.length);
}

double Spins::size(std::size_t i, Turning turning) const {
  const Rows rows = rows_of(turning);
  const double w = now_.mechanics.velocity(i, rows.first);
  return rows.size == 2 ? std::hypot(w, now_.mechanics.velocity(i, rows.first + 1)) : std::abs(w);
}

// As slip_direction. In the plane, and of drilling, it is a sign that changes only at events.
std::array<double, 2> Spins::direction(std::size_t i, Turning turning) const {
  const SpinStatus::Mode& mode = contacts_.modes.spins[i][turning];
  const Rows rows = rows_of(turning);
  if (rows.size == 1) return mode.direction;
  const double w1 = now_.mechanics.velocity(i, rows.first);
  const double w2 = now_.mechanics.velocity(i, rows.first + 1);
  const double size = std::hypot(w1, w2);
  const double start = std::hypot(mode.at_start[0], mode.at_start[1]);
  const bool fades = contacts_.keeps_directions && size < least_left * start;
  if (size <= (fades ? setting_.vanishing_slip() : setting_.scales.still)) return mode.direction;
  const double across = std::abs(w1 * mode.direction[1] - w2 * mode.direction[0]);
  if (across <= straight * start) return mode.direction;
  return {w1 / size, w2 / size};
}

std::array<double, 3> Spins::couple_of(std::size_t i) const {
  std::array<double, 3> m{};
  for (const Turning turning : turnings) {
    const double bound = bound_of(i, turning);
    if (bound == 0. || contacts_.modes.spins[i][turning].held) continue;
    const Rows rows = rows_of(turning);
    const auto d = direction(i, turning);
    for (std::size_t j = 0; j < rows.size; ++j) m[rows.first - first_spin + j] = -bound * d[j];
  }
  return m;
}

// In the order of their components.
void Spins::add_held(std::size_t i, const Mechanics& mechanics, ContactSystem& system) const {
  for (const Turning turning : {Turning::drilling, Turning::rolling}) {
    if (!contacts_.modes.spins[i][turning].held) continue;
    const Rows rows = rows_of(turning);
    for (std::size_t j = 0; j < rows.size; ++j) system.add(mechanics, i, rows.first + j);
  }
}

void Spins::note_at_start() {
  for (const std::size_t i : contacts_.spinning) {
    SpinStatus::Mode& mode = contacts_.modes.spins[i][Turning::rolling];
    if (mode.held) continue;
    const Rows rows = rows_of(Turning::rolling);
    now_.mechanics.load_spin(i, now_.state, setting_.scales.length);
    const double size = this->size(i, Turning::rolling);
    for (std::size_t j = 0; j < rows.size; ++j) {
      mode.at_start[j] = now_.mechanics.velocity(i, rows.first + j);
      if (size > setting_.scales.still) mode.direction[j] = mode.at_start[j] / size;
    }
  }
}

// In space zero is reached only along rays, as by slip.
bool Spins::fall_too_fast() const {
  if (setting_.components != 3) return false;
  for (const std::size_t i : contacts_.spinning) {
    const SpinStatus::Mode& mode = contacts_.modes.spins[i][Turning::rolling];
    if (mode.held || bound_of(i, Turning::rolling) == 0.) continue;
    const Rows rows = rows_of(Turning::rolling);
    const double w1 = now_.mechanics.velocity(i, rows.first);
    const double w2 = now_.mechanics.velocity(i, rows.first + 1);
    const auto& d = mode.direction;
    const double before = std::hypot(mode.at_start[0], mode.at_start[1]);
    const double across = std::abs(w1 * d[1] - w2 * d[0]);
    if (across > straight * before && w1 * d[0] + w2 * d[1] < least_left * before &&
        before > setting_.scales.still) {
      return true;
    }
  }
  return false;
}

// Rolling so slow that its direction is determined by errors, and decreasing: it vanishes after
// `left`, at once if it is zero.
bool Spins::vanish(const Vector& acceleration, Trigger& trigger, double& left) const {
  if (setting_.components != 3) return false;
  for (const std::size_t i : contacts_.spinning) {
    const SpinStatus::Mode& mode = contacts_.modes.spins[i][Turning::rolling];
    if (mode.held || mode.released || bound_of(i, Turning::rolling) == 0.) continue;
    const double size = this->size(i, Turning::rolling);
    if (size > setting_.vanishing_slip()) continue;
    const Rows rows = rows_of(Turning::rolling);
    double rate = 0.;
    for (std::size_t j = 0; j < rows.size; ++j) {
      rate += mode.direction[j] * now_.mechanics.acceleration(i, rows.first + j, acceleration);
    }
    if (!(rate < 0.)) continue;
    left = size > setting_.scales.still ? size / -rate : 0.;
    if (!(left < soon * setting_.scales.time)) continue;
    trigger = {TriggerKind::spin_stops, i, now_.time, Turning::rolling};
    return true;
  }
  return false;
}

void Spins::forget_releases() {
  for (const std::size_t i : contacts_.spinning) {
    for (SpinStatus::Mode& mode : contacts_.modes.spins[i].modes) mode.released = false;
  }
}

void Spins::stop(const Trigger& trigger, bool others) {
  contacts_.modes.spins[trigger.contact][trigger.turning].held = true;
  if (!others) return;
  now_.take();
  contacts_.note_touching();
  load(contacts_.spinning);
  for (const std::size_t i : contacts_.spinning) {
    for (const Turning turning : turnings) {
      SpinStatus::Mode& mode = contacts_.modes.spins[i][turning];
      if (bound_of(i, turning) == 0. || mode.released) continue;
      mode.held = mode.held || size(i, turning) <= setting_.vanishing_slip();
    }
  }
}

bool Spins::have_turned() const {
  for (const std::size_t i : contacts_.spinning) {
    now_.mechanics.load_spin(i, now_.state, setting_.scales.length);
    for (const Turning turning : turnings) {
      const SpinStatus::Mode& mode = contacts_.modes.spins[i][turning];
      if (mode.held || bound_of(i, turning) == 0.) continue;
      const Rows rows = rows_of(turning);
      const bool in_space = rows.size == 2;
      const double none = in_space ? setting_.vanishing_slip() : setting_.scales.still;
      const double w1 = now_.mechanics.velocity(i, rows.first);
      const double w2 = in_space ? now_.mechanics.velocity(i, rows.first + 1) : 0.;
      const double along = w1 * mode.direction[0] + w2 * mode.direction[1];
      const double across = std::abs(w1 * mode.direction[1] - w2 * mode.direction[0]);
      const double size = std::abs(along) + across;
      if (!mode.released && size <= none) return true;
      if (size > none && !(across <= same_way * along)) return true;
    }
  }
  return false;
}

// The spins of the candidates, for the mode decision.
void Spins::pose(const Trigger& trigger, const std::vector<SpinStatus>& before,
                 const std::vector<std::size_t>& candidates, AccelerationProblem& problem) {
  problem.spins.clear();
  rows_.clear();
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    const std::size_t i = candidates[k];
    if (!contacts_.has_couples(i)) continue;
    now_.mechanics.load_spin(i, now_.state, setting_.scales.length);
    for (const Turning turning : turnings) {
      AccelerationSpin s;
      s.bound = bound_of(i, turning);
      if (s.bound == 0.) continue;
      const Rows rows = rows_of(turning);
      s.contact = k;
      s.first = rows_.size();
      s.size = rows.size;
      const double size = this->size(i, turning);
      const bool concerned = trigger.contact == i && trigger.turning == turning;
      s.turns =
          size > setting_.scales.still && !(concerned && trigger.kind == TriggerKind::spin_stops);
      s.leaves_rest = concerned && trigger.kind == TriggerKind::spin_limit;
      const SpinStatus::Mode& mode = before[i][turning];
      s.starts_turning = !s.turns && mode.released;
      if (s.starts_turning) s.direction = mode.direction;
      for (std::size_t j = 0; j < rows.size; ++j) {
        if (s.turns) s.direction[j] = now_.mechanics.velocity(i, rows.first + j) / size;
        rows_.push_back({k, rows.first + j});
      }
      problem.spins.push_back(s);
    }
  }
  now_.mechanics.spin_space(candidates, rows_, problem.N, problem.R, problem.c);
}

void Spins::take(const std::vector<std::size_t>& candidates, const AccelerationProblem& problem,
                 const AccelerationAnswer& answer) {
  for (std::size_t s = 0; s < problem.spins.size(); ++s) {
    const AccelerationSpin& posed = problem.spins[s];
    const std::size_t i = candidates[posed.contact];
    if (!contacts_.is_closed(i)) continue;
    const bool drills = setting_.components == 3 && rows_[posed.first].component == first_spin;
    SpinStatus::Mode& mode =
        contacts_.modes.spins[i][drills ? Turning::drilling : Turning::rolling];
    mode.held = answer.spins[s].held;
    mode.released = !mode.held && !posed.turns;
    mode.direction = answer.spins[s].direction;
    for (std::size_t j = 0; j < posed.size; ++j) {
      mode.at_start[j] = now_.mechanics.velocity(i, rows_[posed.first + j].component);
    }
  }
}

// An event is named after spins where no contact changes its mode.
void Spins::name_event(const Trigger& trigger, const std::vector<ContactStatus>& before,
                       const std::vector<SpinStatus>& spins_before, Event& event) const {
  if (!event.contacts.empty()) return;
  std::size_t first = nowhere;
  Turning named = trigger.turning;
  const bool by_spin =
      trigger.kind == TriggerKind::spin_stops || trigger.kind == TriggerKind::spin_limit;
  for (const std::size_t i : contacts_.active) {
    if (!contacts_.is_closed(i) || before[i].touch == Touch::open || !contacts_.has_couples(i))
      continue;
    bool changes = false;
    for (const Turning turning : turnings) {
      const bool stopped = trigger.kind == TriggerKind::spin_stops && trigger.contact == i &&
                           trigger.turning == turning;
      if (!stopped && spins_before[i][turning].held == contacts_.modes.spins[i][turning].held)
        continue;
      changes = true;
      const bool caused = by_spin && trigger.contact == i && trigger.turning == turning;
      if (first != nowhere && !caused) continue;
      first = i;
      named = turning;
    }
    if (changes) event.contacts.push_back(i);
  }
  if (first == nowhere) return;
  const bool rolls = named == Turning::rolling;
  if (contacts_.modes.spins[first][named].held) {
    event.kind = rolls ? EventKind::roll_to_rest : EventKind::drill_to_rest;
  } else if (spins_before[first][named].held) {
    event.kind = rolls ? EventKind::rest_to_roll : EventKind::rest_to_drill;
  } else {
    event.kind = rolls ? EventKind::roll_to_roll : EventKind::drill_to_drill;
  }
}

std::vector<double> Spins::save_modes() const {
  std::vector<double> numbers;
  for (const SpinStatus& s : contacts_.modes.spins) {
    for (const SpinStatus::Mode& m : s.modes) {
      numbers.insert(numbers.end(), {m.held ? 1. : 0., m.released ? 1. : 0., m.direction[0],
                                     m.direction[1], m.at_start[0], m.at_start[1]});
    }
  }
  return numbers;
}

bool Spins::load_modes(const std::vector<double>& numbers) {
  if (numbers.size() != contacts_.modes.spins.size() * turnings.size() * numbers_per_mode)
    return false;
  const double* x = numbers.data();
  for (SpinStatus& s : contacts_.modes.spins) {
    for (SpinStatus::Mode& m : s.modes) {
      m = {x[0] != 0., x[1] != 0., {x[2], x[3]}, {x[4], x[5]}};
      x += numbers_per_mode;
    }
  }
  return true;
}

}  // namespace carom::motion
