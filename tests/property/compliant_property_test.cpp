// SPDX-License-Identifier: Apache-2.0
// `compliant` against the equations that define it, and against `energetic`, its rigid limit.
#include <support/generators.hpp>

#include <algorithm>
#include <cmath>

#include <carom/core/circular.hpp>
#include <carom/impact/labels.hpp>
#include <carom/laws/compliant.hpp>
#include <carom/laws/routh.hpp>

namespace carom::test {
namespace {

constexpr double tight = 1e-11;

double energy_scale(const PlanarProblem& p, const PlanarOutcome& o) {
  return (std::abs(o.impulse.n) + std::abs(o.impulse.t)) * velocity_scale(p, o.impulse, o.velocity);
}

/// Springs from stiff to soft tangentially, as against the contact's own inertia.
PlanarProblem with_springs(PlanarProblem p, double log_ratio) {
  p.surface.static_friction = p.surface.friction;
  p.surface.compliance_ratio = std::pow(10., log_ratio) * p.G.tt / p.G.nn;
  return p;
}

/// Where slip can pull the contact in, it may chatter more often than is followed,
/// and says so.
bool gives_up(const PlanarProblem& p, const PlanarOutcome& o) {
  if (!o.flags.has(Verdict::not_converged)) return false;
  RC_ASSERT(p.surface.friction * std::abs(p.G.nt) > p.G.nn);
  RC_ASSERT(o.velocity == p.approach && o.impulse == Vec2{});
  return true;
}

rc::Gen<PlanarProblem> sprung() {
  return rc::gen::map(rc::gen::pair(problems({.static_friction = false}), thousandths(-3000, 2000)),
                      [](const auto& drawn) { return with_springs(drawn.first, drawn.second); });
}

RC_GTEST_PROP(Circular, AgreesWithTheLibrary, ()) {
  const double x = *rc::gen::inRange(-1'000'000, 1'000'000) / 997.;
  const auto [c, s] = cos_sin(x);
  RC_ASSERT(std::abs(c - std::cos(x)) <= 3e-16);
  RC_ASSERT(std::abs(s - std::sin(x)) <= 3e-16);
}

RC_GTEST_PROP(Compliant, ObeysMomentumAndTheLedgerCloses, ()) {
  const auto p = *sprung();
  const auto o = compliant(p);
  if (gives_up(p, o)) return;
  RC_ASSERT(o.impulse.n > 0.);
  RC_ASSERT(o.velocity.n >= 0.);
  RC_ASSERT(momentum_residual(p, o.impulse, o.velocity) <= tight);
  const double work = 0.5 * dot(o.impulse, p.approach + o.velocity);
  RC_ASSERT(std::abs(o.energy.change - work) <= tight * energy_scale(p, o));
}

RC_GTEST_PROP(Compliant, NeverGainsAndReturnsTheSquareOfRestitution, ()) {
  const auto p = *sprung();
  const auto o = compliant(p);
  RC_ASSERT(!o.flags.has(Verdict::energy_gained));
  const double e = p.surface.restitution;
  if (!o.flags.has(Verdict::recompressed)) {
    RC_ASSERT(std::abs(o.energy.stages->restitution + e * e * o.energy.stages->compression) <=
              -tight * o.energy.stages->compression);
  }
  RC_ASSERT(std::abs(o.impulse.t) <= p.surface.friction * o.impulse.n * (1. + tight));
}

// The phases follow one another, obey momentum, and report what slip friction allows in each.
RC_GTEST_PROP(Compliant, PhasesFollowCoulomb, ()) {
  const auto p = *sprung();
  const auto o = compliant(p);
  if (gives_up(p, o)) return;
  const auto phases = compliant_phases(p);
  RC_ASSERT(!phases.empty());
  const double p_tol = tight * (o.impulse.n + std::abs(o.impulse.t));
  Vec2 P;
  for (const auto& phase : phases) {
    RC_ASSERT(momentum_residual(p, phase.impulse, phase.velocity) <= tight);
    const Vec2 dP = phase.impulse - P;
    RC_ASSERT(dP.n >= -p_tol);
    RC_ASSERT(std::abs(dP.t) <= p.surface.friction * dP.n + p_tol);
    if (phase.motion != Motion::stick) {
      RC_ASSERT(std::abs(std::abs(dP.t) - p.surface.friction * dP.n) <= p_tol);
    }
    P = phase.impulse;
  }
  RC_ASSERT(phases.back().impulse == o.impulse);
  RC_ASSERT(phases.back().velocity == o.velocity);
  RC_ASSERT(phases.front().stage == Stage::compression);
}

// As the tangential spring stiffens the slider's law becomes Coulomb's, and the rest is energetic.
// What remains is the tangential oscillation, whose velocity is of the order of the ratio of the
// two periods.
RC_GTEST_PROP(Compliant, TendsToEnergetic, ()) {
  const auto drawn = *problems({.static_friction = false});
  const double rho = drawn.G.nt / std::sqrt(drawn.G.nn * drawn.G.tt);
  RC_PRE(std::abs(rho) < 0.9);
  // At the edge of stick and slip the limit is not uniform.
  const double hold = std::abs(drawn.G.nt) / drawn.G.tt;
  RC_PRE(std::abs(hold - drawn.surface.friction) > 0.02 * (hold + drawn.surface.friction));
  const auto limit = routh(drawn, Hypothesis::energetic);
  double last = 0.;
  for (const double log_ratio : {-3., -5.}) {
    const auto p = with_springs(drawn, log_ratio);
    const auto o = compliant(p);
    if (gives_up(p, o)) return;
    const double periods = std::sqrt(p.surface.compliance_ratio * p.G.nn / p.G.tt);
    // In units in which both directions are alike.
    const double n = std::sqrt(p.G.nn);
    const double t = std::sqrt(p.G.tt);
    const Vec2 error{.n = (o.velocity.n - limit.velocity.n) / n,
                     .t = (o.velocity.t - limit.velocity.t) / t};
    const double scale = std::max({std::abs(p.approach.n) / n, std::abs(p.approach.t) / t,
                                   n * limit.impulse.n, t * std::abs(limit.impulse.t)});
    last = std::max(std::abs(error.n), std::abs(error.t)) / scale;
    RC_ASSERT(last <= 30. * periods);
  }
}

// Slip stops just where compression ends: everything about the contact is zero at once.
TEST(Compliant, GetsOverTheTieOfStopAndTurn) {
  for (const double e : {0., 0.035, 0.5, 1.}) {
    for (const double eta2 : {1e-5, 1e-3, 1., 10.}) {
      PlanarProblem p;
      p.G = {.nn = 1., .nt = -.875, .tt = 1.};
      p.surface = {.restitution = e, .friction = 1.125, .static_friction = 1.125};
      p.surface.compliance_ratio = eta2;
      const Vec2 v = p.G * Vec2{.n = 1., .t = -1.125};
      p.approach = {.n = -v.n, .t = -v.t};
      const auto o = compliant(p);
      EXPECT_FALSE(o.flags.has(Verdict::not_converged)) << p;
      EXPECT_LE(momentum_residual(p, o.impulse, o.velocity), tight) << p;
      EXPECT_LE(o.slider.size(), 1000U) << p;
    }
  }
}

// Mirror the tangent: everything tangential changes sign.
RC_GTEST_PROP(Compliant, ReflectionIsExact, ()) {
  const auto p = *sprung();
  PlanarProblem mirrored = p;
  mirrored.G.nt = -p.G.nt;
  mirrored.approach.t = -p.approach.t;
  const auto a = compliant(p);
  const auto b = compliant(mirrored);
  const double v = velocity_scale(p, a.impulse, a.velocity);
  RC_ASSERT(std::abs(a.velocity.n - b.velocity.n) <= tight * v);
  RC_ASSERT(std::abs(a.velocity.t + b.velocity.t) <= tight * v);
  RC_ASSERT(a.slider.size() == b.slider.size());
}

// The outcome does not depend on units, nor on the stiffness, which never enters.
RC_GTEST_PROP(Compliant, UnitsDoNotMatter, ()) {
  const auto p = *sprung();
  const double m = std::ldexp(1., 2 * *rc::gen::inRange(-15, 16));
  const double u = std::ldexp(1., *rc::gen::inRange(-30, 31));
  PlanarProblem q = p;
  q.G = {.nn = p.G.nn / m, .nt = p.G.nt / m, .tt = p.G.tt / m};
  q.approach = u * p.approach;
  const auto a = compliant(p);
  const auto b = compliant(q);
  RC_ASSERT(b.velocity == u * a.velocity);
  RC_ASSERT(b.impulse == (m * u) * a.impulse);
  RC_ASSERT(b.slider == a.slider && b.flags == a.flags);
}

// A sphere (ERRATA, "Compliant"): it starts in stick iff |v_t/v_n| <= mu eta^2, and slips
// throughout iff r >= c mu (1 + e) - mu eta^2/e where e^2 >= eta^2/c, else r >= c mu, c =
// G_tt/G_nn.
RC_GTEST_PROP(Compliant, SphereSticksAndSlipsWhereTheFormulasSay, ()) {
  auto p = *sprung();
  p.G.nt = 0.;
  const double mu = p.surface.friction;
  const double e = p.surface.restitution;
  const double eta2 = p.surface.compliance_ratio;
  const double c = p.G.tt / p.G.nn;
  RC_PRE(mu > 0. && p.approach.t != 0.);
  const double r = std::abs(p.approach.t / p.approach.n);
  const auto o = compliant(p);
  if (std::abs(r - mu * eta2) > 1e-9 * r) {
    RC_ASSERT((o.slider[0] == SliderStates::State::stick) == (r < mu * eta2));
  }
  RC_PRE(e > 1e-3);
  const bool late = e * e >= eta2 / c;
  const double gross = std::max(mu * eta2, late ? c * mu * (1. + e) - mu * eta2 / e : c * mu);
  RC_PRE(std::abs(r - gross) > 1e-9 * (r + c * mu * 2.));
  const bool slips = o.slider.size() == 1 && o.slider[0] != SliderStates::State::stick;
  RC_ASSERT(slips == (r > gross));
}

// e = 0 is the limit of small e, and both sides of the change to the limiting form agree.
RC_GTEST_PROP(Compliant, SmallRestitutionIsContinuous, ()) {
  auto p = *sprung();
  const double rho = p.G.nt / std::sqrt(p.G.nn * p.G.tt);
  RC_PRE(std::abs(rho) < 0.9);
  // Where slip can pull the contact in, e -> 0 makes it chatter ever more often: not e = 0.
  if (p.G.nt != 0.) {
    p.surface.friction = std::min(p.surface.friction, 0.95 * p.G.nn / std::abs(p.G.nt));
  }
  p.surface.restitution = 1e-7;
  const auto small = compliant(p);
  RC_PRE(!small.flags.has(Verdict::recompressed));
  p.surface.restitution = 1e-12;
  const auto tiny = compliant(p);
  p.surface.restitution = 0.;
  const auto none = compliant(p);
  const double v = velocity_scale(p, none.impulse, none.velocity);
  RC_ASSERT(std::abs(none.velocity.t - tiny.velocity.t) <= 1e-9 * v);
  RC_ASSERT(std::abs(none.velocity.t - small.velocity.t) <= 1e-4 * v);
  RC_ASSERT(none.velocity.n == 0.);
  // v_n+ is e times the same number.
  const double stiffening = p.G.tt / (p.surface.compliance_ratio * p.G.nn);
  if (stiffening > 100.) return;
  RC_ASSERT(std::abs(small.velocity.n / 1e-7 - tiny.velocity.n / 1e-12) <= 1e-4 * v);
  RC_ASSERT(std::abs((small.impulse.n - none.impulse.n) / 1e-7 -
                     (tiny.impulse.n - none.impulse.n) / 1e-12) <= 1e-3 * none.impulse.n);
}

/// A number so many steps of rounding from x.
double neighbour(double x, int steps) {
  for (int i = 0; i < std::abs(steps); ++i) x = std::nextafter(x, steps > 0 ? HUGE_VAL : -HUGE_VAL);
  return x;
}

/// A sphere whose slider would stop just when it lets go [ERRATA, "Compliant"], some steps of
/// rounding from there; `share` is eta^2 over the greatest that has such an edge.
PlanarProblem sphere_at_the_edge(double e, double mu, double share, int steps) {
  const double eta2 = 3.5 * e * e * share;
  return {.G = {.nn = 1., .nt = 0., .tt = 3.5},
          .approach = {.n = -1., .t = neighbour(3.5 * mu * (1. + e) - mu * eta2 / e, steps)},
          .surface = {.restitution = e, .friction = mu, .compliance_ratio = eta2}};
}

/// It slips all the way, or so nearly that rounding hides the difference.
bool slips_all_the_way(const PlanarProblem& p) {
  const auto o = compliant(p);
  const double e = p.surface.restitution;
  const double r = p.approach.t;
  return o.flags.gravest() == Verdict::ordinary && std::abs(o.velocity.n - e) <= 1e-12 &&
         std::abs(o.velocity.t - (r - 3.5 * p.surface.friction * (1. + e))) <= 1e-11 * (1. + r);
}

// Rounding decides whether the slider stops or the sphere lets go, and nothing depends on it.
RC_GTEST_PROP(Compliant, ASphereAtTheEdgeOfGrossSlip, ()) {
  const double e = *thousandths(300, 1000);
  const double mu = *thousandths(50, 1500);
  const double share = *thousandths(100, 1000);
  RC_ASSERT(slips_all_the_way(sphere_at_the_edge(e, mu, share, *rc::gen::inRange(-4, 5))));
}

// The slower the slider stops (a share near 1), the further rounding moves the instant.
TEST(Compliant, SpheresOnBothSidesOfTheEdgeOfGrossSlip) {
  for (const double e : {0.3, 0.41, 0.7, 0.95, 1.}) {
    for (const double mu : {0.05, 0.3, 1.5}) {
      for (const double share :
           {0.1, 0.5, 0.9, 0.99, 0.999, 0.9999, 1. - 1e-6, 1. - 1e-12, 1. - 3e-16, 1.}) {
        for (int steps = -300; steps <= 300; ++steps) {
          ASSERT_TRUE(slips_all_the_way(sphere_at_the_edge(e, mu, share, steps)))
              << "e " << e << ", mu " << mu << ", share " << share << ", steps " << steps;
        }
      }
    }
  }
}

// Two approaches whose sliders do different things have an edge between them. On both sides of it
// the springs find an answer, and velocities do not jump: at most they change as a root does.
RC_GTEST_PROP(Compliant, NothingJumpsWherePhasesChange, ()) {
  if (*rc::gen::inRange(0, 4) > 0) return;  // it takes some seventy impacts
  auto p = *sprung();
  // Slip that pulls the contact in jams or does not: there velocities do jump.
  RC_PRE(p.surface.friction * std::abs(p.G.nt) < 0.99 * p.G.nn);
  const auto with_slip = [&](double v) {
    p.approach.t = v;
    return compliant(p);
  };
  double a = p.approach.t;
  double b = *rc::gen::element(-1., 0., 1.) * a + *rc::gen::element(-1., 0., 1.) * p.approach.n;
  const auto first = with_slip(a).slider;
  RC_PRE(!(with_slip(b).slider == first));
  for (;;) {
    const double middle = 0.5 * a + 0.5 * b;
    if (middle == a || middle == b) break;
    (with_slip(middle).slider == first ? a : b) = middle;
  }
  auto last = with_slip(neighbour(a, -8));
  for (int steps = -7; steps <= 8; ++steps) {
    const auto o = with_slip(neighbour(a, steps));
    RC_ASSERT(!o.flags.has(Verdict::not_converged) && !o.flags.has(Verdict::no_solution));
    const double scale = velocity_scale(p, o.impulse, o.velocity);
    RC_ASSERT(std::abs(o.velocity.n - last.velocity.n) <= 1e-6 * scale);
    RC_ASSERT(std::abs(o.velocity.t - last.velocity.t) <= 1e-6 * scale);
    last = o;
  }
}

// The path that a plot shows ends where the outcome does.
RC_GTEST_PROP(Compliant, PathEndsAtTheOutcome, ()) {
  const auto p = *sprung();
  const auto o = compliant(p);
  const auto path = compliant_path(p, 4);
  RC_ASSERT(path.back().impulse == o.impulse && path.back().velocity == o.velocity);
  RC_ASSERT(std::abs(path.back().work - o.energy.change) <= tight * energy_scale(p, o));
  for (const auto& x : path) {
    RC_ASSERT(momentum_residual(p, x.impulse, x.velocity) <= tight);
  }
}

}  // namespace
}  // namespace carom::test
