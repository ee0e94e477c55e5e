// SPDX-License-Identifier: Apache-2.0
// batch_columns COUNT: seconds, and seconds of processors, that carom::batch takes for so many
// problems in the plane, as columns and on all cores, with memory for the answers made anew: the
// other side of python_batch.py.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <memory>
#include <vector>

#include <carom/laws/table.hpp>
#include <carom/study/spatial_batch.hpp>

namespace {

using carom::study::Column;

/// Numbers in [low, high) by a linear congruential generator: any will do.
std::vector<double> numbers(std::size_t count, double low, double high, std::uint64_t seed) {
  std::vector<double> out(count);
  for (double& x : out) {
    seed = seed * 6364136223846793005U + 1442695040888963407U;
    x = low + (high - low) * static_cast<double>(seed >> 11U) * 0x1p-53;
  }
  return out;
}

struct Times {
  double wall = std::numeric_limits<double>::infinity();
  double processors = std::numeric_limits<double>::infinity();
};

Times seconds(const carom::study::PlanarBatch& batch, const carom::Law& law) {
  const auto begin = std::chrono::steady_clock::now();
  const std::clock_t before = std::clock();
  const std::size_t n = batch.size;
  const auto column = [&] { return std::make_unique_for_overwrite<double[]>(n); };
  const auto impulse_n = column(), impulse_t = column(), velocity_n = column(),
             velocity_t = column(), change = column(), friction = column();
  const auto mode = std::make_unique_for_overwrite<std::uint8_t[]>(n);
  const auto flags = std::make_unique_for_overwrite<std::uint16_t[]>(n);
  carom::study::solve_batch(law, batch,
                            {.impulse_n = impulse_n.get(),
                             .impulse_t = impulse_t.get(),
                             .velocity_n = velocity_n.get(),
                             .velocity_t = velocity_t.get(),
                             .energy_change = change.get(),
                             .energy_friction = friction.get(),
                             .mode = mode.get(),
                             .flags = flags.get()},
                            {.threads = 0});
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  return {took.count(), static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC};
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t n = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 10'000'000;
  const int repetitions = argc > 2 ? std::atoi(argv[2]) : 5;
  const auto nt = numbers(n, -0.9, 0.9, 1), tt = numbers(n, 1., 3., 2),
             normal = numbers(n, -1., -0.1, 3), slip = numbers(n, -1., 1., 4),
             nn = std::vector<double>(n, 1.);
  const carom::study::PlanarBatch batch{.size = n,
                                        .nn = Column(nn),
                                        .nt = Column(nt),
                                        .tt = Column(tt),
                                        .normal = Column(normal),
                                        .slip = Column(slip),
                                        .restitution = 0.5,
                                        .friction = 0.3};
  Times least;
  for (int k = 0; k < repetitions; ++k) {
    const Times t = seconds(batch, *carom::find_law("energetic"));
    least = {std::min(least.wall, t.wall), std::min(least.processors, t.processors)};
  }
  std::printf("%.6f %.6f\n", least.wall, least.processors);
}
