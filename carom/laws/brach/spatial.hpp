// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include <carom/impact/spatial/outcome.hpp>
#include <carom/impact/spatial/problem.hpp>
#include <carom/laws/spatial_kernel.hpp>

namespace carom {

/// `brach`: the linear equations of [Brach 1998] in space, including couples (impact/brach_system).
///
/// Tangential, one of: P_j = mu_j P_n (`impulse_ratio`); v_j+ = -e_j v_j-
/// (`tangential_coefficient`: -1 frictionless, 0 ends slip); or Coulomb's rule along the vector of
/// critical ratios, (mu_t, mu_t') = min(1, f/|mu_0|) mu_0, where mu_0 ends slip at the actual e_n.
/// If no ratios do (the impulse would have to be tensile, or G is singular), |mu| = f, against the
/// slip. Couples are given by `moment_coefficients` (-1 none, 0 stops relative rotation) or
/// `moment_ratio`. Without a spin in the problem no couple acts. There is no solution if the
/// equations are singular or the normal impulse would have to be tensile.
/// @pre the problem was validated
[[nodiscard]] SpatialOutcome brach(const SpatialProblem& problem);

/// The law as a value.
struct SpatialBrach {
  [[nodiscard]] SpatialOutcome operator()(const SpatialProblem& problem,
                                          const SpatialOptions& /*options*/) const {
    return brach(problem);
  }
  /// See spatial_brach_totals.hpp.
  template <class S>
  [[nodiscard]] std::optional<SpatialTotals<S>> totals(const SpatialInputs<S>& in,
                                                       const SpatialOutcome& outcome) const;
  bool operator==(const SpatialBrach&) const = default;
};

}  // namespace carom
