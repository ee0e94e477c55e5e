// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include <carom/report/fit/summary.hpp>

/// How good and how sure a fit is, for people.
namespace carom::report {

/// The least errors that impulses can reach, and the models' differences from the reference by what
/// slip does. Body and friction are those of the reference, so that all are judged alike.
[[nodiscard]] std::string fit_bounds(const FitReport& report, unsigned threads);

/// How `fit_intervals` finds them.
enum class IntervalMethod : std::uint8_t {
  automatic,   ///< profile for least squares, covariance for other losses, bootstrap for laws that
               ///< jump
  covariance,  ///< Gauss-Newton for least squares, sandwich for other losses
  profile,     ///< least squares only
  bootstrap,
};

struct IntervalRequest {
  IntervalMethod method = IntervalMethod::automatic;
  std::size_t replicas = 400;  ///< of the bootstrap
  bool errors_before = false;  ///< take the standard errors of velocities before into account
  unsigned threads = 0;
};

/// Intervals of the coefficients of each model, correlations, and what the data do not determine.
/// Throws InputError where the method does not suit the loss, or standard errors are missing, and
/// Interrupted.
[[nodiscard]] std::string fit_intervals(const FitReport& report, const IntervalRequest& request);

/// "covariance", "profile", "bootstrap". Throws InputError under `field`.
[[nodiscard]] IntervalMethod find_interval_method(const std::string& name,
                                                  const std::string& field);

}  // namespace carom::report
