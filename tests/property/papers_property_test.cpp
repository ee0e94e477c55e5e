// SPDX-License-Identifier: Apache-2.0
// The procedures of two papers, written out as they describe them (with the corrections of ERRATA)
// and by themselves, against the exact family that they must equal.
#include <support/generators.hpp>

#include <cmath>
#include <numbers>
#include <optional>

#include <carom/impact/one_contact.hpp>
#include <carom/impact/regimes.hpp>
#include <carom/laws/routh.hpp>
#include <carom/mechanics/planar_bodies.hpp>

namespace carom::test {
namespace {

constexpr double tight = 1e-11;

struct End {
  Vec2 impulse;
  Vec2 velocity;
};

/// a x + b y = c twice, by Cramer.
Vec2 solve2(double a1, double b1, double c1, double a2, double b2, double c2) {
  const double det = a1 * b2 - a2 * b1;
  return {.n = (c1 * b2 - c2 * b1) / det, .t = (a1 * c2 - a2 * c1) / det};
}

/// An impulse from v on under `friction` (P_t = ratio P_n, or stick) up to a given normal velocity.
Vec2 up_to_normal(const Sym2& G, const Vec2& v, std::optional<double> ratio, double v_n) {
  if (ratio) return solve2(-*ratio, 1., 0., G.nn, G.nt, v_n - v.n);
  return solve2(G.nt, G.tt, -v.t, G.nn, G.nt, v_n - v.n);
}

// --- [Shen & Townsend 1998, Sec. 3] --------------------------------------------------------------

End shen_townsend(const PlanarProblem& p) {
  const Sym2& G = p.G;  // by name: clang cannot capture structured bindings
  const Vec2& v = p.approach;
  const Surface& surface = p.surface;
  const double mu = surface.friction;
  const double e = surface.restitution;
  // What static friction must supply to hold the contact, tau_res/F_res, and what follows a stop:
  // stick, or slip along the acceleration that is left (ERRATA, ST3, ST5, ST6).
  const double needed = -G.nt / G.tt;
  const bool sticks = std::abs(needed) <= surface.static_friction;
  const double after = sticks ? needed : (G.nt < 0. ? mu : -mu);
  const double first = v.t > 0. ? -mu : v.t < 0. ? mu : after;
  const auto advance = [&](End x, double F, double ratio) {
    const Vec2 dP{.n = F, .t = ratio * F};
    return End{.impulse = x.impulse + dP, .velocity = x.velocity + G * dP};
  };
  const End start{.impulse = {}, .velocity = v};
  // F*: slip vanishes; none if it grows (ERRATA, ST4).
  const double slip_rate = G.nt + first * G.tt;
  const double F_star = v.t == 0.              ? 0.
                        : v.t * slip_rate < 0. ? -v.t / slip_rate
                                               : std::numeric_limits<double>::infinity();
  const bool whole_compression_slips =
      G.nn + first * G.nt > 0. && -v.n / (G.nn + first * G.nt) < F_star;
  if (!whole_compression_slips) {  // cases i and ii
    End x = advance(start, F_star, first);
    const Vec2 rest = up_to_normal(G, x.velocity, after, 0.);
    x = advance(x, rest.n, after);
    return advance(x, e * x.impulse.n, after);
  }
  // case iii
  const double F_c = up_to_normal(G, v, first, 0.).n;
  if ((1. + e) * F_c <= F_star) return advance(start, (1. + e) * F_c, first);
  return advance(advance(start, F_star, first), (1. + e) * F_c - F_star, after);
}

RC_GTEST_PROP(Papers, ShenTownsendIsPoisson, ()) {
  const auto p = *problems();
  const double rho = p.G.nt / std::sqrt(p.G.nn * p.G.tt);
  RC_PRE(std::abs(rho) < 0.999);
  const End a = shen_townsend(p);
  const auto b = routh(p, Hypothesis::poisson);
  const double v = velocity_scale(p, b.impulse, b.velocity);
  const double allowed = tight / (1. - rho * rho);
  RC_ASSERT(std::abs(a.impulse.n - b.impulse.n) <= allowed * b.impulse.n);
  RC_ASSERT(std::abs(a.velocity.n - b.velocity.n) <= allowed * v);
  RC_ASSERT(std::abs(a.velocity.t - b.velocity.t) <= allowed * v);
}

// --- [Sun & Baruh 2022, Sec. 2] ------------------------------------------------------------------

/// A rod in their coordinates: y down, theta from the vertical, mass centre (x, y), spin omega.
struct SunBaruh {
  Rod rod;
  double mu = 0.;
  double mu_s = 0.;
  double e = 0.;

  struct Motion {
    double x = 0., y = 0., omega = 0.;
  };

  [[nodiscard]] double L_x() const { return -rod.half_length * std::sin(rod.angle); }
  [[nodiscard]] double L_y() const { return rod.half_length * std::cos(rod.angle); }
  [[nodiscard]] double inertia() const {
    return rod.inertia_factor * rod.mass * rod.half_length * rod.half_length;
  }
  // Eq. 3: the contact's velocity.
  [[nodiscard]] double v_Cx(const Motion& u) const { return u.x - L_y() * u.omega; }
  [[nodiscard]] double v_Cy(const Motion& u) const { return u.y + L_x() * u.omega; }

