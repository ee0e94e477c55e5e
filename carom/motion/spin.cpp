// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <carom/core/error.hpp>
#include <carom/motion/run.hpp>

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
/// Spin that vanishes within this, relative to the reference time, is brought to zero at once.
constexpr double soon = 1e-3;

/// held, released, direction and spin at the start, of rolling and of drilling.
constexpr std::size_t numbers_per_mode = 6;

}  // namespace

Run::SpinRows Run::rows_of(Turning turning) const {
  if (components_ == 2) return {first_spin, 1};
  return turning == Turning::rolling ? SpinRows{first_spin + 1, 2} : SpinRows{first_spin, 1};
}

double Run::bound_of(std::size_t i, Turning turning) const {
  if (turning == Turning::rolling) return surface(i).rolling_friction() / scales_.length;
  return components_ == 3 ? surface(i).drilling_friction() / scales_.length : 0.;
}

void Run::refuse_couples() const {
  for (std::size_t k = 0; k < surfaces_.size(); ++k) {
    const Surface& s = surfaces_[k];
    const bool rolls = s.rolling_friction() > 0.;
    if (!rolls && !(s.drilling_friction() > 0.)) continue;
    throw InputError(
        "surfaces." + model_.surface_name(k) + (rolls ? ".rolling_friction" : ".drilling_friction"),
        rolls ? s.rolling_friction() : s.drilling_friction(),
        "0: this system knows no relative spin of bodies in contact");
  }
}

void Run::load_spins(const std::vector<std::size_t>& contacts) {
  for (const std::size_t i : contacts) mechanics_.load_spin(i, state_, scales_.length);
}

double Run::spin_size(std::size_t i, Turning turning) const {
  const SpinRows rows = rows_of(turning);
  const double w = mechanics_.velocity(i, rows.first);
  return rows.size == 2 ? std::hypot(w, mechanics_.velocity(i, rows.first + 1)) : std::abs(w);
}

// As slip_direction. In the plane, and of drilling, it is a sign that changes only at events.
std::array<double, 2> Run::spin_direction(std::size_t i, Turning turning) const {
  const SpinStatus::Mode& mode = spins_[i][turning];
  const SpinRows rows = rows_of(turning);
  if (rows.size == 1) return mode.direction;
  const double w1 = mechanics_.velocity(i, rows.first);
  const double w2 = mechanics_.velocity(i, rows.first + 1);
  const double size = std::hypot(w1, w2);
  if (size <= scales_.still) return mode.direction;
  const double start = std::hypot(mode.at_start[0], mode.at_start[1]);
  const double across = std::abs(w1 * mode.direction[1] - w2 * mode.direction[0]);
  if (across <= straight * start) return mode.direction;
  return {w1 / size, w2 / size};
}

std::array<double, 3> Run::couple_of(std::size_t i) const {
  std::array<double, 3> m{};
  for (const Turning turning : turnings) {
    const double bound = bound_of(i, turning);
    if (bound == 0. || spins_[i][turning].held) continue;
    const SpinRows rows = rows_of(turning);
    const auto d = spin_direction(i, turning);
    for (std::size_t j = 0; j < rows.size; ++j) m[rows.first - first_spin + j] = -bound * d[j];
  }
  return m;
}

// In the order of their components.
void Run::add_held_couples(std::size_t i) {
  for (const Turning turning : {Turning::drilling, Turning::rolling}) {
    if (!spins_[i][turning].held) continue;
    const SpinRows rows = rows_of(turning);
    for (std::size_t j = 0; j < rows.size; ++j) system_.add(i, rows.first + j);
  }
}

void Run::note_spins_at_start() {
  for (const std::size_t i : spinning_) {
    SpinStatus::Mode& mode = spins_[i][Turning::rolling];
    if (mode.held) continue;
    const SpinRows rows = rows_of(Turning::rolling);
    mechanics_.load_spin(i, state_, scales_.length);
    const double size = spin_size(i, Turning::rolling);
    for (std::size_t j = 0; j < rows.size; ++j) {
      mode.at_start[j] = mechanics_.velocity(i, rows.first + j);
      if (size > scales_.still) mode.direction[j] = mode.at_start[j] / size;
    }
  }
}

