// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>
#include <Eigen/Dense>

#include <carom/complementarity/friction/factored.hpp>
#include <carom/complementarity/friction/multi.hpp>
#include <carom/complementarity/friction/uniqueness.hpp>

#include "support/multi_problems.hpp"

// Contacts whose G is known by its factors alone, against the same problem with G.
namespace carom::complementarity {
namespace {

using test::Dice;

/// Up to here velocities are taken to be unique where this cannot be shown, as in space.
constexpr double little_friction = 0.05;

/// Contacts of random bodies with each other and with the ground that can all be separated at once.
struct Contacts {
  Eigen::VectorXd u;  ///< without impulses
  Eigen::VectorXd inverse_mass;
  Eigen::MatrixXd W;      ///< of all velocities
  Eigen::MatrixXd S;      ///< of spins
  std::vector<double> c;  ///< xi - W^T u
  std::vector<double> mu;
  std::vector<FactoredFriction::Contact> contacts;

  [[nodiscard]] std::size_t size() const { return contacts.size(); }
};

Contacts random_contacts(std::uint64_t seed, std::size_t d, bool couples) {
  Dice dice(seed);
  const std::size_t dof = d == 2 ? 3 : 6;
  const std::size_t turns = d == 2 ? 1 : 3;
  const std::size_t bodies = 1 + dice.below(6);
  const std::size_t n = 1 + dice.below(12);
  const auto total = static_cast<Eigen::Index>(bodies * dof);
  Contacts k;
  k.u.resize(total);
  k.inverse_mass.resize(total);
  Eigen::VectorXd apart(total);
  for (std::size_t b = 0; b < bodies; ++b) {
    const double mass = std::pow(10., dice.uniform(-1., 1.));
    for (std::size_t j = 0; j < dof; ++j) {
      const auto at = static_cast<Eigen::Index>(b * dof + j);
      k.u(at) = dice.bell();
      apart(at) = dice.bell();
      k.inverse_mass(at) = j < d ? 1. / mass : 1. / (mass * dice.uniform(0.2, 0.6));
    }
  }
  k.W.setZero(total, static_cast<Eigen::Index>(n * d));
  k.S.setZero(total, static_cast<Eigen::Index>(n * turns));
  const double rough = dice.chance(0.3) ? little_friction : 1.;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t first = dice.below(bodies);
    std::size_t second = dice.below(bodies + 1);
    if (second == first) second = bodies;  // the ground
    FactoredFriction::Contact contact;
    contact.sides[0] = {.begin = first * dof, .size = dof};
    if (second < bodies) contact.sides[1] = {.begin = second * dof, .size = dof};
    contact.mu = dice.chance(0.15) ? 0. : dice.uniform(0., rough);
    if (couples) {
      contact.rolling = dice.chance(0.2) ? 0. : dice.uniform(0., 0.3);
      contact.drilling = d == 2 || dice.chance(0.2) ? 0. : dice.uniform(0., 0.3);
    }
    // A frame, and an arm of each side.
    Eigen::Matrix3d frame = Eigen::Matrix3d::Identity();
    if (d == 2) {
      const double angle = dice.uniform(0., 6.283);
      frame.topLeftCorner<2, 2>() << std::cos(angle), -std::sin(angle), std::sin(angle),
          std::cos(angle);
    } else {
      Eigen::Quaterniond q(dice.bell(), dice.bell(), dice.bell(), dice.bell());
      frame = q.normalized().toRotationMatrix();
    }
    for (std::size_t side = 0; side < 2; ++side) {
      if (contact.sides[side].size == 0) continue;
      const double sign = side == 0 ? 1. : -1.;
      Eigen::Vector3d arm(dice.uniform(-1., 1.), dice.uniform(-1., 1.), dice.uniform(-1., 1.));
      if (d == 2) arm.z() = 0.;
      const auto at = static_cast<Eigen::Index>(contact.sides[side].begin);
      for (std::size_t c = 0; c < d; ++c) {
        const Eigen::Vector3d axis = frame.col(static_cast<Eigen::Index>(c));
        auto column = k.W.col(static_cast<Eigen::Index>(i * d + c));
        const Eigen::Vector3d moment = arm.cross(axis);
        column.segment(at, static_cast<Eigen::Index>(d)) =
            sign * axis.head(static_cast<Eigen::Index>(d));
        if (d == 2) {
          column(at + 2) = sign * moment.z();
        } else {
          column.segment<3>(at + 3) = sign * moment;
        }
      }
      for (std::size_t c = 0; c < turns; ++c) {
        auto column = k.S.col(static_cast<Eigen::Index>(i * turns + c));
        if (d == 2) {
          column(at + 2) = sign;
        } else {
          column.segment<3>(at + 3) = sign * frame.col(static_cast<Eigen::Index>(c));
        }
      }
    }
    auto normal = k.W.col(static_cast<Eigen::Index>(i * d));
    if (normal.dot(apart) < 0.) normal *= -1.;
    for (std::size_t c = 0; c < d; ++c) k.c.push_back(dice.chance(0.5) ? 0. : 0.3 * dice.bell());
    k.mu.push_back(contact.mu);
    k.contacts.push_back(contact);
  }
  return k;
}

/// Rows of a column that a contact's sides have, one after the other.
std::vector<double> rows_of(const FactoredFriction::Contact& contact, const Eigen::MatrixXd& all,
                            std::size_t first, std::size_t count) {
  std::vector<double> rows;
  for (std::size_t c = first; c < first + count; ++c) {
    for (const FactoredFriction::Side& side : contact.sides) {
      for (std::size_t j = 0; j < side.size; ++j) {
        rows.push_back(
            all(static_cast<Eigen::Index>(side.begin + j), static_cast<Eigen::Index>(c)));
      }
    }
  }
  return rows;
}

void pose(const Contacts& k, std::size_t d, FactoredFriction& f) {
  const std::size_t turns = d == 2 ? 1 : 3;
  const Eigen::MatrixXd Y = k.inverse_mass.asDiagonal() * k.W;
  const Eigen::MatrixXd YS = k.inverse_mass.asDiagonal() * k.S;
  f.clear(d);
  for (std::size_t i = 0; i < k.size(); ++i) {
    FactoredFriction::Contact contact = k.contacts[i];
    for (std::size_t c = 0; c < d; ++c) contact.c[c] = k.c[i * d + c];
    f.add(contact, rows_of(contact, k.W, i * d, d).data(), rows_of(contact, Y, i * d, d).data());
    if (contact.rolling > 0. || contact.drilling > 0.) {
      f.add_spin(rows_of(contact, k.S, i * turns, turns).data(),
                 rows_of(contact, YS, i * turns, turns).data());
    }
  }
}

/// Of stepping. What rounding adds to u in thousands of sweeps is up to a tenth of it.
constexpr double tolerance = 1e-8;
constexpr double rounding = 0.1 * tolerance;

/// Solves a problem both ways. Velocities are compared where they are unique. Contacts of an island
/// need not be connected.
void expect_same(std::size_t d) {
  const Contacts k = random_contacts(*rc::gen::arbitrary<std::uint64_t>(), d, false);
  FactoredFriction f;
  pose(k, d, f);
  std::vector<std::size_t> island(k.size());
  std::iota(island.begin(), island.end(), std::size_t{0});
  Eigen::VectorXd u = k.u;
  const std::span<double> at{u.data(), static_cast<std::size_t>(u.size())};
  const auto result = f.solve(island, at, {.tolerance = tolerance, .acceptable = tolerance});

  const Eigen::MatrixXd dense = k.W.transpose() * k.inverse_mass.asDiagonal() * k.W;
  const BlockMatrix G = BlockMatrix::from_dense(0.5 * (dense + dense.transpose()), d);
  const Eigen::VectorXd b =
      k.W.transpose() * k.u +
      Eigen::Map<const Eigen::VectorXd>(k.c.data(), static_cast<Eigen::Index>(k.c.size()));
  const FrictionProblem problem{
      .G = G, .b = {b.data(), static_cast<std::size_t>(b.size())}, .mu = k.mu};
  const FrictionResult other = solve_friction(problem);
  RC_ASSERT(result.converged || other.status != FrictionStatus::solved);
  if (!result.converged) return;

  // Its own residual is that of the laws, and u is what the impulses make.
  std::vector<double> P(f.impulse(0), f.impulse(0) + k.size() * d);
  // Scales there are powers of two, within a factor two of those here.
  RC_ASSERT(residual(problem, P) <= 4. * tolerance + rounding);
  const Eigen::Map<const Eigen::VectorXd> impulses(P.data(), static_cast<Eigen::Index>(P.size()));
  const Eigen::VectorXd made = k.u + k.inverse_mass.asDiagonal() * (k.W * impulses);
  // Of each product, since large ones may cancel.
  const double size =
      (k.inverse_mass.asDiagonal() * (k.W.cwiseAbs() * impulses.cwiseAbs())).maxCoeff();
  RC_ASSERT((made - u).cwiseAbs().maxCoeff() <= rounding * (1. + size));
  const bool little = *std::max_element(k.mu.begin(), k.mu.end()) <= little_friction;
  if (other.status != FrictionStatus::solved || (!little && !velocities_are_unique(G, k.mu))) {
    RC_TAG("several");
    return;
  }
  RC_TAG("unique");
  // Closer, since a small residual may be a large error of velocities.
  u = k.u;
  if (!f.solve(island, at, {.tolerance = 0.01 * tolerance, .acceptable = 0.01 * tolerance})
           .converged)
    return;
  for (std::size_t i = 0; i < k.size(); ++i) {
    std::array<double, 3> xi{};
    f.velocity(i, at, xi.data());
    for (std::size_t c = 0; c < d; ++c) {
      RC_ASSERT(std::abs(xi[c] - other.xi[i * d + c]) <= 1e-6 * b.cwiseAbs().maxCoeff());
    }
  }
}

RC_GTEST_PROP(FactoredFriction, IsMultiFrictionInThePlane, ()) { expect_same(2); }
RC_GTEST_PROP(FactoredFriction, IsMultiFrictionInSpace, ()) { expect_same(3); }

/// |M| <= d P_n, and opposite to the spin where there is any.
void expect_couples(std::size_t d) {
  const std::size_t turns = d == 2 ? 1 : 3;
  const Contacts k = random_contacts(*rc::gen::arbitrary<std::uint64_t>(), d, true);
  FactoredFriction f;
  pose(k, d, f);
  std::vector<std::size_t> island(k.size());
  std::iota(island.begin(), island.end(), std::size_t{0});
  Eigen::VectorXd u = k.u;
  const std::span<double> at{u.data(), static_cast<std::size_t>(u.size())};
  const auto result = f.solve(island, at, {.tolerance = tolerance, .acceptable = tolerance});
  RC_TAG(result.converged ? "converged" : "not converged");
  if (!result.converged) return;
  double most = 1.;
  for (std::size_t i = 0; i < k.size(); ++i) most = std::max(most, f.impulse(i)[0]);
  for (std::size_t i = 0; i < k.size(); ++i) {
    const FactoredFriction::Contact& contact = k.contacts[i];
    if (!(contact.rolling > 0. || contact.drilling > 0.)) continue;
    std::array<double, 3> s{};
    f.spin(i, at, s.data());
    const double* M = f.couple(i);
    const auto obeys = [&](std::size_t first, std::size_t size, double bound) {
      Eigen::VectorXd couple(static_cast<Eigen::Index>(size));
      Eigen::VectorXd spin(static_cast<Eigen::Index>(size));
      for (std::size_t c = 0; c < size; ++c) {
        couple(static_cast<Eigen::Index>(c)) = M[first + c];
        spin(static_cast<Eigen::Index>(c)) = s[first + c];
      }
      const double radius = bound * f.impulse(i)[0];
      Eigen::VectorXd target = couple - spin;
      if (target.norm() > radius) target *= radius / target.norm();
      RC_ASSERT((couple - target).norm() <= 1e-6 * most);
    };
    if (turns == 1) {
      obeys(0, 1, contact.rolling);
    } else {
      obeys(0, 1, contact.drilling);
      obeys(1, 2, contact.rolling);
    }
  }
}

RC_GTEST_PROP(FactoredFriction, CouplesObeyTheirLawInThePlane, ()) { expect_couples(2); }
RC_GTEST_PROP(FactoredFriction, CouplesObeyTheirLawInSpace, ()) { expect_couples(3); }

}  // namespace
}  // namespace carom::complementarity
