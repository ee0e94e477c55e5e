// SPDX-License-Identifier: Apache-2.0
#include <carom/motion/projection.hpp>

#include <algorithm>
#include <cmath>

namespace carom::motion {

namespace {

/// Gaps below this, relative to the reference length, are rounding.
constexpr double drift = 1e-15;

/// Of kinetic energy, relative, which a projection does not change otherwise than by its purpose.
constexpr double rounding_of_energy = 1e-6;

/// A displacement that closes gaps is at most so many times as large: contacts at the end of a long
/// lever. Beyond that they contradict each other.
constexpr double most_lever = 1e4;

/// Velocities up to this part of those that count as zero are rounding.
constexpr double part_left = 0.1;

}  // namespace

Projection::Projection(const Setting& setting, Contacts& contacts,
                       const CompliantContacts& compliant, const Spins& spins, Present& now)
    : setting_(setting), contacts_(contacts), compliant_(compliant), spins_(spins), now_(now) {
  shift_.q.setZero(ix(setting.positions));
  shift_.u.setZero(ix(setting.velocities));
  q_rate_.setZero(ix(setting.positions));
}

void Projection::project(std::size_t landing) {
  contacts_.note_touching();
  now_.take();
  setting_.model.normalise(now_.state);
  const bool possible = close_touching(landing);
  now_.store_positions();
  if (contacts_.touching.empty() || !possible || !now_.mechanics.at(now_.state)) return;
  drifting_.clear();
  const double fast = std::max(setting_.scales.faint, setting_.vanishing_slip());
  for (const std::size_t i : contacts_.touching) {
    const double speed = now_.mechanics.load(i, now_.state).velocity(0);
    // Closest points that have left their features, as of a rim that has just landed flat, may
    // strike elsewhere.
    const bool drifts = !(speed < -fast) || !(setting_.model.margin(contacts_[i], now_.state) < 0.);
    if (drifts) drifting_.push_back(i);
  }
  stop(drifting_);
}

bool Projection::leaves_any() {
  now_.take();
  for (const ContactSystem::Unknown& u : system_.unknowns()) {
    if (u.row > 0 && u.row < first_spin && contacts_.creeps(u.contact)) continue;
    now_.mechanics.load(u.contact, now_.state);
    if (u.row >= first_spin) {
      now_.mechanics.load_spin(u.contact, now_.state, setting_.scales.length);
    }
    if (std::abs(now_.mechanics.velocity(u.contact, u.row)) > setting_.scales.still) return true;
  }
  return false;
}

bool Projection::close_touching(std::size_t landing, double left) {
  if (contacts_.touching.empty()) return true;
  if (!now_.mechanics.at(now_.state)) return false;
  bool drifted = false;
  const double most = std::max(left, drift * setting_.scales.length);
  rigid_.clear();
  for (const std::size_t i : contacts_.touching) {
    const ContactMotion& m = now_.mechanics.load(i, now_.state);
    if (compliant_.has(i)) continue;
    rigid_.push_back(i);
    drifted = drifted || std::abs(m.gap) > most;
  }
  if (!drifted) return true;
  // What moves the others would open the gap that has just closed, or make it an overlap.
  if (landing != nowhere && !compliant_.has(landing) && !contacts_.is_closed(landing)) {
    now_.mechanics.load(landing, now_.state);
    rigid_.push_back(landing);
    if (close_gaps(rigid_)) return true;
    rigid_.pop_back();
  }
  close_gaps(rigid_);
  return true;
}

void Projection::close_rigid_gaps(const std::vector<std::size_t>& contacts) {
  rigid_.clear();
  for (const std::size_t i : contacts) {
    if (!compliant_.has(i)) rigid_.push_back(i);
  }
  close_gaps(rigid_);
}

// Of all displacements d that close these gaps to first order, W_n^T d = -gap, the one with the
// least d.M d: d = M^-1 W_n (W_n^T M^-1 W_n)^-1 (-gap). Hyperstatic contacts are closed in the
// sense of least squares.
bool Projection::close_gaps(const std::vector<std::size_t>& contacts) {
  system_.clear();
  for (const std::size_t i : contacts) system_.add(now_.mechanics, i, 0);
  system_.arrange(now_.mechanics);
  for (std::size_t a = 0; a < system_.x.size(); ++a) {
    system_.x[a] = -now_.mechanics.motion(system_.unknowns()[a].contact).gap;
  }
  if (!system_.solve(now_.mechanics)) return false;
  shift_.time = now_.state.time;
  shift_.q = now_.state.q;
  shift_.u.setZero();
  system_.push(now_.mechanics, shift_.u);
  setting_.model.kinematics(shift_, q_rate_);
  double widest = drift * setting_.scales.length;
  for (const std::size_t i : contacts) {
    widest = std::max(widest, std::abs(now_.mechanics.motion(i).gap));
  }
  const double farthest = std::max(1., 1. / setting_.scales.length) * most_lever * widest;
  if (!(q_rate_.lpNorm<Eigen::Infinity>() <= farthest)) return false;
  now_.state.q += q_rate_;
  setting_.model.normalise(now_.state);
  return true;
}

double Projection::stop(const std::vector<std::size_t>& contacts) {
  // A projection takes kinetic energy away, but for what supports give. Where contacts nearly
  // contradict each other, rounding can make it anything else: then velocities stay as they are.
  const double most = (1. + rounding_of_energy) * now_.mechanics.kinetic(now_.state.u);
  double work = 0.;
  const auto is_found = [&](bool aligns) {
    if (!find_stopped(contacts, aligns)) return false;
    work = work_of_supports();
    return now_.mechanics.kinetic(shift_.u) - work <= most;
  };
  // Directions of slip that contradict what is at rest are left to the next step.
  if (!(is_found(true) && !any_left(contacts)) && !is_found(false)) return 0.;
  now_.state.u = shift_.u;
  now_.store_velocity();
  return work;
}

// Of the impulses that stop: P.(W.u - v) with the velocity v relative to the support.
double Projection::work_of_supports() const {
  double work = 0.;
  for (std::size_t a = 0; a < system_.x.size(); ++a) {
    const std::size_t i = system_.unknowns()[a].contact;
    const std::size_t row = system_.unknowns()[a].row;
    if (row >= first_spin) continue;
    work += system_.x[a] *
            (now_.mechanics.along(i, row, now_.state.u) - now_.mechanics.velocity(i, row));
  }
  return work;
}

// Into shift_.u.
bool Projection::find_stopped(const std::vector<std::size_t>& contacts, bool aligns) {
  Mechanics& mechanics = now_.mechanics;
  system_.clear();
  for (const std::size_t i : contacts) {
    const std::size_t first = compliant_.is_spring(i) ? 1 : 0;
    // Slip that creeps keeps its size and has the direction of its friction. What is against that
    // direction, as it may be where slip was released, is removed.
    const bool all = contacts_.sticks(i) || (aligns && contacts_.creeps(i));
    for (std::size_t j = first; j < (all ? setting_.components : 1); ++j) {
      system_.add(mechanics, i, j);
    }
    if (!contacts_.has_couples(i)) continue;
    mechanics.load_spin(i, now_.state, setting_.scales.length);
    spins_.add_held(i, mechanics, system_);
  }
  system_.arrange(mechanics);
  for (std::size_t a = 0; a < system_.x.size(); ++a) {
    const std::size_t i = system_.unknowns()[a].contact;
    const std::size_t component = system_.unknowns()[a].row;
    system_.x[a] = -mechanics.velocity(i, component);
    if (component > 0 && component < first_spin && contacts_.creeps(i)) {
      const Eigen::Vector3d& v = mechanics.motion(i).velocity;
      const auto& d = contacts_.direction[i];
      system_.x[a] += std::max(0., v(1) * d[0] + v(2) * d[1]) * d[component - 1];
    }
  }
  if (!system_.solve(mechanics)) return false;
  shift_.u = now_.state.u;
  system_.push(mechanics, shift_.u);
  return true;
}

// Whether shift_.u leaves velocities at contacts that have none, though slip that creeps need not
// have a direction.
bool Projection::any_left(const std::vector<std::size_t>& contacts) const {
  const auto creeps = [&](std::size_t i) { return contacts_.creeps(i); };
  if (std::none_of(contacts.begin(), contacts.end(), creeps)) return false;
  for (const std::size_t i : contacts) {
    const std::size_t first = compliant_.is_spring(i) ? 1 : 0;
    for (std::size_t j = first; j < (contacts_.sticks(i) ? setting_.components : 1); ++j) {
      const double changed =
          now_.mechanics.along(i, j, shift_.u) - now_.mechanics.along(i, j, now_.state.u);
      if (std::abs(now_.mechanics.velocity(i, j) + changed) > part_left * setting_.scales.still) {
        return true;
      }
    }
  }
  return false;
}

}  // namespace carom::motion
