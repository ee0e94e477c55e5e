// SPDX-License-Identifier: Apache-2.0
#include <carom/motion/settling.hpp>

#include <algorithm>
#include <cmath>

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
/// The same of impacts whose intervals form no series: a contact that chatters has no Zeno point
/// that could be extrapolated.
constexpr double chatter = 1e-3;
/// Intervals at a contact form a series while their ratio changes by less than this. Curvature
/// changes it by about `chatter`.
constexpr double no_series = 1e-2;
/// A contact that has been quiet for so long, relative to sqrt(L/a), starts anew. Slow impacts
/// follow each other after 2 v/a, a fiftieth of it; more where other contacts hold a body back.
constexpr double quiet = 100. * chatter;

/// Impacts ago of a contact that has not struck yet.
constexpr double long_ago = -10.;

double beta(double x, double y) { return std::tgamma(x) * std::tgamma(y) / std::tgamma(x + y); }

}  // namespace

Settler::Settler(const Setting& setting, Contacts& contacts, const CompliantContacts& compliant,
                 Equations& equations, Projection& projection, ModeDecision& decision,
                 ImpactResolver& resolver, Present& now, Trouble& trouble)
    : setting_(setting),
      contacts_(contacts),
      compliant_(compliant),
      equations_(equations),
      projection_(projection),
      decision_(decision),
      resolver_(resolver),
      now_(now),
      trouble_(trouble) {
  rest_.u.setZero(ix(setting.velocities));
  q_rate_.setZero(ix(setting.positions));
}

void Settler::grow() {
  memory_.last.resize(contacts_.size(), long_ago);
  memory_.slow.resize(contacts_.size(), 0.);
  memory_.when.resize(contacts_.size(), 0.);
  memory_.interval.resize(contacts_.size(), 0.);
  memory_.interval_before.resize(contacts_.size(), 0.);
  approach_.resize(contacts_.size(), 1.);
  rest_speed_.resize(contacts_.size(), 0.);
}

void Settler::remember(const Event& event, double speed) {
  memory_.count += 1.;
  for (std::size_t k = ImpactMemory::kept - 1; k > 0; --k) {
    memory_.time[k] = memory_.time[k - 1];
    memory_.speed[k] = memory_.speed[k - 1];
  }
  memory_.time[0] = now_.time;
  memory_.speed[0] = speed;
  for (const std::size_t i : event.contacts) memory_.last[i] = memory_.count;
}

void Settler::count_slow(const std::vector<std::size_t>& contacts) {
  for (const std::size_t i : contacts) {
    approach_[i] = now_.mechanics.motion(i).velocity(0);
    if (!(approach_[i] < -setting_.scales.still)) continue;
    const double interval = now_.time - memory_.when[i];
    double& last = memory_.interval[i];
    double& before = memory_.interval_before[i];
    const bool forms_series = std::abs(interval * before - last * last) < no_series * last * before;
    memory_.when[i] = now_.time;
    before = last;
    last = interval;
    const bool is_fast = approach_[i] < -chatter * setting_.scales.speed;
    if (is_fast || interval > quiet * setting_.scales.time) memory_.slow[i] = 0.;
    rest_speed_[i] = 0.;
    if (is_fast) continue;
    const double most = (forms_series || !is_disturbed(i) ? slow : chatter) * setting_.scales.speed;
    if (approach_[i] < -most) continue;
    memory_.slow[i] += 1.;
    if (memory_.slow[i] > most_slow) rest_speed_[i] = most;
  }
}

// Whether another contact of its bodies has struck since a contact did, or with it.
bool Settler::is_disturbed(std::size_t contact) const {
  const auto blocks = now_.mechanics.blocks_of(contact);
  return std::any_of(contacts_.active.begin(), contacts_.active.end(), [&](std::size_t i) {
    if (i == contact || memory_.last[i] < memory_.last[contact]) return false;
    const auto others = now_.mechanics.blocks_of(now_.mechanics.load(i, now_.state));
    return std::any_of(blocks.begin(), blocks.end(), [&](std::size_t b) {
      return b != nowhere && (b == others[0] || b == others[1]);
    });
  });
}

