// SPDX-License-Identifier: Apache-2.0
// `brach`, `sun-baruh` and `moreau` in space, on random pairs of bodies, against the equations that
// define them.
#include <support/spatial_pair_generators.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <carom/complementarity/friction/cone.hpp>
#include <carom/core/tangent.hpp>
#include <carom/impact/brach_system.hpp>
#include <carom/impact/spatial/coefficients.hpp>
#include <carom/laws/brach/spatial.hpp>
#include <carom/laws/moreau/moreau.hpp>
#include <carom/laws/moreau/spatial.hpp>
#include <carom/laws/routh.hpp>
#include <carom/laws/sun_baruh.hpp>

namespace carom::test {
namespace {

constexpr double tight = 1e-12;

using Law = SpatialOutcome (*)(const SpatialProblem&);

/// The isotropic laws by themselves.
constexpr std::array<Law, 5> isotropic{
    [](const SpatialProblem& p) { return brach(p); },
    [](const SpatialProblem& p) { return sun_baruh(p, Hypothesis::poisson); },
    [](const SpatialProblem& p) { return sun_baruh(p, Hypothesis::energetic); },
    [](const SpatialProblem& p) { return moreau(p, Hypothesis::newton); },
    [](const SpatialProblem& p) { return moreau(p, Hypothesis::poisson); },
};

double scale_of(const SpatialProblem& p, const SpatialOutcome& o) {
  return velocity_scale(p, o.impulse, o.couple, o.velocity);
}

double energy_scale(const SpatialProblem& p, const SpatialOutcome& o) {
  return (std::abs(o.impulse.n) + tangential_size(o.impulse)) * scale_of(p, o) +
         std::abs(dot(o.couple, p.spin.approach));
}

/// What the couple makes of the spins.
Vec3 spin_after(const SpatialProblem& p, const SpatialOutcome& o) {
  Mat3 transposed{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) transposed[i][j] = p.spin.cross[j][i];
  }
  return p.spin.approach + transposed * o.impulse + p.spin.G * o.couple;
}

bool solved(const SpatialOutcome& o) { return o.impulse.n > 0.; }

/// The tangential part of an impulse, or of a velocity, turned by an angle.
Vec3 turned_by(double angle, const Vec3& v) {
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  return {.n = v.n, .t1 = c * v.t1 + s * v.t2, .t2 = c * v.t2 - s * v.t1};
}

/// The same impact with the tangents turned by an angle about the normal.
SpatialPair turned_by(double angle, SpatialPair pair) {
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  const Mat3 f = pair.frame;
  for (std::size_t i = 0; i < 3; ++i) {
    pair.frame[1][i] = c * f[1][i] + s * f[2][i];
    pair.frame[2][i] = c * f[2][i] - s * f[1][i];
  }
  return pair;
}

/// How much worse than 1e-12 two ways to the same answer may be: the least mobility of stick
/// against the largest.
double condition(const SpatialProblem& p) {
  const Sym3& G = p.G;
  const double A = G.t11 * G.t22 - G.t12 * G.t12;
  const double det =
      G.nn * A - G.n1 * (G.n1 * G.t22 - G.n2 * G.t12) + G.n2 * (G.n1 * G.t12 - G.n2 * G.t11);
  const double trace = G.nn + G.t11 + G.t22;
  return trace * trace * trace / det;
}

/// How much more rounding grows where the parts of an impulse work against each other. A piece ends
/// when the normal velocity has changed by a given amount, or by what a given work needs. Its
/// normal impulse p makes s p, s = G_nn + G_Tn.P_T/p + ... If each part is known to delta,
/// relative, then s and p, and so the velocities that p makes, are known to delta times the sum of
/// |parts| over |s|.
double cancellation(const SpatialProblem& p, const SpatialOutcome& o) {
  double most = 1.;
  Vec3 P;
  double v_n = p.approach.n;
  const auto piece = [&](const Vec3& impulse, const Vec3& couple, double after) {
    const Vec3 d = impulse - P;
    const auto& C = p.spin.cross[0];
    const double parts = std::abs(p.G.nn * d.n) + std::abs(p.G.n1 * d.t1) +
                         std::abs(p.G.n2 * d.t2) + std::abs(C[0] * couple.n) +
                         std::abs(C[1] * couple.t1) + std::abs(C[2] * couple.t2);
    most = std::max(most, parts / std::abs(after - v_n));
    P = impulse;
    v_n = after;
  };
  for (const SpatialPhase& phase : o.phases) piece(phase.impulse, {}, phase.velocity.n);
  if (solved(o) && o.phases.size() == 0U) piece(o.impulse, o.couple, o.velocity.n);
  return most;
}

/// Two outcomes that ought to be one but for rounding. G comes from inertias of condition 51 at
/// most: 1e-14 relative allows for its rounding. (In 500,000 draws velocities differed by no more
/// than 4 epsilon times the sum of the two numbers.) @param a  of p itself
void assert_same(const SpatialProblem& p, const SpatialOutcome& a, const SpatialOutcome& b) {
  RC_ASSERT(a.mode == b.mode);
  RC_ASSERT(a.flags == b.flags);
  const double v = scale_of(p, a);
  const double allowed = 1e-14 * (condition(p) + cancellation(p, a)) + tight;
  RC_ASSERT(max_norm(a.velocity - b.velocity) <= allowed * v);
  RC_ASSERT(max_norm(a.impulse - b.impulse) <= allowed * v / p.G.nn * (1. + p.G.nn / p.G.t11));
}

// --- all of them ---------------------------------------------------------------------------------

RC_GTEST_PROP(SpatialLaws, KeepMomentumAndCloseTheLedger, ()) {
  const auto p = *pair_problems({.static_friction = true, .tangential_restitution = true});
  for (const Law law : isotropic) {
    const auto o = law(p);
    if (!solved(o)) {
      RC_ASSERT(o.flags.has(Verdict::no_solution));
      RC_ASSERT(o.velocity == p.approach && o.impulse == Vec3{});
      continue;
    }
    RC_ASSERT(momentum_residual(p, o.impulse, o.couple, o.velocity) <= tight);
    const double e = energy_scale(p, o);
    RC_ASSERT(std::abs(o.energy.change - 0.5 * dot(o.impulse, p.approach + o.velocity)) <=
              tight * e);
    RC_ASSERT(std::abs(o.energy.change - o.energy.normal - o.energy.friction) <= tight * e);
    if (o.energy.stages) {
      const StageWork& s = *o.energy.stages;
      RC_ASSERT(std::abs(s.compression + s.restitution - o.energy.normal) <= tight * e);
      RC_ASSERT(s.compression <= 0.);
    }
    RC_ASSERT(o.flags.has(Verdict::energy_gained) == gains_energy(o.energy));
    RC_ASSERT(o.flags.has(Verdict::still_approaching) == (o.velocity.n < -1e-13 * scale_of(p, o)));
  }
}

RC_GTEST_PROP(SpatialLaws, DoNotDependOnTheTangents, ()) {
  const auto pair = *spatial_pairs({.static_friction = true, .tangential_restitution = true});
  const double angle = *rc::gen::inRange(0, 6283) / 1000.;
  const auto p = problem_of(pair);
  const auto q = problem_of(turned_by(angle, pair));
  RC_PRE(p.approach.n < -1e-6 && condition(p) < 1e6);
  for (const Law law : isotropic) {
    auto a = law(p);
    const auto b = law(q);
    a.impulse = turned_by(angle, a.impulse);
    a.velocity = turned_by(angle, a.velocity);
    assert_same(q, b, a);
  }
}

// Seen from the other body, with normal and second tangent reversed.
RC_GTEST_PROP(SpatialLaws, DoNotDependOnWhichBodyIsFirst, ()) {
  auto pair = *spatial_pairs({.static_friction = true, .tangential_restitution = true});
  RC_PRE(pair.bodies.size() == 2U);
  const auto p = problem_of(pair);
  RC_PRE(p.approach.n < -1e-6 && condition(p) < 1e6);
  std::swap(pair.bodies[0], pair.bodies[1]);
  for (std::size_t i = 0; i < 3; ++i) {
    pair.frame[0][i] = -pair.frame[0][i];
    pair.frame[2][i] = -pair.frame[2][i];
  }
  const auto q = problem_of(pair);
  const auto mirrored = [](const Vec3& v) { return Vec3{.n = v.n, .t1 = -v.t1, .t2 = v.t2}; };
  for (const Law law : isotropic) {
    auto a = law(p);
    a.impulse = mirrored(a.impulse);
    a.velocity = mirrored(a.velocity);
    assert_same(q, law(q), a);
  }
}

// Lengths, masses and times by powers of ten: couples too.
RC_GTEST_PROP(SpatialLaws, DoNotDependOnUnits, ()) {
  const auto pair = *spatial_pairs({.static_friction = true, .couples = true});
  const auto p = problem_of(pair);
  RC_PRE(p.approach.n < -1e-6 && condition(p) < 1e6);
  const double m = std::pow(10., *rc::gen::inRange(-9, 10));
  const double l = std::pow(10., *rc::gen::inRange(-9, 10));
  const double t = std::pow(10., *rc::gen::inRange(-9, 10));
  SpatialPair scaled = pair;
  for (SpatialBody& b : scaled.bodies) {
    b.mass *= m;
    for (auto& row : b.inertia) {
      for (double& x : row) x *= m * l * l;
    }
    for (double& x : b.contact_offset) x *= l;
    for (double& x : b.velocity) x *= l / t;
    for (double& x : b.spin) x /= t;
  }
  const auto q = problem_of(scaled);
  for (const Law law : isotropic) {
    const auto a = law(p);
    auto b = law(q);
    b.velocity = (t / l) * b.velocity;
    b.impulse = (t / (m * l)) * b.impulse;
    b.couple = (t / (m * l * l)) * b.couple;
    assert_same(p, a, b);
    RC_ASSERT(max_norm(a.couple - b.couple) <=
              (1e-13 * condition(p) + tight) * (max_norm(a.couple) + max_norm(a.impulse)));
  }
}

// Sphere: G diagonal and isotropic. Slip is straight, and all laws are one but for what e means.
RC_GTEST_PROP(SpatialLaws, AreOneOnASphere, ()) {
  auto p = *pair_problems();
  p.G.n1 = p.G.n2 = p.G.t12 = 0.;
  p.G.t22 = p.G.t11;
  const double e = p.surface.restitution;
  // Walton: friction at its limit, or what stops slip.
  const double normal = -(1. + e) * p.approach.n / p.G.nn;
  const double slip = tangential_size(p.approach);
  const double friction = std::min(p.surface.friction * normal, slip / p.G.t11);
  const double left = slip > 0. ? 1. - friction * p.G.t11 / slip : 0.;
  for (const Law law : isotropic) {
    const auto o = law(p);
    const double v = scale_of(p, o);
    RC_ASSERT(std::abs(o.velocity.n + e * p.approach.n) <= tight * v);
    RC_ASSERT(std::abs(o.velocity.t1 - left * p.approach.t1) <= tight * v);
    RC_ASSERT(std::abs(o.velocity.t2 - left * p.approach.t2) <= tight * v);
  }
}

/// A singular G, the sum of g g^T over one or two g of whole numbers, so that it is exact; the
/// approach in its range, or any.
SpatialProblem singular_problem() {
  const auto whole = [] { return static_cast<double>(*rc::gen::inRange(-4, 5)); };
  SpatialProblem p;
  const int rank = *rc::gen::inRange(0, 3);
  for (int i = 0; i < rank; ++i) {
    const Vec3 g{.n = whole(), .t1 = whole(), .t2 = whole()};
    p.G.nn += g.n * g.n;
    p.G.n1 += g.n * g.t1;
    p.G.n2 += g.n * g.t2;
    p.G.t11 += g.t1 * g.t1;
    p.G.t12 += g.t1 * g.t2;
    p.G.t22 += g.t2 * g.t2;
  }
  p.approach = {.n = whole(), .t1 = whole(), .t2 = whole()};
  if (*rc::gen::arbitrary<bool>()) p.approach = p.G * p.approach;
  if (p.approach.n > 0.) p.approach = -1. * p.approach;
  p.surface.restitution = *rc::gen::inRange(0, 5) / 4.;
  p.surface.restitution = std::min(1., p.surface.restitution);
  p.surface.tangential_restitution = *rc::gen::arbitrary<bool>() ? p.surface.restitution : 0.;
  p.surface.friction = p.surface.static_friction = *rc::gen::inRange(0, 30) / 10.;
  return p;
}

RC_GTEST_PROP(SpatialLaws, AnswerSingularInertiasOrSayThatTheyCannot, ()) {
  const auto p = singular_problem();
  for (const Law law : isotropic) {
    const auto o = law(p);
    if (!solved(o)) {
      RC_ASSERT(o.velocity == p.approach && o.impulse == Vec3{});
      RC_ASSERT(o.flags.has(Verdict::no_solution) || o.flags.has(Verdict::no_impulse));
      continue;
    }
    RC_ASSERT(momentum_residual(p, o.impulse, o.couple, o.velocity) <= tight);
    RC_ASSERT(std::abs(o.energy.change - 0.5 * dot(o.impulse, p.approach + o.velocity)) <=
              tight * energy_scale(p, o));
    RC_ASSERT(tangential_size(o.impulse) <=
              p.surface.friction * o.impulse.n + tight * max_norm(o.impulse));
  }
}

// --- brach ---------------------------------------------------------------------------------------

RC_GTEST_PROP(SpatialBrach, ObeysItsCoefficients, ()) {
  auto p = *pair_problems({.couples = true});
  const auto pick = [] { return *rc::gen::inRange(-1500, 1500) / 1000.; };
  const bool by_ratio = *rc::gen::arbitrary<bool>();
  const std::array<double, 2> x{pick(), pick()};
  if (by_ratio) {
    p.surface.set_impulse_ratio(x);
  } else {
    p.surface.set_tangential_coefficient(x);
  }
  const bool by_moment_ratio = *rc::gen::inRange(0, 3) == 0;
  if (by_moment_ratio) p.surface.set_moment_ratio({.2 * pick(), .2 * pick(), .2 * pick()});
  if (*rc::gen::inRange(0, 5) == 0) p.surface.restitution = 1.5;  // releases energy
  const auto o = brach(p);
  if (!solved(o)) {
    RC_ASSERT(o.verdict() == Verdict::no_solution);
    return;
  }
  const double v = scale_of(p, o);
  const double P = max_norm(o.impulse);
  // Rounding grows with what impulse and couple make against each other.
  RC_ASSERT(momentum_residual(p, o.impulse, o.couple, o.velocity) <= 1e-11);
  RC_ASSERT(o.velocity.n == -p.surface.restitution * p.approach.n);
  if (by_ratio) {
    RC_ASSERT(std::abs(o.impulse.t1 - x[0] * o.impulse.n) <= tight * P);
    RC_ASSERT(std::abs(o.impulse.t2 - x[1] * o.impulse.n) <= tight * P);
  } else {
    RC_ASSERT(o.velocity.t1 == -x[0] * p.approach.t1);
    RC_ASSERT(o.velocity.t2 == -x[1] * p.approach.t2);
  }
  const Vec3 spin = spin_after(p, o);
  const std::array<double, 3> M{o.couple.n, o.couple.t1, o.couple.t2};
  const std::array<double, 3> w{spin.n, spin.t1, spin.t2};
  const std::array<double, 3> I{p.spin.inertia.n, p.spin.inertia.t1, p.spin.inertia.t2};
  const double turn = max_norm(o.couple) + P;  // offsets are of the order of 1 m
  for (std::size_t j = 0; j < 3; ++j) {
    if (by_moment_ratio) {
      RC_ASSERT(std::abs(M[j] - p.surface.moment[j] * o.impulse.n) <= tight * turn);
    } else {
      const double e_m = p.surface.moment[j];
      RC_ASSERT(std::abs(e_m * M[j] - (1. + e_m) * I[j] * w[j]) <= 1e-11 * turn);
      if (e_m == -1.) RC_ASSERT(M[j] == 0.);
    }
  }
  const double change =
      0.5 * dot(o.impulse, p.approach + o.velocity) + 0.5 * dot(o.couple, p.spin.approach + spin);
  RC_ASSERT(std::abs(o.energy.change - change) <= 1e-11 * (P * v + turn * max_norm(spin)));
}

RC_GTEST_PROP(SpatialBrach, CoulombsRuleCutsTheCriticalRatios, ()) {
  const auto p = *pair_problems({.couples = true});
  const auto o = brach(p);
  if (!solved(o)) return;
  const auto critical = critical_ratios(p, p.surface.restitution);
  const double f = p.surface.friction;
  const Tangent P = tangential(o.impulse);
  RC_ASSERT(size(P) <= f * o.impulse.n * (1. + tight));
  if (o.mode == Mode::stick) {
    RC_ASSERT(critical.exist && tangential(o.velocity) == Tangent{});
    return;
  }
  RC_ASSERT(std::abs(size(P) - f * o.impulse.n) <= tight * o.impulse.n);
  if (!critical.exist) return;
  const Tangent mu{.t1 = critical.ratio[0], .t2 = critical.ratio[1]};
  RC_ASSERT(size(mu) >= f);
  RC_ASSERT(std::abs(cross(P, mu)) <= tight * size(P) * size(mu));
  RC_ASSERT(dot(P, mu) >= 0.);
}

// Any law's outcome, re-expressed in Brach's coefficients, comes back from `brach`.
RC_GTEST_PROP(SpatialBrach, GivesAnyOutcomeBack, ()) {
  const auto p = *pair_problems({.static_friction = true});
  RC_PRE(condition(p) < 1e5);
  for (const Law law : isotropic) {
    const auto o = law(p);
    if (!solved(o) || o.velocity.n < 0.) continue;
    const auto b = brach_coefficients(p, o);
    SpatialProblem again = p;
    again.surface.restitution = *b.e_n;
    again.surface.set_impulse_ratio(*b.impulse_ratio);
    const double v = scale_of(p, o);
    // The slope G_nn + mu.G_Tn may be a small difference.
    const double slope = (o.velocity.n - p.approach.n) / o.impulse.n;
    const double loss = std::max(1., v / (slope * o.impulse.n));
    const auto by_ratio = brach(again);
    RC_ASSERT(max_norm(by_ratio.velocity - o.velocity) <= tight * loss * v);
    RC_ASSERT(max_norm(by_ratio.impulse - o.impulse) <= tight * loss * max_norm(o.impulse));
    if (!b.e_t[0] || !b.e_t[1]) continue;
    again.surface.set_tangential_coefficient({*b.e_t[0], *b.e_t[1]});
    const auto by_velocity = brach(again);
    RC_ASSERT(max_norm(by_velocity.velocity - o.velocity) <= tight * v);
    RC_ASSERT(max_norm(by_velocity.impulse - o.impulse) <=
              (1e-14 * condition(p) + tight) * v / std::min({p.G.nn, p.G.t11, p.G.t22}));
  }
}

// [Brach 1998, eq. 10]: at e_n = 0 and the critical ratios the loss is the greatest, 1/2 v G^-1 v.
RC_GTEST_PROP(SpatialBrach, LosesMostAtTheCriticalRatios, ()) {
  auto p = *pair_problems();
  const auto critical = critical_ratios(p, 0.);
  RC_PRE(critical.exist);
  p.surface.restitution = 0.;
  p.surface.set_impulse_ratio(critical.ratio);
  const auto most = brach(p);
  RC_PRE(condition(p) < 1e5);
  const double lost = contact_energy(p);
  RC_ASSERT(std::abs(most.energy.change + lost) <= 1e-14 * condition(p) * lost + 1e-11 * lost);
  p.surface.restitution = *rc::gen::inRange(0, 1000) / 1000.;
  for (double& mu : p.surface.tangential) mu += *rc::gen::inRange(-500, 500) / 1000.;
  const auto other = brach(p);
  RC_ASSERT(other.energy.change >= -lost * (1. + 1e-11 + 1e-14 * condition(p)));
}

/// The surface with one coefficient replaced.
void set(Surface& s, BrachCoefficient which, double x) {
  const auto i = static_cast<std::size_t>(which);
  if (i == 0) {
    s.restitution = x;
  } else if (i < 3) {
    s.tangential[i - 1] = x;
  } else {
    s.moment[i - 3] = x;
  }
}

// Within the bounds no energy is gained and the impulse pushes; just beyond their ends one of the
// two fails, or the coefficient leaves its own range.
RC_GTEST_PROP(SpatialBrach, BoundsAreWhereEnergyOrPushEnds, ()) {
  auto p = *pair_problems({.couples = true});
  const auto pick = [] { return *rc::gen::inRange(-1500, 1500) / 1000.; };
  if (*rc::gen::arbitrary<bool>()) {
    p.surface.set_impulse_ratio({pick(), pick()});
  } else {
    p.surface.set_tangential_coefficient({pick(), pick()});
  }
  if (*rc::gen::inRange(0, 3) == 0)
    p.surface.set_moment_ratio({.2 * pick(), .2 * pick(), .2 * pick()});
  const auto which = static_cast<BrachCoefficient>(*rc::gen::inRange(0, 6));
  const Intervals bounds = admissible(p, which);
  const auto admits = [&](double x) {
    SpatialProblem q = p;
    set(q.surface, which, x);
    const auto o = brach(q);
    return solved(o) && o.energy.change <= 0.;
  };
  for (const Interval& i : bounds) {
    RC_ASSERT(i.low <= i.high);
    if (!std::isfinite(i.low) || !std::isfinite(i.high)) continue;
    const double width = i.high - i.low;
    if (!(width > 1e-6 * (1. + std::abs(i.low)))) continue;
    for (const double share : {1e-3, .5, 1. - 1e-3}) RC_ASSERT(admits(i.low + share * width));
    // Another interval may begin just beyond, across a pole.
    const bool own_low = (which == BrachCoefficient::normal && i.low == 0.) || i.low == -1.;
    for (const double beyond : {i.low - 1e-3 * width, i.high + 1e-3 * width}) {
      if ((beyond < i.low && own_low) || (beyond > i.high && i.high == 1.)) continue;
      if (!bounds.around(beyond)) RC_ASSERT(!admits(beyond));
    }
  }
  // And nothing is left out.
  const double x = which == BrachCoefficient::normal     ? std::abs(pick())
                   : which >= BrachCoefficient::moment_n ? std::clamp(pick(), -1., 1.)
                                                         : 3. * pick();
  bool close = false;  // to an end
  for (const Interval& i : bounds) {
    close = close || std::min(std::abs(x - i.low), std::abs(x - i.high)) < 1e-6;
  }
  if (!close) RC_ASSERT(bounds.around(x).has_value() == admits(x));
}

// --- sun-baruh
// -------------------------------------------------------------------------------------

RC_GTEST_PROP(SunBaruh, StagesAndPhasesAreWhatTheyShould, ()) {
  const auto p = *pair_problems({.static_friction = true});
  const double mu = p.surface.friction;
  const double e = p.surface.restitution;
  for (const auto hypothesis : {Hypothesis::poisson, Hypothesis::energetic}) {
    const auto o = sun_baruh(p, hypothesis);
    if (!solved(o)) continue;
    RC_ASSERT(o.phases.counted() == o.phases.size());
    Vec3 P;
    double p_c = 0.;
    for (const SpatialPhase& phase : o.phases) {
      const Vec3 d = phase.impulse - P;
      const double friction = tangential_size(d);
      RC_ASSERT(d.n > 0.);
      RC_ASSERT(momentum_residual(p, phase.impulse, {}, phase.velocity) <= tight);
      if (phase.motion == Motion::stick) {
        RC_ASSERT(friction <= p.surface.static_friction * d.n * (1. + tight));
        RC_ASSERT(tangential_size(phase.velocity) == 0.);
      } else if (tangential_size(phase.velocity) == 0. || !o.flags.has(Verdict::jam)) {
        RC_ASSERT(std::abs(friction - mu * d.n) <= 1e-10 * (mu * d.n + max_norm(phase.impulse)));
      }
      if (phase.stage == Stage::compression) p_c = phase.impulse.n;
      P = phase.impulse;
    }
    RC_ASSERT(P == o.impulse && o.phases[o.phases.size() - 1].velocity == o.velocity);
    if (o.flags.has(Verdict::target_unreachable)) continue;
    if (hypothesis == Hypothesis::poisson) {
      RC_ASSERT(std::abs(P.n - (1. + e) * p_c) <= tight * P.n);
    } else {
      const StageWork& s = *o.energy.stages;
      RC_ASSERT(std::abs(s.restitution + e * e * s.compression) <= 1e-11 * energy_scale(p, o));
    }
    RC_ASSERT(static_cast<int>(o.mode) <= 6);
  }
}

/// A planar problem along the direction at `angle` in the tangent plane.
SpatialProblem in_space(const PlanarProblem& p, double angle, double across) {
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  SpatialProblem q;
  q.G = {.nn = p.G.nn,
         .n1 = c * p.G.nt,
         .n2 = s * p.G.nt,
         .t11 = c * c * p.G.tt + s * s * across,
         .t12 = c * s * (p.G.tt - across),
         .t22 = s * s * p.G.tt + c * c * across};
  q.approach = {.n = p.approach.n, .t1 = c * p.approach.t, .t2 = s * p.approach.t};
  q.surface.restitution = p.surface.restitution;
  q.surface.friction = p.surface.friction;
  q.surface.static_friction = p.surface.static_friction;
  q.surface.tangential_restitution = p.surface.tangential_restitution;
  return q;
}

struct Planar {
  PlanarProblem plane;
  SpatialProblem space;
  double angle = 0.;
};

/// One along the first tangent, where nothing is rounded that is not in the plane; and one turned.
Planar planar_problem(bool turn, bool static_friction, bool tangential_restitution) {
  const auto within = [](int low, int high) { return *rc::gen::inRange(low, high) / 1000.; };
  Planar r;
  const double nn = std::pow(10., within(-1000, 1000));
  const double tt = std::pow(10., within(-1000, 1000));
  r.plane.G = {.nn = nn, .nt = within(-990, 990) * std::sqrt(nn * tt), .tt = tt};
  r.plane.approach = {.n = -1., .t = within(-3000, 3000)};
  r.plane.surface.restitution = within(0, 1001);
  r.plane.surface.friction = within(0, 2000);
  r.plane.surface.static_friction =
      r.plane.surface.friction * (static_friction ? 1. + within(0, 500) : 1.);
  if (tangential_restitution) r.plane.surface.tangential_restitution = within(0, 1001);
  r.angle = turn ? within(0, 6283) : 0.;
  r.space = in_space(r.plane, r.angle, std::pow(10., within(-1000, 1000)));
  return r;
}

void assert_planar(const Planar& x, const PlanarOutcome& a, const SpatialOutcome& b,
                   double allowed) {
  const double v = scale_of(x.space, b);
  const Vec3 velocity = turned_by(x.angle, b.velocity);
  RC_ASSERT(std::abs(a.velocity.n - velocity.n) <= allowed * v);
  RC_ASSERT(std::abs(a.velocity.t - velocity.t1) <= allowed * v);
  RC_ASSERT(std::abs(velocity.t2) <= allowed * v);
  RC_ASSERT(std::abs(a.impulse.n - b.impulse.n) <= 100. * allowed * max_norm(b.impulse));
}

RC_GTEST_PROP(SunBaruh, IsTheExactProcessInThePlane, ()) {
  const bool turn = *rc::gen::arbitrary<bool>();
  const Planar x = planar_problem(turn, true, false);
  for (const auto hypothesis : {Hypothesis::poisson, Hypothesis::energetic}) {
    const auto a = routh(x.plane, hypothesis);
    const auto b = sun_baruh(x.space, hypothesis);
    if (turn && a.mode != b.mode) continue;  // mu = |r| to rounding, or no friction
    RC_ASSERT(a.mode == b.mode);
    assert_planar(x, a, b, turn ? 1e-10 : tight);
    const double e = energy_scale(x.space, b);
    RC_ASSERT(std::abs(a.energy.change - b.energy.change) <= 1e-10 * e);
    RC_ASSERT(std::abs(a.energy.stages->compression - b.energy.stages->compression) <= 1e-10 * e);
  }
}

// --- moreau
// ----------------------------------------------------------------------------------------

/// 0 <= P_n _|_ xi_n >= 0 and -P_T in mu P_n Sgn(xi_T), given that P_n > 0.
void assert_inclusions(const Vec3& P, const Vec3& xi, double mu, double v) {
  RC_ASSERT(P.n > 0.);
  RC_ASSERT(std::abs(xi.n) <= tight * v);
  const Tangent friction = tangential(P);
  const Tangent slip = tangential(xi);
  RC_ASSERT(size(friction) <= mu * P.n + tight * max_norm(P));
  if (size(slip) <= tight * v) return;
  RC_ASSERT(std::abs(size(friction) - mu * P.n) <= tight * max_norm(P));
  RC_ASSERT(std::abs(cross(friction, slip)) <= tight * size(friction) * v);
  RC_ASSERT(dot(friction, slip) <= tight * size(friction) * v);
}

Vec3 xi_of(const SpatialProblem& p, const Vec3& velocity) {
  const double eps = p.surface.tangential_restitution;
  return velocity + Vec3{.n = p.surface.restitution * p.approach.n,
                         .t1 = eps * p.approach.t1,
                         .t2 = eps * p.approach.t2};
}

RC_GTEST_PROP(SpatialMoreau, EverySolutionSatisfiesTheInclusions, ()) {
  const auto p = *pair_problems({.friction_to = 5., .tangential_restitution = true});
  const auto all = moreau_solutions(p, Hypothesis::newton);
  RC_ASSERT(!all.empty());
  for (const auto& s : all) {
    RC_ASSERT(momentum_residual(p, s.impulse, {}, s.velocity) <= tight);
    assert_inclusions(s.impulse, xi_of(p, s.velocity), p.surface.friction,
                      velocity_scale(p, s.impulse, {}, s.velocity));
  }
  const auto o = moreau(p, Hypothesis::newton);
  RC_ASSERT(o.velocity == all[0].velocity && o.impulse == all[0].impulse);
  RC_ASSERT(o.flags.has(Verdict::several_solutions) == (all.size() > 1));
  // The rule: stick, else the least energy.
  for (const auto& s : all) {
    if (o.mode == Mode::stick) break;
    RC_ASSERT(s.mode == Mode::slip);
    const double change = 0.5 * dot(s.impulse, p.approach + s.velocity);
    RC_ASSERT(o.energy.change <= change + tight * energy_scale(p, o));
  }
}

/// Solutions counted another way: round the circle of slip directions, sign changes of what is
/// across, where the impulse pushes and friction opposes; and stick. Where k may vanish within a
/// step the change may be at k = 0, which is no solution: (1, -mu d) is then a null vector of a
/// singular G, and across, along and k are zero together. k'' <= mu |G_Tn|: k falls below its
/// values at the ends by no more than mu |G_Tn| step^2/8.
std::size_t counted_round_the_circle(const SpatialProblem& p, int steps, bool& doubtful) {
  const Vec3 b = p.approach + (xi_of(p, p.approach) - p.approach);
  const double mu = p.surface.friction;
  std::size_t count = 0;
  const auto at = [&](int i, double& across, double& along, double& k) {
    const double angle = 2. * std::numbers::pi * i / steps;
    const Tangent d{.t1 = std::cos(angle), .t2 = std::sin(angle)};
    k = p.G.nn - mu * dot(coupling(p.G), d);
    const Tangent xi = k * tangential(b) - b.n * (coupling(p.G) - mu * tangential_product(p.G, d));
    across = cross(d, xi);
    along = dot(d, xi);  // times k
  };
  double across = 0.;
  double along = 0.;
  double k = 0.;
  at(0, across, along, k);
  const double v = std::abs(b.n) + size(tangential(b));
  const double step = 2. * std::numbers::pi / steps;
  const double sag = mu * size(coupling(p.G)) * step * step / 8.;
  for (int i = 1; i <= steps; ++i) {
    double next = 0.;
    double next_along = 0.;
    double next_k = 0.;
    at(i, next, next_along, next_k);
    if ((across < 0.) != (next < 0.)) {
      const bool yes = along > 0. && k > 0.;
      if (yes != (next_along > 0. && next_k > 0.)) doubtful = true;
      if (yes && std::min(k, next_k) <= sag) doubtful = true;
      if (yes) ++count;
    } else if (std::abs(across) + std::abs(next) < 1e-3 * p.G.nn * v) {
      doubtful = true;  // may touch zero within the step
    }
    across = next;
    along = next_along;
    k = next_k;
  }
  SpatialProblem q = p;
  q.approach = b;
  q.surface.restitution = 0.;
  q.surface.set_tangential_coefficient({0., 0.});
  const auto stick = brach(q);
  const double slack = mu * stick.impulse.n - tangential_size(stick.impulse);
  if (std::abs(slack) < 1e-6 * max_norm(stick.impulse)) doubtful = true;
  if (solved(stick) && slack > 0.) ++count;
  return count;
}

RC_GTEST_PROP(SpatialMoreau, NoSolutionIsMissed, ()) {
  if (*rc::gen::inRange(0, 5) != 0) return;  // 20,000 of them
  const auto p =
      *pair_problems({.friction_from = 0.5, .friction_to = 5., .tangential_restitution = true});
  bool doubtful = false;
  const std::size_t count = counted_round_the_circle(p, 720, doubtful);
  if (doubtful) return;
  RC_ASSERT(moreau_solutions(p, Hypothesis::newton).size() == count);
}

// Where it says that a singular G has no answer, none is found round the circle either.
RC_GTEST_PROP(SpatialMoreau, SingularInertias, ()) {
  const auto p = singular_problem();
  RC_PRE(p.approach.n < 0.);
  const auto all = moreau_solutions(p, Hypothesis::newton);
  for (const auto& s : all) {
    assert_inclusions(s.impulse, xi_of(p, s.velocity), p.surface.friction,
                      velocity_scale(p, s.impulse, {}, s.velocity));
  }
  bool doubtful = false;
  const std::size_t count = counted_round_the_circle(p, 360, doubtful);
  if (!doubtful && all.empty()) RC_ASSERT(count == 0U);
}

/// Friction below which there is one solution. P_n given, P_T is unique; in slip
/// (A + l) P_T = -(b_T + P_n G_Tn), |P_T| = mu P_n, l >= 0. With u along P_T and w a quarter turn
/// from it, the derivative of xi_n(P_n) has the sign of
///
///     w.B w + mu G_Tn'.A w + l (G_nn + mu G_Tn.u),    B = G_nn A - G_Tn G_Tn^T,
///
/// G_Tn' = G_Tn turned by a quarter. Where it is positive for all u and l, xi_n only rises.
double unique_below(const Sym3& G) {
  const Tangent g = coupling(G);
  const double b11 = G.nn * G.t11 - g.t1 * g.t1;
  const double b12 = G.nn * G.t12 - g.t1 * g.t2;
  const double b22 = G.nn * G.t22 - g.t2 * g.t2;
  const double least = 0.5 * (b11 + b22) - std::hypot(0.5 * (b11 - b22), b12);  // of w.B w
  return std::min(G.nn / size(g), least / size(tangential_product(G, quarter_turn(g))));
}

// xi_n(P_n) is continuous, begins at b_n < 0 and ends above 0, since xi.P -> P.G P > 0 while
// friction only takes energy: it is zero an odd number of times. mu = 0.4 can be enough for three.
RC_GTEST_PROP(SpatialMoreau, IsUniqueWithWeakFriction, ()) {
  const auto p = *pair_problems({.friction_to = 0.5, .tangential_restitution = true});
  const std::size_t count = moreau_solutions(p, Hypothesis::newton).size();
  RC_ASSERT(count % 2U == 1U);
  if (p.surface.friction < unique_below(p.G)) RC_ASSERT(count == 1U);  // 9 of 10
}

RC_GTEST_PROP(SpatialMoreau, EqualCoefficientsNeverGainEnergy, ()) {
  auto p = *pair_problems({.friction_to = 5.});
  p.surface.tangential_restitution = p.surface.restitution;
  for (const auto& s : moreau_solutions(p, Hypothesis::newton)) {
    const double scale = max_norm(s.impulse) * velocity_scale(p, s.impulse, {}, s.velocity);
    RC_ASSERT(0.5 * dot(s.impulse, p.approach + s.velocity) <= tight * scale);
  }
}

RC_GTEST_PROP(SpatialMoreau, IsThePlanarLawInThePlane, ()) {
  const bool turn = *rc::gen::arbitrary<bool>();
  const Planar x = planar_problem(turn, false, true);
  const auto a = moreau(x.plane, Hypothesis::newton);
  const auto b = moreau(x.space, Hypothesis::newton);
  // A planar problem may have solutions that leave the plane: then which is returned may differ.
  if (b.flags.has(Verdict::several_solutions)) {
    const auto all = moreau_solutions(x.space, Hypothesis::newton);
    const Vec3 planar = turned_by(-x.angle, {.n = a.velocity.n, .t1 = a.velocity.t, .t2 = 0.});
    RC_ASSERT(std::any_of(all.begin(), all.end(), [&](const SpatialMoreauSolution& s) {
      return max_norm(s.velocity - planar) <= 1e-10 * scale_of(x.space, b);
    }));
    return;
  }
  RC_ASSERT((a.mode == Mode::stick) == (b.mode == Mode::stick));
  assert_planar(x, a, b, tight);
}

RC_GTEST_PROP(SpatialMoreau, TwoStagesAreThePlanarLawInThePlane, ()) {
  const Planar x = planar_problem(*rc::gen::arbitrary<bool>(), false, false);
  const auto a = moreau(x.plane, Hypothesis::poisson);
  const auto b = moreau(x.space, Hypothesis::poisson);
  if (b.flags.has(Verdict::several_solutions)) return;
  assert_planar(x, a, b, 1e-11);
}

RC_GTEST_PROP(SpatialMoreau, TwoStagesSatisfyTheirInclusions, ()) {
  const auto p = *pair_problems({.friction_to = 3.});
  const double mu = p.surface.friction;
  const double e = p.surface.restitution;
  const auto o = moreau(p, Hypothesis::poisson);
  RC_ASSERT(solved(o));
  const double v = scale_of(p, o);
  const SpatialPhase& c = o.phases[0];
  RC_ASSERT(momentum_residual(p, c.impulse, {}, c.velocity) <= tight);
  assert_inclusions(c.impulse, c.velocity, mu, v);
  if (e == 0.) return;
  RC_ASSERT(o.phases.size() == 2U);
  const Vec3 E = o.impulse - c.impulse;
  const double more = E.n - e * c.impulse.n;
  RC_ASSERT(more >= -tight * o.impulse.n);
  RC_ASSERT(o.velocity.n >= 0.);
  if (more > 1e-9 * o.impulse.n) RC_ASSERT(o.velocity.n <= tight * v);
  assert_inclusions(E, {.n = 0., .t1 = o.velocity.t1, .t2 = o.velocity.t2}, mu, v);
  RC_ASSERT(!o.flags.has(Verdict::energy_gained));
}

}  // namespace
}  // namespace carom::test
