// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <carom/core/error.hpp>
#include <carom/core/nearest.hpp>

namespace carom {
namespace {

TEST(InputError, IsOneLineWithPlaceFieldValueAndWhatIsAllowed) {
  const InputError plain("surface.restitution", 1.4, "in [0, 1]");
  EXPECT_STREQ(plain.what(), "surface.restitution: must be in [0, 1], got 1.4");
  const InputError placed(plain.field(), plain.problem(), "bar.toml:6:15");
  EXPECT_STREQ(placed.what(), "bar.toml:6:15: surface.restitution: must be in [0, 1], got 1.4");
}

TEST(InputError, StaysOneLineWhateverWasWritten) {
  EXPECT_STREQ(InputError("a\nb", "unknown key 'x\ty'").what(), "a\\x0ab: unknown key 'x\\x09y'");
}

TEST(Shortest, ReadsBackAsTheSameNumber) {
  EXPECT_EQ(shortest(0.1), "0.1");
  EXPECT_EQ(shortest(1.), "1");
  EXPECT_EQ(shortest(1. / 3.), "0.3333333333333333");
  EXPECT_EQ(std::stod(shortest(0x1.fffffffffffffp-3)), 0x1.fffffffffffffp-3);
}

TEST(EditDistance, CountsASwapOnce) {
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("energetic", "energetic"), 0U);
  EXPECT_EQ(edit_distance("enregetic", "energetic"), 1U);
  EXPECT_EQ(edit_distance("fricton", "friction"), 1U);
}

TEST(DidYouMean, OffersTheNearestOrListsAll) {
  const std::string_view known[] = {"newton", "poisson", "energetic"};
  EXPECT_EQ(did_you_mean("enregetic", known), "; did you mean 'energetic'?");
  EXPECT_EQ(did_you_mean("bullet", known), "; known: newton, poisson, energetic");
  EXPECT_EQ(did_you_mean("", known), "; known: newton, poisson, energetic");
}

}  // namespace
}  // namespace carom
