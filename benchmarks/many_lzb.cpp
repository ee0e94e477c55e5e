// SPDX-License-Identifier: Apache-2.0
// `lzb` on Hertzian chains struck at one end, beside a plain Runge-Kutta method of order four in
// the deformation form with fixed steps, written by hand.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include <carom/laws/lzb/lzb.hpp>

#include "reporter.hpp"
#ifdef CAROM_HAVE_SICONOS_KERNEL
#include "many_lzb_siconos.hpp"
#endif

namespace {

using namespace carom;
using benchmarks::Reporter;

constexpr double restitution = 0.9;

/// Equal balls in a row, the first striking with unit speed.
ContactProblem chain(std::size_t balls, double e = restitution) {
  const std::size_t n = balls - 1;
  std::vector<BlockMatrix::Triplet> entries;
  for (std::size_t i = 0; i < n; ++i) {
    entries.push_back({i, i, 2.});
    if (i + 1 < n) entries.push_back({i, i + 1, -1.});
  }
  ContactProblem p;
  p.G = BlockMatrix::from_triplets(n, 1, entries);
  p.approach.assign(n, 0.);
  p.approach[0] = -1.;
  p.surfaces.assign(n, Surface{.restitution = e});
  return p;
}

/// The same by fixed steps of the classical method, states (x, u) of contacts and balls; stages by
/// the sign of v_n at each evaluation, no events.
class FixedSteps {
 public:
  explicit FixedSteps(std::size_t balls)
      : n_(balls - 1),
        x_(n_),
        u_(n_ + 1),
        dx_(n_),
        du_(n_ + 1),
        kx_(n_),
        ku_(n_ + 1),
        sx_(n_),
        su_(n_ + 1) {}

  /// Velocities of the balls after.
  const std::vector<double>& run(double h) {
    std::fill(x_.begin(), x_.end(), 0.);
    std::fill(u_.begin(), u_.end(), 0.);
    u_[0] = 1.;
    do {
      for (int k = 0; k < 8; ++k) step(h);
    } while (!finished());
    return u_;
  }

 private:
  void derivative(const std::vector<double>& x, const std::vector<double>& u) {
    constexpr double back = 1. / (restitution * restitution);
    double before = 0.;
    for (std::size_t i = 0; i < n_; ++i) {
      const double v = u[i + 1] - u[i];
      const double F = x[i] > 0. ? x[i] * std::sqrt(x[i]) : 0.;
      kx_[i] = v < 0. ? -v : x[i] > 0. ? -v * back : 0.;
      ku_[i] = before - F;
      before = F;
    }
    ku_[n_] = before;
  }

  void step(double h) {
    const auto add = [&](double weight, double ahead) {
      for (std::size_t i = 0; i < n_; ++i) {
        dx_[i] += weight * kx_[i];
        sx_[i] = x_[i] + ahead * kx_[i];
      }
      for (std::size_t i = 0; i <= n_; ++i) {
        du_[i] += weight * ku_[i];
        su_[i] = u_[i] + ahead * ku_[i];
      }
    };
    std::fill(dx_.begin(), dx_.end(), 0.);
    std::fill(du_.begin(), du_.end(), 0.);
    derivative(x_, u_);
    add(h / 6., h / 2.);
    derivative(sx_, su_);
    add(h / 3., h / 2.);
    derivative(sx_, su_);
    add(h / 3., h);
    derivative(sx_, su_);
    add(h / 6., 0.);
    for (std::size_t i = 0; i < n_; ++i) x_[i] = std::max(0., x_[i] + dx_[i]);
    for (std::size_t i = 0; i <= n_; ++i) u_[i] += du_[i];
  }

  [[nodiscard]] bool finished() const {
    for (std::size_t i = 0; i < n_; ++i) {
      if (x_[i] > 0. || u_[i + 1] - u_[i] < -1e-12) return false;
    }
    return true;
  }

