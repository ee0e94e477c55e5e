// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <carom/study/fit/measured_impacts.hpp>

namespace carom::test {

/// Impacts of a body in the plane as a law predicts them, with normal noise on the velocities
/// after, so that each component of the residual has the deviation `noise`.
struct Synthetic {
  std::string law;                      ///< "poisson"
  std::vector<std::string> parameters;  ///< keys of coefficients, fitted in their range
  std::vector<double> truth;            ///< one for each
  std::size_t rows = 40;
  double noise = 0.02;
  std::size_t rows_a_group = 1;
};

/// The parameters, with bounds as the table of coefficients has them, at most 10.
[[nodiscard]] study::fit::Parameters parameters_of(const Synthetic& s);

/// Set number `set`. Geometry and approaches differ from set to set.
[[nodiscard]] study::fit::MeasuredImpacts synthetic_impacts(const Synthetic& s, std::uint64_t set);

}  // namespace carom::test
