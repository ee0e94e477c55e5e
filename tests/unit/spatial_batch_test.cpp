// SPDX-License-Identifier: Apache-2.0
// Batches in space and of any law: the bits of one impact at a time, on any number of threads.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include <carom/core/error.hpp>
#include <carom/impact/one_contact.hpp>
#include <carom/study/spatial_batch.hpp>
#include <support/multi_problems.hpp>
#include <support/spatial_problems.hpp>

namespace carom::test {
namespace {

using study::solve_batch;
using study::SpatialBatch;
using study::SpatialBatchOutcome;

constexpr std::size_t size = 300;

/// Random bodies in columns.
struct Problems {
  std::array<std::vector<double>, 12> column;
  SpatialBatch batch;

  Problems() {
    for (std::size_t i = 0; i < size; ++i) {
      SpatialProblem p = random_bodies(i);
      if (i % 7 == 0) p.approach.n = -p.approach.n;
      const Surface& s = p.surface;
      const std::array<double, 12> row{p.G.nn,        p.G.n1,        p.G.n2,
                                       p.G.t11,       p.G.t12,       p.G.t22,
                                       p.approach.n,  p.approach.t1, p.approach.t2,
                                       s.restitution, s.friction,    i % 2 == 0 ? 0. : 0.5};
      for (std::size_t k = 0; k < row.size(); ++k) column[k].push_back(row[k]);
    }
    batch = {.size = size,
             .nn = column[0],
             .n1 = column[1],
             .n2 = column[2],
             .t11 = column[3],
             .t12 = column[4],
             .t22 = column[5],
             .normal = column[6],
             .slip1 = column[7],
             .slip2 = column[8],
             .restitution = column[9],
             .friction = column[10],
             .tangential_restitution = column[11]};
  }
};

struct Answers {
  std::array<std::vector<double>, 11> number;
  std::vector<std::uint8_t> mode = std::vector<std::uint8_t>(size);
  std::vector<std::uint16_t> flags = std::vector<std::uint16_t>(size);

