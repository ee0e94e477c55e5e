// SPDX-License-Identifier: Apache-2.0
// The algebraic laws in space: time and allocations of one impact of two random boxes.
#include <benchmark/benchmark.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include <carom/laws/spatial_brach.hpp>
#include <carom/laws/spatial_moreau.hpp>
#include <carom/laws/sun_baruh.hpp>

#include "allocations.hpp"

namespace {

using namespace carom;

constexpr std::size_t count = 16'384;

/// SplitMix64: the same problems in every run.
class Random {
 public:
  double uniform(double a, double b) {
    return a + (b - a) * static_cast<double>(next() >> 11) * 0x1p-53;
  }

 private:
  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  std::uint64_t state_ = 0;
};

/// Two boxes whose own axes are those of the contact.
SpatialProblem random_problem(Random& random, bool couples) {
  SpatialProblem p;
  std::array<std::array<double, 3>, 3> G{};
  std::array<double, 3> mobility{};
  for (int body = 0; body < 2; ++body) {
    const double m = std::pow(10., random.uniform(-1., 1.));
    const std::array<double, 3> a{random.uniform(.1, 1.), random.uniform(.1, 1.),
                                  random.uniform(.1, 1.)};
    const std::array<double, 3> c{random.uniform(-1., 1.), random.uniform(-1., 1.),
                                  random.uniform(-1., 1.)};
    const std::array<double, 3> I{m * (a[1] * a[1] + a[2] * a[2]) / 3.,
                                  m * (a[0] * a[0] + a[2] * a[2]) / 3.,
                                  m * (a[0] * a[0] + a[1] * a[1]) / 3.};
    // c x e_i, row by row
    const std::array<std::array<double, 3>, 3> arm{
        {{0., c[2], -c[1]}, {-c[2], 0., c[0]}, {c[1], -c[0], 0.}}};
    for (std::size_t i = 0; i < 3; ++i) {
      mobility[i] += 1. / I[i];
      G[i][i] += 1. / m;
      for (std::size_t k = 0; k < 3; ++k) {
        p.spin.cross[i][k] += arm[i][k] / I[k];
        for (std::size_t j = 0; j < 3; ++j) G[i][j] += arm[i][k] * arm[j][k] / I[k];
      }
    }
  }
  p.G = {G[0][0], G[0][1], G[0][2], G[1][1], G[1][2], G[2][2]};
  p.spin.G = {mobility[0], 0., 0., mobility[1], 0., mobility[2]};
  p.spin.inertia = {1. / mobility[0], 1. / mobility[1], 1. / mobility[2]};
  p.spin.approach = {random.uniform(-3., 3.), random.uniform(-3., 3.), random.uniform(-3., 3.)};
  p.spin.known = true;
  p.approach = {-random.uniform(.1, 2.), random.uniform(-2., 2.), random.uniform(-2., 2.)};
  p.surface.restitution = random.uniform(0., 1.);
  p.surface.friction = p.surface.static_friction = random.uniform(0., 1.5);
  if (couples) {
    for (double& e_m : p.surface.moment_coefficients) e_m = random.uniform(-1., 0.);
  }
  return p;
}

std::vector<SpatialProblem> make_problems(bool couples) {
  Random random;
  std::vector<SpatialProblem> made(count);
  for (SpatialProblem& p : made) p = random_problem(random, couples);
  return made;
}

/// An allocation is a failure of the whole program.
bool sound = true;

/// Registers a row; its time is that of one impact.
template <class Law>
void add(const std::string& row, const std::vector<SpatialProblem>& all, Law law) {
  const std::size_t before = allocations();
  for (const SpatialProblem& p : all) benchmark::DoNotOptimize(law(p));
  if (allocations() > before) {
    std::fprintf(stderr, "%s: allocates\n", row.c_str());
    sound = false;
  }
  benchmark::RegisterBenchmark(row.c_str(), [law, &all](benchmark::State& state) {
    std::size_t i = 0;
    for (auto _ : state) {
      auto outcome = law(all[i++ % count]);
      benchmark::DoNotOptimize(outcome);
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()));
  });
}

}  // namespace

int main(int argc, char** argv) {
  const auto points = make_problems(false);
  const auto areas = make_problems(true);
  using P = const SpatialProblem&;
  add("sun-baruh", points, [](P p) { return sun_baruh(p, Hypothesis::poisson); });
  add("sun-baruh:energetic", points, [](P p) { return sun_baruh(p, Hypothesis::energetic); });
  add("brach", points, [](P p) { return brach(p); });
  add("brach/couples", areas, [](P p) { return brach(p); });
  add("moreau", points, [](P p) { return moreau(p, Hypothesis::newton); });
  add("moreau:poisson", points, [](P p) { return moreau(p, Hypothesis::poisson); });
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return sound ? 0 : 1;
}
