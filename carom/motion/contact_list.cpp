// SPDX-License-Identifier: Apache-2.0
#include <carom/motion/contact_list.hpp>

#include <algorithm>
#include <utility>

#include <carom/motion/islands.hpp>

namespace carom::motion {

namespace {

/// Up to so many contacts are compared one by one, which is faster than hashing.
constexpr std::size_t few_contacts = 8;

}  // namespace

ContactList::ContactList(const Model& model) {
  for (std::size_t i = 0; i < model.contacts(); ++i) keep(number_of(model.contact_id(i)));
}

// Fibonacci hashing of the three numbers in turn.
std::size_t ContactList::Hash::operator()(const ContactId& id) const {
  constexpr std::uint64_t golden = 0x9E3779B97F4A7C15ULL;
  std::uint64_t h = (std::uint64_t{id.pair.first} << 32U) | id.pair.second;
  h = (h ^ (h >> 29U)) * golden;
  h = (h ^ id.features) * golden;
  return static_cast<std::size_t>(h ^ (h >> 32U));
}

std::size_t ContactList::known_number(const ContactId& id) const {
  if (ids_.size() <= few_contacts) {
    const auto found = std::find(ids_.begin(), ids_.end(), id);
    return found != ids_.end() ? static_cast<std::size_t>(found - ids_.begin()) : nowhere;
  }
  const auto found = numbers_.find(id);
  return found != numbers_.end() ? found->second : nowhere;
}

bool ContactList::has(const ContactId& id) const { return known_number(id) != nowhere; }

std::size_t ContactList::number_of(const ContactId& id) {
  const std::size_t known = known_number(id);
  if (known != nowhere) {
    if (use_[known] == Use::released) use_[known] = Use::used;
    return known;
  }
  ++version_;
  while (!released_.empty()) {
    const std::size_t i = released_.back();
    released_.pop_back();
    if (use_[i] != Use::released) continue;
    numbers_.erase(ids_[i]);
    numbers_.emplace(id, i);
    ids_[i] = id;
    use_[i] = Use::used;
    renamed_.push_back(i);
    return i;
  }
  numbers_.emplace(id, ids_.size());
  ids_.push_back(id);
  use_.push_back(Use::used);
  return ids_.size() - 1;
}

void ContactList::release() {
  std::replace(use_.begin(), use_.end(), Use::used, Use::released);
  list_released();
}

// The least of them is taken over first.
void ContactList::list_released() {
  released_.clear();
  for (std::size_t i = use_.size(); i > 0; --i) {
    if (use_[i - 1] == Use::released) released_.push_back(i - 1);
  }
}

void ContactList::take_renamed(std::vector<std::size_t>& out) {
  out.clear();
  std::swap(out, renamed_);
}

std::vector<double> ContactList::save_use() const {
  std::vector<double> use;
  for (const Use u : use_) use.push_back(static_cast<double>(u));
  return use;
}

void ContactList::load_use(const std::vector<double>& use) {
  for (std::size_t i = 0; i < use_.size(); ++i) {
    use_[i] = Use::kept;
    for (const Use u : {Use::released, Use::used}) {
      if (i < use.size() && use[i] == static_cast<double>(u)) use_[i] = u;
    }
  }
  list_released();
}

}  // namespace carom::motion
