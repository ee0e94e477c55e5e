// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include <carom/study/batch/batch.hpp>
#include <carom/study/spatial_batch.hpp>

#include "allocations.hpp"
#include "limit_kernels.hpp"
#include "random_problems.hpp"
#include "reporter.hpp"

namespace {

using namespace carom;
using namespace carom::benchmarks;
using study::Column;
using study::Instructions;
using study::PlanarBatch;
using study::PlanarBatchOutcome;

constexpr std::size_t in_cache = 2048;
constexpr std::size_t streaming = std::size_t{1} << 22U;

/// A law with its kernel written by hand, if there is one.
struct Measured {
  const char* name;
  PlanarLaw law;
  std::optional<limit::Law> by_hand;
};

const std::array<Measured, 7> laws{{
    {"newton", Newton{}, limit::Law::newton},
    {"poisson", Poisson{}, limit::Law::poisson},
    {"energetic", Energetic{}, limit::Law::energetic},
    {"moreau", Moreau{}, limit::Law::moreau},
    {"brach", Brach{}, limit::Law::brach},
    {"moreau:poisson", Moreau{.hypothesis = Hypothesis::poisson}, std::nullopt},
    {"conventional", Conventional{}, std::nullopt},
}};

/// `size` of the random problems, over and over, and room for the answers.
class Memory {
 public:
  explicit Memory(std::size_t size, bool one_surface = false)
      : size_(size), one_surface_(one_surface) {
    const auto fill = [size](std::vector<double>& column, auto field) {
      column.resize(size);
      for (std::size_t i = 0; i < size; ++i) column[i] = field(problems()[i % problem_count]);
    };
    fill(nn_, [](const PlanarProblem& p) { return p.G.nn; });
    fill(nt_, [](const PlanarProblem& p) { return p.G.nt; });
    fill(tt_, [](const PlanarProblem& p) { return p.G.tt; });
    fill(normal_, [](const PlanarProblem& p) { return p.approach.n; });
    fill(slip_, [](const PlanarProblem& p) { return p.approach.t; });
    fill(e_, [](const PlanarProblem& p) { return p.surface.restitution; });
    fill(mu_, [](const PlanarProblem& p) { return p.surface.friction; });
    fill(mu_s_, [](const PlanarProblem& p) { return p.surface.static_friction; });
    fill(eps_t_, [](const PlanarProblem& p) { return p.surface.tangential_restitution; });
    for (auto& column : answers_) column.resize(size);
    modes_.resize(size);
    flags_.resize(size);
  }

  [[nodiscard]] PlanarBatch batch() const {
    const auto surface = [this](const std::vector<double>& column) {
      return one_surface_ ? Column(column.front()) : Column(column);
    };
    return {.size = size_,
            .nn = nn_,
            .nt = nt_,
            .tt = tt_,
            .normal = normal_,
            .slip = slip_,
            .restitution = surface(e_),
            .friction = surface(mu_),
            .static_friction = surface(mu_s_),
            .tangential_restitution = surface(eps_t_)};
  }

  [[nodiscard]] PlanarBatchOutcome totals() {
    return {.impulse_n = answers_[0].data(),
            .impulse_t = answers_[1].data(),
            .velocity_n = answers_[2].data(),
            .velocity_t = answers_[3].data()};
  }

  [[nodiscard]] PlanarBatchOutcome everything() {
    PlanarBatchOutcome out = totals();
    out.energy_change = answers_[4].data();
    out.energy_friction = answers_[5].data();
    out.mode = modes_.data();
    out.flags = flags_.data();
    return out;
  }

  [[nodiscard]] limit::Columns by_hand() {
    return {.size = size_,
            .nn = nn_.data(),
            .nt = nt_.data(),
            .tt = tt_.data(),
            .normal = normal_.data(),
            .slip = slip_.data(),
            .restitution = e_.data(),
            .friction = mu_.data(),
            .static_friction = mu_s_.data(),
            .tangential_restitution = eps_t_.data(),
            .one_surface = one_surface_,
            .impulse_n = answers_[0].data(),
            .impulse_t = answers_[1].data(),
            .velocity_n = answers_[2].data(),
            .velocity_t = answers_[3].data()};
  }

  struct Answer {
    Vec2 impulse;
    Vec2 velocity;
  };
  [[nodiscard]] Answer answer(std::size_t i) const {
    return {.impulse = {.n = answers_[0][i], .t = answers_[1][i]},
            .velocity = {.n = answers_[2][i], .t = answers_[3][i]}};
  }

  [[nodiscard]] std::size_t size() const { return size_; }

  /// a = b + c x over three columns, as in STREAM.
  void triad(double x) {
    for (std::size_t i = 0; i < size_; ++i) answers_[0][i] = nn_[i] + x * tt_[i];
  }

