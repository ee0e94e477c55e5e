// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apps/cli/fit_options.hpp>

namespace carom::cli {

/// Is the file about trajectories: a scenario with [motion] and [fit]?
[[nodiscard]] bool fits_trajectories(const FitOptions& o);

/// `carom fit` for such a file.
void run_trajectories(const FitOptions& o);

}  // namespace carom::cli
