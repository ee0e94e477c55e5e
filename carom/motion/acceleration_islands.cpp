// SPDX-License-Identifier: Apache-2.0
#include <carom/motion/acceleration.hpp>

#include <algorithm>

#include <carom/core/block_matrix.hpp>
#include <carom/motion/mechanics.hpp>

// Contacts that inertia does not couple are decided separately.
namespace carom::motion {

namespace {

/// The spins of some of the contacts.
void keep_spins(const AccelerationProblem& p, const std::vector<std::size_t>& kept,
                AccelerationProblem& some) {
  const std::size_t c = p.components;
  std::vector<Eigen::Index> rows, columns;
  for (std::size_t a = 0; a < kept.size(); ++a) {
    for (std::size_t j = 0; j < c; ++j) rows.push_back(ix(kept[a] * c + j));
    for (const AccelerationSpin& s : p.spins) {
      if (s.contact != kept[a]) continue;
      some.spins.push_back(s);
      some.spins.back().contact = a;
      some.spins.back().first = columns.size();
      for (std::size_t j = 0; j < s.size; ++j) columns.push_back(ix(s.first + j));
    }
  }
  some.N = p.N(rows, columns);
  some.R = p.R(columns, columns);
  some.c = p.c(columns);
}

}  // namespace

AccelerationProblem part(const AccelerationProblem& p, const std::vector<std::size_t>& kept) {
  const std::size_t c = p.components;
  const auto size = ix(c);
  AccelerationProblem some{
      .components = c, .G = {}, .b = {}, .contacts = {}, .scale = p.scale, .counts = p.counts};
  some.G.resize(ix(kept.size() * c), ix(kept.size() * c));
  some.b.resize(ix(kept.size() * c));
  for (std::size_t a = 0; a < kept.size(); ++a) {
    some.contacts.push_back(p.contacts[kept[a]]);
    some.b.segment(ix(a * c), size) = p.b.segment(ix(kept[a] * c), size);
    for (std::size_t e = 0; e < kept.size(); ++e) {
      some.G.block(ix(a * c), ix(e * c), size, size) =
          p.G.block(ix(kept[a] * c), ix(kept[e] * c), size, size);
    }
  }
  if (!p.spins.empty()) keep_spins(p, kept, some);
  return some;
}

namespace {

/// The island of each contact: the first contact that is coupled to it by inertia.
std::vector<std::size_t> islands(const AccelerationProblem& p) {
  const std::size_t k = p.contacts.size();
  const auto c = ix(p.components);
  std::vector<std::size_t> island(k);
  for (std::size_t i = 0; i < k; ++i) {
    island[i] = i;
    for (std::size_t j = 0; j < i; ++j) {
      if (island[j] == island[i] || p.G.block(ix(i) * c, ix(j) * c, c, c).isZero(0.)) continue;
      const std::size_t from = std::max(island[i], island[j]);
      const std::size_t to = std::min(island[i], island[j]);
      std::replace(island.begin(), island.begin() + static_cast<std::ptrdiff_t>(i) + 1, from, to);
    }
  }
  return island;
}

}  // namespace

AccelerationAnswer solve(const AccelerationProblem& p) {
  const std::vector<std::size_t> island = islands(p);
  if (std::all_of(island.begin(), island.end(), [](std::size_t i) { return i == 0; })) {
    return solve_island(p);
  }
  const auto c = ix(p.components);
  AccelerationAnswer answer;
  answer.found = true;
  answer.status.assign(p.contacts.size(), {});
  answer.ratio.assign(p.contacts.size(), 0.);
  answer.force.setZero(p.b.size());
  answer.acceleration.setZero(p.b.size());
  answer.spins.assign(p.spins.size(), {});
  answer.couple.setZero(p.c.size());
  for (std::size_t first = 0; first < p.contacts.size(); ++first) {
    if (island[first] != first) continue;
    std::vector<std::size_t> members;
    for (std::size_t i = first; i < p.contacts.size(); ++i) {
      if (island[i] == first) members.push_back(i);
    }
    const AccelerationAnswer some = solve_island(part(p, members));
    if (!some.found) {
      answer.found = false;
      answer.failed = members;
      return answer;
    }
    answer.several = answer.several || some.several;
    for (std::size_t a = 0; a < members.size(); ++a) {
      answer.status[members[a]] = some.status[a];
      answer.ratio[members[a]] = some.ratio[a];
      answer.force.segment(ix(members[a]) * c, c) = some.force.segment(ix(a) * c, c);
      answer.acceleration.segment(ix(members[a]) * c, c) = some.acceleration.segment(ix(a) * c, c);
    }
    std::size_t next = 0, entry = 0;  // in the order of keep_spins
    for (const std::size_t i : members) {
      for (std::size_t s = 0; s < p.spins.size(); ++s) {
        if (p.spins[s].contact != i) continue;
        answer.spins[s] = some.spins[next++];
        const auto size = ix(p.spins[s].size);
        answer.couple.segment(ix(p.spins[s].first), size) = some.couple.segment(ix(entry), size);
        entry += p.spins[s].size;
      }
    }
  }
  return answer;
}

}  // namespace carom::motion
