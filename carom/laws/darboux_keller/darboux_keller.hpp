// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include <carom/impact/hypothesis.hpp>
#include <carom/impact/spatial/outcome.hpp>
#include <carom/impact/spatial/problem.hpp>
#include <carom/laws/spatial_kernel.hpp>

namespace carom {

/// The exact friction process of one contact in space [Darboux 1880; Keller 1986]: direction and
/// speed of slip change as the normal impulse grows (slip_flow.hpp), until the hypothesis ends
/// restitution. It is computed to the given tolerance. If slip keeps its direction, the only error
/// is rounding (`tolerance` 0). Allocates nothing.
///
/// While the direction of slip changes, v_n may fall back to zero during restitution. Compression
/// then resumes (verdict `recompressed`), so that v_n+ >= 0 always holds. The hypotheses add up all
/// stages of a kind: `poisson` ends when the impulse of restitution is e times that of compression,
/// `energetic` when its work is e^2 times that of compression [Stronge 1990], `newton` when v_n
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
  /// See totals.hpp.
  template <class S>
  [[nodiscard]] std::optional<SpatialTotals<S>> totals(const SpatialInputs<S>& in,
                                                       const SpatialOutcome& outcome) const;
  bool operator==(const DarbouxKeller&) const = default;
};

}  // namespace carom
