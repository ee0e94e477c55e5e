// SPDX-License-Identifier: Apache-2.0
// The way through the exact process in space, sampled, against its outcome and its equations; and
// the rays on which slip keeps its direction.
#include <support/spatial_generators.hpp>

#include <algorithm>
#include <cmath>

#include <carom/laws/darboux_keller/darboux_keller.hpp>
#include <carom/laws/darboux_keller/invariant_rays.hpp>
#include <carom/laws/darboux_keller/path.hpp>

namespace carom::test {
namespace {

constexpr double tight = 1e-11;

constexpr Hypothesis hypotheses[] = {Hypothesis::newton, Hypothesis::poisson,
                                     Hypothesis::energetic};

/// The scale of energies on the way.
double energy_scale(const SpatialProblem& p, const SpatialOutcome& o) {
  return largest(o.impulse) * velocity_scale(p, o.impulse, o.velocity);
}

void assert_ends(const SpatialProblem& p, const SpatialOutcome& o,
                 const std::vector<SpatialPathPoint>& path) {
  RC_ASSERT(path.front().impulse == Vec3{});
  RC_ASSERT(path.front().velocity == p.approach);
  RC_ASSERT(path.front().work() == 0.);
  RC_ASSERT(path.back().impulse == o.impulse);
  RC_ASSERT(path.back().velocity == o.velocity);
  const double tolerance = tight * energy_scale(p, o);
  RC_ASSERT(std::abs(path.back().normal_work - o.energy.normal) <= tolerance);
  RC_ASSERT(std::abs(path.back().friction_work - o.energy.friction) <= tolerance);
}

void assert_phases(const SpatialOutcome& o, const std::vector<SpatialPathPoint>& path) {
  std::size_t phases = 0;
  for (const SpatialPathPoint& x : path) {
    if (!x.ends_phase) continue;
    const std::size_t i = phases++;
    if (i >= o.phases.size()) continue;
    RC_ASSERT(x.impulse == o.phases[i].impulse);
    RC_ASSERT(x.velocity == o.phases[i].velocity || i + 1 == o.phases.counted());
    RC_ASSERT(x.stage == o.phases[i].stage);
    RC_ASSERT(x.motion == o.phases[i].motion);
  }
  RC_ASSERT(phases == o.phases.counted());
}

/// What must hold at each sample and from one to the next.
void assert_samples(const SpatialProblem& p, const SpatialOutcome& o,
                    const std::vector<SpatialPathPoint>& path) {
  const double mu = p.surface.friction;
  const double mu_s = p.surface.static_friction;
  const double p_tol = tight * largest(o.impulse);
  const double v_tol = tight * velocity_scale(p, o.impulse, o.velocity);
  for (std::size_t i = 0; i < path.size(); ++i) {
    const SpatialPathPoint& x = path[i];
    RC_ASSERT(largest(p.approach + p.G * x.impulse - x.velocity) <= v_tol);
    const double held = x.motion == Motion::stick ? mu_s : mu;
    RC_ASSERT(length(x.friction) <= held * (1. + 1e-9));
    RC_ASSERT(length(tangential(x.impulse)) <= mu_s * x.impulse.n + p_tol);
    // Friction opposes slip.
    const Tangent u = tangential(x.velocity);
    if (x.motion == Motion::slip && length(u) > 1e3 * v_tol) {
      RC_ASSERT(length(x.friction + (mu / length(u)) * u) <= 1e-5 * mu);
    }
    if (x.motion == Motion::stick) RC_ASSERT(length(u) <= v_tol);
    const double side = x.stage == Stage::compression ? -1. : 1.;
    RC_ASSERT(side * x.velocity.n >= -v_tol);
    if (i == 0) continue;
    const SpatialPathPoint& before = path[i - 1];
    const Vec3 dP = x.impulse - before.impulse;
    RC_ASSERT(dP.n > 0. || (dP == Vec3{} && x.velocity == before.velocity));
    RC_ASSERT(x.friction_work <= before.friction_work + tight * energy_scale(p, o));
  }
}

/// Work between samples that are close together is force times way.
void assert_work(const SpatialProblem& p, const SpatialOutcome& o,
                 const std::vector<SpatialPathPoint>& path) {
  double off = 0.;
  double work = 0.;
  for (std::size_t i = 1; i < path.size(); ++i) {
    work +=
        0.5 * dot(path[i].velocity + path[i - 1].velocity, path[i].impulse - path[i - 1].impulse);
    off = std::max(off, std::abs(work - path[i].work()));
  }
  RC_ASSERT(off <= tight * energy_scale(p, o) * static_cast<double>(path.size()));
}

void assert_path(const SpatialProblem& p) {
  for (const auto h : hypotheses) {
    const auto o = darboux_keller(p, h);
    const auto path = spatial_path(p, h, {}, 6);
    assert_ends(p, o, path);
    if (o.impulse == Vec3{}) {
      RC_ASSERT(path.size() == 1);
      continue;
    }
    assert_phases(o, path);
    assert_samples(p, o, path);
    assert_work(p, o, path);
  }
}

RC_GTEST_PROP(SpatialPath, LeadsThroughTheProcessOfBodies, ()) { assert_path(*body_problems()); }

RC_GTEST_PROP(SpatialPath, LeadsThroughTheProcessOfAnyContact, (const SpatialProblem& p)) {
  assert_path(p);
}

RC_GTEST_PROP(SpatialPath, EndsAtTheOutcomeOfSingularContacts, ()) {
  const auto p = *singular_spatial_problems();
  for (const auto h : hypotheses) assert_ends(p, darboux_keller(p, h), spatial_path(p, h));
}

// A straight line from one sample to the next misses the curve by little.
RC_GTEST_PROP(SpatialPath, IsDense, ()) {
  const auto p = *body_problems();
  const auto path = spatial_path(p, Hypothesis::poisson);
  for (std::size_t i = 2; i < path.size(); ++i) {
    const Tangent a = path[i - 1].friction;
    const Tangent b = path[i].friction;
    if (path[i].impulse == path[i - 1].impulse) continue;
    // Slip that is no more than rounding has no direction.
    const double speed = std::abs(p.approach.n) + length(tangential(p.approach));
    if (length(tangential(path[i].velocity)) <= 1e-13 * speed) continue;
    RC_ASSERT(length(b - a) <= 0.1 * p.surface.friction);
  }
}

// More samples are more points of the same way.
RC_GTEST_PROP(SpatialPath, DoesNotDependOnHowManySamples, ()) {
  const auto p = *body_problems();
  const auto few = spatial_path(p, Hypothesis::energetic, {}, 3);
  const auto more = spatial_path(p, Hypothesis::energetic, {}, 12);
  const auto o = darboux_keller(p, Hypothesis::energetic);
  std::size_t j = 0;
  for (const SpatialPathPoint& x : few) {
    const double p_tol = tight * o.impulse.n;
    while (j < more.size() && more[j].impulse.n < x.impulse.n - p_tol) ++j;
    RC_ASSERT(j < more.size());
    RC_ASSERT(std::abs(more[j].impulse.n - x.impulse.n) <= 2. * p_tol);
    RC_ASSERT(largest(more[j].velocity - x.velocity) <=
              100. * tight * velocity_scale(p, o.impulse, o.velocity));
  }
}

RC_GTEST_PROP(InvariantRays, KeepTheirDirection, (const SpatialProblem& p)) {
  const SlipFlow flow(p.G, p.surface.friction);
  const auto rays = invariant_rays(p);
  std::size_t diverging = 0;
  for (const InvariantRay& ray : rays) {
    RC_ASSERT(std::abs(flow.turning(ray.direction)) <= 1e-12 * flow.rate());
    RC_ASSERT(ray.growth == flow.growth(ray.direction));
    if (ray.converges() || ray.growth <= 1e-9 * flow.rate()) continue;
    ++diverging;
    RC_ASSERT(ray.attracts());
  }
  // There is a way out exactly where friction cannot hold.
  const bool holds = flow.after_slip(p.surface.friction).sticks;
  RC_ASSERT(diverging <= 1U);
  if (!holds && diverging == 0U) {  // but for rounding
    RC_ASSERT(flow.after_slip(p.surface.friction * (1. + 1e-6)).sticks);
  }
  if (holds) RC_ASSERT(diverging == 0U);
}

TEST(InvariantRays, OfASphereAreAll) {
  SpatialProblem p;
  p.G = {.nn = 1., .t11 = 3.5, .t22 = 3.5};
  p.approach = {.n = -1., .t1 = 1.};
  p.surface.friction = p.surface.static_friction = 0.3;
  EXPECT_TRUE(invariant_rays(p).empty());
}

// A contact with a plane of symmetry: rays along it, and with little coupling a pair across.
TEST(InvariantRays, LieInThePlaneOfSymmetry) {
  SpatialProblem p;
  p.G = {.nn = 2., .n1 = 0.5, .t11 = 1., .t22 = 4.};
  p.approach = {.n = -1.};
  p.surface.friction = p.surface.static_friction = 0.5;
  const auto rays = invariant_rays(p);
  ASSERT_EQ(rays.size(), 4U);
  // (mu A + g) e = b across the plane: g = -mu A_22, e_1 = b/(mu (A_11 - A_22)).
  EXPECT_NEAR(rays[0].direction.t1, -1. / 3., 1e-12);
  EXPECT_NEAR(rays[1].direction.t1, -1., 1e-12);
  EXPECT_NEAR(rays[2].direction.t1, -1. / 3., 1e-12);
  EXPECT_NEAR(rays[3].direction.t1, 1., 1e-12);
  EXPECT_NEAR(rays[0].growth, -2., 1e-12);
  EXPECT_NEAR(rays[1].growth, -1., 1e-12);
  EXPECT_NEAR(rays[3].growth, 0., 1e-12);
  EXPECT_FALSE(rays[0].attracts());
  EXPECT_TRUE(rays[1].attracts());
  EXPECT_TRUE(rays[3].attracts());
}

}  // namespace
}  // namespace carom::test
