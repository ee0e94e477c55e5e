// SPDX-License-Identifier: Apache-2.0
// What is misprinted or claims too much, each shown by a computation.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <carom/mechanics/planar_bodies.hpp>
#include <carom/papers/largest.hpp>
#include <carom/papers/shen_townsend_cases.hpp>

namespace carom::papers::st {
namespace {

/// A relative difference in words: rounding is not the same everywhere, and what it does is of no
/// interest.
std::string words_of(double difference) {
  return difference < 1e-12 ? "rounding" : fmt::format("{:.1e}", difference);
}

Erratum test_of_case_i() {
  // Slip stops in compression, and stick would need more than static friction.
  const PlanarProblem p{.G = {.nn = 1., .nt = -0.6, .tt = 1.},
                        .approach = {.n = -1., .t = 0.2},
                        .surface = surface(0.5, 0.4, 0.3)};
  const Collision mended = *procedure(p);
  const bool leads_nowhere = !procedure(p, {.slips_if_below = true});
  const double apart = difference(p, mended.velocity, solve_by("shen-townsend", p).velocity);
  return {
      .id = "ST1",
      .reason = Reason::misprint,
      .where = "Case i(c)",
      .printed = "slips if |τ_res/F_res| < μ_s",
      .corrected = "slips if |τ_res/F_res| > μ_s; i(b) already has < for stick",
      .shown = fmt::format("G = [[1, −0.6], [−0.6, 1]], v = (−1, 0.2), μ = 0.3, μ_s = 0.4: case "
                           "({}), |τ_res/F_res| = {:g}; as printed neither (b) nor (c) holds, "
                           "mended it slips and is the law to {}",
                           name(mended.kase), std::abs(mended.needed), words_of(apart)),
      .holds =
          mended.kase == ShenTownsendCase::i && leads_nowhere && !mended.sticks && apart < 1e-12};
}

Erratum friction_in_equation_30() {
  // Slip and approach vanish together, in numbers that are exact.
  const PlanarProblem p{.G = {.nn = 1.5, .nt = -1., .tt = 1.},
                        .approach = {.n = -2., .t = 1.5},
                        .surface = surface(0.5, 0.75, 0.5)};
  const Collision mended = *procedure(p);
  const Collision printed = *procedure(p, {.friction_of_one = true});
  const Vec2 law = solve_by("shen-townsend", p).velocity;
  return {
      .id = "ST2",
      .reason = Reason::misprint,
      .where = "Eq. 30",
      .printed = "τ_r = −F_r = −μ e F_c",
      .corrected = "τ_r = −μ F_r = −μ e F_c",
      .shown = fmt::format("G = [[1.5, −1], [−1, 1]], v = (−2, 1.5), μ = 0.5, μ_s = 0.75, e = "
                           "0.5, case ({}): slip after {:g} with −F_r, {:g} with −μF_r, {:g} by "
                           "the law",
                           name(mended.kase), printed.velocity.t, mended.velocity.t, law.t),
      .holds = mended.kase == ShenTownsendCase::ii && std::abs(mended.velocity.t - law.t) < 1e-12 &&
               std::abs(printed.velocity.t - law.t) > 0.1};
}

Erratum absolute_values_of_case_iii() {
  int stick = 0;
  int negative = 0;
  for (const Row& row : rows) {
    const Collision printed = *procedure(example_1(row), {.signed_ratio = true});
    if (printed.sticks) ++stick;
    if (printed.needed < 0.) ++negative;
  }
  return {.id = "ST3",
          .reason = Reason::misprint,
          .where = "Case iii, both tests",
          .printed = "τ_res/F_res against μ_s",
          .corrected = "|τ_res/F_res|, as in cases i and ii",
          .shown = fmt::format("τ_res/F_res is negative in {} of the 4 rows of Table 3; as printed "
                               "{} of them would stick, where the table says that all slip",
                               negative, stick),
          .holds = stick == 4 && negative == 4};
}

Erratum slip_that_grows() {
  const PlanarProblem p{.G = {.nn = 1., .nt = 0.8, .tt = 1.},
                        .approach = {.n = -1., .t = 1.},
                        .surface = surface(0.5, 0.5, 0.5)};
  const Collision printed = *procedure(p, {.any_t_star = true});
  const Collision mended = *procedure(p);
  const PlanarOutcome law = solve_by("shen-townsend", p);
  return {
      .id = "ST4",
      .reason = Reason::misprint,
      .where = "Section 3, t*",
      .printed = "t* ≥ 0",
      .corrected = "if slip grows, F* < 0 and t* is to be taken as infinite",
      .shown = fmt::format("G = [[1, 0.8], [0.8, 1]], v = (−1, 1), μ = e = 0.5: F* = {:.4f}, "
                           "u_n* = {:g}, which selects case ({}) and F = {:.4f}; slip throughout "
                           "gives F = {:g}, the law {:g}",
                           printed.F_star, printed.u_n_star, name(printed.kase), printed.F_s,
                           mended.F_s, law.impulse.n),
      .holds = printed.F_star < 0. && printed.kase == ShenTownsendCase::i &&
               std::abs(mended.F_s - law.impulse.n) < 1e-12 &&
               std::abs(printed.F_s - law.impulse.n) > 0.1};
}

Erratum direction_without_slip() {
  const PlanarProblem p{.G = {.nn = 1., .nt = 0.8, .tt = 1.},
                        .approach = {.n = -1., .t = 0.},
                        .surface = surface(0.5, 0.5, 0.5)};
  const PlanarOutcome law = solve_by("shen-townsend", p);
  // Slip along `s` with friction against it, up to v_n = 0: slip must come out along s.
  const auto slip_after = [&](double s) {
    const double F = -p.approach.n / (p.G.nn - 0.5 * s * p.G.nt);
    return (p.G.nt - 0.5 * s * p.G.tt) * F;
  };
  return {
      .id = "ST5",
      .reason = Reason::reading,
      .where = "Cases i to iii, \"opposite direction\"",
      .printed = "slip opposite to that before",
      .corrected = "undefined for u_t(0) = 0: there slip begins along the sign of a_nt",
      .shown = fmt::format("G = [[1, 0.8], [0.8, 1]], v = (−1, 0), μ = 0.5: taken along + it is "
                           "{:+.3f} at the end of compression, taken along − {:+.3f}, which "
                           "contradicts itself; the law ends with {:+.3f}",
                           slip_after(1.), slip_after(-1.), law.velocity.t),
      .holds = slip_after(1.) > 0. && slip_after(-1.) > 0. && law.velocity.t > 0. &&
               law.mode == Mode::no_slip_slides};
}

Erratum equality() {
  const auto at = [](double mu_s, double mu) {
    return PlanarProblem{.G = {.nn = 1., .nt = -0.5, .tt = 1.},
                         .approach = {.n = -1., .t = 0.25},
                         .surface = surface(0.5, mu_s, mu)};
  };
  const PlanarOutcome stick = solve_by("shen-townsend", at(0.5, 0.25));
  const PlanarOutcome slip = solve_by("shen-townsend", at(0.499, 0.25));
  const PlanarOutcome one = solve_by("shen-townsend", at(0.5, 0.5));
  const PlanarOutcome below = solve_by("shen-townsend", at(0.499999, 0.499999));
  return {.id = "ST6",
          .reason = Reason::reading,
          .where = "Cases i to iii, |τ_res/F_res| = μ_s",
          .printed = "nothing is said of equality",
          .corrected = "stick; it matters only where μ_s > μ",
          .shown = fmt::format(
              "G = [[1, −0.5], [−0.5, 1]], v = (−1, 0.25), so that 0.5 is needed: slip after {:g} "
              "with μ_s = 0.5 and {:.4f} with 0.499 (μ = 0.25); {:g} and {:.0e} with μ_s = μ",
              stick.velocity.t, slip.velocity.t, one.velocity.t, below.velocity.t),
          .holds = stick.velocity.t == 0. && std::abs(slip.velocity.t) > 0.1 &&
                   std::abs(below.velocity.t - one.velocity.t) < 1e-5};
}

Erratum radius_of_spheres() {
  const auto tau = [](double r) {
    return solve_by("shen-townsend", problem(spheres(r), surface(0.8, 0.3, 0.3))).impulse.t;
  };
  const double spin = 2.5 * tau(4.) / 4.;  // 5 tau/(2 m r)
  return {
      .id = "ST7",
      .reason = Reason::misprint,
      .where = "Example 2",
      .printed = "4 units in diameter, not radius",
      .corrected = "radius 4: the numbers need it",
      .shown = fmt::format("radius 4: τ = {:.4f} and a spin of {:.4f}, as printed; radius 2: τ = "
                           "{:.4f}",
                           tau(4.), spin, tau(2.)),
      .holds = std::abs(tau(4.) - 2.5742) < 5e-5 && std::abs(spin - 1.6089) < 5e-5 &&
               std::abs(tau(2.) - 2.5742) > 1.};
}

Erratum signs_of_example_2() {
  const PlanarOutcome o = solve_by("shen-townsend", problem(spheres(4.), surface(0.8, 0.3, 0.3)));
  const Eigen::VectorXd star = velocity_after(spheres(4.), o.phases[1].impulse);
  const double rest = o.impulse.n - o.phases[1].impulse.n;
  return {.id = "ST8",
          .reason = Reason::misprint,
          .where = "Example 2, last lines, and u_n",
          .printed = "v₂ = 8.5806 − 4.9194 = 13.5; u_n = v₁ − v₂ = −2.1612",
          .corrected = "8.5806 + 4.9194 = 13.5; by (1) u_n = v₂ − v₁ = +2.1612",
          .shown = fmt::format("{:.4f} − {:.4f} = {:.4f}, with a plus {:.4f}; v₂ − v₁ = {:+.4f}",
                               star(3), rest, star(3) - rest, star(3) + rest, star(3) - star(0)),
          .holds = std::abs(star(3) + rest - 13.5) < 1e-9 && star(3) - star(0) > 0.};
}

Erratum last_digits() {
  const double two = -solve_by("conventional", example_1(rows[0])).energy.change;
  const double four = solve_by("shen-townsend", example_1({0.2, 0.5, 0.4})).impulse.n;
  return {.id = "ST9",
          .reason = Reason::misprint,
          .where = "Table 2, row 1; Table 4, row 2",
          .printed = "0.1034; 0.5971",
          .corrected = "0.1033; 0.5972",
          .shown = fmt::format("{:.6f}; {:.6f}", two, four),
          .holds = std::abs(two - 0.1033) < 5e-5 && std::abs(four - 0.5972) < 5e-5};
}

Erratum rule_of_kane_and_levinson() {
  FixedRandom random(10);
  double worst = 0.;
  constexpr int problems = 4000;
  for (int k = 0; k < problems; ++k) {
    PlanarProblem p = random_problem(random);
    p.surface.static_friction = p.surface.friction;
    worst = largest(worst, difference(p, solve_by("conventional:rebound", p).velocity,
                                      solve_by("moreau", p).velocity));
  }
  const double rebound = solve_by("conventional:rebound", example_1(rows[1])).energy.change;
  const double moreau = solve_by("moreau", example_1(rows[1])).energy.change;
  return {
      .id = "ST10",
      .reason = Reason::reading,
      .where = "Section 6.1, on Table 1",
      .printed = "Kane & Levinson reverse the sign of friction a priori",
      .corrected =
          "their rule is friction against the slip after the impact; with μ_s = μ it is "
          "Payr & Glocker's law with ε_T = 0, with μ_s > μ it is not",
      .shown = fmt::format("{} random problems with μ_s = μ: velocities are those of `moreau` to "
                           "{}; Table 1, row 2 (μ_s > μ): energy {:+.3f} J, `moreau` "
                           "{:+.3f} J",
                           problems, words_of(worst), rebound, moreau),
      .holds = worst < 1e-12 && std::abs(rebound - moreau) > 0.01};
}

Erratum keller() {
  double worst = 0.;
  for (const Row& row : rows) {
    const PlanarProblem p = example_1(row);
    worst = largest(worst,
                    difference(p, solve_by("shen-townsend", p).velocity,
                               solve_by("poisson", example_1({row.e, row.mu, row.mu})).velocity));
  }
  const PlanarProblem held = example_1({0.7, 0.63, 0.5});
  const double apart = difference(held, solve_by("shen-townsend", held).velocity,
                                  solve_by("poisson", example_1({0.7, 0.5, 0.5})).velocity);
  return {.id = "ST11",
          .reason = Reason::reading,
          .where = "Sections 1 and 6.1, on Keller's method",
          .printed = "it would give incorrect results, knowing one coefficient only",
          .corrected =
              "with the kinetic one it gives every row of Table 3; μ_s matters only if μ < "
              "|a_nt/a_tt| ≤ μ_s",
          .shown = fmt::format("rows of Table 3 with μ_s = μ: velocities differ by {}; "
                               "the case μ_s = 0.63 by {:.3f} of the approach",
                               words_of(worst), apart),
          .holds = worst < 1e-12 && apart > 1e-3};
}

Erratum frictionless() {
  const double free_spheres = procedure(problem(spheres(4.), surface(0.8, 0., 0.)))->F_star;
  const Configuration bar = configuration(
      Bar{.angle = 60. * degree, .velocity = {-0.3, -1.}});  // eccentric: a_nt is not zero
  const PlanarProblem p = problem(bar, surface(0.5, 0., 0.));
  const Collision c = *procedure(p);
  const PlanarOutcome law = solve_by("shen-townsend", p);
  const Vec2 slid = p.approach + p.G * Vec2{.n = law.impulse.n, .t = 0.};
  const double apart = difference(p, law.velocity, slid);
  return {
      .id = "ST12",
      .reason = Reason::reading,
      .where = "Section 4, special cases",
      .printed =
          "without friction t* is infinite for simple rigid bodies, and sliding on may "
          "not be a solution for others",
      .corrected =
          "infinite only if a_nt = 0; sliding on is the solution always, t* having no "
          "effect without friction",
      .shown = fmt::format("two spheres: F* = {:g}; a free bar at 60 deg: F* = {:.4f} of {:.4f}, "
                           "and sliding on is the law's answer to {}",
                           free_spheres, c.F_star, c.F_s, words_of(apart)),
      .holds = std::isinf(free_spheres) && c.stops && apart < 1e-14};
}

Erratum notation() {
  // Eq. 20 on the first row of Table 3: M (u_s - u*) = W (F_res, tau_res), with F* and with F_c.
  const Configuration c = pendulum();
  const PlanarProblem p = example_1(rows[0]);
  const PlanarOutcome o = solve_by("shen-townsend", p);
  const Collision steps = *procedure(p);
  const Eigen::VectorXd star = velocity_after(c, o.phases[1].impulse);
  const Eigen::VectorXd end = velocity_after(c, o.impulse);
  const auto residual = [&](double from) {
    const double F = o.impulse.n - from;
    const double tau = o.impulse.t - o.phases[1].impulse.t;
    const Eigen::VectorXd moment = c.mass * (end - star);
    return (moment - c.directions * Eigen::Vector2d(F, tau)).norm() / moment.norm();
  };
  return {.id = "ST13",
          .reason = Reason::scan,
          .where = "Section 4, Eqs 2, 7 and 20",
          .printed =
              "F_c* for the impulse up to t*; T_res; F m; Lagrange's equations of the first "
              "kind",
          .corrected = "F*; τ_res; F n; of the second kind: there are no multipliers",
          .shown = fmt::format(
              "(20) on Table 3, row 1, two equations for two coordinates: holds to "
              "{} with F* = {:.4f} and τ_res, and is off by {:.2f} of itself with F_c = {:.4f}",
              words_of(residual(steps.F_star)), steps.F_star, residual(steps.F_c), steps.F_c),
          .holds = residual(steps.F_star) < 1e-12 && residual(steps.F_c) > 0.1};
}

Erratum stick_keeps_the_direction() {
  const PlanarProblem p = example_1({0.7, 0.63, 0.5});
  const PlanarOutcome law = solve_by("shen-townsend", p);
  const PlanarOutcome textbook = solve_by("conventional", p);
  // Without coupling the two agree: there v_n knows nothing of friction.
  const PlanarProblem free = problem(spheres(4.), surface(0.8, 0.3, 0.3));
  const double apart = difference(free, solve_by("shen-townsend", free).velocity,
                                  solve_by("conventional", free).velocity);
  return {
      .id = "ST14",
      .reason = Reason::reading,
      .where = "Section 7",
      .printed = "comparable with conventional methods where slip does not change direction",
      .corrected =
          "where it lasts through the impact; where it stops and sticks only if a_nt = "
          "0: friction has changed the normal velocity by then",
      .shown = fmt::format("the pendulum with μ_s = 0.63 sticks, slip never reversing: energy "
                           "{:+.3f} J, conventional {:+.3f} J; two spheres, a_nt = 0, stick, and "
                           "differ by {}",
                           law.energy.change, textbook.energy.change, words_of(apart)),
      .holds = law.mode == Mode::stops_in_restitution_sticks &&
               law.energy.change * textbook.energy.change < 0. && apart < 1e-12};
}

}  // namespace

std::vector<Erratum> errata() {
  return {test_of_case_i(),
          friction_in_equation_30(),
          absolute_values_of_case_iii(),
          slip_that_grows(),
          direction_without_slip(),
          equality(),
          radius_of_spheres(),
          signs_of_example_2(),
          last_digits(),
          rule_of_kane_and_levinson(),
          keller(),
          frictionless(),
          notation(),
          stick_keeps_the_direction()};
}

}  // namespace carom::papers::st
