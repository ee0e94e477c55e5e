// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <carom/complementarity/multi_friction.hpp>

namespace carom::complementarity {

/// The problem without units: each contact's components multiplied by a power of two so that the
/// largest diagonal entry of its block of G is about one, and all of it so that the largest entry
/// of b is. Nothing is rounded by that. Blocks off the diagonal are kept by rows.
struct ScaledFriction {
  std::size_t contacts = 0;
  std::size_t components = 0;
  std::vector<double> scale;  ///< P = scale_i unit (scaled P), xi = unit/scale_i (scaled xi)
  double unit = 1.;

  std::vector<std::size_t> begin;     ///< of each row of blocks
  std::vector<std::uint32_t> column;  ///< of each block off the diagonal
  std::vector<double> off;            ///< their entries, components^2 each, by rows
  std::vector<double> diagonal;       ///< likewise
  std::vector<double> b;
  std::vector<double> mu;
  std::vector<double> floor;
  bool has_floor = false;

  void read(const FrictionProblem& problem);

  [[nodiscard]] std::size_t size() const { return contacts * components; }

  /// The velocities at contact i that all others and b make.
  template <std::size_t d>
  void free_velocity(std::size_t i, const double* P, double* v) const {
    for (std::size_t r = 0; r < d; ++r) v[r] = b[i * d + r];
    const double* block = off.data() + begin[i] * d * d;
    for (std::size_t k = begin[i]; k < begin[i + 1]; ++k, block += d * d) {
      const double* p = P + column[k] * d;
      for (std::size_t r = 0; r < d; ++r) {
        for (std::size_t c = 0; c < d; ++c) v[r] += block[r * d + c] * p[c];
      }
    }
  }

  /// xi = G P + b.
  void velocities(std::span<const double> P, std::span<double> xi) const;

  /// The largest entry of the natural map, relative to max(1, |P|).
  [[nodiscard]] double residual(std::span<const double> P, std::span<const double> xi) const;
};

}  // namespace carom::complementarity
