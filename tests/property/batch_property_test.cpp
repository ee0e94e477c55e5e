// SPDX-License-Identifier: Apache-2.0
// `solve_batch` returns bit-identical results to `solve`, for every law and instruction set, and
// writes only to its outputs.
#include <support/generators.hpp>

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <vector>

#include <carom/study/batch/batch.hpp>

namespace carom::test {
namespace {

using study::BatchOptions;
using study::Column;
using study::Instructions;
using study::PlanarBatch;
using study::PlanarBatchOutcome;

/// SplitMix64.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t below(std::uint64_t n) {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15U);
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return (z ^ (z >> 31U)) % n;
  }
  bool one_in(std::uint64_t n) { return below(n) == 0; }
  /// Whole thousandths, so that zero and ties turn up.
  double thousandths(int least, int most) {
    return (least + static_cast<int>(below(static_cast<std::uint64_t>(most - least + 1)))) / 1000.;
  }

 private:
  std::uint64_t state_;
};

/// A variation on `p`: what else may happen to a contact, both zeros included.
PlanarProblem varied(PlanarProblem p, BrachRule rule, bool spins, Random& random) {
  switch (random.below(12)) {
    case 0:
      p.approach.n = 0.;
      break;
    case 1:
      p.approach.n = -0.;
      break;
    case 2:
      p.approach.n = -p.approach.n;
      break;
    case 3:
      p.approach.t = 0.;
      break;
    case 4:
      p.approach.t = -0.;
      break;
    case 5:
      p.approach.t = -p.approach.t;
      break;
    case 6:
      p.surface.friction = 0.;
      p.surface.static_friction = random.one_in(2) ? 0. : 0.5;
      break;
    case 7:
      p.surface.restitution = 0.;
      break;
    case 8:
      p.G.nt = random.one_in(2) ? 0. : -0.;
      break;
    case 9:
      p.G = {.nn = random.one_in(2) ? 0. : p.G.nn, .nt = 0., .tt = 0.};
      break;
    default:
      break;
  }
  if (rule == BrachRule::impulse_ratio)
    p.surface.set_impulse_ratio({random.thousandths(-2000, 2000), 0.});
  if (rule == BrachRule::coefficient) {
    p.surface.set_tangential_coefficient({random.thousandths(-1000, 1000), 0.});
  }
  if (spins && !random.one_in(8)) {
    p.spin.rr = random.thousandths(0, 4000);
    p.spin.nr = random.thousandths(-1000, 1000) * std::sqrt(p.G.nn) * std::sqrt(p.spin.rr);
    p.spin.tr = random.thousandths(-1000, 1000) * std::sqrt(p.G.tt) * std::sqrt(p.spin.rr);
    p.spin.approach = random.one_in(4) ? 0. : random.thousandths(-3000, 3000);
    p.surface.moment[0] = random.one_in(3) ? -1. : random.thousandths(-1000, 1000);
  }
  return p;
}

/// Problems as columns, at an offset from where memory was allocated; some columns do not vary.
class Columns {
 public:
  Columns(std::vector<PlanarProblem>& problems, BrachRule rule, bool spins, std::size_t offset,
          Random& random)
      : problems_(problems), offset_(offset), random_(random) {
    batch.size = problems.size();
    batch.rule = rule;
    if (problems.empty()) return;
    const bool one_body = random.one_in(4);
    batch.nn = column([](PlanarProblem& p) -> double& { return p.G.nn; }, one_body);
    batch.nt = column([](PlanarProblem& p) -> double& { return p.G.nt; }, one_body);
    batch.tt = column([](PlanarProblem& p) -> double& { return p.G.tt; }, one_body);
    batch.normal = column([](PlanarProblem& p) -> double& { return p.approach.n; });
    batch.slip = column([](PlanarProblem& p) -> double& { return p.approach.t; });
    batch.restitution = column([](PlanarProblem& p) -> double& { return p.surface.restitution; });
    const bool one_friction = random.one_in(4);
    batch.friction =
        column([](PlanarProblem& p) -> double& { return p.surface.friction; }, one_friction);
    batch.static_friction =
        column([](PlanarProblem& p) -> double& { return p.surface.static_friction; }, one_friction);
    batch.tangential_restitution =
        column([](PlanarProblem& p) -> double& { return p.surface.tangential_restitution; });
    if (rule != BrachRule::coulomb) {
      batch.tangential =
          column([](PlanarProblem& p) -> double& { return p.surface.tangential[0]; });
    }
    if (!spins) return;
    batch.moment_coefficient =
        column([](PlanarProblem& p) -> double& { return p.surface.moment[0]; });
    batch.spin_nr = column([](PlanarProblem& p) -> double& { return p.spin.nr; }, one_body);
    batch.spin_tr = column([](PlanarProblem& p) -> double& { return p.spin.tr; }, one_body);
    batch.spin_rr = column([](PlanarProblem& p) -> double& { return p.spin.rr; }, one_body);
    batch.spin = column([](PlanarProblem& p) -> double& { return p.spin.approach; });
  }