// In space zero is reached only along rays, as by slip.
bool Run::spin_falls_too_fast() const {
  if (components_ != 3) return false;
  for (const std::size_t i : spinning_) {
    const SpinStatus::Mode& mode = spins_[i][Turning::rolling];
    if (mode.held || bound_of(i, Turning::rolling) == 0.) continue;
    const SpinRows rows = rows_of(Turning::rolling);
    const double w1 = mechanics_.velocity(i, rows.first);
    const double w2 = mechanics_.velocity(i, rows.first + 1);
    const auto& d = mode.direction;
    const double before = std::hypot(mode.at_start[0], mode.at_start[1]);
    const double across = std::abs(w1 * d[1] - w2 * d[0]);
    if (across > straight * before && w1 * d[0] + w2 * d[1] < 0.5 * before &&
        before > scales_.still) {
      return true;
    }
  }
  return false;
}

// Rolling so slow that its direction is determined by errors, and decreasing: it vanishes after
// `left`.
bool Run::spin_that_vanishes(Trigger& trigger, double& left) const {
  if (components_ != 3) return false;
  for (const std::size_t i : spinning_) {
    const SpinStatus::Mode& mode = spins_[i][Turning::rolling];
    if (mode.held || mode.released || bound_of(i, Turning::rolling) == 0.) continue;
    const double size = spin_size(i, Turning::rolling);
    if (size > vanishing_slip()) continue;
    const SpinRows rows = rows_of(Turning::rolling);
    double rate = 0.;
    for (std::size_t j = 0; j < rows.size; ++j) {
      rate += mode.direction[j] * mechanics_.acceleration(i, rows.first + j, acceleration_);
    }
    if (!(rate < 0.)) continue;
    left = size / -rate;
    if (!(left < soon * scales_.time)) continue;
    trigger = {TriggerKind::spin_stops, i, time_, Turning::rolling};
    return true;
  }
  return false;
}

void Run::indicate_spins(double* values) const {
  for (std::size_t place = 0; place < spinning_.size(); ++place) {
    const std::size_t i = spinning_[place];
    for (const Turning turning : turnings) {
      const double bound = bound_of(i, turning);
      if (bound == 0.) continue;
      double& out = values[place * turnings.size() + static_cast<std::size_t>(turning)];
      const SpinStatus::Mode& mode = spins_[i][turning];
      const SpinRows rows = rows_of(turning);
      if (mode.held) {
        const double* M = &held_couple_[i * 3 + rows.first - first_spin];
        const double size = rows.size == 2 ? std::hypot(M[0], M[1]) : std::abs(M[0]);
        out = (bound * held_force_[i * components_] - size) / unit_force_[i];
        continue;
      }
      if (rows.size == 2 && spin_direction(i, turning) != mode.direction) {
        out = spin_size(i, turning) / scales_.speed;
        continue;
      }
      out = 0.;
      for (std::size_t j = 0; j < rows.size; ++j) {
        out += mechanics_.velocity(i, rows.first + j) * mode.direction[j] / scales_.speed;
      }
    }
  }
}

Trigger Run::spin_trigger(std::size_t slot, double time) const {
  const std::size_t place = slot - 3 * touching_.size();
  const std::size_t i = spinning_[place / turnings.size()];
  const Turning turning = turnings[place % turnings.size()];
  const bool held = spins_[i][turning].held;
  return {held ? TriggerKind::spin_limit : TriggerKind::spin_stops, i, time, turning};
}

// Removes the remaining spin, in whichever direction it may turn next. Others may stop at the same
// time.
void Run::stop_spin(const Trigger& trigger) {
  spins_[trigger.contact][trigger.turning].held = true;
  take(y_, time_);
  note_touching();
  load_spins(spinning_);
  for (const std::size_t i : spinning_) {
    for (const Turning turning : turnings) {
      SpinStatus::Mode& mode = spins_[i][turning];
      if (bound_of(i, turning) == 0. || mode.released) continue;
      mode.held = mode.held || spin_size(i, turning) <= vanishing_slip();
    }
  }
  project();
}

