// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include <carom/impact/planar_outcome.hpp>
#include <carom/impact/planar_problem.hpp>
#include <carom/laws/moreau.hpp>
#include <papers/payr-glocker/trials.hpp>

/// The problems of [Payr & Glocker 2005]. Theirs and ours: gamma_N = v_n, gamma_T = v_t, Lambda =
/// P, (alpha, delta, beta) = (G_nn, G_nt, G_tt), eps_N = restitution.
namespace carom::papers::pg {

inline constexpr double uniform_bar = 1. / 3.;  ///< K = Theta/(m s^2)
inline constexpr double sphere = 2. / 5.;
inline constexpr double below_critical = 1. / 2.;  ///< mu of Figs 4, 7, 9, 10
inline constexpr double above_critical = 5. / 3.;  ///< mu of Figs 5 and 8
inline constexpr double least_critical = 4. / 3.;  ///< mu_c at its minimum, Fig. 6

/// G of a bar of 1 kg whose tip is 1 m from its mass centre [eq. 22].
[[nodiscard]] Sym2 bar(double K, double angle_deg);

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

/// Any surface, and a bar at any angle under any surface.
[[nodiscard]] Surface random_surface(FixedRandom& random, double least_eps_n, double most_mu);
[[nodiscard]] PlanarProblem random_bar(FixedRandom& random);

/// 1 to 179 degrees.
[[nodiscard]] inline std::vector<double> angles() { return steps(1., 179.5, 1.); }

/// |a - b|/|scale|.
[[nodiscard]] double apart(const Vec2& a, const Vec2& b, const Vec2& scale);

/// Slip in one direction: Lambda_T = sigma mu Lambda_N, backward +1, forward -1.
struct SlipTerms {
  double a = 0.;  ///< alpha + sigma mu delta > 0 is needed [eqs 33, 46]
  double c = 0.;  ///< delta + sigma mu beta
};
[[nodiscard]] inline SlipTerms slip_terms(const Sym2& G, double mu, double sigma) {
  return {.a = G.nn + sigma * mu * G.nt, .c = G.nt + sigma * mu * G.tt};
}

/// The first number from which on a condition is no longer what it is at `from`, by bisection.
[[nodiscard]] double threshold(double from, double to, const std::function<bool(double)>& holds);

/// "backward slip", "stick", "forward slip".
[[nodiscard]] std::string state_name(Mode mode);

/// {P_n}, {P_t}, {v_n}, {v_t}, {state} and {change} of energy, and more.
[[nodiscard]] Values values_of(const PlanarOutcome& outcome, Values more = {});

/// Impulse and velocity after, for the columns of that name.
[[nodiscard]] Computed impact_row(const Vec2& impulse, const Vec2& velocity);

// --- What charts show, too -----------------------------------------------------------------------

/// alpha/|delta| of a uniform bar, and the angle [deg] of its minimum by search, not by formula.
[[nodiscard]] double critical_friction_at(double angle_deg);
[[nodiscard]] double angle_of_least();

/// gamma_T+/gamma_N+ in Figs 9 and 10 over the ratio before.
[[nodiscard]] double ratio_in_fig_9(double angle_deg, double r);

/// v_1(t_f)/|v_3(0)| of the sphere of Fig. 13 over v_1(0)/|v_3(0)| = r.
inline constexpr double fig13_mu = 0.5;
[[nodiscard]] double springs_after(double e, double r);
[[nodiscard]] double walton_after(double e, double r);

// Topic by topic.
[[nodiscard]] Computations energy();         ///< Eq. 14
[[nodiscard]] Computations impact_states();  ///< Eqs 27-47
[[nodiscard]] Computations regimes();        ///< Figs 4 to 8 and 11
[[nodiscard]] Computations ratios();         ///< Figs 9 and 10, Section 6
[[nodiscard]] Computations spheres();        ///< Eqs 51-59, Fig. 13
[[nodiscard]] Computations pictures();

}  // namespace carom::papers::pg
