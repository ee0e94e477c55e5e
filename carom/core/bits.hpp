// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace carom {

/// The bits of x as another type of its size: std::bit_cast, which some standard libraries that
/// compile to WebAssembly lack.
template <class To, class From>
[[nodiscard]] constexpr To bits_as(const From& x) {
  static_assert(sizeof(To) == sizeof(From));
  return __builtin_bit_cast(To, x);
}

}  // namespace carom
