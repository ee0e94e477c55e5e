// SPDX-License-Identifier: Apache-2.0
#include "acceleration_search.hpp"

#include <algorithm>
#include <cmath>

#include <carom/complementarity/friction/cone.hpp>
#include <carom/motion/mechanics.hpp>

namespace carom::motion {

namespace {

constexpr std::size_t most_enumerated = 5;

/// Opens contacts with a tensile force and closes contacts that would penetrate, one by one, the
/// worst first. `released` are the zero-slip contacts that slip, with their directions.
class Normals {
 public:
  Normals(const AccelerationProblem& p, std::vector<ContactStatus> closed)
      : p_(p), closed_(std::move(closed)), open_(p.contacts.size(), false) {
    for (std::size_t i = 0; i < open_.size(); ++i) open_[i] = p.contacts[i].starts_open;
  }

  [[nodiscard]] std::vector<ContactStatus>& closed() { return closed_; }

  bool solve(AccelerationAnswer& a) {
    const std::size_t most = 4 * open_.size() + 4;
    for (std::size_t round = 0; round < most; ++round) {
      if (!attempt(a)) return false;
      std::size_t worst = open_.size();
      double size = 0.;
      for (std::size_t i = 0; i < open_.size(); ++i) {
        if (p_.contacts[i].normal) continue;
        const auto n = ix(i * p_.components);
        const double wrong = open_[i] ? -a.acceleration(n) / acceleration_slack(p_)
                                      : -a.force(n) / force_slack(p_, i);
        if (wrong > 1. && wrong > size) {
          size = wrong;
          worst = i;
        }
      }
      if (worst == open_.size()) return true;
      open_[worst] = !open_[worst];
    }
    return subsets(a);
  }

 private:
  bool attempt(AccelerationAnswer& a) {
    a.status = closed_;
    for (std::size_t i = 0; i < open_.size(); ++i) {
      if (open_[i]) a.status[i] = {};
    }
    return solve_in_modes(p_, a.status, a.force, a.acceleration);
  }
  /// Tries every set of open contacts, if the one-by-one search does not terminate.
  bool subsets(AccelerationAnswer& a) {
    const std::size_t k = open_.size();
    if (k > 12) return false;
    for (std::size_t mask = 0; mask < (std::size_t{1} << k); ++mask) {
      bool possible = true;
      for (std::size_t i = 0; i < k; ++i) {
        open_[i] = ((mask >> i) & 1U) != 0;
        possible = possible && !(open_[i] && p_.contacts[i].normal);
      }
      if (!possible || !attempt(a)) continue;
      bool holds = true;
      for (std::size_t i = 0; i < k && holds; ++i) {
        if (p_.contacts[i].normal) continue;
        const auto n = ix(i * p_.components);
        holds = open_[i] ? a.acceleration(n) >= -acceleration_slack(p_)
                         : a.force(n) >= -force_slack(p_, i);
      }
      if (holds) return true;
    }
    return false;
  }

