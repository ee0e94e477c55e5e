// SPDX-License-Identifier: Apache-2.0
// `compliant` in space against the equations that define it, against `compliant` in the plane, and
// against `energetic`, its rigid limit.
#include <support/spatial_generators.hpp>

#include <algorithm>
#include <cmath>

#include <carom/core/tangent.hpp>
#include <carom/laws/compliant.hpp>
#include <carom/laws/compliant_space/compliant_space.hpp>
#include <carom/laws/darboux_keller/darboux_keller.hpp>

namespace carom::test {
namespace {

constexpr double tight = 1e-11;

/// How far impulses may be off.
double impulse_scale(const SpatialOutcome& o) { return largest(o.impulse); }

/// Springs from stiff to soft tangentially, compared with the contact's own inertia.
SpatialProblem with_springs(SpatialProblem p, double log_ratio) {
  p.surface.static_friction = p.surface.friction;
  p.surface.compliance_ratio = std::pow(10., log_ratio);
  return p;
}

rc::Gen<SpatialProblem> sprung(int least = -3000, int most = 2000) {
  return rc::gen::map(
      rc::gen::pair(rc::gen::oneOf(spatial_problems(), body_problems()), thousandths(least, most)),
      [](const auto& drawn) { return with_springs(drawn.first, drawn.second); });
}

/// Where slip can pull the contact in, it may chatter more often than is followed, and says so.
bool gives_up(const SpatialProblem& p, const SpatialOutcome& o) {
  if (!o.flags.has(Verdict::not_converged)) return false;
  RC_ASSERT(p.surface.friction * length(coupling(p.G)) > p.G.nn);
  RC_ASSERT(o.velocity == p.approach && o.impulse == Vec3{});
  return true;
}

/// Strongly coupled contacts magnify errors.
double difference(const SpatialProblem& p, const SpatialOutcome& a, const Vec3& velocity) {
  return largest(a.velocity - velocity) / velocity_scale(p, a.impulse, velocity);
}

RC_GTEST_PROP(CompliantSpace, ObeysMomentumAndTheLedgerCloses, ()) {
  const auto p = *sprung();
  const auto o = compliant(p);
  if (gives_up(p, o)) return;
  RC_ASSERT(o.impulse.n > 0.);
  RC_ASSERT(o.velocity.n >= 0.);
  RC_ASSERT(momentum_residual(p, o.impulse, o.velocity) <= 1e-13);
  const double scale = impulse_scale(o) * velocity_scale(p, o.impulse, o.velocity);
  const double work = 0.5 * dot(o.impulse, p.approach + o.velocity);
  RC_ASSERT(std::abs(o.energy.change - work) <= 1e-13 * scale);
  RC_ASSERT(std::abs(o.energy.normal + o.energy.friction - o.energy.change) <= 1e-13 * scale);
  RC_ASSERT(o.energy.normal == o.energy.stages->compression + o.energy.stages->restitution);
}

// The work of the normal impulse along the path, by the trapezoidal rule corrected with the slopes
// dv_n/dp = G_nn + b.dP_T/dp at both ends, is that of the ledger: it is computed there from the
// force of the spring. Not where slip can pull the contact in: v_n then goes up and down between
// points.
RC_GTEST_PROP(CompliantSpace, NormalWorkIsThatOfThePath, ()) {
  const auto p = *sprung(-2000, 1000);
  if (p.surface.friction * length(coupling(p.G)) > p.G.nn) return;
  const auto o = compliant(p);
  const auto path = compliant_path(p, {}, 64);
  double work = 0.;
  double size = 0.;
  for (std::size_t i = 1; i < path.size(); ++i) {
    const SpatialPathPoint& from = path[i - 1];
    const SpatialPathPoint& to = path[i];
    const auto slope = [&](const SpatialPathPoint& x) {
      return p.G.nn + dot(coupling(p.G), x.friction);
    };
    const double dp = to.impulse.n - from.impulse.n;
    work +=
        0.5 * dp * (from.velocity.n + to.velocity.n) + dp * dp / 12. * (slope(from) - slope(to));
    size += dp * (std::abs(from.velocity.n) + std::abs(to.velocity.n));
  }
  RC_ASSERT(std::abs(work - o.energy.normal) <= 0.02 * size);
}

RC_GTEST_PROP(CompliantSpace, NeverGainsAndReturnsTheSquareOfRestitution, ()) {
  const auto p = *sprung();
  const auto o = compliant(p);
  RC_ASSERT(!o.flags.has(Verdict::energy_gained));
  RC_ASSERT(o.energy.change <= 0.);
  const double e = p.surface.restitution;
  const StageWork work = *o.energy.stages;
  RC_ASSERT(std::abs(work.restitution + e * e * work.compression) <= -1e-13 * work.compression);
  RC_ASSERT(tangential_size(o.impulse) <= p.surface.friction * o.impulse.n * (1. + 1e-13));
}

// The phases follow one another, obey momentum, and stay within the friction cone.
RC_GTEST_PROP(CompliantSpace, PhasesFollowCoulomb, ()) {
  const auto p = *sprung();
  const auto o = compliant(p);
  if (gives_up(p, o)) return;
  RC_ASSERT(!o.phases.empty());
  RC_ASSERT(o.phases[0].stage == Stage::compression);
  const double p_tol = tight * impulse_scale(o);
  Vec3 P;
  for (const auto& phase : o.phases) {
    RC_ASSERT(momentum_residual(p, phase.impulse, phase.velocity) <= 1e-13);
    const Vec3 dP = phase.impulse - P;
    RC_ASSERT(dP.n > 0.);
    RC_ASSERT(tangential_size(dP) <= p.surface.friction * dP.n + p_tol);
    P = phase.impulse;
  }
  if (o.phases.counted() > o.phases.size()) return;
  const SpatialPhase& last = o.phases[o.phases.size() - 1];
  RC_ASSERT(last.impulse == o.impulse);
  RC_ASSERT(last.velocity == o.velocity);
}

/// A problem of the plane, in a plane of space that is turned about the normal.
RC_GTEST_PROP(CompliantSpace, EqualsThePlanarLawInAPlane, ()) {
  const auto [drawn, log_ratio, across, angle] =
      *rc::gen::tuple(problems({.static_friction = false}), thousandths(-3000, 2000),
                      thousandths(1, 5000), thousandths(-3142, 3142));
  PlanarProblem planar = drawn;
  planar.surface.compliance_ratio = std::pow(10., log_ratio) * planar.G.tt / planar.G.nn;
  SpatialProblem straight = test::in_space(planar, across * planar.G.tt);
  straight.surface.compliance_ratio = planar.surface.compliance_ratio;
  const auto expected = compliant(planar);
  const Vec3 v{.n = expected.velocity.n, .t1 = expected.velocity.t, .t2 = 0.};
  const auto a = compliant(straight);
  if (expected.flags.has(Verdict::not_converged) || gives_up(straight, a)) return;
  RC_ASSERT(difference(straight, a, v) <= 1e-11);
  RC_ASSERT(a.velocity.t2 == 0.);
  RC_ASSERT(a.impulse.t2 == 0.);
  RC_ASSERT(a.flags.has(Verdict::recompressed) == expected.flags.has(Verdict::recompressed));
  RC_ASSERT(a.flags.has(Verdict::jam) == expected.flags.has(Verdict::jam));
  const auto tilted = turned(straight, angle);
  const auto b = compliant(tilted);
  if (gives_up(tilted, b)) return;
  // Slip against v_T, which a spring can cause, is unstable to the side: rounding grows.
  RC_ASSERT(difference(tilted, b, turned(v, angle)) <= 1e-8);
}

RC_GTEST_PROP(CompliantSpace, TangentsMayBeTurned, ()) {
  const auto p = *sprung(-2000, 1500);
  const double angle = *thousandths(-3142, 3142);
  const auto a = compliant(p);
  const auto b = compliant(turned(p, angle));
  RC_ASSERT(a.flags.has(Verdict::not_converged) == b.flags.has(Verdict::not_converged));
  RC_ASSERT(difference(p, b, turned(a.velocity, angle)) <= 1e-9);
}

RC_GTEST_PROP(CompliantSpace, UnitsDoNotMatter, ()) {
  const auto p = *sprung();
  const auto a = compliant(p);
  if (gives_up(p, a)) return;
  // By powers of two, bit for bit.
  const double mass = std::ldexp(1., *rc::gen::inRange(-30, 31));
  const double speed = std::ldexp(1., *rc::gen::inRange(-30, 31));
  const auto b = compliant(in_other_units(p, mass, speed));
  RC_ASSERT(b.velocity == speed * a.velocity);
  RC_ASSERT(b.impulse == (mass * speed) * a.impulse);
  // By powers of ten, to rounding.
  for (const double factor : {1e-9, 1e9}) {
    const auto c = compliant(in_other_units(p, factor, 1. / factor));
    RC_ASSERT(largest((factor * c.velocity) - a.velocity) <=
              1e-9 * velocity_scale(p, a.impulse, a.velocity));
  }
}

RC_GTEST_PROP(CompliantSpace, IsDeterministic, ()) {
  const auto p = *sprung();
  RC_ASSERT(compliant(p) == compliant(p));
}

// As the tangential spring stiffens the slider's law becomes Coulomb's, and the rest is energetic.
RC_GTEST_PROP(CompliantSpace, TendsToEnergetic, ()) {
  const auto drawn = *body_problems(1.);
  auto p = with_springs(drawn, -3.);
  const auto limit = darboux_keller(p, Hypothesis::energetic);
  // Away from the edges of stick and slip, where the limit is not uniform.
  auto rougher = p;
  rougher.surface.friction = rougher.surface.static_friction = 1.02 * p.surface.friction;
  const auto near = darboux_keller(rougher, Hypothesis::energetic);
  RC_PRE(limit.mode == near.mode);
  RC_PRE(p.surface.friction * length(coupling(p.G)) < 0.9 * p.G.nn);
  for (const double log_ratio : {-3., -5.}) {
    p = with_springs(drawn, log_ratio);
    const auto o = compliant(p);
    RC_ASSERT(!o.flags.has(Verdict::not_converged));
    const double periods = std::sqrt(p.surface.compliance_ratio);
    RC_ASSERT(difference(p, o, limit.velocity) <= 30. * periods);
  }
}

// The path begins at the approach, ends at the outcome, and its impulse increases.
RC_GTEST_PROP(CompliantSpace, PathLeadsToTheOutcome, ()) {
  const auto p = *sprung();
  const auto o = compliant(p);
  const auto path = compliant_path(p);
  RC_ASSERT(path.front().impulse == Vec3{});
  RC_ASSERT(path.front().velocity == p.approach);
  RC_ASSERT(path.back().impulse == o.impulse);
  RC_ASSERT(path.back().velocity == o.velocity);
  if (gives_up(p, o)) return;
  const double scale = impulse_scale(o) * velocity_scale(p, o.impulse, o.velocity);
  RC_ASSERT(std::abs(path.back().work() - o.energy.change) <= tight * scale);
  std::size_t ends = 0;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const SpatialPathPoint& x = path[i];
    if (x.ends_phase) ++ends;
    RC_ASSERT(momentum_residual(p, x.impulse, x.velocity) <= 1e-12);
    if (i > 0) RC_ASSERT(x.impulse.n >= path[i - 1].impulse.n);
    RC_ASSERT(tangential_size({.n = 0., .t1 = x.friction.t1, .t2 = x.friction.t2}) <=
              p.surface.friction * (1. + 1e-6));
  }
  RC_ASSERT(ends == o.phases.counted());
}

RC_GTEST_PROP(CompliantSpace, SingularContactsHaveAVerdict, ()) {
  auto p = *singular_spatial_problems();
  p.surface.compliance_ratio = std::pow(10., *thousandths(-2000, 2000));
  const auto o = compliant(p);
  RC_ASSERT(std::isfinite(o.velocity.n + o.velocity.t1 + o.velocity.t2 + o.energy.change));
  if (o.impulse == Vec3{}) {
    RC_ASSERT(o.velocity == p.approach);
    RC_ASSERT(o.verdict() != Verdict::ordinary);
    return;
  }
  RC_ASSERT(o.velocity.n >= 0.);
  RC_ASSERT(momentum_residual(p, o.impulse, o.velocity) <= 1e-12);
}

}  // namespace
}  // namespace carom::test
