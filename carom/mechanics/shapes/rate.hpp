// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include <carom/core/scalar.hpp>

namespace carom::shapes {

/// A number with its rate of change in time: a scalar for the templates of both folders.
struct WithRate {
  double value = 0.;
  double rate = 0.;  ///< [1/s]

  constexpr WithRate() = default;
  constexpr WithRate(double number) : value(number) {}  // NOLINT: a constant
  constexpr WithRate(double number, double its_rate) : value(number), rate(its_rate) {}

  friend constexpr WithRate operator-(const WithRate& a) { return {-a.value, -a.rate}; }
  friend constexpr WithRate operator+(const WithRate& a, const WithRate& b) {
    return {a.value + b.value, a.rate + b.rate};
  }
  friend constexpr WithRate operator-(const WithRate& a, const WithRate& b) {
    return {a.value - b.value, a.rate - b.rate};
  }
  friend constexpr WithRate operator*(const WithRate& a, const WithRate& b) {
    return {a.value * b.value, a.rate * b.value + a.value * b.rate};
  }
  friend constexpr WithRate operator/(const WithRate& a, const WithRate& b) {
    const double q = a.value / b.value;
    return {q, (a.rate - q * b.rate) / b.value};
  }
  friend constexpr bool operator<(const WithRate& a, const WithRate& b) {
    return a.value < b.value;
  }
  friend constexpr bool operator>(const WithRate& a, const WithRate& b) { return b < a; }

  /// At 0 the rate counts as 0.
  friend WithRate sqrt(const WithRate& a) {
    const double s = std::sqrt(a.value);
    return {s, s > 0. ? a.rate / (2. * s) : 0.};
  }
  friend WithRate sin(const WithRate& a) { return {std::sin(a.value), std::cos(a.value) * a.rate}; }
  friend WithRate cos(const WithRate& a) {
    return {std::cos(a.value), -std::sin(a.value) * a.rate};
  }
  friend constexpr double value_of(const WithRate& a) { return a.value; }
};

}  // namespace carom::shapes
