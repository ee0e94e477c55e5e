// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include <carom/laws/law.hpp>
#include <carom/laws/routh.hpp>

namespace carom {

/// `energetic`: the exact friction process; e is the square root of the work ratio.
struct Energetic {
  static constexpr std::array parameters{parameter::work_restitution, parameter::friction,
                                         parameter::static_friction};
  static constexpr LawInfo info{
      .id = "energetic",
      .summary = "exact friction process ended by the work ratio: W_r = -e^2 W_c",
      .assumptions =
          "Rigid bodies with Coulomb friction at every instant of the impact: the contact may "
          "slip, stick and reverse its slip. Restitution returns e^2 of the normal work done in "
          "compression. Never creates energy, and separates the loss in the normal direction from "
          "that in friction.",
      .source = "[stronge1990], [routh1905]",
      .parameters = parameters,
      .in_space =
          "Slip changes its direction and its speed, and may start again in another direction "
          "after a stop (Darboux-Keller process [keller1986])."};

  [[nodiscard]] PlanarOutcome operator()(const PlanarProblem& problem) const {
    return routh(problem, Hypothesis::energetic);
  }
  template <class Use>
  static decltype(auto) with_kernel(const KernelChoice&, const Use& use) {
    return use(kernels::Process<Hypothesis::energetic>{});
  }
  bool operator==(const Energetic&) const = default;
};

static_assert(PlanarLawType<Energetic>);

}  // namespace carom
