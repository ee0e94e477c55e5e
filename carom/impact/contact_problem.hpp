// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include <carom/core/block_matrix.hpp>
#include <carom/impact/surface.hpp>

namespace carom {

/// One impact in contact space: v+ = v- + G P. The rows of each contact are n (frictionless), n and
/// t (plane), or n, t1 and t2 (space). If the relative spin is known, a spin row (plane) or the
/// spin rows about n, t1 and t2 (space) follow; their impulses are couples.
struct ContactProblem {
  BlockMatrix G;                  ///< W^T M^-1 W [1/kg; 1/(kg m), 1/(kg m^2) in spin rows]
  std::vector<double> approach;   ///< v- [m/s], relative spin [rad/s]; normal < 0 closes
  std::vector<Surface> surfaces;  ///< one per contact
  std::size_t spin_rows = 0;      ///< r of each contact: 0, 1 in the plane, 3 in space
  /// I1_jj I2_jj/(I1_jj + I2_jj) about n, t1 and t2 [kg m^2], zero: infinite. One per contact if
  /// there are three spin rows: the reference inertia for couples in space [Brach 1998].
  std::vector<std::array<double, 3>> couple_inertia{};

  [[nodiscard]] std::size_t contacts() const { return G.blocks(); }
  /// d, the velocity components of each contact: 1, 2 or 3.
  [[nodiscard]] std::size_t components() const { return G.components() - spin_rows; }

  bool operator==(const ContactProblem&) const = default;
};

/// Throws InputError that names what is not finite, out of range, of the wrong size, or not
/// positive semidefinite. Magnitudes are held within 1e-60 and 1e60. Semidefiniteness is tested as
/// a whole by a sparse factorization. Surfaces are named `surfaces[i]`, that of one contact
/// `surface`.
void validate(const ContactProblem& problem, Release release = Release::refused);

/// The same where a system made G = W^T M^-1 W, which is semidefinite by construction: that is not
/// tested, as with thousands of contacts it would cost more than all the rest.
void validate_of_system(const ContactProblem& problem, Release release = Release::refused);

/// Upper bound of the kinetic energy [J] that impulses at the contacts can remove, 1/2 v G^+ v.
[[nodiscard]] double contact_energy(const ContactProblem& problem);

}  // namespace carom
