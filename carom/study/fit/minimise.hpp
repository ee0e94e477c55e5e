// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <carom/scenario/fit_request.hpp>
#include <carom/study/fit/measured_impacts.hpp>

/// Minimises a loss over the parameters of an objective.
namespace carom::study::fit {

using scenario::Loss;

struct MinimiseOptions {
  Loss loss = Loss::mean_error;
  double huber = 0.;                        ///< error at which `huber` turns from square to linear
  std::uint64_t seed = 1;                   ///< of the random starts
  std::size_t starts = 3;                   ///< from which the minimum is searched
  std::size_t trials = 12;                  ///< random points of which the best become starts
  const std::atomic<bool>* stop = nullptr;  ///< ends it early, with Interrupted
};

/// Where the search ended.
struct Minimum {
  std::vector<double> p;
  double loss = 0.;          ///< mean over the impacts of |r|, |r|^2 or Huber's function
  double mean_error = 0.;    ///< mean of |r|
  std::vector<bool> at_low;  ///< a parameter that is at its bound
  std::vector<bool> at_high;
  /// A parameter that the data do not determine: no prediction depends on it there.
  std::vector<bool> undetermined;
};

/// The loss of one impact whose error is |r|.
[[nodiscard]] double loss_of(double error, const MinimiseOptions& options);

/// Searches from the given start and from the best of several random points: by Levenberg and
/// Marquardt's method with bounds (Ceres), the loss taken by weights, and then without derivatives
/// by the method of Nelder and Mead, since outcomes have kinks where modes change and some laws
/// jump. The result does not depend on the number of threads.
[[nodiscard]] Minimum minimise(const Objective& objective, std::span<const std::size_t> impacts,
                               const MinimiseOptions& options);

/// The same from one point that is near already.
[[nodiscard]] Minimum minimise_from(const Objective& objective,
                                    std::span<const std::size_t> impacts,
                                    const MinimiseOptions& options, std::vector<double> start);

}  // namespace carom::study::fit
