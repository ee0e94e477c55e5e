// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <carom/impact/one_contact.hpp>
#include <carom/laws/brach/brach.hpp>
#include <carom/laws/compliant.hpp>
#include <carom/laws/conventional.hpp>
#include <carom/laws/moreau/moreau.hpp>
#include <carom/laws/routh.hpp>
#include <carom/laws/table.hpp>

#include "allocations.hpp"
#include "bare_laws.hpp"
#include "random_problems.hpp"
#include "reporter.hpp"
#ifdef CAROM_HAVE_SICONOS
#include "siconos_lemke.hpp"
#endif

namespace {

using namespace carom;
using namespace carom::benchmarks;

constexpr std::size_t count = problem_count;

/// On how many problems do two laws differ?
template <class A, class B>
std::size_t differences(A a, B b) {
  return static_cast<std::size_t>(std::ranges::count_if(
      problems(), [&](const PlanarProblem& p) { return !(distance(p, a(p), b(p)) <= tolerance); }));
}

/// Every allocation and every disagreement is a failure of the whole program.
bool sound = true;

/// Registers a row; its time is that of one impact.
template <class Law>
void add(const std::string& row, Law law) {
  const std::vector<PlanarProblem>& all = problems();
  const std::size_t before = allocations();
  for (const PlanarProblem& p : all) benchmark::DoNotOptimize(law(p));
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
  });
}

/// Adds a law's bare kernel, having made sure that both say the same.
template <auto kernel, class Law>
void add_bare(const std::string& row, Law law) {
  const auto bare = [](const PlanarProblem& p) { return kernel(p); };  // inlined, unlike a pointer
  if (const std::size_t n = differences(law, bare); n > 0) {
    std::fprintf(stderr, "%s: differs from the law on %zu of %zu problems\n", row.c_str(), n,
                 count);
    sound = false;
  }
  add(row, bare);
}

/// Adds a law as the table of laws solves it: a ContactProblem, filled in place, into an Outcome.
void add_table(const std::string& name) {
  struct Memory {
    ContactProblem problem;
    Workspace workspace;
    Outcome outcome;
  };
  const auto law = [row = find_law(name),
                    memory = std::make_shared<Memory>()](const PlanarProblem& p) {
    assign(memory->problem, p);
    solve(*row, memory->problem, {}, memory->workspace, memory->outcome);
    return memory->outcome.impulse[0];
  };
  for (const PlanarProblem& p : problems()) benchmark::DoNotOptimize(law(p));  // allocates
  add(name + "/table", law);
}

template <Hypothesis hypothesis>
constexpr auto process = [](const PlanarProblem& p) { return routh(p, hypothesis); };

template <Hypothesis hypothesis>
constexpr auto process_totals = [](const PlanarProblem& p) {
  const Surface& s = p.surface;
  return routh_totals<hypothesis>(p.G, p.approach, s.restitution, s.friction, s.static_friction);
};

template <Hypothesis hypothesis>
constexpr auto set_valued = [](const PlanarProblem& p) { return moreau(p, hypothesis); };

constexpr auto set_valued_totals = [](const PlanarProblem& p) {
  const Surface& s = p.surface;
  return moreau_totals(p.G, p.approach, s.restitution, s.tangential_restitution, s.friction);
};

constexpr auto generalized = [](const PlanarProblem& p) { return brach(p); };

constexpr auto generalized_totals = [](const PlanarProblem& p) {
  const Surface& s = p.surface;
  const auto [rule, value] = brach_rule(s);
  return brach_totals(p.G, p.approach, p.spin, s.restitution, rule, value,
                      s.planar_moment_coefficient());
};

constexpr auto textbook = [](const PlanarProblem& p) {
  return conventional(p, FrictionOpposes::approach);
};

constexpr auto textbook_totals = [](const PlanarProblem& p) {
  const Surface& s = p.surface;
  return conventional_totals<FrictionOpposes::approach>(p.G, p.approach, s.restitution, s.friction,
                                                        s.static_friction);
};

constexpr auto sprung = [](const PlanarProblem& p) { return compliant(p); };

constexpr auto sprung_totals = [](const PlanarProblem& p) {
  const Surface& s = p.surface;
  return compliant_totals(p.G, p.approach, s.restitution, s.friction, s.compliance_ratio);
};

template <Hypothesis hypothesis, auto kernel>
void add_process(const std::string& law) {
  add(law, process<hypothesis>);
  add(law + "/totals", process_totals<hypothesis>);
  add_bare<kernel>(law + "/bare", process<hypothesis>);
}