bool Settler::load(const ImpactMemory& memory) {
  for (const auto* v :
       {&memory.last, &memory.slow, &memory.when, &memory.interval, &memory.interval_before}) {
    if (v->size() != contacts_.size()) return false;
  }
  for (const auto* v : {&memory.time, &memory.speed}) {
    if (v->size() != ImpactMemory::kept) return false;
  }
  memory_ = memory;
  return true;
}

// Hertz's contact time for any exponent: T = 2/(a+1) B(1/(a+1), 1/2) d/v with the greatest
// deformation d = ((a+1) m v^2/(2 k))^(1/(a+1)) and m = 1/(W.M^-1.W); 0.8 B(2/5, 1/2) d/v if a =
// 3/2.
double Settler::contact_time(std::size_t i, double speed) {
  if (setting_.options.contact_time == ContactTime::given)
    return setting_.options.given_contact_time;
  const Surface& s = contacts_.surface(i);
  if (!(s.stiffness > 0.) || !(speed > 0.)) return 0.;
  const double mass = 1. / now_.mechanics.coupling(i, i)(0, 0);
  const double p = 1. / (s.exponent + 1.);
  const double deepest = std::pow((s.exponent + 1.) * mass * speed * speed / (2. * s.stiffness), p);
  return 2. * p * beta(p, 0.5) * deepest / speed;
}

// The acceleration with which the gap would close from rest: g for a ball on a floor.
double Settler::acceleration_from_rest(std::size_t i) {
  rest_.time = now_.time;
  rest_.q = now_.state.q;
  rest_.u.setZero();
  if (!now_.mechanics.at(rest_)) return 0.;
  now_.mechanics.load(i, rest_);
  const double a = -now_.mechanics.acceleration(i, 0, now_.mechanics.free());
  if (!now_.mechanics.at(now_.state)) return 0.;
  return a;
}

// After an impact the contact with the smallest v_n among those with v_n/(a T_c) < 1 becomes
// permanent. Its remaining v_n is removed along M^-1 W, without friction, but only if the normal
// force is then positive [Liu, Zhang, Zhao & Brogliato 2013, eq. 2.37].
bool Settler::settle_by_contact_time(Event& event) {
  if (!decision_.gather()) return false;
  std::size_t least = nowhere;
  double least_speed = infinite;
  for (const std::size_t i : event.contacts) {
    const double v = now_.mechanics.motion(i).velocity(0);
    if (v <= setting_.scales.still || v >= least_speed) continue;
    const double before = approach_[i];
    const double T = contact_time(i, std::max(v, std::abs(before)));
    const double a = acceleration_from_rest(i);
    for (const std::size_t k : decision_.closed()) now_.mechanics.load(k, now_.state);
    if (!(a > 0.) || !(v < a * T)) continue;
    least = i;
    least_speed = v;
  }
  if (least == nowhere) return true;
  const std::vector<double> kept = now_.y;
  const double kinetic = now_.mechanics.kinetic(now_.state.u);
  const double G_nn = now_.mechanics.coupling(least, least)(0, 0);
  now_.mechanics.push(least, {-least_speed / G_nn, 0., 0.}, now_.state.u);
  now_.store_velocity();
  if (!decision_.gather()) return false;
  for (const std::size_t i : decision_.closed()) {
    if (now_.mechanics.motion(i).velocity(0) < -setting_.scales.still) {
      now_.y = kept;  // it would make another contact approach
      return true;
    }
  }
  const Modes modes = contacts_.modes;
  const bool decided = decision_.decide({});
  const bool holds = decided && contacts_.is_closed(least) && decision_.force(least) > 0.;
  contacts_.restore(modes);
  if (!holds) {
    now_.y = kept;
    trouble_ = {};
    return true;
  }
  const double dropped = now_.mechanics.kinetic(now_.state.u) - kinetic;
  now_.account.dropped += dropped;
  event.kind = EventKind::impact_to_contact;
  return true;
}

