// SPDX-License-Identifier: Apache-2.0
// Section 3: energy.
#include <cmath>

#include <Eigen/Core>

#include <carom/laws/multi_moreau.hpp>
#include <carom/mechanics/planar_bodies.hpp>
#include <papers/payr-glocker/cases.hpp>

namespace carom::papers::pg {
namespace {

constexpr double rounding_of_identities = 1e-12;  // relative, far above what rounding does

/// Eq. 14 of a bar, relative to T-: the left side by mass matrix and generalized velocities, the
/// right side by impulses at the contact.
struct Balance {
  double gain = 0.;        ///< T+ - T-
  double residual = 0.;    ///< left side less right side
  double dissipated = 0.;  ///< Lambda.xi [eq. 15]
};

Balance balance_of_a_bar(FixedRandom& random) {
  const double eps = random(0., 1.);
  const Configuration c = configuration(Bar{.mass = random(0.1, 10.),
                                            .half_length = random(0.1, 3.),
                                            .inertia_factor = random(0.1, 1.),
                                            .angle = random(2., 178.) * degree,
                                            .velocity = {random(-3., 3.), -random(0.1, 3.)}});
  const ContactSpace x = contact_space(c);
  const PlanarOutcome o = moreau({x.G, x.approach, surface(eps, eps, random(0.05, 3.))});
  const Vec2& P = o.impulse;
  const Vec2 xi = o.velocity + eps * x.approach;
  const double before = kinetic_energy(c, c.velocity);
  const double change = kinetic_energy(c, velocity_after(c, P)) - before;
  const double by_impulse =
      dot(P, xi) / (1. + eps) - 0.5 * (1. - eps) / (1. + eps) * dot(P, x.G * P);
  return {.gain = change / before,
          .residual = std::abs(change - by_impulse) / before,
          .dissipated = dot(P, xi) / before};
}

Found never_positive(double Balance::*what) {
  constexpr int bars = 2000;
  return below(rounding_of_identities, greatest(many(bars, 14, balance_of_a_bar), what),
               {{"bars", bars}});
}

/// Energy created, relative to the work done, at two contacts at once with one coefficient for all
/// four directions, or with one for each.
double gain_of_two_contacts(FixedRandom& random, bool equal) {
  Eigen::MatrixXd A(6, 4);
  for (double& a : A.reshaped()) a = random(-1., 1.);
  const double eps = random(0., 1.);
  const auto coefficient = [&] { return equal ? eps : random(0., 1.); };
  const auto any_surface = [&] {
    return Surface{.restitution = coefficient(),
                   .friction = random(0.05, 1.5),
                   .tangential_restitution = coefficient()};
  };
  const Outcome o = solve_multi_moreau(
      {.G = BlockMatrix::from_dense(A.transpose() * A, 2),
       .approach = {-random(0.1, 2.), random(-2., 2.), -random(0.1, 2.), random(-2., 2.)},
       .surfaces = {any_surface(), any_surface()}});
  return o.energy.change / o.energy.scale();
}

Found no_energy_created() {
  constexpr int pairs = 400;
  const auto most = [](bool equal) {
    return greatest(
        many(pairs, 15, [&](FixedRandom& r) { return gain_of_two_contacts(r, equal); }));
  };
  Found found = never_positive(&Balance::gain);
  found.holds = found.holds && most(true) < 1e-9;
  found.values.insert({{"pairs", pairs}, {"equal", most(true)}, {"unequal", most(false)}});
  return found;
}

/// A bar at 45 degrees with eps = 1 and more friction than any surface has.
PlanarProblem rough_bar(double r) {
  return at_ratio(bar(uniform_bar, 45.), surface(1., 1., 1e6), r);
}

Found large_friction_sticks() {
  const PlanarOutcome o = moreau(rough_bar(1.));
  const double share = o.energy.change / contact_energy(rough_bar(1.));
  return {o.mode == Mode::stick && std::abs(share) < rounding_of_identities &&
              std::abs(o.velocity.t - 1.) < rounding_of_identities,
          values_of(o, {{"share", share}})};
}

/// Beyond the ratio beta/delta [eq. 39]: is energy kept, as printed? Or (PG11) does it slip?
Found large_friction_beyond(bool as_printed) {
  const PlanarOutcome o = moreau(rough_bar(4.));
  const double limit =
      threshold(0.5, 4., [](double r) { return moreau(rough_bar(r)).mode == Mode::stick; });
  const double ratio = rough_bar(4.).G.tt / rough_bar(4.).G.nt;
  const bool slips = o.mode == Mode::backward_slip && o.energy.change < -0.1;
  return {as_printed ? std::abs(o.energy.change) < rounding_of_identities
                     : slips && std::abs(limit - ratio) < 1e-4,
          values_of(o, {{"limit", limit}, {"ratio", ratio}})};
}

}  // namespace

Computations energy() {
  return {.checks = {{"same-energy", [] { return never_positive(&Balance::residual); }},
                     {"impulse-dissipates", [] { return never_positive(&Balance::dissipated); }},
                     {"no-energy-created", no_energy_created},
                     {"large-friction-sticks", large_friction_sticks},
                     {"large-friction-keeps-energy", [] { return large_friction_beyond(true); }},
                     {"PG11", [] { return large_friction_beyond(false); }}}};
}

}  // namespace carom::papers::pg
