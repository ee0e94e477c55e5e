// SPDX-License-Identifier: Apache-2.0
#include <carom/motion/acceleration.hpp>

#include <algorithm>
#include <cmath>

#include <carom/motion/mechanics.hpp>

#include "acceleration_search.hpp"

namespace carom::motion {

namespace {

/// Tolerance of inequalities, relative to the accelerations of the problem.
constexpr double slack = 1e-10;

}  // namespace

double acceleration_slack(const AccelerationProblem& p) {
  return slack * std::max(p.scale, p.b.size() > 0 ? p.b.cwiseAbs().maxCoeff() : 0.);
}

double force_slack(const AccelerationProblem& p, std::size_t contact) {
  const auto n = ix(contact * p.components);
  return p.G(n, n) > 0. ? acceleration_slack(p) / p.G(n, n) : 0.;
}

double tangential_size(const AccelerationProblem& p, const Vector& x, std::size_t contact) {
  const auto n = ix(contact * p.components);
  return p.components == 3 ? std::hypot(x(n + 1), x(n + 2)) : std::abs(x(n + 1));
}

double along(const AccelerationProblem& p, const Vector& x, std::size_t contact,
             const std::array<double, 2>& d) {
  const auto n = ix(contact * p.components);
  return x(n + 1) * d[0] + (p.components == 3 ? x(n + 2) * d[1] : 0.);
}

bool solve_in_modes(const AccelerationProblem& p, const std::vector<ContactStatus>& status,
                    Vector& force, Vector& acceleration) {
  const std::size_t c = p.components;
  const std::size_t size = p.contacts.size() * c;
  // The force is S f + given. S has a column for each unknown, with at most c entries.
  struct Unknown {
    std::size_t row;                  ///< of the constraint
    std::array<double, 3> direction;  ///< of the force
    std::size_t contact;
  };
  std::vector<Unknown> unknowns;
  force.setZero(ix(size));
  for (std::size_t i = 0; i < p.contacts.size(); ++i) {
    const AccelerationContact& k = p.contacts[i];
    const ContactStatus& s = status[i];
    if (s.touch == Touch::open) continue;
    std::array<double, 3> direction{1., 0., 0.};
    if (s.touch == Touch::slip) {
      direction[1] = -k.mu * s.direction[0];
      direction[2] = -k.mu * s.direction[1];
    }
    if (k.normal) {
      for (std::size_t j = 0; j < c; ++j) force(ix(i * c + j)) = *k.normal * direction[j];
    } else {
      unknowns.push_back({i * c, direction, i});
    }
    if (s.touch == Touch::stick) {
      for (std::size_t j = 1; j < c; ++j) {
        std::array<double, 3> unit{};
        unit[j] = 1.;
        unknowns.push_back({i * c + j, unit, i});
      }
    }
  }
  const Vector given = p.b + p.G * force;
  const std::size_t r = unknowns.size();
  std::vector<double> K(r * r);
  std::vector<double> f(r);
  for (std::size_t a = 0; a < r; ++a) {
    f[a] = -given(ix(unknowns[a].row));
    for (std::size_t b = 0; b < r; ++b) {
      double v = 0.;
      for (std::size_t j = 0; j < c; ++j) {
        v += p.G(ix(unknowns[a].row), ix(unknowns[b].contact * c + j)) * unknowns[b].direction[j];
      }
      K[a * r + b] = v;
    }
  }
  const std::vector<double> right = f;
  const Solved solved = solve_small(K, f, r);
  if (solved == Solved::not_at_all) return false;
  if (solved == Solved::shared) {
    // Sticking contacts share friction in proportion to their static limits.
    std::vector<double> normal(p.contacts.size(), 0.);
    for (std::size_t i = 0; i < normal.size(); ++i) normal[i] = p.contacts[i].normal.value_or(0.);
    for (std::size_t a = 0; a < r; ++a) {
      if (unknowns[a].row % c == 0) normal[unknowns[a].contact] = f[a];
    }
    const double most = *std::max_element(normal.begin(), normal.end());
    std::vector<double> weight(r, 1.);
    for (std::size_t a = 0; a < r && most > 0.; ++a) {
      if (unknowns[a].row % c == 0) continue;
      weight[a] = std::sqrt(std::max(1e-6, normal[unknowns[a].contact] / most));
    }
    f = right;
    if (!solve_shared(K, f, weight, r)) return false;
  }
  for (std::size_t a = 0; a < r; ++a) {
    for (std::size_t j = 0; j < c; ++j) {
      force(ix(unknowns[a].contact * c + j)) += unknowns[a].direction[j] * f[a];
    }
  }
  acceleration = p.b + p.G * force;
  return acceleration.allFinite();
}

bool is_solution(const AccelerationProblem& p, const std::vector<ContactStatus>& status,
                 const Vector& force, const Vector& acceleration, bool static_limit) {
  const double a_slack = acceleration_slack(p);
  for (std::size_t i = 0; i < p.contacts.size(); ++i) {
    const AccelerationContact& k = p.contacts[i];
    const auto n = ix(i * p.components);
    const double f_slack = force_slack(p, i);
    if (status[i].touch == Touch::open) {
      if (!k.normal && acceleration(n) < -a_slack) return false;
      continue;
    }
    if (!k.normal && (force(n) < -f_slack || std::abs(acceleration(n)) > a_slack)) return false;
    if (k.slips) continue;
    if (status[i].touch == Touch::stick) {
      const double most = (static_limit ? k.mu_s : k.mu) * force(n);
      if (tangential_size(p, force, i) > most + f_slack) return false;
      for (std::size_t j = 1; j < p.components; ++j) {
        if (std::abs(acceleration(n + ix(j))) > a_slack) return false;
      }
    } else if (along(p, acceleration, i, status[i].direction) < -a_slack) {
      return false;
    }
  }
  return true;
}

SlipCoefficients slip_coefficients(const AccelerationProblem& p, std::size_t contact,
                                   const Vector& force) {
  const auto n = ix(contact * p.components);
  const AccelerationContact& k = p.contacts[contact];
  SlipCoefficients s;
  s.A = p.G(n, n) - k.mu * k.direction[0] * p.G(n, n + 1) -
        (p.components == 3 ? k.mu * k.direction[1] * p.G(n, n + 2) : 0.);
  s.B = p.b(n);
  for (Eigen::Index j = 0; j < p.b.size(); ++j) {
    if (j < n || j >= n + ix(p.components)) s.B += p.G(n, j) * force(j);
  }
  return s;
}

namespace {

/// F_T/F_n that a contact of zero slip needs to stick, with the forces of the others fixed.
double stick_ratio(const AccelerationProblem& p, const AccelerationAnswer& answer, std::size_t i) {
  Vector force = answer.force;
  if (answer.status[i].touch != Touch::stick) {
    std::vector<ContactStatus> status = answer.status;
    status[i] = {Touch::stick, {}};
    Vector acceleration;
    if (!solve_in_modes(p, status, force, acceleration)) return beyond_all_friction;
  }
  const double normal = force(ix(i * p.components));
  if (normal == 0.) return beyond_all_friction;
  return (p.components == 2 ? force(ix(i * 2 + 1)) : tangential_size(p, force, i)) / normal;
}

}  // namespace

AccelerationAnswer solve(const AccelerationProblem& p) {
  AccelerationAnswer answer;
  answer.ratio.assign(p.contacts.size(), 0.);
  const bool any = std::any_of(p.contacts.begin(), p.contacts.end(),
                               [](const AccelerationContact& c) { return c.starts_slipping; });
  if (!(any && release_search(p, answer, true)) && !release_search(p, answer, false) &&
      !enumerate(p, answer) && !sweep(p, answer)) {
    return answer;
  }
  answer.found = true;
  for (std::size_t i = 0; i < p.contacts.size(); ++i) {
    const bool still = !p.contacts[i].slips && answer.status[i].touch != Touch::open;
    if (still) answer.ratio[i] = stick_ratio(p, answer, i);
  }
  answer.several = has_another(p, answer);
  return answer;
}

}  // namespace carom::motion