 private:
  std::size_t size_;
  bool one_surface_;
  std::vector<double> nn_, nt_, tt_, normal_, slip_, e_, mu_, mu_s_, eps_t_;
  std::array<std::vector<double>, 6> answers_;
  std::vector<std::uint8_t> modes_;
  std::vector<std::uint16_t> flags_;
};

void solve_by_hand(Instructions i, limit::Law law, const limit::Columns& columns) {
  i == Instructions::avx512 ? limit::solve_avx512(law, columns) : limit::solve_avx2(law, columns);
}

/// Every allocation and every disagreement is a failure of the whole program.
bool sound = true;

void compare(const Measured& law, Instructions instructions, bool one_surface) {
  Memory memory(problem_count, one_surface);
  solve_by_hand(instructions, *law.by_hand, memory.by_hand());
  std::size_t different = 0;
  for (std::size_t i = 0; i < problem_count; ++i) {
    const PlanarProblem p = study::problem_at(memory.batch(), i);
    if (!(distance(p, solve(law.law, p), memory.answer(i)) <= tolerance)) ++different;
  }
  if (different == 0) return;
  std::fprintf(stderr, "%s/%s: the limit differs from the law on %zu of %zu problems\n", law.name,
               name(instructions).data(), different, problem_count);
  sound = false;
}

/// Registers a row that calls `work` on all of the memory.
template <class Work>
benchmark::internal::Benchmark* add(const std::string& row, std::size_t size, Work work) {
  const std::size_t before = allocations();
  work();
  if (allocations() > before && row.find("threads") == std::string::npos) {
    std::fprintf(stderr, "%s allocates\n", row.c_str());
    sound = false;
  }
  return benchmark::RegisterBenchmark(row.c_str(), [size, work](benchmark::State& state) {
    for (auto _ : state) {
      work();
      benchmark::ClobberMemory();
    }
    const auto items = state.iterations() * static_cast<benchmark::IterationCount>(size);
    state.SetItemsProcessed(items);
  });
}

/// "poisson/avx512/cache", with "/limit" and "/all".
std::string row_name(const Measured& law, Instructions i, const std::string& where) {
  return std::string(law.name) + "/" + std::string(name(i)) + "/" + where;
}

void add_rows(Memory& memory, const std::string& where, Instructions instructions) {
  for (const Measured& law : ::laws) {
    const std::string row = row_name(law, instructions, where);
    const auto batch = [&law, &memory, instructions](const PlanarBatchOutcome& out) {
      study::solve_batch(law.law, memory.batch(), out, {.instructions = instructions});
    };
    add(row, memory.size(), [batch, &memory] { batch(memory.totals()); });
    add(row + "/all", memory.size(), [batch, &memory] { batch(memory.everything()); });
    if (!law.by_hand || instructions == Instructions::plain) continue;
    add(row + "/limit", memory.size(), [&law, &memory, instructions] {
      solve_by_hand(instructions, *law.by_hand, memory.by_hand());
    });
  }
}

void add_threads(Memory& memory, unsigned threads) {
  const std::string row = "energetic/threads:" + std::to_string(threads);
  add(row, memory.size(), [&memory, threads] {
    study::solve_batch(Energetic{}, memory.batch(), memory.everything(), {.threads = threads});
  })->UseRealTime();
}

/// Impacts in space: the random problems with a second tangent, along which the contact moves half
/// as easily.
class SpatialMemory {
 public:
  SpatialMemory() {
    for (auto& column : columns_) column.resize(in_cache);
    for (std::size_t i = 0; i < in_cache; ++i) {
      const PlanarProblem& p = problems()[i % problem_count];
      const std::array<double, 9> row{p.G.nn,
                                      p.G.nt,
                                      p.G.tt,
                                      0.5 * p.G.tt,
                                      p.approach.n,
                                      p.approach.t,
                                      0.5,
                                      p.surface.restitution,
                                      p.surface.friction};
      for (std::size_t k = 0; k < row.size(); ++k) columns_[k][i] = row[k];
    }
    for (auto& column : answers_) column.resize(in_cache);
  }

  [[nodiscard]] study::SpatialBatch batch() const {
    return {.size = in_cache,
            .nn = columns_[0],
            .n1 = columns_[1],
            .t11 = columns_[2],
            .t22 = columns_[3],
            .normal = columns_[4],
            .slip1 = columns_[5],
            .slip2 = columns_[6],
            .restitution = columns_[7],
            .friction = columns_[8]};
  }

  void solve(const SpatialLaw& law, unsigned threads) {
    const study::SpatialBatchOutcome out{.impulse_n = answers_[0].data(),
                                         .impulse_t1 = answers_[1].data(),
                                         .impulse_t2 = answers_[2].data(),
                                         .velocity_n = answers_[3].data(),
                                         .velocity_t1 = answers_[4].data(),
                                         .velocity_t2 = answers_[5].data()};
    study::solve_batch(law, batch(), out, {.threads = threads, .accuracy = {}});
  }

