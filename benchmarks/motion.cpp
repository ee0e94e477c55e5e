// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include <carom/mechanics/disc_model.hpp>
#include <carom/mechanics/planar_model.hpp>
#include <carom/motion/simulation.hpp>

#include "motion_rivals.hpp"
#include "reporter.hpp"

// Motion event by event: events a second; and the same scenes in other programs, where they are
// found, with the errors of all.
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
  std::vector<Surface> surfaces;
  Options options;
};

PlanarGround floor() { return {.name = "floor", .shape = shapes::plane::half_plane()}; }

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
          .surfaces = std::vector<Surface>(3, {.restitution = 0.9064,
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
  Scene s{
      .model = model,
      .start = {},
      .surfaces = std::vector<Surface>(4, {.restitution = 0.4, .friction = 0.3, .stiffness = 1e8}),
      .options = {}};
  s.start.q = Eigen::Vector3d(0., 0.4, 0.7);
  s.start.u = Eigen::Vector3d(0.7, 0., 1.5);
  s.options = {.end_time = 2., .sample_interval = HUGE_VAL};
  return s;
}

// --- scenes that others know, too

/// Follows a scene for so many events.
Summary follow(const Model& model, const State& from, const std::vector<Surface>& surfaces,
               std::size_t events) {
  const Options options{.end_time = 1e3, .sample_interval = HUGE_VAL, .most_events = events};
  Counter counter;
  return simulate(model, surfaces, options, start(model, from, surfaces, options), counter);
}

State moving(const Eigen::Vector3d& q, const Eigen::Vector3d& u) {
  State s;
  s.q = q;
  s.u = u;
  return s;
}

benchmarks::Answer carom_ball() {
  const benchmarks::BouncingBall b;
  const PlanarModel model({.bodies = {{.name = "ball",
                                       .mass = b.mass,
                                       .inertia = 0.002,
                                       .shape = shapes::plane::disc(b.radius)}},
                           .ground = {floor()}});
  const Summary s =
      follow(model, moving({0., b.height + b.radius, 0.}, {0., 0., 0.}),
             {{.restitution = b.restitution}}, 1 + static_cast<std::size_t>(b.impacts));
  const double v = s.progress.state.u(1);
  return {s.progress.state.time, v * v / (2. * benchmarks::gravity)};
}

benchmarks::Answer carom_backspin() {
  const benchmarks::Backspin b;
  const PlanarModel model({.bodies = {{.name = "ball",
                                       .mass = b.mass,
                                       .inertia = 0.4 * b.mass * b.radius * b.radius,
                                       .shape = shapes::plane::disc(b.radius)}},
                           .ground = {floor()}});
  const Summary s = follow(model, moving({0., b.radius, 0.}, {b.velocity, 0., b.spin}),
                           {{.friction = b.friction}}, 2);
  return {s.progress.state.time, s.progress.state.u(0)};
}

benchmarks::Answer carom_slide() {
  const benchmarks::SlidingBlock b;
  const double l = b.half_length, h = b.half_height;
  const PlanarModel model({.bodies = {{.name = "block",
                                       .mass = b.mass,
                                       .inertia = b.mass * (l * l + h * h) / 3.,
                                       .shape = shapes::plane::box(2. * l, 2. * h)}},
                           .ground = {floor()}});
  const Summary s = follow(model, moving({0., h, 0.}, {b.velocity, 0., 0.}),
                           std::vector<Surface>(4, {.friction = b.friction}), 2);
  return {s.progress.state.time, s.progress.state.q(0)};
}

std::vector<benchmarks::Rival> all_rivals() {
  std::vector<benchmarks::Rival> rivals{{"ball", "carom", carom_ball},
                                        {"backspin", "carom", carom_backspin},
                                        {"slide", "carom", carom_slide}};
#ifdef CAROM_HAVE_SICONOS_KERNEL
  benchmarks::add_siconos(rivals);
#endif
#ifdef CAROM_HAVE_BULLET
  benchmarks::add_bullet(rivals);
#endif
#ifdef CAROM_HAVE_MUJOCO
  benchmarks::add_mujoco(rivals);
#endif
  return rivals;
}

std::string row_of(const benchmarks::Rival& r) { return r.scene + ": " + r.name; }

void add(const benchmarks::Rival& rival) {
  benchmark::RegisterBenchmark(row_of(rival).c_str(), [rival](benchmark::State& state) {
    for (auto _ : state) benchmark::DoNotOptimize(rival.run());
  })->Unit(benchmark::kMicrosecond);
}

/// Relative errors of both parts of the answer, and the time of a run.
void print_rivals(const Reporter& reporter, const std::vector<benchmarks::Rival>& rivals) {
  const auto relative = [](double x, double exact) {
    return std::abs(x - exact) / std::abs(exact);
  };
  struct Kind {
    const char* scene;
    const char* words;
    benchmarks::Answer exact;
  };
  for (const Kind& k :
       {Kind{"ball", "a ball's 10th impact, and how high it rises then",
             benchmarks::BouncingBall{}.exact()},
        Kind{"backspin", "backspin to rolling, and the speed then", benchmarks::Backspin{}.exact()},
        Kind{"slide", "a block slides to rest, and how far", benchmarks::SlidingBlock{}.exact()}}) {
    const bool any = std::any_of(rivals.begin(), rivals.end(), [&](const benchmarks::Rival& r) {
      return r.scene == k.scene && !std::isnan(reporter.time(row_of(r)));
    });
    if (!any) continue;
    std::printf("\n%s: exact %.9g s, %.9g\n%-18s %12s %12s %12s\n", k.words, k.exact.time,
                k.exact.value, "", "error, time", "error, value", "us a run");
    for (const benchmarks::Rival& r : rivals) {
      const double time = reporter.time(row_of(r));
      if (r.scene != k.scene || std::isnan(time)) continue;
      const benchmarks::Answer a = r.run();
      std::printf("%-18s %12.1e %12.1e %12.1f\n", r.name.c_str(), relative(a.time, k.exact.time),
                  relative(a.value, k.exact.value), time);
    }
  }
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
      {.bodies =
           {{.name = "ball", .mass = 0.5, .inertia = 0.002, .shape = shapes::plane::disc(0.1)}},
       .ground = {floor()}});
  const DiscModel disc_model({.mass = 0.20969, .radius = 0.0375, .half_thickness = 0.003});
  const PlanarModel block_model({.bodies = {{.name = "block",
                                             .mass = 0.7,
                                             .inertia = 0.7 * (0.01 + 0.0025) / 3.,
                                             .shape = shapes::plane::box(0.2, 0.1)}},
                                 .ground = {floor()}});
  add("ball", ball(ball_model));
  add("disc-7", disc_7(disc_model));
  add("block", block(block_model));
  const std::vector<benchmarks::Rival> rivals = all_rivals();
  for (const benchmarks::Rival& r : rivals) add(r);
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
  print_rivals(reporter, rivals);
  return 0;
}
