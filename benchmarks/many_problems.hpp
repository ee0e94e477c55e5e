// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <carom/core/block_matrix.hpp>

/// Random problems of many contacts, as data, for any solver.
namespace carom::benchmarks {

/// w = M z + q, M symmetric positive definite, by rows.
struct Lcp {
  std::size_t n = 0;
  std::vector<double> M;
  std::vector<double> q;
};

/// xi = G P + b with Coulomb friction.
struct Contacts {
  BlockMatrix G;
  std::vector<double> b;
  std::vector<double> mu;
};

[[nodiscard]] Lcp random_lcp(std::uint32_t seed, std::size_t n);

/// G = W^T W with a random W, full: all contacts on a few bodies, say. mu up to 0.8.
[[nodiscard]] Contacts random_contacts(std::uint32_t seed, std::size_t contacts,
                                       std::size_t components);

/// A pile of solid spheres that has just fallen on the floor: neighbours on a cubic lattice touch,
/// the directions between them up to a fifth of a radian off; one contact in five above each other
/// is missing, and every other one side by side. All fall with about the same velocity. mu from 0.2
/// to 0.6. Sparse, and impulses are not all determined.
/// @param dense  diagonal neighbours touch, too, and no contact is missing: far more impulses than
///               the spheres have freedoms
[[nodiscard]] Contacts sphere_pile(std::uint32_t seed, std::size_t contacts, bool dense = false);

}  // namespace carom::benchmarks
