// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include <fmt/format.h>

#include <carom/core/scalar.hpp>
#include <carom/impact/labels.hpp>
#include <carom/impact/one_contact.hpp>
#include <carom/laws/table.hpp>
#include <carom/mechanics/linkage.hpp>
#include <carom/mechanics/planar_bodies.hpp>
#include <carom/mechanics/two_bodies.hpp>
#include <papers/engine/measures.hpp>

/// The systems of [Shen & Townsend 1998] and its procedure, step by step. Theirs and ours: F = P_n;
/// tau = P_t counted so that it is +mu F while the contact slips as at first.
namespace carom::papers::st {

inline constexpr double rod_length = 2.;  ///< [m]
inline constexpr double rod_mass = 3.;    ///< [kg]

/// A uniform rod; angles of links count from +x, the paper's from the downward vertical.
[[nodiscard]] inline Link rod(double angle_deg, double rate) {
  return {.mass = rod_mass,
          .inertia = rod_mass * rod_length * rod_length / 12.,
          .mass_centre = {0.5 * rod_length, 0.},
          .position = (angle_deg - 90.) * degree,
          .rate = rate};
}

/// The double pendulum of Example 1: rods of 2 m and 3 kg at 20 and 30 degrees from the vertical,
/// both absolute; or with the lower one counted from the upper one.
[[nodiscard]] inline SystemAtImpact pendulum(bool relative_angles = false) {
  Link lower = rod(30., -0.2);
  lower.parent = 0;
  lower.at = {rod_length, 0.};
  if (relative_angles) lower.position = 30. * degree;
  return at_impact(Linkage{.links = {rod(20., -0.1), lower},
                           .contact = {.link = 1, .point = {rod_length, 0.}},
                           .relative_angles = relative_angles});
}

/// A single rod of it, at some angle from the vertical.
[[nodiscard]] inline SystemAtImpact single_pendulum(double angle_deg) {
  return at_impact(
      Linkage{.links = {rod(angle_deg, -0.1)}, .contact = {.link = 0, .point = {rod_length, 0.}}});
}

/// Two like spheres of 1 kg; the first comes at 30 cm/s, 60 degrees from the normal, with a spin of
/// -11 rad/s. Lengths in cm. u = (v1x, v1y, w1, v2x, v2y, w2), x along the line of centres.
[[nodiscard]] inline SystemAtImpact spheres(double radius) {
  const auto ball = [&](double side) {
    return FreeBody{.mass = 1.,
                    .inertia = sphere_inertia_factor * radius * radius,
                    .contact_offset = {side * radius, 0.}};
  };
  FreeBody first = ball(1.);
  first.velocity = {30. * std::cos(60. * degree), 30. * std::sin(60. * degree)};
  first.spin = -11.;
  return at_impact(TwoBodies{.first = first, .second = ball(-1.), .normal = {-1., 0.}});
}

[[nodiscard]] inline Surface surface(double e, double mu_s, double mu) {
  return {.restitution = e, .friction = mu, .static_friction = mu_s};
}

[[nodiscard]] inline PlanarProblem problem(const SystemAtImpact& c, const Surface& s) {
  const PlanarProblem x = planar_problem(c.problem);
  return {.G = x.G, .approach = x.approach, .surface = s};
}

[[nodiscard]] inline PlanarOutcome solve_by(const char* law, const PlanarProblem& p) {
  return solve(planar_kernel(find_law(law, "law")), p);
}

/// Under the publication's own law, `shen-townsend`.
[[nodiscard]] inline PlanarOutcome process(const PlanarProblem& p) {
  return solve_by("shen-townsend", p);
}

/// The double pendulum with these coefficients, or with those of a row of its tables.
[[nodiscard]] inline PlanarProblem example_1(double e, double mu_s, double mu) {
  return problem(pendulum(), surface(e, mu_s, mu));
}

[[nodiscard]] inline PlanarProblem example_1(const Row& row) {
  return example_1(row.number("e"), row.number("μ_s"), row.number("μ"));
}

/// The four rows of Tables 1 to 3.
[[nodiscard]] inline const std::vector<Row>& example_1_rows() {
  return printed_rows("shen-townsend/table-3");
}

/// Which of the printed slips are kept; none: as mended.
struct Reading {
  bool slips_if_below = false;   ///< ST1: i(c) asks for "<"
  bool friction_of_one = false;  ///< ST2: eq. 30
  bool signed_ratio = false;     ///< ST3: case iii without absolute values
  bool any_t_star = false;       ///< ST4: a negative F* is taken for one
};

/// What the procedure finds [Secs 3-4].
struct Collision {
  ShenTownsendCase kase = ShenTownsendCase::iii;
  double F_star = 0.;    ///< normal impulse where slip would vanish; infinite: it never does
  double u_n_star = 0.;  ///< normal velocity there
  double F_c = 0.;       ///< normal impulse of compression
  double F_s = 0.;       ///< (1 + e) F_c
  double needed = 0.;    ///< tau_res/F_res that stick needs
  bool stops = false;    ///< slip vanishes within the collision
  bool sticks = false;   ///< and stays zero
  Vec2 impulse;
  Vec2 velocity;
};

/// Empty: the tests as read lead nowhere. @pre v_n < 0, G of full rank
[[nodiscard]] std::optional<Collision> procedure(const PlanarProblem& p, const Reading& as = {});

/// Any body, any surface, slip one way or the other.
[[nodiscard]] inline PlanarProblem random_problem(FixedRandom& random) {
  const double nn = random(0.2, 2.);
  const double tt = random(0.2, 2.);
  const double mu = random(0.05, 1.);
  const double nt = random(-0.95, 0.95) * std::sqrt(nn * tt);
  const double normal = -random(0.1, 2.);
  const double tangential = random(-2., 2.);
  const double static_friction = mu + random(0., 0.3);
  const double restitution = random(0., 1.);
  return {.G = {.nn = nn, .nt = nt, .tt = tt},
          .approach = {.n = normal, .t = tangential},
          .surface = surface(restitution, static_friction, mu)};
}

/// Of two outcomes, relative to the approach.
[[nodiscard]] inline double difference(const PlanarProblem& p, const Vec2& a, const Vec2& b) {
  const Vec2 d = a - b;
  return std::sqrt(dot(d, d) / dot(p.approach, p.approach));
}

/// The same of what two laws give.
[[nodiscard]] inline double apart(const PlanarProblem& p, const char* law, const char* other) {
  return difference(p, solve_by(law, p).velocity, solve_by(other, p).velocity);
}

/// What static friction changes: the law beside Keller's, which knows the kinetic coefficient
/// alone.
[[nodiscard]] inline double apart_from_kinetic_alone(const PlanarProblem& p) {
  PlanarProblem one = p;
  one.surface.static_friction = one.surface.friction;
  return difference(p, process(p).velocity, solve_by("poisson", one).velocity);
}
[[nodiscard]] inline double static_friction_changes(const Row& row) {
  return apart_from_kinetic_alone(example_1(row));
}

/// "Decrease" or "Increase", as the tables put it.
[[nodiscard]] inline std::string direction(double change) {
  return change < 0. ? "Decrease" : "Increase";
}
[[nodiscard]] inline std::string yes_or_no(bool b) { return b ? "Yes" : "No"; }
/// "(iii)"
[[nodiscard]] inline std::string case_of(const PlanarOutcome& o) {
  return fmt::format("({})", name(*shen_townsend_case(o)));
}

/// The slip after is against that before.
[[nodiscard]] inline bool slip_reverses(const PlanarProblem& p, const PlanarOutcome& o) {
  return o.velocity.t * p.approach.t < 0.;
}

[[nodiscard]] inline bool ends_in_stick(const PlanarOutcome& o) {
  return !o.phases.empty() && o.phases[o.phases.size() - 1].motion == Motion::stick;
}

/// A quantity of (impulse, velocity) over the normal impulse, corner by corner of the process.
template <class Quantity>
[[nodiscard]] Series over_impulse(std::string label, const PlanarProblem& p,
                                  const Quantity& quantity, std::optional<Dash> dash = {}) {
  Series s = series_of("poisson", std::move(label), 2.5);
  s.dash = std::move(dash);
  s.x = {0.};
  s.y = {quantity(Vec2{}, p.approach)};
  for (const PlanarPhase& phase : process(p).phases) {
    s.x.push_back(phase.impulse.n);
    s.y.push_back(quantity(phase.impulse, phase.velocity));
  }
  return s;
}

// Topic by topic.
[[nodiscard]] Computations pendulums();    ///< Section 6.1, Tables 1 to 4
[[nodiscard]] Computations two_spheres();  ///< Example 2
[[nodiscard]] Computations errata();

}  // namespace carom::papers::st
