// SPDX-License-Identifier: Apache-2.0
#include <carom/motion/islands.hpp>

#include <algorithm>

namespace carom::motion {

void Islands::clear() {
  members_.clear();
  islands_.clear();
  order_.clear();
}

void Islands::add(std::size_t member, const std::array<std::size_t, 2>& blocks) {
  members_.push_back({.name = member, .blocks = blocks});
}

std::size_t Islands::root(std::size_t block) {
  while (parent_[block] != block) block = parent_[block] = parent_[parent_[block]];
  return block;
}

// Union-find over blocks, then a counting sort of the members.
void Islands::find(std::size_t blocks) {
  if (blocks == 1 && !members_.empty()) {  // one body
    for (const Member& m : members_) order_.push_back(m.name);
    islands_.push_back({0, members_.size()});
    return;
  }
  parent_.resize(blocks);
  number_.resize(blocks);
  for (const Member& m : members_) {
    for (const std::size_t b : m.blocks) {
      if (b == nowhere) continue;
      parent_[b] = b;
      number_[b] = nowhere;
    }
  }
  for (const Member& m : members_) {
    if (m.blocks[0] == nowhere || m.blocks[1] == nowhere) continue;
    const std::size_t a = root(m.blocks[0]);
    const std::size_t b = root(m.blocks[1]);
    parent_[std::max(a, b)] = std::min(a, b);
  }
  for (Member& m : members_) {
    std::size_t& number = number_[root(m.blocks[0] != nowhere ? m.blocks[0] : m.blocks[1])];
    if (number == nowhere) {
      number = islands_.size();
      islands_.push_back({});
    }
    m.island = number;
    ++islands_[number].end;  // its size, so far
  }
  std::size_t begin = 0;
  for (Island& island : islands_) {
    const std::size_t size = island.end;
    island = {begin, begin};
    begin += size;
  }
  order_.resize(members_.size());
  for (const Member& m : members_) order_[islands_[m.island].end++] = m.name;
}

void Islands::make_one(std::size_t members) {
  if (members > 0) islands_.push_back({0, members});
}

std::size_t Islands::largest() const {
  std::size_t most = 0;
  for (const Island& island : islands_) most = std::max(most, island.size());
  return most;
}

}  // namespace carom::motion
