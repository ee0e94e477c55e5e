// SPDX-License-Identifier: Apache-2.0
// All solutions of up to eight planar contacts: the tree of modes against all modes tried one by
// one, the test of uniqueness, the rule by which one is chosen, and how impulses are shared.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <Eigen/Dense>

#include <carom/complementarity/friction/multi.hpp>
#include <carom/complementarity/friction/uniqueness.hpp>
#include <carom/laws/moreau/several.hpp>
#include <support/many_contacts.hpp>

namespace carom::test {
namespace {

using complementarity::all_solutions;
using complementarity::FrictionProblem;
using complementarity::FrictionResult;
using complementarity::velocities_are_unique;

std::vector<double> frictions(const ContactProblem& p) {
  std::vector<double> mu;
  for (const Surface& s : p.surfaces) mu.push_back(s.friction);
  return mu;
}

/// Velocities of all solutions, every mode of every contact tried by itself and solved by least
/// squares: at the floor or free, times stick, slip forward, slip backward.
std::vector<Eigen::VectorXd> by_trying_all(const FrictionProblem& p) {
  const auto n = static_cast<Eigen::Index>(p.G.blocks());
  const Eigen::MatrixXd G = p.G.dense();
  const Eigen::Map<const Eigen::VectorXd> b(p.b.data(), 2 * n);
  std::vector<Eigen::VectorXd> found;
  std::size_t combinations = 1;
  for (Eigen::Index i = 0; i < n; ++i) combinations *= 6;
  for (std::size_t number = 0; number < combinations; ++number) {
    // Unknowns (P, xi), 2n each: xi - G P = b and two equations a contact.
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(4 * n, 4 * n);
    Eigen::VectorXd right = Eigen::VectorXd::Zero(4 * n);
    A.topLeftCorner(2 * n, 2 * n) = -G;
    A.topRightCorner(2 * n, 2 * n).setIdentity();
    right.head(2 * n) = b;
    std::size_t rest = number;
    std::vector<int> mode;
    for (Eigen::Index i = 0; i < n; ++i, rest /= 6) {
      const auto k = static_cast<std::size_t>(i);
      const int m = static_cast<int>(rest % 6);
      mode.push_back(m);
      const Eigen::Index row = 2 * n + 2 * i;
      if (m < 3) {
        A(row, 2 * i) = 1.;  // at the floor
        right(row) = p.floor.empty() ? 0. : p.floor[k];
      } else {
        A(row, 2 * n + 2 * i) = 1.;
      }
      if (m % 3 == 0) {
        A(row + 1, 2 * n + 2 * i + 1) = 1.;
      } else {
        A(row + 1, 2 * i + 1) = 1.;
        A(row + 1, 2 * i) = m % 3 == 1 ? p.mu[k] : -p.mu[k];
      }
    }
    const Eigen::FullPivLU<Eigen::MatrixXd> lu(A);
    if (!(lu.rcond() > 1e-13)) continue;
    const Eigen::VectorXd x = lu.solve(right);
    const double slack = 1e-10 * std::max(1., x.cwiseAbs().maxCoeff());
    bool holds = true;
    for (Eigen::Index i = 0; i < n; ++i) {
      const auto k = static_cast<std::size_t>(i);
      const double f = p.floor.empty() ? 0. : p.floor[k];
      const double P_n = x(2 * i);
      const double P_t = x(2 * i + 1);
      const double xi_t = x(2 * n + 2 * i + 1);
      const int m = mode[k];
      holds = holds && P_n >= f - slack && x(2 * n + 2 * i) >= -slack;
      holds = holds && std::abs(P_t) <= p.mu[k] * P_n + slack;
      if (m % 3 == 1) holds = holds && xi_t >= -slack;
      if (m % 3 == 2) holds = holds && xi_t <= slack;
    }
    if (!holds) continue;
    const Eigen::VectorXd xi = x.tail(2 * n);
    const auto near = [&](const Eigen::VectorXd& y) {
      return (y - xi).cwiseAbs().maxCoeff() <= 1e-7 * std::max(1., x.cwiseAbs().maxCoeff());
    };
    if (std::none_of(found.begin(), found.end(), near)) found.push_back(xi);
  }
  return found;
}

bool contains(const std::vector<FrictionResult>& all, const Eigen::VectorXd& xi) {
  return std::any_of(all.begin(), all.end(), [&](const FrictionResult& r) {
    const Eigen::Map<const Eigen::VectorXd> x(r.xi.data(), xi.size());
    return (x - xi).cwiseAbs().maxCoeff() <= 1e-6 * std::max(1., xi.cwiseAbs().maxCoeff());
  });
}

// Regular and singular G, with floors, and velocities that are zero at some contacts.
TEST(SeveralSolutions, AreThoseFoundByTryingAllModes) {
  std::size_t several = 0;
  for (std::uint32_t seed = 0; seed < 600; ++seed) {
    const std::size_t contacts = 2 + seed % 2;
    Contacts what{.contacts = contacts, .components = 2, .most_friction = 4.};
    if (seed % 3 == 1) what.freedoms = 3;
    const ContactProblem p = random_contacts(seed, what);
    const std::vector<double> mu = frictions(p);
    std::vector<double> b = p.approach;
    std::vector<double> floor;
    if (seed % 5 == 1) b[0] = 0.;
    if (seed % 5 == 2) b[2] = b[3] = 0.;
    if (seed % 3 == 2) floor = {0.3, 0.};
    if (seed % 3 == 2 && contacts == 3) floor.push_back(0.7);
    // Singular G and rows of b set to zero: perhaps outside its range, and nothing to compare.
    if (what.freedoms == 3 && seed % 5 != 0) continue;
    const FrictionProblem problem{.G = p.G, .b = b, .mu = mu, .floor = floor};
    const auto all = all_solutions(problem);
    const auto expected = by_trying_all(problem);
    EXPECT_EQ(all.size(), expected.size()) << seed;
    for (const auto& xi : expected) EXPECT_TRUE(contains(all, xi)) << seed;
    for (const auto& r : all) EXPECT_LE(r.residual, 1e-10) << seed;
    several += all.size() > 1 ? 1U : 0U;
  }
  EXPECT_GT(several, 15U);
}

// For one contact the bound is mu^2 < 4 det G/G_tt^2.
TEST(Uniqueness, OfOneContactIsShownUpToItsBound) {
  Eigen::MatrixXd G(2, 2);
  G << 2., .5, .5, 1.5;
  const BlockMatrix blocks = BlockMatrix::from_dense(G, 2);
  const double bound = 2. * std::sqrt(G.determinant()) / G(1, 1);
  EXPECT_TRUE(velocities_are_unique(blocks, std::vector{.9999 * bound}));
  EXPECT_FALSE(velocities_are_unique(blocks, std::vector{1.0001 * bound}));
}

// Two corners of a block push along one line: friction is not determined, but velocities are.
TEST(Uniqueness, IsShownWhereOnlyFrictionIsShared) {
  Eigen::MatrixXd W(3, 4);
  W << 0., 1., 0., 1., 1., 0., 1., 0., -1., .5, 1., .5;
  const Eigen::MatrixXd G = W.transpose() * W;
  const BlockMatrix blocks = BlockMatrix::from_dense(G, 2);
  EXPECT_TRUE(velocities_are_unique(blocks, std::vector{.3, .3}));
  EXPECT_FALSE(velocities_are_unique(blocks, std::vector{5., 5.}));
}

TEST(Uniqueness, IsNeverShownWhereThereAreSeveral) {
  std::size_t shown = 0;
  std::size_t several = 0;
  for (std::uint32_t seed = 0; seed < 4000; ++seed) {
    Contacts what{.contacts = 2 + seed % 3, .components = 2, .most_friction = 2.};
    if (seed % 4 == 3) what.freedoms = 2 * what.contacts - 1;
    const ContactProblem p = random_contacts(seed, what);
    const std::vector<double> mu = frictions(p);
    const bool unique = velocities_are_unique(p.G, mu);
    const std::size_t found = all_solutions({.G = p.G, .b = p.approach, .mu = mu}).size();
    if (unique) {
      EXPECT_EQ(found, 1U) << seed;
    }
    shown += unique ? 1U : 0U;
    several += found > 1 ? 1U : 0U;
  }
  EXPECT_GT(shown, 700U);
  EXPECT_GT(several, 20U);
}

/// Flags, modes and velocities of the same contacts in another order.
void expect_same(const ContactProblem& p, const std::vector<std::size_t>& order, bool two_stages) {
  const auto law = two_stages ? solve_multi_moreau_poisson : solve_multi_moreau;
  const Outcome a = law(p, {});
  const Outcome b = law(reordered(p, order), {});
  EXPECT_EQ(a.flags, b.flags);
  EXPECT_EQ(a.solutions.size(), b.solutions.size());
  const double speed = std::max(largest(p.approach), largest(a.velocity));
  const double push = largest(a.impulse);
  for (std::size_t i = 0; i < p.contacts(); ++i) {
    EXPECT_EQ(a.contacts[i].mode, b.contacts[order[i]].mode);
    for (std::size_t c = 0; c < 2; ++c) {
      EXPECT_NEAR(a.velocity[i * 2 + c], b.velocity[order[i] * 2 + c], 1e-8 * speed);
      EXPECT_NEAR(a.impulse[i * 2 + c], b.impulse[order[i] * 2 + c], 1e-7 * push);
    }
  }
}

std::vector<std::size_t> shuffled(std::size_t n, std::uint32_t seed) {
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = n; i-- > 1;) {
    seed = seed * 1664525U + 1013904223U;
    std::swap(order[i], order[(seed >> 8U) % (i + 1)]);
  }
  return order;
}

// Strong friction, five to eight contacts, G regular or not: the order does not matter, not even to
// the impulses of contacts in excess.
TEST(SeveralSolutions, TheOrderOfContactsDoesNotMatter) {
  std::size_t several = 0;
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    Contacts what{.contacts = 5 + seed % 4, .components = 2, .most_friction = 3.};
    what.two_stages = seed % 5 == 0;
    what.equal = seed % 2 == 1;
    if (seed % 2 == 1) what.freedoms = what.contacts + 2;
    ContactProblem p = random_contacts(seed, what);
    SCOPED_TRACE(seed);
    expect_same(p, shuffled(what.contacts, seed), what.two_stages);
    const bool has = solve_multi_moreau(p).flags.has(Verdict::several_solutions);
    several += has ? 1U : 0U;
  }
  EXPECT_GT(several, 10U);
}

