// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

namespace carom {

/// What a pair of surfaces does in an impact. All dimensionless.
struct Surface {
  double restitution = 0.;             ///< e in [0, 1]; what it means is the law's hypothesis
  double friction = 0.;                ///< kinetic mu >= 0
  double static_friction = friction;   ///< mu_s >= mu
  double tangential_restitution = 0.;  ///< eps_T in [0, 1], known to `moreau` only

  double compliance_ratio = 1.;  ///< eta^2 = normal over tangential stiffness > 0: `compliant`

  // [Brach 1998]: `brach` only. Without either of the first two it takes Coulomb's rule.
  std::optional<double> impulse_ratio{};           ///< mu_t: P_t = mu_t P_n
  std::optional<double> tangential_coefficient{};  ///< e_t: v_t+ = -e_t v_t-; -1 frictionless
  double moment_coefficient = -1.;                 ///< e_m: -1 no couple, 0 rotation stops

  bool operator==(const Surface&) const = default;
};

/// May restitution exceed 1, as where an impact releases stored energy? A law that allows it says
/// so in its LawInfo.
enum class Release : bool { refused, allowed };

/// Throws InputError that names the first coefficient out of range, as `prefix.key`.
void validate(const Surface& surface, std::string_view prefix = "surface",
              Release release = Release::refused);

}  // namespace carom
