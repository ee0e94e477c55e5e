// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <carom/impact/planar_outcome.hpp>
#include <carom/impact/planar_problem.hpp>
#include <papers/engine/fixed_random.hpp>
#include <papers/engine/publication.hpp>

/// The problems of [Payr & Glocker 2005] and its formulas as printed. Theirs and ours: gamma_N =
/// v_n, gamma_T = v_t, Lambda = P, (alpha, delta, beta) = (G_nn, G_nt, G_tt), eps_N = restitution.
namespace carom::papers::pg {

inline constexpr double uniform_bar = 1. / 3.;  ///< K = Theta/(m s^2)
inline constexpr double sphere = 2. / 5.;
inline constexpr double below_critical = 1. / 2.;  ///< mu of Figs 4, 7, 9, 10
inline constexpr double above_critical = 5. / 3.;  ///< mu of Figs 5 and 8

/// G of a bar of 1 kg whose tip is 1 m from its mass centre [eq. 22].
[[nodiscard]] Sym2 bar(double K, double angle_deg);

[[nodiscard]] Surface surface(double eps_n, double eps_t, double mu);

/// An approach with v_n- = -1 m/s and the ratio r = v_t-/v_n-.
[[nodiscard]] PlanarProblem at_ratio(const Sym2& G, const Surface& surface, double r);

[[nodiscard]] PlanarOutcome moreau(const PlanarProblem& problem);

/// v_t+/v_n+.
[[nodiscard]] double ratio_after(const PlanarOutcome& outcome);

/// A bar at any angle under any surface.
[[nodiscard]] PlanarProblem random_bar(FixedRandom& random);

/// Slip in one direction: Lambda_T = sigma mu Lambda_N, backward +1, forward -1.
struct SlipTerms {
  double a = 0.;  ///< alpha + sigma mu delta > 0 is needed [eqs 33, 46]
  double c = 0.;  ///< delta + sigma mu beta
};
[[nodiscard]] SlipTerms slip_terms(const PlanarProblem& p, double sigma);

/// The first number from which on a condition is no longer what it is at `from`, by bisection.
[[nodiscard]] double threshold(double from, double to, const std::function<bool(double)>& holds);

[[nodiscard]] Statement said(std::string says, bool holds, std::string found,
                             std::string known = {});

// --- The parts, in the paper's order -------------------------------------------------------------

[[nodiscard]] Part energy_identity();          ///< Eq. 14
[[nodiscard]] Part complementarity_problem();  ///< Eqs 27-28
[[nodiscard]] Part closed_forms();             ///< Eqs 29-47
[[nodiscard]] Part figure_4();
[[nodiscard]] Part figure_5();
[[nodiscard]] Part figure_6();
[[nodiscard]] Part figure_7();
[[nodiscard]] Part figure_8();
[[nodiscard]] Part figure_9();
[[nodiscard]] Part figure_10();
[[nodiscard]] Part painleve();  ///< Section 6
[[nodiscard]] Part walton();    ///< Eqs 51-57
[[nodiscard]] Part figure_11();
[[nodiscard]] Part gross_slip();  ///< Eqs 58-59
[[nodiscard]] Part figure_13();

[[nodiscard]] std::vector<Erratum> errata();

// --- What parts and errata share -----------------------------------------------------------------

/// Figs 13: a sphere, mu = 0.5, eta^2 = 1.21, eps_T = 0.605.
struct SphereImpact {
  double springs = 0.;        ///< v_1(t_f)/|v_3(0)| under `compliant`
  double walton = 0.;         ///< the same under `walton`
  bool starts_stuck = false;  ///< the slider of the springs
  bool gross_slip = false;    ///< the slider slips from beginning to end
  bool walton_sticks = false;
};
inline constexpr double fig13_mu = 0.5;
inline constexpr double fig13_eps_t = 0.605;
inline constexpr double fig13_compliance = fig13_eps_t / fig13_mu;  ///< eta^2, see PG7
[[nodiscard]] SphereImpact sphere_impact(double e, double r);

/// r from which on the springs are in gross slip, and at which Walton's operator leaves stick.
[[nodiscard]] double gross_slip_from(double e);
[[nodiscard]] double walton_slips_from(double e);

/// What eqs 58 and 59 print, and with the sign that mechanics needs.
struct GrossSlip {
  double printed = 0.;
  double corrected = 0.;
};
[[nodiscard]] GrossSlip equation_58(const Sym2& G, double mu, double e, double v1, double v3);
[[nodiscard]] GrossSlip equation_59(const Sym2& G, double mu, double e, double v1, double v3);

/// The angles at which a bar of Fig. 11 reverses slip although eps_T = 0: where |delta| > mu beta.
struct Band {
  double from_deg = 0.;
  double to_deg = 0.;
};
[[nodiscard]] Band reversing_angles(double K, double mu);

/// The angles in (0, 90) between which friction is above its critical value.
[[nodiscard]] Band supercritical_angles(double K, double mu);

}  // namespace carom::papers::pg
