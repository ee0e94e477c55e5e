// SPDX-License-Identifier: Apache-2.0
// Section 2 of [Brach 1998]: the system equations, and two kinds of coefficients.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include <carom/impact/spatial_coefficients.hpp>
#include <papers/brach/bodies.hpp>
#include <papers/brach/parts.hpp>
#include <papers/brach/sphere.hpp>
#include <papers/engine/decade.hpp>
#include <papers/engine/largest.hpp>

namespace carom::papers::br {
namespace {

constexpr double close = 1e-11;

void take(double& most, double x) { most = largest(most, std::abs(x)); }

// --- Section 2 -----------------------------------------------------------------------------------

/// Greatest residuals of the system equations; all terms are of the order of 1 in SI units.
struct Residuals {
  double momentum = 0.;  ///< eqs 1 and 2
  double normal = 0.;    ///< eq. 5
  double ratios = 0.;    ///< eqs 6 and 7
  double couples = 0.;   ///< eq. 4
};

/// m_i (V_i - v_i) = +-P and H_i - h_i = +-(M + d_i x P).
void take_momentum(const Pair& pair, double& most) {
  const Vec3& P = pair.outcome.impulse;
  const Vec3& M = pair.outcome.couple;
  const World3 push{P.t1, P.t2, P.n};
  const World3 twist{M.t1, M.t2, M.n};
  double side = 1.;
  for (std::size_t i = 0; i < 2; ++i, side = -side) {
    const SpatialBody& b = i == 0 ? pair.given.first : *pair.given.second;
    const SpatialMotion after = pair.bodies.after(i, P, M);
    const World3 moment = cross(b.contact_offset, push);
    for (std::size_t j = 0; j < 3; ++j) {
      take(most, b.mass * (after.velocity[j] - b.velocity[j]) - side * push[j]);
      take(most, b.inertia[j][j] * (after.spin[j] - b.spin[j]) - side * (twist[j] + moment[j]));
    }
  }
}

/// e_mj M_j + (1 + e_mj) I_j (Omega_2j - Omega_1j) = 0, I_j = I_1j I_2j/(I_1j + I_2j).
void take_couples(const Pair& pair, double& most) {
  const Vec3& P = pair.outcome.impulse;
  const Vec3& M = pair.outcome.couple;
  const std::array couple{M.n, M.t1, M.t2};
  const World3 first = pair.bodies.after(0, P, M).spin;
  const World3 second = pair.bodies.after(1, P, M).spin;
  constexpr std::array<std::size_t, 3> world_axis{2, 0, 1};  // of n, t, t'
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t j = world_axis[k];
    const double I1 = pair.given.first.inertia[j][j];
    const double I2 = pair.given.second->inertia[j][j];
    const double e_m = pair.problem.surface.moment_coefficients[k];
    take(most, e_m * couple[k] + (1. + e_m) * I1 * I2 / (I1 + I2) * (second[j] - first[j]));
  }
}

Residuals residuals(Couples couples) {
  Residuals r;
  on_random_pairs(18, couples, [&](const Pair& pair) {
    const SpatialSurface& surface = pair.problem.surface;
    const SpatialOutcome& o = pair.outcome;
    take_momentum(pair, r.momentum);
    take(r.normal, o.velocity.n + surface.restitution * pair.problem.approach.n);
    take(r.ratios, o.impulse.t1 - (*surface.impulse_ratio)[0] * o.impulse.n);
    take(r.ratios, o.impulse.t2 - (*surface.impulse_ratio)[1] * o.impulse.n);
    take_couples(pair, r.couples);
  });
  return r;
}

Statement equations_hold(Couples couples) {
  const Residuals r = residuals(couples);
  return {.says = couples == Couples::some
                      ? "One linear system gives all velocities, impulses and couples: eqs (1), "
                        "(2), (4) to (7), 18 in all"
                      : "In point contact there are no couples, and 15 equations are left",
          .holds = largest({r.momentum, r.normal, r.ratios, r.couples}) < close,
          .found = fmt::format("{} random pairs of bodies; residuals of momentum below {:.0e}, of "
                               "(5) {:.0e}, of (6, 7) {:.0e}, of (4) {:.0e}",
                               pairs, decade(r.momentum), decade(r.normal), decade(r.ratios),
                               decade(r.couples)),
          .known = {}};
}

/// e_mj = 0 stops the relative rotation about j, e_mj = -1 leaves no couple.
Statement meaning_of_moment_coefficient() {
  double rotation = 0.;
  double couple = 0.;
  on_random_pairs(4, Couples::stopped, [&](const Pair& pair) {
    const SpatialOutcome& o = pair.outcome;
    const World3 first = pair.bodies.after(0, o.impulse, o.couple).spin;
    const World3 second = pair.bodies.after(1, o.impulse, o.couple).spin;
    take(rotation, first[2] - second[2]);  // about n
    take(rotation, first[1] - second[1]);  // about t'
    take(couple, o.couple.t1);
  });
  return {.says =
              "A moment coefficient of 0 ends the relative rotation about its axis, one of -1 "
              "means that there is no couple about it",
          .holds = rotation < close && couple == 0.,
          .found =
              fmt::format("{} pairs of bodies: rotation left below {:.0e} rad/s, couple {:g} N m s",
                          pairs, decade(rotation), couple),
          .known = {}};
}

// --- Section 2.2 ---------------------------------------------------------------------------------

Statement same_outcome() {
  double most = 0.;
  on_random_pairs(22, Couples::none, [&](const Pair& pair) {
    const SpatialBrachCoefficients c = brach_coefficients(pair.problem, pair.outcome);
    SpatialProblem p = pair.problem;
    p.surface.impulse_ratio.reset();
    p.surface.tangential_coefficient = std::array{*c.e_t[0], *c.e_t[1]};
    const SpatialOutcome o = brach(p);
    const Vec3 d = o.velocity - pair.outcome.velocity;
    const Vec3 P = o.impulse - pair.outcome.impulse;
    most = largest({most, std::sqrt(dot(d, d)), std::sqrt(dot(P, P))});
  });
  return {.says =
              "For every pair of impulse ratios there is a pair of velocity coefficients e_t, e_t' "
              "that gives the same solution",
          .holds = most < close,
          .found = fmt::format(
              "{} random pairs of bodies solved both ways: velocities and impulses equal to {:.0e}",
              pairs, decade(most)),
          .known = {}};
}

Statement sphere_equivalence() {
  const double most = worst(23, sample_in_space, [](const Sample& s) {
    const auto mu_0 = critical(s.sphere, s.e_n);
    const std::array mu{s.part[0] * mu_0[0], s.part[1] * mu_0[1]};
    const Struck by_ratio = direct(s.sphere, surface_of(s.e_n, mu));
    SpatialSurface surface{.restitution = s.e_n};
    surface.tangential_coefficient = std::array{s.part[0] - 1., s.part[1] - 1.};
    const Vec3 d = direct(s.sphere, surface).velocity - by_ratio.velocity;
    return std::sqrt(dot(d, d));
  });
  return {.says = "For the sphere the relation is e_t = μ_t/μ_t0 - 1, and so for t'",
          .holds = most < close,
          .found = fmt::format("{} random spheres: velocities equal to {:.0e} m/s", trials,
                               decade(most)),
          .known = {}};
}

}  // namespace

Part system_equations() {
  return {.id = "Section 2",
          .title = "The system equations of two bodies, couples included",
          .text =
              "Random pairs of bodies with principal axes along n, t and t' are solved by `brach`; "
              "the equations of the publication are then evaluated with the bodies' motions before "
              "and after.",
          .tables = {},
          .statements = {equations_hold(Couples::some), equations_hold(Couples::none),
                         meaning_of_moment_coefficient()},
          .pictures = {}};
}

Part equivalence() {
  return {
      .id = "Section 2.2",
      .title = "Impulse ratios and velocity coefficients say the same",
      .text =
          "`impulse_ratio` and `tangential_coefficient` of `brach`, translated into each other.",
      .tables = {},
      .statements = {same_outcome(), sphere_equivalence()},
      .pictures = {}};
}

}  // namespace carom::papers::br