  PlanarBatch batch;

 private:
  template <class Field>
  Column column(const Field& field, std::optional<bool> one_for_all = std::nullopt) {
    if (one_for_all.value_or(random_.one_in(4))) {
      const double same = field(problems_.front());
      for (PlanarProblem& p : problems_) field(p) = same;
      return same;
    }
    auto& memory = memory_.emplace_back();
    memory.resize(offset_);
    for (PlanarProblem& p : problems_) memory.push_back(field(p));
    memory.shrink_to_fit();
    return std::span<const double>(memory).subspan(offset_);
  }

  std::vector<PlanarProblem>& problems_;
  std::size_t offset_;
  Random& random_;
  std::vector<std::vector<double>> memory_;
};

/// An output column between canaries, or none.
template <class T>
class Guarded {
 public:
  Guarded(bool wanted, std::size_t size, std::size_t offset)
      : offset_(offset), size_(size), memory_(offset + size + margin, canary) {
    if (wanted) column_ = memory_.data() + offset;
  }

  [[nodiscard]] T* column() const { return column_; }
  [[nodiscard]] bool rest_is_untouched() const {
    for (std::size_t i = 0; i < memory_.size(); ++i) {
      const bool inside = i >= offset_ && i < offset_ + size_;
      if (!(inside && column_ != nullptr) && memory_[i] != canary) return false;
    }
    return true;
  }

 private:
  static constexpr T canary = static_cast<T>(217);
  static constexpr std::size_t margin = 17;
  std::size_t offset_;
  std::size_t size_;
  std::vector<T> memory_;
  T* column_ = nullptr;
};

template <class T>
bool same_bits(const T* column, std::size_t i, T expected) {
  if (column == nullptr) return true;
  if constexpr (std::is_same_v<T, double>) {
    return std::bit_cast<std::uint64_t>(column[i]) == std::bit_cast<std::uint64_t>(expected);
  } else {
    return column[i] == expected;
  }
}

bool same_bits(const PlanarBatchOutcome& out, std::size_t i, const PlanarOutcome& o) {
  return same_bits(out.impulse_n, i, o.impulse.n) && same_bits(out.impulse_t, i, o.impulse.t) &&
         same_bits(out.velocity_n, i, o.velocity.n) && same_bits(out.velocity_t, i, o.velocity.t) &&
         same_bits(out.energy_change, i, o.energy.change) &&
         same_bits(out.energy_friction, i, o.energy.friction) &&
         same_bits(out.mode, i, static_cast<std::uint8_t>(o.mode)) &&
         same_bits(out.flags, i, o.flags.bits());
}

std::vector<Instructions> instruction_sets() {
  std::vector<Instructions> all;
  for (const Instructions i :
       {Instructions::best, Instructions::plain, Instructions::avx2, Instructions::avx512}) {
    if (study::available(i)) all.push_back(i);
  }
  return all;
}

constexpr std::array rules{BrachRule::coulomb, BrachRule::impulse_ratio, BrachRule::coefficient};

