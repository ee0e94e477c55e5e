// SPDX-License-Identifier: Apache-2.0
// The exact process in space on cases computed elsewhere, and on its edges.
#include <gtest/gtest.h>

#include <cmath>

#include <carom/laws/darboux_keller.hpp>
#include <support/spatial_cases.hpp>
#include <support/spatial_problems.hpp>

namespace carom::test {
namespace {

constexpr Hypothesis hypotheses[] = {Hypothesis::newton, Hypothesis::poisson,
                                     Hypothesis::energetic};

Hypothesis hypothesis_of(const std::string& law) {
  if (law == "newton") return Hypothesis::newton;
  return law == "poisson" ? Hypothesis::poisson : Hypothesis::energetic;
}

std::vector<SpatialReferenceCase> exact_cases() {
  std::vector<SpatialReferenceCase> all;
  for (const char* law : {"newton", "poisson", "energetic"}) {
    for (auto& c : spatial_reference_cases(law)) all.push_back(std::move(c));
  }
  return all;
}

class SpatialReference : public testing::TestWithParam<SpatialReferenceCase> {};

TEST_P(SpatialReference, OutcomeIsAsComputedIndependently) {
  const SpatialReferenceCase& c = GetParam();
  validate(c.problem);
  const SpatialOutcome o = darboux_keller(c.problem, hypothesis_of(c.law));
  EXPECT_EQ(compare(c, o), "");
  EXPECT_EQ(compare_phases(c, o), "");
  EXPECT_EQ(std::to_string(static_cast<int>(o.mode)), c.mode);
}

INSTANTIATE_TEST_SUITE_P(Exact, SpatialReference, testing::ValuesIn(exact_cases()),
                         [](const auto& tested) {
                           std::string name = tested.param.id;
                           for (char& ch : name) {
                             if (std::isalnum(static_cast<unsigned char>(ch)) == 0) ch = '_';
                           }
                           return name;
                         });

// Were the file cut or misread, this would tell.
TEST(SpatialReferenceFile, IsWhole) {
  EXPECT_EQ(spatial_reference_cases().size(), 71U);
  EXPECT_EQ(spatial_reference_cases("newton").size(), 4U);
  EXPECT_EQ(exact_cases().size(), 21U);
  EXPECT_EQ(spatial_reference_cases("sun-baruh").size(), 26U);
  EXPECT_EQ(spatial_reference_cases("brach").size(), 24U);
}

}  // namespace
}  // namespace carom::test
