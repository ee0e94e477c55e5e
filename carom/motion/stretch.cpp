// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <carom/core/error.hpp>
#include <carom/core/scalar.hpp>
#include <carom/motion/run.hpp>

// Smooth segments: integration steps with projection onto the constraints.
namespace carom::motion {

namespace {

constexpr double least_factor = 0.2;  ///< by which a step is followed by a shorter one

}  // namespace

// The reference for the error of each entry, from the present energy: u_j = sqrt(2 E/M_jj), and the
// positions reached with such velocities in the reference time. A system at rest in equilibrium has
// neither energy nor forces: u_j is at least the reference speed V, or V/L if it is a spin, and the
// error of works is relative to at least the kinetic energy of such a velocity.
void Run::prepare_scales() {
  // A tenth for each step, so that the total error is close to the tolerance.
  const double tolerance = 0.1 * options_.tolerance;
  const double weight = mechanics_.force().dot(mechanics_.free());  // m a^2
  double energy =
      std::max(mechanics_.kinetic(state_.u), weight / scales_.acceleration * scales_.length);
  const double moving = energy;
  double* q = allowed_.data();
  std::fill(allowed_.begin(), allowed_.end(), 0.);
  State& unit = unit_state_;
  unit.time = state_.time;
  unit.q = state_.q;
  for (std::size_t j = 0; j < velocities_; ++j) {
    const double mass = mechanics_.mass_entry(j);
    const double least =
        model_.velocity_unit(j) == "rad" ? scales_.speed / scales_.length : scales_.speed;
    const double u = std::max(std::sqrt(2. * moving / mass), least);
    energy = std::max(energy, 0.5 * mass * least * least);
    allowed_[positions_ + j] = tolerance * u;
    unit.u.setZero();
    unit.u(ix(j)) = u * scales_.time;
    model_.kinematics(unit, q_rate_);
    for (std::size_t k = 0; k < positions_; ++k) {
      q[k] = std::max(q[k], tolerance * std::abs(q_rate_(ix(k))));
    }
  }
  for (std::size_t k = 0; k < positions_ + velocities_; ++k) {
    allowed_[k] = std::max(allowed_[k], 8. * epsilon * std::abs(y_[k]) + 1e-300);
  }
  for (std::size_t k = positions_ + velocities_; k < size_; ++k) {
    allowed_[k] = tolerance * energy + 8. * epsilon * std::abs(y_[k]) + 1e-300;
  }
  for (std::size_t k = 0; k < compliant_count_; ++k) {
    allowed_[deformation_at(k)] = tolerance * scales_.length;
  }
  for (const std::size_t i : touching_) {
    unit_force_[i] = scales_.acceleration / mechanics_.coupling(i, i)(0, 0);
  }
}

void Run::note_slip_at_start() {
  if (components_ != 3) return;
  take(y_, time_);
  if (!spinning_.empty()) note_spins_at_start();
  for (const std::size_t i : active_) {
    if (status_[i].touch != Touch::slip) continue;
    const Eigen::Vector3d& v = mechanics_.load(i, state_).velocity;
    const double size = std::hypot(v(1), v(2));
    slip_at_start_[i] = {v(1), v(2)};
    if (size > scales_.still && !creeps(i)) status_[i].direction = {v(1) / size, v(2) / size};
  }
}

// In the plane a release is over as soon as time advances: slip that is zero then has come to zero.
void Run::forget_releases() {
  if (components_ == 2) std::fill(creeping_.begin(), creeping_.end(), 0.);
  for (const std::size_t i : spinning_) {
    for (SpinStatus::Mode& mode : spins_[i].modes) mode.released = false;
  }
}

// In space zero slip is reached only along rays. Until slip keeps its direction, it may not
// decrease by more than half in a step.
bool Run::slip_falls_too_fast() const {
  if (components_ != 3) return false;
  for (const std::size_t i : active_) {
    if (status_[i].touch != Touch::slip || is_smooth(i)) continue;
    const Eigen::Vector3d& v = mechanics_.motion(i).velocity;
    const std::array<double, 2>& d = status_[i].direction;
    const double before = std::hypot(slip_at_start_[i][0], slip_at_start_[i][1]);
    const double after = v(1) * d[0] + v(2) * d[1];
    const double across = std::abs(v(1) * d[1] - v(2) * d[0]);
    if (across > 1e-11 * before && after < 0.5 * before && before > scales_.still) return true;
  }
  return false;
}

double Run::vanishing_slip() const {
  return std::max(100. * scales_.still, 10. * options_.tolerance * scales_.speed);
}

// Slip so slow that its direction is determined by errors, and decreasing: it vanishes after
// `left`.
std::size_t Run::slip_that_vanishes(double& left) const {
  if (components_ != 3) return nowhere;
  for (const std::size_t i : active_) {
    if (status_[i].touch != Touch::slip || is_smooth(i) || creeps(i)) continue;
    const ContactMotion& m = mechanics_.motion(i);
    const double size = std::hypot(m.velocity(1), m.velocity(2));
    if (size > vanishing_slip()) continue;
    const auto d = status_[i].direction;
    const double rate = acceleration_in(i, d);
    if (!(rate < 0.)) continue;
    left = size / -rate;
    if (left < 1e-3 * scales_.time) return i;
  }
  return nowhere;
}

bool Run::know_course() {
  if (creep_.active) return true;
  return ode_.know_course(
      y_, end_,
      [this](double t, std::span<const double> y, std::span<double> dy) { return rate(t, y, dy); });
}

Run::Advance Run::step(Trigger& trigger) {
  using Method = DormandPrince8;
  const auto rates = [this](double t, std::span<const double> y, std::span<double> dy) {
    return rate(t, y, dy);
  };
  lay_out();
  note_slip_at_start();
  creep_.shared_before = is_warm_ ? near_ : std::vector<double>();
  follow_status();
  creep_.active = false;
  creep_.creeping_before = creeping_;
  creep_.status_before = status_;
  watch_ = false;
  if (!rate(time_, y_, ode_.start_rate())) {
    fail_acceleration();
    return Advance::failed;
  }
  double left = 0.;
  Trigger vanishing;
  if (const std::size_t i = slip_that_vanishes(left); i != nowhere) {
    vanishing = {TriggerKind::stops, i, time_};
  } else if (!spinning_.empty()) {
    static_cast<void>(spin_that_vanishes(vanishing, left));
  }
  if (vanishing.kind != TriggerKind::none) {
    if (time_ + left > options_.end_time) left = 0.;
    for (std::size_t k = 0; k < size_; ++k) y_[k] += left * ode_.start_rate()[k];
    time_ += left;
    project();
    record_visible(time_, y_);
    trigger = vanishing;
    trigger.time = time_;
    return Advance::event;
  }
  prepare_scales();
  // Again, with the scale of the forces known.
  const double least = 16. * epsilon * std::max(std::abs(time_), 1e-6 * scales_.time);
  const double jump = model_.next_jump(time_);
  if (jump - time_ < least) return jumped(jump, trigger);
  latest_ = std::nextafter(jump, time_);
  double h = std::min({h_, scales_.time, jump - time_});
  prepare_creep(h);
  if (!start_creep(is_stiff(h))) return Advance::failed;
  bool rejected = false;
  double error = 0.;
  while (true) {
    if (h < least) {
      fail(Failure::step_size, "the step size fell to " + shortest(h) +
                                   " s at t = " + shortest(time_) +
                                   " s: accelerations change too fast; try another tolerance");
      return Advance::failed;
    }
    if (creep_.active && !is_stiff(h) && !start_creep(false)) return Advance::failed;
    bool possible = false;
    if (creep_.active) {
      possible = creep_step(h);
    } else {
      least_.assign(indicators(), infinite);
      watch_ = true;
      possible = ode_.step<Method>(time_, h, y_, end_, rates) &&
                 rate(time_ + h, end_, ode_.end_rate<Method>());
      watch_ = false;
      possible =
          possible && !slip_falls_too_fast() && !(!spinning_.empty() && spin_falls_too_fast());
    }
    if (!possible) {
      h *= 0.5;
      rejected = true;
      continue;
    }
    error = creep_.active ? creep_error() : ode_.error<Method>(allowed_);
    if (std::isfinite(error) && error <= 1.) break;
    h *= step_factor<Method>(error, least_factor);
    rejected = true;
  }
  indicate(at_end_);
  ++steps_;
  const double factor = step_factor<Method>(error, least_factor);
  const double next = h * (rejected ? std::min(1., factor) : factor);

  trigger = {};
  if (!first_event(time_ + h, trigger)) return Advance::failed;
  const double reached = std::min(trigger.time, time_ + h);
  const bool ends = reached > options_.end_time;
  const double until = ends ? options_.end_time : reached;
  const bool inside = until < time_ + h;
  if ((inside || next_sample_ <= until) && !know_course()) {
    fail_acceleration();
    return Advance::failed;
  }
  if (!sample_until(until, [this](double t, std::vector<double>& y) { course_at(t, y, size_); })) {
    creep_.ended_within = true;
    --steps_;  // the step is repeated
    return Advance::stopped;
  }
  if (inside) {
    course_at(until, trial_, size_);
  } else {
    trial_ = end_;
  }
  if (ends) {
    record_visible(until, trial_);
    creep_.ended_within = true;
    return Advance::end_time;
  }
  y_ = trial_;
  keep_directions(!inside);
  if (until - time_ > 1e-6 * scales_.time) forget_releases();
  time_ = until;
  project();
  recover_levels();
  record_visible(time_, y_);
  if (trigger.kind != TriggerKind::none) {
    if (trigger.kind == TriggerKind::stops) creeping_[trigger.contact] = 0.;
    h_ = std::max(std::min(h_, next), 1e-3 * scales_.time);
    return Advance::event;
  }
  h_ = std::max(next, h < h_ && !rejected ? h_ : 0.);  // a jump cut the step short
  if (time_ >= latest_) return jumped(jump, trigger);
  return Advance::stepped;
}

// Where a prescribed acceleration jumps, modes are decided again.
Run::Advance Run::jumped(double time, Trigger& trigger) {
  time_ = time;
  latest_ = infinite;
  record_visible(time_, y_);
  trigger = {TriggerKind::jumps, nowhere, time_};
  return Advance::event;
}

// Corrects the drift of integration: gaps of closed contacts, normal velocities, slip of sticking
// contacts.
void Run::project() {
  note_touching();
  take(y_, time_);
  model_.normalise(state_);
  const bool possible = close_touching();
  for (std::size_t j = 0; j < positions_; ++j) y_[j] = state_.q(ix(j));
  if (touching_.empty() || !possible || !mechanics_.at(state_)) return;
  for (const std::size_t i : touching_) mechanics_.load(i, state_);
  project_velocities(touching_);
}

/// Closes the gaps of touching contacts at state_, which integration has left. False where M is
/// not positive definite.
bool Run::close_touching() {
  if (touching_.empty()) return true;
  if (!mechanics_.at(state_)) return false;
  bool drifted = false;
  for (const std::size_t i : touching_) {
    const ContactMotion& m = mechanics_.load(i, state_);
    if (!is_compliant(i)) drifted = drifted || std::abs(m.gap) > 1e-15 * scales_.length;
  }
  if (drifted) project_gaps(touching_);
  return true;
}

/// Moves the positions along M^-1 W of the unknowns just solved for.
void Run::shift_positions() {
  State& shift = unit_state_;
  shift.time = state_.time;
  shift.q = state_.q;
  shift.u.setZero();
  system_.push(mechanics_, shift.u);
  model_.kinematics(shift, q_rate_);
  state_.q += q_rate_;
  model_.normalise(state_);
}

void Run::project_gaps(const std::vector<std::size_t>& contacts) {
  system_.clear();
  for (const std::size_t i : contacts) {
    if (!is_compliant(i)) system_.add(i, 0);
  }
  system_.arrange(mechanics_);
  for (std::size_t a = 0; a < system_.x.size(); ++a) {
    system_.x[a] = -mechanics_.motion(system_.unknowns()[a].contact).gap;
  }
  if (system_.solve(mechanics_)) shift_positions();
}

void Run::project_velocities(const std::vector<std::size_t>& contacts) {
  system_.clear();
  for (const std::size_t i : contacts) {
    const std::size_t first = is_spring(i) ? 1 : 0;
    // Slip that creeps keeps its size and has the direction of its friction.
    const std::size_t last = status_[i].touch == Touch::stick || creeps(i) ? components_ : 1;
    for (std::size_t j = first; j < last; ++j) system_.add(i, j);
    if (!has_couples(i)) continue;
    mechanics_.load_spin(i, state_, scales_.length);
    add_held_couples(i);
  }
  system_.arrange(mechanics_);
  for (std::size_t a = 0; a < system_.x.size(); ++a) {
    const std::size_t i = system_.unknowns()[a].contact;
    const std::size_t component = system_.unknowns()[a].row;
    const ContactMotion& m = mechanics_.motion(i);
    system_.x[a] = -mechanics_.velocity(i, component);
    if (component > 0 && component < first_spin && creeps(i)) {
      const auto& d = creep_direction_[i];
      system_.x[a] += (m.velocity(1) * d[0] + m.velocity(2) * d[1]) * d[component - 1];
    }
  }
  if (!system_.solve(mechanics_)) return;
  system_.push(mechanics_, state_.u);
  store_velocity();
}

}  // namespace carom::motion
