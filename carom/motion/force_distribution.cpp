// SPDX-License-Identifier: Apache-2.0
#include <carom/motion/force_distribution.hpp>

#include <algorithm>
#include <cmath>

namespace carom::motion {

namespace {

/// Entries of unit vectors below this are rounding.
constexpr double no_part = 1e-12;

}  // namespace

bool ForceDistribution::solve(ContactSystem& system, Mechanics& mechanics,
                              const std::vector<double>& given) {
  inner_.resize(system.unknowns().size());
  is_shared_ = false;
  decides_ = false;
  for (const ContactSystem::Island& island : system.islands()) {
    if (!solve_island(island, system, mechanics, given)) return false;
  }
  if (shows_forces || asks_whether_decides)
    return true;  // what is reported does not change how the run goes on
  if (glances && !last_.empty()) return true;
  if (is_shared_) keep_last(system);
  return true;
}

std::size_t ForceDistribution::place_of(const ContactSystem::Unknown& u) const {
  const std::size_t row = u.row < first_spin ? u.row : setting_.components + u.row - first_spin;
  return u.contact * (setting_.components + (setting_.any_couples ? 3 : 0)) + row;
}

void ForceDistribution::keep_last(const ContactSystem& system) {
  last_.clear();
  for (std::size_t a = 0; a < inner_.size(); ++a) {
    const std::size_t place = place_of(system.unknowns()[a]);
    if (place >= last_.size()) last_.resize(place + 1, 0.);
    last_[place] = inner_[a];
  }
}

// What had no force before begins with none.
void ForceDistribution::find_near(const ContactSystem::Island& island,
                                  const ContactSystem& system) {
  near_.clear();
  if (shows_forces || last_.empty()) return;
  for (std::size_t a = island.begin; a < island.end; ++a) {
    const std::size_t place = place_of(system.unknowns()[a]);
    near_.push_back(place < last_.size() ? last_[place] : 0.);
  }
}

bool ForceDistribution::solve_island(const ContactSystem::Island& island, ContactSystem& system,
                                     Mechanics& mechanics, const std::vector<double>& given) {
  const std::size_t r = island.size();
  const std::vector<double>& K = system.matrix(island, mechanics);
  double* const f = system.x.data() + island.begin;
  const Solved solved = eliminate_small(K.data(), f, r);
  if (solved != Solved::shared) {
    std::copy(f, f + r, inner_.begin() + ix(island.begin));
    return solved == Solved::uniquely;
  }
  find_cones(island, system, given);
  if (!sharing_.read({K.data(), r * r}, {f, r}, singular_pivot)) return false;
  find_near(island, system);
  const bool decides = matters(island, system, mechanics);
  decides_ = decides_ || decides;
  if (asks_whether_decides) return true;
  sharing_.share(cones_, near_, decides || !glances || near_.empty());
  std::copy(sharing_.inner().begin(), sharing_.inner().end(), inner_.begin() + ix(island.begin));
  is_shared_ = true;
  if (shows_forces || decides) sharing_.find_least(cones_);
  std::copy(sharing_.least().begin(), sharing_.least().end(), f);
  return true;
}

// The cones of the contacts of an island.
void ForceDistribution::find_cones(const ContactSystem::Island& island, const ContactSystem& system,
                                   const std::vector<double>& given) {
  cones_.clear();
  for (std::size_t a = island.begin; a < island.end; ++a) {
    const std::size_t i = system.unknowns()[a].contact;
    const std::size_t component = system.unknowns()[a].row;
    if (a == island.begin || system.unknowns()[a - 1].contact != i) {
      cones_.push_back(
          {.given = given[i * setting_.components], .mu = contacts_.surface(i).static_friction});
    }
    if (component >= first_spin) {
      // A further cone over the same normal force.
      const Spins::Rows rolling = spins_.rows_of(Turning::rolling);
      const bool rolls = component >= rolling.first && component < rolling.first + rolling.size;
      const Turning turning = rolls ? Turning::rolling : Turning::drilling;
      if (component != spins_.rows_of(turning).first) continue;
      const complementarity::SharingContact own = cones_.back();
      cones_.push_back({.normal = own.normal,
                        .given = own.given,
                        .tangential = a - island.begin,
                        .components = spins_.rows_of(turning).size,
                        .mu = spins_.bound_of(i, turning)});
      continue;
    }
    complementarity::SharingContact& s = cones_.back();
    if (component == 0) s.normal = a - island.begin;
    if (component == 1) s.tangential = a - island.begin;
    if (component > 0) s.components = component;
  }
}

// Whether the motion depends on how hyperstatic forces are distributed: some distribution of zero
// total changes accelerations. Accelerations of contacts, all in m/s^2.
bool ForceDistribution::matters(const ContactSystem::Island& island, const ContactSystem& system,
                                Mechanics& mechanics) {
  const auto& kernel = sharing_.kernel();
  // z.K z = |M^-1/2 W z|^2 where all forces of z push along their own equations, as those of
  // contacts that stick: then none of them moves anything.
  bool symmetric = true;
  for (std::size_t a = island.begin; a < island.end && symmetric; ++a) {
    const ContactSystem::Unknown& u = system.unknowns()[a];
    const bool own = u.row != 0 || (u.c[1] == 0. && u.c[2] == 0. && !u.turns());
    symmetric = own || !(kernel.row(ix(a - island.begin)).lpNorm<Eigen::Infinity>() > no_part);
  }
  if (symmetric) return false;
  double moved = 0.;
  double most = 0.;
  for (std::size_t a = island.begin; a < island.end; ++a) {
    const ContactSystem::Unknown& u = system.unknowns()[a];
    const auto row = ix(u.row < first_spin ? u.row : u.row - first_spin);
    most = std::max(most, u.row < first_spin ? mechanics.coupling(u.contact, u.contact)(row, row)
                                             : mechanics.spin_coupling(u.contact, true, u.contact,
                                                                       true)(row, row));
  }
  for (Eigen::Index k = 0; k < kernel.cols(); ++k) {
    change_.setZero(ix(setting_.velocities));
    for (std::size_t a = island.begin; a < island.end; ++a) {
      system.push(mechanics, system.unknowns()[a], kernel(ix(a - island.begin), k), change_);
    }
    for (std::size_t a = island.begin; a < island.end; ++a) {
      const std::size_t i = system.unknowns()[a].contact;
      if (a > island.begin && system.unknowns()[a - 1].contact == i) continue;
      for (std::size_t j = 0; j < setting_.components; ++j) {
        moved = std::max(moved, std::abs(mechanics.along(i, j, change_)));
      }
      for (std::size_t j = 0; j < mechanics.spins && contacts_.has_couples(i); ++j) {
        moved = std::max(moved, std::abs(mechanics.along(i, first_spin + j, change_)));
      }
    }
  }
  return moved > indifferent * most;
}

}  // namespace carom::motion