// Three alike and apart, each with its two answers: 3^... all of them are reported, distinct by
// velocity.
TEST(SeveralSolutions, OfContactsApartMultiply) {
  // [Payr & Glocker 2005] at rest with mu = 5/3: no impulse, or stick.
  const std::size_t contacts = 8;
  Eigen::MatrixXd G = Eigen::MatrixXd::Zero(16, 16);
  ContactProblem p;
  for (Eigen::Index i = 0; i < 8; ++i) {
    G.block(2 * i, 2 * i, 2, 2) << 1.6, 1.2, 1.2, 3.4;
    p.approach.push_back(i < 5 ? 0. : -1.);
    p.approach.push_back(1. + .01 * static_cast<double>(i));
  }
  p.G = BlockMatrix::from_dense(G, 2);
  p.surfaces.assign(contacts, {.restitution = 0., .friction = 5. / 3., .static_friction = 5. / 3.});
  const Outcome o = solve_multi_moreau(p);
  EXPECT_EQ(o.verdict(), Verdict::several_solutions);
  EXPECT_EQ(o.solutions.size(), 32U);  // 2^5
  EXPECT_EQ(o.solutions.front().velocity, o.velocity);
  for (const ContactOutcome& c : o.contacts) EXPECT_EQ(c.mode, Mode::stick);
}

