// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <carom/laws/lzb/lzb.hpp>
#include <carom/laws/lzb/prospect.hpp>

// Chains with losses, in which what the wave leaves behind rattles in ever smaller blows.
namespace carom {
namespace {

/// Balls in a row, the first striking with unit speed; masses and restitution one after the other,
/// over and over.
ContactProblem chain(std::size_t balls, const std::vector<double>& restitution,
                     const std::vector<double>& masses = {1.}, double exponent = 1.5) {
  const std::size_t n = balls - 1;
  const auto mobility = [&](std::size_t ball) { return 1. / masses[ball % masses.size()]; };
  std::vector<BlockMatrix::Triplet> entries;
  ContactProblem p;
  for (std::size_t i = 0; i < n; ++i) {
    entries.push_back({i, i, mobility(i) + mobility(i + 1)});
    if (i + 1 < n) entries.push_back({i, i + 1, -mobility(i + 1)});
    p.surfaces.push_back(
        {.restitution = restitution[i % restitution.size()], .exponent = exponent});
  }
  p.G = BlockMatrix::from_triplets(n, 1, entries);
  p.approach.assign(n, 0.);
  p.approach[0] = -1.;
  return p;
}

double apart(const Outcome& a, const Outcome& b) {
  double most = 0.;
  for (std::size_t i = 0; i < a.velocity.size(); ++i) {
    most = std::max(most, std::abs(a.velocity[i] - b.velocity[i]));
  }
  return most;
}

/// What holds of every outcome without friction.
void expect_sound(const ContactProblem& p, const Outcome& o, double tolerance) {
  EXPECT_FALSE(o.flags.has(Verdict::not_converged));
  std::vector<double> v(p.approach.size());
  p.G.multiply(o.impulse, v);
  double work = 0.;
  for (std::size_t i = 0; i < v.size(); ++i) {
    EXPECT_NEAR(v[i] + p.approach[i], o.velocity[i], tolerance);
    EXPECT_GE(o.velocity[i], 0.);
    EXPECT_GE(o.impulse[i], 0.);
    EXPECT_LE(o.contacts[i].energy.stages->compression, 0.);
    EXPECT_GE(o.contacts[i].energy.stages->restitution, 0.);
    work += 0.5 * o.impulse[i] * (p.approach[i] + o.velocity[i]);
  }
  EXPECT_LE(work, 0.);
  EXPECT_NEAR(o.energy.change, work, tolerance);
}

/// A fixed-step Runge-Kutta method of order four, stages by the sign of v_n at each evaluation: the
/// relative velocities of equal Hertzian balls after.
std::vector<double> by_fixed_steps(std::size_t balls, double e, double h) {
  const std::size_t n = balls - 1;
  std::vector<double> y(n + balls, 0.);  // deformations, then velocities
  std::vector<double> k(y.size()), sum(y.size()), trial(y.size());
  y[n] = 1.;
  const auto derivative = [&](const std::vector<double>& s) {
    std::fill(k.begin(), k.end(), 0.);
    for (std::size_t i = 0; i < n; ++i) {
      const double v = s[n + i + 1] - s[n + i];
      const double F = s[i] > 0. ? s[i] * std::sqrt(s[i]) : 0.;
      k[i] = v < 0. ? -v : s[i] > 0. ? -v / (e * e) : 0.;
      k[n + i] -= F;
      k[n + i + 1] += F;
    }
  };
  const auto finished = [&] {
    for (std::size_t i = 0; i < n; ++i) {
      if (y[i] > 0. || y[n + i + 1] - y[n + i] < -1e-12) return false;
    }
    return true;
  };
  do {
    std::fill(sum.begin(), sum.end(), 0.);
    trial = y;
    for (int stage = 0; stage < 4; ++stage) {
      derivative(trial);
      const double weight = stage == 0 || stage == 3 ? h / 6. : h / 3.;
      const double ahead = stage == 2 ? h : h / 2.;
      for (std::size_t j = 0; j < y.size(); ++j) {
        sum[j] += weight * k[j];
        trial[j] = y[j] + ahead * k[j];
      }
    }
    for (std::size_t j = 0; j < y.size(); ++j) y[j] += sum[j];
    for (std::size_t i = 0; i < n; ++i) y[i] = std::max(0., y[i]);
  } while (!finished());
  std::vector<double> v;
  for (std::size_t i = 0; i < n; ++i) v.push_back(y[n + i + 1] - y[n + i]);
  return v;
}

TEST(LzbChain, ToleranceIsKeptWhereBallsRattle) {
  for (const std::size_t balls : {50U, 100U, 150U}) {
    const ContactProblem p = chain(balls, {0.9});
    const Outcome fine = solve_lzb(p, {.tolerance = 1e-11});
    for (const double tolerance : {1e-6, 1e-9}) {
      const Outcome o = solve_lzb(p, {.tolerance = tolerance});
      EXPECT_LE(apart(o, fine), tolerance) << balls;
      expect_sound(p, o, tolerance);
    }
  }
}

// An independent method; its error falls as the square of its step, and is 3e-8 here.
TEST(LzbChain, FixedStepsAgree) {
  const std::vector<double> other = by_fixed_steps(110, 0.9, 0.003);
  const Outcome o = solve_lzb(chain(110, {0.9}));
  for (std::size_t i = 0; i < other.size(); ++i) EXPECT_NEAR(o.velocity[i], other[i], 1e-7);
}

// All but the first of 250 balls stay together: the velocity is that of their momentum.
TEST(LzbChain, ClustersCollapse) {
  const ContactProblem p = chain(250, {0.9});
  const Outcome o = solve_lzb(p, {.tolerance = 1e-6});
  expect_sound(p, o, 1e-6);
  EXPECT_EQ(o.collapsed, 248U);
  for (std::size_t i = 1; i < o.velocity.size(); ++i) EXPECT_EQ(o.velocity[i], 0.);
  const double first = 1. - o.impulse[0];
  EXPECT_NEAR(o.velocity[0], o.impulse[0] / 249. - first, 1e-12);
}

// Two blows meet in a chain of ever heavier balls. For three halvings of its energy it looks as if
// they stayed together, each with ten blows and more to come, and then they part.
TEST(LzbChain, GradedChainsComeApartInTheEnd) {
  std::vector<double> masses;
  for (int i = 0; i < 29; ++i) masses.push_back(std::pow(1.02624192, i));
  ContactProblem p = chain(29, {0.604246}, masses, 1.);
  p.approach[11] = -0.459607;
  for (const double tolerance : {1e-5, 1e-6, 3e-7}) {
    EXPECT_EQ(solve_lzb(p, {.tolerance = tolerance}).collapsed, 0U) << tolerance;
  }
  const Outcome o = solve_lzb(p, {.tolerance = 1e-7});
  expect_sound(p, o, 1e-6);
  EXPECT_LE(apart(o, solve_lzb(p, {.tolerance = 1e-10})), 1e-6);  // they part with up to 3e-4
}

TEST(LzbChain, ElasticChainsAndFewBallsDoNot) {
  EXPECT_EQ(solve_lzb(chain(60, {1.})).collapsed, 0U);
  EXPECT_EQ(solve_lzb(chain(20, {0.9})).collapsed, 0U);
}

TEST(LzbChain, AllSortsOfChains) {
  const std::vector<ContactProblem> chains = {
      chain(40, {0.5}),                      // collapses
      chain(12, {0.}),                       // plastic
      chain(30, {0.9, 0., 0.6}),             // some plastic
      chain(60, {0.95, 0.6, 0.8}),           // each its own
      chain(60, {0.9}, {1., 3.}),            // light and heavy
      chain(80, {0.9}, {1.}, 1.),            // linear
      chain(40, {0.7}, {1., 0.2, 2.}, 2.5),  // stiffening
  };
  for (std::size_t k = 0; k < chains.size(); ++k) {
    const Outcome fine = solve_lzb(chains[k]);
    const Outcome o = solve_lzb(chains[k], {.tolerance = 1e-6});
    EXPECT_LE(apart(o, fine), 1e-6) << k;
    expect_sound(chains[k], fine, 1e-8);
    expect_sound(chains[k], o, 1e-6);
  }
}

lzb::State state_of(const lzb::Model& model) {
  lzb::State s;
  s.x.assign(model.size(), 0.);
  s.P.assign(model.size(), 0.);
  s.springs.assign(model.size(), lzb::Spring::compress);
  return s;
}

// The end foreseen satisfies its complementarity problem, and the true end is within what it says.
TEST(LzbProspect, BoundsTheEnd) {
  for (const double e : {0., 0.5, 0.9, 1.}) {
    ContactProblem p = chain(12, {e}, {1., 2.});
    for (std::size_t i = 0; i < p.contacts(); ++i)
      p.approach[i] = std::sin(3. * static_cast<double>(i)) - 0.2;
    const lzb::Model model = lzb::make_model(p, 1.);
    lzb::Prospect prospect(model);
    const lzb::State s = state_of(model);
    ASSERT_TRUE(prospect.look(s));
    const Outcome o = solve_lzb(p);
    double most = 0.;
    for (std::size_t i = 0; i < p.contacts(); ++i) {
      double v[3];
      model.velocity(i, prospect.impulses().data(), v);
      EXPECT_NEAR(v[0], prospect.then()[i], 1e-12);
      EXPECT_GE(prospect.then()[i], -1e-12);
      EXPECT_GE(prospect.impulses()[i], 0.);
      EXPECT_NEAR(prospect.impulses()[i] * prospect.then()[i], 0., 1e-12);
      const double off = std::abs(o.velocity[i] / model.units.velocity - prospect.then()[i]);
      most = std::max(most, off);
      EXPECT_LE(off, prospect.most_off());
    }
    if (e == 1.) {
      EXPECT_GT(most, 0.1 * prospect.most_off());  // not far too wide
    }
  }
}

}  // namespace
}  // namespace carom
