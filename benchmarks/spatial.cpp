// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include <Eigen/Dense>

#include <carom/laws/brach/spatial.hpp>
#include <carom/laws/compliant_space/compliant_space.hpp>
#include <carom/laws/darboux_keller/darboux_keller.hpp>
#include <carom/laws/moreau/spatial.hpp>
#include <carom/laws/sun_baruh.hpp>

#include "allocations.hpp"
#include "random_problems.hpp"
#include "reporter.hpp"

namespace {

using namespace carom;
using benchmarks::Reporter;

constexpr std::size_t count = 16'384;

Eigen::Vector3d random_vector(benchmarks::Random& random, double most) {
  const double x = random.uniform(-most, most);
  const double y = random.uniform(-most, most);
  return {x, y, random.uniform(-most, most)};
}

/// Two bodies of all shapes strike each other anywhere; oblique blows; rough and smooth surfaces.
SpatialProblem random_pair(benchmarks::Random& random) {
  Eigen::Matrix3d G = Eigen::Matrix3d::Zero();
  for (int body = 0; body < 2; ++body) {
    const double mass = random.uniform(0.2, 2.);
    // Four point masses: an inertia that some body has, in any orientation.
    Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();
    for (int i = 0; i < 4; ++i) {
      const Eigen::Vector3d r = random_vector(random, 0.7);
      inertia += mass / 4. * (r.squaredNorm() * Eigen::Matrix3d::Identity() - r * r.transpose());
    }
    const Eigen::Vector3d c = random_vector(random, 1.);
    Eigen::Matrix3d arm;  // c x
    arm << 0., -c(2), c(1), c(2), 0., -c(0), -c(1), c(0), 0.;
    G += Eigen::Matrix3d::Identity() / mass - arm * inertia.inverse() * arm;
  }
  SpatialProblem p;
  p.G = {
      .nn = G(0, 0), .n1 = G(0, 1), .n2 = G(0, 2), .t11 = G(1, 1), .t12 = G(1, 2), .t22 = G(2, 2)};
  const double incidence = random.uniform(0., 1.5);
  const double heading = random.uniform(-3.14, 3.14);
  p.approach = {.n = -std::cos(incidence),
                .t1 = std::sin(incidence) * std::cos(heading),
                .t2 = std::sin(incidence) * std::sin(heading)};
  const double mu = random.uniform(0., 1.5);
  p.surface.restitution = random.uniform(0., 1.);
  p.surface.friction = mu;
  p.surface.static_friction = random.chance(0.5) ? mu : mu * random.uniform(1., 1.5);
  p.surface.compliance_ratio = 1.2;  // similar elastic bodies
  return p;
}

const std::vector<SpatialProblem>& problems() {
  static const std::vector<SpatialProblem> all = [] {
    benchmarks::Random random;
    std::vector<SpatialProblem> made(count);
    for (SpatialProblem& p : made) p = random_pair(random);
    return made;
  }();
  return all;
}

/// Every allocation is a failure of the whole program.
bool sound = true;

/// Registers a row; its time is that of one impact.
template <class Law>
void add(const std::string& row, Law law) {
  const std::vector<SpatialProblem>& all = problems();
  const std::size_t before = allocations();
  for (const SpatialProblem& p : all) benchmark::DoNotOptimize(law(p));
  if (const std::size_t made = allocations() - before; made > 0) {
    std::fprintf(stderr, "%s: %g allocations an impact\n", row.c_str(),
                 static_cast<double>(made) / static_cast<double>(count));
    sound = false;
  }
  benchmark::RegisterBenchmark(row.c_str(), [law, &all](benchmark::State& state) {
    std::size_t i = 0;
    for (auto _ : state) {
      auto outcome = law(all[i++ % count]);
      benchmark::DoNotOptimize(outcome);
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()));
  })->Unit(benchmark::kMicrosecond);
}

/// A row for each of three tolerances.
template <class Law>
void add_to_tolerances(const std::string& row, Law law) {
  for (const auto& [name, tolerance] :
       {std::pair{"1e-12", 1e-12}, {"1e-9", 1e-9}, {"1e-6", 1e-6}}) {
    const SpatialOptions options{.tolerance = tolerance};
    add(row + "/" + name, [law, options](const SpatialProblem& p) { return law(p, options); });
  }
}

void add_process(const std::string& row, Hypothesis hypothesis) {
  add_to_tolerances(row, DarbouxKeller{hypothesis});
}

/// Prints what share of the problems each mode has, so that a lopsided mixture shows.
template <class Law>
void print_modes(const char* law, Law outcome) {
  std::map<Mode, std::size_t> modes;
  std::size_t given_up = 0;
  for (const SpatialProblem& p : problems()) {
    const SpatialOutcome o = outcome(p);
    ++modes[o.mode];
    if (o.flags.has(Verdict::not_converged)) ++given_up;
  }
  std::printf("%s:", law);
  for (const auto& [mode, n] : modes) {
    std::printf(" %s %.2g %%;", std::string(describe(mode)).c_str(),
                100. * static_cast<double>(n) / static_cast<double>(count));
  }
  std::printf(" %zu not converged\n", given_up);
}

void print_bar(const Reporter& reporter, const std::string& row, double most) {
  const double time = reporter.time(row);
  if (std::isnan(time)) return;
  std::printf("%-19s %6.2f us   at most %g: %s\n", row.c_str(), time, most,
              time <= most ? "met" : "missed");
}

}  // namespace

int main(int argc, char** argv) {
  // Repetitions in random order, of which the fastest counts, so that other work on the machine
  // disturbs all rows alike. Each goes through most problems once. Arguments given by the user come
  // later and win.
  if (!benchmarks::initialize({"--benchmark_repetitions=21", "--benchmark_min_time=0.05",
                               "--benchmark_enable_random_interleaving=true"},
                              argc, argv)) {
    return 2;
  }

  add_process("newton", Hypothesis::newton);
  add_process("poisson", Hypothesis::poisson);
  add_process("energetic", Hypothesis::energetic);
  add_to_tolerances("compliant", SpatialCompliant{});
  add("sun-baruh", [](const SpatialProblem& p) { return sun_baruh(p, Hypothesis::poisson); });
  add("sun-baruh:energetic",
      [](const SpatialProblem& p) { return sun_baruh(p, Hypothesis::energetic); });
  add("brach", [](const SpatialProblem& p) { return brach(p); });
  add("moreau", [](const SpatialProblem& p) { return moreau(p, Hypothesis::newton); });
  add("moreau:poisson", [](const SpatialProblem& p) { return moreau(p, Hypothesis::poisson); });
  if (!sound) return 1;
  std::printf("%zu problems\n", count);
  print_modes("energetic",
              [](const SpatialProblem& p) { return darboux_keller(p, Hypothesis::energetic); });
  std::printf("allocations an impact: 0 in every row\n\n");

  Reporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);

  std::printf("\ntargets\n");
  for (const std::string law : {"newton", "poisson", "energetic"}) {
    print_bar(reporter, law + "/1e-12", 25.);
    print_bar(reporter, law + "/1e-6", 5.);
  }
  print_bar(reporter, "compliant/1e-12", 50.);
  print_bar(reporter, "sun-baruh", 1.);
  print_bar(reporter, "sun-baruh:energetic", 1.);
  print_bar(reporter, "brach", 1.);
  benchmark::Shutdown();
  return 0;
}
