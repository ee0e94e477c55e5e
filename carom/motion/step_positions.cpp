// SPDX-License-Identifier: Apache-2.0
#include <carom/motion/step_positions.hpp>

#include <algorithm>

#include <carom/core/error.hpp>
#include <carom/core/scalar.hpp>

namespace carom::motion {

namespace {

/// Overlap above this part of the smaller body is removed.
constexpr double tolerated = 1e-6;
/// Overlap that is accepted, and half of it, to which nothing in the middle of a step needs a
/// second look if it moves less.
constexpr double most_overlap = 0.01;
/// And where a step this part of the nominal one leaves more: bodies that jam part later. Beyond
/// this they are crushed.
constexpr double short_step = 1. / 64.;
constexpr double most_jammed = 0.2;
/// Contacts with gaps up to so many times the deepest overlap take part: bodies may turn where they
/// are pushed apart, and must not come down on another corner.
constexpr double around = 20.;
/// Rounds of a removal: normals turn with displacements. Each reduces the overlap to its square,
/// relative to a length.
constexpr int most_removals = 6;
/// Each leaves this part of the worst overlap.
constexpr double left_over = 1e-3;

}  // namespace

StepPositions::StepPositions(const Setting& setting, const ContactList& contacts,
                             const Mechanics& mechanics, const Step& step)
    : setting_(setting),
      mechanics_(mechanics),
      step_(step),
      elsewhere_(setting.model, contacts),
      contacts_(setting.model) {}

void StepPositions::check_start(const State& state) {
  const double limit = start_tolerance * setting_.scales.length;
  contacts_.find_at(state, 0.);
  for (const StepContact& c : contacts_.found) {
    if (-c.gap <= limit) continue;
    throw InputError(setting_.model.contact_name(c.id) + ".gap",
                     "the bodies overlap by " + shortest(-c.gap) + " m at the start; up to " +
                         shortest(limit) + " m would be closed; move them apart");
  }
}

bool StepPositions::find_end(const State& start, State& end) {
  corrected_ = 0.;
  end = start;
  end.time = start.time + step_.h;
  setting_.model.displace(end, step_.mean, step_.h);
  if (find_shift()) displace(end, shift_);
  return separate(end, end.time - start.time);
}

// Bodies that strike within the step move with u- until then, and with u+ from then on. The time is
// that of the first contact of their island. Returns whether there are any.
bool StepPositions::find_shift() {
  const std::vector<ContactMotion>& motion = step_.contacts.motion;
  shift_.setZero(step_.u.size());
  bool any = false;
  for (const Islands::Island& island : step_.islands.all()) {
    double first = step_.h;
    bool lands = false;
    bool by_law = false;
    for (const std::size_t i : step_.islands.members(island)) {
      const StepContact& c = step_.contacts.found[i];
      const bool was_open = !c.pressed && step_.gap_at_start(i) > StepContacts::touch * c.size;
      if (!(motion[i].velocity(0) < 0.) || (!c.strikes && !was_open)) continue;
      lands = true;
      by_law = c.struck;
      first = std::min(first, step_.closing_time(i));
    }
    if (!lands) continue;
    any = true;
    for (const std::size_t i : step_.islands.members(island)) {
      for (const VelocityRange& r : motion[i].ranges) {
        for (Eigen::Index j = ix(r.begin); j < ix(r.begin + r.size); ++j) {
          const double before = step_.middle.u(j);
          // Of an impact by a law the forces act afterwards.
          shift_(j) = by_law ? first * (before - step_.u_start(j))
                             : (first - 0.5 * step_.h) * (before - step_.u(j));
        }
      }
    }
  }
  return any;
}

void StepPositions::displace(State& state, const Vector& by) {
  const double before = energy_of(state);
  setting_.model.displace(state, by, 1.);
  corrected_ += energy_of(state) - before;
}

// What a displacement changes and contacts do not: potential energy, and kinetic energy where M
// depends on positions.
double StepPositions::energy_of(const State& state) {
  double energy = setting_.model.potential_energy(state);
  if (!setting_.model.keeps_kinetic_energy() && elsewhere_.at_step(state)) {
    energy += elsewhere_.kinetic(step_.u);
  }
  return energy;
}

// Removes overlap, and closes gaps that the step was to close. Returns false if more than
// `most_overlap` is left, or `most_jammed` by a short step.
bool StepPositions::separate(State& state, double h) {
  // A contact of the step tells where it is at the end. What was farther cannot overlap much if
  // nothing moved far.
  bool overlaps = false;
  double widest = 0.;
  closing_.clear();
  for (const StepContact& c : step_.contacts.found) {
    overlaps = overlaps || c.gap + 0.5 * h * c.after[0] < -tolerated * c.size;
    // A gap of one that pressed before is what removals have left. More contacts may press than can
    // be closed at once: each removal would open others, and lift a pile at rest.
    const bool open = c.is_near || (!c.pressed && c.gap > tolerated * c.size);
    if (!open || c.strikes || !(c.impulse[0] > 0.)) continue;
    closing_.push_back(c.id);
    widest = std::max(widest, c.gap);
  }
  widest = std::min(widest, setting_.scales.acceleration * h * h);
  const double moved = setting_.model.moved(step_.middle, state);
  if (!overlaps && closing_.empty() && moved < 0.25 * most_overlap * step_.contacts.smallest()) {
    return true;
  }
  for (int round = 0; round < most_removals; ++round) {
    contacts_.find_at(state, 0.);
    if (worst_overlap() <= tolerated && (round > 0 || closing_.empty())) return true;
    // Others nearby must not be pushed into each other.
    double deepest = widest;
    for (const StepContact& c : contacts_.found) deepest = std::max(deepest, -c.gap);
    contacts_.find_at(state, around * deepest);
    displace(state, separation_.find(contacts_, mechanics_, closing_, left_over * deepest));
    closing_.clear();
  }
  contacts_.find_at(state, 0.);
  const double nominal = nominal_step(setting_.model, setting_.options);
  return worst_overlap() <= (h > short_step * nominal ? most_overlap : most_jammed);
}

// Relative to sizes.
double StepPositions::worst_overlap() const {
  double worst = 0.;
  for (const StepContact& c : contacts_.found) worst = std::max(worst, -c.gap / c.size);
  return worst;
}

}  // namespace carom::motion
