// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <carom/laws/darboux_keller/darboux_keller.hpp>
#include <carom/laws/energetic.hpp>
#include <carom/laws/lzb/lzb.hpp>
#include <support/multi_problems.hpp>

namespace carom {
namespace {

using test::random_multi_problem;

double speed(const ContactProblem& p) {
  double most = 0.;
  for (const double v : p.approach) most = std::max(most, std::abs(v));
  return most;
}

double apart(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0.;
  for (std::size_t k = 0; k < a.size(); ++k) most = std::max(most, std::abs(a[k] - b[k]));
  return most;
}

/// What holds of every outcome. Where friction is shared arbitrarily among contacts of one frame,
/// the cone holds for their sum.
void check_sound(const ContactProblem& p, const Outcome& o, bool shared = false) {
  const std::size_t d = p.components();
  RC_ASSERT(!o.flags.has(Verdict::not_converged));
  RC_ASSERT(!o.flags.has(Verdict::energy_gained));
  std::vector<double> v(p.approach.size());
  p.G.multiply(o.impulse, v);
  double work = 0.;
  double impulses = 0.;
  for (std::size_t k = 0; k < v.size(); ++k) {
    v[k] += p.approach[k];
    work += 0.5 * o.impulse[k] * (p.approach[k] + o.velocity[k]);
    impulses = std::max(impulses, std::abs(o.impulse[k]));
  }
  RC_ASSERT(apart(v, o.velocity) <= 1e-12 * speed(p));
  RC_ASSERT(std::abs(work - o.energy.change) <= 1e-8 * impulses * speed(p));
  RC_ASSERT(o.energy.change <= 1e-12 * o.energy.scale());
  double sum = 0.;
  double limit = 0.;
  std::array<double, 2> total{};
  for (std::size_t i = 0; i < p.contacts(); ++i) {
    const EnergyLedger& e = o.contacts[i].energy;
    sum += e.change;
    RC_ASSERT(o.velocity[i * d] >= 0.);
    RC_ASSERT(o.impulse[i * d] >= 0.);
    RC_ASSERT(e.stages->compression <= 0.);
    RC_ASSERT(e.stages->restitution >= 0.);
    RC_ASSERT(e.friction <= 0.);
    const double r = p.surfaces[i].restitution;
    RC_ASSERT(e.stages->restitution <= -(r * r) * e.stages->compression + 1e-12 * o.energy.scale());
    double friction = 0.;
    for (std::size_t c = 1; c < d; ++c) friction = std::hypot(friction, o.impulse[i * d + c]);
    limit += p.surfaces[i].static_friction * o.impulse[i * d];
    for (std::size_t c = 1; c < d; ++c) total[c - 1] += o.impulse[i * d + c];
    if (shared) continue;
    RC_ASSERT(friction <= p.surfaces[i].static_friction * o.impulse[i * d] + 1e-9 * impulses);
  }
  RC_ASSERT(!shared || std::hypot(total[0], total[1]) <= limit + 1e-9 * impulses);
  RC_ASSERT(std::abs(sum - o.energy.change) <= 1e-12 * o.energy.scale());
}

RC_GTEST_PROP(LzbInThePlane, IsSound, (std::uint64_t seed)) {
  const ContactProblem p = random_multi_problem(seed, 2, 2, 6);
  check_sound(p, solve_lzb(p));
}

RC_GTEST_PROP(LzbInSpace, IsSound, (std::uint64_t seed)) {
  const ContactProblem p = random_multi_problem(seed, 3, 2, 5);
  check_sound(p, solve_lzb(p));
}

// Slip that turns while it stops: steps are shortened until half of it is left, and that must end.
TEST(LzbInSpace, SlipThatTurnsWhileItStopsIsFollowed) {
  for (const std::uint64_t seed : {391156U, 6788U, 8905U, 17158U}) {
    const Outcome o = solve_lzb(random_multi_problem(seed, 3, 2, 5));
    EXPECT_FALSE(o.flags.has(Verdict::not_converged)) << seed;
  }
}

// Friction of four corners is shared arbitrarily; a few such impacts are given up, and say so.
RC_GTEST_PROP(LzbInSpace, BoxOnFourCornersIsSoundOrGivenUp, (std::uint64_t seed)) {
  const ContactProblem p = test::box_on_four_corners(seed);
  const Outcome o = solve_lzb(p, {.most_steps = 3000});
  if (!o.flags.has(Verdict::not_converged)) check_sound(p, o, /*shared=*/true);
}

TEST(LzbInSpaceAtRest, FewBoxesAreGivenUp) {
  std::size_t given_up = 0;
  constexpr std::size_t boxes = 1000;
  for (std::uint64_t seed = 0; seed < boxes; ++seed) {
    const Outcome o = solve_lzb(test::box_on_four_corners(seed), {.most_steps = 3000});
    if (o.flags.has(Verdict::not_converged)) ++given_up;
  }
  EXPECT_LE(given_up, boxes / 300);
}

RC_GTEST_PROP(LzbInThePlane, OneContactIsEnergetic, (std::uint64_t seed)) {
  const ContactProblem p = random_multi_problem(seed, 2, 1, 1);
  const Surface& s = p.surfaces[0];
  PlanarProblem one;
  one.G = {p.G(0, 0), p.G(0, 1), p.G(1, 1)};
  one.approach = {p.approach[0], p.approach[1]};
  one.surface.restitution = s.restitution;
  one.surface.friction = s.friction;
  one.surface.static_friction = s.static_friction;
  const PlanarOutcome exact = Energetic{}(one);
  const Outcome o = solve_lzb(p);
  RC_ASSERT(apart(o.velocity, {exact.velocity.n, exact.velocity.t}) <= 1e-9 * speed(p));
  RC_ASSERT(std::abs(o.energy.change - exact.energy.change) <= 1e-9 * exact.energy.scale());
  RC_ASSERT(std::abs(o.energy.friction - exact.energy.friction) <= 2e-9 * exact.energy.scale());
}

RC_GTEST_PROP(LzbInSpace, OneContactIsEnergetic, (std::uint64_t seed)) {
  const ContactProblem p = random_multi_problem(seed, 3, 1, 1);
  const Surface& s = p.surfaces[0];
  SpatialProblem one;
  one.G = {.nn = p.G(0, 0),
           .n1 = p.G(0, 1),
           .n2 = p.G(0, 2),
           .t11 = p.G(1, 1),
           .t12 = p.G(1, 2),
           .t22 = p.G(2, 2)};
  one.approach = {.n = p.approach[0], .t1 = p.approach[1], .t2 = p.approach[2]};
  one.surface.restitution = s.restitution;
  one.surface.friction = s.friction;
  one.surface.static_friction = s.static_friction;
  const SpatialOutcome exact = darboux_keller(one, Hypothesis::energetic, {.tolerance = 1e-12});
  // Steps are held to the tolerance by an estimate, which now and then misses where slip swings
  // round fast: one draw in two thousand ends at up to seven times the tolerance. A finer tolerance
  // takes other steps, and must come closer.
  const auto error = [&](double tolerance) {
    const Outcome o = solve_lzb(p, {.tolerance = tolerance});
    return apart(o.velocity, {exact.velocity.n, exact.velocity.t1, exact.velocity.t2}) / speed(p);
  };
  const double usual = error(1e-9);
  RC_ASSERT(usual <= 1e-8);
  if (usual > 2e-9) RC_ASSERT(error(1e-10) <= 2e-10);
}

RC_GTEST_PROP(LzbInThePlane, ConvergesWithTolerance, (std::uint64_t seed)) {
  const ContactProblem p = random_multi_problem(seed, 2, 2, 6);
  const Outcome fine = solve_lzb(p, {.tolerance = 1e-11});
  RC_ASSERT(apart(solve_lzb(p, {.tolerance = 1e-6}).velocity, fine.velocity) <= 1e-5 * speed(p));
  RC_ASSERT(apart(solve_lzb(p).velocity, fine.velocity) <= 1e-8 * speed(p));
}

RC_GTEST_PROP(LzbInSpace, ConvergesWithTolerance, (std::uint64_t seed)) {
  const ContactProblem p = random_multi_problem(seed, 3, 2, 4);
  const Outcome fine = solve_lzb(p, {.tolerance = 1e-11});
  RC_ASSERT(apart(solve_lzb(p, {.tolerance = 1e-6}).velocity, fine.velocity) <= 1e-5 * speed(p));
  RC_ASSERT(apart(solve_lzb(p).velocity, fine.velocity) <= 1e-8 * speed(p));
}

void check_order(const ContactProblem& p) {
  const std::size_t n = p.contacts();
  const std::size_t d = p.components();
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::rotate(order.begin(), order.begin() + 1, order.end());
  std::swap(order.front(), order.back());
  const Outcome o = solve_lzb(p);
  const Outcome other = solve_lzb(test::reordered(p, order));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t c = 0; c < d; ++c) {
      RC_ASSERT(std::abs(o.velocity[i * d + c] - other.velocity[order[i] * d + c]) <=
                1e-8 * speed(p));
    }
  }
}

