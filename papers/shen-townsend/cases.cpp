// SPDX-License-Identifier: Apache-2.0
#include <papers/shen-townsend/cases.hpp>

#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include <carom/core/scalar.hpp>
#include <carom/laws/table.hpp>
#include <carom/mechanics/linkage.hpp>
#include <carom/mechanics/planar_bodies.hpp>
#include <carom/mechanics/two_bodies.hpp>

namespace carom::papers::st {
namespace {

constexpr double length = 2.;  // [m]
constexpr double mass = 3.;    // [kg]

/// A uniform rod; angles of links count from +x, the paper's from the downward vertical.
Link rod(double angle_deg, double rate) {
  return {.mass = mass,
          .inertia = mass * length * length / 12.,
          .mass_centre = {0.5 * length, 0.},
          .position = (angle_deg - 90.) * degree,
          .rate = rate};
}

}  // namespace

Configuration pendulum(bool relative_angles) {
  Link lower = rod(30., -0.2);
  lower.parent = 0;
  lower.at = {length, 0.};
  if (relative_angles) lower.position = 30. * degree;
  return configuration(Linkage{.links = {rod(20., -0.1), lower},
                               .contact = {.link = 1, .point = {length, 0.}},
                               .relative_angles = relative_angles});
}

Configuration single_pendulum(double angle_deg) {
  return configuration(
      Linkage{.links = {rod(angle_deg, -0.1)}, .contact = {.link = 0, .point = {length, 0.}}});
}

Configuration spheres(double radius) {
  const auto ball = [&](double side) {
    return FreeBody{.mass = 1.,
                    .inertia = sphere_inertia_factor * radius * radius,
                    .contact_offset = {side * radius, 0.}};
  };
  FreeBody first = ball(1.);
  first.velocity = {30. * std::cos(60. * degree), 30. * std::sin(60. * degree)};
  first.spin = -11.;
  return configuration(TwoBodies{.first = first, .second = ball(-1.), .normal = {-1., 0.}});
}

Surface surface(double e, double mu_s, double mu) {
  return {.restitution = e, .friction = mu, .static_friction = mu_s};
}

PlanarProblem problem(const Configuration& c, const Surface& s) {
  const ContactSpace x = contact_space(c);
  return {.G = x.G, .approach = x.approach, .surface = s};
}

PlanarOutcome solve_by(const char* law, const PlanarProblem& p) {
  return solve(planar_kernel(find_law(law, "law")), p);
}

PlanarOutcome process(const PlanarProblem& p) { return solve_by("shen-townsend", p); }

PlanarProblem example_1(double e, double mu_s, double mu) {
  return problem(pendulum(), surface(e, mu_s, mu));
}

PlanarProblem example_1(const Row& row) {
  return example_1(row.number("e"), row.number("μ_s"), row.number("μ"));
}

const std::vector<Row>& example_1_rows() { return printed_rows("shen-townsend/table-3"); }

std::optional<Collision> procedure(const PlanarProblem& p, const Reading& as) {
  const Sym2& G = p.G;
  const Vec2& v = p.approach;
  const double mu = p.surface.friction;
  const double mu_s = p.surface.static_friction;
  const double e = p.surface.restitution;
  // Without slip before, that which would begin (ST5).
  const double s = v.t != 0. ? sign(v.t) : -sign(G.nt);
  const double first = -mu * s;          // P_t/P_n while slipping as at first
  const auto rate = [&](double ratio) {  // of the velocity, for a unit of F
    return Vec2{.n = G.nn + ratio * G.nt, .t = G.nt + ratio * G.tt};
  };
  Collision c;

  // Eqs 15-17: slip vanishes after F*.
  c.F_star = -v.t / rate(first).t;
  c.u_n_star = v.n + c.F_star * rate(first).n;
  const bool never = !(c.F_star >= 0.) || !std::isfinite(c.F_star);
  if (never && !as.any_t_star) {
    c.F_star = std::numeric_limits<double>::infinity();
    c.kase = ShenTownsendCase::iii;
  } else {
    c.kase = c.u_n_star < 0.   ? ShenTownsendCase::i
             : c.u_n_star > 0. ? ShenTownsendCase::iii
                               : ShenTownsendCase::ii;
  }

  // Eqs 19-22: what stick needs, and whether static friction can give it.
  c.needed = s * G.nt / G.tt;
  const bool case_iii = c.kase == ShenTownsendCase::iii;
  const double held = as.signed_ratio && case_iii ? c.needed : std::abs(c.needed);
  c.sticks = held <= mu_s;  // equality: stick (ST6)
  const bool may_slip = as.slips_if_below && c.kase == ShenTownsendCase::i ? held < mu_s : true;
  const double after = c.sticks ? -G.nt / G.tt : mu * s;

  if (case_iii) {
    c.F_c = -v.n / rate(first).n;  // eqs 12-13, 31
    c.F_s = (1. + e) * c.F_c;
    c.stops = c.F_star < c.F_s;
    const double slipping = c.stops ? c.F_star : c.F_s;
    const double rest = c.F_s - slipping;  // eqs 32-38
    c.impulse = {.n = c.F_s, .t = first * slipping + after * rest};
    c.sticks = c.sticks && c.stops;
  } else {
    if (!c.sticks && !may_slip) return std::nullopt;
    c.stops = true;
    c.F_c = c.F_star - c.u_n_star / rate(after).n;  // eqs 18 or 23-24
    c.F_s = (1. + e) * c.F_c;
    c.impulse = {.n = c.F_s, .t = first * c.F_star + after * (c.F_s - c.F_star)};  // eqs 25-30
    if (as.friction_of_one && c.kase == ShenTownsendCase::ii && !c.sticks) {
      c.impulse.t = first * c.F_star + s * e * c.F_c;
    }
  }
  c.velocity = v + G * c.impulse;
  return c;
}

PlanarProblem random_problem(FixedRandom& random) {
  const double nn = random(0.2, 2.);
  const double tt = random(0.2, 2.);
  const double mu = random(0.05, 1.);
  return {.G = {.nn = nn, .nt = random(-0.95, 0.95) * std::sqrt(nn * tt), .tt = tt},
          .approach = {.n = -random(0.1, 2.), .t = random(-2., 2.)},
          .surface = surface(random(0., 1.), mu + random(0., 0.3), mu)};
}

double difference(const PlanarProblem& p, const Vec2& a, const Vec2& b) {
  const Vec2 d = a - b;
  return std::sqrt(dot(d, d) / dot(p.approach, p.approach));
}

double apart(const PlanarProblem& p, const char* law, const char* other) {
  return difference(p, solve_by(law, p).velocity, solve_by(other, p).velocity);
}

double apart_from_kinetic_alone(const PlanarProblem& p) {
  PlanarProblem one = p;
  one.surface.static_friction = one.surface.friction;
  return difference(p, process(p).velocity, solve_by("poisson", one).velocity);
}

std::string direction(double change) { return change < 0. ? "Decrease" : "Increase"; }
std::string yes_or_no(bool b) { return b ? "Yes" : "No"; }

std::string case_of(const PlanarOutcome& o) {
  return fmt::format("({})", name(*shen_townsend_case(o)));
}

bool slip_reverses(const PlanarProblem& p, const PlanarOutcome& o) {
  return o.velocity.t * p.approach.t < 0.;
}

bool ends_in_stick(const PlanarOutcome& o) {
  return !o.phases.empty() && o.phases[o.phases.size() - 1].motion == Motion::stick;
}

}  // namespace carom::papers::st