  Answers() {
    for (auto& n : number) n.resize(size);
  }
  SpatialBatchOutcome out() {
    return {.impulse_n = number[0].data(),
            .impulse_t1 = number[1].data(),
            .impulse_t2 = number[2].data(),
            .velocity_n = number[3].data(),
            .velocity_t1 = number[4].data(),
            .velocity_t2 = number[5].data(),
            .couple_n = number[6].data(),
            .couple_t1 = number[7].data(),
            .couple_t2 = number[8].data(),
            .energy_change = number[9].data(),
            .energy_friction = number[10].data(),
            .mode = mode.data(),
            .flags = flags.data()};
  }
  [[nodiscard]] bool is(std::size_t i, const SpatialOutcome& o) const {
    const std::array<double, 11> row{o.impulse.n,   o.impulse.t1,    o.impulse.t2,     o.velocity.n,
                                     o.velocity.t1, o.velocity.t2,   o.couple.n,       o.couple.t1,
                                     o.couple.t2,   o.energy.change, o.energy.friction};
    for (std::size_t k = 0; k < row.size(); ++k) {
      if (std::bit_cast<std::uint64_t>(number[k][i]) != std::bit_cast<std::uint64_t>(row[k])) {
        return false;
      }
    }
    return mode[i] == static_cast<std::uint8_t>(o.mode) && flags[i] == o.flags.bits();
  }
};

TEST(SpatialBatch, GivesTheBitsOfOneByOne) {
  Problems problems;
  EXPECT_NO_THROW(validate(problems.batch));
  const bool couples[] = {false, true};
  for (const bool with_couples : couples) {
    if (with_couples) {  // the same spin for all
      problems.batch.same.spin = {.cross = {{{0., .1, 0.}, {-.1, 0., 0.}, {0., 0., 0.}}},
                                  .G = {.nn = 40., .t11 = 50., .t22 = 60.},
                                  .approach = {.n = 1., .t1 = -2., .t2 = 3.},
                                  .inertia = {.n = .02, .t1 = .02, .t2 = .02},
                                  .known = true};
      problems.batch.same.surface.moment = {-.5, -.2, -1.};
    }
    for (const Law& law : laws_for(in_space)) {
      if (!law.spatial) continue;
      for (const unsigned threads : {1U, 2U, 0U}) {
        Answers a;
        solve_batch(law, problems.batch, a.out(), {.threads = threads, .accuracy = {}});
        for (std::size_t i = 0; i < size; ++i) {
          ASSERT_TRUE(a.is(i, law.spatial(study::problem_at(problems.batch, i), {})))
              << law.name << " " << i << " on " << threads;
        }
      }
    }
  }
}

TEST(SpatialBatch, NamesWhatIsWrong) {
  Problems problems;
  problems.column[10][17] = -1.;
  try {
    validate(problems.batch);
    FAIL();
  } catch (const InputError& e) {
    EXPECT_EQ(e.field(), "friction[17]");
  }
  problems.column[10].pop_back();
  problems.batch.friction = problems.column[10];
  try {
    validate(problems.batch);
    FAIL();
  } catch (const InputError& e) {
    EXPECT_EQ(std::string(e.what()), "friction: must have 300 entries, got 299");
  }
}

/// A law from outside that counts how often it is asked, without a lock.
void count(const Law& law, const ContactProblem& p, const SolveOptions&, Outcome& o) {
  o = unchanged(p, Verdict::no_impulse);
  auto& counted = *static_cast<int*>(const_cast<void*>(law.data.get()));
  o.velocity[0] = ++counted;
}

TEST(BatchOfAnyLaw, ARegisteredLawIsAskedInOrderOnOneThread) {
  const auto counter = std::make_shared<int>(0);
  const Law& law = register_law({.name = "count",
                                 .summary = "counts",
                                 .info = &Newton::info,
                                 .solve = count,
                                 .parallel = false,
                                 .data = counter});
  const Problems problems;
  std::vector<double> v(size);
  solve_batch(law, problems.batch, SpatialBatchOutcome{.velocity_n = v.data()},
              {.threads = 0, .accuracy = {}});
  for (std::size_t i = 0; i < size; ++i) ASSERT_EQ(v[i], static_cast<double>(i + 1));
  const study::PlanarBatch plane{.size = size, .nn = 1., .tt = 1., .normal = -1.};
  solve_batch(law, plane, study::PlanarBatchOutcome{.velocity_n = v.data()}, {.threads = 0});
  for (std::size_t i = 0; i < size; ++i) ASSERT_EQ(v[i], static_cast<double>(size + i + 1));
}

TEST(BatchOfAnyLaw, SeveralContactsGiveTheBitsOfOneByOne) {
  std::vector<ContactProblem> problems;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    problems.push_back(random_multi_problem(seed, 2 + seed % 2, 2, 4));
  }
  const Law& law = *find_law("moreau");
  for (const unsigned threads : {1U, 2U, 0U}) {
    std::vector<Outcome> outcomes(problems.size());
    solve_batch(law, problems, outcomes, {}, threads);
    for (std::size_t i = 0; i < problems.size(); ++i) {
      Outcome o;
      solve(law, problems[i], {}, o);
      ASSERT_EQ(outcomes[i], o) << i;
    }
  }
}

TEST(BatchOfAnyLaw, ThePlaneGoesThroughTheKernelOfTheRow) {
  const std::vector<double> slip{-1., 0., .3, 2.};
  const study::PlanarBatch plane{.size = slip.size(),
                                 .nn = 2.,
                                 .nt = .5,
                                 .tt = 3.,
                                 .normal = -1.,
                                 .slip = slip,
                                 .restitution = .5,
                                 .friction = .3};
  std::vector<double> by_law(slip.size());
  std::vector<double> by_kernel(slip.size());
  const Law& alias = *find_law("walton");
  solve_batch(alias, plane, study::PlanarBatchOutcome{.impulse_t = by_law.data()});
  solve_batch(Moreau{}, plane, study::PlanarBatchOutcome{.impulse_t = by_kernel.data()});
  EXPECT_EQ(by_law, by_kernel);
}

}  // namespace
}  // namespace carom::test
