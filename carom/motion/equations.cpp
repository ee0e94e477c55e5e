// SPDX-License-Identifier: Apache-2.0
#include <carom/motion/equations.hpp>

#include <algorithm>
#include <cmath>

namespace carom::motion {

namespace {

/// Accelerations above this, relative to the reference, are none: forces that grow without bound
/// would take velocities with them in ever shorter steps.
constexpr double most_acceleration = 1e13;

}  // namespace

Equations::Equations(const Setting& setting, Contacts& contacts, const CompliantContacts& compliant,
                     const Slip& slip, Spins& spins, Present& now)
    : distribution(setting, contacts, spins),
      setting_(setting),
      contacts_(contacts),
      compliant_(compliant),
      slip_(slip),
      spins_(spins),
      now_(now) {
  acceleration.setZero(ix(setting.velocities));
  q_rate_.setZero(ix(setting.positions));
}

void Equations::grow() {
  const std::size_t n = contacts_.size();
  force.resize(n * setting_.components, 0.);
  held_force.resize(n * setting_.components, 0.);
  slip_A.resize(n, 1.);
  if (!setting_.any_couples) return;
  couple.resize(3 * n, 0.);
  held_couple.resize(3 * n, 0.);
}

bool Equations::solve() {
  pose();
  if (!distribution.solve(system_, now_.mechanics, force)) return false;
  system_.push(now_.mechanics, acceleration);
  collect();
  return true;
}

// Forces of contacts that stick can be distributed in any way without consequences. Those that
// slip have friction in proportion, in directions of their own.
bool Equations::depend_on_distribution() {
  now_.take();
  contacts_.note_touching();
  bool slip = false;
  for (const std::size_t i : contacts_.touching) {
    slip = slip || (contacts_.slips(i) && !contacts_.is_smooth(i));
  }
  if (!slip || contacts_.touching.size() < 2 || !now_.mechanics.at(now_.state)) return false;
  for (const std::size_t i : contacts_.touching) now_.mechanics.load(i, now_.state);
  if (!contacts_.spinning.empty()) spins_.load(contacts_.spinning);
  distribution.asks_whether_decides = true;
  const bool depend = solve() && distribution.decides();
  distribution.asks_whether_decides = false;
  return depend;
}

void Equations::pose() {
  acceleration = now_.mechanics.free();
  system_.clear();
  for (const std::size_t i : contacts_.touching) pose(i);
  system_.arrange(now_.mechanics);
  for (std::size_t a = 0; a < system_.x.size(); ++a) {
    const ContactSystem::Unknown& u = system_.unknowns()[a];
    system_.x[a] = -now_.mechanics.acceleration(u.contact, u.row, acceleration);
  }
}

// Forces that are known act at once, others become unknowns.
void Equations::pose(std::size_t i) {
  const std::size_t components = setting_.components;
  Mechanics& mechanics = now_.mechanics;
  const bool slips = contacts_.slips(i);
  std::array<double, 3> c{1., 0., 0.};
  if (slips) {
    const auto d = slip_.direction(i);
    const double mu = contacts_.surface(i).friction;
    for (std::size_t j = 1; j < components; ++j) c[j] = -mu * d[j - 1];
  }
  const bool turns = contacts_.has_couples(i);
  std::array<double, 3> m{};
  if (turns) {
    m = spins_.couple_of(i);
    std::fill_n(&couple[i * 3], 3, 0.);
  }
  double* const own = &force[i * components];
  for (std::size_t j = 0; j < components; ++j) own[j] = 0.;
  if (compliant_.is_spring(i)) {
    const double F = compliant_.force(i);
    mechanics.push(i, {F * c[0], F * c[1], F * c[2]}, acceleration);
    for (std::size_t j = 0; j < components; ++j) own[j] = F * c[j];
    if (turns) {
      mechanics.push_couple(i, {F * m[0], F * m[1], F * m[2]}, acceleration);
      for (std::size_t j = 0; j < 3; ++j) couple[i * 3 + j] = F * m[j];
    }
  } else {
    system_.add(mechanics, i, 0, c, turns ? &m : nullptr);
    if (slips) slip_A[i] = system_.own(mechanics);
  }
  if (contacts_.sticks(i)) {
    for (std::size_t j = 1; j < components; ++j) system_.add(mechanics, i, j);
  }
  if (turns) spins_.add_held(i, mechanics, system_);
}

void Equations::collect() {
  const std::size_t components = setting_.components;
  const std::vector<double>& inner = distribution.inner();
  for (const std::size_t i : contacts_.touching) {
    for (std::size_t j = i * components; j < (i + 1) * components; ++j) held_force[j] = force[j];
  }
  for (const std::size_t i : contacts_.spinning) {
    std::copy_n(&couple[i * 3], 3, &held_couple[i * 3]);
  }
  for (std::size_t a = 0; a < system_.x.size(); ++a) {
    const ContactSystem::Unknown& u = system_.unknowns()[a];
    const double x = system_.x[a];
    for (std::size_t j = 0; j < 3 && u.turns(); ++j) {
      const double m = system_.couple(u)[j];
      couple[u.contact * 3 + j] += x * m;
      held_couple[u.contact * 3 + j] += inner[a] * m;
    }
    double* const own = &force[u.contact * components];
    double* const held = &held_force[u.contact * components];
    for (std::size_t j = 0; j < components; ++j) own[j] += x * u.c[j];
    if (u.row >= first_spin) continue;
    held[u.row] += inner[a];
    if (u.row != 0 || !contacts_.slips(u.contact)) continue;
    for (std::size_t j = 1; j < components; ++j) held[j] = own[j];
  }
}

bool Equations::stage_rate(double time, std::span<const double> y, std::span<double> dy) {
  distribution.glances = true;
  const bool possible = rate(time, y, dy);
  distribution.glances = false;
  return possible;
}

bool Equations::rate(double time, std::span<const double> y, std::span<double> dy) {
  now_.take(y, time);
  if (!now_.mechanics.at(now_.state)) return false;
  contacts_.note_touching();
  for (const std::size_t i : contacts_.touching) now_.mechanics.load(i, now_.state);
  if (!contacts_.spinning.empty()) spins_.load(contacts_.spinning);
  if (!solve()) return false;
  setting_.model.kinematics(now_.state, q_rate_);
  bool finite = true;
  const Scales& scales = setting_.scales;
  const double most = most_acceleration * scales.acceleration * std::max(1., 1. / scales.length);
  for (std::size_t j = 0; j < setting_.positions; ++j) {
    dy[j] = q_rate_(ix(j));
    finite = finite && std::abs(dy[j]) < infinite;
  }
  double* const rates = dy.data() + setting_.positions;
  for (std::size_t j = 0; j < setting_.velocities; ++j) {
    rates[j] = acceleration(ix(j));
    finite = finite && std::abs(rates[j]) < most;
  }
  std::fill(dy.begin() + ix(now_.drives_at()), dy.end(), 0.);
  const OtherPower other = setting_.model.other_power(now_.state);
  dy[now_.drives_at()] = other.drives;
  dy[now_.dampers_at()] = other.dampers;
  for (const std::size_t i : contacts_.touching) {
    // The power on the system is F.W^T u. The difference to F.v, due to a moving support, counts as
    // a drive.
    const ContactMotion& m = now_.mechanics.motion(i);
    const double* F = &force[i * setting_.components];
    double support = 0.;
    double friction = 0.;
    for (std::size_t j = 0; j < setting_.components; ++j) {
      support += F[j] * (now_.mechanics.along(i, j, now_.state.u) - m.velocity(ix(j)));
      if (j > 0) friction += F[j] * m.velocity(ix(j));
    }
    for (std::size_t j = 0; j < now_.mechanics.spins && contacts_.has_couples(i); ++j) {
      const double spin = now_.mechanics.velocity(i, first_spin + j);
      support += couple[i * 3 + j] * (now_.mechanics.along(i, first_spin + j, now_.state.u) - spin);
      friction += couple[i * 3 + j] * spin;
    }
    if (now_.work_at(i) != nowhere) dy[now_.work_at(i)] = friction;
    dy[now_.drives_at()] += support;
    if (compliant_.has(i)) {
      dy[now_.deformation_at(compliant_.place(i))] = compliant_.rate(i, m.velocity(0));
      dy[now_.normal_work_at(compliant_.place(i))] = F[0] * m.velocity(0);
    }
  }
  return finite;
}

}  // namespace carom::motion
