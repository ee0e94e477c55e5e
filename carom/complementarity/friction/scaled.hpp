// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <carom/complementarity/friction/multi.hpp>
#include <carom/core/lanes.hpp>

namespace carom::complementarity {

/// The problem without units. The components of each contact are multiplied by a power of two so
/// that the largest diagonal entry of its block of G is about one. The whole problem is scaled so
/// that the largest entry of b is about one. Scaling does not round. If G is full or small, all its
/// entries are stored; otherwise the off-diagonal blocks, by rows.
struct ScaledFriction {
  std::size_t contacts = 0;
  std::size_t components = 0;
  std::vector<double> scale;  ///< P = scale_i unit (scaled P), xi = unit/scale_i (scaled xi)
  double unit = 1.;

  bool full = false;                  ///< if true, `all` is used, otherwise the members after it
  AlignedVector all;                  ///< G, symmetric, rows `step` apart, padded with zeros
  std::vector<std::size_t> begin;     ///< start of each row of blocks
  std::vector<std::uint32_t> column;  ///< column of each off-diagonal block
  std::vector<double> off;            ///< entries of the blocks, components^2 each, row-major
  std::vector<double> by_columns;     ///< the same column-major, in the plane: two rows at once
  std::vector<double> diagonal;       ///< diagonal blocks, row-major
  std::vector<double> b;
  std::vector<double> mu;
  std::vector<double> floor;
  bool has_floor = false;
  std::vector<Prescription> prescribed;  ///< one per contact, if anything is prescribed
  bool has_prescribed = false;

  [[nodiscard]] bool slides(std::size_t i) const { return has_prescribed && prescribed[i].slides; }
  [[nodiscard]] bool pushes(std::size_t i) const { return has_prescribed && prescribed[i].pushes; }

  void read(const FrictionProblem& problem);

  [[nodiscard]] std::size_t size() const { return contacts * components; }

  /// Calls f(j, block) for the stored off-diagonal blocks of block row i. Their rows are `step`
  /// apart.
  template <class F>
  void for_blocks(std::size_t i, const F& f) const {
    const std::size_t d = components;
    if (full) {
      for (std::size_t j = 0; j < contacts; ++j) {
        if (j != i) f(j, &all[i * d * step() + j * d]);
      }
    } else {
      for (std::size_t k = begin[i]; k < begin[i + 1]; ++k) f(column[k], &off[k * d * d]);
    }
  }
  [[nodiscard]] std::size_t step() const { return full ? whole_vectors(size()) : components; }

  /// Sets the diagonal to that of another problem plus r.
  void shift_diagonal(const ScaledFriction& other, double r);

  /// The velocity at contact i due to all other contacts and b. Two independent sums are
  /// accumulated in parallel. @pre not full
  template <std::size_t d>
  void free_velocity(std::size_t i, const double* P, double* v) const {
    const double* block = (d == 2 ? by_columns : off).data() + begin[i] * d * d;
    const std::uint32_t* at = column.data() + begin[i];
    const std::uint32_t* const end = column.data() + begin[i + 1];
    double even[d];
    double odd[d] = {};
    for (std::size_t r = 0; r < d; ++r) even[r] = b[i * d + r];
    for (; at + 1 < end; at += 2, block += 2 * d * d) {
      add_product<d>(block, P + at[0] * d, even);
      add_product<d>(block + d * d, P + at[1] * d, odd);
    }
    if (at < end) add_product<d>(block, P + at[0] * d, even);
    for (std::size_t r = 0; r < d; ++r) v[r] = even[r] + odd[r];
  }

  /// xi = G P + b. Faster for few contacts if xi has room for `step` numbers.
  void velocities(std::span<const double> P, std::span<double> xi) const;

  template <std::size_t d>
  static void add_product(const double* block, const double* p, double* v) {
    if constexpr (d == 2) {  // by columns
      v[0] += block[0] * p[0] + block[2] * p[1];
      v[1] += block[1] * p[0] + block[3] * p[1];
      return;
    }
    for (std::size_t r = 0; r < d; ++r) {
      double sum = block[r * d] * p[0];
      for (std::size_t c = 1; c < d; ++c) sum += block[r * d + c] * p[c];
      v[r] += sum;
    }
  }

  /// The largest entry of the natural map, relative to max(1, |P|).
  [[nodiscard]] double residual(std::span<const double> P, std::span<const double> xi) const;

 private:
  void resize(const BlockMatrix& G);
  template <std::size_t d>
  void read_as(const FrictionProblem& problem);
  template <std::size_t d>
  void find_scales(const FrictionProblem& problem);
  void scale_blocks(const BlockMatrix& G);
};

}  // namespace carom::complementarity
