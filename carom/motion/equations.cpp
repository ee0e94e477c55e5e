// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <carom/motion/run.hpp>

// The equations of motion for fixed contact modes: one row and one force for each constraint (gap''
// = 0 at closed contacts, v_T' = 0 at sticking contacts).
namespace carom::motion {

namespace {

/// Changes of forces that change accelerations by less, relative, do not change the motion: as much
/// as singular pivots may leave.
constexpr double indifferent = 1e-9;

}  // namespace

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
bool Run::solve_for_forces(std::size_t r) {
  right_ = f_;
  const Solved solved = solve_small(K_, f_, r);
  if (solved != Solved::shared) {
    if (solved == Solved::uniquely) inner_ = f_;
    near_.clear();
    return solved == Solved::uniquely;
  }
  sharing_.clear();
  for (std::size_t i = 0; i < contacts_; ++i) {
    if (!is_closed(i)) continue;
    sharing_.push_back({.given = force_[i * components_], .mu = surfaces_[i].static_friction});
    shares_[i] = sharing_.size() - 1;
  }
  for (std::size_t a = 0; a < r; ++a) {
    const auto& [i, component] = rows_[a];
    complementarity::SharingContact& s = sharing_[shares_[i]];
    if (component == 0) s.normal = a;
    if (component == 1) s.tangential = a;
    if (component > 0) s.components = component;
  }
  if (!shared_.read({K_.data(), r * r}, {right_.data(), r}, singular_pivot)) return false;
  // Forces that are reported must not depend on what was reported before.
  if (shows_forces_) near_.clear();
  shared_.share(sharing_, near_);
  near_.assign(shared_.inner().begin(), shared_.inner().end());
  inner_ = near_;
  const auto columns = columns_.leftCols(ix(r));
  const double moved =
      shared_.kernel().cols() > 0 ? (columns * shared_.kernel()).cwiseAbs().maxCoeff() : 0.;
  const bool matters = moved > indifferent * columns.cwiseAbs().maxCoeff();
  if (matters || shows_forces_) shared_.find_least(sharing_);
  std::copy(shared_.least().begin(), shared_.least().end(), f_.begin());
  return true;
}

bool Run::creeps(std::size_t i) const {
  return components_ == 3 && creeping_[i] != 0. && status_[i].touch == Touch::slip;
}

bool Run::equations() {
  for (std::size_t i = 0; i < contacts_; ++i) {
    if (is_closed(i)) mechanics_.load(i, state_);
  }
  return solve_equations();
}

bool Run::solve_equations() {
  const std::size_t n = velocities_;
  acceleration_ = mechanics_.free();
  std::fill(force_.begin(), force_.end(), 0.);
  std::size_t r = 0;
  const auto add_unknown = [&](std::size_t contact, std::size_t component) {
    rows_[r] = {contact, component};
    ++r;
  };
  for (std::size_t i = 0; i < contacts_; ++i) {
    if (!is_closed(i)) continue;
    const ContactMotion& m = mechanics_.motion(i);
    const bool slips = status_[i].touch == Touch::slip;
    if (is_spring(i)) {
      auto column = columns_.col(ix(r));
      column = m.W.col(0);
      const auto d = slip_direction(i);
      const double mu = surfaces_[i].friction;
      if (slips) {
        for (std::size_t j = 1; j < components_; ++j) column -= mu * d[j - 1] * m.W.col(ix(j));
      }
      mechanics_.solve_mass(column.data());
      const double F = compliant_force(i);
      acceleration_ += F * column;
      force_[i * components_] = F;
      if (slips) {
        for (std::size_t j = 1; j < components_; ++j) {
          force_[i * components_ + j] = -mu * d[j - 1] * F;
        }
      }
    } else {
      auto column = columns_.col(ix(r));
      column = m.W.col(0);
      if (slips) {
        const auto d = slip_direction(i);
        for (std::size_t j = 1; j < components_; ++j) {
          column -= surfaces_[i].friction * d[j - 1] * m.W.col(ix(j));
        }
      }
      mechanics_.solve_mass(column.data());
      if (slips) slip_A_[i] = m.W.col(0).dot(column);
      add_unknown(i, 0);
    }
    if (status_[i].touch == Touch::stick) {
      for (std::size_t j = 1; j < components_; ++j) {
        auto column = columns_.col(ix(r));
        column = m.W.col(ix(j));
        mechanics_.solve_mass(column.data());
        add_unknown(i, j);
      }
    }
  }
  for (std::size_t a = 0; a < r; ++a) {
    const ContactMotion& m = mechanics_.motion(rows_[a][0]);
    const double* row = m.W.col(ix(rows_[a][1])).data();
    double free = m.bias(ix(rows_[a][1]));
    nonzero_.clear();
    for (std::size_t j = 0; j < n; ++j) {
      if (row[j] != 0.) nonzero_.push_back(j);
    }
    for (const std::size_t j : nonzero_) free += row[j] * acceleration_(ix(j));
    f_[a] = -free;
    for (std::size_t b = 0; b < r; ++b) {
      const double* column = columns_.col(ix(b)).data();
      double v = 0.;
      for (const std::size_t j : nonzero_) v += row[j] * column[j];
      K_[a * r + b] = v;
    }
  }
  if (!solve_for_forces(r)) return false;
  for (std::size_t a = 0; a < r; ++a) {
    const auto& [i, component] = rows_[a];
    const double* column = columns_.col(ix(a)).data();
    for (std::size_t j = 0; j < n; ++j) acceleration_(ix(j)) += f_[a] * column[j];
    force_[i * components_ + component] += f_[a];
    if (component == 0 && status_[i].touch == Touch::slip) {
      const auto d = slip_direction(i);
      for (std::size_t j = 1; j < components_; ++j) {
        force_[i * components_ + j] = -surfaces_[i].friction * d[j - 1] * f_[a];
      }
    }
  }
  held_force_ = force_;
  for (std::size_t a = 0; a < r; ++a) {
    held_force_[rows_[a][0] * components_ + rows_[a][1]] = inner_[a];
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
  const OtherPower other = model_.other_power(state_);
  dy[drives_at_] = other.drives;
  dy[dampers_at_] = other.dampers;
  for (std::size_t i = 0; i < contacts_; ++i) {
    dy[friction_at_ + i] = 0.;
    if (!is_closed(i)) continue;
    // The power on the system is F.W^T u. The difference to F.v, due to a moving support, counts as
    // a drive.
    const ContactMotion& m = mechanics_.motion(i);
    const double* F = &force_[i * components_];
    double support = 0.;
    double friction = 0.;
    for (std::size_t j = 0; j < components_; ++j) {
      const double* column = m.W.col(ix(j)).data();
      double own = 0.;
      for (std::size_t k = 0; k < velocities_; ++k) own += column[k] * state_.u(ix(k));
      support += F[j] * (own - m.velocity(ix(j)));
      if (j > 0) friction += F[j] * m.velocity(ix(j));
    }
    dy[friction_at_ + i] = friction;
    dy[drives_at_] += support;
    if (is_compliant(i)) {
      dy[deformation_at_ + compliant_[i]] = compliant_rate(i, m.velocity(0));
      dy[normal_work_at_ + compliant_[i]] = F[0] * m.velocity(0);
    }
  }
  for (std::size_t i = 0; i < contacts_; ++i) {
    if (!is_compliant(i) || is_closed(i)) continue;
    dy[deformation_at_ + compliant_[i]] = 0.;
    dy[normal_work_at_ + compliant_[i]] = 0.;
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
  const std::size_t i = slot / 3;
  if (i >= contacts_ || !is_closed(i)) return 0.;
  if (slot % 3 == 2) return is_held(i) ? 1e-9 : 0.;
  if (slot % 3 == 1) return status_[i].touch == Touch::stick ? 1e-9 : 1e-11;
  return is_spring(i) ? 0. : 1e-9;
}

// Indicators, positive while the modes hold: three for each contact, and the end condition of the
// model.
void Run::indicate(std::vector<double>& values) {
  std::fill(values.begin(), values.end(), 1.);
  for (std::size_t i = 0; i < contacts_; ++i) {
    if (!is_closed(i)) continue;
    const double* F = &held_force_[i * components_];
    const Eigen::Vector3d& v = mechanics_.motion(i).velocity;
    double* out = &values[3 * i];
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
      out[1] = (surfaces_[i].static_friction * F[0] - size) / unit_force_[i];
    }
  }
  if (const auto end = model_.end_function(state_)) values.back() = *end;
}

}  // namespace carom::motion
