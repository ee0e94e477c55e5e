// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstddef>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "support/motion_log.hpp"
#include "support/other_scenes.hpp"

// Islands that are solved at once.
namespace carom {
namespace {

using namespace motion;

/// Runs each task on a thread of its own, and counts calls.
class Threads {
 public:
  explicit Threads(std::size_t workers) {
    executor.workers = workers;
    executor.run = [this](std::size_t count, const std::function<void(std::size_t)>& task) {
      ++calls;
      std::vector<std::thread> threads;
      for (std::size_t i = 1; i < count; ++i) threads.emplace_back(task, i);
      task(0);
      for (std::thread& t : threads) t.join();
    };
  }
  Executor executor;
  std::size_t calls = 0;
};

/// Stacks of three or four boxes that land on the floor, far from each other: many islands.
test::RandomMotion stacks(std::size_t count) {
  test::Random random(7);
  test::PlaneBuilder b;
  b.scene.ground = {test::line("floor")};
  for (std::size_t k = 0; k < count; ++k) {
    for (std::size_t i = 0; i < 3 + k % 2; ++i) {
      b.add(shapes::plane::box(random(0.1, 0.2), 0.1), random(0.2, 1.),
            {static_cast<double>(k), 0.06 + 0.11 * static_cast<double>(i), random(-0.03, 0.03)},
            {random(-0.3, 0.3), 0., 0.});
    }
  }
  return b.made(random);
}

/// Heaps of spheres with rolling friction, each in a bowl of four pieces of ground.
test::RandomMotion heaps(std::size_t count) {
  using namespace shapes::space;
  test::Random random(8);
  test::SpaceBuilder b;
  b.scene.ground = {test::plane("floor")};
  for (std::size_t k = 0; k < count; ++k) {
    const auto x = static_cast<double>(k);
    for (int side = 0; side < 4; ++side) {
      SpatialGround piece;
      piece.name = "p" + std::to_string(4 * k) + std::to_string(side);
      piece.solid = Box{.size = {0.4, 0.4, 0.4}};
      const double out = side % 2 == 0 ? 0.35 : -0.35;
      piece.position = {x + (side < 2 ? out : 0.), side < 2 ? 0. : out, 0.};
      b.scene.ground.push_back(std::move(piece));
    }
    for (std::size_t i = 0; i < 6; ++i) {
      test::throw_it(random,
                     b.add(Sphere{random(0.04, 0.06)}, random(0.2, 1.),
                           {x + (i % 2 == 0 ? 0.06 : -0.06), i / 2 % 2 == 0 ? 0.06 : -0.06,
                            0.07 + 0.13 * static_cast<double>(i / 4)}),
                     0.3, 3.);
    }
  }
  test::RandomMotion m = b.made(random);
  m.surfaces.assign(1, {.restitution = 0., .friction = 0.5, .static_friction = 0.6});
  m.surfaces[0].set_rolling_friction(1e-3, 1e-3);
  return m;
}

/// Everything that a run reports must be the same for any number of workers.
void expect_same_bits(test::RandomMotion m, double end_time) {
  m.options.method = MotionMethod::stepping;
  m.options.end_time = end_time;
  m.options.sample_interval = 0.;
  test::MotionLog one;
  const Summary alone = test::run(*m.model, m.start, m.surfaces, m.options, one);
  ASSERT_EQ(alone.ending, Ending::time) << alone.reason;
  for (const std::size_t workers : {1U, 2U, 8U}) {
    Threads threads(workers);
    m.options.executor = &threads.executor;
    test::MotionLog log;
    const Summary s = test::run(*m.model, m.start, m.surfaces, m.options, log);
    EXPECT_EQ(threads.calls > 0, workers > 1);
    EXPECT_EQ(s.progress.state.q, alone.progress.state.q) << workers;
    EXPECT_EQ(s.progress.state.u, alone.progress.state.u) << workers;
    EXPECT_EQ(test::numbers(s.progress.next), test::numbers(alone.progress.next)) << workers;
    ASSERT_EQ(log.samples.size(), one.samples.size()) << workers;
    for (std::size_t k = 0; k < log.samples.size(); ++k) {
      ASSERT_EQ(log.samples[k].force, one.samples[k].force) << workers << ", sample " << k;
      ASSERT_EQ(log.samples[k].energy, one.samples[k].energy) << workers << ", sample " << k;
    }
  }
}

TEST(SteppingIslands, GiveTheSameBitsForAnyNumberOfThreads) {
  expect_same_bits(stacks(24), 0.12);
  expect_same_bits(heaps(24), 0.12);
}

// To begin tasks takes longer than to solve few contacts.
TEST(SteppingIslands, AreSolvedOneAfterTheOtherIfTheyAreSmall) {
  test::RandomMotion m = stacks(8);
  m.options.method = MotionMethod::stepping;
  m.options.end_time = 0.1;
  Threads threads(8);
  m.options.executor = &threads.executor;
  test::MotionCounter quiet;
  (void)test::run(*m.model, m.start, m.surfaces, m.options, quiet);
  EXPECT_EQ(threads.calls, 0U);
}

}  // namespace
}  // namespace carom
