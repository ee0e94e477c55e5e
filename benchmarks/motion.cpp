// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include <carom/motion/disc_model.hpp>
#include <carom/motion/planar_model.hpp>
#include <carom/motion/simulation.hpp>

#include "reporter.hpp"

// Motion event by event: events a second.
namespace {

using namespace carom;
using namespace carom::motion;
using benchmarks::Reporter;

class Counter final : public Recorder {
 public:
  void event(const Event& e) override {
    ++events;
    benchmark::DoNotOptimize(e.time);
  }
  void sample(const Sample& /*sample*/) override {}
  std::size_t events = 0;
};

struct Scene {
  const Model& model;
  State start;
  std::vector<MultiSurface> surfaces;
  Options options;
};

/// Registers a row; its time is that of one event.
void add(const std::string& row, const Scene& scene) {
  benchmark::RegisterBenchmark(row.c_str(), [scene](benchmark::State& state) {
    std::size_t events = 0;
    for (auto _ : state) {
      Counter counter;
      const Summary s =
          simulate(scene.model, scene.surfaces, scene.options,
                   start(scene.model, scene.start, scene.surfaces, scene.options), counter);
      if (s.ending == Ending::failed) state.SkipWithError(s.reason.c_str());
      events += counter.events;
    }
    state.counters["events"] =
        benchmark::Counter(static_cast<double>(events), benchmark::Counter::kAvgIterations);
    state.counters["events/s"] =
        benchmark::Counter(static_cast<double>(events), benchmark::Counter::kIsRate);
  })->Unit(benchmark::kMicrosecond);
}

Scene ball(const PlanarModel& model) {
  Scene s{.model = model,
          .start = {},
          .surfaces = {{.restitution = 0.95, .friction = 0.3}},
          .options = {}};
  s.start.q = Eigen::Vector3d(0., 1.1, 0.);
  s.start.u = Eigen::Vector3d(0.2, 0., 1.);
  s.options = {.end_time = 1e3, .sample_interval = HUGE_VAL, .most_events = 201};
  return s;
}

/// Case 7 of tests/reference/motion.json, from the printed state.
Scene disc_7(const DiscModel& model) {
  Scene s{.model = model,
          .start = {},
          .surfaces = std::vector<MultiSurface>(3, {.restitution = 0.9064,
                                                    .friction = 0.14,
                                                    .static_friction = 0.15,
                                                    .stiffness = 2.9217e10}),
          .options = {}};
  s.start.q = Eigen::Vector3d(0., 0.0375, 1.5707963267948966);
  s.start.u = Eigen::Vector3d(0.1056, 0.023615287631534726, -4.7004);
  s.options = {.end_time = 0.5, .tolerance = 1e-9, .sample_interval = HUGE_VAL};
  s.options.settling = Settling::contact_time;
  s.options.contact_time = ContactTime::given;
  s.options.given_contact_time = 4.7531e-4 * std::pow(0.305, -0.2);
  return s;
}

/// A block that tumbles to rest.
Scene block(const PlanarModel& model) {
  Scene s{.model = model,
          .start = {},
          .surfaces =
              std::vector<MultiSurface>(4, {.restitution = 0.4, .friction = 0.3, .stiffness = 1e8}),
          .options = {}};
  s.start.q = Eigen::Vector3d(0., 0.4, 0.7);
  s.start.u = Eigen::Vector3d(0.7, 0., 1.5);
  s.options = {.end_time = 2., .sample_interval = HUGE_VAL};
  return s;
}

void print_bar(const Reporter& reporter, const std::string& row, double events, double least) {
  const double time = reporter.time(row);  // us a run
  if (std::isnan(time)) return;
  const double rate = events / (time * 1e-6);
  std::printf("%-12s %9.0f events/s   at least %g: %s\n", row.c_str(), rate, least,
              rate >= least ? "met" : "missed");
}

std::size_t count_events(const Scene& scene) {
  Counter counter;
  (void)simulate(scene.model, scene.surfaces, scene.options,
                 start(scene.model, scene.start, scene.surfaces, scene.options), counter);
  return counter.events;
}

}  // namespace

int main(int argc, char** argv) {
  const PlanarModel ball_model(
      {.bodies = {{.name = "ball", .mass = 0.5, .inertia = 0.002, .radius = 0.1}},
       .lines = {{.name = "floor"}}});
  const DiscModel disc_model({.mass = 0.20969, .radius = 0.0375, .half_thickness = 0.003});
  const PlanarModel block_model(
      {.bodies = {{.name = "block",
                   .mass = 0.7,
                   .inertia = 0.7 * (0.01 + 0.0025) / 3.,
                   .corners = {{-0.1, -0.05}, {0.1, -0.05}, {0.1, 0.05}, {-0.1, 0.05}}}},
       .lines = {{.name = "floor"}}});
  add("ball", ball(ball_model));
  add("disc-7", disc_7(disc_model));
  add("block", block(block_model));
  if (!benchmarks::initialize(
          {"--benchmark_repetitions=5", "--benchmark_enable_random_interleaving=true",
           "--benchmark_min_time=0.1"},
          argc, argv)) {
    return 2;
  }
  Reporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  print_bar(reporter, "ball", static_cast<double>(count_events(ball(ball_model))), 1e5);
  print_bar(reporter, "disc-7", static_cast<double>(count_events(disc_7(disc_model))), 2e4);
  return 0;
}
