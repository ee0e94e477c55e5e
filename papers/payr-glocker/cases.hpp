// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <carom/core/scalar.hpp>
#include <carom/impact/labels.hpp>
#include <carom/impact/one_contact.hpp>
#include <carom/impact/planar/outcome.hpp>
#include <carom/impact/planar/problem.hpp>
#include <carom/laws/moreau/moreau.hpp>
#include <carom/mechanics/planar_bodies.hpp>
#include <papers/engine/measures.hpp>

/// The problems of [Payr & Glocker 2005]. Theirs and ours: gamma_N = v_n, gamma_T = v_t, Lambda =
/// P, (alpha, delta, beta) = (G_nn, G_nt, G_tt), eps_N = restitution.
namespace carom::papers::pg {

inline constexpr double uniform_bar = 1. / 3.;  ///< K = Theta/(m s^2)
inline constexpr double sphere = 2. / 5.;
inline constexpr double below_critical = 1. / 2.;  ///< mu of Figs 4, 7, 9, 10
inline constexpr double above_critical = 5. / 3.;  ///< mu of Figs 5 and 8
inline constexpr double least_critical = 4. / 3.;  ///< mu_c at its minimum, Fig. 6

/// G of a bar of 1 kg whose tip is 1 m from its mass centre [eq. 22].
[[nodiscard]] inline Sym2 bar(double K, double angle_deg) {
  return planar_problem(at_impact(Bar{.inertia_factor = K, .angle = angle_deg * degree}).problem).G;
}

[[nodiscard]] inline Surface surface(double eps_n, double eps_t, double mu) {
  return {
      .restitution = eps_n, .friction = mu, .static_friction = mu, .tangential_restitution = eps_t};
}

/// An approach with v_n- = -1 m/s and the ratio r = v_t-/v_n-.
[[nodiscard]] inline PlanarProblem at_ratio(const Sym2& G, const Surface& surface, double r) {
  return {.G = G, .approach = {.n = -1., .t = -r}, .surface = surface};
}

[[nodiscard]] inline PlanarOutcome moreau(const PlanarProblem& p) { return Moreau{}(p); }

/// v_t+/v_n+.
[[nodiscard]] inline double ratio_after(const PlanarOutcome& o) {
  return o.velocity.t / o.velocity.n;
}

// One number after the other: the order of a call's arguments is the compiler's.
[[nodiscard]] inline Surface random_surface(FixedRandom& random, double least_eps_n,
                                            double most_mu) {
  const double mu = random(0.05, most_mu);
  const double eps_t = random(0., 1.);
  return surface(random(least_eps_n, 1.), eps_t, mu);
}

/// At any angle, under any surface.
[[nodiscard]] inline PlanarProblem random_bar(FixedRandom& random) {
  const double angle = random(2., 178.);
  const Sym2 G = bar(random(0.1, 1.), angle);
  const Surface s = random_surface(random, 0., 3.);
  return {.G = G, .approach = {.n = -random(0.1, 3.), .t = random(-5., 5.)}, .surface = s};
}

/// 1 to 179 degrees.
[[nodiscard]] inline std::vector<double> angles() { return steps(1., 179.5, 1.); }

/// |a - b|/|scale|.
[[nodiscard]] inline double apart(const Vec2& a, const Vec2& b, const Vec2& scale) {
  const Vec2 d = a - b;
  return std::sqrt(dot(d, d) / dot(scale, scale));
}

/// Slip in one direction: Lambda_T = sigma mu Lambda_N, backward +1, forward -1.
struct SlipTerms {
  double a = 0.;  ///< alpha + sigma mu delta > 0 is needed [eqs 33, 46]
  double c = 0.;  ///< delta + sigma mu beta
};
[[nodiscard]] inline SlipTerms slip_terms(const Sym2& G, double mu, double sigma) {
  return {.a = G.nn + sigma * mu * G.nt, .c = G.nt + sigma * mu * G.tt};
}

/// "backward slip", "stick", "forward slip".
[[nodiscard]] inline std::string state_name(Mode mode) {
  std::string name(regime_name(mode));
  std::replace(name.begin(), name.end(), '-', ' ');
  return name;
}

/// {P_n}, {P_t}, {v_n}, {v_t}, {state} and {change} of energy, and more.
[[nodiscard]] inline Values values_of(const PlanarOutcome& o, Values more = {}) {
  more.insert({{"P_n", o.impulse.n},
               {"P_t", o.impulse.t},
               {"v_n", o.velocity.n + 0.},  // not -0
               {"v_t", o.velocity.t},
               {"state", state_name(o.mode)},
               {"change", o.energy.change}});
  return more;
}

/// Impulse and velocity after, for the columns of that name.
[[nodiscard]] inline Computed impact_row(const Vec2& impulse, const Vec2& velocity) {
  return {{"Λ_N [N s]", impulse.n},
          {"Λ_T [N s]", impulse.t},
          {"γ_N⁺ [m/s]", velocity.n},
          {"γ_T⁺ [m/s]", velocity.t}};
}

// Topic by topic.
[[nodiscard]] Computations impact_states();  ///< Section 3 to Eq. 47
[[nodiscard]] Computations regimes();        ///< Figs 4 to 8 and 11
[[nodiscard]] Computations ratios();         ///< Figs 9 and 10, Section 6
[[nodiscard]] Computations spheres();        ///< Eqs 51-59, Fig. 13

}  // namespace carom::papers::pg
