// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

/// The laws over arrays as one would write them by hand for impulse and velocity only, without
/// branches: no rank-one G, no separating contact, no ledger, no verdict, and fused
/// multiplications. What `solve_batch` is measured against.
namespace carom::limit {

/// Sizes are multiples of 8.
struct Columns {
  std::size_t size;
  const double *nn, *nt, *tt, *normal, *slip;
  const double *restitution, *friction, *static_friction, *tangential_restitution;
  bool one_surface;  ///< the last four point to one number each
  double *impulse_n, *impulse_t, *velocity_n, *velocity_t;
};

enum class Law { newton, poisson, energetic, moreau, brach };

void solve_avx2(Law law, const Columns& columns);
void solve_avx512(Law law, const Columns& columns);

}  // namespace carom::limit