  /// The same without the batch: the law itself.
  void solve_one_by_one(const SpatialLaw& law) {
    const study::SpatialBatch b = batch();
    for (std::size_t i = 0; i < in_cache; ++i) {
      const SpatialOutcome o = law(study::problem_at(b, i), {});
      answers_[0][i] = o.impulse.n;
      answers_[3][i] = o.velocity.n;
    }
  }

 private:
  std::array<std::vector<double>, 9> columns_;
  std::array<std::vector<double>, 6> answers_;
};

void add_space(SpatialMemory& memory) {
  for (const Law& law : laws_for(in_space)) {
    const SpatialLaw& kernel = law.spatial;
    if (!kernel) continue;
    const std::string row = "space/" + std::string(law.name);
    add(row + "/one-by-one", in_cache, [&memory, &kernel] { memory.solve_one_by_one(kernel); });
    add(row + "/batch", in_cache, [&memory, &kernel] { memory.solve(kernel, 1); });
    add(row + "/threads:2", in_cache, [&memory, &kernel] {
      memory.solve(kernel, 2);
    })->UseRealTime();
  }
}

void print_ratios(const Reporter& reporter, Instructions instructions, const std::string& where,
                  std::size_t size, double bar) {
  for (const Measured& law : ::laws) {
    const std::string row = row_name(law, instructions, where);
    const auto nanoseconds = [&](const std::string& r) {
      return reporter.time(r) / static_cast<double>(size);
    };
    if (std::isnan(nanoseconds(row))) continue;
    std::printf("%-29s %6.2f   all %6.2f", row.c_str(), nanoseconds(row),
                nanoseconds(row + "/all"));
    if (const double limit = nanoseconds(row + "/limit"); !std::isnan(limit)) {
      const double ratio = nanoseconds(row) / limit;
      std::printf("   limit %6.2f   ratio %5.2f   at most %g: %s", limit, ratio, bar,
                  ratio <= bar ? "met" : "missed");
    }
    std::printf("\n");
  }
}

}  // namespace

int main(int argc, char** argv) {
  // Short repetitions in random order, of which the fastest counts.
  const bool understood = initialize({"--benchmark_repetitions=15", "--benchmark_min_time=0.01",
                                      "--benchmark_enable_random_interleaving=true"},
                                     argc, argv);
  if (!understood) return 2;

  std::vector<Instructions> sets{Instructions::plain};
  for (const Instructions i : {Instructions::avx2, Instructions::avx512}) {
    if (!study::available(i)) continue;
    sets.push_back(i);
    for (const Measured& law : ::laws) {
      if (!law.by_hand) continue;
      compare(law, i, /*one_surface=*/false);
      compare(law, i, /*one_surface=*/true);
    }
  }
  Memory cache(in_cache);
  Memory stream(streaming);
  Memory grains(streaming, /*one_surface=*/true);
  for (const Instructions i : sets) {
    add_rows(cache, "cache", i);
    if (i == Instructions::plain) continue;
    add_rows(stream, "stream", i);
    add_rows(grains, "one-surface", i);
  }
  add_threads(stream, 1);
  add_threads(stream, 2);
  SpatialMemory space;
  add_space(space);
  add("triad", streaming, [&stream] { stream.triad(3.); });
  if (!sound) return 1;
  std::printf("%zu problems in cache, %zu streaming; no row on one thread allocates\n", in_cache,
              streaming);
  std::printf("limits agree with the laws to %g\n\n", tolerance);

  Reporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);

  std::printf("\nns an impact: impulse and velocity; all there is; by hand\n");
  for (const Instructions i : sets) {
    print_ratios(reporter, i, "cache", in_cache, i == Instructions::avx512 ? 1.5 : 2.);
    print_ratios(reporter, i, "stream", streaming, 1.5);
    print_ratios(reporter, i, "one-surface", streaming, 1.5);
  }
  std::printf("\n");
  print_ratio(reporter, "energetic/threads:1", "energetic/threads:2", {.at_least = 1.6});
  for (const Law& law : laws_for(in_space)) {
    if (!law.spatial) continue;
    const std::string row = "space/" + std::string(law.name);
    const auto nanoseconds = [&](const std::string& r) {
      return reporter.time(r) / static_cast<double>(in_cache);
    };
    std::printf("%-29s %8.1f ns   one by one %8.1f   two threads %8.1f\n", row.c_str(),
                nanoseconds(row + "/batch"), nanoseconds(row + "/one-by-one"),
                nanoseconds(row + "/threads:2"));
  }
  std::printf("triad %.1f GB/s\n", 24. * static_cast<double>(streaming) / reporter.time("triad"));
  benchmark::Shutdown();
  return 0;
}
