// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include <carom/laws/law.hpp>
#include <carom/laws/routh.hpp>

namespace carom {

/// `poisson`: the exact friction process; e is the impulse ratio.
struct Poisson {
  static constexpr std::array parameters{
      LawParameter{.key = "restitution",
                   .symbol = "e",
                   .meaning = "restitution impulse over compression impulse",
                   .allowed = "[0, 1]",
                   .fallback = ""},
      parameter::friction, parameter::static_friction};
  static constexpr LawInfo info{
      .id = "poisson",
      .summary = "exact friction process ended by the impulse ratio: P_r = e P_c",
      .assumptions =
          "Rigid bodies; Coulomb friction at every instant of the impact, so that the contact may "
          "slip, stick and slip back; restitution delivers e times the normal impulse of "
          "compression. Never creates energy. With mu_s > mu it is the law of Shen & Townsend, "
          "who give the cases i, ii, iii.",
      .source = "[routh1905], [keller1986], [shen1998]",
      .parameters = parameters,
      .in_space =
          "Slip turns while it slows, and after stick may begin again in another direction "
          "(Darboux-"
          "Keller process [keller1986])."};

  [[nodiscard]] PlanarOutcome operator()(const PlanarProblem& problem) const {
    return routh(problem, Hypothesis::poisson);
  }
  bool operator==(const Poisson&) const = default;
};

static_assert(PlanarLawType<Poisson>);

}  // namespace carom
