// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <string>

#include <carom/core/error.hpp>
#include <carom/study/batch/batch.hpp>

namespace carom::study {
namespace {

std::string error_of(const PlanarBatch& batch, Release release = Release::refused) {
  try {
    validate(batch, release);
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

/// Three valid impacts, of which a test spoils one.
struct Three {
  std::array<double, 3> nn{1., 2., 3.};
  std::array<double, 3> restitution{0., 0.5, 1.};
  PlanarBatch batch{.size = 3,
                    .nn = std::span<const double>(nn),
                    .tt = 3.,
                    .normal = -1.,
                    .slip = 0.5,
                    .restitution = std::span<const double>(restitution),
                    .friction = 0.3,
                    .static_friction = 0.3};

  Three() = default;
  Three(const Three&) = delete;
  Three& operator=(const Three&) = delete;
};

TEST(Batch, ValidInputPasses) { EXPECT_EQ(error_of(Three().batch), ""); }

TEST(Batch, AnErrorNamesColumnAndImpact) {
  Three x;
  x.nn[1] = -2.;
  EXPECT_EQ(error_of(x.batch), "nn[1]: must be >= 0 (G is positive semidefinite), got -2");
}

TEST(Batch, AnErrorNamesAColumnThatDoesNotVaryWithoutImpact) {
  Three x;
  x.batch.friction = -0.1;
  EXPECT_EQ(error_of(x.batch), "friction: must be in [0, 1e60], got -0.1");
}

TEST(Batch, AnIndefiniteInertiaIsRefused) {
  Three x;
  x.batch.nt = 2.;
  EXPECT_EQ(error_of(x.batch), "nt: must be positive semidefinite, got determinant -1");
}

TEST(Batch, AColumnOfAnotherSizeIsRefused) {
  Three x;
  x.batch.restitution = std::span<const double>(x.restitution).first(2);
  EXPECT_EQ(error_of(x.batch), "restitution: must have 3 entries, got 2");
}

TEST(Batch, StaticFrictionIsFrictionUnlessGiven) {
  Three x;
  const std::array<double, 3> friction{0.1, 0.2, 2.};
  x.batch.friction = std::span<const double>(friction);
  x.batch.nt = -0.9;  // slip stops, and friction above 0.9/3 holds it there
  x.batch.slip = 0.05;
  const auto impulses = [&](const PlanarLaw& law, const Column& static_friction) {
    PlanarBatch batch = x.batch;
    batch.static_friction = static_friction;
    EXPECT_EQ(error_of(batch), "");
    std::array<double, 3> t{};
    solve_batch(law, batch, {.impulse_t = t.data()});
    return t;
  };
  for (const PlanarLaw& law : {PlanarLaw(Energetic{}), PlanarLaw(Newton{})}) {
    const auto given = impulses(law, std::span<const double>(friction));
    EXPECT_NE(given, impulses(law, 10.));  // it matters here
    EXPECT_EQ(given, impulses(law, {}));
    EXPECT_EQ(given, impulses(law, std::span<const double>()));
  }
  EXPECT_EQ(problem_at(PlanarBatch{.size = 1, .friction = 0.4}, 0).surface.static_friction, 0.4);
}

TEST(Batch, OtherColumnsMustNotBeEmpty) {
  Three x;
  x.batch.restitution = std::span<const double>();
  EXPECT_EQ(error_of(x.batch), "restitution: must have 3 entries, got 0");
}

TEST(Batch, ReleasedEnergyIsRefusedUnlessAllowed) {
  Three x;
  x.restitution[2] = 1.5;
  EXPECT_EQ(error_of(x.batch), "restitution[2]: must be in [0, 1], got 1.5");
  EXPECT_EQ(error_of(x.batch, Release::allowed), "");
}

TEST(Batch, TheRuleSaysWhatTangentialIs) {
  Three x;
  x.batch.rule = BrachRule::coefficient;
  x.batch.tangential = 1e70;
  EXPECT_EQ(error_of(x.batch), "tangential: must be in [-1e60, 1e60], got 1e+70");
  EXPECT_EQ(problem_at(x.batch, 1).surface.tangential_rule, BrachRule::coefficient);
  EXPECT_EQ(problem_at(x.batch, 1).surface.tangential[0], 1e70);
}

TEST(Batch, EveryLawButCompliantHasAKernel) {
  for (const Law& law : laws_for(in_the_plane)) {
    EXPECT_EQ(has_batch_kernel(planar_kernel(law)), law.name != "compliant") << law.name;
  }
}

TEST(Batch, InstructionsThatTheMachineLacksAreRefused) {
  const PlanarBatch none;
  EXPECT_TRUE(available(Instructions::best));
  EXPECT_TRUE(available(Instructions::plain));
  for (const Instructions i : {Instructions::avx2, Instructions::avx512}) {
    if (available(i)) {
      EXPECT_NO_THROW(solve_batch(Newton{}, none, {}, {.instructions = i}));
    } else {
      EXPECT_THROW(solve_batch(Newton{}, none, {}, {.instructions = i}), InputError);
    }
  }
}

TEST(Batch, InstructionsHaveNames) {
  EXPECT_EQ(name(Instructions::best), "best");
  EXPECT_EQ(name(Instructions::plain), "plain");
  EXPECT_EQ(name(Instructions::avx2), "avx2");
  EXPECT_EQ(name(Instructions::avx512), "avx512");
}

TEST(Verdicts, GoToBitsAndBack) {
  Verdicts v;
  v.add(Verdict::jam);
  v.add(Verdict::energy_gained);
  EXPECT_EQ(v.bits(), 8U + 32U);
  EXPECT_EQ(Verdicts::from_bits(v.bits()), v);
}

}  // namespace
}  // namespace carom::study