  /// Eqs 8-10: impulse (F_x, F_y) at the contact, F_y pushing up (against their y).
  [[nodiscard]] Motion after(const Motion& u, double F_x, double F_y) const {
    return {.x = u.x + F_x / rod.mass,
            .y = u.y - F_y / rod.mass,
            .omega = u.omega + (-L_x() * F_y - L_y() * F_x) / inertia()};
  }
};

/// The change of both contact velocities for unit impulses, from `after` itself.
struct Mobility {
  double xx, xy, yx, yy;
};

Mobility mobility(const SunBaruh& s) {
  const SunBaruh::Motion along = s.after({}, 1., 0.);
  const SunBaruh::Motion up = s.after({}, 0., 1.);
  return {.xx = s.v_Cx(along), .xy = s.v_Cx(up), .yx = s.v_Cy(along), .yy = s.v_Cy(up)};
}

struct Work {
  SunBaruh::Motion u;
  double F_y = 0.;   ///< so far
  double done = 0.;  ///< normal work so far; negative in compression (ERRATA, SB4)
};

/// One stretch: F_x = ratio F_y, F_y given.
Work stretch(const SunBaruh& s, const Work& from, double ratio, double F_y) {
  Work to;
  to.u = s.after(from.u, ratio * F_y, F_y);
  to.F_y = from.F_y + F_y;
  to.done = from.done - 0.5 * F_y * (s.v_Cy(from.u) + s.v_Cy(to.u));
  return to;
}

/// Table 2 decides the mode by R1, R2, R3; then stretch by stretch to the end of the impact.
Work sun_baruh(const SunBaruh& s, const SunBaruh::Motion& before, bool energetic) {
  const Mobility m = mobility(s);
  const double v_x = s.v_Cx(before);
  const double v_y = s.v_Cy(before);
  const double S = v_x < 0. ? -1. : 1.;
  // Slip along +S: dv_x = xy - mu S xx, dv_y = yy - mu S yx for each unit of F_y.
  const double slide_x = m.xy - s.mu * S * m.xx;
  const double slide_y = m.yy - s.mu * S * m.yx;
  const double R1 = S * slide_x / slide_y;    // eq. 28, as a ratio of rates
  const double R2 = m.xy / m.xx;              // eq. 30 corrected (SB1)
  const bool holds = std::abs(R2) <= s.mu_s;  // Table 2 corrected (SB2)
  const double after = holds ? -R2 : (m.xy < 0. ? s.mu : -s.mu);
  const double after_y = m.yy + after * m.yx;
  const double r = std::abs(v_x) / v_y;
  const bool jams = !(slide_y < 0.);  // v_Cy falls to zero only if slide_y < 0 (SB3)
  const bool slows = S * slide_x < 0.;
  const bool slips_through_compression = !jams && v_x != 0. && (!slows || r > R1);
  const bool slips_throughout = slips_through_compression && (!slows || r >= (1. + s.e) * R1);

  // The end of restitution from `x` on, along a stretch with rates (ratio, rate_y).
  const auto finish = [&](const Work& x, const Work& compressed, double ratio, double rate_y) {
    if (!energetic) return stretch(s, x, ratio, (1. + s.e) * compressed.F_y - x.F_y);
    // W_r = -e^2 W_c: F_y from the quadratic -F (v + v + rate F)/2 = what is still owed.
    const double owed = s.e * s.e * -compressed.done - (x.done - compressed.done);
    if (!(owed > 0.)) return x;
    const double v = -s.v_Cy(x.u);
    return stretch(s, x, ratio, 2. * owed / (v + std::sqrt(v * v - 2. * rate_y * owed)));
  };

  Work x;
  x.u = before;
  if (slips_through_compression) {
    const Work compressed = stretch(s, x, -s.mu * S, -v_y / slide_y);
    if (slips_throughout) return finish(compressed, compressed, -s.mu * S, slide_y);
    const Work stopped = stretch(s, compressed, -s.mu * S, -s.v_Cx(compressed.u) / slide_x);
    return finish(stopped, compressed, after, after_y);
  }
  if (v_x != 0.) x = stretch(s, x, -s.mu * S, -v_x / slide_x);
  const Work compressed = stretch(s, x, after, -s.v_Cy(x.u) / after_y);
  return finish(compressed, compressed, after, after_y);
}

RC_GTEST_PROP(Papers, SunBaruhIsTheExactFamily, ()) {
  SunBaruh s;
  s.rod.mass = *thousandths(100, 5000);
  s.rod.half_length = *thousandths(100, 3000);
  s.rod.inertia_factor = *thousandths(100, 1000);
  s.rod.angle = *thousandths(-1300, 1300);
  s.rod.velocity = {*thousandths(-3000, 3000), *thousandths(500, 3000)};
  s.rod.spin = *thousandths(-500, 500);
  s.mu = *thousandths(0, 1500);
  s.mu_s = s.mu * (1. + *thousandths(0, 500));
  s.e = *restitution();
  const SunBaruh::Motion before{
      .x = s.rod.velocity[0], .y = s.rod.velocity[1], .omega = s.rod.spin};
  RC_PRE(s.v_Cy(before) > 0.01);
  const PlanarProblem c = planar_problem(at_impact(s.rod).problem);
  const PlanarProblem p{
      .G = c.G,
      .approach = c.approach,
      .surface = {.restitution = s.e, .friction = s.mu, .static_friction = s.mu_s}};
  // Where slip is exactly zero by chance of rounding in one of the two, skip.
  RC_PRE(std::abs(c.approach.t) > 1e-9);
  for (const bool energetic : {false, true}) {
    const Work a = sun_baruh(s, before, energetic);
    const auto b = routh(p, energetic ? Hypothesis::energetic : Hypothesis::poisson);
    const double v = velocity_scale(p, b.impulse, b.velocity);
    RC_ASSERT(std::abs(a.F_y - b.impulse.n) <= 1e-9 * b.impulse.n);
    RC_ASSERT(std::abs(-s.v_Cy(a.u) - b.velocity.n) <= 1e-9 * v);
    RC_ASSERT(std::abs(s.v_Cx(a.u) - b.velocity.t) <= 1e-9 * v);
  }
}

}  // namespace
}  // namespace carom::test
