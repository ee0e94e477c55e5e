// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include <carom/core/scalar.hpp>

/// Cosine and sine by additions and multiplications only, so that they do not depend on the C
/// library, whose functions differ in the last digit. tests/bits compares compilers through
/// `compliant`.
namespace carom {

template <class S>
struct CosSin {
  S c;
  S s;
};

namespace detail {

/// pi/2 in three parts; the first two have 33 bits, so that small multiples of them are exact.
inline constexpr double half_pi_1 = 0x1.921fb544p+0;
inline constexpr double half_pi_2 = 0x1.0b4611a6p-34;
inline constexpr double half_pi_3 = 0x1.3198a2e037073p-69;

/// 1/n!
inline constexpr std::array<double, 20> inverse_factorial = [] {
  std::array<double, 20> f{};
  double n_factorial = 1.;  // exact to 18!, which has 53 significant bits
  for (std::size_t n = 0; n < f.size(); ++n) {
    if (n > 0) n_factorial *= static_cast<double>(n);
    f[n] = 1. / n_factorial;
  }
  return f;
}();

/// Taylor's series, to rounding for |x| <= pi/4.
[[nodiscard]] constexpr CosSin<double> small_cos_sin(double x) {
  const double y = x * x;
  double c = 0.;
  double s = 0.;
  for (std::size_t n = 18; n > 0; n -= 2) {
    c = inverse_factorial[n] - y * c;
    s = inverse_factorial[n + 1] - y * s;
  }
  return {.c = 1. - y * c, .s = x - x * (y * s)};
}

}  // namespace detail

/// Error about 1 ulp of 1 for |x| < 10^6; beyond, what the argument's own rounding makes.
[[nodiscard]] inline CosSin<double> cos_sin(double x) {
  const double quarter = std::floor(x * 0x1.45f306dc9c883p-1 + 0.5);  // nearest multiple of pi/2
  const double r = ((x - quarter * detail::half_pi_1) - quarter * detail::half_pi_2) -
                   quarter * detail::half_pi_3;
  const auto [c, s] = detail::small_cos_sin(r);
  const double turn = quarter - 4. * std::floor(quarter * 0.25);  // 0, 1, 2 or 3
  if (turn == 0.) return {.c = c, .s = s};
  if (turn == 1.) return {.c = -s, .s = c};
  if (turn == 2.) return {.c = -c, .s = -s};
  return {.c = s, .s = -c};
}

/// The same for a scalar that carries first derivatives.
template <class S>
[[nodiscard]] CosSin<S> cos_sin(const S& x) {
  const auto [c, s] = cos_sin(value_of(x));
  const S dx = x - S(value_of(x));
  return {.c = S(c) - S(s) * dx, .s = S(s) + S(c) * dx};
}

}  // namespace carom
