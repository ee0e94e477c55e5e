// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace carom::study::fit {

struct NelderMeadOptions {
  std::size_t most_evaluations = 200;
  double tolerance = 1e-6;  ///< of the simplex, in units of its first size
};

/// Minimises a function without derivatives, by a simplex that moves, grows and shrinks [Nelder and
/// Mead 1965], with the coefficients of [Gao and Han 2012], which depend on the number of
/// variables.
/// @param x  the start; the least point found, which is never worse
/// @param size  of the first simplex in each direction
/// @param clamp  brings a point within its bounds
/// @return the value there
[[nodiscard]] double nelder_mead(const std::function<double(std::span<const double>)>& f,
                                 std::vector<double>& x, std::span<const double> size,
                                 const NelderMeadOptions& options,
                                 const std::function<void(std::vector<double>&)>& clamp);

}  // namespace carom::study::fit
