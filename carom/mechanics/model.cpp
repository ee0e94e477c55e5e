// SPDX-License-Identifier: Apache-2.0
#include <carom/mechanics/model.hpp>

#include <algorithm>
#include <utility>

namespace carom {

MassMatrix::MassMatrix(std::vector<VelocityRange> blocks) : blocks_(std::move(blocks)) {
  std::size_t size = 0;
  for (const VelocityRange& b : blocks_) {
    at_.push_back(size);
    size += b.size * b.size;
  }
  entries_.assign(size, 0.);
}

void MassMatrix::set_zero() { std::fill(entries_.begin(), entries_.end(), 0.); }

void ListedModel::near_pairs(const State& /*state*/, double /*reach*/,
                             std::vector<BodyPair>& out) const {
  out.clear();
  for (std::size_t i = 0; i < contacts(); ++i) out.push_back(contact_id(i).pair);
}

void ListedModel::near_contacts(const BodyPair& pair, const State& state, double /*reach*/,
                                std::vector<NearContact>& out) const {
  const ContactId id{.pair = pair};
  out.assign(1, {.id = id, .gap = gap(id, state)});
}

}  // namespace carom
