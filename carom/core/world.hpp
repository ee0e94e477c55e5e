// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>

#include <carom/core/error.hpp>

/// Vectors in world axes (x, y, z).
namespace carom {

using World3 = std::array<double, 3>;

[[nodiscard]] constexpr double dot(const World3& a, const World3& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

[[nodiscard]] constexpr World3 cross(const World3& a, const World3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

[[nodiscard]] inline double length(const World3& v) { return std::hypot(v[0], v[1], v[2]); }

/// Throws InputError that names the entry unless all are finite.
inline void require_finite(const World3& v, const std::string& field) {
  for (std::size_t k = 0; k < 3; ++k) {
    if (std::isfinite(v[k])) continue;
    throw InputError(field + "[" + std::to_string(k) + "]", v[k], "a finite number");
  }
}

/// The unit vector along `v`, of any length. Throws InputError where it is zero or not finite.
[[nodiscard]] inline World3 unit(const World3& v, const std::string& field) {
  require_finite(v, field);
  const double most = std::max({std::abs(v[0]), std::abs(v[1]), std::abs(v[2])});
  if (!(most > 0.)) throw InputError(field, "must not be zero");
  const World3 scaled{v[0] / most, v[1] / most, v[2] / most};
  const double size = length(scaled);
  return {scaled[0] / size, scaled[1] / size, scaled[2] / size};
}

}  // namespace carom