RC_GTEST_PROP(Batch, GivesTheBitsOfSolveAndTouchesNothingElse, ()) {
  static const std::vector<Instructions> sets = instruction_sets();
  const auto anything = problems({.static_friction = true, .tangential_restitution = true});
  const std::array seeds{*anything, *anything, *rank_one_problems()};
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  const Laws all_laws = laws_for(in_the_plane);
  const Law& law = all_laws[random.below(all_laws.size())];
  const BrachRule rule = rules[random.below(rules.size())];
  const bool spins = random.one_in(2);
  const std::size_t size =
      random.below(std::holds_alternative<Compliant>(planar_kernel(law)) ? 4 : 41);
  std::vector<PlanarProblem> all;
  for (std::size_t i = 0; i < size; ++i) {
    all.push_back(varied(seeds[random.below(seeds.size())], rule, spins, random));
  }
  const Columns columns(all, rule, spins, random.below(8), random);
  const std::uint64_t wanted = random.one_in(2) ? 0xff : random.below(256);
  const std::size_t offset = random.below(8);
  const auto output = [&]<class T>(T, unsigned bit) {
    return Guarded<T>(((wanted >> bit) & 1U) != 0, size, offset);
  };
  const std::array numbers{output(0., 0), output(0., 1), output(0., 2),
                           output(0., 3), output(0., 4), output(0., 5)};
  const auto modes = output(std::uint8_t{}, 6);
  const auto flags = output(std::uint16_t{}, 7);
  const PlanarBatchOutcome out{.impulse_n = numbers[0].column(),
                               .impulse_t = numbers[1].column(),
                               .velocity_n = numbers[2].column(),
                               .velocity_t = numbers[3].column(),
                               .energy_change = numbers[4].column(),
                               .energy_friction = numbers[5].column(),
                               .mode = modes.column(),
                               .flags = flags.column()};
  const BatchOptions options{.instructions = sets[random.below(sets.size())],
                             .threads = static_cast<unsigned>(1 + random.below(3))};
  RC_LOG() << law.name << ", " << study::name(options.instructions) << ", size " << size
           << ", rule " << static_cast<int>(rule) << "\n";
  study::solve_batch(planar_kernel(law), columns.batch, out, options);
  for (std::size_t i = 0; i < size; ++i) {
    const PlanarProblem p = study::problem_at(columns.batch, i);
    RC_ASSERT(p == all[i]);
    RC_ASSERT(same_bits(out, i, solve(planar_kernel(law), p)));
  }
  for (const auto& column : numbers) RC_ASSERT(column.rest_is_untouched());
  RC_ASSERT(modes.rest_is_untouched());
  RC_ASSERT(flags.rest_is_untouched());
}

