// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace carom::benchmarks {

struct SiconosChain {
  std::vector<double> velocity;  ///< of the balls after [m/s]
  double microseconds = 0.;      ///< of the impact alone
};

/// Equal Hertzian balls in a row by Siconos' multiple-impact solver, the first striking with unit
/// speed. @param step  of the impulse [N s]
[[nodiscard]] SiconosChain siconos_chain(std::size_t balls, double restitution, double step);

}  // namespace carom::benchmarks
