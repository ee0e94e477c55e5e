// SPDX-License-Identifier: Apache-2.0
#include <carom/core/random.hpp>

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace carom {
namespace {

using Words = std::array<std::uint32_t, 4>;

// The known answers that Random123 publishes for philox4x32-10.
TEST(Philox, GivesTheKnownAnswers) {
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}),
            (Words{0x6627e8d5U, 0xe169c58dU, 0xbc57ac4cU, 0x9b00dbd8U}));
  EXPECT_EQ(philox({~0U, ~0U, ~0U, ~0U}, {~0U, ~0U}),
            (Words{0x408f276dU, 0x41c83b0eU, 0xa20bc7c6U, 0x6d5451fdU}));
  EXPECT_EQ(
      philox({0x243f6a88U, 0x85a308d3U, 0x13198a2eU, 0x03707344U}, {0xa4093822U, 0x299f31d0U}),
      (Words{0xd16cfe09U, 0x94fdccebU, 0x5001e420U, 0x24126ea1U}));
}

TEST(RandomStream, IsUniformInTheOpenInterval) {
  const RandomStream random(7, 3);
  constexpr int count = 100'000;
  double sum = 0., squares = 0.;
  for (int i = 0; i < count; ++i) {
    const double u = random.uniform(static_cast<std::uint64_t>(i));
    ASSERT_GT(u, 0.);
    ASSERT_LT(u, 1.);
    sum += u;
    squares += u * u;
  }
  // Four standard deviations of the means of u and u^2.
  EXPECT_NEAR(sum / count, 1. / 2., 4. * std::sqrt(1. / 12. / count));
  EXPECT_NEAR(squares / count, 1. / 3., 4. * std::sqrt(4. / 45. / count));
}

TEST(RandomStream, StreamsAndSeedsDiffer) {
  EXPECT_NE(RandomStream(1, 0).bits(5), RandomStream(2, 0).bits(5));
  EXPECT_NE(RandomStream(1, 0).bits(5), RandomStream(1, 1).bits(5));
  EXPECT_NE(RandomStream(1, 0).bits(5), RandomStream(1, 0).bits(6));
}

TEST(Shuffled, IsAPermutationInAnotherOrder) {
  std::vector<std::size_t> order = shuffled(100, RandomStream(1));
  EXPECT_FALSE(std::is_sorted(order.begin(), order.end()));
  std::sort(order.begin(), order.end());
  for (std::size_t i = 0; i < order.size(); ++i) EXPECT_EQ(order[i], i);
}

}  // namespace
}  // namespace carom
