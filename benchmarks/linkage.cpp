// SPDX-License-Identifier: Apache-2.0
// A chain of links strikes the ground: from q, u to u+.
#include <benchmark/benchmark.h>

#include <cmath>
#include <string>

#include <carom/impact/one_contact.hpp>
#include <carom/laws/energetic.hpp>
#include <carom/mechanics/linkage.hpp>

namespace {

using namespace carom;

/// Uniform bars, hinged end to end below the ground's pivot, each swung a little further.
Linkage chain(std::size_t links) {
  Linkage l;
  for (std::size_t i = 0; i < links; ++i) {
    l.links.push_back({.name = "link" + std::to_string(i + 1),
                       .mass = 1.,
                       .inertia = 1. / 12.,
                       .mass_centre = {0.5, 0.},
                       .parent = static_cast<int>(i) - 1,
                       .at = {i == 0 ? 0. : 1., 0.},
                       .position = -1.4 + 0.13 * static_cast<double>(i),
                       .rate = -0.5 - 0.1 * static_cast<double>(i)});
  }
  l.contact = {.link = links - 1, .point = {1., 0.}};
  return l;
}

void whole(benchmark::State& state) {
  const Linkage l = chain(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) {
    const SystemAtImpact system = at_impact(l);
    PlanarProblem problem = planar_problem(system.problem);
    problem.surface = {.restitution = 0.5, .friction = 0.3};
    const PlanarOutcome o = Energetic{}(problem);
    std::vector<double> after = system.velocity_after(o.impulse);
    benchmark::DoNotOptimize(after.data());
  }
}

void at_impact_only(benchmark::State& state) {
  const Linkage l = chain(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) {
    SystemAtImpact system = at_impact(l);
    benchmark::DoNotOptimize(system.problem.approach.data());
  }
}

void velocity_after_only(benchmark::State& state) {
  const SystemAtImpact system = at_impact(chain(static_cast<std::size_t>(state.range(0))));
  for (auto _ : state) {
    std::vector<double> after = system.velocity_after(Vec2{.n = 1., .t = 0.2});
    benchmark::DoNotOptimize(after.data());
  }
}

void reactions(benchmark::State& state) {
  const Linkage l = chain(static_cast<std::size_t>(state.range(0)));
  const Vec2 impulse{.n = 1., .t = 0.2};
  const std::vector<double> after = at_impact(l).velocity_after(impulse);
  for (auto _ : state) {
    std::vector<JointImpulse> joints = joint_impulses(l, impulse, 0., after);
    benchmark::DoNotOptimize(joints.data());
  }
}

BENCHMARK(whole)->Arg(2)->Arg(5)->Arg(10);
BENCHMARK(at_impact_only)->Arg(2)->Arg(5)->Arg(10);
BENCHMARK(velocity_after_only)->Arg(2)->Arg(5)->Arg(10);
BENCHMARK(reactions)->Arg(2)->Arg(5)->Arg(10);

}  // namespace

BENCHMARK_MAIN();