/// The level rod, mass 1, half length 1, thin, both ends striking.
ContactProblem level_rod(double e) {
  Eigen::MatrixXd W(3, 4);
  W << 0., 1., 0., 1., 1., 0., 1., 0., -1., 0., 1., 0.;
  const Eigen::Vector3d inverse_mass(1., 1., 3.);
  ContactProblem p;
  p.G = BlockMatrix::from_dense(W.transpose() * inverse_mass.asDiagonal() * W, 2);
  p.approach = {-1., 0., -1., 0.};
  p.surfaces.assign(2, {.restitution = e, .friction = .3, .static_friction = .3});
  return p;
}

// Falling straight down nothing slips, and no friction is the least, in either stage.
TEST(SharedImpulses, OfALevelRodHaveNoFriction) {
  for (const auto law : {solve_multi_moreau, solve_multi_moreau_poisson}) {
    const Outcome o = law(level_rod(.5), {});
    EXPECT_EQ(o.verdict(), Verdict::ordinary);
    EXPECT_NEAR(o.impulse[0], .75, 1e-14);
    EXPECT_NEAR(o.impulse[2], .75, 1e-14);
    EXPECT_NEAR(o.impulse[1], 0., 1e-14);
    EXPECT_NEAR(o.impulse[3], 0., 1e-14);
    EXPECT_NEAR(o.velocity[0], .5, 1e-14);
  }
}