// Under an acceleration a, a gap of the size of rounding, eps L, leads to speeds of sqrt(2 a eps
// L). Slower impacts are rounding errors and would never end. So would slow impacts of many bodies.
double Settler::settling_speed(const std::vector<std::size_t>& island) const {
  bool all = setting_.options.settling != Settling::none;
  double fastest = 0.;
  double settles = 0.;
  for (const std::size_t i : island) {
    const double approach = -now_.mechanics.motion(i).velocity(0);
    if (!(approach > setting_.scales.still)) continue;
    fastest = std::max(fastest, approach);
    settles = std::max(settles, rest_speed_[i]);
    all = all && rest_speed_[i] > 0.;
  }
  if (!all) settles = setting_.scales.faint;
  return fastest > 0. && fastest <= settles ? settles : 0.;
}

// Then contacts with hardly any normal velocity have none, and hardly any slip stops. Contacts that
// the impulses open are hardly faster than those that struck: left open they would strike next, and
// open these.
void Settler::settle(const std::vector<std::size_t>& rigid, Event& event, double speed,
                     bool approach, const char* why) {
  event.kind = EventKind::impact_to_contact;
  if (event.note.empty()) event.note = why;
  const double kinetic = now_.mechanics.kinetic(now_.state.u);
  const double drives = now_.y[now_.drives_at()];
  const bool stopped = approach && resolver_.stop(rigid, now_.mechanics, impact_);
  if (stopped) {
    now_.y[now_.drives_at()] += push(now_.mechanics, rigid, impact_.impulse, now_.state.u);
    now_.store_velocity();
  }
  settled_.clear();
  for (const std::size_t i : rigid) {
    const Eigen::Vector3d& v = now_.mechanics.load(i, now_.state).velocity;
    if (std::abs(v(0)) > speed) continue;
    const double slip = std::hypot(v(1), setting_.components == 3 ? v(2) : 0.);
    const bool slips =
        contacts_.is_smooth(i) || slip > std::max(10. * setting_.scales.faint, speed);
    contacts_.modes.status[i] = {slips ? Touch::slip : Touch::stick, {}};
    contacts_.modes.creeping[i] = 0.;
    settled_.push_back(i);
  }
  event.contacts.insert(event.contacts.end(), settled_.begin(), settled_.end());
  const auto approach_now = [&] {
    double fastest = 0.;
    for (const std::size_t i : rigid) {
      fastest = std::max(fastest, -now_.mechanics.load(i, now_.state).velocity(0));
    }
    return fastest;
  };
  const double left = approach_now();
  const Vector u = now_.state.u;
  const double pushed = projection_.stop(settled_);
  // Slow slip that is taken for stick may contradict other contacts. What the impulses have reached
  // must not approach again by that.
  if (stopped && approach_now() > std::max(left, setting_.scales.still)) {
    now_.state.u = u;
    now_.store_velocity();
  } else {
    now_.y[now_.drives_at()] += pushed;
  }
  const double change =
      now_.mechanics.kinetic(now_.state.u) - kinetic - (now_.y[now_.drives_at()] - drives);
  event.energy_change += change;
  now_.account.dropped += change;
}

double Settler::slow_slip(const std::vector<std::size_t>& contacts, bool everywhere) const {
  std::size_t touching = 0;
  bool any = false;
  for (const std::size_t i : contacts) {
    const Eigen::Vector3d& v = now_.mechanics.motion(i).velocity;
    if (v(0) > setting_.scales.still) continue;
    ++touching;
    if (contacts_.is_smooth(i)) continue;
    const double slip = std::hypot(v(1), setting_.components == 3 ? v(2) : 0.);
    if (slip > slow * setting_.scales.speed) {
      if (everywhere) return 0.;
      continue;
    }
    any = any || slip > setting_.scales.still;
  }
  return any && touching > 1 ? slow * setting_.scales.speed : 0.;
}

