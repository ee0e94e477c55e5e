// SPDX-License-Identifier: Apache-2.0
#include <carom/motion/step_contacts.hpp>

#include <algorithm>
#include <cmath>

namespace carom::motion {

namespace {

/// Pairs are listed farther than needed, by this part of the reference length, so that the list
/// serves many steps [Verlet 1967].
constexpr double spare = 0.05;

}  // namespace

double StepContact::slip_work() const {
  return 0.5 * impulse[1] * (before[1] + after[1]) + 0.5 * impulse[2] * (before[2] + after[2]);
}

ContactStatus StepContact::status() const {
  if (!(impulse[0] > 0.)) return {};
  if (sticks) return {.touch = Touch::stick};
  ContactStatus status{.touch = Touch::slip};
  const double slip = std::sqrt(after[1] * after[1] + after[2] * after[2]);
  for (std::size_t j = 1; j < 3 && slip > 0.; ++j) status.direction[j - 1] = after[j] / slip;
  return status;
}

void StepContacts::list_pairs(const State& state, double reach) {
  if (reach_ >= 0. && 2. * model_.moved(listed_, state) + reach <= reach_) return;
  reach_ = 2. * reach + spare * model_.length_scale();
  listed_ = state;
  model_.near_pairs(state, reach_, pairs_);
  sizes_.clear();
  smallest_ = model_.length_scale();
  for (const BodyPair& pair : pairs_) {
    sizes_.push_back(model_.describe(pair).smallest_length);
    smallest_ = std::min(smallest_, sizes_.back());
  }
}

void StepContacts::find(const State& middle, double h, double within) {
  found.clear();
  // Two bodies that approach each other, and what counts as touching.
  const double reach = 2. * within + touch * model_.length_scale();
  list_pairs(middle, reach);
  for (std::size_t k = 0; k < pairs_.size(); ++k) {
    model_.overlapping_contacts(pairs_[k], middle, reach, near_);
    size_ = sizes_[k];
    const std::size_t first = found.size();
    for (const NearContact& c : near_) add(c, middle, h);
    // The order must not depend on how a model lists them.
    for (std::size_t i = first; i + 1 < found.size(); ++i) {
      for (std::size_t j = i + 1; j < found.size(); ++j) {
        if (!(found[j].id < found[i].id)) continue;
        std::swap(found[i], found[j]);
        std::swap(motion[i], motion[j]);
      }
    }
  }
}

void StepContacts::add(const NearContact& near, const State& state, double h) {
  const std::size_t k = found.size();
  if (motion.size() <= k) motion.resize(k + 1);
  ContactMotion& m = motion[k];
  model_.contact(near.id, state, m);
  StepContact c;
  c.acts = m.gap + 0.5 * h * m.velocity(0) <= touch * size_;
  c.id = near.id;
  c.gap = m.gap;
  c.size = size_;
  for (std::size_t j = 0; j < model_.components(); ++j) c.before[j] = m.velocity(ix(j));
  found.push_back(c);
}

void StepContacts::find_at(const State& state, double reach) {
  found.clear();
  list_pairs(state, reach);
  for (std::size_t k = 0; k < pairs_.size(); ++k) {
    model_.overlapping_contacts(pairs_[k], state, reach, near_);
    for (const NearContact& c : near_) {
      if (motion.size() <= found.size()) motion.resize(found.size() + 1);
      model_.contact(c.id, state, motion[found.size()]);
      StepContact at;
      at.id = c.id;
      at.gap = c.gap;
      at.size = sizes_[k];
      found.push_back(at);
    }
  }
}

}  // namespace carom::motion