// Where the cone of one end cannot hold half of the friction, the other takes more: the least sum
// of squares within the cones.
TEST(SharedImpulses, StayWithinTheCones) {
  ContactProblem p = level_rod(0.);
  p.approach = {-1., .2, -1., .2};
  p.surfaces[0].friction = p.surfaces[0].static_friction = .1;
  p.surfaces[1].friction = p.surfaces[1].static_friction = 1.;
  const Outcome o = solve_multi_moreau(p);
  EXPECT_NEAR(o.impulse[0], .5, 1e-13);
  EXPECT_NEAR(o.impulse[2], .5, 1e-13);
  EXPECT_NEAR(o.impulse[1], -.05, 1e-13);  // mu P_n, not -0.1
  EXPECT_NEAR(o.impulse[3], -.15, 1e-13);
  EXPECT_EQ(o.contacts[0].mode, Mode::stick);
}

// No shift along what G does not see makes the impulses smaller and keeps signs and cones.
TEST(SharedImpulses, AreTheLeast) {
  std::size_t shifts = 0;
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    Contacts what{.contacts = 4, .components = 2, .most_friction = .8};
    what.freedoms = 3 + seed % 4;
    what.equal = true;
    const ContactProblem p = random_contacts(seed, what);
    const Outcome o = solve_multi_moreau(p);
    if (o.flags.has(Verdict::no_solution)) continue;
    const Eigen::Map<const Eigen::VectorXd> P(o.impulse.data(), 8);
    const Eigen::MatrixXd silent = Eigen::FullPivLU<Eigen::MatrixXd>(p.G.dense()).kernel();
    for (Eigen::Index k = 0; k < silent.cols(); ++k) {
      for (const double size : {-1e-4, 1e-4}) {
        const Eigen::VectorXd Q = P + size * P.norm() * silent.col(k).normalized();
        bool allowed = true;
        for (std::size_t i = 0; i < 4; ++i) {
          const auto at = static_cast<Eigen::Index>(2 * i);
          const double mu = p.surfaces[i].friction;
          allowed = allowed && Q(at) >= 0. && std::abs(Q(at + 1)) <= mu * Q(at);
          // Slip keeps its friction, an open contact its nothing.
          const double v_n =
              o.velocity[2 * i] + p.surfaces[i].restitution * std::min(0., p.approach[2 * i]);
          if (v_n > 1e-9) allowed = allowed && Q(at) == 0.;
          if (o.contacts[i].mode == Mode::slip) {
            allowed = allowed && std::abs(std::abs(Q(at + 1)) - mu * Q(at)) <= 1e-12 * Q.norm();
          }
        }
        if (allowed) {
          ++shifts;
          EXPECT_GE(Q.norm(), P.norm() * (1. - 1e-12)) << seed;
        }
      }
    }
  }
  EXPECT_GT(shifts, 100U);
}

}  // namespace
}  // namespace carom::test
