// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace carom {

/// What a pair of surfaces does in an impact. All dimensionless.
struct Surface {
  double restitution = 0.;             ///< e in [0, 1]; what it means is the law's hypothesis
  double friction = 0.;                ///< kinetic mu >= 0
  double static_friction = friction;   ///< mu_s >= mu
  double tangential_restitution = 0.;  ///< eps_T in [0, 1], known to `moreau` only

  bool operator==(const Surface&) const = default;
};

/// Throws InputError that names the first coefficient out of range, as `prefix.key`.
void validate(const Surface& surface, std::string_view prefix = "surface");

}  // namespace carom
