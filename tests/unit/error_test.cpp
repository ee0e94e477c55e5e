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

TEST(Printable, ShowsControlCharacters) {
  EXPECT_EQ(printable("a\x1b[31mb\x7f\r\n\t"), "a\\x1b[31mb\\x7f\\x0d\\x0a\\x09");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "\\x9b31m");  // CSI as one character
  EXPECT_EQ(printable("m² é 球 \xc2"), "m² é 球 \xc2");
  EXPECT_EQ(printable_lines("a\nb\x1b\n"), "a\nb\\x1b\n");
}

TEST(Tolerance, HasOneRange) {
  EXPECT_EQ(require_tolerance(1e-14, "t"), 1e-14);
  EXPECT_EQ(require_tolerance(1e-3, "t"), 1e-3);
  for (const double bad : {0., -1e-9, 9e-15, 2e-3}) {
    EXPECT_THROW(require_tolerance(bad, "t"), InputError) << bad;
  }
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
  EXPECT_EQ(did_you_mean("bullet", {}), "");
  EXPECT_EQ(did_you_mean("", known), "; known: newton, poisson, energetic");
}

}  // namespace
}  // namespace carom
