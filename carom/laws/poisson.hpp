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
          "Rigid bodies with Coulomb friction at every instant of the impact: the contact may "
          "slip, stick and reverse its slip. Restitution delivers e times the normal impulse of "
          "compression. Never creates energy. With mu_s > mu it is the law of Shen & Townsend, "
          "with their cases i, ii, iii.",
      .source = "[routh1905], [keller1986], [shen1998]",
      .parameters = parameters,
      .in_space =
          "Slip changes its direction and its speed, and may start again in another direction "
          "after a stop (Darboux-Keller process [keller1986])."};

  [[nodiscard]] PlanarOutcome operator()(const PlanarProblem& problem) const {
    return routh(problem, Hypothesis::poisson);
  }
  template <class Use>
  static decltype(auto) with_kernel(const KernelChoice&, const Use& use) {
    return use(kernels::Process<Hypothesis::poisson>{});
  }
  bool operator==(const Poisson&) const = default;
};

static_assert(PlanarLawType<Poisson>);

}  // namespace carom
