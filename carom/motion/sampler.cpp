// SPDX-License-Identifier: Apache-2.0
#include <carom/motion/sampler.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace carom::motion {

namespace {

/// Gaps of closed contacts up to this part of the reference length are shown before an event: a
/// tenth of the overlap that is allowed of any state.
constexpr double shown_drift = 1e-10;

}  // namespace

Sampler::Sampler(const Setting& setting, Contacts& contacts, Equations& equations,
                 Projection& projection, Present& now)
    : Reporter(setting, contacts.list()),
      setting_(setting),
      contacts_(contacts),
      equations_(equations),
      projection_(projection),
      now_(now) {}

void Sampler::side(As kind) {
  if (wants_sides() && !(kind == As::before && told_before_)) sample(now_.time, now_.y, kind);
  told_before_ = false;
}

void Sampler::before(double time, const std::vector<double>& y, double of) {
  if (wants_sides()) sample(time, y, As::before, of);
  told_before_ = true;
}

void Sampler::sample_last() {
  if (last() != now_.shown_time) sample(now_.shown_time, now_.shown, As::last);
}

void Sampler::sample_passed_over(double start, const std::vector<double>& from,
                                 std::vector<ContactStatus> modes) {
  if (!(next() < now_.time)) return;
  const double end = now_.time;
  modes.resize(contacts_.size());
  contacts_.modes.status.swap(modes);
  const auto between = [&](double t, std::vector<double>& y) {
    const double share = (t - start) / (end - start);
    for (std::size_t k = 0; k < now_.size(); ++k) y[k] = from[k] + share * (now_.y[k] - from[k]);
  };
  while (!sample_until(std::nextafter(end, start), between)) {  // also if the run is to stop
  }
  contacts_.modes.status.swap(modes);
}

// Open contacts that were found have no gap and no velocity.
void Sampler::fill_contacts() {
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  const std::size_t components = setting_.components;
  const std::size_t known = setting_.model.contacts();
  told_.gap.assign(contacts_.size(), unknown);
  told_.velocity.assign(contacts_.size() * components, unknown);
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const bool closed = contacts_.is_closed(i);
    if (!closed) {  // not what it was when it opened
      std::fill_n(equations_.force.begin() + ix(i * components), components, 0.);
    }
    if (!closed && i >= known) continue;
    const ContactMotion& m = closed ? now_.mechanics.motion(i) : now_.mechanics.load(i, now_.state);
    told_.gap[i] = m.gap;
    for (std::size_t j = 0; j < components; ++j)
      told_.velocity[i * components + j] = m.velocity(ix(j));
  }
}

void Sampler::fill_spins() {
  const double length = setting_.scales.length;
  told_.couple.assign(3 * contacts_.size(), 0.);
  told_.spin.assign(3 * contacts_.size(), 0.);
  for (const std::size_t i : contacts_.spinning) {
    for (std::size_t j = 0; j < now_.mechanics.spins; ++j) {
      told_.couple[i * 3 + j] = equations_.couple[i * 3 + j] * length;
      told_.spin[i * 3 + j] = now_.mechanics.velocity(i, first_spin + j) / length;
    }
  }
}

// A state within a step has gaps of the size of the tolerance at closed contacts. What is shown has
// none, but before an event: forces that have just reached a limit may depend on them.
void Sampler::sample(double time, const std::vector<double>& y, As kind, double of) {
  now_.take(y, of);
  contacts_.note_touching();
  on_constraints_ = y;
  dy_.resize(y.size());
  const double left = kind == As::before ? shown_drift * setting_.scales.length : 0.;
  if (projection_.close_touching(nowhere, left)) {
    for (std::size_t j = 0; j < setting_.positions; ++j) on_constraints_[j] = now_.state.q(ix(j));
  }
  equations_.distribution.shows_forces = true;
  contacts_.keeps_directions = kind != As::after;
  const bool possible = equations_.rate(of, on_constraints_, dy_);
  contacts_.keeps_directions = false;
  equations_.distribution.shows_forces = false;
  if (!possible) return;
  fill_contacts();
  now_.account_at(on_constraints_, told_.energy);
  if (setting_.any_couples) fill_spins();
  now_.state.time = time;
  report({.state = now_.state,
          .contacts = contacts_.modes.status,
          .force = equations_.force,
          .velocity = told_.velocity,
          .gap = told_.gap,
          .kinetic = told_.energy.kinetic,
          .potential = told_.energy.potential,
          .energy = told_.energy,
          .couple = told_.couple,
          .spin = told_.spin},
         time, kind);
}

}  // namespace carom::motion
