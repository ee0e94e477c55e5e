// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>

namespace carom {

/// Runs tasks that do not depend on each other, as many at once as it likes. Results must not
/// depend on how many these are.
struct Executor {
  std::size_t workers = 1;  ///< how many tasks are worth making
  /// Calls task(0) to task(count - 1), and returns when all are done.
  std::function<void(std::size_t count, const std::function<void(std::size_t)>& task)> run{};
};

}  // namespace carom
