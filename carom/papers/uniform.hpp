// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <random>

namespace carom::papers {

/// Random numbers that are the same everywhere: the standard's engine is defined to the bit, its
/// distributions are not.
class Uniform {
 public:
  explicit Uniform(std::uint64_t seed) : engine_(seed) {}

  [[nodiscard]] double operator()(double low, double high) {
    constexpr double unit = 0x1p-53;
    return low + (high - low) * (static_cast<double>(engine_() >> 11U) * unit);
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace carom::papers