// Impacts accumulate if the intervals between them decrease like a geometric series, at one contact
// or at two in turn. After a pair of intervals D that is rho times the pair before, the remaining
// time is D (rho + rho^2 + ...).
bool Settler::accumulates(std::vector<std::size_t>& contacts, double& remaining) const {
  if (setting_.options.settling != Settling::accumulation || memory_.count < 6.) return false;
  if (!(memory_.speed[0] < slow * setting_.scales.speed)) return false;
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
  for (const std::size_t i : contacts_.active) {
    const bool lately = memory_.last[i] > memory_.count - 2.;
    const bool earlier = memory_.last[i] > memory_.count - 4.;
    if (earlier && !lately) return false;
    if (lately) contacts.push_back(i);
  }
  remaining = newest * rho / (1. - rho);
  return !contacts.empty() && now_.time + remaining <= setting_.options.end_time;
}

// Removes the remaining v_n at those contacts. The motion continues in contact for the time that
// the impacts would have lasted, because their mean force equals that of contact.
std::optional<Accumulation> Settler::accumulate() {
  std::vector<std::size_t> contacts;
  double remaining = 0.;
  if (!accumulates(contacts, remaining)) return std::nullopt;
  now_.take();
  if (!now_.mechanics.at(now_.state)) {
    trouble_.no_acceleration(now_.time);
    return std::nullopt;
  }
  const double before =
      now_.mechanics.kinetic(now_.state.u) + setting_.model.potential_energy(now_.state);
  Accumulation passed{.start = now_.time, .from = now_.y, .modes = contacts_.modes};
  for (const std::size_t i : contacts) {
    // Slip as small as the remaining approach is removed with it.
    const Eigen::Vector3d& v = now_.mechanics.load(i, now_.state).velocity;
    const double slip = std::hypot(v(1), setting_.components == 3 ? v(2) : 0.);
    const bool slips = contacts_.is_smooth(i) || slip > 10. * memory_.speed[0];
    contacts_.modes.status[i] = {slips ? Touch::slip : Touch::stick, {}};
    contacts_.modes.creeping[i] = 0.;
  }
  projection_.close_rigid_gaps(contacts);
  now_.store_positions();
  const double pushed = projection_.stop(contacts);
  if (!pass_over(contacts, remaining)) {
    now_.y = passed.from;
    now_.time = passed.start;
    contacts_.restore(passed.modes);
    trouble_ = {};
    return std::nullopt;
  }
  // Supports and dampers do work in the meantime.
  const double driven = pushed + remaining * dy_[now_.drives_at()];
  const double damped = remaining * dy_[now_.dampers_at()];
  now_.y[now_.drives_at()] += driven;
  now_.y[now_.dampers_at()] += damped;
  const double after =
      now_.mechanics.kinetic(now_.state.u) + setting_.model.potential_energy(now_.state);
  passed.event.energy_change = after - before - driven - damped;
  now_.account.dropped += passed.event.energy_change;
  passed.event.kind = EventKind::accumulation;
  passed.event.contacts = contacts;
  passed.event.passed_over = remaining;
  memory_.count = 0.;
  std::fill(memory_.last.begin(), memory_.last.end(), long_ago);
  for (const std::size_t i : contacts) memory_.slow[i] = 0.;
  return passed;
}

// Moves on in contact. Second order is sufficient, because the remaining time is short.
bool Settler::pass_over(const std::vector<std::size_t>& contacts, double remaining) {
  if (!decision_.gather() || !decision_.decide({})) return false;
  for (const std::size_t i : contacts) {
    if (!contacts_.is_closed(i)) return false;
  }
  dy_.resize(now_.size());
  if (!equations_.rate(now_.time, now_.y, dy_)) return false;
  State& state = now_.state;
  const Vector u = state.u + remaining * equations_.acceleration;
  state.u += 0.5 * remaining * equations_.acceleration;
  setting_.model.kinematics(state, q_rate_);
  state.q += remaining * q_rate_;
  state.u = u;
  setting_.model.normalise(state);
  now_.store_positions();
  now_.store_velocity();
  now_.time += remaining;
  projection_.project();
  // Where another gap has closed in the meantime, its impact comes first.
  if (!decision_.gather()) return false;
  const std::vector<std::size_t>& closed = decision_.closed();
  return std::none_of(closed.begin(), closed.end(), [&](std::size_t i) {
    return !contacts_.is_closed(i) && contacts_.gap(i, state) < -setting_.scales.closed;
  });
}

}  // namespace carom::motion
