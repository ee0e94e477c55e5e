// SPDX-License-Identifier: Apache-2.0
// Complementarity problems of many contacts, beside Siconos' solvers of the same problems to the
// same residual. Prints each ratio to the fastest of Siconos' solvers that solved them all, and how
// many problems each solver solved.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <carom/complementarity/friction/multi.hpp>
#include <carom/complementarity/lcp.hpp>

#include "many_problems.hpp"
#include "reporter.hpp"
#ifdef CAROM_HAVE_SICONOS
#include "siconos_many.hpp"
#endif

namespace carom::benchmarks {
namespace {

constexpr double tolerance = 1e-8;
/// A solution counts if its residual, by Carom's measure, is no more than ten times that.
constexpr double counts = 10. * tolerance;

/// One solver on one set of problems.
struct Row {
  std::string name;
  std::size_t problems = 0;
  std::function<void(std::size_t)> prepare;  ///< before the clock runs, once
  std::function<void(std::size_t)> solve;
  std::function<bool(std::size_t)> right;  ///< was the last answer a solution?
  std::size_t solved = 0;
};

/// The rows of one set, ours first.
struct Comparison {
  std::string title;
  std::vector<std::unique_ptr<Row>> rows;
};

std::vector<Comparison>& comparisons() {
  static std::vector<Comparison> all;
  return all;
}

double lcp_residual(const Lcp& lcp, std::span<const double> z) {
  double worst = 0.;
  for (std::size_t i = 0; i < lcp.n; ++i) {
    double w = lcp.q[i];
    for (std::size_t j = 0; j < lcp.n; ++j) w += lcp.M[i * lcp.n + j] * z[j];
    const double r = std::abs(std::min(w, z[i]));
    worst = std::isnan(r) ? HUGE_VAL : std::max(worst, r);
  }
  return worst;
}

void add_lcps(std::size_t n, std::size_t count) {
  auto problems = std::make_shared<std::vector<Lcp>>();
  for (std::uint32_t k = 0; k < count; ++k) problems->push_back(random_lcp(k, n));
  Comparison c{.title = "lcp-" + std::to_string(n), .rows = {}};
  auto ours = std::make_shared<complementarity::LcpSolver>();
  c.rows.push_back(std::make_unique<Row>(Row{
      .name = c.title + "/carom",
      .problems = count,
      .prepare = [](std::size_t) {},
      .solve =
          [=](std::size_t k) {
            benchmark::DoNotOptimize(ours->solve((*problems)[k].M, (*problems)[k].q));
          },
      .right = [=](std::size_t k) { return lcp_residual((*problems)[k], ours->z()) <= counts; }}));
#ifdef CAROM_HAVE_SICONOS
  for (const char* solver : {"lemke", "pgs"}) {
    auto siconos = std::make_shared<std::vector<std::unique_ptr<siconos::LcpSolver>>>(count);
    c.rows.push_back(std::make_unique<Row>(
        Row{.name = c.title + "/siconos-" + solver,
            .problems = count,
            .prepare =
                [=](std::size_t k) {
                  (*siconos)[k] =
                      std::make_unique<siconos::LcpSolver>((*problems)[k], solver, tolerance);
                },
            .solve = [=](std::size_t k) { (*siconos)[k]->solve(); },
            .right =
                [=](std::size_t k) {
                  return lcp_residual((*problems)[k], (*siconos)[k]->z()) <= counts;
                }}));
  }
#endif
  comparisons().push_back(std::move(c));
}

void add_contacts(const std::string& title, std::size_t count,
                  const std::function<Contacts(std::uint32_t)>& make,
                  const std::vector<std::string>& solvers) {
  auto problems = std::make_shared<std::vector<Contacts>>();
  for (std::uint32_t k = 0; k < count; ++k) problems->push_back(make(k));
  Comparison c{.title = title, .rows = {}};
  const auto right = [=](std::size_t k, std::span<const double> P) {
    const Contacts& p = (*problems)[k];
    return complementarity::residual({.G = p.G, .b = p.b, .mu = p.mu}, P) <= counts;
  };
  auto friction = std::make_shared<complementarity::MultiFriction>();
  auto last = std::make_shared<const complementarity::FrictionResult*>(nullptr);
  c.rows.push_back(std::make_unique<Row>(Row{
      .name = title + "/carom",
      .problems = count,
      .prepare = [](std::size_t) {},
      .solve =
          [=](std::size_t k) {
            const Contacts& p = (*problems)[k];
            *last = &friction->solve({.G = p.G, .b = p.b, .mu = p.mu}, {.tolerance = tolerance});
          },
      .right = [=](std::size_t k) { return right(k, (*last)->P); }}));
#ifdef CAROM_HAVE_SICONOS
  for (const std::string& solver : solvers) {
    auto siconos = std::make_shared<std::vector<std::unique_ptr<siconos::FrictionSolver>>>(count);
    c.rows.push_back(std::make_unique<Row>(
        Row{.name = title + "/siconos-" + solver,
            .problems = count,
            .prepare =
                [=](std::size_t k) {
                  (*siconos)[k] =
                      std::make_unique<siconos::FrictionSolver>((*problems)[k], solver, tolerance);
                },
            .solve = [=](std::size_t k) { (*siconos)[k]->solve(); },
            .right = [=](std::size_t k) { return right(k, (*siconos)[k]->P()); }}));
  }
#else
  (void)solvers;
#endif
  comparisons().push_back(std::move(c));
}

/// All problems of a set once an iteration.
void run(benchmark::State& state, Row& row) {
  for (std::size_t k = 0; k < row.problems; ++k) row.prepare(k);
  row.solved = 0;
  for (std::size_t k = 0; k < row.problems; ++k) {
    row.solve(k);
    row.solved += row.right(k) ? 1U : 0U;
  }
  for (auto _ : state) {
    for (std::size_t k = 0; k < row.problems; ++k) row.solve(k);
  }
  state.counters["solved"] = static_cast<double>(row.solved);
  state.counters["of"] = static_cast<double>(row.problems);
  state.counters["a_problem"] = benchmark::Counter(
      static_cast<double>(row.problems) * static_cast<double>(state.iterations()),
      benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void add_all() {
  add_lcps(3, 200);
  add_lcps(30, 50);
  add_lcps(300, 5);
  const std::vector<std::string> plane{"nsgs", "cpg", "lemke"};
  add_contacts(
      "plane-10", 50, [](std::uint32_t k) { return random_contacts(k, 10, 2); }, plane);
  add_contacts(
      "plane-100", 5, [](std::uint32_t k) { return random_contacts(k, 100, 2); }, plane);
  const std::vector<std::string> space{"nsgs", "nsn-ac", "nsn-nm"};
  add_contacts("cones-1", 100, [](std::uint32_t k) { return random_contacts(k, 1, 3); },
               {"nsgs", "nsn-ac"});
  add_contacts(
      "cones-10", 20, [](std::uint32_t k) { return random_contacts(k, 10, 3); }, space);
  add_contacts(
      "cones-100", 3, [](std::uint32_t k) { return random_contacts(k, 100, 3); }, space);
  add_contacts(
      "pile-10", 20, [](std::uint32_t k) { return sphere_pile(k, 10); }, space);
  add_contacts("pile-100", 5, [](std::uint32_t k) { return sphere_pile(k, 100); }, {"nsgs"});
  add_contacts("pile-1000", 1, [](std::uint32_t k) { return sphere_pile(k, 1000); }, {"nsgs"});
  add_contacts("dense-pile-100", 5, [](std::uint32_t k) { return sphere_pile(k, 100, true); },
               {"nsgs"});
  add_contacts("dense-pile-300", 2, [](std::uint32_t k) { return sphere_pile(k, 300, true); },
               {"nsgs"});
  for (const Comparison& c : comparisons()) {
    for (const auto& row : c.rows) {
      benchmark::RegisterBenchmark(row->name.c_str(), [r = row.get()](benchmark::State& state) {
        run(state, *r);
      })->Unit(benchmark::kMicrosecond);
    }
  }
}

void print_ratios(const Reporter& reporter) {
  std::printf("\nThe fastest of Siconos' solvers that solved all, over ours:\n");
  for (const Comparison& c : comparisons()) {
    const Row& ours = *c.rows.front();
    if (std::isnan(reporter.time(ours.name))) continue;
    std::string best;
    for (std::size_t i = 1; i < c.rows.size(); ++i) {
      const Row& row = *c.rows[i];
      if (row.solved < row.problems || std::isnan(reporter.time(row.name))) continue;
      if (best.empty() || reporter.time(row.name) < reporter.time(best)) best = row.name;
    }
    if (best.empty()) {
      std::printf("%-20s none of Siconos' solvers solved all\n", c.title.c_str());
    } else {
      print_ratio(reporter, best, ours.name, {.at_most = {}, .at_least = 3.});
    }
  }
  std::printf("\nSolved:\n");
  for (const Comparison& c : comparisons()) {
    for (const auto& row : c.rows) {
      if (std::isnan(reporter.time(row->name))) continue;
      std::printf("%-28s %zu of %zu\n", row->name.c_str(), row->solved, row->problems);
    }
  }
}

}  // namespace
}  // namespace carom::benchmarks

int main(int argc, char** argv) {
  using namespace carom::benchmarks;
  // One thread each: OpenBLAS, which Siconos calls, looks at this before main.
  if (std::getenv("OPENBLAS_NUM_THREADS") == nullptr) {
    ::setenv("OPENBLAS_NUM_THREADS", "1", 1);
    ::execv("/proc/self/exe", argv);
  }
  add_all();
  if (!initialize({"--benchmark_min_time=0.05", "--benchmark_repetitions=5",
                   "--benchmark_enable_random_interleaving=true"},
                  argc, argv)) {
    return 2;
  }
  Reporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  print_ratios(reporter);
  return 0;
}
