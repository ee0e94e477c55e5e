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

void Neighbours::find(const State& state) {
  const double usual = usual_reach * setting_.scales.length;
  contacts_.release();
  find_pairs(state, usual);
  reaches_.assign(pairs_.size(), usual);
  list();
}

void Neighbours::find(const State& from, const State& to) {
  const Model& model = setting_.model;
  const double usual = usual_reach * setting_.scales.length;
  contacts_.release();
  find_pairs(from, usual + reach_for(2. * model.moved(from, to)));
  for (const BodyPair& pair : pairs_) {
    reaches_.push_back(std::min(reach_, usual + reach_for(model.approached(pair, from, to))));
  }
  list();
}

bool Neighbours::load(const State& state, double reach, const std::vector<double>& reaches) {
  find_pairs(state, reach);
  if (reaches.size() != pairs_.size()) return false;
  reaches_ = reaches;
  list();
  return true;
}

void Neighbours::find_pairs(const State& state, double reach) {
  listed_ = state;
  reach_ = reach;
  reaches_.clear();
  setting_.model.near_pairs(listed_, reach_, pairs_);
}

void Neighbours::list() {
  last_.reach = -1.;
  std::vector<std::size_t>& active = contacts_.active;
  std::erase_if(active, [&](std::size_t i) { return !contacts_.is_closed(i); });
  new_.clear();
  near_pairs_.clear();
  for (std::size_t k = 0; k < pairs_.size(); ++k) {
    setting_.model.near_contacts(pairs_[k], listed_, reaches_[k], near_);
    // Corners that face each other have no contact.
    if (near_.empty() && !(setting_.model.distance(pairs_[k], listed_) <= reaches_[k])) continue;
    near_pairs_.push_back(pairs_[k]);
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

// Other pairs than those of the list are further apart than all that anything has moved.
bool Neighbours::is_used_up(const State& state) const {
  const Model& model = setting_.model;
  if (2. * model.moved(listed_, state) > used_reach * reach_) return true;
  for (std::size_t k = 0; k < pairs_.size(); ++k) {
    if (model.moved_apart(pairs_[k], listed_, state) > used_reach * reaches_[k]) return true;
  }
  return false;
}

void Neighbours::list_touching(const State& state, double reach, std::vector<std::size_t>& out) {
  if (last_.reach == reach && last_.state.time == state.time && last_.state.q == state.q) {
    out = last_.contacts;
    return;
  }
  out.clear();
  for (const BodyPair& pair : near_pairs_) {
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
    const bool touches = c.in_range && c.gap <= closed;
    if (touches &&
        !(contacts_.list().has(c.id) && contacts_.is_closed(contacts_.number_of(c.id)))) {
      return c.id;
    }
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
