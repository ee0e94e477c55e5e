// SPDX-License-Identifier: Apache-2.0
// `moreau` of several contacts on random problems, against the relations that define it and against
// itself by other solvers.
#include <support/generators.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <Eigen/Dense>

#include <carom/complementarity/friction/multi.hpp>
#include <carom/laws/moreau/moreau.hpp>
#include <carom/laws/moreau/several.hpp>
#include <carom/laws/moreau/spatial.hpp>
#include <support/many_contacts.hpp>

namespace carom::test {
namespace {

constexpr double residual_bar = 1e-10;
constexpr double equal = 1e-8;

rc::Gen<std::uint32_t> seeds() { return rc::gen::arbitrary<std::uint32_t>(); }

/// What is drawn for every property.
Contacts drawn_contacts(std::size_t most, double most_friction) {
  Contacts what;
  what.contacts = *rc::gen::inRange<std::size_t>(2, most + 1);
  what.components = *rc::gen::inRange<std::size_t>(1, 4);
  what.most_friction = most_friction;
  return what;
}

bool answered(const Outcome& o) {
  return !o.flags.has(Verdict::not_converged) && !o.flags.has(Verdict::no_solution);
}

double speed(const ContactProblem& p, const Outcome& o) {
  double mobility = 0.;
  for (std::size_t k = 0; k < p.G.size(); ++k) mobility = std::max(mobility, p.G(k, k));
  return std::max(largest(p.approach), mobility * largest(o.impulse));
}

// Every problem with a regular G has a solution in the plane; in space with moderate friction.
RC_GTEST_PROP(MultiMoreau, SolvesEveryProblemWithARegularG, ()) {
  const Contacts what = drawn_contacts(7, 1.);
  const ContactProblem p = random_contacts(*seeds(), what);
  const Outcome o = solve_multi_moreau(p);
  RC_ASSERT(answered(o));
  RC_ASSERT(o.residual <= residual_bar);
  RC_ASSERT(violations(p, o, residual_bar) == "");
}

RC_GTEST_PROP(MultiMoreau, SolvesStrongFriction, ()) {
  const Contacts what = drawn_contacts(6, 5.);
  const ContactProblem p = random_contacts(*seeds(), what);
  const Outcome o = solve_multi_moreau(p);
  RC_ASSERT(answered(o));
  RC_ASSERT(violations(p, o, residual_bar) == "");
}

// Hyperstatic: fewer freedoms than directions of contact. With one restitution for all, b is within
// the range of G.
RC_GTEST_PROP(MultiMoreau, SolvesWhereImpulsesAreNotDetermined, ()) {
  static std::size_t draws = 0;
  static std::size_t jams = 0;
  ++draws;
  Contacts what = drawn_contacts(6, 0.7);
  what.equal = true;
  // No fewer than a body has, or contacts jam for want of them.
  const std::size_t least = what.components == 1 ? 2 : 3 * (what.components - 1);
  what.contacts = std::max<std::size_t>(what.contacts, 3);
  what.freedoms = *rc::gen::inRange<std::size_t>(least, what.contacts * what.components);
  const ContactProblem p = random_contacts(*seeds(), what);
  const Outcome o = solve_multi_moreau(p);
  RC_PRE(!o.flags.has(Verdict::no_solution));
  if (o.flags.has(Verdict::not_converged)) {
    // In space contacts can jam without a proof that there is no solution: impulses grow without
    // bound.
    RC_ASSERT(what.components == 3U);
    RC_ASSERT(speed(p, o) > 20. * largest(p.approach));
    // About one in 150 draws; a solver that fails more often would hide behind them.
    RC_ASSERT(++jams <= 10 + draws / 50);
    RC_DISCARD();
  }
  RC_ASSERT(violations(p, o, residual_bar) == "");
}

RC_GTEST_PROP(MultiMoreau, TwoStagesHold, ()) {
  Contacts what = drawn_contacts(5, 1.);
  what.two_stages = true;
  const ContactProblem p = random_contacts(*seeds(), what);
  const Outcome o = solve_multi_moreau_poisson(p);
  RC_ASSERT(answered(o));
  RC_ASSERT(o.residual <= residual_bar);
  RC_ASSERT(violations(p, o, residual_bar, true) == "");
  // With e = 0 they are one stage.
  ContactProblem plastic = p;
  for (Surface& s : plastic.surfaces) s.restitution = 0.;
  const Outcome one = solve_multi_moreau(plastic);
  const Outcome two = solve_multi_moreau_poisson(plastic);
  RC_ASSERT(apart(one.velocity, two.velocity) <= equal * speed(p, one));
}

RC_GTEST_PROP(MultiMoreau, EnumerationAndLemkeAgreeWhereThereIsOneSolution, ()) {
  Contacts what = drawn_contacts(4, 3.);
  what.components = *rc::gen::inRange<std::size_t>(1, 3);
  const ContactProblem p = random_contacts(*seeds(), what);
  const Outcome all = solve_multi_moreau(p, {.solver = FrictionSolver::enumeration});
  const Outcome pivoted = solve_multi_moreau(p, {.solver = FrictionSolver::lemke});
  const Outcome newton = solve_multi_moreau(p);
  RC_ASSERT(answered(all));
  RC_ASSERT(answered(pivoted));
  const double near = equal * speed(p, all);
  if (!all.flags.has(Verdict::several_solutions)) {
    RC_ASSERT(apart(all.velocity, pivoted.velocity) <= near);
    RC_ASSERT(apart(all.velocity, newton.velocity) <= near);
  } else {
    // One of them.
    const auto it = std::find_if(all.solutions.begin(), all.solutions.end(), [&](const auto& s) {
      return apart(s.velocity, pivoted.velocity) <= near;
    });
    RC_ASSERT(it != all.solutions.end());
  }
}

RC_GTEST_PROP(MultiMoreau, SweepsAloneComeToTheSame, ()) {
  const Contacts what = drawn_contacts(5, 0.5);
  const ContactProblem p = random_contacts(*seeds(), what);
  const Outcome a = solve_multi_moreau(p);
  const Outcome b = solve_multi_moreau(p, {.solver = FrictionSolver::gauss_seidel});
  RC_PRE(answered(b));  // sweeps alone need not converge
  RC_ASSERT(apart(a.velocity, b.velocity) <= equal * speed(p, a));
}

// [Payr & Glocker 2005, eq. 14]: with all coefficients equal the law is a contraction.
RC_GTEST_PROP(MultiMoreau, EqualCoefficientsNeverGainEnergy, ()) {
  Contacts what = drawn_contacts(6, 1.);
  what.equal = true;
  const ContactProblem p = random_contacts(*seeds(), what);
  // Contacts that separate before take eps = 0 and would spoil it.
  ContactProblem closing = p;
  const std::size_t d = p.components();
  for (std::size_t i = 0; i < p.contacts(); ++i) {
    closing.approach[i * d] = -std::abs(p.approach[i * d]);
  }
  const Outcome o = solve_multi_moreau(closing);
  RC_ASSERT(answered(o));
  RC_ASSERT(!o.flags.has(Verdict::energy_gained));
}

RC_GTEST_PROP(MultiMoreau, TwoStagesWithoutFrictionNeverGainEnergy, ()) {
  Contacts what = drawn_contacts(6, 1.);
  what.components = 1;
  const ContactProblem p = random_contacts(*seeds(), what);
  ContactProblem smooth = p;
  for (Surface& s : smooth.surfaces) s.tangential_restitution = 0.;
  const Outcome o = solve_multi_moreau_poisson(smooth);
  RC_ASSERT(answered(o));
  RC_ASSERT(!o.flags.has(Verdict::energy_gained));
}

// The ledger is the change of kinetic energy: 1/2 (v+ G^-1 v+ - v- G^-1 v-).
RC_GTEST_PROP(MultiMoreau, LedgerCloses, ()) {
  Contacts what = drawn_contacts(5, 1.);
  const bool two_stages = *rc::gen::arbitrary<bool>();
  what.two_stages = two_stages;
  const ContactProblem p = random_contacts(*seeds(), what);
  const Outcome o = two_stages ? solve_multi_moreau_poisson(p) : solve_multi_moreau(p);
  const auto n = static_cast<Eigen::Index>(p.G.size());
  const Eigen::LDLT<Eigen::MatrixXd> inverse(p.G.dense());
  const Eigen::Map<const Eigen::VectorXd> before(p.approach.data(), n);
  const Eigen::Map<const Eigen::VectorXd> after(o.velocity.data(), n);
  const double had = 0.5 * before.dot(inverse.solve(before));
  const double has = 0.5 * after.dot(inverse.solve(after));
  RC_ASSERT(std::abs(o.energy.change - (has - had)) <= 1e-9 * (had + has));
  RC_ASSERT(std::abs(o.energy.change - o.energy.normal - o.energy.friction) <= 1e-12 * (had + has));
}

RC_GTEST_PROP(MultiMoreau, OrderOfContactsDoesNotMatter, ()) {
  Contacts what = drawn_contacts(6, 0.6);
  const bool two_stages = *rc::gen::arbitrary<bool>();
  what.two_stages = two_stages;
  const std::uint32_t seed = *seeds();
  const ContactProblem p = random_contacts(seed, what);
  std::vector<std::size_t> order(p.contacts());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::rotate(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(seed % order.size()),
              order.end());
  std::swap(order[0], order[seed / 7 % order.size()]);
  const ContactProblem q = reordered(p, order);
  const auto law = two_stages ? solve_multi_moreau_poisson : solve_multi_moreau;
  const Outcome a = law(p, {});
  const Outcome b = law(q, {});
  RC_ASSERT(a.flags == b.flags);
  const std::size_t d = p.components();
  for (std::size_t i = 0; i < p.contacts(); ++i) {
    RC_ASSERT(a.contacts[i].mode == b.contacts[order[i]].mode);
    for (std::size_t c = 0; c < d; ++c) {
      RC_ASSERT(std::abs(a.velocity[i * d + c] - b.velocity[order[i] * d + c]) <=
                equal * speed(p, a));
    }
  }
}

// Masses, lengths and times in other units: G by mass, v by speed.
RC_GTEST_PROP(MultiMoreau, UnitsDoNotMatter, ()) {
  const Contacts what = drawn_contacts(5, 0.8);
  const ContactProblem p = random_contacts(*seeds(), what);
  const double mass = *rc::gen::element(1e-9, 0.3, 1e9);
  const double velocity = *rc::gen::element(1e-9, 7., 1e9);
  ContactProblem q = p;
  q.G = BlockMatrix::from_dense(p.G.dense() / mass, p.components());
  for (double& v : q.approach) v *= velocity;
  const Outcome a = solve_multi_moreau(p);
  const Outcome b = solve_multi_moreau(q);
  RC_ASSERT(a.flags == b.flags);
  for (std::size_t i = 0; i < a.contacts.size(); ++i) {
    RC_ASSERT(a.contacts[i].mode == b.contacts[i].mode);
  }
  for (std::size_t k = 0; k < a.velocity.size(); ++k) {
    RC_ASSERT(std::abs(a.velocity[k] - b.velocity[k] / velocity) <= 1e-10 * speed(p, a));
    RC_ASSERT(std::abs(a.impulse[k] - b.impulse[k] / (mass * velocity)) <=
              1e-9 * largest(a.impulse));
  }
}

// Contacts that nothing connects answer each as the law of one contact.
RC_GTEST_PROP(MultiMoreau, ContactsApartAnswerAsOneDoes, ()) {
  const std::size_t d = *rc::gen::inRange<std::size_t>(2, 4);
  const std::uint32_t seed = *seeds();
  const bool two_stages = *rc::gen::arbitrary<bool>();
  const Contacts what{
      .contacts = 1, .components = d, .most_friction = 0.9, .two_stages = two_stages};
  const ContactProblem one = random_contacts(seed, what);
  const ContactProblem other = random_contacts(seed + 1, what);
  const auto n = static_cast<Eigen::Index>(d);
  Eigen::MatrixXd G = Eigen::MatrixXd::Zero(2 * n, 2 * n);
  G.topLeftCorner(n, n) = one.G.dense();
  G.bottomRightCorner(n, n) = other.G.dense();
  ContactProblem p = one;
  p.G = BlockMatrix::from_dense(G, d);
  p.approach.insert(p.approach.end(), other.approach.begin(), other.approach.end());
  p.surfaces.push_back(other.surfaces[0]);
  const auto law = two_stages ? solve_multi_moreau_poisson : solve_multi_moreau;
  const Outcome a = law(one, {});
  const Outcome b = law(other, {});
  const Outcome both = law(p, {});
  RC_PRE(!a.flags.has(Verdict::several_solutions) && !b.flags.has(Verdict::several_solutions));
  std::vector<double> expected = a.velocity;
  expected.insert(expected.end(), b.velocity.begin(), b.velocity.end());
  RC_ASSERT(apart(expected, both.velocity) <= equal * speed(p, both));
}

// Without friction P is the least of P.G.P/2 + b.P over P >= 0: no P >= 0 does better.
RC_GTEST_PROP(MultiMoreau, WithoutFrictionItIsAConvexProgram, ()) {
  Contacts what = drawn_contacts(6, 0.);
  what.components = 1;
  const std::uint32_t seed = *seeds();
  const ContactProblem p = random_contacts(seed, what);
  const Outcome o = solve_multi_moreau(p);
  const auto n = static_cast<Eigen::Index>(p.contacts());
  const Eigen::MatrixXd G = p.G.dense();
  Eigen::VectorXd b(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const double v = p.approach[static_cast<std::size_t>(i)];
    b(i) = v > 0. ? v : (1. + p.surfaces[static_cast<std::size_t>(i)].restitution) * v;
  }
  // Projected gradient descent, which knows nothing of modes.
  Eigen::VectorXd P = Eigen::VectorXd::Zero(n);
  const double step = 1. / G.trace();
  for (int k = 0; k < 2'000; ++k) P = (P - step * (G * P + b)).cwiseMax(0.);
  const auto value = [&](const Eigen::VectorXd& x) { return 0.5 * x.dot(G * x) + b.dot(x); };
  const Eigen::Map<const Eigen::VectorXd> mine(o.impulse.data(), n);
  RC_ASSERT(value(mine) <= value(P) + 1e-12 * std::abs(value(P)));
  RC_ASSERT((G * (mine - P)).cwiseAbs().maxCoeff() <= 1e-3 * speed(p, o));
}

}  // namespace
}  // namespace carom::test