// The spins of the candidates, for the mode decision.
void Run::pose_spins(const Trigger& trigger, const std::vector<SpinStatus>& before) {
  problem_.spins.clear();
  spin_rows_.clear();
  for (std::size_t k = 0; k < candidate_.size(); ++k) {
    const std::size_t i = candidate_[k];
    if (!has_couples(i)) continue;
    mechanics_.load_spin(i, state_, scales_.length);
    for (const Turning turning : turnings) {
      AccelerationSpin s;
      s.bound = bound_of(i, turning);
      if (s.bound == 0.) continue;
      const SpinRows rows = rows_of(turning);
      s.contact = k;
      s.first = spin_rows_.size();
      s.size = rows.size;
      const double size = spin_size(i, turning);
      const bool concerned = trigger.contact == i && trigger.turning == turning;
      s.turns = size > scales_.still && !(concerned && trigger.kind == TriggerKind::spin_stops);
      s.leaves_rest = concerned && trigger.kind == TriggerKind::spin_limit;
      const SpinStatus::Mode& mode = before[i][turning];
      s.starts_turning = !s.turns && mode.released;
      if (s.starts_turning) s.direction = mode.direction;
      for (std::size_t j = 0; j < rows.size; ++j) {
        if (s.turns) s.direction[j] = mechanics_.velocity(i, rows.first + j) / size;
        spin_rows_.push_back({k, rows.first + j});
      }
      problem_.spins.push_back(s);
    }
  }
  mechanics_.spin_space(candidate_, spin_rows_, problem_.N, problem_.R, problem_.c);
}

void Run::take_spins() {
  for (std::size_t s = 0; s < problem_.spins.size(); ++s) {
    const AccelerationSpin& posed = problem_.spins[s];
    const std::size_t i = candidate_[posed.contact];
    if (!is_closed(i)) continue;
    const bool drills = components_ == 3 && spin_rows_[posed.first].component == first_spin;
    SpinStatus::Mode& mode = spins_[i][drills ? Turning::drilling : Turning::rolling];
    mode.held = answer_.spins[s].held;
    mode.released = !mode.held && !posed.turns;
    mode.direction = answer_.spins[s].direction;
    for (std::size_t j = 0; j < posed.size; ++j) {
      mode.at_start[j] = mechanics_.velocity(i, spin_rows_[posed.first + j].component);
    }
  }
}

// An event is named after spins where no contact changes its mode.
void Run::name_spin_event(const Trigger& trigger, const std::vector<ContactStatus>& before,
                          const std::vector<SpinStatus>& spins_before, Event& event) const {
  if (!event.contacts.empty()) return;
  std::size_t first = nowhere;
  Turning named = trigger.turning;
  const bool by_spin =
      trigger.kind == TriggerKind::spin_stops || trigger.kind == TriggerKind::spin_limit;
  for (const std::size_t i : active_) {
    if (!is_closed(i) || before[i].touch == Touch::open || !has_couples(i)) continue;
    bool changes = false;
    for (const Turning turning : turnings) {
      const bool stopped = trigger.kind == TriggerKind::spin_stops && trigger.contact == i &&
                           trigger.turning == turning;
      if (!stopped && spins_before[i][turning].held == spins_[i][turning].held) continue;
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
  if (spins_[first][named].held) {
    event.kind = rolls ? EventKind::roll_to_rest : EventKind::drill_to_rest;
  } else if (spins_before[first][named].held) {
    event.kind = rolls ? EventKind::rest_to_roll : EventKind::rest_to_drill;
  } else {
    event.kind = rolls ? EventKind::roll_to_roll : EventKind::drill_to_drill;
  }
}

std::vector<double> Run::saved_spins() const {
  std::vector<double> numbers;
  for (const SpinStatus& s : spins_) {
    for (const SpinStatus::Mode& m : s.modes) {
      numbers.insert(numbers.end(), {m.held ? 1. : 0., m.released ? 1. : 0., m.direction[0],
                                     m.direction[1], m.at_start[0], m.at_start[1]});
    }
  }
  return numbers;
}

bool Run::load_spins_of(const std::vector<double>& numbers) {
  if (numbers.size() != spins_.size() * turnings.size() * numbers_per_mode) return false;
  const double* x = numbers.data();
  for (SpinStatus& s : spins_) {
    for (SpinStatus::Mode& m : s.modes) {
      m = {x[0] != 0., x[1] != 0., {x[2], x[3]}, {x[4], x[5]}};
      x += numbers_per_mode;
    }
  }
  return true;
}

}  // namespace carom::motion
