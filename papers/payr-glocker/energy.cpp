// SPDX-License-Identifier: Apache-2.0
// Section 3, eq. 14: energy.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <Eigen/Core>

#include <carom/laws/multi_moreau.hpp>
#include <carom/mechanics/planar_bodies.hpp>
#include <papers/engine/largest.hpp>
#include <papers/payr-glocker/cases.hpp>

namespace carom::papers::pg {
namespace {

constexpr double rounding_of_identities = 1e-12;  // relative, far above what rounding does

/// Both sides of eq. 14 for a bar, the left one from its mass matrix and generalized velocities.
struct Identity {
  double kinetic = 0.;     ///< T+ - T- [J]
  double by_impulse = 0.;  ///< the right side [J]
  double dissipated = 0.;  ///< Lambda.xi [J], eq. 15: never positive
  double scale = 0.;       ///< T- [J]
};

Identity identity_of_a_bar(FixedRandom& random) {
  const double eps = random(0., 1.);
  const Configuration c = configuration(Bar{.mass = random(0.1, 10.),
                                            .half_length = random(0.1, 3.),
                                            .inertia_factor = random(0.1, 1.),
                                            .angle = random(2., 178.) * degree,
                                            .velocity = {random(-3., 3.), -random(0.1, 3.)}});
  const ContactSpace x = contact_space(c);
  const PlanarProblem p{
      .G = x.G, .approach = x.approach, .surface = surface(eps, eps, random(0.05, 3.))};
  const PlanarOutcome o = moreau(p);
  const Vec2 xi = o.velocity + eps * p.approach;
  const double before = kinetic_energy(c, c.velocity);
  return {.kinetic = kinetic_energy(c, velocity_after(c, o.impulse)) - before,
          .by_impulse = dot(o.impulse, xi) / (1. + eps) -
                        0.5 * (1. - eps) / (1. + eps) * dot(o.impulse, p.G * o.impulse),
          .dissipated = dot(o.impulse, xi),
          .scale = before};
}

/// The same over many bars: the greatest of each, relative.
struct IdentityCheck {
  double residual = 0.;
  double gain = -1.;
  double dissipated = -1.;
};

IdentityCheck check_identity(int bars) {
  FixedRandom random(14);
  IdentityCheck worst;
  for (int k = 0; k < bars; ++k) {
    const Identity i = identity_of_a_bar(random);
    worst.residual = largest(worst.residual, std::abs(i.kinetic - i.by_impulse) / i.scale);
    worst.gain = largest(worst.gain, i.kinetic / i.scale);
    worst.dissipated = largest(worst.dissipated, i.dissipated / i.scale);
  }
  return worst;
}

/// Two contacts at once with one coefficient for all four directions, or with one for each.
double greatest_gain_of_two_contacts(int problems, bool equal) {
  FixedRandom random(15);
  double greatest = -1.;
  for (int k = 0; k < problems; ++k) {
    Eigen::MatrixXd A(6, 4);
    for (double& a : A.reshaped()) a = random(-1., 1.);
    const double eps = random(0., 1.);
    const auto coefficient = [&] { return equal ? eps : random(0., 1.); };
    const auto any_surface = [&] {
      return MultiSurface{.restitution = coefficient(),
                          .friction = random(0.05, 1.5),
                          .tangential_restitution = coefficient()};
    };
    const MultiProblem p{
        .G = BlockMatrix::from_dense(A.transpose() * A, 2),
        .approach = {-random(0.1, 2.), random(-2., 2.), -random(0.1, 2.), random(-2., 2.)},
        .surfaces = {any_surface(), any_surface()}};
    const MultiOutcome o = solve_multi_moreau(p);
    greatest = largest(greatest, o.energy.change / o.energy.scale());
  }
  return greatest;
}

}  // namespace

Part energy_identity() {
  constexpr int bars = 2000;
  constexpr int pairs = 400;
  const IdentityCheck c = check_identity(bars);
  const double equal = greatest_gain_of_two_contacts(pairs, true);
  const double unequal = greatest_gain_of_two_contacts(pairs, false);
  const PlanarOutcome stuck = moreau(at_ratio(bar(uniform_bar, 45.), surface(1., 1., 1e6), 1.));
  const PlanarOutcome slips = moreau(at_ratio(bar(uniform_bar, 45.), surface(1., 1., 1e6), 4.));
  const double stuck_change =
      stuck.energy.change /
      contact_energy(at_ratio(bar(uniform_bar, 45.), surface(1., 1., 1e6), 1.));
  return {
      .id = "Eq. 14",
      .title = "Energy with one coefficient of restitution for all directions",
      .text =
          "The change of kinetic energy from the mass matrix and the generalized velocities of "
          "a bar, against the right side of the equation from impulses at the contact, both "
          "under `moreau`; and two contacts at once, where the law is the same.",
      .tables = {},
      .statements =
          {said("both sides of the equation are the same number",
                c.residual < rounding_of_identities,
                fmt::format("{} bars: they differ by at most {:.1e} of the energy before", bars,
                            c.residual)),
           said("the product of impulse and ξ is never positive",
                c.dissipated < rounding_of_identities,
                fmt::format("{} bars: at most {:.1e} of the energy before", bars, c.dissipated)),
           said("with equal coefficients no energy is created",
                c.gain < rounding_of_identities && equal < 1e-9,
                fmt::format("{} bars: the change is at most {:.1e} of the energy before; {} "
                            "impacts of two contacts: at most {:.1e} of the work done; with "
                            "unequal coefficients the latter reach {:+.2f}",
                            bars, c.gain, pairs, equal, unequal)),
           said("ε = 1 and large friction reverse both velocities and keep the energy: a bar at "
                "45 deg that sticks",
                stuck.mode == Mode::stick && std::abs(stuck_change) < rounding_of_identities &&
                    std::abs(stuck.velocity.t - 1.) < rounding_of_identities,
                fmt::format("μ = 10⁶, γ⁻ = (−1, −1): γ⁺ = ({:g}, {:g}), change of energy {:.0e} of "
                            "what the contact has",
                            stuck.velocity.n, stuck.velocity.t, stuck_change)),
           said("ε = 1 and large friction keep the energy whatever the approach",
                std::abs(slips.energy.change) < rounding_of_identities,
                fmt::format("μ = 10⁶, the same bar, γ⁻ = (−1, −4): {}, γ⁺ = ({:g}, {:.4f}), change "
                            "of energy {:.4f} J",
                            slips.mode == Mode::backward_slip ? "backward slip" : "no slip",
                            slips.velocity.n, slips.velocity.t, slips.energy.change),
                "PG11")},
      .pictures = {}};
}

}  // namespace carom::papers::pg
