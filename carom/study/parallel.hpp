// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>

#include <carom/core/executor.hpp>

namespace carom::study {

/// Calls `work(begin, end)` on blocks that together are [0, count), each of about `grain`, on up to
/// `threads` threads at once (0: as many as there are cores, and never more; 1: here, in order).
/// What `work` throws is thrown here.
void parallel_blocks(std::size_t count, std::size_t grain, unsigned threads,
                     const std::function<void(std::size_t begin, std::size_t end)>& work);

/// Runs tasks on up to `threads` threads at once, in the same sense.
[[nodiscard]] Executor make_executor(unsigned threads);

/// The same for `solve`, on one thread without allocating and without cutting into blocks.
template <class Solve>
void in_blocks(std::size_t size, std::size_t block, unsigned threads, const Solve& solve) {
  if (threads == 1 || size <= block) return solve(std::size_t{0}, size);
  parallel_blocks(size, block, threads, std::cref(solve));
}

}  // namespace carom::study
