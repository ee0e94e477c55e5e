// SPDX-License-Identifier: Apache-2.0
// A chain of links strikes the ground: from q, u to u+.
#include <benchmark/benchmark.h>

#include <cmath>
#include <string>

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
    const Configuration c = configuration(l);
    const ContactSpace contact = contact_space(c);
    const PlanarOutcome o = Energetic{}({.G = contact.G,
                                         .approach = contact.approach,
                                         .surface = {.restitution = 0.5, .friction = 0.3},
                                         .spin = contact.spin});
    Eigen::VectorXd after = velocity_after(c, o.impulse);
    benchmark::DoNotOptimize(after.data());
  }
}

void configuration_only(benchmark::State& state) {
  const Linkage l = chain(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) {
    Configuration c = configuration(l);
    benchmark::DoNotOptimize(c.mass.data());
  }
}

void contact_space_only(benchmark::State& state) {
  const Configuration c = configuration(chain(static_cast<std::size_t>(state.range(0))));
  for (auto _ : state) {
    ContactSpace contact = contact_space(c);
    benchmark::DoNotOptimize(contact);
  }
}

void velocity_after_only(benchmark::State& state) {
  const Configuration c = configuration(chain(static_cast<std::size_t>(state.range(0))));
  for (auto _ : state) {
    Eigen::VectorXd after = velocity_after(c, {.n = 1., .t = 0.2});
    benchmark::DoNotOptimize(after.data());
  }
}

void reactions(benchmark::State& state) {
  const Linkage l = chain(static_cast<std::size_t>(state.range(0)));
  const Vec2 impulse{.n = 1., .t = 0.2};
  const Eigen::VectorXd after = velocity_after(configuration(l), impulse);
  for (auto _ : state) {
    std::vector<JointImpulse> joints = joint_impulses(l, impulse, 0., after);
    benchmark::DoNotOptimize(joints.data());
  }
}

BENCHMARK(whole)->Arg(2)->Arg(5)->Arg(10);
BENCHMARK(configuration_only)->Arg(2)->Arg(5)->Arg(10);
BENCHMARK(contact_space_only)->Arg(2)->Arg(5)->Arg(10);
BENCHMARK(velocity_after_only)->Arg(2)->Arg(5)->Arg(10);
BENCHMARK(reactions)->Arg(2)->Arg(5)->Arg(10);

}  // namespace

BENCHMARK_MAIN();
