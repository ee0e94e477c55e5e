// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace carom::papers {

/// The power of ten that an error stays below, 1e-12 at least: what is told of rounding, which
/// differs from machine to machine.
[[nodiscard]] constexpr double decade(double error) {
  double bound = 1e-12;
  while (bound < error && bound < 1e12) bound *= 10.;
  return bound;
}

}  // namespace carom::papers
