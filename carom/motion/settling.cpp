// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <carom/core/error.hpp>
#include <carom/motion/run.hpp>

// Ends sequences of infinitely many impacts in finite time (Zeno points).
namespace carom::motion {

namespace {

/// Impacts are skipped once they are slower than this, relative to sqrt(a L) ...
constexpr double slow = 1e-5;
/// ... and the ratio of successive intervals is constant to this.
constexpr double same_ratio = 1e-4;

/// After so many slow impacts in a row a contact comes to rest, unless they accumulate as one or
/// two contacts alone do. Where more bodies touch, impacts of one disturb the others, and their
/// intervals form no series: they would go on for ever (inelastic collapse)
/// [McNamara & Young 1994].
constexpr double most_slow = 8.;
/// A contact that has been quiet for so long, relative to sqrt(L/a), starts anew. Slow impacts
/// follow each other after 2 v/a, at most a fifth of it.
constexpr double quiet = 10. * slow;

double beta(double x, double y) { return std::tgamma(x) * std::tgamma(y) / std::tgamma(x + y); }

}  // namespace

void Run::remember_impact(const Event& event, double speed) {
  memory_.count += 1.;
  for (std::size_t k = ImpactMemory::kept - 1; k > 0; --k) {
    memory_.time[k] = memory_.time[k - 1];
    memory_.speed[k] = memory_.speed[k - 1];
  }
  memory_.time[0] = time_;
  memory_.speed[0] = speed;
  for (const std::size_t i : event.contacts) memory_.last[i] = memory_.count;
}

void Run::count_slow_impacts(const std::vector<std::size_t>& contacts) {
  for (const std::size_t i : contacts) {
    if (!(approach_[i] < -scales_.still)) continue;
    const bool anew = time_ - memory_.when[i] > quiet * scales_.time;
    memory_.when[i] = time_;
    if (anew || approach_[i] < -slow * scales_.speed) memory_.slow[i] = 0.;
    if (!(approach_[i] < -slow * scales_.speed)) memory_.slow[i] += 1.;
  }
}

// Hertz's contact time for any exponent: T = 2/(a+1) B(1/(a+1), 1/2) d/v with the greatest
// deformation d = ((a+1) m v^2/(2 k))^(1/(a+1)) and m = 1/(W.M^-1.W); 0.8 B(2/5, 1/2) d/v if a =
// 3/2.
double Run::contact_time(std::size_t i, double speed) {
  if (options_.contact_time == ContactTime::given) return options_.given_contact_time;
  const Surface& s = surface(i);
  if (!(s.stiffness > 0.) || !(speed > 0.)) return 0.;
  const double mass = 1. / mechanics_.coupling(i, i)(0, 0);
  const double p = 1. / (s.exponent + 1.);
  const double deepest = std::pow((s.exponent + 1.) * mass * speed * speed / (2. * s.stiffness), p);
  return 2. * p * beta(p, 0.5) * deepest / speed;
}

// The acceleration with which the gap would close from rest: g for a ball on a floor.
double Run::acceleration_from_rest(std::size_t i) {
  State& rest = unit_state_;
  rest.time = time_;
  rest.q = state_.q;
  rest.u.setZero();
  if (!mechanics_.at(rest)) return 0.;
  mechanics_.load(i, rest);
  const double a = -mechanics_.acceleration(i, 0, mechanics_.free());
  if (!mechanics_.at(state_)) return 0.;
  return a;
}

// After an impact the contact with the smallest v_n among those with v_n/(a T_c) < 1 becomes
// permanent. Its remaining v_n is removed along M^-1 W, without friction, but only if the normal
// force is then positive [Liu, Zhang, Zhao & Brogliato 2013, eq. 2.37].
bool Run::settle_by_contact_time(Event& event) {
  if (!gather_closed()) return false;
  std::size_t least = nowhere;
  double least_speed = infinite;
  for (const std::size_t i : event.contacts) {
    const double v = mechanics_.motion(i).velocity(0);
    if (v <= scales_.still || v >= least_speed) continue;
    const double before = approach_[i];
    const double T = contact_time(i, std::max(v, std::abs(before)));
    const double a = acceleration_from_rest(i);
    for (const std::size_t k : closed_) mechanics_.load(k, state_);
    if (!(a > 0.) || !(v < a * T)) continue;
    least = i;
    least_speed = v;
  }
  if (least == nowhere) return true;
  const std::vector<double> kept = y_;
  const double kinetic = mechanics_.kinetic(state_.u);
  const double G_nn = mechanics_.coupling(least, least)(0, 0);
  mechanics_.push(least, {-least_speed / G_nn, 0., 0.}, state_.u);
  store_velocity();
  if (!gather_closed()) return false;
  for (const std::size_t i : closed_) {
    if (mechanics_.motion(i).velocity(0) < -scales_.still) {
      y_ = kept;  // it would make another contact approach
      return true;
    }
  }
  const std::vector<ContactStatus> status = status_;
  const std::vector<double> creeping = creeping_;
  const std::vector<SpinStatus> spins = spins_;
  const bool decided = decide({});
  const bool holds = decided && is_closed(least) && decided_force(least) > 0.;
  status_ = status;
  creeping_ = creeping;
  spins_ = spins;
  if (!holds) {
    y_ = kept;
    forget_failure();
    return true;
  }
  const double dropped = mechanics_.kinetic(state_.u) - kinetic;
  account_.dropped += dropped;
  event.kind = EventKind::impact_to_contact;
  return true;
}

// Under an acceleration a, a gap of the size of rounding, eps L, leads to speeds of sqrt(2 a eps
// L). Slower impacts are rounding errors and would never end. So would slow impacts of many bodies.
double Run::settling_speed() const {
  bool chatters = options_.settling != Settling::none;
  double fastest = 0.;
  for (const std::size_t i : closed_) {
    const double approach = -mechanics_.motion(i).velocity(0);
    if (is_compliant(i) || !(approach > scales_.still)) continue;
    fastest = std::max(fastest, approach);
    chatters = chatters && memory_.slow[i] > most_slow;
  }
  const double settles = chatters ? slow * scales_.speed : scales_.faint;
  return fastest <= settles ? settles : 0.;
}

// An impact without restitution at all closed contacts together, by `moreau`: impulses that only
// push, within the cones of friction.
bool Run::stop_by_impulses(const std::vector<std::size_t>& contacts) {
  mechanics_.contact_space(contacts, G_, b_);
  ContactProblem problem;
  problem.G = BlockMatrix::from_dense(G_, components_);
  for (const std::size_t i : contacts) {
    const Eigen::Vector3d& v = mechanics_.motion(i).velocity;
    for (std::size_t j = 0; j < components_; ++j) problem.approach.push_back(v(ix(j)));
    problem.surfaces.push_back(surface(i));
    problem.surfaces.back().restitution = 0.;
    problem.surfaces.back().tangential_restitution = 0.;
  }
  Outcome outcome;
  solve(*find_law("moreau"), problem, {}, workspace_, outcome);
  const Eigen::Map<const Vector> impulse(outcome.impulse.data(), b_.size());
  if (gives_no_answer(outcome.flags) || !impulse.allFinite()) return false;
  apply_impulse(contacts, impulse);
  return true;
}

// Then contacts with hardly any normal velocity have none, and hardly any slip stops.
void Run::settle(Event& event, double speed, bool approach, const char* why) {
  event.kind = EventKind::impact_to_contact;
  event.note = why;
  std::vector<std::size_t> rigid;
  for (const std::size_t i : closed_) {
    if (!is_compliant(i)) rigid.push_back(i);
  }
  const double kinetic = mechanics_.kinetic(state_.u);
  const double drives = y_[drives_at_];
  const bool stopped = approach && stop_by_impulses(rigid);
  for (const std::size_t i : rigid) {
    const Eigen::Vector3d& v = mechanics_.load(i, state_).velocity;
    if (std::abs(v(0)) > (stopped ? scales_.faint : speed)) continue;
    const double slip = std::hypot(v(1), components_ == 3 ? v(2) : 0.);
    const bool slips =
        is_smooth(i) || slip > (stopped ? scales_.faint : std::max(10. * scales_.faint, speed));
    status_[i] = {slips ? Touch::slip : Touch::stick, {}};
    creeping_[i] = 0.;
    event.contacts.push_back(i);
  }
  project_velocities(event.contacts);
  event.energy_change = mechanics_.kinetic(state_.u) - kinetic - (y_[drives_at_] - drives);
  account_.dropped += event.energy_change;
}

double Run::slow_slip(bool everywhere) const {
  if (candidate_.size() < 2) return 0.;
  bool any = false;
  for (const std::size_t i : candidate_) {
    if (is_smooth(i)) continue;
    const Eigen::Vector3d& v = mechanics_.motion(i).velocity;
    const double slip = std::hypot(v(1), components_ == 3 ? v(2) : 0.);
    if (slip > slow * scales_.speed) {
      if (everywhere) return 0.;
      continue;
    }
    any = any || slip > scales_.still;
  }
  return any ? slow * scales_.speed : 0.;
}

// Impacts accumulate if the intervals between them decrease like a geometric series, at one contact
// or at two in turn. After a pair of intervals D that is rho times the pair before, the remaining
// time is D (rho + rho^2 + ...).
bool Run::accumulates(std::vector<std::size_t>& contacts, double& remaining) const {
  if (options_.settling != Settling::accumulation || memory_.count < 6.) return false;
  if (!(memory_.speed[0] < slow * scales_.speed)) return false;
  for (std::size_t k = 1; k < ImpactMemory::kept; ++k) {
    if (!(memory_.speed[k - 1] < memory_.speed[k])) return false;
  }
  const auto& t = memory_.time;
  const double newest = t[0] - t[2];
  const double older = t[2] - t[4];
  const double between = t[1] - t[3];
  const double before = t[3] - t[5];
  if (!(newest > 0.) || !(older > 0.) || !(before > 0.)) return false;
  const double rho = newest / older;
  if (!(rho < 1.) || std::abs(rho - between / before) > same_ratio) return false;
  contacts.clear();
  for (const std::size_t i : active_) {
    const bool lately = memory_.last[i] > memory_.count - 2.;
    const bool earlier = memory_.last[i] > memory_.count - 4.;
    if (earlier && !lately) return false;
    if (lately) contacts.push_back(i);
  }
  remaining = newest * rho / (1. - rho);
  return !contacts.empty() && time_ + remaining <= options_.end_time;
}

// Removes the remaining v_n at those contacts. The motion continues in contact for the time that
// the impacts would have lasted, because their mean force equals that of contact.
bool Run::accumulate() {
  std::vector<std::size_t> contacts;
  double remaining = 0.;
  if (!accumulates(contacts, remaining)) return true;
  take(y_, time_);
  if (!mechanics_.at(state_)) return fail_acceleration();
  const double before = mechanics_.kinetic(state_.u) + model_.potential_energy(state_);
  const std::vector<double> kept = y_;
  const std::vector<ContactStatus> status = status_;
  const std::vector<double> creeping = creeping_;
  const std::vector<SpinStatus> spins = spins_;
  const double kept_time = time_;
  for (const std::size_t i : contacts) {
    // Slip as small as the remaining approach is removed with it.
    const Eigen::Vector3d& v = mechanics_.load(i, state_).velocity;
    const double slip = std::hypot(v(1), components_ == 3 ? v(2) : 0.);
    const bool slips = is_smooth(i) || slip > 10. * memory_.speed[0];
    status_[i] = {slips ? Touch::slip : Touch::stick, {}};
    creeping_[i] = 0.;
  }
  project_gaps(contacts);
  for (std::size_t j = 0; j < positions_; ++j) y_[j] = state_.q(ix(j));
  project_velocities(contacts);
  const auto back = [&] {
    y_ = kept;
    status_ = status;
    creeping_ = creeping;
    spins_ = spins;
    time_ = kept_time;
    forget_failure();
    return true;
  };
  if (!gather_closed() || !decide({})) return back();
  for (const std::size_t i : contacts) {
    if (!is_closed(i)) return back();
  }
  is_warm_ = false;
  // Second order is sufficient, because the remaining time is short.
  if (!rate(time_, y_, dy_)) return back();
  model_.kinematics(state_, q_rate_);
  Vector u = state_.u;
  state_.u += 0.5 * remaining * acceleration_;
  model_.kinematics(state_, q_rate_);
  state_.q += remaining * q_rate_;
  u += remaining * acceleration_;
  state_.u = u;
  model_.normalise(state_);
  for (std::size_t j = 0; j < positions_; ++j) y_[j] = state_.q(ix(j));
  store_velocity();
  time_ += remaining;
  project();
  take(y_, time_);
  if (!mechanics_.at(state_)) return back();
  const double after = mechanics_.kinetic(state_.u) + model_.potential_energy(state_);
  account_.dropped += after - before;
  sample_passed_over(kept_time, kept, status);
  Event event;
  event.kind = EventKind::accumulation;
  event.contacts = contacts;
  event.energy_change = after - before;
  event.passed_over = remaining;
  const std::vector<ContactStatus> from = status;
  memory_.count = 0.;
  std::fill(memory_.last.begin(), memory_.last.end(), -10.);
  for (const std::size_t i : contacts) memory_.slow[i] = 0.;
  conclude(std::move(event), from);
  return instant({});
}

}  // namespace carom::motion
