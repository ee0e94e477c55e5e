// SPDX-License-Identifier: Apache-2.0
#include <carom/motion/present.hpp>

#include <algorithm>

namespace carom::motion {

Present::Present(const Setting& setting, const Contacts& contacts, CompliantContacts& compliant)
    : mechanics(setting.model, contacts.list()),
      setting_(setting),
      contacts_(contacts),
      compliant_(compliant),
      drives_at_(setting.positions + setting.velocities) {
  state.q.setZero(ix(setting.positions));
  state.u.setZero(ix(setting.velocities));
  set_layout();
}

void Present::take(std::span<const double> of, double at) {
  const std::size_t n = setting_.positions;
  state.time = std::min(at, latest);
  for (std::size_t j = 0; j < n; ++j) state.q(ix(j)) = of[j];
  for (std::size_t j = 0; j < setting_.velocities; ++j) state.u(ix(j)) = of[n + j];
  for (std::size_t k = 0; k < laid_; ++k) compliant_.deformation[k] = of[deformation_at(k)];
}

void Present::store_positions() {
  for (std::size_t j = 0; j < setting_.positions; ++j) y[j] = state.q(ix(j));
}

void Present::store_velocity() {
  for (std::size_t j = 0; j < setting_.velocities; ++j) y[setting_.positions + j] = state.u(ix(j));
}

void Present::show(double at, const std::vector<double>& of) {
  shown_time = at;
  shown = of;
}

void Present::grow() {
  work_at_.resize(contacts_.size(), nowhere);
  account.impacts.resize(contacts_.size(), 0.);
  account.friction.resize(contacts_.size(), 0.);
}

// Contacts are found in the middle of a step, too, which must end in the layout in which it began.
void Present::make_room() {
  const std::size_t more = compliant_.size() - laid_;
  if (more == 0) return;
  for (auto* v : {&y, &shown}) v->insert(v->begin() + ix(deformation_at(laid_)), 2 * more, 0.);
  set_layout();
}

void Present::lay_out() {
  make_room();
  if (works_ == contacts_.touching) return;
  for (const std::size_t i : works_) {
    account.friction[i] += y[work_at_[i]];
    work_at_[i] = nowhere;
  }
  y.resize(size_ - works_.size());
  works_ = contacts_.touching;
  set_layout();
  shown = y;
}

void Present::set_layout() {
  laid_ = compliant_.size();
  const std::size_t first = deformation_at(laid_);
  size_ = first + works_.size();
  moving_ = laid_ > 0 ? first : drives_at_;
  for (std::size_t k = 0; k < works_.size(); ++k) work_at_[works_[k]] = first + k;
  y.resize(size_, 0.);
  shown.resize(size_, 0.);
}

void Present::account_at(const std::vector<double>& of, EnergyAccount& to) const {
  to = account;
  to.kinetic = mechanics.kinetic(state.u);
  to.potential = setting_.model.potential_energy(state);
  for (const std::size_t i : works_) to.friction[i] += of[work_at_[i]];
  for (std::size_t i = 0; i < contacts_.size() && laid_ > 0; ++i) {
    const std::size_t k = compliant_.place(i);
    if (k < laid_) to.impacts[i] += of[normal_work_at(k)];
  }
  to.drives = of[drives_at_];
  to.dampers = of[dampers_at()];
}

void Present::save(Progress& p) {
  make_room();
  take(shown, shown_time);
  p.state = state;
  const bool possible = mechanics.at(state);
  account_at(shown, p.energy);
  if (!possible) p.energy.kinetic = account.kinetic;
  Continuation& c = p.next;
  c.time = time;
  c.y = y;
  c.shown = shown;
  c.works.assign(works_.begin(), works_.end());
  c.impact_work = account.impacts;
  c.friction_work = account.friction;
}

bool Present::load(const Progress& p) {
  const Continuation& c = p.next;
  const std::size_t n = contacts_.size();
  for (const auto* v : {&p.energy.impacts, &p.energy.friction, &c.impact_work, &c.friction_work}) {
    if (v->size() != n) return false;
  }
  if (p.state.q.size() != state.q.size() || p.state.u.size() != state.u.size()) return false;
  for (const double i : c.works) {
    if (!(i >= 0. && i < static_cast<double>(n))) return false;
    works_.push_back(static_cast<std::size_t>(i));
  }
  set_layout();
  if (c.y.size() != size_ || c.shown.size() != size_) return false;
  time = c.time;
  y = c.y;
  shown = c.shown;
  shown_time = p.state.time;
  account = p.energy;
  account.impacts = c.impact_work;
  account.friction = c.friction_work;
  return true;
}

}  // namespace carom::motion
