// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <carom/core/spatial.hpp>
#include <carom/impact/surface.hpp>

namespace carom {

/// Effect of couples at the contact, for laws with couples. Contact frame.
struct SpatialSpin {
  Mat3 cross{};        ///< change of v by a unit couple: v+ = v + G P + cross M [1/(kg m)]
  Sym3 G{};            ///< change of relative spin by a unit couple [1/(kg m^2)]
  Vec3 approach;       ///< spin of the first body relative to the second, before [rad/s]
  Vec3 inertia{};      ///< I1_jj I2_jj/(I1_jj + I2_jj) about each axis [kg m^2]; zero: infinite
  bool known = false;  ///< false for contact space without bodies
  bool operator==(const SpatialSpin&) const = default;
};

/// One impact in space, in contact space: v+ = approach + G P.
struct SpatialProblem {
  Sym3 G;         ///< contact inverse inertia W^T M^-1 W [1/kg], positive semidefinite
  Vec3 approach;  ///< v- [m/s]; normal < 0 closes
  Surface surface;
  SpatialSpin spin{};

  bool operator==(const SpatialProblem&) const = default;
};

/// Throws InputError that names the field that is not finite, out of range, or not positive
/// semidefinite, like `validate(PlanarProblem)`.
void validate(const SpatialProblem& problem, Release release = Release::refused);

/// G from its nine entries. Throws InputError if off-diagonal pairs differ by more than rounding.
[[nodiscard]] Sym3 symmetric(const Mat3& G);

/// Upper bound of the kinetic energy [J] that impulses at the contact can remove, 1/2 v G^-1 v; for
/// a singular G the part in its range.
[[nodiscard]] double contact_energy(const SpatialProblem& problem);

}  // namespace carom
