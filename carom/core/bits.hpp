// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace carom {

/// The bits of x as another type of its size: std::bit_cast, which some standard libraries that
/// compile to WebAssembly lack.
template <class To, class From>
[[nodiscard]] constexpr To bits_as(const From& x) {
  static_assert(sizeof(To) == sizeof(From));
  return __builtin_bit_cast(To, x);
}

/// The greatest power of two not above x, for normal x > 0.
[[nodiscard]] constexpr double power_of_two(double x) {
  return bits_as<double>(bits_as<std::uint64_t>(x) & 0x7ff0'0000'0000'0000U);
}

}  // namespace carom
