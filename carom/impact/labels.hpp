// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <carom/impact/planar/outcome.hpp>
#include <carom/impact/planar/problem.hpp>

/// The names that publications give to an outcome, and the coefficients that they would assign to
/// it.
namespace carom {

/// The coefficient of restitution of an outcome by each definition. Empty if undefined: no approach
/// (newton), or a law without stages (the other two).
struct EquivalentRestitution {
  std::optional<double> newton;   ///< velocity ratio -v_n+/v_n-
  std::optional<double> poisson;  ///< impulse ratio, restitution over compression
  std::optional<double>
      energetic;  ///< sqrt of the ratio of normal work, restitution over compression
};

[[nodiscard]] EquivalentRestitution equivalent_restitution(const PlanarProblem& problem,
                                                           const PlanarOutcome& outcome);

/// The same for an outcome whose phases are stored elsewhere (`all_phases`).
[[nodiscard]] EquivalentRestitution equivalent_restitution(const PlanarProblem& problem,
                                                           const PlanarOutcome& outcome,
                                                           std::span<const PlanarPhase> phases);

/// An outcome in the generalized coefficients of [Brach 1998]. With these `brach` returns the same
/// outcome. Empty if there is no impulse, or no approach or slip to refer to.
struct BrachCoefficients {
  std::optional<double> e_n;             ///< -v_n+/v_n-
  std::optional<double> e_t;             ///< -v_t+/v_t-
  std::optional<double> impulse_ratio;   ///< mu_t = P_t/P_n
  std::optional<double> e_m;             ///< moment coefficient, if there is a couple
  std::optional<double> critical_ratio;  ///< mu_0: the ratio that ends slip at this e_n
};

[[nodiscard]] BrachCoefficients brach_coefficients(const PlanarProblem& problem,
                                                   const PlanarOutcome& outcome);

/// The impulse ratio of each phase.
[[nodiscard]] std::vector<double> partial_impulse_ratios(std::span<const PlanarPhase> phases);

/// [Shen & Townsend 1998, Sec. 3]: slip would vanish before (i), at (ii) or after (iii) the end of
/// compression; slip that never stops counts as after (ERRATA, ST4). Process laws only.
enum class ShenTownsendCase : std::uint8_t { i, ii, iii };

[[nodiscard]] std::optional<ShenTownsendCase> shen_townsend_case(const PlanarOutcome& outcome);

/// [Sun & Baruh 2022, Table 1]: 0..6. Process laws only.
[[nodiscard]] std::optional<int> sun_baruh_mode(const PlanarOutcome& outcome);

/// [Payr & Glocker 2005, Sec. 5]: by the total impulse alone, so any law's outcome has one:
/// backward slip P_t = +mu P_n, forward slip P_t = -mu P_n, else stick; or no impulse.
[[nodiscard]] Mode payr_glocker_regime(const PlanarProblem& problem, const PlanarOutcome& outcome);

[[nodiscard]] std::string_view name(ShenTownsendCase c);

/// "slip+/stick/slip-": what the slider of a compliant contact did; the states beyond those kept
/// are counted at the end. Empty without impulse.
[[nodiscard]] std::string slider_text(const SliderStates& states);

/// "backward-slip", "stick", "forward-slip", "no-impulse".
[[nodiscard]] std::string_view regime_name(Mode regime);

}  // namespace carom