const std::vector<std::string> table_rows{"newton",         "poisson", "energetic",   "moreau",
                                          "moreau:poisson", "brach",   "conventional"};

/// Prints what share of the problems each mode has, so that a lopsided mixture shows.
template <class Law>
void print_modes(const char* law, Law outcome) {
  std::map<Mode, std::size_t> modes;
  for (const PlanarProblem& p : problems()) ++modes[outcome(p).mode];
  std::printf("%s:", law);
  const char* separator = " ";
  for (const auto& [mode, n] : modes) {
    std::printf("%s%s %.0f %%", separator, std::string(describe(mode)).c_str(),
                100. * static_cast<double>(n) / static_cast<double>(count));
    separator = "; ";
  }
  std::printf("\n");
}

/// How often the slider of a compliant contact changes, and how often that is given up.
void print_slider() {
  double states = 0.;
  std::size_t most = 0;
  std::size_t given_up = 0;
  for (const PlanarProblem& p : problems()) {
    const PlanarOutcome o = compliant(p);
    states += static_cast<double>(o.slider.size());
    most = std::max(most, o.slider.size());
    if (o.flags.has(Verdict::not_converged)) ++given_up;
  }
  std::printf("compliant: %.1f states of the slider on average, at most %zu; %zu not converged\n",
              states / static_cast<double>(count), most, given_up);
}

}  // namespace

int main(int argc, char** argv) {
  // Short repetitions in random order, of which the fastest counts, so that other work on the
  // machine disturbs all rows alike.
  const bool understood = initialize({"--benchmark_repetitions=61", "--benchmark_min_time=0.01",
                                      "--benchmark_enable_random_interleaving=true"},
                                     argc, argv);
  if (!understood) return 2;

  add_process<Hypothesis::newton, bare::newton>("newton");
  add_process<Hypothesis::poisson, bare::poisson>("poisson");
  add_process<Hypothesis::energetic, bare::energetic>("energetic");
  add("moreau", set_valued<Hypothesis::newton>);
  add("moreau/totals", set_valued_totals);
  add_bare<bare::moreau>("moreau/bare", set_valued<Hypothesis::newton>);
  add("moreau:poisson", set_valued<Hypothesis::poisson>);
  add_bare<bare::moreau_poisson>("moreau:poisson/bare", set_valued<Hypothesis::poisson>);
  add("brach", generalized);
  add("brach/totals", generalized_totals);
  add_bare<bare::brach>("brach/bare", generalized);
  add("conventional", textbook);
  add("conventional/totals", textbook_totals);
  add_bare<bare::conventional>("conventional/bare", textbook);
  add("compliant", sprung);
  add("compliant/totals", sprung_totals);
  for (const std::string& law : table_rows) add_table(law);
#ifdef CAROM_HAVE_SICONOS
  static siconos::Lemke lemke;
  const auto solve_by_lemke = [](const PlanarProblem& p) { return lemke(p); };
  add("siconos/lemke", solve_by_lemke);
#endif
  if (!sound) return 1;
  std::printf("%zu problems\n", count);
  print_modes("newton", process<Hypothesis::newton>);
  print_modes("moreau", set_valued<Hypothesis::newton>);
  print_modes("brach", generalized);
  print_slider();
  std::printf("allocations an impact: 0 in every row\n");
  std::printf("bare kernels agree with their laws to %g\n", tolerance);
#ifdef CAROM_HAVE_SICONOS
  std::printf("siconos/lemke fails on %zu problems\n",
              differences(set_valued<Hypothesis::newton>, solve_by_lemke));
#endif
  std::printf("\n");

  Reporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);

  std::printf("\nratios\n");
  for (const std::string law :
       {"newton", "poisson", "energetic", "moreau", "moreau:poisson", "brach", "conventional"}) {
    print_ratio(reporter, law, law + "/bare", {.at_most = 3.});
    print_ratio(reporter, law + "/totals", law + "/bare");
  }
  print_ratio(reporter, "compliant", "energetic");
  std::printf("\nthe table of laws above the law itself\n");
  for (const std::string& law : table_rows) {
    constexpr double at_most = 80.;  // ns
    const double above = reporter.time(law + "/table") - reporter.time(law);
    if (std::isnan(above)) continue;
    std::printf("%-16s %6.1f ns   at most %g: %s\n", law.c_str(), above, at_most,
                above <= at_most ? "met" : "missed");
  }
  print_ratio(reporter, "siconos/lemke", "moreau/totals", {.at_least = 8.});
  print_ratio(reporter, "siconos/lemke", "moreau");
  benchmark::Shutdown();
  return 0;
}
