// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <carom/complementarity/friction/planar.hpp>

namespace carom::complementarity {
namespace {

// Each branch on a problem made for it.
TEST(PlanarFriction, EnumerationFindsEachBranch) {
  const Sym2 G{.nn = 1., .nt = 0., .tt = 2.};
  const auto only = [&](const Vec2& b, double mu) {
    const auto all = enumerate_planar_friction(G, b, mu);
    EXPECT_EQ(all.size(), 1U);
    return all[0];
  };
  EXPECT_EQ(only({.n = 1., .t = 3.}, .5).branch, PlanarCase::open);
  EXPECT_EQ(only({.n = -1., .t = .5}, .5).branch, PlanarCase::stick);
  const auto forward = only({.n = -1., .t = 3.}, .5);
  EXPECT_EQ(forward.branch, PlanarCase::forward);
  EXPECT_EQ(forward.P, (Vec2{.n = 1., .t = -.5}));
  EXPECT_EQ(forward.xi, (Vec2{.n = 0., .t = 2.}));
  EXPECT_EQ(only({.n = -1., .t = -3.}, .5).branch, PlanarCase::backward);
}

// Supercritical friction and b_n > 0: open and stick both hold, as in Painleve's problem.
TEST(PlanarFriction, EnumerationFindsAllSolutions) {
  const Sym2 G{.nn = 1.6, .nt = 1.2, .tt = 3.4};
  const auto all = enumerate_planar_friction(G, {.n = .01, .t = 1.}, 5. / 3.);
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].branch, PlanarCase::open);
  EXPECT_EQ(all[1].branch, PlanarCase::forward);
  EXPECT_EQ(all[2].branch, PlanarCase::stick);
  for (const auto& s : all) {
    EXPECT_GE(s.P.n, 0.);
    EXPECT_NEAR(s.P.n * s.xi.n, 0., 1e-15);
  }
}

TEST(PlanarFriction, EnumerationFindsNoneWhereThereIsNone) {
  const Sym2 ones{.nn = 1., .nt = 1., .tt = 1.};
  EXPECT_EQ(enumerate_planar_friction(ones, {.n = -1., .t = 0.}, 1.5).size(), 0U);
}

}  // namespace
}  // namespace carom::complementarity
