// SPDX-License-Identifier: Apache-2.0
// What counts as equal to what is printed.
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include <gtest/gtest.h>

#include <papers/engine/judgement.hpp>
#include <papers/engine/measures.hpp>

namespace carom::papers {
namespace {

const std::vector<Erratum> list{
    {.id = "M1", .reason = Reason::misprint, .holds = true},
    {.id = "U1", .reason = Reason::unexplained, .holds = true},
};

Cell given(std::string text) { return {.text = std::move(text)}; }
Cell ours(double computed) { return {.computed = computed}; }
Cell compared(double computed, std::string printed, std::string known = {}) {
  return {.computed = computed, .printed = std::move(printed), .known = std::move(known)};
}
Cell compared_word(std::string computed, std::string printed) {
  return {.text = std::move(computed), .printed = std::move(printed)};
}

TEST(PapersJudgement, PrintedNumbers) {
  EXPECT_EQ(parse_printed("0.1034").value, 0.1034);
  EXPECT_DOUBLE_EQ(parse_printed("0.1034").last_digit, 1e-4);
  EXPECT_DOUBLE_EQ(parse_printed("1.9640e8").last_digit, 1e4);
  EXPECT_DOUBLE_EQ(parse_printed("4.7531e-4").last_digit, 1e-8);
  EXPECT_DOUBLE_EQ(parse_printed("2.5e+2").last_digit, 10.);
  EXPECT_EQ(parse_printed("\u22123").value, -3.);
  EXPECT_DOUBLE_EQ(parse_printed("-3").last_digit, 1.);
  for (const char* word : {"", "x", "0.1 m", "nan", "inf", "1e"}) {
    EXPECT_THROW((void)parse_printed(word), std::invalid_argument) << word;
  }
}

TEST(PapersJudgement, HalfAUnitOfTheLastDigitIsEqual) {
  EXPECT_EQ(judge(compared(0.10349999, "0.1034"), list).agreement, Agreement::differs);
  EXPECT_EQ(judge(compared(0.10344, "0.1034"), list).agreement, Agreement::equal);
  EXPECT_EQ(judge(compared(0.10335, "0.1034"), list).agreement, Agreement::equal);
  EXPECT_EQ(judge(compared(0.10334, "0.1034"), list).agreement, Agreement::differs);
  EXPECT_EQ(judge(compared(0. / 0., "0.1034"), list).agreement, Agreement::differs);
  EXPECT_EQ(judge(compared(0. / 0., "0.1034", "M1"), list).agreement, Agreement::differs);
  EXPECT_EQ(judge(compared(0.10334, "0.1034", "M1"), list).agreement, Agreement::last_digit);
  EXPECT_EQ(judge(compared(0.2, "0.1034", "M1"), list).agreement, Agreement::explained);
  EXPECT_EQ(judge(compared(0.2, "0.1034", "U1"), list).agreement, Agreement::unexplained);
  EXPECT_DOUBLE_EQ(judge(compared(0.2, "0.1034", "U1"), list).difference, 0.2 - 0.1034);
}

// What is listed must be there: a list that is longer than the differences hides the next one.
TEST(PapersJudgement, AKnownDifferenceMustBeOne) {
  EXPECT_EQ(judge(compared(0.1034, "0.1034", "M1"), list).agreement, Agreement::stale);
  EXPECT_THROW((void)judge(compared(0.1034, "0.1034", "M2"), list), std::invalid_argument);
  EXPECT_EQ(judge(ours(1.), list).agreement, Agreement::none);
  EXPECT_EQ(judge(compared_word("stick", "stick"), list).agreement, Agreement::equal);
  EXPECT_EQ(judge(compared_word("slip", "stick"), list).agreement, Agreement::differs);
}

// In any order: what was not computed must not hide behind what was.
TEST(PapersJudgement, TheLargestOfNoNumberIsNone) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(largest(1., 2.), 2.);
  EXPECT_EQ(largest(2., 1.), 2.);
  EXPECT_TRUE(std::isnan(largest(1., none)));
  EXPECT_TRUE(std::isnan(largest(none, 1.)));
  EXPECT_TRUE(std::isnan(largest({1., none, 2.})));
  EXPECT_EQ(largest({1., 3., 2.}), 3.);
}

TEST(PapersJudgement, FaultsAreCountedAndNamed) {
  Reproduction r;
  r.errata = list;
  r.errata.push_back({.id = "M3", .shown = "it does not"});  // which does not hold
  r.parts.push_back({.id = "Table 9"});
  r.parts[0].tables.push_back({.columns = {"row", "v [m/s]"}});
  r.parts[0].tables[0].rows.push_back({{given("1"), compared(1., "1.0")}});
  r.parts[0].tables[0].rows.push_back({{given("2"), compared(1., "2.0")}});
  r.parts[0].statements.push_back({.says = "it rains", .holds = false, .found = "sun"});
  r.parts[0].statements.push_back(
      {.says = "it snows", .holds = false, .found = "sun", .known = "M1"});
  const Tally t = tally(r);
  EXPECT_EQ(t.equal, 1U);
  EXPECT_EQ(t.explained, 1U);
  EXPECT_EQ(t.faults, 3U);
  EXPECT_EQ(t.compared(), 5U);
  const auto lines = faults(r);
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0], "Table 9, row 2, v [m/s]: DIFFERS; computed 1, printed '2.0'");
  EXPECT_EQ(lines[1], "Table 9: DIFFERS; 'it rains': sun");
  EXPECT_EQ(lines[2], "erratum M3: not shown; it does not");
}

}  // namespace
}  // namespace carom::papers