  std::size_t n_;
  std::vector<double> x_, u_, dx_, du_, kx_, ku_, sx_, su_;
};

/// Largest difference of the contacts' velocities to the reference.
double error(const std::vector<double>& v, const std::vector<double>& reference) {
  double worst = 0.;
  for (std::size_t i = 0; i < v.size(); ++i) worst = std::max(worst, std::abs(v[i] - reference[i]));
  return worst;
}

std::vector<double> of_contacts(const std::vector<double>& balls) {
  std::vector<double> v;
  for (std::size_t i = 1; i < balls.size(); ++i) v.push_back(balls[i] - balls[i - 1]);
  return v;
}

struct Size {
  std::size_t balls;
  double step;   ///< of the fixed-step method, for the error that it was measured with: 4e-7 with
                 ///< 5 balls, 5e-7 with 10, 1.6e-7 with 100
  bool compare;  ///< with fixed steps and a tight reference
};
constexpr double tolerance = 5e-6;  // gives an error below 1e-6, printed

/// The shortest of some runs [us].
double shortest(const ContactProblem& problem, int runs) {
  double least = HUGE_VAL;
  for (int run = 0; run < runs; ++run) {
    const auto start = std::chrono::steady_clock::now();
    benchmark::DoNotOptimize(solve_lzb(problem, {.tolerance = tolerance}));
    const std::chrono::duration<double, std::micro> taken =
        std::chrono::steady_clock::now() - start;
    least = std::min(least, taken.count());
  }
  return least;
}

/// How time grows with the number of balls, and how the number of compressions and expansions does.
void print_growth() {
  std::printf("\ngrowth from 100 balls: time, and phases of contacts\n");
  for (const double e : {1., restitution}) {
    double time = 0.;
    std::size_t phases = 0;
    for (const std::size_t balls : {100U, 200U, 500U, 1000U}) {
      const ContactProblem problem = chain(balls, e);
      const Outcome o = solve_lzb(problem, {.tolerance = tolerance});
      const std::size_t reported = o.phases.size() + o.phases_left_out;
      const double taken = shortest(problem, balls > 200 ? 1 : 20);
      if (balls == 100) {
        time = taken;
        phases = reported;
      }
      std::printf("e = %.1f, %4zu balls: %9.0f us, %6.1f times; %8zu phases, %7.1f times\n", e,
                  balls, taken, taken / time, reported,
                  static_cast<double>(reported) / static_cast<double>(phases));
    }
  }
}

#ifdef CAROM_HAVE_SICONOS_KERNEL
/// Siconos' solver takes explicit steps of the impulse: its error falls in proportion to them.
void compare_with_siconos() {
  std::printf("\nbeside Siconos, one run each\n");
  for (const std::size_t balls : {5U, 10U}) {
    const ContactProblem problem = chain(balls);
    const auto reference = solve_lzb(problem, {.tolerance = 1e-12}).velocity;
    const double ours = shortest(problem, 50);
    for (const double step : {1e-3, 1e-4}) {
      const benchmarks::SiconosChain found = benchmarks::siconos_chain(balls, restitution, step);
      std::printf("%4zu balls, steps of %g: error %.1e in %.0f us, %.0f times lzb (target 100)\n",
                  balls, step, error(of_contacts(found.velocity), reference), found.microseconds,
                  found.microseconds / ours);
    }
  }
}
#endif

}  // namespace

int main(int argc, char** argv) {
  if (!benchmarks::initialize({"--benchmark_repetitions=9", "--benchmark_min_time=0.05",
                               "--benchmark_enable_random_interleaving=true"},
                              argc, argv)) {
    return 2;
  }
  const std::vector<Size> sizes = {{5, 0.008, true}, {10, 0.0065, true}, {100, 0.008, true},
                                   {200, 0., false}, {500, 0., false},   {1000, 0., false}};
  bool sound = true;
  std::vector<std::vector<double>> references;
  std::printf("errors in the velocities after\n");
  for (const Size& size : sizes) {
    const std::string row = std::to_string(size.balls);
    const ContactProblem problem = chain(size.balls);
    if (size.compare) {
      const auto reference = solve_lzb(problem, {.tolerance = 1e-12}).velocity;
      const auto ours = solve_lzb(problem, {.tolerance = tolerance}).velocity;
      FixedSteps fixed(size.balls);
      const double e = error(ours, reference);
      std::printf("%4zu balls: lzb %.1e   fixed steps %.1e\n", size.balls, e,
                  error(of_contacts(fixed.run(size.step)), reference));
      sound = sound && e <= 1e-6;
    }
    // Beyond some hundred balls all but a few end up together, after long rattling: once.
    auto* ours =
        benchmark::RegisterBenchmark(("lzb/" + row).c_str(), [problem](benchmark::State& state) {
          for (auto _ : state) {
            benchmark::DoNotOptimize(solve_lzb(problem, {.tolerance = tolerance}));
          }
        });
    ours->Unit(benchmark::kMicrosecond);
    if (!size.compare) {
      ours->Iterations(1)->Repetitions(1);
      continue;
    }
    benchmark::RegisterBenchmark(("fixed/" + row).c_str(), [balls = size.balls, h = size.step](
                                                               benchmark::State& state) {
      FixedSteps fixed(balls);
      for (auto _ : state) {
        benchmark::DoNotOptimize(fixed.run(h).data());
      }
    })->Unit(benchmark::kMicrosecond);
  }
  if (!sound) {
    std::fprintf(stderr, "lzb misses an error of 1e-6\n");
    return 1;
  }
  Reporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  std::printf("\ntargets\n");
  for (const char* n : {"5", "10", "100"}) {
    benchmarks::print_ratio(reporter, std::string("lzb/") + n, std::string("fixed/") + n,
                            {.at_most = 1.});
  }
  benchmarks::print_ratio(reporter, "lzb/200", "lzb/100", {.at_most = 4.});
  benchmarks::print_ratio(reporter, "lzb/500", "lzb/100", {.at_most = 25.});
  benchmarks::print_ratio(reporter, "lzb/1000", "lzb/100", {.at_most = 100.});
  print_growth();
#ifdef CAROM_HAVE_SICONOS_KERNEL
  compare_with_siconos();
#endif
  benchmark::Shutdown();
  return 0;
}
