// SPDX-License-Identifier: Apache-2.0
#include <carom/laws/moreau/several.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <Eigen/LU>

#include <carom/complementarity/friction/multi.hpp>
#include <carom/core/error.hpp>
#include <carom/laws/moreau/moreau.hpp>
#include <carom/laws/moreau/spatial.hpp>
#include <carom/laws/table.hpp>
#include <support/many_contacts.hpp>

namespace carom::test {
namespace {

ContactProblem problem(const Eigen::MatrixXd& G, std::size_t components,
                       std::vector<double> approach, const Surface& surface) {
  ContactProblem p;
  p.G = BlockMatrix::from_dense(G, components);
  p.approach = std::move(approach);
  p.surfaces.assign(p.G.blocks(), surface);
  return p;
}

Surface surface(double e, double mu, double eps_t = 0.) {
  return {.restitution = e, .friction = mu, .static_friction = mu, .tangential_restitution = eps_t};
}

// A ball strikes two at rest that touch, e = 1, equal masses: the struck ones leave together.
TEST(MultiMoreau, ThreeBallsInARow) {
  Eigen::MatrixXd G(2, 2);
  G << 2., -1., -1., 2.;
  const ContactProblem p = problem(G, 1, {-1., 0.}, surface(1., 0.));
  for (const auto law : {solve_multi_moreau, solve_multi_moreau_poisson}) {
    const Outcome o = law(p, {});
    EXPECT_NEAR(o.impulse[0], 4. / 3., 1e-14);
    EXPECT_NEAR(o.impulse[1], 2. / 3., 1e-14);
    EXPECT_NEAR(o.velocity[0], 1., 1e-14);
    EXPECT_NEAR(o.velocity[1], 0., 1e-14);
    EXPECT_NEAR(o.energy.change, 0., 1e-14);
    EXPECT_EQ(o.verdict(), Verdict::ordinary);
    EXPECT_EQ(o.contacts[0].mode, Mode::closed);
  }
}

// After compression velocities are nothing but rounding at the contacts that were stopped; what the
// second stage's given impulses move sets its scale, or the residual would be of order 1e-4.
TEST(MultiMoreau, ResidualOfTheSecondStageIsRelativeToItsImpulses) {
  Eigen::MatrixXd G(6, 6);
  G << 1.8591662330956265, -1.8642117789314188, 1.5651488163821483, -0.2672180072967149,
      -0.20247645241325152, -1.7098568457892964, -1.8642117789314188, 2.164660057840867,
      -1.3065326593058344, 0.3227842074756617, 0.9723028100143235, 1.3458680464400563,
      1.5651488163821483, -1.3065326593058344, 1.776423234884331, -0.45805847774291253,
      0.21696174761708856, -1.9034032592920092, -0.2672180072967149, 0.3227842074756617,
      -0.45805847774291253, 0.40198028964394744, 0.5444349778597172, 0.34769793377678676,
      -0.20247645241325152, 0.9723028100143235, 0.21696174761708856, 0.5444349778597172,
      2.4181323717036225, -0.5942023035878105, -1.7098568457892964, 1.3458680464400563,
      -1.9034032592920092, 0.34769793377678676, -0.5942023035878105, 2.114710954045488;
  ContactProblem p = problem(G, 1,
                             {-1.1414254391975143, 1.0600943998685182, -1.7820669632887465,
                              1.0835899859285487, 0.8902396153891826, 1.606006692993273},
                             surface(0., 0.));
  const std::vector<double> e = {0.4928785068950996, 0.0, 1.0, 0.0, 0.0, 1.0};
  for (std::size_t i = 0; i < e.size(); ++i) p.surfaces[i].restitution = e[i];
  const Outcome o = solve_multi_moreau_poisson(p);
  EXPECT_EQ(o.verdict(), Verdict::ordinary);
  EXPECT_LE(o.residual, 1e-13);
  for (std::size_t i = 0; i < e.size(); ++i) EXPECT_GE(o.velocity[i], -1e-14);
}

// ERRATA: with eps = 1 a closed contact that separates would be pushed into approach.
TEST(MultiMoreau, ASeparatingContactTakesNoRestitution) {
  Eigen::MatrixXd G(2, 2);
  G << 1., -.5, -.5, 1.;
  const Outcome o = solve_multi_moreau(problem(G, 1, {-1., .1}, surface(1., 0.)));
  EXPECT_NEAR(o.velocity[0], 1., 1e-14);
  EXPECT_NEAR(o.velocity[1], 0., 1e-14);  // not -0.1
  // P_1 - P_2/2 = 2, P_2 - P_1/2 = -0.1
  EXPECT_NEAR(o.impulse[0], 2.6, 1e-14);
  EXPECT_NEAR(o.impulse[1], 1.2, 1e-14);
}

TEST(MultiMoreau, AllSeparateOrRest) {
  Eigen::MatrixXd G = Eigen::MatrixXd::Identity(4, 4);
  ContactProblem p = problem(G, 2, {.1, 1., .2, -1.}, surface(.5, .3));
  EXPECT_EQ(solve_multi_moreau(p).verdict(), Verdict::no_impulse);
  EXPECT_EQ(solve_multi_moreau_poisson(p).verdict(), Verdict::no_impulse);
  p.approach = {0., 1., 0., 0.};
  const Outcome o = solve_multi_moreau(p);
  EXPECT_EQ(o.verdict(), Verdict::no_impulse);
  EXPECT_EQ(o.velocity, p.approach);
}

// One contact is the law of one contact, to the last bit.
TEST(MultiMoreau, OneContactIsTheLawOfOneContact) {
  for (std::uint32_t seed = 0; seed < 2000; ++seed) {
    const bool two_stages = seed % 2 == 1;
    const Hypothesis h = two_stages ? Hypothesis::poisson : Hypothesis::newton;
    const auto law = two_stages ? solve_multi_moreau_poisson : solve_multi_moreau;
    const Contacts what{
        .contacts = 1, .components = 2, .most_friction = 3., .two_stages = two_stages};
    const ContactProblem p = random_contacts(seed, what);
    const Surface& s = p.surfaces[0];
    const PlanarOutcome one =
        moreau(PlanarProblem{.G = {.nn = p.G(0, 0), .nt = p.G(0, 1), .tt = p.G(1, 1)},
                             .approach = {.n = p.approach[0], .t = p.approach[1]},
                             .surface = {.restitution = s.restitution,
                                         .friction = s.friction,
                                         .static_friction = s.static_friction,
                                         .tangential_restitution = s.tangential_restitution}},
               h);
    const Outcome o = law(p, {});
    EXPECT_EQ(o.velocity, (std::vector<double>{one.velocity.n, one.velocity.t}));
    EXPECT_EQ(o.impulse, (std::vector<double>{one.impulse.n, one.impulse.t}));
    EXPECT_EQ(o.energy.change, one.energy.change);
    EXPECT_EQ(o.flags, one.flags);
  }
}

// The general solvers come to what the law of one contact says, too.
TEST(MultiMoreau, SolversOfManySolveOne) {
  using namespace complementarity;
  MultiFriction friction;
  for (std::uint32_t seed = 0; seed < 3000; ++seed) {
    const std::size_t d = 2 + seed % 2;
    const ContactProblem p =
        random_contacts(seed, {.contacts = 1, .components = d, .most_friction = 0.9});
    if (p.approach[0] > 0.) continue;
    ContactProblem plastic = p;
    plastic.surfaces[0].restitution = plastic.surfaces[0].tangential_restitution = 0.;
    const Outcome o = solve_multi_moreau(plastic);
    const std::vector<double> mu{p.surfaces[0].friction};
    for (const auto solver : {FrictionSolver::automatic, FrictionSolver::lemke,
                              FrictionSolver::gauss_seidel, FrictionSolver::enumeration}) {
      if (d == 3 && (solver == FrictionSolver::lemke || solver == FrictionSolver::enumeration)) {
        continue;
      }
      const FrictionResult& r =
          friction.solve({.G = p.G, .b = p.approach, .mu = mu}, {.solver = solver});
      EXPECT_EQ(r.status, FrictionStatus::solved) << seed;
      EXPECT_LE(apart(r.xi, o.velocity), 1e-10 * largest(p.approach)) << seed;
    }
  }
}

/// A block of width 2a and height 2h, mass 1, falling flat on its two lower corners: columns
/// n1, t1, n2, t2 of W in (x, y, theta).
ContactProblem block(double a, double h, double inertia, const Eigen::Vector3d& u,
                     const Surface& s) {
  Eigen::MatrixXd W(3, 4);
  W << 0., 1., 0., 1.,  //
      1., 0., 1., 0.,   //
      -a, h, a, h;
  const Eigen::Vector3d inverse_mass(1., 1., 1. / inertia);
  const Eigen::VectorXd v = W.transpose() * u;
  return problem(W.transpose() * inverse_mass.asDiagonal() * W, 2, {v.data(), v.data() + v.size()},
                 s);
}

// Both corners pull along the same line: only the sum of their friction is determined. It is shared
// evenly.
TEST(MultiMoreau, ABlockOnTwoCornersSticks) {
  const ContactProblem p = block(1., .5, .6, {.2, -1., 0.}, surface(0., .8));
  const Outcome o = solve_multi_moreau(p);
  EXPECT_EQ(o.verdict(), Verdict::ordinary);
  EXPECT_LE(largest(o.velocity), 1e-14);
  EXPECT_NEAR(o.impulse[1] + o.impulse[3], -.2, 1e-13);
  EXPECT_NEAR(o.impulse[1], o.impulse[3], 1e-13);
  EXPECT_NEAR(o.impulse[0] + o.impulse[2], 1., 1e-13);
  EXPECT_NEAR(o.impulse[2] - o.impulse[0], .5 * .2, 1e-13);  // balances the torque of friction
  EXPECT_EQ(violations(p, o, 1e-12), "");
  EXPECT_TRUE(o.solutions.empty());
}

TEST(MultiMoreau, ABlockOnTwoCornersSlides) {
  const ContactProblem p = block(1., .5, .6, {2., -1., 0.}, surface(0., .3));
  const Outcome o = solve_multi_moreau(p);
  EXPECT_NEAR(o.velocity[1], 2. - .3, 1e-13);
  EXPECT_NEAR(o.velocity[3], 2. - .3, 1e-13);
  EXPECT_EQ(o.contacts[0].mode, Mode::slip);
  EXPECT_EQ(violations(p, o, 1e-12), "");
}

// A box on four corners: twelve directions, six freedoms.
TEST(MultiMoreau, ABoxOnFourCornersInSpace) {
  const double a = 1.;
  const double b = .7;
  const double h = .4;
  Eigen::MatrixXd W(6, 12);
  Eigen::Index column = 0;
  for (const double x : {-a, a}) {
    for (const double y : {-b, b}) {
      const Eigen::Vector3d r(x, y, -h);
      for (const Eigen::Vector3d& d :
           {Eigen::Vector3d(0, 0, 1), Eigen::Vector3d(1, 0, 0), Eigen::Vector3d(0, 1, 0)}) {
        const Eigen::Vector3d torque(r.y() * d.z() - r.z() * d.y(), r.z() * d.x() - r.x() * d.z(),
                                     r.x() * d.y() - r.y() * d.x());
        W.col(column).head(3) = d;
        W.col(column++).tail(3) = torque;
      }
    }
  }
  Eigen::VectorXd inverse_mass(6);
  inverse_mass << 1., 1., 1., 3. / (b * b + h * h), 3. / (a * a + h * h), 3. / (a * a + b * b);
  const Eigen::MatrixXd G = W.transpose() * inverse_mass.asDiagonal() * W;
  const auto falls = [&](const std::vector<double>& u, double mu) {
    const Eigen::VectorXd v = W.transpose() * Eigen::Map<const Eigen::VectorXd>(u.data(), 6);
    return problem(G, 3, {v.data(), v.data() + v.size()}, surface(0., mu));
  };
  const ContactProblem stick = falls({.1, -.05, -1., 0., 0., .1}, .5);
  const Outcome stuck = solve_multi_moreau(stick);
  EXPECT_EQ(stuck.verdict(), Verdict::ordinary);
  EXPECT_LE(largest(stuck.velocity), 1e-13);
  EXPECT_EQ(violations(stick, stuck, 1e-10), "");
  double normal = 0.;
  for (std::size_t i = 0; i < 4; ++i) normal += stuck.impulse[3 * i];
  EXPECT_NEAR(normal, 1., 1e-12);

  const ContactProblem slide = falls({3., 0., -1., 0., 0., 0.}, .2);
  const Outcome slid = solve_multi_moreau(slide);
  EXPECT_EQ(slid.verdict(), Verdict::ordinary);
  EXPECT_EQ(violations(slide, slid, 1e-10), "");
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(slid.velocity[3 * i + 1], 2.8, 1e-12);
}

// A body between two walls cannot leave one without striking the other.
TEST(MultiMoreau, NoSolutionBetweenTwoWalls) {
  Eigen::MatrixXd G(2, 2);
  G << 1., -1., -1., 1.;
  const ContactProblem p = problem(G, 1, {-1., 1.}, surface(.5, 0.));
  const Outcome o = solve_multi_moreau(p);
  EXPECT_EQ(o.verdict(), Verdict::no_solution);
  EXPECT_EQ(o.velocity, p.approach);
  EXPECT_GT(o.residual, 0.);
  const Outcome stopped = solve_multi_moreau(problem(G, 1, {-1., 1.}, surface(0., 0.)));
  EXPECT_EQ(stopped.verdict(), Verdict::ordinary);
  EXPECT_LE(largest(stopped.velocity), 1e-14);
}

/// The same contacts and one more on the other side of the first: the same bodies, the opposite
/// normal. The first approaches with e > 0, and would rebound into the other.
ContactProblem with_a_wall_behind(const ContactProblem& p) {
  const auto d = static_cast<Eigen::Index>(p.components());
  const auto rows = static_cast<Eigen::Index>(p.G.size());
  Eigen::MatrixXd T = Eigen::MatrixXd::Zero(rows, rows + d);
  T.leftCols(rows).setIdentity();
  for (Eigen::Index c = 0; c < d; ++c) T(c, rows + c) = c == 0 ? -1. : 1.;
  ContactProblem q = p;
  q.G = BlockMatrix::from_dense(T.transpose() * p.G.dense() * T, p.components());
  const Eigen::VectorXd v = T.transpose() * Eigen::Map<const Eigen::VectorXd>(&p.approach[0], rows);
  q.approach.assign(v.begin(), v.end());
  q.surfaces.push_back(p.surfaces[0]);
  q.surfaces[0].restitution = 0.5;
  return q;
}

// Whatever the friction: no impulses make both normal velocities admissible. Many contacts in the
// plane are not enumerated, and space has no enumeration.
TEST(MultiMoreau, NoSolutionIsProvedWhereAContactWouldReboundIntoAnother) {
  std::size_t tried = 0;
  for (const std::size_t components : {1U, 2U, 3U}) {
    for (std::uint32_t seed = 0; seed < 40; ++seed) {
      Contacts what{.contacts = 2, .components = components, .most_friction = 1.};
      if (components < 3) what.contacts = 9;
      const ContactProblem p = random_contacts(seed, what);
      if (!(p.approach[0] < -0.1)) continue;
      ++tried;
      const ContactProblem q = with_a_wall_behind(p);
      for (const auto solver : {FrictionSolver::automatic, FrictionSolver::lemke}) {
        if (solver == FrictionSolver::lemke && components == 3) continue;
        const Outcome o = solve_multi_moreau(q, {.solver = solver});
        EXPECT_EQ(o.verdict(), Verdict::no_solution) << components << " " << seed;
        EXPECT_EQ(o.velocity, q.approach) << components << " " << seed;
      }
    }
  }
  EXPECT_GT(tried, 60U);
}

// Six freedoms and strong friction at four to six contacts can jam: impulses grow without bound,
// and no solution is found. Without friction these problems have one, so nothing proves that there
// is none.
TEST(MultiMoreau, AJamThatIsNotProvedHasNotConverged) {
  for (const std::uint32_t seed : {385U, 1057U, 1897U}) {
    Contacts what{.contacts = 4, .components = 3, .freedoms = 6};
    what.equal = seed != 1897U;
    const ContactProblem p = random_contacts(seed, what);
    const Outcome o = solve_multi_moreau(p);
    EXPECT_EQ(o.verdict(), Verdict::not_converged) << seed;
    EXPECT_GT(o.residual, 1e-10) << seed;
    ContactProblem smooth = p;
    for (Surface& s : smooth.surfaces) s.friction = s.static_friction = 0.;
    EXPECT_EQ(violations(smooth, solve_multi_moreau(smooth), 1e-10), "") << seed;
  }
}

// Some modes of these hyperstatic contacts are nearly singular, with impulses above 1e13. They
// are no solution, though rounding may leave open whether there is one.
TEST(MultiMoreau, ImpulsesBeyondRoundingAreNoSolution) {
  for (const std::uint32_t seed : {551U, 2200U}) {
    Contacts what{.contacts = 3 + seed % 6, .components = 2, .most_friction = 1.5};
    what.freedoms = 3 + seed / 8 % 3;
    const ContactProblem p = random_contacts(seed, what);
    const Outcome o = solve_multi_moreau(p);
    EXPECT_TRUE(o.flags.has(Verdict::no_solution) || o.flags.has(Verdict::not_converged)) << seed;
    EXPECT_EQ(o.impulse, std::vector<double>(p.approach.size(), 0.)) << seed;
  }
}

// A light grain between a wall and a hammer 1/ratio times as heavy: G is regular, and the grain is
// pressed against the wall. Small pivots are not singular ones.
TEST(MultiMoreau, EnumerationDoesNotMissNearlySingularModes) {
  const auto ix = [](std::size_t k) { return static_cast<Eigen::Index>(k); };
  for (const double ratio : {1e-4, 3e-6, 1e-6, 1e-7}) {
    for (const std::size_t d : {1U, 2U}) {
      Eigen::MatrixXd G = Eigen::MatrixXd::Zero(ix(2 * d), ix(2 * d));
      for (std::size_t c = 0; c < d; ++c) {
        G(ix(c), ix(c)) = 1.;
        G(ix(c), ix(d + c)) = G(ix(d + c), ix(c)) = -1.;
        G(ix(d + c), ix(d + c)) = 1. + ratio;
      }
      ContactProblem p;
      p.G = BlockMatrix::from_dense(G, d);
      p.approach.assign(2 * d, 0.);
      p.approach[d] = -1.;
      p.surfaces.assign(2, {.restitution = 0.5, .friction = 0.3});
      for (const auto solver : {FrictionSolver::automatic, FrictionSolver::enumeration}) {
        const Outcome o = solve_multi_moreau(p, {.solver = solver});
        EXPECT_EQ(o.verdict(), Verdict::ordinary) << ratio << " " << d;
        EXPECT_NEAR(o.impulse[d] * ratio, 1.5, 1e-6) << ratio << " " << d;
      }
    }
  }
}

// Lemke's method on the form with friction ends on a ray for problems that have solutions: its
// matrix is copositive, not positive semidefinite.
TEST(MultiMoreau, ARayOfTheFormWithFrictionIsNoProof) {
  std::size_t missed = 0;
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    Contacts what{.contacts = 3 + seed % 6, .components = 2, .most_friction = 1.5};
    what.freedoms = 3 + seed / 8 % 3;
    const ContactProblem p = random_contacts(seed, what);
    const Outcome all = solve_multi_moreau(p, {.solver = FrictionSolver::enumeration});
    const Outcome pivoted = solve_multi_moreau(p, {.solver = FrictionSolver::lemke});
    if (all.flags.has(Verdict::no_solution)) continue;
    EXPECT_FALSE(pivoted.flags.has(Verdict::no_solution)) << seed;
    missed += pivoted.flags.has(Verdict::not_converged) ? 1U : 0U;
  }
  EXPECT_GT(missed, 0U);
}

// The bar of [Payr & Glocker 2005] at 63.435 deg with mu = 5/3 and v_n = 0 has two answers (ERRATA
// PG4), beside a contact that has one.
TEST(MultiMoreau, TellsSeveralSolutions) {
  Eigen::MatrixXd G = Eigen::MatrixXd::Zero(4, 4);
  G.topLeftCorner(2, 2) << 1.6, 1.2, 1.2, 3.4;
  G.bottomRightCorner(2, 2) << 1., .1, .1, 1.;
  const ContactProblem p = problem(G, 2, {0., 1., -1., .2}, surface(.5, 5. / 3.));
  const Outcome o = solve_multi_moreau(p);
  EXPECT_EQ(o.verdict(), Verdict::several_solutions);
  ASSERT_EQ(o.solutions.size(), 2U);
  EXPECT_EQ(o.solutions[0].velocity, o.velocity);
  EXPECT_EQ(o.contacts[0].mode, Mode::stick);
  const Eigen::Vector2d P = -G.topLeftCorner(2, 2).inverse() * Eigen::Vector2d(0., 1.);  // stick
  EXPECT_NEAR(o.impulse[0], P(0), 1e-13);
  EXPECT_NEAR(o.impulse[1], P(1), 1e-13);
  EXPECT_NEAR(o.solutions[1].velocity[1], 1., 1e-14);  // the other: nothing happens there
}

// eps_N != eps_T, and unequal e in two stages with friction, can gain energy: a verdict.
TEST(MultiMoreau, GainsOfEnergyAreTold) {
  double most_newton = 0.;
  double most_poisson = 0.;
  for (std::uint32_t seed = 0; seed < 20'000; ++seed) {
    const ContactProblem p = random_contacts(
        seed,
        {.contacts = 2, .components = 2, .most_friction = 2., .freedoms = 4, .two_stages = true});
    const double had = contact_energy(p);
    for (const bool two : {false, true}) {
      const Outcome o = two ? solve_multi_moreau_poisson(p) : solve_multi_moreau(p);
      double& most = two ? most_poisson : most_newton;
      most = std::max(most, o.energy.change / had);
      EXPECT_EQ(o.flags.has(Verdict::energy_gained), o.energy.change > 1e-12 * had) << seed;
    }
  }
  EXPECT_GT(most_newton, .1);
  EXPECT_GT(most_poisson, .1);  // +35 % was seen (ERRATA)
}

TEST(MultiMoreau, SaysWhenItHasNotConverged) {
  const ContactProblem p = random_contacts(3, {.contacts = 20, .components = 3});
  const Outcome o =
      solve_multi_moreau(p, {.solver = FrictionSolver::gauss_seidel, .most_steps = 2});
  EXPECT_EQ(o.verdict(), Verdict::not_converged);
  EXPECT_GT(o.residual, 1e-10);
  EXPECT_EQ(o.steps, 2U);
  for (const double v : o.velocity) EXPECT_TRUE(std::isfinite(v));
}

TEST(MultiMoreau, TwoStagesIgnoreTangentialRestitution) {
  ContactProblem p = random_contacts(3, {.contacts = 3, .components = 2, .two_stages = true});
  const Outcome without = solve_multi_moreau_poisson(p);
  p.surfaces[1].tangential_restitution = .5;
  EXPECT_EQ(solve_multi_moreau_poisson(p), without);
  const Applies applies_here = applies(*find_law("moreau:poisson"), p);
  EXPECT_EQ(applies_here.answer, Applies::Answer::ignores);
  EXPECT_EQ(applies_here.why, "ignores tangential_restitution");
  EXPECT_TRUE(applies(*find_law("moreau"), p).yes());
}

TEST(MultiMoreau, RefusesSolversThatCannot) {
  const ContactProblem space = random_contacts(3, {.contacts = 2, .components = 3});
  EXPECT_THROW((void)solve_multi_moreau(space, {.solver = FrictionSolver::lemke}), InputError);
  EXPECT_THROW((void)solve_multi_moreau(space, {.solver = FrictionSolver::enumeration}),
               InputError);
  const ContactProblem nine = random_contacts(3, {.contacts = 9, .components = 2});
  EXPECT_THROW((void)solve_multi_moreau(nine, {.solver = FrictionSolver::enumeration}), InputError);
}

// Eight contacts in the plane have 65,536 modes.
TEST(MultiMoreau, EnumeratesEightContacts) {
  const ContactProblem p =
      random_contacts(11, {.contacts = 8, .components = 2, .most_friction = 1.});
  const Outcome all = solve_multi_moreau(p, {.solver = FrictionSolver::enumeration});
  EXPECT_EQ(violations(p, all, 1e-10), "");
  const Outcome o = solve_multi_moreau(p);
  EXPECT_LE(apart(all.velocity, o.velocity), 1e-10 * largest(p.approach));
}

// A row of 400 balls struck at one end, frictionless, e = 0: all go on together.
TEST(MultiMoreau, ALongChain) {
  const std::size_t contacts = 400;
  std::vector<BlockMatrix::Triplet> entries;
  for (std::size_t i = 0; i < contacts; ++i) {
    entries.push_back({.row = i, .column = i, .value = 2.});
    if (i > 0) entries.push_back({.row = i, .column = i - 1, .value = -1.});
  }
  ContactProblem p;
  p.G = BlockMatrix::from_triplets(contacts, 1, entries);
  p.approach.assign(contacts, 0.);
  p.approach[0] = -1.;
  p.surfaces.assign(contacts, surface(0., 0.));
  const Outcome o = solve_multi_moreau(p);
  EXPECT_EQ(o.verdict(), Verdict::ordinary);
  EXPECT_LE(o.residual, 1e-10);
  // All velocities end as 1/(n + 1): P_i is the momentum of what lies beyond.
  for (std::size_t i = 0; i < contacts; ++i) {
    EXPECT_NEAR(o.impulse[i], static_cast<double>(contacts - i) / (contacts + 1.), 1e-9);
  }
}

// Far more contacts than freedoms, and strong friction: G is so singular that sweeps and pivoting
// may both go astray, yet b lies in its range, and there is a solution.
TEST(MultiMoreau, ManyMoreContactsThanFreedoms) {
  complementarity::MultiFriction friction;
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    const ContactProblem p = random_contacts(
        seed, {.contacts = 70, .components = 2, .most_friction = 2., .freedoms = 56});
    std::vector<double> mu;
    for (const Surface& s : p.surfaces) mu.push_back(s.friction);
    const auto& r = friction.solve({.G = p.G, .b = p.approach, .mu = mu});
    EXPECT_EQ(r.status, complementarity::FrictionStatus::solved) << seed;
    EXPECT_LE(complementarity::residual({.G = p.G, .b = p.approach, .mu = mu}, r.P), 1e-10) << seed;
  }
}

// A limit holds for each method that is tried, and keeps those that need many sweeps away.
TEST(MultiMoreau, SweepsAndPivotsAreLimited) {
  constexpr std::size_t most = 8;
  for (std::uint32_t seed = 0; seed < 5; ++seed) {
    const ContactProblem p = random_contacts(
        seed, {.contacts = 70, .components = 2, .most_friction = 2., .freedoms = 56});
    std::vector<double> mu;
    for (const Surface& s : p.surfaces) mu.push_back(s.friction);
    const auto r = complementarity::solve_friction({.G = p.G, .b = p.approach, .mu = mu},
                                                   {.most_sweeps = most});
    EXPECT_EQ(r.status, complementarity::FrictionStatus::not_converged) << seed;
    EXPECT_EQ(r.steps, 2 * most) << seed;
  }
}

}  // namespace
}  // namespace carom::test
