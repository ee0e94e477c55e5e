// SPDX-License-Identifier: Apache-2.0
#include <carom/motion/start.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include <carom/core/error.hpp>

namespace carom::motion {

namespace {

/// Newton's method converges quadratically. Its first step is exact up to the square of a distance
/// below `start_tolerance`, so that two steps reach rounding; more are for contacts that are added.
constexpr int most_projections = 20;

/// A contact counts as at rest at the start if its normal velocity is at most this, relative to
/// the reference speed or to the speed of the contact, if that is larger. Velocities have as few
/// digits as positions.
constexpr double rest_velocity = 1e-6;

/// Overlap that may remain at the start, relative to the reference length: contacts that contradict
/// each other cannot all be closed.
constexpr double most_overlap_left = 1e-10;

/// Gaps below this, relative to the reference length, are rounding.
constexpr double no_gap = 1e-16;

}  // namespace

// A small gap is closed where the contact then rests: the bodies overlap, or the gap is open and
// its normal velocity is zero. A body that moves towards a near surface or away from it does not
// rest there, and its gap stays as it is. A compliant contact rests with an overlap, and only an
// overlap without deformation is removed.
bool Start::closes(std::size_t i) {
  const ContactMotion& m = now_.mechanics.load(i, now_.state);
  if (std::abs(m.gap) > start_tolerance * setting_.scales.length) return false;
  if (m.gap < 0.) return true;
  if (compliant_.has(i)) return false;
  const double speed = std::max(setting_.scales.speed, m.velocity.norm());
  return std::abs(m.velocity(0)) <= rest_velocity * speed;
}

// Projections are repeated, because gaps depend on positions nonlinearly. A gap that this makes
// negative joins them.
void Start::close_gaps(std::vector<std::size_t>& closing) {
  const double reach = start_tolerance * setting_.scales.length;
  std::vector<std::size_t> near;
  double last = infinite;
  for (int round = 0; round < most_projections; ++round) {
    bool added = false;
    neighbours_.list_touching(now_.state, reach, near);
    for (const std::size_t i : near) {
      const bool joins = std::find(closing.begin(), closing.end(), i) != closing.end();
      if (joins || !(contacts_.gap(i, now_.state) < -setting_.scales.sunk)) continue;
      closing.push_back(i);
      added = true;
    }
    double error = 0.;
    for (const std::size_t i : closing) {
      error = std::max(error, std::abs(now_.mechanics.load(i, now_.state).gap));
    }
    // Where contacts contradict each other the error stops falling.
    if (error <= no_gap * setting_.scales.length || (!added && !(error < 0.5 * last))) break;
    last = error;
    if (!projection_.close_gaps(closing)) break;
    if (!now_.mechanics.at(now_.state)) {
      throw InputError("mass", "the mass matrix must be finite and positive definite");
    }
  }
}

void Start::close_gaps() {
  const double reach = start_tolerance * setting_.scales.length;
  std::vector<std::size_t> closing;
  std::vector<std::size_t> near;
  double largest = 0.;
  neighbours_.list_touching(now_.state, reach, near);
  for (const std::size_t i : near) {
    if (!closes(i)) continue;
    closing.push_back(i);
    largest = std::max(largest, std::abs(now_.mechanics.motion(i).gap));
  }
  if (!(largest > setting_.scales.closed)) return;
  const Vector given = now_.state.q;
  close_gaps(closing);
  moved_ = largest;
  for (std::size_t j = 0; j < setting_.positions; ++j) {
    if (setting_.model.position_unit(j) != "m") continue;
    moved_ = std::max(moved_, std::abs(now_.state.q(ix(j)) - given(ix(j))));
  }
  closed_ = static_cast<double>(closing.size());
}

std::string Start::note() const {
  if (!(closed_ > 0.)) return {};
  std::array<char, 32> moved{};
  std::snprintf(moved.data(), moved.size(), "%.4g", moved_);
  return "small gaps at " + shortest(closed_) + (closed_ > 1. ? " contacts" : " contact") +
         " closed, which moved bodies by up to " + moved.data() + " m";
}

void Start::refuse_overlap(const std::vector<std::size_t>& contacts, double limit) const {
  const double most = limit * setting_.scales.length;
  for (const std::size_t i : contacts) {
    const double gap = contacts_.gap(i, now_.state);
    require_finite(gap, contacts_.name(i) + ".gap");
    if (!(-gap > most)) continue;
    throw InputError(
        contacts_.name(i) + ".gap",
        "the bodies overlap by " + shortest(-gap) + " m at the start; up to " + shortest(most) +
            " m " +
            (limit < start_tolerance ? "may remain where gaps are closed" : "would be closed") +
            "; move them apart");
  }
}

void Start::begin(const State& state) {
  check_state(setting_.model, state);
  now_.state = state;
  setting_.model.normalise(now_.state);
  now_.time = state.time;
  now_.store_positions();
  now_.store_velocity();
  if (!now_.mechanics.at(now_.state)) {
    throw InputError("mass", "the mass matrix must be finite and positive definite");
  }
  now_.take();
  neighbours_.find(now_.state);
  const double reach = start_tolerance * setting_.scales.length;
  std::vector<std::size_t> near;
  neighbours_.list_touching(now_.state, reach, near);
  refuse_overlap(near, start_tolerance);
  refuse_sunk_bodies(setting_, now_.state);
  close_gaps();
  neighbours_.list_touching(now_.state, reach, near);
  refuse_overlap(near, most_overlap_left);
  now_.make_room();
  now_.store_positions();
  now_.account.kinetic_start = now_.mechanics.kinetic(now_.state.u);
  now_.account.potential_start = setting_.model.potential_energy(now_.state);
  now_.show();
  for (const std::size_t i : near) {
    if (compliant_.has(i) && contacts_.gap(i, now_.state) <= 0.) {
      contacts_.modes.status[i] = {Touch::stick, {}};
    }
  }
}

double Start::overlap() {
  std::vector<std::size_t> near;
  neighbours_.list_touching(now_.state, start_tolerance * setting_.scales.length, near);
  double most = 0.;
  for (const std::size_t i : near) most = std::max(most, -contacts_.gap(i, now_.state));
  // Bodies may overlap where no contact is in range.
  std::vector<BodyPair> pairs;
  setting_.model.near_pairs(now_.state, 0., pairs);
  for (const BodyPair& pair : pairs) {
    most = std::max(most, -setting_.model.distance(pair, now_.state));
  }
  return most;
}

bool Start::begin_again(const Progress& p, const std::vector<std::size_t>& closed) {
  now_.state = p.state;
  now_.time = p.state.time;
  if (!now_.mechanics.at(now_.state)) return false;
  const double kinetic = now_.mechanics.kinetic(now_.state.u);
  const double potential = setting_.model.potential_energy(now_.state);
  neighbours_.find(now_.state);
  std::vector<std::size_t> closing = closed;
  close_gaps(closing);
  if (!(overlap() <= most_overlap_left * setting_.scales.length)) return false;
  now_.make_room();
  now_.account = p.energy;
  now_.grow();
  now_.y[now_.drives_at()] = p.energy.drives;
  now_.y[now_.dampers_at()] = p.energy.dampers;
  now_.store_positions();
  if (!now_.mechanics.at(now_.state)) return false;
  // Bodies that turn at given spins change their kinetic energy, too.
  const double moved = now_.mechanics.kinetic(now_.state.u) - kinetic;
  now_.account.corrections += setting_.model.potential_energy(now_.state) - potential + moved;
  // Slip stays; what the last step left of slip where a contact sticks goes.
  for (const std::size_t i : closed) {
    now_.mechanics.load(i, now_.state);
    contacts_.modes.status[i] = {p.contacts[i].touch, {}};
  }
  const double pushed = projection_.stop(closed);
  for (const std::size_t i : closed) contacts_.modes.status[i] = {};
  now_.store_velocity();
  now_.y[now_.drives_at()] += pushed;
  now_.account.dropped += now_.mechanics.kinetic(now_.state.u) - kinetic - moved - pushed;
  now_.show();
  return true;
}

void Start::save(Continuation& c) const {
  c.closed_at_start = closed_;
  c.moved_at_start = moved_;
}

void Start::load(const Continuation& c) {
  closed_ = c.closed_at_start;
  moved_ = c.moved_at_start;
}

}  // namespace carom::motion