  const AccelerationProblem& p_;
  std::vector<ContactStatus> closed_;
  std::vector<bool> open_;
};

/// The direction in which a contact released from stick slips. In the plane it opposes the friction
/// that held it. In space it is the d with a_T = s d under F_T = -mu F_n d.
std::array<double, 2> release_direction(const AccelerationProblem& p, std::size_t contact,
                                        const Vector& force, const Vector& acceleration) {
  const auto n = ix(contact * p.components);
  if (p.components == 2) return {force(n + 1) > 0. ? -1. : 1., 0.};
  const double size = std::hypot(force(n + 1), force(n + 2));
  std::array<double, 2> d{-force(n + 1) / size, -force(n + 2) / size};
  const auto block = [&](Eigen::Index i, Eigen::Index j) { return p.G(n + i, n + j); };
  const Sym3 G{.nn = block(0, 0),
               .n1 = block(0, 1),
               .n2 = block(0, 2),
               .t11 = block(1, 1),
               .t12 = block(1, 2),
               .t22 = block(2, 2)};
  const Vec3 F{.n = force(n), .t1 = force(n + 1), .t2 = force(n + 2)};
  const Vec3 own = G * F;
  const Vec3 b{.n = acceleration(n) - own.n,
               .t1 = acceleration(n + 1) - own.t1,
               .t2 = acceleration(n + 2) - own.t2};
  for (const auto& s : complementarity::solve_cone_friction(G, b, p.contacts[contact].mu)) {
    if (s.branch != complementarity::ConeCase::slip) continue;
    const double speed = carom::tangential_size(s.xi);
    if (speed > 0.) d = {s.xi.t1 / speed, s.xi.t2 / speed};
    break;
  }
  return d;
}

}  // namespace

bool release_search(const AccelerationProblem& p, AccelerationAnswer& answer, bool go_on) {
  const std::size_t k = p.contacts.size();
  std::vector<ContactStatus> closed(k);
  for (std::size_t i = 0; i < k; ++i) {
    const AccelerationContact& c = p.contacts[i];
    const bool slips = c.slips || (go_on && c.starts_slipping);
    closed[i] = slips ? ContactStatus{Touch::slip, c.direction} : ContactStatus{Touch::stick, {}};
  }
  std::vector<bool> leaves(k);
  for (std::size_t i = 0; i < k; ++i) leaves[i] = p.contacts[i].leaves_stick;
  Normals normals(p, std::move(closed));
  std::vector<bool> released(k, false);
  for (std::size_t i = 0; i < k; ++i) {
    released[i] = go_on && p.contacts[i].starts_slipping && !p.contacts[i].slips;
  }
  for (std::size_t round = 0; round <= 2 * k; ++round) {
    if (!normals.solve(answer)) return false;
    std::size_t worst = k;
    double excess = 0.;
    for (std::size_t i = 0; i < k; ++i) {
      if (answer.status[i].touch != Touch::stick) continue;
      const double normal = answer.force(ix(i * p.components));
      const double tangential = tangential_size(p, answer.force, i);
      const double most = p.contacts[i].mu_s * normal;
      const double over =
          leaves[i] && tangential > 0. ? std::max(2., tangential / std::max(most, 1e-300))
          : tangential > most + force_slack(p, i) ? tangential / std::max(most, 1e-300)
                                                  : 0.;
      if (over > excess) {
        excess = over;
        worst = i;
      }
    }
    if (worst == k) break;
    leaves[worst] = false;
    released[worst] = true;
    normals.closed()[worst] = {Touch::slip,
                               release_direction(p, worst, answer.force, answer.acceleration)};
  }
  // In space the directions of several released contacts depend on each other.
  if (p.components == 3) {
    for (int round = 0; round < 200; ++round) {
      double turn = 0.;
      for (std::size_t i = 0; i < k; ++i) {
        if (!released[i] || answer.status[i].touch != Touch::slip) continue;
        const auto d = release_direction(p, i, answer.force, answer.acceleration);
        auto& old = normals.closed()[i].direction;
        turn = std::max(turn, std::hypot(d[0] - old[0], d[1] - old[1]));
        old = d;
      }
      if (turn <= 1e-14) break;
      if (!normals.solve(answer)) return false;
    }
  }
  return is_solution(p, answer.status, answer.force, answer.acceleration, true);
}

namespace {

/// Calls `visit` with every combination of modes in the plane until it returns true.
template <class Visit>
bool every_mode(const AccelerationProblem& p, const Visit& visit) {
  const std::size_t k = p.contacts.size();
  if (p.components != 2 || k > most_enumerated) return false;
  const ContactStatus open{};
  const ContactStatus stick{Touch::stick, {}};
  const ContactStatus forward{Touch::slip, {1., 0.}};
  const ContactStatus backward{Touch::slip, {-1., 0.}};
  std::vector<ContactStatus> status(k);
  std::size_t count = 1;
  for (std::size_t i = 0; i < k; ++i) count *= 4;
  for (std::size_t code = 0; code < count; ++code) {
    std::size_t rest = code;
    bool possible = true;
    for (std::size_t i = 0; i < k; ++i, rest /= 4) {
      const AccelerationContact& c = p.contacts[i];
      const std::size_t which = rest % 4;
      if (c.slips) {
        status[i] = which == 0 ? ContactStatus{Touch::slip, c.direction} : open;
        possible = possible && which < 2;
      } else {
        status[i] = which == 0 ? stick : which == 1 ? forward : which == 2 ? backward : open;
      }
      if (c.normal && status[i].touch == Touch::open) possible = false;
    }
    if (possible && visit(status)) return true;
  }
  return false;
}

}  // namespace

bool enumerate(const AccelerationProblem& p, AccelerationAnswer& answer) {
  return every_mode(p, [&](const std::vector<ContactStatus>& status) {
    answer.status = status;
    return solve_in_modes(p, status, answer.force, answer.acceleration) &&
           is_solution(p, status, answer.force, answer.acceleration, true);
  });
}

bool has_another(const AccelerationProblem& p, const AccelerationAnswer& answer) {
  if (p.contacts.size() > 2) return false;
  const double apart = 1e3 * acceleration_slack(p);
  Vector force;
  Vector acceleration;
  return every_mode(p, [&](const std::vector<ContactStatus>& status) {
    return solve_in_modes(p, status, force, acceleration) &&
           is_solution(p, status, force, acceleration, false) &&
           (acceleration - answer.acceleration).cwiseAbs().maxCoeff() > apart &&
           is_solution(p, answer.status, answer.force, answer.acceleration, false);
  });
}

bool sweep(const AccelerationProblem& p, AccelerationAnswer& answer) {
  if (p.components != 3) return false;
  const std::size_t k = p.contacts.size();
  answer.status.assign(k, {});
  answer.force.setZero(ix(3 * k));
  const double stop = 1e-13 * acceleration_slack(p) / 1e-10;
  for (int round = 0; round < 5000; ++round) {
    double change = 0.;
    for (std::size_t i = 0; i < k; ++i) {
      const AccelerationContact& c = p.contacts[i];
      const auto n = ix(3 * i);
      const Sym3 G{.nn = p.G(n, n),
                   .n1 = p.G(n, n + 1),
                   .n2 = p.G(n, n + 2),
                   .t11 = p.G(n + 1, n + 1),
                   .t12 = p.G(n + 1, n + 2),
                   .t22 = p.G(n + 2, n + 2)};
      const Eigen::Vector3d a = p.b.segment<3>(n) + p.G.middleRows<3>(n) * answer.force;
      const Eigen::Vector3d old = answer.force.segment<3>(n);
      const Vec3 own = G * Vec3{.n = old(0), .t1 = old(1), .t2 = old(2)};
      const Vec3 b{.n = a(0) - own.n, .t1 = a(1) - own.t1, .t2 = a(2) - own.t2};
      Eigen::Vector3d F = Eigen::Vector3d::Zero();
      answer.status[i] = {};
      if (c.slips) {
        const double A = G.nn - c.mu * (G.n1 * c.direction[0] + G.n2 * c.direction[1]);
        const double normal = c.normal ? *c.normal : A > 0. ? std::max(0., -b.n / A) : 0.;
        F = normal * Eigen::Vector3d(1., -c.mu * c.direction[0], -c.mu * c.direction[1]);
        if (normal > 0.) answer.status[i] = {Touch::slip, c.direction};
      } else if (c.normal) {
        const auto s = complementarity::solve_disc_friction(G, b, c.mu, *c.normal);
        F = {s.P.n, s.P.t1, s.P.t2};
        const double speed = carom::tangential_size(s.xi);
        answer.status[i] = s.sticks || speed == 0.
                               ? ContactStatus{Touch::stick, {}}
                               : ContactStatus{Touch::slip, {s.xi.t1 / speed, s.xi.t2 / speed}};
      } else {
        const auto solutions = complementarity::solve_cone_friction(G, b, c.mu);
        if (solutions.empty()) return false;
        const auto& s = solutions[0];
        F = {s.P.n, s.P.t1, s.P.t2};
        const double speed = carom::tangential_size(s.xi);
        if (s.branch == complementarity::ConeCase::stick) answer.status[i] = {Touch::stick, {}};
        if (s.branch == complementarity::ConeCase::slip && speed > 0.) {
          answer.status[i] = {Touch::slip, {s.xi.t1 / speed, s.xi.t2 / speed}};
        }
      }
      change = std::max(change, (F - old).cwiseAbs().maxCoeff() * G.nn);
      answer.force.segment<3>(n) = F;
    }
    if (change <= stop) break;
  }
  answer.acceleration = p.b + p.G * answer.force;
  return is_solution(p, answer.status, answer.force, answer.acceleration, true);
}

}  // namespace carom::motion
