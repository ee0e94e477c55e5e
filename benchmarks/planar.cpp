// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include <carom/laws/brach.hpp>
#include <carom/laws/compliant.hpp>
#include <carom/laws/conventional.hpp>
#include <carom/laws/moreau.hpp>
#include <carom/laws/routh.hpp>

#include "allocations.hpp"
#include "bare_laws.hpp"
#ifdef CAROM_HAVE_SICONOS
#include "siconos_lemke.hpp"
#endif

namespace {

using namespace carom;

constexpr std::size_t count = 65'536;

/// SplitMix64: the same problems in every run.
class Random {
 public:
  double uniform(double a, double b) {
    return a + (b - a) * static_cast<double>(next() >> 11) * 0x1p-53;
  }
  bool chance(double p) { return uniform(0., 1.) < p; }

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

/// Bodies of all shapes, now and then nearly locked; oblique blows; rough and smooth surfaces.
PlanarProblem random_problem(Random& random) {
  double rho = random.uniform(-1., 1.);  // correlation of the two directions
  if (random.chance(0.1)) rho = std::copysign(1. - std::pow(10., random.uniform(-4., -1.)), rho);
  const double nn = std::pow(10., random.uniform(-1., 1.));
  const double tt = nn * std::pow(10., random.uniform(-1., 1.));
  const double incidence = random.uniform(-1.5, 1.5);
  const double mu = random.uniform(0., 1.5);
  PlanarProblem p;
  p.G = {.nn = nn, .nt = rho * std::sqrt(nn * tt), .tt = tt};
  p.approach = {.n = -std::cos(incidence), .t = random.chance(0.05) ? 0. : std::sin(incidence)};
  p.surface = {.restitution = random.uniform(0., 1.),
               .friction = mu,
               .static_friction = random.chance(0.5) ? mu : mu * random.uniform(1., 1.5),
               .tangential_restitution = random.uniform(0., 1.),
               .compliance_ratio = std::pow(10., random.uniform(-1., 1.)) * tt / nn};
  return p;
}

const std::vector<PlanarProblem>& problems() {
  static const std::vector<PlanarProblem> all = [] {
    Random random;
    std::vector<PlanarProblem> made(count);
    for (PlanarProblem& p : made) p = random_problem(random);
    return made;
  }();
  return all;
}

/// How far two answers are apart, relative to the impulse and to the velocities that it makes.
template <class A, class B>
double distance(const PlanarProblem& p, const A& a, const B& b) {
  const auto size = [](const Vec2& x) { return std::max(std::abs(x.n), std::abs(x.t)); };
  if (a.impulse == Vec2{}) return b.impulse == Vec2{} ? 0. : 1.;  // no solution
  const Vec2 made{.n = p.G.nn * std::abs(a.impulse.n) + std::abs(p.G.nt * a.impulse.t),
                  .t = std::abs(p.G.nt * a.impulse.n) + p.G.tt * std::abs(a.impulse.t)};
  const double scale = std::max({size(p.approach), size(a.velocity), size(made)});
  return std::max(size(a.impulse - b.impulse) / size(a.impulse),
                  size(a.velocity - b.velocity) / scale);
}

constexpr double tolerance = 1e-9;  // rounding, grown by the worst conditioned G

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
  return brach_totals(p.G, p.approach, p.spin, s.restitution, rule, value, s.moment_coefficient);
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

/// Keeps the fastest repetition of each row and prints it at the end, in the order of the rows.
class Reporter : public benchmark::ConsoleReporter {
 public:
  Reporter() : ConsoleReporter(OO_Tabular) {}

  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.run_type != Run::RT_Iteration) continue;
      const auto [kept, first] = fastest_.try_emplace(run.family_index, run);
      if (!first && time(run) < time(kept->second)) kept->second = run;
    }
  }

  void Finalize() override {
    std::vector<Run> rows;
    for (const auto& [index, run] : fastest_) rows.push_back(run);
    if (!rows.empty()) ConsoleReporter::ReportRuns(rows);
  }

  /// NaN if one of the rows did not run.
  [[nodiscard]] double ratio(const std::string& above, const std::string& below) const {
    return time(above) / time(below);
  }

 private:
  /// ns of processor time an impact
  static double time(const Run& run) { return run.GetAdjustedCPUTime(); }

  [[nodiscard]] double time(const std::string& row) const {
    for (const auto& [index, run] : fastest_) {
      if (run.run_name.function_name == row) return time(run);
    }
    return std::numeric_limits<double>::quiet_NaN();
  }

  std::map<std::int64_t, Run> fastest_;
};

enum class Bar { none, at_most_3, at_least_8 };

void print_ratio(const Reporter& reporter, const std::string& above, const std::string& below,
                 Bar bar) {
  const double ratio = reporter.ratio(above, below);
  if (std::isnan(ratio)) return;
  std::printf("%-16s / %-19s %6.2f", above.c_str(), below.c_str(), ratio);
  if (bar == Bar::at_most_3) std::printf("   at most 3: %s", ratio <= 3. ? "met" : "missed");
  if (bar == Bar::at_least_8) std::printf("   at least 8: %s", ratio >= 8. ? "met" : "missed");
  std::printf("\n");
}

}  // namespace

int main(int argc, char** argv) {
  // Short repetitions in random order, of which the fastest counts, so that other work on the
  // machine disturbs all rows alike. Arguments given by the user come later and win.
  std::vector<std::string> defaults{"--benchmark_repetitions=61", "--benchmark_min_time=0.01",
                                    "--benchmark_enable_random_interleaving=true"};
  std::vector<char*> arguments{argv[0]};
  for (std::string& option : defaults) arguments.push_back(option.data());
  arguments.insert(arguments.end(), argv + 1, argv + argc);
  int size = static_cast<int>(arguments.size());
  arguments.push_back(nullptr);
  benchmark::Initialize(&size, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(size, arguments.data())) return 2;

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
    print_ratio(reporter, law, law + "/bare", Bar::at_most_3);
    print_ratio(reporter, law + "/totals", law + "/bare", Bar::none);
  }
  print_ratio(reporter, "compliant", "energetic", Bar::none);
  print_ratio(reporter, "siconos/lemke", "moreau/totals", Bar::at_least_8);
  print_ratio(reporter, "siconos/lemke", "moreau", Bar::none);
  benchmark::Shutdown();
  return 0;
}
