// SPDX-License-Identifier: Apache-2.0
// The one file that includes TBB.
#include <carom/study/parallel.hpp>

#include <algorithm>
#include <memory>

#include <tbb/blocked_range.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

namespace carom::study {

namespace {

/// More than there are would only be in each other's way; TBB grants no more, and says so.
int granted(unsigned threads) {
  const int cores = tbb::info::default_concurrency();
  return threads == 0 ? cores : std::min(cores, static_cast<int>(threads));
}

}  // namespace

void parallel_blocks(std::size_t count, std::size_t grain, unsigned threads,
                     const std::function<void(std::size_t, std::size_t)>& work) {
  grain = std::max<std::size_t>(grain, 1);
  if (threads == 1 || count <= grain) {
    for (std::size_t begin = 0; begin < count; begin += grain) {
      work(begin, std::min(begin + grain, count));
    }
    return;
  }
  tbb::task_arena arena(granted(threads));
  arena.execute([&] {
    tbb::parallel_for(
        tbb::blocked_range<std::size_t>(0, count, grain),
        [&](const tbb::blocked_range<std::size_t>& r) { work(r.begin(), r.end()); },
        tbb::simple_partitioner());
  });
}

Executor make_executor(unsigned threads) {
  Executor executor;
  executor.workers = static_cast<std::size_t>(granted(threads));
  // One arena for all calls: to make one takes longer than a step of a small scene.
  executor.run = [arena = std::make_shared<tbb::task_arena>(granted(threads))](
                     std::size_t count, const std::function<void(std::size_t)>& task) {
    arena->execute([&] {
      tbb::parallel_for(
          std::size_t{0}, count, [&](std::size_t i) { task(i); }, tbb::simple_partitioner());
    });
  };
  return executor;
}

}  // namespace carom::study
