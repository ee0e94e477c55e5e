// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include <carom/core/spatial.hpp>
#include <carom/impact/spatial/problem.hpp>

/// What the totals of a law for one contact in space take and return, for any scalar: `double`, or
/// a number with derivatives (sensitivities).
namespace carom {

/// What a law's totals may depend on, beside what is not differentiated.
template <class S>
struct SpatialInputs {
  const SpatialProblem& problem;
  BasicVec3<S> approach;
  S restitution{};
  S friction{};
  S static_friction{};
  std::array<S, 2> tangential{};  ///< mu_t or e_t of `brach`
  std::array<S, 3> moment{};      ///< M/P_n or e_m of `brach`
};

template <class S>
struct SpatialTotals {
  BasicVec3<S> impulse;
  BasicVec3<S> velocity;
  BasicVec3<S> couple{};
};

}  // namespace carom
