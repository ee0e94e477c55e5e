// SPDX-License-Identifier: Apache-2.0
#include <carom/motion/neighbours.hpp>

#include <algorithm>
#include <utility>

namespace carom::motion {

namespace {

/// Reach relative to the reference length. Far enough for many slow steps, near enough to have few
/// contacts.
constexpr double usual_reach = 0.1;

}  // namespace

Neighbours::Neighbours(const Setting& setting, Contacts& contacts, std::function<void()> found)
    : setting_(setting), contacts_(contacts), found_(std::move(found)) {}

void Neighbours::grow() {
  if (contacts_.grow()) found_();
}

void Neighbours::find(const State& state, double more) {
  contacts_.release();
  load(state, usual_reach * setting_.scales.length + more);
}

void Neighbours::load(const State& state, double reach) {
  listed_ = state;
  reach_ = reach;
  list();
}

void Neighbours::list() {
  last_.reach = -1.;
  std::vector<std::size_t>& active = contacts_.active;
  std::erase_if(active, [&](std::size_t i) { return !contacts_.is_closed(i); });
  setting_.model.near_pairs(listed_, reach_, pairs_);
  new_.clear();
  for (const BodyPair& pair : pairs_) {
    setting_.model.near_contacts(pair, listed_, reach_, near_);
    for (const NearContact& c : near_) {
      if (contacts_.list().has(c.id)) {
        active.push_back(contacts_.number_of(c.id));
      } else {
        new_.push_back(c.id);
      }
    }
  }
  // Others first, so that they keep their numbers.
  for (const ContactId& id : new_) active.push_back(contacts_.number_of(id));
  std::sort(active.begin(), active.end());
  active.erase(std::unique(active.begin(), active.end()), active.end());
  grow();
}

bool Neighbours::is_used_up(const State& state) const {
  return setting_.model.moved(listed_, state) > used_reach * reach_;
}

void Neighbours::list_touching(const State& state, double reach, std::vector<std::size_t>& out) {
  if (last_.reach == reach && last_.state.time == state.time && last_.state.q == state.q) {
    out = last_.contacts;
    return;
  }
  out.clear();
  for (const BodyPair& pair : pairs_) {
    setting_.model.near_contacts(pair, state, reach, near_);
    for (const NearContact& c : near_) {
      if (c.in_range && c.gap <= reach) out.push_back(contacts_.number_of(c.id));
    }
  }
  grow();
  std::vector<std::size_t>& active = contacts_.active;
  const std::size_t known = active.size();
  for (const std::size_t i : out) {
    if (!std::binary_search(active.begin(), active.begin() + ix(known), i)) active.push_back(i);
  }
  std::sort(active.begin(), active.end());
  std::sort(out.begin(), out.end());
  last_.state.time = state.time;
  last_.state.q = state.q;
  last_.reach = reach;
  last_.contacts = out;
}

bool Neighbours::lists(const ContactId& id, const State& state) {
  // The margin alone is much cheaper, and what is listed has none below zero.
  if (setting_.model.margin(id, state) < 0.) return false;
  setting_.model.near_contacts(id.pair, state, start_tolerance * setting_.scales.length, near_);
  return std::any_of(near_.begin(), near_.end(),
                     [&](const NearContact& c) { return c.in_range && c.id == id; });
}

std::optional<ContactId> Neighbours::touching(const BodyPair& pair, const State& state) {
  const double closed = setting_.scales.closed;
  setting_.model.near_contacts(pair, state, closed, near_);
  for (const NearContact& c : near_) {
    if (c.in_range && c.gap <= closed) return c.id;
  }
  return std::nullopt;
}

std::size_t Neighbours::number_of(const ContactId& id) {
  const std::size_t i = contacts_.number_of(id);
  grow();
  return i;
}

bool Neighbours::is_closed(const BodyPair& pair) const {
  return std::any_of(contacts_.touching.begin(), contacts_.touching.end(),
                     [&](std::size_t i) { return contacts_[i].pair == pair; });
}

}  // namespace carom::motion
