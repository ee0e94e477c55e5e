// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <carom/motion/run.hpp>

// The equations of motion for fixed contact modes: one row and one force for each constraint (gap''
// = 0 at closed contacts, v_T' = 0 at sticking contacts).
namespace carom::motion {

std::array<double, 2> Run::slip_direction(std::size_t i) const {
  const ContactStatus& s = status_[i];
  if (components_ == 2) return s.direction;
  // In space the direction of slip changes. Near zero slip it is the direction of the status. It
  // stays constant while slip is along it, because slip may pass through zero within a step.
  if (creeps(i)) return creep_direction_[i];
  const Eigen::Vector3d& v = mechanics_.motion(i).velocity;
  const double size = std::hypot(v(1), v(2));
  if (size <= scales_.still) return s.direction;
  const std::array<double, 2>& start = slip_at_start_[i];
  const double start_size = std::hypot(start[0], start[1]);
  const double across = std::abs(v(1) * s.direction[1] - v(2) * s.direction[0]);
  if (across <= 1e-11 * start_size) return s.direction;
  return {v(1) / size, v(2) / size};
}

// Where contacts are hyperstatic, forces are the least within signs and cones. Whether they can
// hold the modes is decided by any that lie inside. Where the motion does not depend on the
// distribution, the least are computed only if they are shown.
bool Run::solve_for_forces(const ContactSystem::Island& island) {
  const std::size_t r = island.size();
  const std::vector<double>& K = system_.matrix(island, mechanics_);
  double* const f = system_.x.data() + island.begin;
  right_.assign(f, f + r);
  const Solved solved = solve_small(K.data(), f, r);
  if (solved != Solved::shared) {
    std::copy(f, f + r, inner_.begin() + ix(island.begin));
    return solved == Solved::uniquely;
  }
  sharing_.clear();
  for (std::size_t a = island.begin; a < island.end; ++a) {
    const std::size_t i = system_.unknowns()[a].contact;
    const std::size_t component = system_.unknowns()[a].row;
    if (a == island.begin || system_.unknowns()[a - 1].contact != i) {
      sharing_.push_back({.given = force_[i * components_], .mu = surface(i).static_friction});
    }
    if (component >= first_spin) {
      // A further cone over the same normal force.
      const SpinRows rolling = rows_of(Turning::rolling);
      const bool rolls = component >= rolling.first && component < rolling.first + rolling.size;
      const Turning turning = rolls ? Turning::rolling : Turning::drilling;
      if (component != rows_of(turning).first) continue;
      const complementarity::SharingContact own = sharing_.back();
      sharing_.push_back({.normal = own.normal,
                          .given = own.given,
                          .tangential = a - island.begin,
                          .components = rows_of(turning).size,
                          .mu = bound_of(i, turning)});
      continue;
    }
    complementarity::SharingContact& s = sharing_.back();
    if (component == 0) s.normal = a - island.begin;
    if (component == 1) s.tangential = a - island.begin;
    if (component > 0) s.components = component;
  }
  if (!shared_.read({K.data(), r * r}, {right_.data(), r}, singular_pivot)) return false;
  // Forces that are reported must not depend on what was reported before.
  warm_.clear();
  if (!shows_forces_ && is_warm_ && inner_.size() == near_.size()) {
    warm_.assign(near_.begin() + ix(island.begin), near_.begin() + ix(island.end));
  }
  shared_.share(sharing_, warm_);
  std::copy(shared_.inner().begin(), shared_.inner().end(), inner_.begin() + ix(island.begin));
  shared_in_step_ = true;
  if (shows_forces_ || matters(island)) shared_.find_least(sharing_);
  std::copy(shared_.least().begin(), shared_.least().end(), f);
  return true;
}

// Whether the motion depends on how hyperstatic forces are distributed: some distribution of zero
// total changes accelerations. Accelerations of contacts, all in m/s^2.
bool Run::matters(const ContactSystem::Island& island) {
  const auto& kernel = shared_.kernel();
  double moved = 0.;
  double most = 0.;
  for (std::size_t a = island.begin; a < island.end; ++a) {
    const ContactSystem::Unknown& u = system_.unknowns()[a];
    const auto row = ix(u.row < first_spin ? u.row : u.row - first_spin);
    most = std::max(most, u.row < first_spin ? mechanics_.coupling(u.contact, u.contact)(row, row)
                                             : mechanics_.spin_coupling(u.contact, true, u.contact,
                                                                        true)(row, row));
  }
  for (Eigen::Index k = 0; k < kernel.cols(); ++k) {
    scratch_.setZero(ix(velocities_));
    for (std::size_t a = island.begin; a < island.end; ++a) {
      const ContactSystem::Unknown& u = system_.unknowns()[a];
      const double x = kernel(ix(a - island.begin), k);
      mechanics_.push(u.contact, {x * u.c[0], x * u.c[1], x * u.c[2]}, scratch_);
      if (!u.turns()) continue;
      const auto& m = system_.couple(u);
      mechanics_.push_couple(u.contact, {x * m[0], x * m[1], x * m[2]}, scratch_);
    }
    for (std::size_t a = island.begin; a < island.end; ++a) {
      const std::size_t i = system_.unknowns()[a].contact;
      for (std::size_t j = 0; j < components_; ++j) {
        moved = std::max(moved, std::abs(mechanics_.along(i, j, scratch_)));
      }
      for (std::size_t j = 0; j < mechanics_.spins && has_couples(i); ++j) {
        moved = std::max(moved, std::abs(mechanics_.along(i, first_spin + j, scratch_)));
      }
    }
  }
  return moved > indifferent * most;
}

bool Run::creeps(std::size_t i) const {
  return components_ == 3 && creeping_[i] != 0. && status_[i].touch == Touch::slip;
}

void Run::note_touching() {
  touching_.clear();
  for (const std::size_t i : active_) {
    if (is_closed(i)) touching_.push_back(i);
  }
  if (!any_couples_) return;
  spinning_.clear();
  for (const std::size_t i : touching_) {
    if (has_couples(i)) spinning_.push_back(i);
  }
}

bool Run::equations() {
  note_touching();
  for (const std::size_t i : touching_) mechanics_.load(i, state_);
  if (!spinning_.empty()) load_spins(spinning_);
  return solve_equations();
}

bool Run::solve_equations() {
  acceleration_ = mechanics_.free();
  system_.clear();
  for (const std::size_t i : touching_) {
    const bool slips = status_[i].touch == Touch::slip;
    std::array<double, 3> c{1., 0., 0.};
    if (slips) {
      const auto d = slip_direction(i);
      for (std::size_t j = 1; j < components_; ++j) c[j] = -surface(i).friction * d[j - 1];
    }
    const bool turns = has_couples(i);
    std::array<double, 3> m{};
    if (turns) {
      m = couple_of(i);
      std::fill_n(&couple_[i * 3], 3, 0.);
    }
    double* const force = &force_[i * components_];
    std::fill(force, force + components_, 0.);
    if (is_spring(i)) {
      const double F = compliant_force(i);
      mechanics_.push(i, {F * c[0], F * c[1], F * c[2]}, acceleration_);
      for (std::size_t j = 0; j < components_; ++j) force[j] = F * c[j];
      if (turns) {
        mechanics_.push_couple(i, {F * m[0], F * m[1], F * m[2]}, acceleration_);
        for (std::size_t j = 0; j < 3; ++j) couple_[i * 3 + j] = F * m[j];
      }
    } else {
      if (slips) slip_A_[i] = mechanics_.coupling(i, i).row(0).dot(Eigen::Vector3d(c.data()));
      if (slips && turns) {
        slip_A_[i] +=
            mechanics_.spin_coupling(i, false, i, true).row(0).dot(Eigen::Vector3d(m.data()));
      }
      if (turns) {
        system_.add(i, 0, c, m);
      } else {
        system_.add(i, 0, c);
      }
    }
    if (status_[i].touch == Touch::stick) {
      for (std::size_t j = 1; j < components_; ++j) system_.add(i, j);
    }
    if (turns) add_held_couples(i);
  }
  system_.arrange(mechanics_);
  const auto& unknowns = system_.unknowns();
  for (std::size_t a = 0; a < unknowns.size(); ++a) {
    system_.x[a] = -mechanics_.acceleration(unknowns[a].contact, unknowns[a].row, acceleration_);
  }
  inner_.resize(unknowns.size());
  shared_in_step_ = false;
  for (const ContactSystem::Island& island : system_.islands()) {
    if (!solve_for_forces(island)) return false;
  }
  is_warm_ = shared_in_step_;
  if (is_warm_) near_ = inner_;
  system_.push(mechanics_, acceleration_);
  for (const std::size_t i : touching_) {
    std::copy_n(&force_[i * components_], components_, &held_force_[i * components_]);
  }
  for (const std::size_t i : spinning_) std::copy_n(&couple_[i * 3], 3, &held_couple_[i * 3]);
  for (std::size_t a = 0; a < unknowns.size(); ++a) {
    const auto& [i, row, c, couple] = unknowns[a];
    for (std::size_t j = 0; j < 3 && unknowns[a].turns(); ++j) {
      const double m = system_.couple(unknowns[a])[j];
      couple_[i * 3 + j] += system_.x[a] * m;
      held_couple_[i * 3 + j] += inner_[a] * m;
    }
    for (std::size_t j = 0; j < components_; ++j) {
      force_[i * components_ + j] += system_.x[a] * c[j];
    }
    if (row >= first_spin) continue;
    held_force_[i * components_ + row] += inner_[a];
    if (row != 0 || status_[i].touch != Touch::slip) continue;
    for (std::size_t j = 1; j < components_; ++j) {
      held_force_[i * components_ + j] = force_[i * components_ + j];
    }
  }
  return true;
}

bool Run::rate(double time, std::span<const double> y, std::span<double> dy) {
  take(y, time);
  if (!mechanics_.at(state_) || !equations()) return false;
  model_.kinematics(state_, q_rate_);
  bool finite = true;
  for (std::size_t j = 0; j < positions_; ++j) {
    dy[j] = q_rate_(ix(j));
    finite = finite && std::isfinite(dy[j]);
  }
  for (std::size_t j = 0; j < velocities_; ++j) {
    dy[positions_ + j] = acceleration_(ix(j));
    finite = finite && std::isfinite(dy[positions_ + j]);
  }
  std::fill(dy.begin() + ix(drives_at_), dy.end(), 0.);
  const OtherPower other = model_.other_power(state_);
  dy[drives_at_] = other.drives;
  dy[dampers_at_] = other.dampers;
  for (const std::size_t i : touching_) {
    // The power on the system is F.W^T u. The difference to F.v, due to a moving support, counts as
    // a drive.
    const ContactMotion& m = mechanics_.motion(i);
    const double* F = &force_[i * components_];
    double support = 0.;
    double friction = 0.;
    for (std::size_t j = 0; j < components_; ++j) {
      support += F[j] * (mechanics_.along(i, j, state_.u) - m.velocity(ix(j)));
      if (j > 0) friction += F[j] * m.velocity(ix(j));
    }
    for (std::size_t j = 0; j < mechanics_.spins && has_couples(i); ++j) {
      const double spin = mechanics_.velocity(i, first_spin + j);
      support += couple_[i * 3 + j] * (mechanics_.along(i, first_spin + j, state_.u) - spin);
      friction += couple_[i * 3 + j] * spin;
    }
    if (work_at_[i] != nowhere) dy[work_at_[i]] = friction;
    dy[drives_at_] += support;
    if (is_compliant(i)) {
      dy[deformation_at(compliant_[i])] = compliant_rate(i, m.velocity(0));
      dy[normal_work_at(compliant_[i])] = F[0] * m.velocity(0);
    }
  }
  if (watch_ && finite) {
    indicate(trial_indicators_);
    for (std::size_t k = 0; k < least_.size(); ++k) {
      least_[k] = std::min(least_[k], trial_indicators_[k]);
    }
  }
  return finite;
}

// Tolerance of indicators: forces relative to the force that would lift the contact with the
// reference acceleration, slip relative to the reference speed. It is wider than that of the mode
// decisions, so that none is reversed at once.
double Run::tolerated(std::size_t slot) const {
  if (slot + 1 == indicators()) return 0.;
  if (slot / 3 >= touching_.size()) {
    const Trigger t = spin_trigger(slot, 0.);
    return t.kind == TriggerKind::spin_limit ? 1e-9 : 1e-11;
  }
  const std::size_t i = touching_[slot / 3];
  if (slot % 3 == 2) return is_held(i) ? 1e-9 : 0.;
  if (slot % 3 == 1) return status_[i].touch == Touch::stick ? 1e-9 : 1e-11;
  return is_spring(i) ? 0. : 1e-9;
}

// Indicators, positive while the modes hold: three for each closed contact, two for each of those
// with rolling or drilling friction, and the end condition of the model.
void Run::indicate(std::vector<double>& values) {
  values.assign(indicators(), 1.);
  for (std::size_t place = 0; place < touching_.size(); ++place) {
    const std::size_t i = touching_[place];
    const double* F = &held_force_[i * components_];
    const Eigen::Vector3d& v = mechanics_.motion(i).velocity;
    double* out = &values[3 * place];
    const ContactStatus& s = status_[i];
    if (is_spring(i)) {
      const std::size_t k = compliant_[i];
      out[0] = deformation_[k] / scales_.length;
      out[2] = stage_of(i) == Stage::loading ? -v(0) / scales_.speed
                                             : (peak_[k] - deformation_[k]) / scales_.length;
    } else {
      out[0] = F[0] / unit_force_[i];
      // deformation_ is the largest so far
      if (is_held(i)) out[2] = (compliant_force(i) - F[0]) / unit_force_[i];
    }
    if (s.touch == Touch::slip) {
      out[1] = v(1) * s.direction[0] + (components_ == 3 ? v(2) * s.direction[1] : 0.);
      // In space, slip that changes its direction does not pass through zero.
      if (creeps(i)) {
        out[1] = v(1) * creep_direction_[i][0] + v(2) * creep_direction_[i][1];
      } else if (components_ == 3 && slip_direction(i) != s.direction) {
        out[1] = std::hypot(v(1), v(2));
      }
      out[1] = is_smooth(i) ? 1. : out[1] / scales_.speed;
      if (!is_compliant(i))
        out[2] = slip_A_[i] / (scales_.acceleration / unit_force_[i]) - diverging;
    } else {
      const double size = components_ == 3 ? std::hypot(F[1], F[2]) : std::abs(F[1]);
      out[1] = (surface(i).static_friction * F[0] - size) / unit_force_[i];
    }
  }
  if (!spinning_.empty()) indicate_spins(&values[3 * touching_.size()]);
  if (const auto end = model_.end_function(state_)) values.back() = *end;
}

}  // namespace carom::motion
