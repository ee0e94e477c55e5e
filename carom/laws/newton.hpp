// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include <carom/laws/law.hpp>
#include <carom/laws/routh.hpp>

namespace carom {

/// `newton`: the exact friction process; e is the velocity ratio.
struct Newton {
  static constexpr std::array parameters{parameter::velocity_restitution, parameter::friction,
                                         parameter::static_friction};
  static constexpr LawInfo info{
      .id = "newton",
      .summary = "exact friction process ended by the velocity ratio: v_n+ = -e v_n-",
      .assumptions =
          "Rigid bodies with Coulomb friction at every instant of the impact: the contact may "
          "slip, stick and reverse its slip. Restitution ends when the contact separates at e "
          "times the speed of approach. It can create energy if slip stops or reverses; the "
          "verdict is then energy-gained.",
      .source = "[routh1905], [whittaker1904]; planar process after [keller1986]",
      .parameters = parameters,
      .in_space =
          "Slip changes its direction and its speed, and may start again in another direction "
          "after a stop (Darboux-Keller process [keller1986])."};

  [[nodiscard]] PlanarOutcome operator()(const PlanarProblem& problem) const {
    return routh(problem, Hypothesis::newton);
  }
  template <class Use>
  static decltype(auto) with_kernel(const KernelChoice&, const Use& use) {
    return use(kernels::Process<Hypothesis::newton>{});
  }
  bool operator==(const Newton&) const = default;
};

static_assert(PlanarLawType<Newton>);

}  // namespace carom
