// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include <carom/core/block_matrix.hpp>

namespace carom {

/// What a pair of surfaces does where several contacts answer together.
struct MultiSurface {
  double restitution = 0.;             ///< e in [0, 1]; what it means is the law's hypothesis
  double friction = 0.;                ///< kinetic mu >= 0
  double static_friction = friction;   ///< mu_s >= mu
  double tangential_restitution = 0.;  ///< eps_T in [0, 1], known to `moreau` only

  // `lzb` only: the force at deformation x is k x^a.
  double stiffness = 1.;  ///< k > 0 [N/m^a]
  double exponent = 1.5;  ///< a > 0: 3/2 Hertz, 1 linear

  bool operator==(const MultiSurface&) const = default;
};

/// One impact of several contacts, in contact space: v+ = approach + G P. Contact by contact the
/// components are n (frictionless), n and t (plane), or n, t1 and t2 (space).
struct MultiProblem {
  BlockMatrix G;                       ///< W^T M^-1 W [1/kg], positive semidefinite
  std::vector<double> approach;        ///< v- [m/s]; a normal component < 0 closes
  std::vector<MultiSurface> surfaces;  ///< one a contact

  [[nodiscard]] std::size_t contacts() const { return G.blocks(); }
  [[nodiscard]] std::size_t components() const { return G.components(); }

  bool operator==(const MultiProblem&) const = default;
};

/// Throws InputError that names the first coefficient out of range, as `prefix.key`.
void validate(const MultiSurface& surface, std::string_view prefix);

/// Throws InputError that names what is not finite, out of range, of the wrong size, or not
/// positive semidefinite. Magnitudes are held within 1e-60 and 1e60. Semidefiniteness is tested as
/// a whole by a sparse factorization; surfaces are named `surfaces[i]`.
void validate(const MultiProblem& problem);

/// The same where a system made G = W^T M^-1 W, which is semidefinite by construction: that is not
/// tested, as with thousands of contacts it would cost more than all the rest.
void validate_of_system(const MultiProblem& problem);

/// The kinetic energy [J] that impulses at the contacts could take away at most, 1/2 v G^+ v.
[[nodiscard]] double contact_energy(const MultiProblem& problem);

}  // namespace carom
