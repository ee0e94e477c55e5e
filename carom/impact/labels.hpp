// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <carom/impact/planar_outcome.hpp>
#include <carom/impact/planar_problem.hpp>

/// The names that publications give to an outcome, and the coefficients they would have measured.
namespace carom {

/// The coefficient of restitution that an observer of each hypothesis would measure on an outcome.
/// Empty where it is not defined: no approach (newton), or a law without stages (the other two).
struct EquivalentRestitution {
  std::optional<double> newton;   ///< velocity ratio -v_n+/v_n-
  std::optional<double> poisson;  ///< impulse ratio, restitution over compression
  std::optional<double>
      energetic;  ///< sqrt of the ratio of normal work, restitution over compression
};

[[nodiscard]] EquivalentRestitution equivalent_restitution(const PlanarProblem& problem,
                                                           const PlanarOutcome& outcome);

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

/// "backward-slip", "stick", "forward-slip", "no-impulse".
[[nodiscard]] std::string_view regime_name(Mode regime);

}  // namespace carom