RC_GTEST_PROP(LzbInThePlane, OrderOfContactsIsIrrelevant, (std::uint64_t seed)) {
  check_order(random_multi_problem(seed, 2, 2, 5));
}

RC_GTEST_PROP(LzbInSpace, OrderOfContactsIsIrrelevant, (std::uint64_t seed)) {
  check_order(random_multi_problem(seed, 3, 2, 4));
}

/// Lengths in units of 2^l, masses of 2^m, times of 2^t: velocities and impulses scale, no more.
RC_GTEST_PROP(LzbInThePlane, UnitsAreIrrelevant, (std::uint64_t seed)) {
  const ContactProblem p = random_multi_problem(seed, 2, 2, 4);
  test::Dice dice(seed);
  const double length = std::pow(10., dice.uniform(-9., 9.));
  const double mass = std::pow(10., dice.uniform(-9., 9.));
  const double time = std::pow(10., dice.uniform(-9., 9.));
  ContactProblem q = p;
  q.G = BlockMatrix::from_dense(p.G.dense() / mass, 2);
  for (double& v : q.approach) v *= length / time;
  for (Surface& s : q.surfaces) {
    s.stiffness *= mass * length / (time * time) / std::pow(length, s.exponent);
  }
  const Outcome o = solve_lzb(p);
  const Outcome r = solve_lzb(q);
  for (std::size_t k = 0; k < o.velocity.size(); ++k) {
    RC_ASSERT(std::abs(r.velocity[k] * time / length - o.velocity[k]) <= 1e-8 * speed(p));
  }
}

}  // namespace
}  // namespace carom
