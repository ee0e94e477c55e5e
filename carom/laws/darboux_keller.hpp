// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include <carom/impact/hypothesis.hpp>
#include <carom/impact/spatial_outcome.hpp>
#include <carom/impact/spatial_problem.hpp>
#include <carom/laws/spatial_kernel.hpp>

namespace carom {

/// The exact friction process of one contact in space [Darboux 1880; Keller 1986]: slip turns and
/// changes its speed as normal impulse grows (slip_flow.hpp); ended by the hypothesis. To the
/// tolerance asked for; exact but for rounding (`tolerance` 0) where slip keeps its direction.
/// Allocates nothing.
///
/// While slip swings round, v_n may fall back to zero during restitution. Compression then resumes
/// (verdict `recompressed`), so that v_n+ >= 0 always, and the hypotheses count all stages of a
/// kind together: `poisson` ends when the impulse of restitution is e times that of compression,
/// `energetic` when its work is e^2 times that of compression [Stronge 1990], `newton` where v_n
/// first reaches -e v_n-.
/// @pre the problem was validated
[[nodiscard]] SpatialOutcome darboux_keller(const SpatialProblem& problem, Hypothesis hypothesis,
                                            const SpatialOptions& options = {});

/// `newton`, `poisson` and `energetic` in space: the law as a value.
struct DarbouxKeller {
  Hypothesis hypothesis = Hypothesis::newton;

  [[nodiscard]] SpatialOutcome operator()(const SpatialProblem& problem,
                                          const SpatialOptions& options) const {
    return darboux_keller(problem, hypothesis, options);
  }
  /// See darboux_keller_totals.hpp.
  template <class S>
  [[nodiscard]] std::optional<SpatialTotals<S>> totals(const SpatialInputs<S>& in,
                                                       const SpatialOutcome& outcome) const;
  bool operator==(const DarbouxKeller&) const = default;
};

}  // namespace carom
