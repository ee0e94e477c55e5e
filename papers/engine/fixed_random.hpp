// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <random>

namespace carom::papers {

/// Numbers that look random and are the same on every machine and in every run: the standard fixes
/// the generator, but not its distributions.
class FixedRandom {
 public:
  explicit FixedRandom(std::uint64_t seed) : bits_(seed) {}

  /// In [from, to).
  double operator()(double from, double to) {
    return from + (to - from) * (static_cast<double>(bits_() >> 11U) * 0x1p-53);
  }

 private:
  std::mt19937_64 bits_;
};

}  // namespace carom::papers
