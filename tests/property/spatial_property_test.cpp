// SPDX-License-Identifier: Apache-2.0
// `newton`, `poisson`, `energetic` in space against the equations that define them.
#include <support/spatial_generators.hpp>

#include <algorithm>
#include <cmath>

#include <carom/laws/darboux_keller/darboux_keller.hpp>
#include <carom/laws/routh.hpp>

namespace carom::test {
namespace {

constexpr double tight = 1e-12;

constexpr Hypothesis hypotheses[] = {Hypothesis::newton, Hypothesis::poisson,
                                     Hypothesis::energetic};

double energy_scale(const SpatialProblem& p, const SpatialOutcome& o) {
  return largest(o.impulse) * velocity_scale(p, o.impulse, o.velocity);
}

/// Normal impulse by stage, from the phases.
struct StageImpulse {
  double compression = 0.;
  double restitution = 0.;
};

StageImpulse stage_impulse(const SpatialOutcome& o) {
  StageImpulse sum;
  double before = 0.;
  for (const SpatialPhase& phase : o.phases) {
    (phase.stage == Stage::compression ? sum.compression : sum.restitution) +=
        phase.impulse.n - before;
    before = phase.impulse.n;
  }
  return sum;
}

/// Everything that must hold of any outcome with an impulse.
void check_outcome(const SpatialProblem& p, const SpatialOutcome& o, Hypothesis h,
                   double allowed = tight) {
  const double mu = p.surface.friction;
  const double mu_s = p.surface.static_friction;
  const double v_tol = allowed * velocity_scale(p, o.impulse, o.velocity);
  const double p_tol = allowed * largest(o.impulse);
  RC_ASSERT(!o.flags.has(Verdict::not_converged));
  RC_ASSERT(momentum_residual(p, o.impulse, o.velocity) <= allowed);
  RC_ASSERT(o.impulse.n > 0.);
  RC_ASSERT(o.velocity.n >= 0.);
  RC_ASSERT(tangential_size(o.impulse) <= mu_s * o.impulse.n + p_tol);

  // The ledger.
  const double e_tol = allowed * energy_scale(p, o);
  const double work = 0.5 * dot(o.impulse, p.approach + o.velocity);
  RC_ASSERT(std::abs(o.energy.change - work) <= e_tol);
  RC_ASSERT(o.energy.change == o.energy.normal + o.energy.friction);
  RC_ASSERT(o.energy.normal == o.energy.stages->compression + o.energy.stages->restitution);
  RC_ASSERT(o.energy.stages->compression <= 0.);
  RC_ASSERT(o.energy.stages->restitution >= -e_tol);
  RC_ASSERT(o.energy.friction <= 0.);
  if (h != Hypothesis::newton) {
    RC_ASSERT(!o.flags.has(Verdict::energy_gained));
    RC_ASSERT(o.energy.change <= e_tol);
  }

  // The phases.
  RC_ASSERT(!o.phases.empty());
  Vec3 P;
  Vec3 v = p.approach;
  bool stuck = false;
  for (const SpatialPhase& phase : o.phases) {
    const Vec3 dP = phase.impulse - P;
    RC_ASSERT(dP.n > 0.);
    RC_ASSERT(momentum_residual(p, phase.impulse, phase.velocity) <= allowed);
    if (phase.motion == Motion::stick) {
      stuck = true;
      RC_ASSERT(tangential_size(phase.velocity) == 0.);
      RC_ASSERT(tangential_size(v) <= v_tol);
      RC_ASSERT(tangential_size(dP) <= mu_s * dP.n + p_tol);
    } else {
      RC_ASSERT(!stuck);
      RC_ASSERT(tangential_size(dP) <= mu * dP.n + p_tol);
    }
    const double side = phase.stage == Stage::compression ? -1. : 1.;
    RC_ASSERT(side * v.n >= -v_tol && side * phase.velocity.n >= -v_tol);
    P = phase.impulse;
    v = phase.velocity;
  }
  RC_ASSERT(P == o.impulse);
  RC_ASSERT(largest(v - o.velocity) <= v_tol);
}

RC_GTEST_PROP(SpatialExact, BodiesObeyAllThatDefinesTheProcess, ()) {
  const auto p = *body_problems();
  for (const auto h : hypotheses) check_outcome(p, darboux_keller(p, h), h);
}

RC_GTEST_PROP(SpatialExact, AnyContactObeysAllThatDefinesTheProcess, (const SpatialProblem& p)) {
  for (const auto h : hypotheses) check_outcome(p, darboux_keller(p, h), h);
}

// e measured on the outcome is the e that went in.
RC_GTEST_PROP(SpatialExact, RestitutionMeansWhatTheHypothesisSays, (const SpatialProblem& p)) {
  const double e = p.surface.restitution;
  const auto newton = darboux_keller(p, Hypothesis::newton);
  if (!newton.flags.has(Verdict::target_unreachable)) {
    RC_ASSERT(std::abs(newton.velocity.n + e * p.approach.n) <= tight * std::abs(p.approach.n));
  }
  const auto [p_c, p_r] = stage_impulse(darboux_keller(p, Hypothesis::poisson));
  RC_ASSERT(std::abs(p_r - e * p_c) <= tight * p_c);
  const auto energetic = darboux_keller(p, Hypothesis::energetic);
  const StageWork& work = *energetic.energy.stages;
  RC_ASSERT(std::abs(work.restitution + e * e * work.compression) <= -tight * work.compression);
}

/// Velocity, relative to what it is small against.
double difference(const SpatialProblem& p, const SpatialOutcome& a, const SpatialOutcome& b) {
  return std::max(
      {largest(a.velocity - b.velocity) / velocity_scale(p, a.impulse, a.velocity),
       largest(a.impulse - b.impulse) / largest(a.impulse),
       std::abs(a.energy.change - b.energy.change) / energy_scale(p, a),
       std::abs(a.energy.friction - b.energy.friction) / energy_scale(p, a),
       std::abs(a.energy.stages->compression - b.energy.stages->compression) / energy_scale(p, a)});
}

// With mu_s > mu outcomes jump: where slip just stops it sticks, where it just does not it slips
// on.
RC_GTEST_PROP(SpatialExact, ToleranceIsKept, ()) {
  auto p = *body_problems();
  p.surface.static_friction = p.surface.friction;
  for (const auto h : hypotheses) {
    const auto best = darboux_keller(p, h, {.tolerance = 1e-14});
    for (const double tolerance : {1e-3, 1e-6, 1e-9, 1e-12}) {
      const auto o = darboux_keller(p, h, {.tolerance = tolerance});
      RC_ASSERT(difference(p, best, o) <= tolerance);
      RC_ASSERT(o.tolerance == tolerance || o.tolerance == 0.);
    }
  }
}

// Confined to a plane it is the planar law, exact but for rounding.
RC_GTEST_PROP(SpatialExact, IsRouthInAPlane, (const PlanarProblem& planar)) {
  const double across = std::pow(10., *thousandths(-2000, 2000));
  const SpatialProblem p = in_space(planar, across);
  // Nearly singular contacts magnify rounding.
  const double rho = planar.G.nt / std::sqrt(planar.G.nn * planar.G.tt);
  const double allowed = tight + 5e-14 / (1. - rho * rho);
  for (const auto h : hypotheses) {
    const auto o = darboux_keller(p, h);
    const auto r = routh(planar, h);
    const double v_tol = allowed * velocity_scale(p, o.impulse, o.velocity);
    const double p_tol = allowed * largest(o.impulse);
    const double e_tol = allowed * energy_scale(p, o);
    RC_ASSERT(std::abs(o.velocity.n - r.velocity.n) <= v_tol);
    RC_ASSERT(std::abs(o.velocity.t1 - r.velocity.t) <= v_tol);
    RC_ASSERT(o.velocity.t2 == 0. && o.impulse.t2 == 0.);
    RC_ASSERT(std::abs(o.impulse.n - r.impulse.n) <= p_tol);
    RC_ASSERT(std::abs(o.impulse.t1 - r.impulse.t) <= p_tol);
    RC_ASSERT(std::abs(o.energy.change - r.energy.change) <= e_tol);
    RC_ASSERT(std::abs(o.energy.friction - r.energy.friction) <= e_tol);
    RC_ASSERT(std::abs(o.energy.stages->compression - r.energy.stages->compression) <= e_tol);
    RC_ASSERT(o.tolerance == 0.);
    RC_ASSERT(o.flags.has(Verdict::jam) == r.flags.has(Verdict::jam));
    RC_ASSERT(!o.flags.has(Verdict::recompressed));
    // A label may change where two events fall together.
    const bool tie = std::ranges::any_of(r.phases, [&](const PlanarPhase& a) {
      return std::ranges::any_of(r.phases, [&](const PlanarPhase& b) {
        return &a != &b && std::abs(a.impulse.n - b.impulse.n) <= 1e-9 * r.impulse.n;
      });
    });
    const bool stops_at_end = std::abs(r.velocity.t) <= 1e-9 * v_tol / allowed;
    if (!tie && !stops_at_end) RC_ASSERT(o.mode == r.mode);
  }
}

// A homogeneous sphere: slip keeps its direction to the bit of its axis.
RC_GTEST_PROP(SpatialExact, ASphereDoesNotSwerve, (const SpatialProblem& drawn)) {
  SpatialProblem p = drawn;
  RC_PRE(tangential_size(p.approach) > 0.);
  p.G = {.nn = 1., .t11 = 3.5, .t22 = 3.5};
  for (const auto h : hypotheses) {
    const auto o = darboux_keller(p, h);
    const double s = tangential_size(p.approach);
    const double across = (o.velocity.t1 * p.approach.t2 - o.velocity.t2 * p.approach.t1) / (s * s);
    RC_ASSERT(std::abs(across) <= 1e-14);
    RC_ASSERT(o.tolerance == 0.);
    // The tangential impulse that stops slip, or all that friction gives.
    const double e = p.surface.restitution;
    const double size = std::min(p.surface.friction * (1. + e), s / 3.5);
    RC_ASSERT(std::abs(tangential_size(o.impulse) - size) <= 1e-13 * (1. + e + s));
    RC_ASSERT(std::abs(o.velocity.n - e) <= 1e-14);
  }
}

RC_GTEST_PROP(SpatialExact, TangentsMayBeTurned, ()) {
  const auto p = *body_problems();
  const double angle = *thousandths(-3142, 3142);
  const auto q = turned(p, angle);
  for (const auto h : hypotheses) {
    const auto a = darboux_keller(p, h);
    const auto b = darboux_keller(q, h);
    const double scale = velocity_scale(p, a.impulse, a.velocity);
    RC_ASSERT(largest(b.velocity - turned(a.velocity, angle)) <= tight * scale);
    RC_ASSERT(largest(b.impulse - turned(a.impulse, angle)) <= tight * largest(a.impulse));
    RC_ASSERT(std::abs(a.energy.change - b.energy.change) <= tight * energy_scale(p, a));
  }
}

// Powers of two: the same bits.
RC_GTEST_PROP(SpatialExact, UnitsDoNotMatterToTheBit, (const SpatialProblem& p)) {
  const double m = std::ldexp(1., *rc::gen::inRange(-30, 31));
  const double u = std::ldexp(1., *rc::gen::inRange(-30, 31));
  const auto q = in_other_units(p, m, u);
  for (const auto h : hypotheses) {
    const auto a = darboux_keller(p, h);
    const auto b = darboux_keller(q, h);
    RC_ASSERT(b.velocity == u * a.velocity);
    RC_ASSERT(b.impulse == (m * u) * a.impulse);
    RC_ASSERT(b.energy.change == m * u * u * a.energy.change);
    RC_ASSERT(b.mode == a.mode && b.flags == a.flags);
    RC_ASSERT(b.phases.size() == a.phases.size());
    for (std::size_t i = 0; i < a.phases.size(); ++i) {
      RC_ASSERT(b.phases[i].velocity == u * a.phases[i].velocity);
      RC_ASSERT(b.phases[i].impulse == (m * u) * a.phases[i].impulse);
    }
  }
}

RC_GTEST_PROP(SpatialExact, UnitsDoNotMatter, ()) {
  const auto p = *body_problems();
  const double m = std::pow(10., *rc::gen::inRange(-9, 10));
  const double u = std::pow(10., *rc::gen::inRange(-9, 10));
  const auto q = in_other_units(p, m, u);
  for (const auto h : hypotheses) {
    const auto a = darboux_keller(p, h);
    auto b = darboux_keller(q, h);
    b.velocity = (1. / u) * b.velocity;
    b.impulse = (1. / (m * u)) * b.impulse;
    RC_ASSERT(largest(b.velocity - a.velocity) <= tight * velocity_scale(p, a.impulse, a.velocity));
    RC_ASSERT(largest(b.impulse - a.impulse) <= tight * largest(a.impulse));
  }
}

RC_GTEST_PROP(SpatialExact, HypothesesCoincideWithoutRestitution, (const SpatialProblem& drawn)) {
  SpatialProblem p = drawn;
  p.surface.restitution = 0.;
  const auto newton = darboux_keller(p, Hypothesis::newton);
  RC_ASSERT(newton.velocity.n == 0.);
  RC_ASSERT(darboux_keller(p, Hypothesis::poisson) == newton);
  RC_ASSERT(darboux_keller(p, Hypothesis::energetic) == newton);
}

RC_GTEST_PROP(SpatialExact, HypothesesCoincideWithoutFriction, (const SpatialProblem& drawn)) {
  SpatialProblem p = drawn;
  p.surface.friction = p.surface.static_friction = 0.;
  const double impulse = -(1. + p.surface.restitution) * p.approach.n / p.G.nn;
  const Vec3 after = p.approach + p.G * Vec3{.n = impulse};
  for (const auto h : hypotheses) {
    const auto o = darboux_keller(p, h);
    RC_ASSERT(std::abs(o.impulse.n - impulse) <= 1e-14 * impulse);
    RC_ASSERT(o.impulse.t1 == 0. && o.impulse.t2 == 0.);
    RC_ASSERT(largest(o.velocity - after) <= 1e-14 * velocity_scale(p, o.impulse, after));
    RC_ASSERT(o.tolerance == 0.);
  }
}

// Where G is singular and the contact locks, v_n within the tolerance of zero counts as zero.
constexpr double snapped = 4. * tight;

// A singular G: an answer that obeys momentum, the cone and the energy, or a verdict that there is
// none.
RC_GTEST_PROP(SpatialExact, SingularContactsAreAnsweredOrSaidToHaveNoSolution, ()) {
  const auto p = *singular_spatial_problems();
  for (const auto h : hypotheses) {
    const auto o = darboux_keller(p, h);
    if (o.flags.has(Verdict::no_solution) || o.flags.has(Verdict::no_impulse)) {
      RC_ASSERT(o.velocity == p.approach && o.impulse == Vec3{});
      // A grazing contact that jams may have none either.
      RC_ASSERT(o.flags.has(Verdict::no_solution) || p.approach.n == 0.);
      continue;
    }
    check_outcome(p, o, h, snapped);
  }
}

// What an impulse in the cone would bring to rest has an answer, however singular G is.
RC_GTEST_PROP(SpatialExact, ApproachInTheRangeIsAnswered, ()) {
  SpatialProblem p = *singular_spatial_problems();
  RC_PRE(p.G.nn > 0.);
  const Vec3 impulse{.n = 1. * *rc::gen::inRange(300, 1000),
                     .t1 = 1. * *rc::gen::inRange(-5, 6),
                     .t2 = 1. * *rc::gen::inRange(-5, 6)};
  p.approach = -1. * (p.G * impulse);
  p.surface.friction = p.surface.static_friction = *thousandths(30, 5000);
  for (const auto h : hypotheses) {
    const auto o = darboux_keller(p, h);
    RC_ASSERT(!o.flags.has(Verdict::no_solution));
    check_outcome(p, o, h, snapped);
  }
}

// A grazing approach is the limit of slower and slower ones.
RC_GTEST_PROP(SpatialExact, GrazingIsTheLimit, ()) {
  SpatialProblem p = *body_problems(5.);
  const double s = tangential_size(p.approach);
  RC_PRE(s > 0.);
  p.approach.n = 0.;
  SpatialProblem nearly = p;
  nearly.approach.n = -1e-11 * s;
  const double slope =
      p.G.nn - p.surface.friction * (p.G.n1 * p.approach.t1 + p.G.n2 * p.approach.t2) / s;
  RC_PRE(std::abs(slope) > 1e-2 * p.G.nn);
  for (const auto h : hypotheses) {
    const auto o = darboux_keller(p, h);
    const auto limit = darboux_keller(nearly, h);
    const double scale = velocity_scale(nearly, limit.impulse, limit.velocity);
    RC_ASSERT(largest(o.velocity - limit.velocity) <= 1e-5 * scale);
    RC_ASSERT((o.impulse.n > 0.) == (slope < 0.));
    RC_ASSERT(o.flags.has(slope < 0. ? Verdict::jam : Verdict::no_impulse));
    if (slope < 0.) check_outcome(p, o, h);
  }
}

}  // namespace
}  // namespace carom::test
