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

Matrix dense(const MassMatrix& M) {
  const std::size_t n = M.blocks().empty() ? 0 : M.blocks().back().begin + M.blocks().back().size;
  Matrix full = Matrix::Zero(ix(n), ix(n));
  for (std::size_t b = 0; b < M.blocks().size(); ++b) {
    const auto& [begin, size] = M.blocks()[b];
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j < size; ++j) {
        full(ix(begin + i), ix(begin + j)) = M.block(b)[i * size + j];
      }
    }
  }
  return full;
}

Matrix dense(const ContactMotion& motion, std::size_t velocities) {
  Matrix full = Matrix::Zero(ix(velocities), 3);
  Eigen::Index row = 0;
  for (const auto& [begin, size] : motion.ranges) {
    full.middleRows(ix(begin), ix(size)) = motion.W.middleRows(row, ix(size));
    row += ix(size);
  }
  return full;
}

void Model::displace(State& state, const Vector& u, double dt) const {
  thread_local State moving;
  thread_local Vector rate;
  moving = state;
  moving.u = u;
  rate.resize(state.q.size());
  kinematics(moving, rate);
  state.q += dt * rate;
}

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
