// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include <carom/impact/planar/problem.hpp>
#include <carom/mechanics/system_at_impact.hpp>

namespace carom::study {

/// A system at the instant of impact as maps need it: contact space, energy, and what both become
/// when the slip of the approach is set to something else.
///
/// Free bodies then move along the tangent, the first of two as a whole; other systems make the
/// change of motion that a blow at the contact would make, the normal velocity kept. (Contact space
/// is the same either way; only the energy before depends on it.)
struct SystemPoint {
  PlanarProblem contact;           ///< without a surface
  bool kinetic = false;            ///< `energy` is known; else only that of the contact is
  std::array<double, 3> energy{};  ///< T = e0 + e1 d + e2 d^2 [J], d the change of slip [m/s]
  double spin_rate = 0.;           ///< change of relative spin with slip [rad/m]

  /// The problem with slip `slip` [m/s].
  [[nodiscard]] PlanarProblem problem(const Surface& surface, double slip) const;

  /// Energy before [J], kinetic or of the contact, for that slip.
  [[nodiscard]] double energy_before(const PlanarProblem& problem) const;
};

/// @param slip_varies  false: only the slip that the system has will be asked for.
/// Throws InputError where the system is wrong, or its slip cannot be set.
[[nodiscard]] SystemPoint system_point(const SystemAtImpact& system, bool slip_varies);

}  // namespace carom::study
