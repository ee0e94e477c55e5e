// SPDX-License-Identifier: Apache-2.0
#include <carom/motion/contacts.hpp>

namespace carom::motion {

Contacts::Contacts(const Setting& setting) : setting_(setting), list_(setting.model) {}

bool Contacts::grow() {
  const std::size_t to = list_.size();
  list_.take_renamed(renamed_);
  for (const std::size_t i : renamed_) {
    if (i >= surface_of_.size()) continue;
    surface_of_[i] = setting_.surface_of(list_[i]);
    modes.status[i] = {};
    modes.creeping[i] = 0.;
    if (setting_.any_couples) modes.spins[i] = {};
    slip_at_start[i] = {};
    direction[i] = {};
  }
  if (surface_of_.size() == to) return false;
  for (std::size_t i = surface_of_.size(); i < to; ++i) {
    surface_of_.push_back(setting_.surface_of(list_[i]));
  }
  modes.status.resize(to);
  modes.creeping.resize(to, 0.);
  if (setting_.any_couples) modes.spins.resize(to);
  slip_at_start.resize(to, {});
  direction.resize(to, {});
  return true;
}

void Contacts::restore(const Modes& kept) {
  modes = kept;
  modes.status.resize(list_.size());
  modes.creeping.resize(list_.size(), 0.);
  if (setting_.any_couples) modes.spins.resize(list_.size());
}

// Compliant contacts have a place in the state from when they are found.
void Contacts::release() {
  if (setting_.options.compliant.empty()) list_.release();
}

void Contacts::note_touching() {
  touching.clear();
  for (const std::size_t i : active) {
    if (!is_closed(i)) continue;
    touching.push_back(i);
    list_.keep(i);
  }
  if (!setting_.any_couples) return;
  spinning.clear();
  for (const std::size_t i : touching) {
    if (has_couples(i)) spinning.push_back(i);
  }
}

void Contacts::follow_status() {
  for (const std::size_t i : active) direction[i] = modes.status[i].direction;
}

}  // namespace carom::motion
