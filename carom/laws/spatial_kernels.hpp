// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <variant>

#include <carom/laws/brach/spatial.hpp>
#include <carom/laws/compliant_space/compliant_space.hpp>
#include <carom/laws/darboux_keller/darboux_keller.hpp>
#include <carom/laws/moreau/spatial.hpp>
#include <carom/laws/sun_baruh.hpp>

namespace carom {

/// The laws that have a kernel for one contact in space: fixed-size types, no allocation. A law of
/// this list with a function template `totals` is differentiated through it
/// (carom/study/sensitivity.hpp).
struct SpatialLaw : std::variant<std::monostate, DarbouxKeller, SpatialMoreau, SpatialBrach,
                                 SunBaruh, SpatialCompliant> {
  using variant::variant;

  /// Is there one?
  explicit operator bool() const { return index() != 0; }

  /// @pre there is one, and the problem was validated
  [[nodiscard]] SpatialOutcome operator()(const SpatialProblem& problem,
                                          const SpatialOptions& options) const {
    return std::visit(
        [&](const auto& law) -> SpatialOutcome {
          if constexpr (requires { law(problem, options); }) return law(problem, options);
          return {};
        },
        static_cast<const variant&>(*this));
  }
};

}  // namespace carom