/// Memory that ends where a page begins that must not be touched.
class AtTheEdge {
 public:
  AtTheEdge()
      : page_(static_cast<std::size_t>(::sysconf(_SC_PAGESIZE))),
        pages_(static_cast<char*>(::mmap(nullptr, 2 * page_, PROT_READ | PROT_WRITE,
                                         MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
    if (pages_ == MAP_FAILED || ::mprotect(pages_ + page_, page_, PROT_NONE) != 0) std::abort();
  }
  ~AtTheEdge() { ::munmap(pages_, 2 * page_); }
  AtTheEdge(const AtTheEdge&) = delete;
  AtTheEdge& operator=(const AtTheEdge&) = delete;

  /// The last `size` entries before the edge.
  template <class T>
  [[nodiscard]] std::span<T> last(std::size_t size) const {
    return {reinterpret_cast<T*>(pages_ + page_) - size, size};
  }

 private:
  std::size_t page_;
  char* pages_;
};

TEST(Batch, ReadsAndWritesNothingBeyondTheColumns) {
  const std::array<AtTheEdge, 15> in;
  const std::array<AtTheEdge, 8> out;
  for (std::size_t size = 0; size <= 40; ++size) {
    std::array<Column, 15> c{1., .1, 1., -1., .5, .5, .3, .3, .2, .4, 0., .1, .1, 1., 2.};
    for (std::size_t k = 0; k < c.size(); ++k) {
      const std::span<double> column = in[k].last<double>(size);
      std::ranges::fill(column, c[k][0]);
      c[k] = Column(std::span<const double>(column));
    }
    const PlanarBatch batch{.size = size,
                            .nn = c[0],
                            .nt = c[1],
                            .tt = c[2],
                            .normal = c[3],
                            .slip = c[4],
                            .restitution = c[5],
                            .friction = c[6],
                            .static_friction = c[7],
                            .tangential_restitution = c[8],
                            .tangential = c[9],
                            .moment_coefficient = c[10],
                            .spin_nr = c[11],
                            .spin_tr = c[12],
                            .spin_rr = c[13],
                            .spin = c[14]};
    const PlanarBatchOutcome all{.impulse_n = out[0].last<double>(size).data(),
                                 .impulse_t = out[1].last<double>(size).data(),
                                 .velocity_n = out[2].last<double>(size).data(),
                                 .velocity_t = out[3].last<double>(size).data(),
                                 .energy_change = out[4].last<double>(size).data(),
                                 .energy_friction = out[5].last<double>(size).data(),
                                 .mode = out[6].last<std::uint8_t>(size).data(),
                                 .flags = out[7].last<std::uint16_t>(size).data()};
    for (const Law& law : laws_for(in_the_plane)) {
      for (const Instructions instructions : instruction_sets()) {
        study::solve_batch(planar_kernel(law), batch, all, {.instructions = instructions});
        for (std::size_t i = 0; i < size; ++i) {
          ASSERT_TRUE(same_bits(all, i, solve(planar_kernel(law), study::problem_at(batch, i))));
        }
      }
    }
  }
}

/// Ordinary and odd problems, for many blocks.
std::vector<PlanarProblem> many_problems(std::size_t size) {
  Random random(5);
  std::vector<PlanarProblem> all;
  for (std::size_t i = 0; i < size; ++i) {
    const double nn = random.thousandths(100, 4000);
    const double tt = random.thousandths(100, 4000);
    const double mu = random.thousandths(0, 2000);
    const double nt = random.thousandths(-990, 990) * std::sqrt(nn * tt);
    const PlanarProblem p{
        .G = {.nn = nn, .nt = nt, .tt = tt},
        .approach = {.n = -random.thousandths(1, 1000), .t = random.thousandths(-3000, 3000)},
        .surface = {.restitution = random.thousandths(0, 1000),
                    .friction = mu,
                    .static_friction = mu,
                    .tangential_restitution = random.thousandths(0, 1000)}};
    all.push_back(varied(p, BrachRule::coulomb, true, random));
  }
  return all;
}

// Several blocks, the last one short.
TEST(Batch, GivesTheSameBitsOnAnyNumberOfThreads) {
  std::vector<PlanarProblem> all = many_problems(3 * 4096 + 3);
  Random random(7);
  const Columns columns(all, BrachRule::coulomb, true, 0, random);
  for (const Law& law : laws_for(in_the_plane)) {
    std::vector<PlanarOutcome> expected;
    for (const PlanarProblem& p : all) expected.push_back(solve(planar_kernel(law), p));
    for (const Instructions instructions : instruction_sets()) {
      for (const unsigned threads : {0U, 1U, 2U, 3U}) {
        std::vector<double> impulse(all.size());
        std::vector<double> change(all.size());
        std::vector<std::uint8_t> mode(all.size());
        const PlanarBatchOutcome out{
            .impulse_n = impulse.data(), .energy_change = change.data(), .mode = mode.data()};
        study::solve_batch(planar_kernel(law), columns.batch, out,
                           {.instructions = instructions, .threads = threads});
        for (std::size_t i = 0; i < all.size(); ++i) {
          ASSERT_TRUE(same_bits(out, i, expected[i]))
              << law.name << " " << study::name(instructions) << " " << i;
        }
      }
    }
  }
}

}  // namespace
}  // namespace carom::test
