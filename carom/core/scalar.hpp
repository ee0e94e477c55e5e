// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <limits>

/// The few operations that a law's kernel needs beside arithmetic. A kernel is a template on its
/// scalar and uses these instead of `if`, so that one source serves `double`, packs of doubles and
/// derivatives: another scalar brings overloads of the same names, found by argument lookup.
namespace carom {

/// What comparing two scalars gives: `bool` for double, a mask for a pack.
template <class S>
using Mask = decltype(S{} < S{});

/// `chosen ? yes : no`, both sides evaluated.
template <class S>
[[nodiscard]] constexpr S select(bool chosen, const S& yes, const S& no) {
  return chosen ? yes : no;
}

// Logic on masks without short circuit: no branch is made of it.
[[nodiscard]] constexpr bool both(bool a, bool b) { return static_cast<bool>(a & b); }
[[nodiscard]] constexpr bool either(bool a, bool b) { return static_cast<bool>(a | b); }
[[nodiscard]] constexpr bool negate(bool a) { return !a; }

/// Does a mask hold anywhere? For `if` around work that hardly any problem needs.
[[nodiscard]] constexpr bool any(bool a) { return a; }

/// -1 for negative x, +1 otherwise (for zero too).
template <class S>
[[nodiscard]] constexpr S sign(const S& x) {
  return select(x < S(0.), S(-1.), S(1.));
}

/// x times the sign of y.
template <class S>
[[nodiscard]] constexpr S times_sign(const S& x, const S& y) {
  return x * sign(y);
}

/// |x|. Not std::abs, so that any scalar with a comparison will do.
template <class S>
[[nodiscard]] constexpr S magnitude(const S& x) {
  return select(x < S(0.), S(-x), x);
}
/// One instruction instead of five.
[[nodiscard]] constexpr double magnitude(double x) { return __builtin_fabs(x); }

/// x where chosen, else 0.
template <class S>
[[nodiscard]] constexpr S only_where(const Mask<S>& chosen, const S& x) {
  return select(chosen, x, S(0.));
}

/// x where it is positive, else 1.
template <class S>
[[nodiscard]] constexpr S or_one(const S& x) {
  return select(x > S(0.), x, S(1.));
}

/// A divisor where it is positive, and where it is not the quotient is not used. For double that
/// no floating-point exception be raised; a pack just divides.
template <class S>
[[nodiscard]] constexpr S divisor(const S& x) {
  return or_one(x);
}

/// A divisor where `used`.
template <class S>
[[nodiscard]] constexpr S divisor(const Mask<S>& used, const S& x) {
  return select(used, x, S(1.));
}

/// The number itself, without derivatives: for searches, which need no more.
[[nodiscard]] constexpr double value_of(double x) { return x; }

/// Square root of what is not negative but for rounding; its derivative at 0 counts as 0.
template <class S>
[[nodiscard]] S root(const S& x) {
  using std::sqrt;
  return only_where(x > S(0.), S(sqrt(or_one(x))));
}
[[nodiscard]] inline double root(double x) { return x > 0. ? std::sqrt(x) : 0.; }

/// x where it is not negative, else 0; at 0 the derivative is that from above.
template <class S>
[[nodiscard]] constexpr S positive_part(const S& x) {
  return select(x < S(0.), S(0.), x);
}

/// Unit roundoff's double, 2^-52: the unit of every relative tolerance here.
inline constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// What a few roundings can make of a number, relative: two ways to compute it differ by no more.
inline constexpr double rounding = 64. * epsilon;

}  // namespace carom
